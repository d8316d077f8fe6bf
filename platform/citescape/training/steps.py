"""Steps: train encoders, combine them, compare samplers."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from citescape.core.cores import usable_cores
from citescape.core.errors import ConfigError
from citescape.core.progress import silent
from citescape.encoders.own import OwnEncoder
from citescape.runs.context import Context
from citescape.runs.step import Count, RunName, Setting, Step, extract, name_runs
from citescape.training.config import SweepConfig, TrainConfig

if TYPE_CHECKING:
    from citescape.training.combine import Combined
    from citescape.training.repeat import Trained
    from citescape.training.sweep_run import Swept

Facet = Literal["background", "method", "result"] | None


@dataclass(frozen=True)
class Train(TrainConfig, Step["Trained"]):
    """Train an encoder so that papers which belong together lie together.

    The positive of each triplet is drawn to its anchor until it is nearer than the negative by the
    margin: max(|a - p| - |a - n| + margin, 0), Euclidean distances. `--loss in-batch` takes the
    negatives of the whole batch, `softmax` ranks the positive among all its papers by cosine.

    `--teacher` adds the mean of (cos(t, t') - cos(g, g'))^2 over pairs of an update's papers, t the
    vectors of their texts and g those of the graph. The paper that tried it found it no better: a
    SciDocs average of 64.7 alone and 80.5 joint, against 81.8 of triplets (SciNCL, appendix F.9).

    `--tune adapter` takes seconds once texts are encoded, for comparing samplers over many seeds.
    Ctrl-C stops a training after the current update; the same command continues from the last
    checkpoint. On several GPUs: `accelerate launch -m citescape.cli.main train ...`; several
    machines share the folder of --runs.

    In Python, `encoder=` takes a `torch.nn.Module` with `tokenize(texts)`, such as a model of
    sentence-transformers, and `loss=` a function of the vectors of anchors, positives and
    negatives. The run records their qualified names and a hash of their source and state. The
    trained weights are in `encoder.safetensors`, which only your class can load: `embed --encoder
    RUN` refuses such a run. An interrupted training continues if the object is built again with the
    same source and weights; an object that cannot be hashed is trained anew each time.
    """

    examples = """
        platform train --triplets sample-7a10ab440d1a --epochs 1 --max-tokens 128
        platform train --triplets sample-7a10ab440d1a --tune adapter --seeds 5
        platform train --triplets RUN --base allenai/scibert_scivocab_uncased --form sep
    """
    triplets: Annotated[RunName, Setting(metavar="RUN|FILE")]
    """Triplets: a run of `platform sample`, or a Parquet file."""
    facet: Facet = None
    """Facet whose triplets, with title and that part of the abstract, are trained on."""
    seeds: Count = field(default=1, kw_only=True)
    """Number of random seeds; an encoder is trained with each."""
    encoder: Annotated[OwnEncoder | None, Setting(python=True)] = field(default=None, kw_only=True)
    """Encoder object of your own in place of `base`, see `encoders.own.OwnEncoder`; it is trained
    in place."""
    out: Annotated[Path | None, Setting(metavar="FOLDER")] = field(default=None, kw_only=True)
    """Folder to copy the encoder to; the run directory keeps it in any case. An adapter is not a
    model of its own: only citescape opens it."""
    checkpoint_seconds: Annotated[float, Setting(least=0, expert=True)] = field(
        default=300.0, kw_only=True
    )
    """Seconds between checkpoints; Ctrl-C and SIGTERM make one too."""
    threads: Annotated[int, Setting(least=1, default="all cores", expert=True)] = field(
        default_factory=usable_cores, kw_only=True
    )
    """Number of processor threads; results repeat to the bit with the same number."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.out and self.seeds > 1:
            raise ConfigError(
                "out takes one encoder and seeds makes several; expected one of the two: every "
                "encoder stays in its run directory"
            )

    def compute(self, context: Context) -> Trained:
        from citescape.sampling.triplets import locate_triplets, read_triplets
        from citescape.training.processes import is_first_process, leave_processes
        from citescape.training.repeat import Trained, check_out, copy_encoder, repeat_training
        from citescape.training.train import read_material, record_results

        facet, runs = self.facet or "", context.runs
        base = "" if self.encoder is not None else context.encoder
        progress = context.progress if is_first_process() else silent
        config = replace(extract(TrainConfig, self), base=name_runs(self.base) or base)
        triplets = read_triplets(locate_triplets(runs, name_runs(self.triplets), facet))
        check_out(self.out)
        progress("reading texts")
        material = read_material(
            context.store, triplets, config, facet=facet, runs=runs, encoder=self.encoder
        )
        context.unlock()
        try:
            results = repeat_training(
                material,
                config,
                seeds=self.seeds,
                runs=runs,
                checkpoint_seconds=self.checkpoint_seconds,
                progress=progress,
            )
            if is_first_process():
                record_results(context.store, results)
                if self.out:
                    copy_encoder(results[0].path, self.out)
        finally:
            leave_processes()
        return Trained(tuple(results), self.out)


@dataclass(frozen=True)
class Combine(Step["Combined"]):
    """Make one encoder of several: the weighted sum of their vectors.

    Meant for the encoders of the background, method and result facets (FLeW). Weights are positive
    and sum to one; those that order most validation triplets of a task rightly are chosen. If
    several do equally well, the most equal ones.
    """

    examples = """
        platform sample facet
        platform train --triplets SAMPLE --facet background    also for method and result
        platform train combine RUN RUN RUN --triplets TASK
    """
    writes = True
    encoders: Annotated[tuple[RunName, ...], Setting(argument=True, metavar="ENCODER ENCODER...")]
    """Encoders: runs of `platform train`, folders, or hub ids."""
    triplets: Annotated[RunName, Setting(metavar="RUN|FILE")] = ""
    """Triplets on whose validation side the weights are chosen."""
    facet: Facet = None
    """Facet of these triplets, where `platform sample facet` made them."""
    weights: Annotated[str | tuple[float, ...], Setting(metavar="W,W,W")] = ""
    """Weights of the encoders, in place of triplets."""
    step: Annotated[float, Setting(least=0.01, most=0.5)] = 0.1
    """Step of the grid of weights that are tried."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.encoders) < 2:
            raise ConfigError("one encoder to combine; expected two or more")
        if bool(self.weighting) == bool(self.triplets):
            raise ConfigError("expected either triplets, to search weights by, or weights")

    @property
    def weighting(self) -> tuple[float, ...]:
        """The weights as numbers."""
        if not isinstance(self.weights, str):
            return tuple(self.weights)
        try:
            return tuple(float(part) for part in self.weights.split(",") if self.weights)
        except ValueError as error:
            raise ConfigError(
                f"weights is {self.weights!r}; expected numbers with commas between"
            ) from error

    def compute(self, context: Context) -> Combined:
        from citescape.sampling.triplets import locate_triplets, read_triplets
        from citescape.training.combine import combine_encoders

        task = None
        if self.triplets:
            path = locate_triplets(context.runs, name_runs(self.triplets), self.facet or "")
            task = read_triplets(path)
        return combine_encoders(
            context.store,
            name_runs(self.encoders),
            task=task,
            weights=self.weighting,
            step=self.step,
            runs=context.runs,
            progress=context.progress,
        )


@dataclass(frozen=True)
class Sweep(SweepConfig, Step["Swept"]):
    """Compare samplers and their settings, over seeds, with controls.

    Adapters are trained on triplets of a graph without the held-out anchors, and judged by whether
    the references of these come nearer than others do: AUC, .5 is chance. `easy` sets them against
    random papers, `hard` against works that are cited beside one of them, `important` the important
    references against the least important ones. `uniform` is random references above random papers,
    `shuffled` assigns importances at random within each reference list.
    """

    examples = """
        platform embed                         vectors of the encoder as it is
        platform train sweep -H 0 -H 2 -H 4 --margin 0.5 --margin 1
    """
    vectors: Annotated[RunName, Setting(default="those in the graph, else the latest")] = ""
    """Vectors of the frozen encoder: a run of `platform embed`."""

    def __post_init__(self) -> None:
        super().__post_init__()

    def compute(self, context: Context) -> Swept:
        from citescape.training.sweep_run import run_sweep

        return run_sweep(
            context.store,
            extract(SweepConfig, self),
            vectors=name_runs(self.vectors),
            runs=context.runs,
            progress=context.progress,
        )
