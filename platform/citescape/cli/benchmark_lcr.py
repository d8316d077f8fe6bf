"""`platform benchmark lcr`."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citescape.cli.evaluation_output import echo_run, print_run
from citescape.cli.lcr_output import tell_known
from citescape.cli.options import (
    command_line,
    output_options,
    runs_option,
    seed_option,
    store_option,
)
from citescape.cli.output import echo_table, number
from citescape.core.progress import ticking
from citescape.core.terminal import echo
from citescape.runs.result import plural

if TYPE_CHECKING:
    from citescape.recommend.lcr.benchmark import LcrRun
    from citescape.recommend.lcr.config import LcrConfig

PROTOCOLS = ("train-union", "strict-global", "strict-per-query")
CANDIDATES = ("all", "training")
_REASONS = {
    "cited_not_in_corpus": "cite nothing that may be found",
    "citing_without_date": "stand in a paper without a date",
    "cited_not_older": "cite nothing that is surely older",
    "evaluation_papers": "ask themselves",
    "without_date": "are without a date",
    "not_older": "are not surely older than every paper that asks, be it for validation",
}

_OTHERS = {
    "no_sentence": "cite no known work in a sentence",
    "no_date": "have no date",
    "later": "are of later years",
}


@click.command(short_help="Sentences of one year with a citation taken out, to be completed.")
@click.option(
    "--year",
    type=int,
    default=0,
    show_default="the last",
    help="Of the papers whose sentences ask; those of earlier papers teach.",
)
@click.option(
    "--validation",
    type=click.FloatRange(0, 1, max_open=True),
    default=0.1,
    show_default=True,
    help="Share of the earlier papers that is kept apart, to choose settings by.",
)
@click.option(
    "--protocol",
    type=click.Choice(PROTOCOLS),
    default="strict-per-query",
    show_default=True,
    help="What may be found: see above.",
)
@click.option(
    "--candidates",
    type=click.Choice(CANDIDATES),
    default="all",
    show_default=True,
    help="Every work known, or the papers of the training sentences only, as published.",
)
@seed_option
@store_option
@runs_option
@output_options
def lcr(store: str, runs: Path | None, as_json: bool, **settings: Any) -> None:
    """Make a benchmark of local citation recommendation: which paper belongs into a sentence.

    Sentences of papers of one year are the questions, with the citations masked; what they cite is
    the answer, any of it. Sentences of earlier papers are what systems may learn from. Files are in
    the format of HAtten and SymTax: papers.json, contexts.json, train.json, val.json, test.json.

    Protocols (Profiler, Eq. 1 and 2): `strict-per-query` lets be found what is surely older than
    the paper that asks; `strict-global` what is older than every such paper, of validation too, and
    is none of them (`--validation 0` asks papers of the year alone); `train-union` looks at no
    date, as the published benchmarks do. Validation papers are drawn from all earlier ones, so
    what answers them may have been written later than they were: it is counted.

    \b
    Examples:
      platform benchmark lcr
      platform benchmark lcr --year 2019 --validation .2
      platform benchmark lcr --protocol train-union --candidates training    as published
    """  # noqa: D301 - \b is the character that keeps click from wrapping
    from citescape.recommend.lcr.config import LcrConfig
    from citescape.runs.directory import default_runs

    config, folder = LcrConfig(**settings), runs or default_runs(store)
    made = _build(store, config, folder)
    if as_json:
        echo_run(made)
        return
    _print(made)
    echo(f"measure by it: {command_line('evaluate lcr', store, runs)}")
    echo(f"learn to order what is found: {command_line('rerank train', store, runs)}")


def _build(store: str, config: LcrConfig, runs: Path) -> LcrRun:
    from citescape.recommend.lcr.benchmark import build_from_graph
    from citescape.store.graph_store import open_store

    with ticking() as ticker, closing(open_store(store, read_only=True)) as graph:
        ticker.tell("reading papers and sentences")
        return build_from_graph(graph, config, runs=runs, progress=ticker.tell)


def _print(made: LcrRun) -> None:
    counts, config = made.counts, made.record.config
    rows = [
        (name, part["papers"], part["contexts"], counts["splits"].get(name, None), part["cited"])
        for name, part in counts["parts"].items()
    ]
    echo(
        f"questions are of {counts['year']}; {number(counts['candidates'])} of "
        f"{plural(counts['papers'], 'work')} may be found ({config['protocol']})",
        "",
    )
    echo_table(("", "papers", "sentences", "to be completed", "works cited"), rows)
    echo()
    for name, lost in counts["dropped"].items():
        told = [
            f"{number(count)} {_REASONS.get(reason, reason)}"
            for reason, count in lost.items()
            if count
        ]
        if told:
            echo(f"left out of {name}: {', '.join(told)}")
    others = counts.get("others", {})  # runs made before told nothing
    told = [f"{number(count)} {_OTHERS[reason]}" for reason, count in others.items() if count]
    if told:
        echo(f"full texts of no part: {', '.join(told)}")
    found = sum(counts["leaks"].values())
    echo(f"sentences, papers or works that would tell an answer: {number(found)}")
    _tell_rest(counts)
    print_run(made)


def _tell_rest(counts: Any) -> None:
    """What else is lost or known, split by split."""
    for name, lost in counts["works_dropped"].items():
        told = tell_known(counts, name)
        if lost:
            told.append(f"{plural(lost, 'work')} left out of sentences that stay")
        for one in told:
            echo(f"{name}: {one}")
