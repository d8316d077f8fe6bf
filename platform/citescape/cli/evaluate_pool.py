"""`platform evaluate pool`."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citescape.cli.evaluation_options import (
    compare_option,
    field_options,
    metric_option,
    positives_option,
    prefilter_options,
    year_option,
)
from citescape.cli.evaluation_output import (
    echo_run,
    print_differences,
    print_page,
    print_run,
    print_traits,
    read_figures,
    shorten,
)
from citescape.cli.options import (
    add_options,
    output_options,
    runs_option,
    seed_option,
    store_option,
    tokens_option,
)
from citescape.cli.output import echo_table, number
from citescape.core.progress import ticking
from citescape.core.terminal import echo
from citescape.runs.result import plural

if TYPE_CHECKING:
    from citescape.evaluation.pool.config import FieldPoolConfig, PoolConfig
    from citescape.metrics.evaluated import EvaluationRun

_METRICS = {
    "map": "MAP",
    "map_ret": "MAP found",
    "ndcg": "nDCG",
    "ndcg_ret": "nDCG found",
    "recall@30": "R@30",
}


_OPTIONS = (
    field_options(""),
    year_option,
    click.option(
        "--queries",
        type=click.IntRange(1),
        default=None,
        show_default="3,800, or 200 of a field",
        help="At most.",
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
        type=click.IntRange(30),
        default=500,
        show_default=True,
        help="Papers of a ranking; R@30 takes so many.",
    ),
    prefilter_options,
    compare_option,
    metric_option,
)


@click.command(short_help="Find cited papers among all there are, in pools of several sizes.")
@click.argument("systems", metavar="[RANKER...]", nargs=-1)
@click.option(
    "--sizes",
    default="",
    show_default="four, up to all papers",
    metavar="N,N,...",
    help="Papers in a pool.",
)
@add_options(*_OPTIONS)
@tokens_option
@seed_option
@store_option
@runs_option
@output_options
def pool(
    systems: tuple[str, ...],
    sizes: str,
    source: str | None,
    labels: Path | None,
    compare: bool,
    metric: str,
    max_tokens: int | None,
    store: str,
    runs: Path | None,
    as_json: bool,
    **numbers: Any,
) -> None:
    """Rank whole pools of papers for papers of one year, and say how early those cited come.

    RANKER is any that `platform evaluate rankers` lists, or NAME=RANKER; by default bm25 and
    minilm. A pool holds all that the queries cite and others drawn at random, none newer than the
    queries. With --fields or --labels each field has its own queries and pools, drawn among what
    papers of the field cite, of one size (100,000 unless --sizes says otherwise).

    MAP and nDCG are of all cited papers; `found` takes those in the ranking for all, as published
    figures of large pools do. A figure is the mean over queries of the mean over samples.

    \b
    Examples:
      platform evaluate pool --compare bm25 minilm
      platform evaluate pool bm25 --sizes 20000,50000,100000 --min-abstract 0 --min-citations 1
      platform evaluate pool bm25 minilm --fields venue
    """  # noqa: D301 - \b is the character that keeps click from wrapping
    from citescape.evaluation.mdcr.opened import DEFAULT
    from citescape.runs.directory import default_runs

    kind = "labels" if labels else source
    config = _configure(_read_sizes(sizes), numbers, by_field=kind is not None)
    folder, named = runs or default_runs(store), systems or DEFAULT
    reading = (metric, max_tokens or 0)
    made = _search(store, named, config, reading=reading, runs=folder, fields=(kind, labels))
    if as_json:
        echo_run(made, figures=made.figures.to_pylist())
        return
    (_print_fields if kind else _print_sizes)(made)
    if compare:
        _compare(made)
    print_traits(made)
    print_run(made)
    print_page(made, store, runs)


def _configure(
    sizes: tuple[int, ...], numbers: dict[str, Any], *, by_field: bool
) -> PoolConfig | FieldPoolConfig:
    from citescape.evaluation.pool.config import FieldPoolConfig, PoolConfig
    from citescape.evaluation.prefilter import Prefilter

    told = {name: value for name, value in numbers.items() if value is not None}
    passing = Prefilter(told.pop("min_abstract"), told.pop("min_citations"))
    if not by_field:
        del told["fields"], told["fewest"]
        return PoolConfig(sizes, **told, prefilter=passing)
    if len(sizes) > 1:
        raise click.UsageError("--sizes: expected one size for pools of fields")
    size = {"size": sizes[0]} if sizes else {}
    return FieldPoolConfig(**size, **told, prefilter=passing)


def _read_sizes(told: str) -> tuple[int, ...]:
    parts = [part.strip() for part in told.split(",") if part.strip()]
    if not all(part.isdecimal() and int(part) for part in parts):
        raise click.UsageError(
            f"--sizes {told}: expected numbers of 1 or more, with commas between"
        )
    return tuple(map(int, parts))


def _search(
    store: str,
    named: tuple[str, ...],
    config: PoolConfig | FieldPoolConfig,
    *,
    reading: tuple[str, int],
    runs: Path,
    fields: tuple[str | None, Path | None],
) -> EvaluationRun:
    """The store is open while it is read, not while rankers search."""
    from citescape.evaluation.literature import read_literature
    from citescape.evaluation.pool.basis import search_pools
    from citescape.ranking.registry import Basis
    from citescape.sampling.labels import read_labels
    from citescape.store.graph_store import open_store

    kind, labels = fields
    rows = read_labels(labels) if labels else ()
    with ticking() as ticker:
        ticker.tell("reading papers and citations")
        with closing(open_store(store, read_only=True)) as graph:
            literature = read_literature(graph, fields=kind or "venue", labels=rows)
        metric, tokens = reading
        basis = Basis(
            literature.corpus,
            runs,
            metric=metric,
            max_tokens=tokens,
            seed=config.seed,
            progress=ticker.tell,
        )
        asked = {"labels": str(labels)} if labels else {"fields": kind or ""}
        asked["store"] = store
        return search_pools(named, literature, config, basis=basis, asked=asked)


def _print_sizes(made: EvaluationRun) -> None:
    counts, figures = made.counts, read_figures(made)
    echo(
        f"{plural(counts['queries'], 'query', 'queries')} of {counts['year']} that cite "
        f"{number(counts['cited'])} of {plural(counts['eligible'], 'paper')}, "
        f"{counts['positives']} each on average"
    )
    for size in counts["sizes"]:
        echo("", f"pool of {number(size)} papers")
        rows = [
            (system, *(figures[system, f"{size:,}", "", metric] for metric in _METRICS))
            for system in counts["systems"]
        ]
        echo_table(("", *_METRICS.values()), rows)


def _print_fields(made: EvaluationRun) -> None:
    counts, figures = made.counts, read_figures(made)
    systems, fields = counts["systems"], counts["fields"]
    several = len(fields) > 1
    size = counts["pools"][fields[0]][0]
    of = "mean over fields" if several else f"pool of {plural(size, 'paper')}"
    echo(
        f"{plural(counts['queries'], 'query', 'queries')} of {counts['year']} in "
        f"{plural(len(fields), 'field')}, {plural(len(counts['fields_left_out']), 'field')} left "
        "out",
        "",
        of,
    )
    rows = [
        (system, *(figures[system, "fields", "", metric] for metric in _METRICS))
        for system in systems
    ]
    echo_table(("", *_METRICS.values()), rows)
    if several:
        echo("", "fields, MAP")
        told = []
        for field in fields:
            shown = [figures[system, "fields", field, "map"] for system in systems]
            told.append((shorten(field), counts["pools"][field][0], *shown))
        echo_table(("", "papers", *systems), told)
    _tell_overfull(made.counts["pools"], made.record.config["size"])


def _tell_overfull(pools: dict[str, list[int]], asked: int) -> None:
    larger = sum(sizes[0] > asked for sizes in pools.values())
    if larger:
        echo(
            f"{plural(asked, 'paper')} asked; {plural(larger, 'pool is', 'pools are')} larger, "
            "since all that queries cite is in them"
        )


def _compare(made: EvaluationRun) -> None:
    sizes = made.counts.get("sizes")
    if sizes is None:
        print_differences(made, condition="fields", names=_METRICS, title="mean over fields")
        return
    title = f"pool of {number(sizes[-1])} papers"
    print_differences(made, condition=f"{sizes[-1]:,}", names=_METRICS, title=title)
