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
from citescape.training.loop import Task, find_kept, train_task
from citescape.training.processes import make_accelerator
from citescape.training.session import Session, open_session

Trained = TypeVar("Trained", bound=TrainedRun)
_LIBRARIES = ("torch", "transformers", "tokenizers", "accelerate", "numpy")
_SECONDS = 0.3
"""Time to measure the peak rate of the hardware."""
_SIZES = {"cpu": 1024, "cuda": 8192}
"""Rows of the matrices of that measurement, by kind of device."""


@dataclass(frozen=True)
class Prepared:
    """The task of a training, and figures that are known before it."""

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
    """The run of these settings and inputs: the finished one, or one trained from its checkpoint.

    All processes of a training call this; the first one writes. `prepare` makes the task if there
    is no finished run. `precision` is that of matrix products; for `recorded` see `compute_run`.

    Raises:
        ConfigError: a checkpoint is damaged or of another training; another process trains it.
        TrainingError: the loss is not a number, or memory does not suffice.
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
            check_alike(session, state)
            resumed_after = state.updates
            with clock.timed("train"), open_session(session, state) as opened:
                train_task(task, session=opened, state=state)
            peak = measure_peak(session.accelerator.device, session.precision)
        if directory:
            task.save(directory.path)
            shutil.copytree(session.folder / LOGS, directory.path / LOGS)
        kept = find_kept(task, state.history)
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

    Operations are those of the model: three forward passes per token (two where only bias terms are
    trained), without padding.

    Args:
        state: of a training that has ended.
        peak: of `measure_peak`, floating-point operations per second; 0 if it is not known.
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
    """Floating-point operations per second of a square matrix product; the best of some."""
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


def check_alike(session: Session, state: State) -> None:
    """Refuses processes that are at different updates: they would wait for each other for ever.

    Raises:
        TrainingError: the processes share no folder.
    """
    position = [int(hashlib.sha256(state.run.encode()).hexdigest()[:8], 16), state.updates]
    accelerator = session.accelerator
    positions = accelerator.gather(torch.tensor([position], device=accelerator.device))
    if len(torch.unique(positions, dim=0)) > 1:
        raise TrainingError(
            f"the {accelerator.num_processes} processes found different triplets, encoders or "
            "checkpoints; expected the same: name a folder that all of them share with --runs"
        )
