"""A training as a run: checkpoints, resumption and figures, the same for all models."""

from __future__ import annotations

import hashlib
import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
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
from citescape.training.loop import TrainingTask, find_kept_entry, train_task
from citescape.training.processes import make_accelerator
from citescape.training.session import Session, open_session

KeptTraining = TypeVar("KeptTraining", bound=TrainedRun)
_LIBRARIES = ("torch", "transformers", "tokenizers", "accelerate", "numpy")
_SECONDS = 0.3
"""Duration of the measurement of the hardware's peak rate."""
_SIZES = {"cpu": 1024, "cuda": 8192}
"""Rows of the matrices of that measurement, by kind of device."""


@dataclass(frozen=True)
class PreparedTraining:
    """The task of a training, and figures that are known before the first update."""

    task: TrainingTask
    counts: Mapping[str, Any]
    """Figures for the run's record."""
    threads: int
    """Number of processor threads of the updates."""


def keep_training(
    kind: type[KeptTraining],
    runs: Path,
    settings: Mapping[str, Any],
    inputs: Mapping[str, Any],
    *,
    prepare: Callable[[Session, Stopwatch], PreparedTraining],
    seed: int,
    precision: torch.dtype,
    recorded: Mapping[str, Any] | None = None,
    checkpoint_seconds: float = 300.0,
    progress: Progress = silent,
) -> KeptTraining:
    """The finished run of these settings and inputs; else trains, from a checkpoint if possible.

    All processes of a training call this; the first one writes.

    Args:
        kind: class of the run.
        runs: folder of run directories.
        settings: settings that decide the result.
        inputs: hashes of the inputs.
        prepare: makes the task; called only if there is no finished run.
        seed: random seed.
        precision: precision of matrix products.
        recorded: further settings for the record, see `compute_run`.
        checkpoint_seconds: seconds between checkpoints.
        progress: reports the progress.

    Raises:
        ConfigError: a checkpoint is damaged or of another training; another process trains it.
        TrainingError: the loss is not a number, or not enough memory.
        KeyboardInterrupt: Ctrl-C or SIGTERM; the updates done are kept.
    """
    id_ = run_id(kind.command, settings, inputs)
    if finished := find_finished(runs, id_):
        return kind(finished, read_run(finished))
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
            check_same_state(session, state)
            resumed_after = state.updates
            with clock.timed("train"), open_session(session, state) as opened:
                train_task(task, session=opened, state=state)
            peak = measure_peak(session.accelerator.device, session.precision)
        if directory:
            task.save(directory.path)
            shutil.copytree(session.folder / LOGS, directory.path / LOGS)
        kept = find_kept_entry(task, state.history)
        return {
            **prepared.counts,
            "updates": state.updates,
            "history": state.history,
            "kept": kept,
            **task.report(state, kept, compute_speed(state, peak)),
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


def compute_speed(state: State, peak: float) -> dict[str, float]:
    """Rates of the updates alone, without validation, tokenisation and checkpoints.

    Operations are those of the model: three forward passes per token (two if only bias terms are
    trained), without padding. `peak`, floating-point operations per second, is the result of
    `measure_peak`; 0 if unknown.
    """
    rate = 1 / state.seconds if state.seconds else 0.0
    return {
        "tokens": state.tokens,
        "seconds": state.seconds,
        "tokens_a_second": state.tokens * rate,
        "flops_a_second": state.flops * rate,
        "peak_flops_a_second": peak,
        "share_of_peak": state.flops * rate / peak if peak else 0.0,
    }


def measure_peak(device: torch.device, dtype: torch.dtype) -> float:
    """Floating-point operations per second of a square matrix product: the best of some runs."""
    size = _SIZES.get(device.type, _SIZES["cpu"])
    a = torch.ones(size, size, device=device, dtype=dtype)
    best, begun = float("inf"), time.monotonic()
    while time.monotonic() - begun < _SECONDS:
        started = time.perf_counter()
        _ = a @ a
        if device.type == "cuda":
            torch.cuda.synchronize(device)
        best = min(best, time.perf_counter() - started)
    return 2 * size**3 / best


def check_same_state(session: Session, state: State) -> None:
    """Refuses processes that are at different updates: they would wait for each other forever.

    Raises:
        TrainingError: the processes have different runs or checkpoints.
    """
    position = [int(hashlib.sha256(state.run.encode()).hexdigest()[:8], 16), state.updates]
    accelerator = session.accelerator
    positions = accelerator.gather(torch.tensor([position], device=accelerator.device))
    if len(torch.unique(positions, dim=0)) > 1:
        raise TrainingError(
            f"the {accelerator.num_processes} processes have different triplets, encoders or "
            "checkpoints; expected the same: name a folder that all of them share with --runs"
        )
