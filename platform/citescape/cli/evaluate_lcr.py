"""`platform evaluate lcr`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from citescape.cli.benchmark_lcr import CANDIDATES, PROTOCOLS
from citescape.cli.evaluation_options import compare_option
from citescape.cli.evaluation_output import echo_run, print_differences, print_page, print_run
from citescape.cli.lcr_output import (
    SHOWN,
    print_figures,
    print_grid,
    print_sweep,
    print_times,
    read_measured,
)
from citescape.cli.options import (
    add_options,
    output_options,
    runs_option,
    seed_option,
    store_option,
)
from citescape.cli.weight_options import contexts_option, rerank_weight_option, weight_options
from citescape.core.progress import ticking

if TYPE_CHECKING:
    from citescape.metrics.evaluated import EvaluationRun
    from citescape.recommend.lcr.grid import GridRun
    from citescape.recommend.lcr.prepare import LcrMeasuring

_LONGEST = 1000
"""Works of a list in a sweep, unless told otherwise."""
Reading = tuple[str, dict[str, str]]
"""Run or folder, and changes of how it is read."""

benchmark_options = (
    click.option(
        "--benchmark",
        default="",
        show_default="the last of `platform benchmark lcr`",
        metavar="RUN|FOLDER",
        help="Run, or a folder in the format of HAtten and SymTax.",
    ),
    click.option(
        "--protocol",
        type=click.Choice(PROTOCOLS),
        default=None,
        show_default="that of the run; train-union for a folder",
        help="What may be found, see `platform benchmark lcr --help`.",
    ),
    click.option(
        "--candidates",
        type=click.Choice(CANDIDATES),
        default=None,
        show_default="those of the run; training for a folder",
        help="Every work, or the papers of the training sentences.",
    ),
    click.option(
        "--encoder",
        envvar="CITESCAPE_ENCODER",
        default="",
        show_default="MiniLM",
        metavar="FOLDER|HUB-ID|RUN",
        help="Of texts and sentences. Published: allenai/specter2_base.",
    ),
    click.option(
        "--max-tokens",
        type=click.IntRange(4),
        default=128,
        show_default=True,
        help="That the encoder reads of a text.",
    ),
)

_COMPARED = ("mrr", "recall@10")


@click.command(short_help="Complete sentences: find the works that they cite among all.")
@click.argument("systems", metavar="[SYSTEM...]", nargs=-1)
@add_options(*benchmark_options)
@click.option(
    "--split", default="test", show_default=True, help="Of the benchmark; `val` to choose by."
)
@click.option(
    "--queries",
    type=click.IntRange(0),
    default=0,
    show_default="all",
    help="Sentences, drawn at random.",
)
@click.option(
    "-k",
    "--k",
    type=click.IntRange(1),
    default=300,
    show_default="300; 1,000 with --sweep",
    help="Works of a list.",
)
@click.option("--sweep", is_flag=True, help="Show figures by the length of the list.")
@add_options(*weight_options, contexts_option)
@click.option(
    "--rerank",
    "rerankers",
    multiple=True,
    metavar="RUN|FOLDER|HUB-ID",
    help="Order what the last system finds by a reranker; may be given several times.",
)
@click.option(
    "--depth",
    "depths",
    type=click.IntRange(1),
    multiple=True,
    default=(50,),
    show_default=True,
    help="Works of a list that are reranked; may be given several times.",
)
@add_options(rerank_weight_option)
@click.option(
    "--grid",
    type=click.FloatRange(0, 1, min_open=True),
    default=None,
    metavar="STEP",
    help="Try alpha, delta and --words in such steps on validation sentences, 1,000 unless "
    "--queries says otherwise, in place of measuring; compared with the weights given.",
)
@compare_option
@seed_option
@store_option
@runs_option
@output_options
def lcr(
    systems: tuple[str, ...],
    benchmark: str,
    grid: float | None,
    compare: bool,
    sweep: bool,
    store: str,
    runs: Path | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Measure how early works come that a sentence cites, among all that it could cite.

    SYSTEM is bm25, bm25-profile, dense, profiler, calibrated or fused; by default all of them, and
    with --rerank fused alone.
    Profiles are made of the training sentences. Any work that a sentence cites counts: MRR is the
    mean of 1 / r, r the rank of the first; R@k the share of sentences with r of k or less; nDCG@k
    the mean of 1 / log2(r + 1) up to k. Warm works are cited by training sentences, cold ones are
    not; a sentence may ask for both. In a graph of full texts a cold work is known only since one
    of these sentences cites it: `warm-only` searches among warm works alone, where this helps
    nobody. Intervals draw papers, whose sentences are alike.

    \b
    Examples:
      platform evaluate lcr
      platform evaluate lcr bm25 fused --sweep    what lists of 10 to 1,000 hold
      platform evaluate lcr fused --rerank rerank-0f3c5a1b2c3d --compare
      platform evaluate lcr profiler fused --benchmark ACL-200/ --candidates training
      platform evaluate lcr --grid .1    which weights are best on validation sentences
    """  # noqa: D301 - \b is the character that keeps click from wrapping
    from citescape.runs.directory import default_runs

    folder, reading = runs or default_runs(store), take_reading(benchmark, given)
    if sweep and click.get_current_context().get_parameter_source("k") is ParameterSource.DEFAULT:
        given["k"] = _LONGEST
    if grid is not None:
        config = _configure((), given)
        print_grid(*_try_weights(reading, config, grid, store=store, runs=folder), as_json=as_json)
        return
    made = _measure(reading, _configure(systems, given), named=systems, store=store, runs=folder)
    if as_json:
        echo_run(made, **read_measured(made), figures=made.figures.to_pylist())
        return
    print_figures(made)
    if sweep:
        print_sweep(made)
    print_times(made)
    if compare:
        print_differences(
            made, names=SHOWN, title="condition by condition", of="works", only=_COMPARED
        )
    print_run(made)
    print_page(made, store, runs)


def take_reading(benchmark: str, given: dict[str, Any]) -> Reading:
    """Which benchmark, and what of its protocol is to be otherwise; taken out of options."""
    told = {name: given.pop(name) for name in ("protocol", "candidates")}
    return benchmark, {name: value for name, value in told.items() if value}


def configure_profiles(given: dict[str, Any]) -> dict[str, Any]:
    """Encoder, weights and share of words, taken out of options."""
    from citescape.embeddings.steps import EmbedConfig
    from citescape.recommend.asking import AskConfig
    from citescape.recommend.profiler import ProfileWeights
    from citescape.recommend.profiling import ProfileConfig

    names = ("alpha", "beta", "gamma", "delta", "contexts")
    weights = ProfileWeights(**{name: given.pop(name) for name in names})
    encoder = EmbedConfig(encoder=given.pop("encoder"), max_tokens=given.pop("max_tokens"))
    profiles = ProfileConfig(weights, encoder)
    return {"profiles": profiles, "asking": AskConfig(weights), "share": given.pop("words")}


def _configure(systems: tuple[str, ...], given: dict[str, Any]) -> LcrMeasuring:
    from citescape.metrics.summary import Resampling
    from citescape.recommend.lcr.prepare import LcrMeasuring

    told = configure_profiles(given)
    own = systems or (("fused",) if given["rerankers"] else ())  # others are held to the first
    told |= {"systems": own} if own else {}
    resampling = Resampling(given.pop("seed"))
    return LcrMeasuring(**told, resampling=resampling, **given)


def _measure(
    reading: Reading, config: LcrMeasuring, *, named: tuple[str, ...], store: str, runs: Path
) -> EvaluationRun:
    from citescape.recommend.lcr.benchmark import find_lcr
    from citescape.recommend.lcr.evaluate import evaluate_lcr
    from citescape.recommend.lcr.prepare import check_measuring

    benchmark, changes = reading
    check_measuring(config, runs)
    with ticking() as ticker:
        ticker.tell("reading papers and sentences")
        path, task = find_lcr(runs, benchmark, location=store, changes=changes)
        encoder = config.profiles.encoder
        asked = {
            **{"": list(named), "benchmark": str(path), "store": store, **changes},
            **{"rerank": list(config.rerankers), "depth": list(config.depths)},
            **{"encoder": encoder.encoder, "max-tokens": encoder.max_tokens},
        }
        return evaluate_lcr(task, config, runs=runs, asked=asked, progress=ticker.tell)


def _try_weights(
    reading: Reading, config: LcrMeasuring, step: float, *, store: str, runs: Path
) -> tuple[GridRun, Path]:
    """The grid, and where the benchmark is."""
    from citescape.recommend.lcr.benchmark import find_lcr
    from citescape.recommend.lcr.grid import GridConfig, try_weights
    from citescape.recommend.lcr.prepare import check_measuring

    benchmark, changes = reading
    check_measuring(config, runs)
    told = GridConfig(step, config.queries or GridConfig.queries, config.resampling.seed)
    with ticking() as ticker:
        ticker.tell("reading papers and sentences")
        path, task = find_lcr(runs, benchmark, location=store, changes=changes)
        return try_weights(task, config, told, runs=runs, progress=ticker.tell), path
