"""`platform evaluate leakage`."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from citescape.cli.evaluation_output import echo_run, print_run
from citescape.cli.options import output_options, runs_option, store_option
from citescape.cli.output import echo_table, number
from citescape.core.progress import ticking
from citescape.core.terminal import echo
from citescape.runs.result import plural

if TYPE_CHECKING:
    from citescape.evaluation.leakage.report import LeakageRun
    from citescape.store.graph_store import GraphStore

_SHOWN = ("papers", "leaked", "share", "by_id", "by_title", "both")


@click.command(short_help="Count a benchmark's papers in what a model has learned from.")
@click.argument("trained", metavar="RUN|FILE")
@click.option(
    "--benchmark",
    "named",
    required=True,
    metavar="RUN|FILE|FOLDER",
    help="Run of `benchmark mdcr` or `evaluate pool`, mdcr_test.json, SciDocs' folder, "
    "scirepeval_tasks.jsonl, or a list of papers.",
)
@click.option(
    "--texts",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Titles of the benchmark's papers, where they do not lie beside it: JSON Lines, CSV or "
    "Parquet with an id and a title.",
)
@store_option
@runs_option
@output_options
@click.pass_context
def leakage(
    context: click.Context,
    trained: str,
    named: str,
    texts: Path | None,
    store: str,
    runs: Path | None,
    as_json: bool,
) -> None:
    """Say which papers of a benchmark are in a training list, by id and by title.

    RUN is of `platform train`, `combine` or `sample`; a FILE is triplets as Parquet, records with
    an id and perhaps a title (.csv, .jsonl, .parquet), or an id a line. Titles count without case,
    accents and punctuation, if they have 25 letters and digits or more. Ids of one paper are
    matched, and titles looked up, in the store if there is one; bare digits are compared as they
    are. What leaked is kept: papers.csv in the run.

    \b
    Examples:
      platform evaluate leakage TRAINED --benchmark BENCHMARK        runs of train, benchmark mdcr
      platform evaluate leakage specter_ids.txt --benchmark scidocs/data
    """  # noqa: D301 - \b is the character that keeps click from wrapping
    from citescape.evaluation.leakage.benchmarks import read_benchmark_list
    from citescape.evaluation.leakage.report import report_leakage
    from citescape.evaluation.leakage.trained import read_trained
    from citescape.runs.directory import default_runs

    folder = runs or default_runs(store)
    asked_for = context.get_parameter_source("store") is not ParameterSource.DEFAULT
    with ticking() as ticker:
        ticker.tell("reading lists")
        lists = read_trained(folder, trained), read_benchmark_list(folder, named, texts)
        ticker.tell("comparing lists")
        if asked_for or Path(store).exists():
            with closing(_open(store)) as graph:
                made = report_leakage(*lists, graph, runs=folder)
        else:
            made = report_leakage(*lists, runs=folder)
    if as_json:
        echo_run(made, figures=made.figures.to_pylist())
        return
    _print(made)


def _open(store: str) -> GraphStore:
    from citescape.store.graph_store import open_store

    return open_store(store, read_only=True)


def _print(made: LeakageRun) -> None:
    counts = made.counts
    echo(made.line)
    for side, lost in counts["without_title"].items():
        if lost:
            echo(f"{side}: {plural(lost, 'paper')} without a title, compared by id only")
    for encoder in counts["unknown"]:
        echo(f"{encoder}: what it has learned from is not known")
    rows = made.figures.to_pylist()
    _print_benchmark([row for row in rows if row["list"] == "benchmark"])
    _print_training([row for row in rows if row["list"] == "training"])
    _print_pairs(counts)
    print_run(made)


def _print_benchmark(rows: list[dict[str, Any]]) -> None:
    """A row a part, a column a role."""
    roles = [role for role in dict.fromkeys(row["role"] for row in rows) if role]
    leaked = {(row["split"], row["part"], row["role"]): row["leaked"] for row in rows}
    echo("", "papers of the benchmark that were learned from")
    table = [
        (
            _name(row["split"], row["part"]),
            *_figures(row),
            *(leaked[row["split"], row["part"], role] for role in roles),
        )
        for row in rows
        if not row["role"]
    ]
    echo_table(("", *_HEADER, *(f"as {role}" for role in roles)), table)


def _print_training(rows: list[dict[str, Any]]) -> None:
    """A row a role, and one a split of the benchmark."""
    echo("", "papers of the training list that are in the benchmark")
    whole = [row for row in rows if not (row["part"] or (row["split"] and row["role"]))]
    table = [
        (row["role"] or (f"in {row['split']}" if row["split"] else "all"), *_figures(row))
        for row in whole
    ]
    echo_table(("", *_HEADER), table)


def _print_pairs(counts: Any) -> None:
    pairs, citations = counts["pairs"], counts["citations"]
    if pairs["benchmark"]:
        echo(
            "",
            f"{number(pairs['leaked'])} of {plural(pairs['benchmark'], 'pair')} of query and "
            "cited paper are anchor and positive of a triplet",
        )
    if citations is not None:
        echo(f"{plural(citations, 'citation')} of queries with both ends in training")


_HEADER = ("papers", "leaked", "share", "by id", "by title", "both")


def _figures(row: dict[str, Any]) -> list[object]:
    return [f"{row[name]:.1%}" if name == "share" else row[name] for name in _SHOWN]


def _name(split: str, part: str) -> str:
    return " ".join(filter(None, (split, part))) or "all"
