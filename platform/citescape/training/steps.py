"""Steps: train encoders, combine them, compare samplers."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from citescape.core.cores import usable_cores
from citescape.core.errors import ConfigError
from citescape.core.progress import silent
from citescape.core.types import Facet
from citescape.encoders.own import OwnEncoder
from citescape.ingest.shards.settings import ShardReader
from citescape.runs.context import Context
from citescape.runs.step import Count, RunName, Setting, Step, extract, name_runs
from citescape.training.config import PRESETS, SCIBERT, SweepConfig, TrainConfig

if TYPE_CHECKING:
    from citescape.training.combine import CombinedRun
    from citescape.training.repeat import TrainedEncoders
    from citescape.training.sweep_run import SweepRun

_PRESETS = ", ".join(f"{name}: {form}" for name, form in PRESETS.items())


@dataclass(frozen=True)
class Train(TrainConfig, ShardReader["TrainedEncoders"]):
    """Train an encoder that gives related papers similar vectors.

    The loss of a triplet is max(|a - p| - |a - n| + margin, 0) with Euclidean distances: training
    moves the positive nearer to the anchor than the negative, by the margin. `--loss in-batch` uses
    the negatives of the whole batch, `softmax` ranks the positive among all its papers by cosine.

    `--teacher` adds the mean of (cos(t, t') - cos(g, g'))^2 over pairs of an update's papers, with
    vectors t of texts and g of the graph. In the paper it was no improvement: SciDocs average 64.7
    alone and 80.5 jointly, 81.8 with triplets only (SciNCL, appendix F.9).

    `--tune adapter` takes seconds after texts are encoded: use it to compare samplers over seeds.
    Ctrl-C stops a training after the current update; the same command continues from the last
    checkpoint. On several GPUs: `accelerate launch -m citescape.cli.main train ...`; several
    machines share the folder of --runs.

    In Python, `encoder=` takes a `torch.nn.Module` with `tokenize(texts)`, such as a model of
    sentence-transformers, and `loss=` a function of the vectors of anchors, positives and
    negatives. The run records their qualified names and a hash of their source and state. The
    trained weights are in `encoder.safetensors`, which only your class can load: `embed --encoder
    RUN` refuses such a run. An interrupted training continues if the object is built again with the
    same source and weights; an object that cannot be hashed is trained again each time.
    """

    examples = """
        platform train --triplets sample-7a10ab440d1a --epochs 1 --max-tokens 128
        platform train --triplets sample-7a10ab440d1a --tune adapter --seeds 5
        platform train --triplets RUN --preset scincl
    """
    triplets: Annotated[RunName, Setting(metavar="RUN|FILE")]
    """Triplets: a run of `platform sample`, or a Parquet file."""
    facet: Facet | None = None
    """Facet: trains on its triplets, with title and that part of the abstract."""
    preset: Annotated[
        str,
        Setting(
            choices=tuple(PRESETS),
            default="none",
            help="Published settings: trains SciBERT, or the encoder of --base or "
            f"CITESCAPE_ENCODER, with the form of a paper ({_PRESETS}) and its pooling; the other "
            "settings are the defaults.",
        ),
    ] = ""
    seeds: Count = field(default=1, kw_only=True)
    """Number of random seeds; an encoder is trained with each."""
    encoder: Annotated[OwnEncoder | None, Setting(python=True)] = field(default=None, kw_only=True)
    """Encoder object of your own in place of `base`, see `encoders.own.OwnEncoder`; it is trained
    in place."""
    out: Annotated[Path | None, Setting(metavar="FOLDER")] = field(default=None, kw_only=True)
    """Folder to copy the encoder to, in addition to the run directory. Only citescape can open the
    copy of an adapter."""
    checkpoint_seconds: Annotated[float, Setting(least=0, expert=True)] = field(
        default=300.0, kw_only=True
    )
    """Seconds between checkpoints; Ctrl-C and SIGTERM write one too."""
    threads: Annotated[int, Setting(least=1, default="all cores", expert=True)] = field(
        default_factory=usable_cores, kw_only=True
    )
    """Number of processor threads; results are the same to the bit with the same number."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.out and self.seeds > 1:
            raise ConfigError(
                f"out with {self.seeds} seeds; expected a single seed, or no out: every encoder is "
                "in its run directory"
            )
        if self.preset and self.encoder is not None:
            raise ConfigError("preset does not apply to an encoder object; leave it out")
        if self.preset and (self.form or self.pooling):
            raise ConfigError(
                f"preset {self.preset} sets form and pooling; expected it without them"
            )

    def compute(self, context: Context) -> TrainedEncoders:
        from citescape.encoders.documents import FORMS
        from citescape.sampling.triplets import locate_triplets, read_triplets
        from citescape.training.processes import is_first_process, leave_processes
        from citescape.training.repeat import (
            TrainedEncoders,
            check_out,
            copy_encoder,
            repeat_training,
        )
        from citescape.training.train import read_training_data, record_results

        facet, runs = self.facet or "", context.runs
        config, base = extract(TrainConfig, self), context.encoder
        if self.preset:
            form, base = PRESETS[self.preset], base or SCIBERT
            config = replace(config, form=form, pooling=FORMS[form])
        if self.encoder is None:
            config = replace(config, base=name_runs(self.base) or base)
        progress = context.progress if is_first_process() else silent
        triplets = read_triplets(locate_triplets(runs, name_runs(self.triplets), facet))
        check_out(self.out)
        progress("reading texts")
        with self.read_from(context):
            data = read_training_data(
                context.store, triplets, config, facet=facet, runs=runs, encoder=self.encoder
            )
        context.unlock()
        try:
            results = repeat_training(
                data,
                config,
                seeds=self.seeds,
                runs=runs,
                checkpoint_seconds=self.checkpoint_seconds,
                progress=progress,
            )
            if is_first_process():
                if not self.shards:  # their runs are in run directories alone
                    record_results(context.store, results)
                if self.out:
                    copy_encoder(results[0].path, self.out)
        finally:
            leave_processes()
        return TrainedEncoders(tuple(results), self.out)


@dataclass(frozen=True)
class Combine(Step["CombinedRun"]):
    """Make one encoder of several: the weighted sum of their vectors.

    Combines encoders of the background, method and result facets (FLeW). Weights are positive and
    sum to one. With `--task` they are those with the highest validation figure of a task of SciDocs
    or SciRepEval (FLeW, Eq. 8), so each task has its own; then its test part is read once for them,
    for equal weights and for each encoder. A task without a validation part uses a fifth of its
    training papers, which are held out. With `--triplets` they are those that order most validation
    triplets correctly. Of several equally good weights, the most equal ones are chosen.
    """

    examples = """
        platform sample facet
        platform train --triplets SAMPLE --facet background    also for method and result
        platform train combine RUN RUN RUN --triplets TASK
        platform train combine RUN RUN RUN --task mesh --data scidocs/data
        platform train combine RUN RUN RUN --task RELISH --data scirepeval_tasks.jsonl
    """
    writes = True
    encoders: Annotated[tuple[RunName, ...], Setting(argument=True, metavar="ENCODER ENCODER...")]
    """Encoders: runs of `platform train`, folders, or hub ids."""
    triplets: Annotated[RunName, Setting(metavar="RUN|FILE")] = ""
    """Triplets whose validation split decides the weights."""
    facet: Facet | None = None
    """Facet of these triplets, for a run of `platform sample facet`."""
    weights: Annotated[str | tuple[float, ...], Setting(metavar="W,W,W")] = ""
    """Weights of the encoders, in place of a search."""
    task: Annotated[str, Setting(metavar="NAME")] = ""
    """Task whose validation figure decides the weights, such as mag, cite or RELISH."""
    data: Annotated[Path | None, Setting(metavar="FOLDER|FILE")] = None
    """Data of the task: the folder of SciDocs, or the configuration of SciRepEval
    (scirepeval_tasks.jsonl) beside its data."""
    step: Annotated[float, Setting(least=0.01, most=0.5)] = 0.1
    """Step of the grid of weights."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.encoders) < 2:
            raise ConfigError(f"{len(self.encoders)} encoder to combine; expected two or more")
        if [bool(self.weighting), bool(self.triplets), bool(self.task)].count(True) != 1:
            raise ConfigError("expected one of triplets or task, to search weights, or weights")
        if bool(self.task) != bool(self.data):
            raise ConfigError("expected task and data together: the name of a task, and its folder")

    @property
    def weighting(self) -> tuple[float, ...]:
        """The weights as numbers."""
        if not isinstance(self.weights, str):
            return tuple(self.weights)
        try:
            return tuple(float(part) for part in self.weights.split(",") if self.weights)
        except ValueError as error:
            raise ConfigError(
                f"weights is {self.weights!r}; expected numbers separated by commas"
            ) from error

    def compute(self, context: Context) -> CombinedRun:
        from citescape.evaluation.choosing import open_choice_tasks
        from citescape.sampling.triplets import locate_triplets, read_triplets
        from citescape.training.combine import combine_encoders

        task, benchmark = None, None
        if self.triplets:
            path = locate_triplets(context.runs, name_runs(self.triplets), self.facet or "")
            task = read_triplets(path)
        if self.data:
            (benchmark,) = open_choice_tasks(Path(self.data), [self.task], cores=usable_cores())
        return combine_encoders(
            context.store,
            name_runs(self.encoders),
            task=task,
            benchmark=benchmark,
            weights=self.weighting,
            step=self.step,
            runs=context.runs,
            progress=context.progress,
        )


@dataclass(frozen=True)
class Sweep(SweepConfig, Step["SweepRun"]):
    """Compare samplers and their settings, over seeds, with controls.

    Adapters are trained on triplets of a graph without the held-out anchors. The AUC on these
    anchors measures whether their references are nearer than other papers; .5 is chance. The others
    are random papers (`easy`) or works that are cited together with a reference (`hard`);
    `important` compares important references with the least important ones. Controls: `uniform`
    samples random references above random papers, `shuffled` permutes importance within each
    reference list.

    With `--data`, adapters are also scored on tasks of SciDocs or SciRepEval: CIA's grid of H and
    margin (Fig. 4) for one or several base encoders in one command. The best arm of importance
    sampling is chosen on the validation parts, for each encoder; test figures are computed for it
    and for the untrained encoder only. An interrupted sweep continues with the same command.
    """

    examples = """
        platform embed                         vectors of the untrained encoder
        platform train sweep -H 0 -H 2 -H 4 --margin 0.5 --margin 1
        platform train sweep --data scidocs/data --task cite --margin 0 --margin .5 --margin 1
            --encoder allenai/scibert_scivocab_uncased --encoder allenai/specter2_base
    """
    vectors: Annotated[RunName, Setting(default="those in the graph, else the latest")] = ""
    """Vectors of the frozen encoder: a run of `platform embed`."""
    encoders: Annotated[
        tuple[RunName, ...],
        Setting(flags=("--encoder",), metavar="FOLDER|HUB-ID", default="none; MiniLM with --data"),
    ] = ()
    """Frozen encoder to try, in place of vectors; it reads all papers of the store."""
    data: Annotated[Path | None, Setting(metavar="FOLDER|FILE")] = None
    """Data of published tasks: the folder of SciDocs, or the configuration of SciRepEval
    (scirepeval_tasks.jsonl) beside its data."""
    tasks: Annotated[
        tuple[str, ...], Setting(flags=("--task",), metavar="NAME", default="all of the data")
    ] = ()
    """Task to score adapters on; the figure is the mean over tasks."""
    max_tokens: Annotated[
        int | None, Setting(least=4, default="limit of the encoder", expert=True)
    ] = None
    """Maximum tokens per text that encoders read."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.vectors and (self.encoders or self.data):
            raise ConfigError("found vectors and encoders or data; expected vectors alone")
        if self.tasks and not self.data:
            raise ConfigError("found tasks without data; expected the folder of their data")

    def compute(self, context: Context) -> SweepRun:
        from citescape.evaluation.choosing import open_choice_tasks
        from citescape.training.sweep_run import run_sweep

        tasks = (
            open_choice_tasks(Path(self.data), self.tasks, cores=usable_cores())
            if self.data
            else []
        )
        encoders = self.encoders or ((context.encoder,) if self.data else ())
        return run_sweep(
            context.store,
            extract(SweepConfig, self),
            vectors=name_runs(self.vectors),
            encoders=name_runs(encoders),
            tasks=tasks,
            max_tokens=self.max_tokens or 0,
            runs=context.runs,
            progress=context.progress,
        )
