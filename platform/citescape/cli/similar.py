"""`platform similar`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from citescape.cli.options import output_options, runs_option, store_option
from citescape.cli.output import echo_json, echo_table
from citescape.core.terminal import echo

if TYPE_CHECKING:
    from citescape.embeddings.similar import SimilarPapers

_TITLE = 48


@click.command()
@click.argument("paper")
@click.option(
    "-k", "count", type=click.IntRange(1), default=20, show_default=True, help="How many papers."
)
@click.option(
    "--run",
    default="",
    show_default="the run in the graph, else the last",
    help="Id of a run of `platform embed` or `platform graph-embed`.",
)
@click.option(
    "--metric",
    type=click.Choice(("cosine", "dot", "l2")),
    default="cosine",
    show_default=True,
    help="Cosine, inner product, or Euclidean distance times -1.",
)
@click.option(
    "--only-uncited", is_flag=True, help="Leave out those that PAPER cites or is cited by."
)
@store_option
@runs_option
@output_options
def similar(
    paper: str,
    count: int,
    run: str,
    metric: str,
    only_uncited: bool,
    store: str,
    runs: Path | None,
    as_json: bool,
) -> None:
    """Show the papers nearest to one, and which of them it cites.

    PAPER is an id of the store, a DOI, a PMID, a PMCID or an address of one. A citation is shown by
    its importance, `yes` where it has none.
    """
    from citescape.embeddings.similar import find_similar
    from citescape.runs.directory import default_runs
    from citescape.search.stored import find_vectors
    from citescape.store.graph_store import open_store

    graph = open_store(store, read_only=True)
    try:
        vectors = find_vectors(graph, runs or default_runs(store), run)
        found = find_similar(
            graph, paper, vectors, k=count, metric=metric, only_uncited=only_uncited
        )
    finally:
        graph.close()
    if as_json:
        echo_json({**asdict(found), "metric": metric})
    else:
        _print_papers(found, metric)


def _print_papers(found: SimilarPapers, metric: str) -> None:
    note = ", by its title only" if found.text == "title" else ""
    echo(f"nearest to {found.paper}{note} ({found.run})", "")
    rows = [
        (
            one.similarity,
            one.id,
            str(one.year or ""),
            _cut(one.title),
            _citation(one.cites, one.importance),
            _citation(one.cited_by, one.cited_by_importance),
            "title only" if one.text == "title" else "",
        )
        for one in found.papers
    ]
    echo_table((metric, "paper", "year", "title", "cites it", "cited by it", ""), rows)


def _citation(there: bool, importance: float | None) -> str:
    if not there:
        return ""
    return "yes" if importance is None else f"{importance:.4f}"


def _cut(title: str) -> str:
    return title if len(title) <= _TITLE else title[: _TITLE - 1].rstrip() + "…"
