"""`platform evaluate pool`."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citescape.cli.evaluation_options import (
    Command,
    compare_option,
    metric_option,
    positives_option,
    prefilter_options,
    year_option,
)
from citescape.cli.evaluation_output import echo_run, print_differences, print_run, read_figures
from citescape.cli.options import (
    output_options,
    runs_option,
    seed_option,
    store_option,
    tokens_option,
)
from citescape.cli.output import echo_table, number, plural, ticking

if TYPE_CHECKING:
    from citescape.evaluation.evaluated import EvaluationRun
    from citescape.evaluation.pool.config import PoolConfig

_METRICS = {
    "map": "MAP",
    "map_ret": "MAP found",
    "ndcg": "nDCG",
    "ndcg_ret": "nDCG found",
    "recall@30": "R@30",
}


_OPTIONS = (
    year_option,
    click.option(
        "--queries", type=click.IntRange(1), default=3800, show_default=True, help="At most."
    ),
    positives_option(1, "Cited papers that a query has at least."),
    click.option(
        "--samples",
        type=click.IntRange(1),
        default=3,
        show_default=True,
        help="Pools of each size.",
    ),
    click.option(
        "--depth",
        type=click.IntRange(1),
        default=500,
        show_default=True,
        help="Papers of a ranking.",
    ),
    prefilter_options,
    compare_option,
    metric_option,
)


def _options(function: Command) -> Command:
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


@click.command(short_help="Find cited papers among all there are, in pools of several sizes.")
@click.argument("systems", metavar="[RANKER...]", nargs=-1)
@click.option(
    "--sizes",
    default="",
    show_default="four, up to all papers",
    metavar="N,N,...",
    help="Papers in a pool.",
)
@_options
@tokens_option
@seed_option
@store_option
@runs_option
@output_options
def pool(
    systems: tuple[str, ...],
    sizes: str,
    min_abstract: int,
    min_citations: int,
    compare: bool,
    metric: str,
    max_tokens: int | None,
    store: str,
    runs: Path | None,
    as_json: bool,
    **numbers: Any,
) -> None:
    """Rank whole pools of papers for papers of one year, and say how early those cited come.

    A pool holds all that the queries cite and others drawn at random, none newer than the queries.
    MAP and nDCG are of all cited papers; `found` takes those in the ranking for all, as published
    figures of large pools do. A figure is the mean over queries of the mean over samples.

    \b
    Examples:
      platform evaluate pool --compare bm25 minilm
      platform evaluate pool bm25 --sizes 20000,50000,100000 --min-abstract 0 --min-citations 1
    """  # noqa: D301 - \b is the character that keeps click from wrapping
    from citescape.evaluation.pool.config import PoolConfig
    from citescape.evaluation.prefilter import Prefilter
    from citescape.runs import default_runs

    passing = Prefilter(min_abstract, min_citations)
    config = PoolConfig(_read_sizes(sizes), **numbers, prefilter=passing)
    folder, named = runs or default_runs(store), systems or ("bm25", "minilm")
    made = _search(store, named, config, reading=(metric, max_tokens or 0), runs=folder)
    if as_json:
        echo_run(made, figures=made.figures.to_pylist())
    else:
        _print_pool(made, compare=compare)


def _read_sizes(told: str) -> tuple[int, ...]:
    parts = [part.strip() for part in told.split(",") if part.strip()]
    if not all(part.isdecimal() for part in parts):
        raise click.UsageError(f"--sizes {told}: expected numbers with commas between them")
    return tuple(map(int, parts))


def _search(
    store: str,
    named: tuple[str, ...],
    config: PoolConfig,
    *,
    reading: tuple[str, int],
    runs: Path,
) -> EvaluationRun:
    """The store is open while it is read, not while rankers search."""
    from citescape.evaluation.literature import read_literature
    from citescape.evaluation.pool.evaluate import Search, evaluate_pool
    from citescape.evaluation.summary import Sureness
    from citescape.graph.store import open_store
    from citescape.ranking.registry import Desk, open_ranker

    with ticking() as ticker:
        ticker.tell("reading papers and citations")
        with closing(open_store(store, read_only=True)) as graph:
            literature = read_literature(graph)
        metric, tokens = reading
        desk = Desk(
            literature.corpus,
            runs,
            metric,
            max_tokens=tokens,
            seed=config.seed,
            progress=ticker.tell,
        )
        search = Search(literature, dict(open_ranker(name, desk) for name in named))
        sureness = Sureness(config.seed)
        return evaluate_pool(search, config, sureness, runs=runs, progress=ticker.tell)


def _print_pool(made: EvaluationRun, *, compare: bool) -> None:
    counts, figures = made.counts, read_figures(made)
    click.echo(
        f"{plural(counts['queries'], 'query', 'queries')} of {counts['year']} that cite "
        f"{number(counts['cited'])} of {number(counts['eligible'])} papers, {counts['positives']} "
        "each on average"
    )
    for size in counts["sizes"]:
        click.echo(f"\npool of {number(size)} papers")
        rows = [
            (system, *(figures[system, f"{size:,}", "", metric] for metric in _METRICS))
            for system in counts["systems"]
        ]
        echo_table(("", *_METRICS.values()), rows)
    if compare:
        largest = counts["sizes"][-1]
        title = f"pool of {number(largest)} papers"
        print_differences(made, condition=f"{largest:,}", names=_METRICS, title=title)
    print_run(made)
