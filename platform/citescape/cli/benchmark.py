"""`platform benchmark mdcr`, and the group that it stands in."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citescape.cli.commands import make_command
from citescape.cli.evaluation_options import (
    field_options,
    positives_option,
    prefilter_options,
    year_option,
)
from citescape.cli.evaluation_output import echo_run, print_run
from citescape.cli.options import (
    InOrder,
    add_options,
    command_line,
    output_options,
    runs_option,
    seed_option,
    store_option,
    tokens_option,
)
from citescape.cli.output import echo_table, number
from citescape.core.progress import ticking
from citescape.core.terminal import echo
from citescape.recommend.steps import BenchmarkLcr
from citescape.runs.result import plural

if TYPE_CHECKING:
    from citescape.evaluation.mdcr.build import MdcrRun
    from citescape.evaluation.mdcr.config import MdcrConfig

_DROPPED = {
    "no_year": "without a year",
    "no_title": "without a title",
    "short_abstract": "with a short abstract",
    "few_citations": "with few citations",
}


@click.group(cls=InOrder)
def benchmark() -> None:
    """Make benchmarks of the papers and citations that you have."""


_OPTIONS = (
    field_options("venue"),
    year_option,
    click.option(
        "--queries",
        type=click.IntRange(1),
        default=200,
        show_default=True,
        help="Of a field in the test split.",
    ),
    click.option(
        "--validation",
        type=click.IntRange(0),
        default=None,
        show_default="as many",
        help="Of a field in the validation split.",
    ),
    positives_option(5, "Cited papers of a query."),
    click.option(
        "--negatives",
        type=click.IntRange(1),
        default=10,
        show_default=True,
        help="Other papers of each kind.",
    ),
    prefilter_options,
    click.option("--newer", is_flag=True, help="Candidates may be newer than the query."),
)


@benchmark.command(short_help="Cited papers among papers chosen to be taken for such, by field.")
@click.argument("models", metavar="[RANKER...]", nargs=-1)
@add_options(*_OPTIONS)
@tokens_option
@seed_option
@store_option
@runs_option
@output_options
def mdcr(
    models: tuple[str, ...],
    source: str,
    labels: Path | None,
    min_abstract: int,
    min_citations: int,
    max_tokens: int | None,
    store: str,
    runs: Path | None,
    as_json: bool,
    **numbers: Any,
) -> None:
    """Make a benchmark of citation recommendation in many fields (Medić and Šnajder 2022).

    Queries are papers of one year; each has five papers that it cites, and ten of each of these
    kinds that it does not cite: from the lists of rankers, from the neighbourhood of what it cites,
    from the most cited papers of its field, and any. No candidate is newer than its query, and no
    query is in both splits. Files are as published, for any evaluator of that benchmark.

    RANKER is any that `platform evaluate rankers` lists, or NAME=RANKER; by default bm25 and
    minilm. Of more than three those are taken whose lists have least in common. Rankers whose lists
    candidates are from are judged by what they themselves got wrong.

    \b
    Examples:
      platform benchmark mdcr
      platform benchmark mdcr bm25 lsa minilm --fields subjects
      platform benchmark mdcr bm25 --min-abstract 0 --min-citations 1    titles will do
    """  # noqa: D301 - \b is the character that keeps click from wrapping
    from citescape.evaluation.mdcr.config import MdcrConfig
    from citescape.evaluation.prefilter import Prefilter
    from citescape.runs.directory import default_runs

    if numbers["validation"] is None:
        numbers["validation"] = numbers["queries"]
    config = MdcrConfig(**numbers, prefilter=Prefilter(min_abstract, min_citations))
    folder = runs or default_runs(store)
    sources = ("labels" if labels else source, labels)
    made = _build(store, models, config, sources=sources, max_tokens=max_tokens or 0, runs=folder)
    if as_json:
        echo_run(made)
        return
    _print(made, config)
    measure = f"evaluate mdcr --compare bm25 minilm --benchmark {made.run}"
    echo(f"measure by it: {command_line(measure, store, runs)}")
    leave_out = command_line(f"sample specter --exclude {made.run}", store, runs)
    echo(f"train without its queries: {leave_out}")


def _build(
    store: str,
    named: tuple[str, ...],
    config: MdcrConfig,
    *,
    sources: tuple[str, Path | None],
    max_tokens: int,
    runs: Path,
) -> MdcrRun:
    """The store is open while it is read, not while rankers search."""
    from citescape.evaluation.literature import read_literature
    from citescape.evaluation.mdcr.opened import make_benchmark
    from citescape.ranking.registry import Basis
    from citescape.sampling.labels import read_labels
    from citescape.store.graph_store import open_store

    fields, labels = sources
    rows = read_labels(labels) if labels else ()
    with ticking() as ticker:
        ticker.tell("reading papers and citations")
        with closing(open_store(store, read_only=True)) as graph:
            literature = read_literature(graph, fields=fields, labels=rows)
        basis = Basis(
            literature.corpus, runs, max_tokens=max_tokens, seed=config.seed, progress=ticker.tell
        )
        return make_benchmark(named, literature, config, basis=basis)


def _print(made: MdcrRun, config: MdcrConfig) -> None:
    counts = made.counts
    dropped = ", ".join(
        f"{number(counts['dropped'][name])} {what}" for name, what in _DROPPED.items()
    )
    echo(
        f"{number(counts['eligible'])} of {plural(counts['papers'], 'paper')} may be in it; left "
        f"out: {dropped}"
    )
    echo(
        f"queries of {counts['year']}: {number(counts['test']['queries'])} in "
        f"{plural(len(counts['fields']), 'field')} to test, "
        f"{number(counts['val']['queries'])} to validate; "
        f"{plural(len(counts['fields_left_out']), 'field')} with fewer than {config.fewest} left "
        "out"
    )
    _print_candidates(made, config)
    print_run(made)


def _print_candidates(made: MdcrRun, config: MdcrConfig) -> None:
    counts = made.counts
    if len(counts["jaccard"]):
        rows = [(pair, value) for pair, value in counts["jaccard"].items()]
        echo("", "how much the lists of rankers have in common (Jaccard):")
        echo_table(("rankers", "mean"), rows)
    echo("", f"candidates of: {', '.join(counts['models'])}, graph, most_cited, random")
    _tell_most_cited(counts.get("most_cited", {}), config.depth)
    for split in ("test", "val"):
        short = counts[split]["short_lists"]
        if short:
            told = ", ".join(f"{kind} {number(count)}" for kind, count in short.items())
            echo(f"{split}: queries with fewer than {config.negatives} candidates of: {told}")
    if config.newer:
        echo(f"{plural(counts['test']['newer_candidates'], 'candidate')} newer than the query")


def _tell_most_cited(drawn_from: dict[str, dict[str, int]], depth: int) -> None:
    """Runs of older versions do not say it."""
    if not drawn_from:
        return
    fewer = sum(one["papers"] < depth for one in drawn_from.values())
    least = min(one["least"] for one in drawn_from.values())
    few = f" ({plural(fewer, 'field has', 'fields have')} fewer)" if fewer else ""
    echo(
        f"most_cited: drawn from the first {number(depth)} papers of a field{few}, the least cited "
        f"of which has {plural(least, 'citation')}"
    )


benchmark.add_command(make_command("benchmark lcr", BenchmarkLcr))
