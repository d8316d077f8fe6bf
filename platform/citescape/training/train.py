"""From triplets in a run directory to a trained encoder in another."""

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
from citescape.training.run import Prepared, keep_training
from citescape.training.session import Session
from citescape.training.teacher import Teacher, find_teacher
from citescape.training.texts import Texts, read_texts
from citescape.training.triplet_task import TripletTask


@dataclass(frozen=True)
class Material:
    """Input of a training, shared by all seeds: texts, triplets in their codes, base encoder."""

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
) -> EncoderRun:
    """Trains an encoder on triplets; the same triplets, texts and settings give the same run.

    Ctrl-C and SIGTERM stop it after the update under way. A training that was interrupted goes on
    from its last checkpoint, and on a processor ends bit for bit like one that was not.

    Under `accelerate launch` or `torchrun` every process calls this and computes its part of each
    update. One process at a time can open a store that is a file, unless read only: then call
    `read_material`, `train_material` and `record_results` in turn, and open the store for the first
    and for the last.

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
        ConfigError: invalid settings, no such encoder, a checkpoint of another training.
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


def record_results(store: GraphStore, results: Iterable[EncoderRun]) -> None:
    """Writes the Run nodes of trainings, in the first process only."""
    if is_first_process():
        for result in results:
            record_run(store, result.record)


def read_material(
    store: GraphStore,
    triplets: Triplets,
    config: TrainConfig,
    *,
    runs: Path,
    facet: str = "",
    encoder: OwnEncoder | None = None,
) -> Material:
    """Texts of the triplets' papers, the base encoder, and the teacher if one is configured.

    `encoder` is an object of your own in place of the encoder that the configuration names; the
    other arguments are those of `train`.

    Raises:
        ConfigError: no triplets to train on, or none to stop early by; there is no such encoder or
            teacher; `runs` cannot be written.
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
    base = use_own_encoder(encoder, config) if encoder is not None else find_base(config, runs)
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


def train_material(
    material: Material,
    config: TrainConfig,
    *,
    runs: Path,
    checkpoint_seconds: float = 300.0,
    progress: Progress = silent,
) -> EncoderRun:
    """One training of one seed, without the graph; see `train`."""
    config = replace(
        config,
        precision=resolve_precision(config.precision),
        batch_tokens=config.batch_tokens or BATCH_TOKENS[choose_device().type],
    )
    base, triplets, texts = material.base, material.triplets, material.texts
    reads = {"form": base.settings.form} if base.own else asdict(base.settings)
    settings = {**config.settings(), **reads}
    if count_processes() > 1:  # each has its own dropout and parts
        settings["processes"] = count_processes()
    # recorded by name only: the inputs hold their hashes
    named = {"base": base.name, **{k: settings[k] for k in ("teacher",) if k in settings}}
    settings = {name: value for name, value in settings.items() if name not in named}

    def prepare(session: Session, clock: Stopwatch) -> Prepared:
        session.progress("preparing texts")
        with (
            clock.timed("prepare"),
            session.accelerator.main_process_first(),  # the others read its vectors or tokens
            fixed_randomness(config.seed, threads=config.threads),
        ):
            tower, reads = build_tower(base, texts, config, runs=runs, progress=progress)
        task = TripletTask(tower, triplets, config, teacher=material.teacher, settings=reads)
        held = int(triplets.validation.sum())
        counts = {
            "triplets": len(triplets) - held,
            "sampled": triplets.sampled,
            "validation": held,
            "measured": len(task.held),
            "papers": len(texts.documents),
            "titles_only": texts.titles_only,
            **({"taught": material.teacher.papers} if material.teacher else {}),
            **({"leaks": LEAKS} if triplets.know_labels else {}),
        }
        # one thread is fastest for an adapter: its matrix products are small
        return Prepared(task, counts, threads=1 if config.tune == "adapter" else config.threads)

    result = keep_training(
        EncoderRun,
        runs,
        settings,
        material.inputs,
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
