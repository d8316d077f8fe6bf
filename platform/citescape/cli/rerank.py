"""`platform rerank train`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citescape.cli.evaluate_lcr import (
    Reading,
    benchmark_options,
    configure_profiles,
    take_reading,
)
from citescape.cli.evaluation_output import echo_run, print_run
from citescape.cli.lcr_output import read_benchmark, tell_benchmark, tell_reasons
from citescape.cli.options import (
    InOrder,
    add_options,
    command_line,
    output_options,
    runs_option,
    seed_option,
    store_option,
)
from citescape.cli.output import echo_table, number
from citescape.cli.recommend import SYSTEMS
from citescape.cli.weight_options import contexts_option, weight_options
from citescape.core.cores import usable_cores
from citescape.core.progress import ticking
from citescape.core.terminal import echo
from citescape.runs.result import plural
from citescape.training.reranking.config import ABLATIONS, KINDS, LOSSES, USUAL, RerankConfig

if TYPE_CHECKING:
    from citescape.recommend.lcr.prepare import LcrMeasuring
    from citescape.recommend.lcr.shortlists import ShortlistConfig
    from citescape.training.reranking.kept import RerankerRun


_KIND = "vectors"


@click.group(cls=InOrder)
def rerank() -> None:
    """Order what is recommended by models that see sentence and paper together."""


def _number(name: str, least: float, text: str) -> Any:
    """An option of `RerankConfig` that is a number."""
    whole = isinstance(_usual(name, _KIND), int)
    kind: Any = click.IntRange(int(least)) if whole else click.FloatRange(least)
    return _by_kind(name, text, type=kind)


def _by_kind(name: str, text: str, **shape: Any) -> Any:
    """An option whose default may depend on the kind."""
    usual, published = (str(_usual(name, kind)) for kind in (_KIND, "davinci"))
    told = usual if usual == published else f"{usual}; {published} for other kinds"
    flag = "--" + name.replace("_", "-")
    return click.option(flag, name, default=None, show_default=told, help=text, **shape)


def _usual(name: str, kind: str) -> Any:
    return USUAL[kind].get(name, getattr(RerankConfig, name))


@rerank.command(short_help="Train DAVINCI on what is retrieved for training sentences.")
@add_options(*benchmark_options)
@click.option(
    "--base",
    default="",
    show_default="MiniLM",
    metavar="FOLDER|HUB-ID|RUN",
    help="Transformer to begin with. Published: allenai/scibert_scivocab_uncased.",
)
@click.option(
    "--kind",
    type=click.Choice(tuple(KINDS)),
    default=_KIND,
    show_default=True,
    help="DAVINCI over the vectors that the retriever has: minutes. Over the text, as published: "
    "hours, or a GPU. A cross-encoder: the text alone.",
)
@add_options(
    _by_kind(
        "ablation",
        "DAVINCI with one part other than published (A1 to A4 of its Table 5).",
        type=click.Choice(tuple(ABLATIONS)),
    ),
    _by_kind(
        "loss",
        "By a margin (Eq. 11), or the cited work's share among what is compared.",
        type=click.Choice(LOSSES),
    ),
)
@click.option(
    "--inject/--no-inject",
    default=None,
    show_default="no; yes for other kinds",
    help="Learn too from sentences for which nothing they cite was found, by putting it last.",
)
@click.option(
    "--system",
    type=click.Choice(SYSTEMS),
    default="fused",
    show_default=True,
    help="By which works are retrieved; see `platform evaluate lcr --help`.",
)
@click.option(
    "--queries",
    type=click.IntRange(0),
    default=None,
    show_default="all; 8000 for other kinds",
    help="Training sentences, drawn at random; 0 for all.",
)
@click.option(
    "--folds",
    type=click.IntRange(2),
    default=5,
    show_default=True,
    help="Parts of the training papers; a part is asked of profiles made of the others.",
)
@click.option(
    "--abstracts", is_flag=True, help="Read the abstract of the citing paper too; not of vectors."
)
@add_options(
    _number("k", 1, "Works retrieved for a sentence."),
    _number("negatives", 1, "Of these, drawn for a sentence in each epoch."),
    _number("epochs", 1, "Passes over the sentences."),
    _number("batch", 1, "Sentences an update."),
    _number("learning_rate", 0, "Of AdamW; the published one is for SciBERT on a GPU."),
    _number("weight_decay", 0, "Of AdamW."),
    _number("dropout", 0, "In the heads."),
    _number("margin", 0, "Of the loss: by what the cited work is to lead (Eq. 11)."),
    _number("hidden", 1, "Dimensions that text and score are mapped to."),
    _number("patience", 0, "Stop after so many epochs without a higher MRR; 0: never."),
)
@click.option(
    "--pair-tokens",
    type=click.IntRange(8),
    default=None,
    show_default=f"{RerankConfig.max_tokens}; vectors have none",
    help="Of sentence and paper together.",
)
@click.option(
    "--checkpoint-seconds",
    type=click.FloatRange(0),
    default=300.0,
    show_default=True,
    help="From one checkpoint to the next; Ctrl-C and SIGTERM make one too.",
)
@add_options(*weight_options, contexts_option)
@seed_option
@store_option
@runs_option
@output_options
def train(
    benchmark: str,
    checkpoint_seconds: float,
    store: str,
    runs: Path | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Train a reranker on what Profiler finds for the training sentences of a benchmark.

    DAVINCI reads sentence and paper together and is told how well the paper was found; a gate
    weighs both, dimension by dimension. It learns to put the work that is cited above others that
    were retrieved. Training sentences are asked of profiles that were made without the papers they
    stand in, as test sentences are.

    Of the kind `davinci` it is as published: a transformer reads both texts, and is told the rank
    as the prior .95 ** rank. Of the kind `vectors` the same head reads the vectors of sentence,
    citing paper and candidate, and is told the retriever's score.

    Ctrl-C stops it after the update under way; the same command goes on from there.

    \b
    Examples:
      platform rerank train
      platform rerank train --kind davinci --base allenai/scibert_scivocab_uncased --queries 0
      platform rerank train --ablation semantics
    """  # noqa: D301 - \b is the character that keeps click from wrapping
    from citescape.recommend.lcr.config import TRAIN
    from citescape.runs.directory import default_runs

    folder = runs or default_runs(store)
    reading = take_reading(benchmark, given)
    lists, measuring, config = _configure(given)
    with ticking() as ticker:
        ticker.tell("reading papers and sentences")
        made, path = _train(
            reading,
            (lists, measuring, config),
            store=store,
            runs=folder,
            checkpoint_seconds=checkpoint_seconds,
            progress=ticker.tell,
        )
    told = read_benchmark(made, path, TRAIN)
    if as_json:
        echo_run(made, **told)
        return
    echo(f"learned from {tell_benchmark(told)}")
    _print(made)
    words = f"evaluate lcr {lists.system} --rerank {made.run} --compare"
    if measuring.share != type(measuring).share:
        words += f" --words {measuring.share}"
    echo(f"measure it: {command_line(words, store, runs)}")


def _configure(given: dict[str, Any]) -> tuple[ShortlistConfig, LcrMeasuring, RerankConfig]:
    from citescape.recommend.lcr.prepare import LcrMeasuring
    from citescape.recommend.lcr.shortlists import ShortlistConfig

    measuring = LcrMeasuring(**configure_profiles(given))
    given["max_tokens"] = given.pop("pair_tokens")
    told = {name: value for name, value in given.items() if value is not None}
    own = {name: told.pop(name) for name in ("system", "queries", "folds") if name in told}
    config = RerankConfig(**told, threads=usable_cores())
    return ShortlistConfig.usual(config, **own), measuring, config


def _train(
    reading: Reading,
    configs: tuple[ShortlistConfig, LcrMeasuring, RerankConfig],
    *,
    store: str,
    runs: Path,
    checkpoint_seconds: float,
    progress: Any,
) -> tuple[RerankerRun, Path]:
    """The reranker, and where the benchmark is."""
    from citescape.recommend.lcr.benchmark import find_lcr
    from citescape.recommend.lcr.shortlists import check_training, train_on_benchmark

    lists, measuring, config = configs
    check_training(config, measuring, runs)
    benchmark, changes = reading
    path, task = find_lcr(runs, benchmark, location=store, changes=changes)
    made = train_on_benchmark(
        task,
        config,
        lists=lists,
        measuring=measuring,
        runs=runs,
        checkpoint_seconds=checkpoint_seconds,
        progress=progress,
    )
    return made, path


def _print(made: RerankerRun) -> None:
    counts = made.counts
    kept = {counts["kept"]: "kept"}
    rows = [
        (entry["update"], 100 * entry["mrr"], kept.get(place, ""))
        for place, entry in enumerate(counts["history"])
    ]
    echo(
        f"{plural(counts['queries'], 'sentence')} to learn from, "
        f"{plural(counts['left_out'], 'other')} left out, which tell nothing apart; "
        f"{plural(counts['validation'], 'sentence')} to validate by, "
        f"{_tell_reranked(counts)}MRR as retrieved {100 * counts['retriever_mrr']:.1f}"
    )
    for told in tell_reasons(counts.get("known_before", {})):  # runs made before told nothing
        echo(f"to learn from: {told}")
    echo()
    echo_table(("after update", "MRR", ""), rows)
    if counts["mrr"] <= counts["retriever_mrr"]:
        echo(
            "",
            f"no better than as retrieved: MRR {100 * counts['mrr']:.1f}, as retrieved "
            f"{100 * counts['retriever_mrr']:.1f}; leave the lists as they are, or learn from more "
            "sentences",
        )
    print_run(made)


def _tell_reranked(counts: Mapping[str, Any]) -> str:
    """How many are reranked, as progress has it; runs made before told nothing."""
    reranked = counts.get("validation_reranked")
    if reranked is None:
        return ""
    return f"of which {number(reranked)} are reranked (what others cite is not found early), "
