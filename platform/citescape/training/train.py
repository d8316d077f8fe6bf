"""From triplets in a run directory to a trained encoder in another."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from citescape.core.errors import ConfigError, TrainingError
from citescape.core.locks import alone
from citescape.core.progress import Progress, silent
from citescape.encoders.documents import EncoderSettings
from citescape.encoders.pretrained import resolve_precision
from citescape.encoders.randomness import fixed_randomness
from citescape.runs.directory import (
    RunRecord,
    Stopwatch,
    check_writable,
    default_runs,
    find_finished,
    library_versions,
    open_run,
    read_run,
    record_run,
    run_id,
    unfinished_folder,
)
from citescape.runs.step import name_runs
from citescape.sampling.fingerprint import hash_triplets, recode
from citescape.sampling.labels import LEAKS
from citescape.sampling.triplets import Triplets
from citescape.store.graph_store import GraphStore
from citescape.training.base import Base, build_tower, find_base
from citescape.training.checkpoint import State, load_state
from citescape.training.config import BATCH_TOKENS, TrainConfig
from citescape.training.logs import LOGS
from citescape.training.loop import train_tower
from citescape.training.processes import count_processes, is_first_process, make_accelerator
from citescape.training.session import Session, forget, open_session
from citescape.training.teacher import Teacher, find_teacher
from citescape.training.texts import Texts, read_texts
from citescape.training.throughput import compute_throughput, measure_peak
from citescape.training.towers import Tower
from citescape.training.validate import choose_validation

COMMAND = "train"


@dataclass(frozen=True)
class TrainResult:
    """A trained encoder and how it came out."""

    run: str
    path: Path
    """The run directory, to be named as an encoder: run.json, weights, tensorboard/."""
    seed: int
    figures: Mapping[str, Any]
    """Of `run.json`: triplets, updates, history, throughput."""
    unchanged: bool
    """The run was there already."""
    resumed_after: int = 0
    """Updates that earlier attempts had done."""

    @property
    def before(self) -> Mapping[str, float]:
        """Validation figures of the base."""
        history: list[Mapping[str, float]] = self.figures["history"]
        return history[0]

    @property
    def after(self) -> Mapping[str, float]:
        """Validation figures of the encoder that is kept."""
        history: list[Mapping[str, float]] = self.figures["history"]
        kept: int = self.figures["kept"]
        return history[kept]


@dataclass(frozen=True)
class Material:
    """What trainings of several seeds share: texts, triplets in their codes, base."""

    triplets: Triplets
    texts: Texts
    base: Base
    inputs: Mapping[str, str]
    teacher: Teacher | None = None


def train(
    store: GraphStore,
    triplets: Triplets,
    config: TrainConfig | None = None,
    *,
    facet: str = "",
    runs: Path | None = None,
    checkpoint_seconds: float = 300.0,
    progress: Progress = silent,
) -> TrainResult:
    """Trains an encoder on triplets; the same triplets, texts and settings give the same run.

    Ctrl-C and SIGTERM stop it after the update under way. A training that was interrupted goes on
    from its last checkpoint, and on a processor ends bit for bit like one that was not.

    Under `accelerate launch` or `torchrun` every process calls this and takes its part of each
    update. A store that is a file lets one process in, unless it is opened to read only: then call
    `read_material`, `train_material` and `record_results` in turn, and open the store for the first
    and for the last.

    Args:
        store: holds the papers' titles and abstracts.
        triplets: as `read_triplets` gives them.
        config: encoder, loss, schedule.
        facet: train on title and this part of the abstract only (FLeW); empty for all of it.
        runs: folder of run directories; by default `runs` beside the store.
        checkpoint_seconds: from one checkpoint to the next.
        progress: told where the training is.

    Writes to the graph: a Run node.

    Raises:
        ConfigError: settings without meaning, no such encoder, a checkpoint of another training.
        StoreError: papers of the triplets are not in the store, or have no text.
        TrainingError: the loss is not a number, or memory does not suffice.
        KeyboardInterrupt: Ctrl-C or SIGTERM; the updates done are kept.
    """
    config = config or TrainConfig()
    runs = runs or default_runs(store.location)
    progress("reading texts")
    material = read_material(store, triplets, config, facet=facet, runs=runs)
    result = train_material(
        material, config, runs=runs, checkpoint_seconds=checkpoint_seconds, progress=progress
    )
    record_results(store, [result])
    return result


def record_results(store: GraphStore, results: Iterable[TrainResult]) -> None:
    """Writes the Run nodes of trainings; of several processes the first one does."""
    if is_first_process():
        for result in results:
            record_run(store, read_run(result.path))


def read_material(
    store: GraphStore, triplets: Triplets, config: TrainConfig, *, facet: str, runs: Path
) -> Material:
    """Texts of the triplets' papers, the encoder to begin with, and its teacher if it has one.

    Raises:
        ConfigError: none of the triplets is to train on, or none to stop early by; there is no such
            encoder or teacher; nothing can be written in `runs`.
    """
    check_writable(runs)
    compact = recode(triplets)
    if compact.validation.all():
        raise ConfigError(
            f"all {len(compact):,} triplets are for validation; expected some to train on: sample "
            "more, or with a smaller --validation"
        )
    if config.patience and not compact.validation.any():
        raise ConfigError(
            f"patience is {config.patience}, but none of the {len(compact):,} triplets is for "
            "validation; expected some to stop by: sample more, or with a larger --validation"
        )
    base = find_base(config, runs)
    texts = read_texts(store, compact.ids, facet)
    inputs = {
        "triplets": hash_triplets(compact),
        "texts": texts.sha256,
        "base": base.sha256,
        "facet": facet,
        **({"leaks": LEAKS} if compact.know_labels else {}),
    }
    if not config.teacher:
        return Material(compact, texts, base, inputs)
    teacher = find_teacher(runs, name_runs(config.teacher), compact.ids, location=store.location)
    return Material(compact, texts, base, {**inputs, "teacher": teacher.run}, teacher)


def resolve_hardware(config: TrainConfig) -> TrainConfig:
    """The configuration with what `auto` means on this machine."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    tokens = config.batch_tokens or BATCH_TOKENS[device]
    precision = resolve_precision(config.precision)
    return replace(config, precision=precision, batch_tokens=tokens)


def train_material(
    material: Material,
    config: TrainConfig,
    *,
    runs: Path,
    checkpoint_seconds: float = 300.0,
    progress: Progress = silent,
) -> TrainResult:
    """One training of one seed, without the graph; see `train`."""
    config = resolve_hardware(config)
    settings = {**config.settings(), **asdict(material.base.settings)}
    if count_processes() > 1:  # each draws dropout of its own, and parts are theirs
        settings["processes"] = count_processes()
    named = {name: value for name, value in settings.items() if name not in ("base", "teacher")}
    id_ = run_id(COMMAND, named, material.inputs)
    found = find_finished(runs, id_)
    if found:
        return TrainResult(id_, found, config.seed, read_run(found).counts, unchanged=True)
    accelerator = make_accelerator()
    session = Session(
        run=id_,
        accelerator=accelerator,
        folder=unfinished_folder(runs, id_),
        checkpoint_seconds=checkpoint_seconds,
        precision=torch.float32 if config.tune == "adapter" else getattr(torch, config.precision),
        progress=progress,
    )
    record = RunRecord(
        id=id_,
        command=COMMAND,
        config={**settings, "base": material.base.name},
        inputs=material.inputs,
        seed=config.seed,
        versions=library_versions(
            "citescape", "torch", "transformers", "tokenizers", "accelerate", "numpy"
        ),
    )
    with alone(session.folder) if accelerator.is_main_process else nullcontext():
        return _train_in(material, config, session, record=record)


def _train_in(
    material: Material, config: TrainConfig, session: Session, *, record: RunRecord
) -> TrainResult:
    clock, runs = Stopwatch(), session.folder.parent
    main = session.accelerator.is_main_process
    with clock.timed("prepare"):
        tower, reads = _prepare(material, config, session)
    # An adapter's products are so small that sharing them between threads costs more than it saves.
    threads = 1 if config.tune == "adapter" else config.threads
    with fixed_randomness(config.seed, threads=threads):
        state = load_state(session.folder, record.id) or State(record.id)
        _check_alike(session, state)
        resumed_after = state.updates
        with clock.timed("train"), open_session(session, state) as told:
            teacher = material.teacher
            state = train_tower(
                tower, material.triplets, config, session=told, state=state, teacher=teacher
            )
        peak = measure_peak(session.accelerator.device, session.precision)
    figures = _figures(material, config, state, peak=peak)
    if main:
        record = clock.stop(replace(record, counts=figures))
        _keep(tower, reads, session, record=record)
    session.accelerator.wait_for_everyone()
    path = runs / record.id
    return TrainResult(record.id, path, config.seed, figures, False, resumed_after=resumed_after)


def _prepare(
    material: Material, config: TrainConfig, session: Session
) -> tuple[Tower, EncoderSettings]:
    """What is trained; the first process makes what the others find kept."""
    session.progress("preparing texts")
    with (
        session.accelerator.main_process_first(),
        fixed_randomness(config.seed, threads=config.threads),
    ):
        return build_tower(
            material.base,
            material.texts,
            config,
            runs=session.folder.parent,
            progress=session.progress,
        )


def _check_alike(session: Session, state: State) -> None:
    """Processes that share no folder would wait for each other at different updates.

    Raises:
        TrainingError: they are at different trainings, or at different places of one.
    """
    own = [int(hashlib.sha256(state.run.encode()).hexdigest()[:8], 16), state.updates]
    accelerator = session.accelerator
    found = accelerator.gather(torch.tensor([own], device=accelerator.device))
    if len(torch.unique(found, dim=0)) > 1:
        raise TrainingError(
            f"the {accelerator.num_processes} processes found different triplets, encoders or "
            "checkpoints; expected the same: name a folder that all of them share with --runs"
        )


def _figures(
    material: Material, config: TrainConfig, state: State, *, peak: float
) -> dict[str, Any]:
    speed = compute_throughput(state.tokens, state.flops, state.seconds, peak=peak)
    held = int(material.triplets.validation.sum())
    measured = choose_validation(material.triplets, anchors=config.validation_anchors)
    return {
        "triplets": len(material.triplets) - held,
        "sampled": material.triplets.sampled,
        "validation": held,
        "measured": len(measured),
        "papers": len(material.texts.documents),
        "titles_only": material.texts.titles_only,
        **({"taught": material.teacher.papers} if material.teacher else {}),
        **({"leaks": LEAKS} if material.triplets.know_labels else {}),
        "updates": state.updates,
        "halved_parts": state.parts,
        "history": state.history,
        "kept": _kept(config, state),
        "throughput": {**asdict(speed), "share_of_peak": speed.share_of_peak},
    }


def _kept(config: TrainConfig, state: State) -> int:
    """The entry of the history whose weights are kept: the last, or with patience the best."""
    losses = [entry.get("loss", 0.0) for entry in state.history]
    if config.patience and len(losses) > 1:
        return 1 + int(np.argmin(losses[1:]))
    return len(losses) - 1


def _keep(tower: Tower, reads: EncoderSettings, session: Session, *, record: RunRecord) -> None:
    """The run directory with encoder and logs; then the checkpoints are of no use any more."""
    with open_run(session.folder.parent, record.id) as directory:
        tower.save(directory.path, reads)
        shutil.copytree(session.folder / LOGS, directory.path / LOGS)
        directory.complete(record)
    forget(session)
