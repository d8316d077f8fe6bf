"""The training loop of all models: updates, validation after each epoch, checkpoints on the way."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import torch

from citescape.core.errors import TrainingError
from citescape.sampling.draws import Ints
from citescape.training.batches import count_updates
from citescape.training.checkpoint import State, save_state
from citescape.training.parameters import copy_trained, group_by_decay, load_trained
from citescape.training.session import Session, autocast, diverged, hash_update

if TYPE_CHECKING:
    from citescape.training.config import TrainConfig
    from citescape.training.reranking.config import RerankConfig

Share = tuple[float, Any]
"""A part of an update: its share of the update's items, and what `compute_loss` reads."""
Counts = tuple[float, float, float]
"""Tokens, floating-point operations and pairs of texts of a part."""


class Task(ABC):
    """What is trained, and on what. What is random follows from seed, epoch and update alone."""

    items: ClassVar[str]
    """What an update consists of: triplets, queries."""
    unit: ClassVar[str]
    """Counter of `State` by which speed is measured: tokens, pairs."""
    judged_by: ClassVar[str]
    """Validation figure that decides which weights are best."""
    higher: ClassVar[bool]
    """Whether higher figures are better."""
    counts_base: ClassVar[bool]
    """Whether training stops if no epoch is better than the weights it began with."""
    remedy: ClassVar[str]
    """Settings that save memory, for messages."""

    module: torch.nn.Module
    config: TrainConfig | RerankConfig
    rate: float
    """Learning rate at its peak."""
    warmup: float | None = None
    """Share of the updates in which the rate rises before it falls; None: it is constant."""
    epsilon: float = 1e-8
    """Of AdamW."""
    divisible: bool = True
    """Parts of an update may be halved where memory does not suffice: nothing but rounding
    changes."""

    @property
    @abstractmethod
    def size(self) -> int:
        """Items of an epoch."""

    @abstractmethod
    def choose_parameters(self) -> list[torch.nn.Parameter]:
        """Freezes what is not trained and returns the rest."""

    @abstractmethod
    def order(self, epoch: int) -> Ints:
        """(size,) the items of an epoch in random order."""

    @abstractmethod
    def split(self, rows: Ints, parts: int, epoch: int) -> Sequence[Share]:
        """The parts of an update; one with a share of 0 is computed all the same."""

    @abstractmethod
    def compute_loss(
        self, module: torch.nn.Module, part: Any, session: Session
    ) -> tuple[torch.Tensor, Counts]:
        """Mean loss () of a part."""

    @abstractmethod
    def validate(self, session: Session) -> dict[str, float]:
        """Figures on held-out items; empty if there are none."""

    @abstractmethod
    def save(self, folder: Path) -> None:
        """Writes the model into a run directory."""

    def report(self, state: State, kept: int, speed: dict[str, float]) -> dict[str, Any]:
        """Figures of the run beside its history, of which entry `kept` is that of the result."""
        del kept
        return {"halved_parts": state.parts, "throughput": speed}

    def judge(self, history: Iterable[dict[str, float]]) -> list[float]:
        """Figures by which entries are judged, higher is better."""
        sign = 1 if self.higher else -1
        return [sign * entry[self.judged_by] for entry in history if self.judged_by in entry]


@dataclass
class _Work:
    """A training under way."""

    task: Task
    module: torch.nn.Module
    """The task's, as `accelerate` wraps it for several processes."""
    session: Session
    parameters: list[torch.nn.Parameter]
    optimiser: torch.optim.Optimizer
    state: State
    parts: int
    saved: float = field(default_factory=time.monotonic)

    @property
    def total(self) -> int:
        """Updates of the whole training."""
        return self.task.config.epochs * count_updates(self.task.size, self.task.config.batch)


def train_task(task: Task, *, session: Session, state: State) -> State:
    """Trains in place; returns the final state.

    Args:
        task: at the end its module holds the final weights, with `patience` the best.
        session: process, checkpoints, progress.
        state: where to continue; a new one to begin.

    Raises:
        TrainingError: the loss or its gradient is not a number; or memory does not suffice, even
            for parts of half the size.
        KeyboardInterrupt: the session's interrupt has come; there is a checkpoint of all updates.
    """
    work = _begin(task, session, state)
    if not state.history:
        _validate(work)
    while state.updates < work.total and not stops(task, state.history):
        _train_epoch(work)
    if task.config.patience and state.best:
        load_trained(task.module, state.best)
    return state


def stops(task: Task, history: Sequence[dict[str, float]]) -> bool:
    """Whether the last `patience` epochs brought no better figure."""
    patience = task.config.patience
    found = task.judge(history if task.counts_base else history[1:])
    return 0 < patience < len(found) and max(found[-patience:]) <= max(found[:-patience])


def find_kept(task: Task, history: Sequence[dict[str, float]]) -> int:
    """The entry whose weights are kept: the last, or with patience the best."""
    found = task.judge(history[1:]) if task.config.patience else []
    return 1 + int(np.argmax(found)) if found else len(history) - 1


def _begin(task: Task, session: Session, state: State) -> _Work:
    accelerator, config = session.accelerator, task.config
    parameters = task.choose_parameters()
    task.module.train()
    work = _Work(
        task,
        module=accelerator.prepare(task.module),
        session=session,
        parameters=parameters,
        optimiser=torch.optim.AdamW(
            group_by_decay(parameters, config.weight_decay), lr=task.rate, eps=task.epsilon
        ),
        state=state,
        parts=state.parts or config.accumulation * accelerator.num_processes,
    )
    if state.updates:
        session.progress(f"going on after update {state.updates:,} of {work.total:,}")
        load_trained(task.module, state.module)
        work.optimiser.load_state_dict(state.optimiser)
    return work


def _train_epoch(work: _Work) -> None:
    """Updates to the end of the epoch, from wherever in it the training is."""
    state, size = work.state, work.task.config.batch
    per_epoch = count_updates(work.task.size, size)
    epoch, first = divmod(state.updates, per_epoch)
    rows = work.task.order(epoch)
    for update in range(first, per_epoch):
        _step(work, rows[update * size : (update + 1) * size], epoch)
        if update + 1 == per_epoch:
            _validate(work)
        interrupted = _is_interrupted(work.session)
        _checkpoint(work, now=interrupted)
        if interrupted:
            raise KeyboardInterrupt(
                f"stopped after update {state.updates:,} of {work.total:,}; run the same command "
                "again to go on there"
            )


def _is_interrupted(session: Session) -> bool:
    """Whether a signal to stop has reached any process: all leave after the same update.

    One that left alone would have the others wait for it.
    """
    accelerator = session.accelerator
    came = torch.tensor(float(session.interrupt.came), device=accelerator.device)
    return bool(accelerator.reduce(came, "sum") > 0)


def schedule(update: int, total: int, warmup: float) -> float:
    """Share of the peak rate: 0 at first, 1 after `warmup` of the updates, 0 at `total`.

    Warm-up takes whole updates; where its share is less than one, the first has the peak rate.
    """
    rising = int(warmup * total)
    if update < rising:
        return update / rising
    return (total - update) / max(total - rising, 1)


def _step(work: _Work, rows: Ints, epoch: int) -> None:
    """One update; done again in halved parts if memory did not suffice, once."""
    started, state, unit = time.monotonic(), work.state, work.task.unit
    while isinstance(done := _try(work, rows, epoch), str):
        _halve(work, done)
    loss, tokens, flops, pairs = done
    state.updates += 1
    state.seconds += time.monotonic() - started
    state.tokens += int(tokens)
    state.flops += flops
    state.pairs += int(pairs)
    rate = getattr(state, unit) / state.seconds
    left = (work.total - state.updates) * state.seconds / state.updates / 60
    speed = f", {rate:,.0f} {unit}/s" if rate else ""
    speed += f", {left:.0f} min left" if left >= 1 else ""
    work.session.progress(f"update {state.updates:,} of {work.total:,}: loss {loss:.4f}{speed}")
    work.session.log(state.updates, {"train/loss": loss, f"train/{unit}_a_second": rate})


def _try(work: _Work, rows: Ints, epoch: int) -> list[float] | str:
    """What an update gives, or what torch said when memory did not suffice.

    The error itself would keep every array of the failed pass alive.
    """
    try:
        return _update(work, rows, epoch)
    except torch.OutOfMemoryError as error:
        return str(error)


def _halve(work: _Work, message: str) -> None:
    """Twice the parts from now on, where that changes nothing but rounding.

    One process cannot change its own while others keep theirs.
    """
    halved = work.state.parts > 0
    if halved or work.session.accelerator.num_processes > 1 or not work.task.divisible:
        tried = ", which were halved already" if halved else ""
        raise TrainingError(
            f"memory did not suffice for {work.task.config.batch} {work.task.items} in "
            f"{work.parts} parts{tried}; expected less: use a larger --accumulation, or "
            f"{work.task.remedy} ({message.partition(chr(10))[0]})"
        )
    work.parts *= 2
    work.state.parts = work.parts
    work.session.progress(f"memory did not suffice: an update has {work.parts} parts now")
    work.optimiser.zero_grad(set_to_none=True)
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


def _update(work: _Work, rows: Ints, epoch: int) -> list[float]:
    """Gradient of all parts, one step of the optimiser; returns mean loss and counts.

    `accelerate` averages gradients over processes, so each is taken times their number. An empty
    part, where items are fewer than parts, still takes its turn: the processes wait for it.
    """
    accelerator, state, task = work.session.accelerator, work.state, work.task
    rank, processes = accelerator.process_index, accelerator.num_processes
    torch.manual_seed(hash_update(task.config.seed, state.updates, rank))
    parts = task.split(rows, work.parts, epoch)[rank::processes]
    sums = torch.zeros(4, dtype=torch.float64)
    for k, (share, part) in enumerate(parts):
        last = k + 1 == len(parts)
        with nullcontext() if last else accelerator.no_sync(work.module):
            mean, counts = task.compute_loss(work.module, part, work.session)
            loss = mean * share
            accelerator.backward(loss * processes)
            found = [float(loss.detach()), *(counts if share else (0, 0, 0))]
            sums += torch.tensor(found, dtype=torch.float64)
    done: list[float] = accelerator.reduce(sums.to(accelerator.device), "sum").tolist()
    norm = float(torch.nn.utils.clip_grad_norm_(work.parameters, task.config.clip))
    if not np.isfinite([done[0], norm]).all():
        raise diverged(
            f"at update {state.updates + 1:,} the loss is {done[0]} and the length of its "
            f"gradient {norm}"
        )
    rising = 1 if task.warmup is None else schedule(state.updates, work.total, task.warmup)
    for group in work.optimiser.param_groups:
        group["lr"] = task.rate * rising
    work.optimiser.step()
    work.optimiser.zero_grad(set_to_none=True)
    return done


def _validate(work: _Work) -> None:
    """Figures on held-out items; remembers the best weights where training may stop early."""
    task, state, session = work.task, work.state, work.session
    session.progress(f"validating after update {state.updates:,} of {work.total:,}")
    try:
        with autocast(session.accelerator.device, session.precision):
            figures = task.validate(session)
    except torch.OutOfMemoryError as error:
        raise TrainingError(
            f"memory did not suffice to validate; expected less: use {task.remedy}"
        ) from error
    if figures and state.updates and not np.isfinite(figures[task.judged_by]):
        raise diverged(
            f"after update {state.updates:,} the {task.judged_by} on held-out {task.items} is "
            f"{figures[task.judged_by]}"
        )
    if task.config.patience and state.updates and figures:
        before = task.judge(state.history[1:])
        if task.judge([figures])[0] > max(before, default=float("-inf")):
            state.best = copy_trained(task.module)
    state.history.append({"update": state.updates, **figures})
    if figures:
        named = {f"validation/{name}": value for name, value in figures.items()}
        session.log(state.updates, named)


def _checkpoint(work: _Work, *, now: bool) -> None:
    session = work.session
    if not session.accelerator.is_main_process:
        return
    if now or time.monotonic() - work.saved >= session.checkpoint_seconds:
        work.state.module = copy_trained(work.task.module)
        work.state.optimiser = work.optimiser.state_dict()
        save_state(session.folder, work.state)
        work.saved = time.monotonic()
