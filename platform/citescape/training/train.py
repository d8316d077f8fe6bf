"""Trains an encoder on triplets and keeps it in a run directory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_model

from citescape.core.errors import ConfigError
from citescape.core.progress import Progress, silent
from citescape.encoders.device import choose_device
from citescape.encoders.own import OWN, OwnEncoder
from citescape.encoders.pretrained import resolve_precision
from citescape.encoders.randomness import fixed_randomness
from citescape.runs.directory import Stopwatch, check_writable, default_runs, record_run
from citescape.runs.step import name_runs
from citescape.sampling.fingerprint import hash_triplets, recode
from citescape.sampling.labels import LEAKS
from citescape.sampling.triplets import Triplets
from citescape.store.graph_store import GraphStore
from citescape.training.base import Base, build_tower, find_base, use_own_encoder
from citescape.training.config import BATCH_TOKENS, TrainConfig
from citescape.training.kept import EncoderRun
from citescape.training.processes import count_processes, is_first_process
from citescape.training.run import PreparedTraining, keep_training
from citescape.training.session import Session
from citescape.training.teacher import Teacher, find_teacher
from citescape.training.texts import Texts, read_texts
from citescape.training.triplet_task import TripletTask


@dataclass(frozen=True)
class TrainingData:
    """Input of a training, shared by all seeds."""

    triplets: Triplets
    """In the codes of `texts`."""
    texts: Texts
    base: Base
    inputs: Mapping[str, str]
    """Hashes, for the id of the run."""
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
) -> EncoderRun:
    """Trains an encoder on triplets; the same triplets, texts and settings give the same run.

    Ctrl-C and SIGTERM stop it after the current update. An interrupted training continues from its
    last checkpoint; on a CPU the result has the same bits as without interruption.

    Under `accelerate launch` or `torchrun` every process calls this and computes its part of each
    update. Only one process at a time can open a store that is a file for writing: then call
    `read_training_data`, `train_encoder` and `record_results` in turn, and open the store only for
    the first and the last of them.

    Args:
        store: holds the papers' titles and abstracts.
        triplets: result of `read_triplets`.
        config: encoder, loss, schedule.
        facet: train on title and this part of the abstract only (FLeW); empty for all of it.
        runs: folder of run directories; by default `runs` beside the store.
        checkpoint_seconds: seconds between checkpoints.
        progress: reports the progress.

    Writes to the graph: a Run node.

    Raises:
        ConfigError: invalid settings, no such encoder, or a checkpoint of another training.
        OutputError: the disk is full.
        StoreError: papers of the triplets are not in the store, or have no text.
        TrainingError: the loss is not a number, or not enough memory.
        KeyboardInterrupt: Ctrl-C or SIGTERM; the updates done are kept.
    """
    config = config or TrainConfig()
    runs = runs or default_runs(store.location)
    progress("reading texts")
    data = read_training_data(store, triplets, config, facet=facet, runs=runs)
    result = train_encoder(
        data, config, runs=runs, checkpoint_seconds=checkpoint_seconds, progress=progress
    )
    record_results(store, [result])
    return result


def record_results(store: GraphStore, results: Iterable[EncoderRun]) -> None:
    """Writes the Run nodes of trainings, in the first process only."""
    if is_first_process():
        for result in results:
            record_run(store, result.record)


def read_training_data(
    store: GraphStore,
    triplets: Triplets,
    config: TrainConfig,
    *,
    runs: Path,
    facet: str = "",
    encoder: OwnEncoder | None = None,
) -> TrainingData:
    """Texts of the triplets' papers, the base encoder, and the teacher if one is configured.

    Args:
        store: holds the papers' titles and abstracts.
        triplets: result of `read_triplets`.
        config: base encoder, teacher, patience.
        runs: folder of run directories.
        facet: read title and this part of the abstract only; empty for all of it.
        encoder: object of your own in place of `config.base`.

    Raises:
        ConfigError: no triplets to train on, or with `patience` none to validate on; no such
            encoder or teacher; or `runs` cannot be written.
        OutputError, StoreError: see `read_texts`.
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
            "validation; expected some: sample more, or with a larger --validation"
        )
    base = use_own_encoder(encoder, config) if encoder is not None else find_base(config, runs)
    texts = read_texts(store, compact.ids, runs, facet)
    inputs = {
        "triplets": hash_triplets(compact),
        "texts": texts.sha256,
        "base": base.sha256,
        "facet": facet,
        **({"leaks": LEAKS} if compact.uses_gold_labels else {}),
    }
    if not config.teacher:
        return TrainingData(compact, texts, base, inputs)
    teacher = find_teacher(runs, name_runs(config.teacher), compact.ids, location=store.location)
    return TrainingData(compact, texts, base, {**inputs, "teacher": teacher.run}, teacher)


def train_encoder(
    data: TrainingData,
    config: TrainConfig,
    *,
    runs: Path,
    checkpoint_seconds: float = 300.0,
    progress: Progress = silent,
) -> EncoderRun:
    """Trains an encoder without the graph; for errors see `train`.

    Args:
        data: result of `read_training_data`.
        config: encoder, loss, schedule, seed.
        runs: folder of run directories.
        checkpoint_seconds: seconds between checkpoints.
        progress: reports the progress.
    """
    config = replace(
        config,
        precision=resolve_precision(config.precision),
        batch_tokens=config.batch_tokens or BATCH_TOKENS[choose_device().type],
    )
    base, triplets, texts = data.base, data.triplets, data.texts
    reading = {"form": base.settings.form} if base.own else asdict(base.settings)
    settings = {**config.settings(), **reading}
    if count_processes() > 1:  # dropout and parts depend on the number of processes
        settings["processes"] = count_processes()
    # recorded, but not part of the id of the run: the inputs have hashes of base and teacher
    named = {"base": base.name, **{k: settings[k] for k in ("teacher",) if k in settings}}
    settings = {name: value for name, value in settings.items() if name not in named}

    def prepare(session: Session, clock: Stopwatch) -> PreparedTraining:
        session.progress("preparing texts")
        with (
            clock.timed("prepare"),
            session.accelerator.main_process_first(),  # the others read its vectors or tokens
            fixed_randomness(config.seed, threads=config.threads),
        ):
            tower, encoder_settings = build_tower(base, texts, config, runs=runs, progress=progress)
        task = TripletTask(tower, triplets, config, teacher=data.teacher, settings=encoder_settings)
        held = int(triplets.validation.sum())
        counts = {
            "triplets": len(triplets) - held,
            "sampled": triplets.run,
            "validation": held,
            "measured": len(task.held),
            "papers": len(texts),
            "titles_only": texts.titles_only,
            **({"teacher_papers": data.teacher.papers} if data.teacher else {}),
            **({"leaks": LEAKS} if triplets.uses_gold_labels else {}),
        }
        # an adapter has small matrix products, for which one thread is fastest
        return PreparedTraining(
            task, counts, threads=1 if config.tune == "adapter" else config.threads
        )

    result = keep_training(
        EncoderRun,
        runs,
        settings,
        data.inputs,
        prepare=prepare,
        seed=config.seed,
        precision=torch.float32 if config.tune == "adapter" else getattr(torch, config.precision),
        recorded=named,
        checkpoint_seconds=checkpoint_seconds,
        progress=progress,
    )
    if base.own is not None and result.unchanged:
        own: Any = base.own
        load_model(own, str(result.path / OWN))
    return result
