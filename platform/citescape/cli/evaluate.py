"""`platform evaluate mdcr`, and the group that it stands in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from citescape.cli.commands import make_command
from citescape.cli.evaluate_leakage import leakage
from citescape.cli.evaluate_pool import pool
from citescape.cli.evaluate_rankers import rankers
from citescape.cli.evaluate_report import report
from citescape.cli.evaluate_tasks import scidocs, scirepeval
from citescape.cli.evaluation_options import compare_option, metric_option
from citescape.cli.evaluation_output import (
    Figures,
    echo_run,
    print_differences,
    print_page,
    print_run,
    print_traits,
    read_figures,
    shorten,
)
from citescape.cli.options import (
    InOrder,
    output_options,
    runs_option,
    seed_option,
    store_option,
    tokens_option,
)
from citescape.cli.output import echo_table, number
from citescape.core.config import is_address
from citescape.core.progress import ticking
from citescape.core.terminal import echo
from citescape.recommend.steps import EvaluateLcr
from citescape.runs.result import plural

if TYPE_CHECKING:
    from citescape.metrics.evaluated import EvaluationRun
    from citescape.networks.citations import Citations

_SPLITS = ("test", "val")
_ALL = "all"
_METRICS = {"map": "MAP", "ndcg": "nDCG", "recall@5": "R@5"}


@click.group(cls=InOrder)
def evaluate() -> None:
    """Measure how well rankers and encoders find what belongs together."""


@evaluate.command(short_help="Tell cited papers from papers chosen to be taken for such.")
@click.argument("systems", metavar="[RANKER...]", nargs=-1)
@click.option(
    "--benchmark",
    default="",
    show_default="the last of `platform benchmark mdcr`",
    metavar="RUN|FILE",
    help="Run or folder, or a file as published (mdcr_test.json) with its texts beside it.",
)
@click.option(
    "--texts",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Titles and abstracts of a published file: JSON Lines.",
)
@click.option(
    "--split", type=click.Choice(_SPLITS), default="test", show_default=True, help="Of a run."
)
@click.option(
    "--scores",
    multiple=True,
    metavar="NAME=FILE",
    help='Scores of a system that ran elsewhere: JSON as published, {"QUERY_CANDIDATE": number}, '
    "or Parquet with query, candidate, score.",
)
@click.option("--published", is_flag=True, help="Print figures as the published evaluator does.")
@compare_option
@metric_option
@tokens_option
@seed_option
@store_option
@runs_option
@output_options
def mdcr(
    systems: tuple[str, ...],
    benchmark: str,
    texts: Path | None,
    split: str,
    scores: tuple[str, ...],
    published: bool,
    compare: bool,
    metric: str,
    max_tokens: int | None,
    seed: int,
    store: str,
    runs: Path | None,
    as_json: bool,
) -> None:
    """Rank the candidates of a benchmark, and say how early the cited ones come.

    RANKER is any that `platform evaluate rankers` lists, or NAME=RANKER, by default bm25 and
    minilm; `random` says what chance reaches. Figures are means over fields of the means over their
    queries, in per cent, with 95% intervals from 10,000 bootstrap samples of queries; p is of a
    paired randomisation test, adjusted for the comparisons of the same metric (Holm). Rankers whose
    lists candidates are from are judged by what they themselves got wrong: see the kinds of
    candidates.

    \b
    Examples:
      platform evaluate mdcr --compare bm25 minilm RUN      RUN of `platform train`
      platform evaluate mdcr --benchmark mdcr_test.json --scores scincl=scincl_scores.json
    """  # noqa: D301 - \b is the character that keeps click from wrapping
    from citescape.evaluation.mdcr.opened import Named, open_benchmark
    from citescape.ranking.registry import Basis
    from citescape.runs.directory import default_runs

    folder = runs or default_runs(store)
    _check_store(store)
    with ticking() as ticker:
        opened = open_benchmark(folder, Named(benchmark, split, texts), location=store)
        basis = Basis(
            opened.corpus,
            folder,
            metric=metric,
            max_tokens=max_tokens or 0,
            seed=seed,
            progress=ticker.tell,
        )
        made = opened.measure(systems, basis, scores=scores, citations=lambda: _read(store))
    if as_json:
        echo_run(made, figures=made.figures.to_pylist())
    elif published:
        _print_published(made)
    else:
        _print(made, compare=compare)
        print_page(made, store, runs)


def _print_published(made: EvaluationRun) -> None:
    from citescape.evaluation.mdcr.published import tell_published

    for system in made.counts["systems"]:
        echo("", system)
        for line in tell_published(made.figures, system, made.counts["fields"]):
            echo(line)


def _check_store(store: str) -> None:
    """Few rankers need it, but one that is named is to be there: it says whose runs are meant.

    Raises:
        StoreError: it is not.
    """
    from citescape.store.graph_store import open_store

    source = click.get_current_context().get_parameter_source("store")
    if source is not ParameterSource.DEFAULT and not is_address(store) and not Path(store).exists():
        open_store(store, read_only=True).close()


def _read(store: str) -> Citations:
    """The store is open while it is read, if a ranker needs it."""
    from citescape.networks.citations import read_citations
    from citescape.store.graph_store import open_store

    with closing(open_store(store, read_only=True)) as graph:
        return read_citations(graph, weight="none")


def _print(made: EvaluationRun, *, compare: bool) -> None:
    from citescape.evaluation.report.words import name_kind

    counts = made.counts
    echo(
        f"{plural(counts['queries'], 'query', 'queries')} of "
        f"{plural(len(counts['fields']), 'field')}, {plural(counts['pairs'], 'candidate')}; "
        f"{counts['source']}"
    )
    _print_losses(counts)
    figures = read_figures(made)
    echo("", "all candidates, mean over fields")
    rows = [
        (system, *(figures[system, _ALL, "", metric] for metric in _METRICS))
        for system in counts["systems"]
    ]
    echo_table(("", *_METRICS.values()), rows)
    kinds = [(name_kind(kind), kind, "") for kind in counts["kinds"]]
    fields = [(shorten(field), _ALL, field) for field in counts["fields"]]
    title = "MAP of what is cited among negatives of one kind"
    _print_parts(figures, kinds, title, systems=counts["systems"])
    if len(fields) > 1:
        _print_parts(figures, fields, "fields, MAP", systems=counts["systems"])
    if compare:
        print_differences(made, condition=_ALL, names=_METRICS, title="all candidates")
    print_traits(made)
    print_run(made)


_LOSSES = {
    "queries_without_cited": "queries without a cited candidate, left out",
    "without_text": "papers without a title or an abstract",
}


def _print_losses(counts: Mapping[str, Any]) -> None:
    for name, what in _LOSSES.items():
        if counts[name]:
            echo(f"{number(counts[name])} {what}")
    for system, lost in counts["without_score"].items():
        if lost:
            echo(f"{system}: {plural(lost, 'candidate')} without a score, ranked last")


def _print_parts(
    figures: Figures,
    parts: Sequence[tuple[str, str, str]],
    title: str,
    *,
    systems: Sequence[str],
) -> None:
    """A row a part (its name, condition and group), a column a system."""
    echo("", title)
    rows = [
        (name, *(figures[system, condition, group, "map"] for system in systems))
        for name, condition, group in parts
    ]
    echo_table(("", *systems), rows)


for command in (
    make_command("evaluate lcr", EvaluateLcr),
    pool,
    scidocs,
    scirepeval,
    leakage,
    rankers,
    report,
):
    evaluate.add_command(command)
