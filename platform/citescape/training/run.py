"""A training as a run: checkpoints, resumption and figures, the same for all models."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import torch

from citescape.core.errors import TrainingError
from citescape.core.progress import Progress, silent
from citescape.encoders.randomness import fixed_randomness
from citescape.runs.directory import (
    RunDirectory,
    Stopwatch,
    find_finished,
    read_run,
    run_id,
    unfinished_folder,
)
from citescape.runs.kept import compute_run
from citescape.training.checkpoint import State, load_state
from citescape.training.kept import LOGS, TrainedRun
from citescape.training.loop import Task, find_kept, train_task
from citescape.training.processes import make_accelerator
from citescape.training.session import Session, open_session
from citescape.training.throughput import compute_throughput, measure_peak

Trained = TypeVar("Trained", bound=TrainedRun)
_LIBRARIES = ("torch", "transformers", "tokenizers", "accelerate", "numpy")


@dataclass(frozen=True)
class Prepared:
    """What is trained, and what is known of it before training."""

    task: Task
    counts: Mapping[str, Any]
    """Figures for the run's record."""
    threads: int
    """Number of processor threads of the updates."""


def keep_training(
    kind: type[Trained],
    runs: Path,
    settings: Mapping[str, Any],
    inputs: Mapping[str, Any],
    *,
    prepare: Callable[[Session, Stopwatch], Prepared],
    seed: int,
    precision: torch.dtype,
    recorded: Mapping[str, Any] | None = None,
    checkpoint_seconds: float = 300.0,
    progress: Progress = silent,
) -> Trained:
    """The training with these settings and inputs, from its last checkpoint; done once.

    Every one of several processes calls this; the first one writes.

    Args:
        kind: class of the run.
        runs: folder of run directories.
        settings: what decides the result.
        inputs: hashes of what is read.
        prepare: makes the task; called if the training is not done yet.
        seed: random seed.
        precision: of matrix products.
        recorded: see `compute_run`.
        checkpoint_seconds: seconds between checkpoints.
        progress: takes lines on what is being done.

    Raises:
        ConfigError: a checkpoint is damaged or of another training; another process is at it.
        TrainingError: the loss is not a number, or memory does not suffice.
        KeyboardInterrupt: Ctrl-C or SIGTERM; the updates done are kept.
    """
    id_ = run_id(kind.command, settings, inputs)
    if found := find_finished(runs, id_):
        return kind(found, read_run(found))
    session = Session(
        run=id_,
        accelerator=make_accelerator(),
        folder=unfinished_folder(runs, id_),
        checkpoint_seconds=checkpoint_seconds,
        precision=precision,
        progress=progress,
    )
    resumed_after = 0

    def fill(directory: RunDirectory | None, clock: Stopwatch) -> dict[str, Any]:
        nonlocal resumed_after
        prepared = prepare(session, clock)
        task = prepared.task
        with fixed_randomness(seed, threads=prepared.threads):
            state = load_state(session.folder, id_) or State(id_)
            check_alike(session, state)
            resumed_after = state.updates
            with clock.timed("train"), open_session(session, state) as opened:
                train_task(task, session=opened, state=state)
            peak = measure_peak(session.accelerator.device, session.precision)
        if directory:
            task.save(directory.path)
            shutil.copytree(session.folder / LOGS, directory.path / LOGS)
        speed = compute_throughput(state.tokens, state.flops, state.seconds, peak=peak)
        kept = find_kept(task, state.history)
        return {
            **prepared.counts,
            "updates": state.updates,
            "history": state.history,
            "kept": kept,
            **task.report(state, kept, {**asdict(speed), "share_of_peak": speed.share_of_peak}),
        }

    if session.accelerator.is_main_process:
        compute_run(
            kind,
            runs,
            settings,
            inputs,
            fill=fill,
            recorded=recorded,
            seed=seed,
            libraries=_LIBRARIES,
            resumes=True,
        )
    else:
        fill(None, Stopwatch())
    session.accelerator.wait_for_everyone()
    record = read_run(runs / id_)
    return replace(kind(runs / id_, record, unchanged=False), resumed_after=resumed_after)


def check_alike(session: Session, state: State) -> None:
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
