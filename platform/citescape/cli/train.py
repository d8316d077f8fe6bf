"""`platform train`."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citescape.cli.options import (
    command_line,
    output_options,
    runs_option,
    seed_option,
    store_option,
)
from citescape.cli.output import echo_json
from citescape.cli.trained_table import as_json_row, print_trained
from citescape.core.cores import usable_cores
from citescape.core.progress import ticking
from citescape.core.terminal import echo
from citescape.core.types import FACETS
from citescape.training.config import LOSSES, TUNED, TrainConfig

if TYPE_CHECKING:
    from citescape.sampling.triplets import Triplets
    from citescape.training.train import TrainResult


@click.command()
@click.option("--triplets", required=True, metavar="RUN|FILE", help="Of `platform sample`.")
@click.option(
    "--facet",
    type=click.Choice(FACETS),
    help="Triplets of this facet, title and that part of the abstract.",
)
@click.option(
    "--base",
    envvar="CITESCAPE_ENCODER",
    default="",
    show_default="MiniLM",
    metavar="FOLDER|HUB-ID|RUN",
    help="Encoder to begin with: a folder, an id of the Hugging Face hub, or an earlier training.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Copy the encoder here; the run directory keeps it in any case. An adapter is not a "
    "model of its own: it opens here only.",
)
@click.option(
    "--tune",
    type=click.Choice(tuple(TUNED)),
    default="all",
    show_default=True,
    help="Every weight, bias terms only (BitFit), or a linear map over the frozen encoder.",
)
@click.option(
    "--form",
    type=click.Choice(("sep", "joined")),
    show_default="the base's",
    help="`title [SEP] abstract` and [CLS], or title, abstract and the mean over all tokens.",
)
@click.option("--pooling", type=click.Choice(("cls", "mean")), help="In place of the form's.")
@click.option(
    "--max-tokens",
    type=click.IntRange(4),
    default=TrainConfig.max_tokens,
    show_default=True,
    help="Longer texts are cut.",
)
@click.option(
    "--loss",
    type=click.Choice(LOSSES),
    default="triplet",
    show_default=True,
    help="Against a triplet's own negative, all in the batch, or all by cosine.",
)
@click.option(
    "--margin",
    type=float,
    default=TrainConfig.margin,
    show_default=True,
    help="How much nearer the positive is to be, in units of the distance.",
)
@click.option(
    "--temperature",
    type=float,
    default=TrainConfig.temperature,
    show_default=True,
    help="Of `--loss softmax`: cosines are divided by it.",
)
@click.option(
    "--teacher",
    default="",
    metavar="RUN",
    help="Of `platform graph-embed`: its cosines are to be those of the texts' vectors.",
)
@click.option(
    "--teacher-weight",
    type=click.FloatRange(0),
    default=TrainConfig.teacher_weight,
    show_default=True,
    help="Of the teacher's loss, which is added to that of the triplets.",
)
@click.option("--teacher-only", is_flag=True, help="Leave out the loss of the triplets.")
@click.option(
    "--learning-rate",
    type=float,
    default=None,
    show_default=", ".join(f"{rate:g} {tune}" for tune, rate in TUNED.items()),
    help="At its peak: it rises during --warmup and then falls to 0.",
)
@click.option(
    "--warmup",
    type=click.FloatRange(0, 1),
    default=TrainConfig.warmup,
    show_default=True,
    help="Share of the updates in which the learning rate rises.",
)
@click.option(
    "--weight-decay",
    type=click.FloatRange(0),
    default=TrainConfig.weight_decay,
    show_default=True,
    help="Of AdamW; bias terms and norms have none.",
)
@click.option(
    "--epochs",
    type=click.IntRange(1),
    default=TrainConfig.epochs,
    show_default=True,
    help="Passes over the triplets.",
)
@click.option(
    "--batch",
    type=click.IntRange(1),
    default=TrainConfig.batch,
    show_default=True,
    help="Triplets an update.",
)
@click.option(
    "--accumulation",
    type=click.IntRange(1),
    default=TrainConfig.accumulation,
    show_default=True,
    help="Compute an update in so many parts, to save memory.",
)
@click.option(
    "--batch-tokens",
    type=click.IntRange(0),
    default=TrainConfig.batch_tokens,
    show_default="1,024, on a GPU 16,384",
    help="Tokens of a forward pass, padding included.",
)
@click.option(
    "--patience",
    type=click.IntRange(0),
    default=TrainConfig.patience,
    show_default="train all epochs",
    help="Stop after so many epochs without a lower validation loss, and keep the best.",
)
@click.option(
    "--precision",
    type=click.Choice(("auto", "float32", "bfloat16")),
    default="auto",
    show_default=True,
    help="`auto`: bfloat16 where the hardware multiplies in it.",
)
@click.option(
    "--seeds", type=click.IntRange(1), default=1, show_default=True, help="Train so many times."
)
@click.option(
    "--checkpoint-seconds",
    type=click.FloatRange(0),
    default=300.0,
    show_default=True,
    help="From one checkpoint to the next; Ctrl-C and SIGTERM make one too.",
)
@click.option(
    "--threads",
    type=click.IntRange(1),
    default=None,
    show_default="all cores",
    help="Of the processor; results repeat to the bit with as many as before.",
)
@seed_option
@store_option
@runs_option
@output_options
def train(
    triplets: str,
    facet: str | None,
    out: Path | None,
    seeds: int,
    store: str,
    runs: Path | None,
    as_json: bool,
    checkpoint_seconds: float,
    threads: int | None,
    **settings: Any,
) -> None:
    """Train an encoder so that papers which belong together lie together.

    Each triplet's positive is drawn to its anchor until it is nearer than the negative by the
    margin: max(|a - p| - |a - n| + margin, 0), Euclidean distances. `--loss in-batch` takes the
    negatives of the whole batch, `softmax` ranks the positive among all its papers by cosine.

    `--teacher` adds the mean of (cos(t, t') - cos(g, g'))^2 over pairs of an update's papers, t the
    vectors of their texts and g those of the graph. The paper that tried it found it no better: a
    SciDocs average of 64.7 alone and 80.5 joint, against 81.8 of triplets (SciNCL, appendix F.9).

    `--tune adapter` takes seconds once texts are encoded, for comparing samplers over many seeds.
    Ctrl-C stops a training after the update under way. When the same command is given again, it
    goes on where its last checkpoint was, whatever had ended it. On several GPUs: `accelerate
    launch -m citescape.cli.main train ...`; several machines share the folder of --runs.

    \b
    Examples:
      platform train --triplets sample-7a10ab440d1a --epochs 1 --max-tokens 128
      platform train --triplets sample-7a10ab440d1a --tune adapter --seeds 5
      platform train --triplets RUN --base allenai/scibert_scivocab_uncased --form sep
    """  # noqa: D301 - \b is the character that keeps click from wrapping
    from citescape.runs.directory import default_runs
    from citescape.sampling.triplets import locate_triplets, read_triplets
    from citescape.training.processes import is_first_process, leave_processes

    if out and seeds > 1:
        raise click.UsageError(
            "--out takes one encoder and --seeds makes several; expected one of the two: every "
            "encoder stays in its run directory"
        )
    config = TrainConfig(**_given(settings), threads=threads or usable_cores())
    kept = runs or default_runs(store)
    read = read_triplets(locate_triplets(kept, triplets, facet or ""))
    check_out(out)
    repeated = {"seeds": seeds, "checkpoint_seconds": checkpoint_seconds}
    try:
        results = _train(store, read, config, facet=facet or "", runs=kept, repeated=repeated)
    finally:
        leave_processes()
    if not is_first_process():
        return
    if out:
        copy_encoder(results[0].path, out)
    if as_json:
        echo_json({"runs": [as_json_row(result) for result in results]})
        return
    print_trained(results)
    name = str(out) if out else results[0].run
    echo(f"next: {command_line(f'embed --encoder {name}', store, runs)}")


def _train(
    store: str,
    triplets: Triplets,
    config: TrainConfig,
    *,
    facet: str,
    runs: Path,
    repeated: Mapping[str, Any],
) -> list[TrainResult]:
    """Opens the store before and after, not in the hours between; others may want to write to it.

    Of several processes all read, which a store that is a file allows; only the first one writes.
    `repeated` are further arguments of `repeat_training`.
    """
    from citescape.store.graph_store import open_store
    from citescape.training.processes import count_processes, is_first_process
    from citescape.training.repeat import repeat_training
    from citescape.training.train import read_material, record_results

    with ticking() as ticker:
        tell = ticker.tell if is_first_process() else lambda _: None
        tell("reading texts")
        shared = count_processes() > 1
        with closing(open_store(store, create=False, read_only=shared)) as graph:
            material = read_material(graph, triplets, config, facet=facet, runs=runs)
        results = repeat_training(material, config, runs=runs, progress=tell, **repeated)
        if is_first_process():
            with closing(open_store(store, create=False)) as graph:
                record_results(graph, results)
    return results


def _given(settings: dict[str, Any]) -> dict[str, Any]:
    return {name: "" if value is None else value for name, value in settings.items()} | {
        "learning_rate": settings["learning_rate"]
    }


def check_out(out: Path | None) -> None:
    """Before hours of work: whether the encoder can be copied there.

    Raises:
        ConfigError: the folder holds other files than those of a training, or cannot be written.
    """
    from citescape.core.errors import ConfigError
    from citescape.encoders.saved import SETTINGS
    from citescape.runs.directory import RECORD, check_writable

    trained = out and all((out / name).is_file() for name in (SETTINGS, RECORD))
    if out and out.exists() and any(out.iterdir()) and not trained:
        raise ConfigError(
            f"{out} holds other files than a trained encoder; name an empty or new folder with "
            "--out"
        )
    if out:
        try:
            check_writable(out.resolve().parent)
        except ConfigError as error:
            raise ConfigError(f"{out} cannot be written; name another folder with --out") from error


def copy_encoder(path: Path, out: Path) -> None:
    """Copies a trained encoder, whole or not at all; what stood there goes when it is whole."""
    import shutil

    from citescape.core.files import sync
    from citescape.core.outputs import watch_output

    out = out.resolve()
    aside, old = (out.with_name(f".{out.name}.{kind}") for kind in ("partial", "old"))
    if old.exists() and not out.exists():  # a kill between the two renames below
        old.rename(out)
    for left in (aside, old):
        shutil.rmtree(left, ignore_errors=True)
    aside.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(path, aside)
    for copied in aside.rglob("*"):
        sync(copied)
    if out.exists():
        out.rename(old)
    aside.rename(out)
    sync(out.parent)
    watch_output(out)
    shutil.rmtree(old, ignore_errors=True)
