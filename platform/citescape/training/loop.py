"""The training loop of all models: updates, checkpoints, validation after each epoch."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
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
from citescape.training.session import Session, autocast, diverged, hash_update

if TYPE_CHECKING:
    from citescape.training.config import TrainConfig
    from citescape.training.reranking.config import RerankConfig

Share = tuple[float, Any]
"""A part of an update: its share of the update's items, and the input of `compute_loss`."""
Counts = tuple[float, float, float]
"""Tokens, floating-point operations and pairs of texts of a part."""


class TrainingTask(ABC):
    """A model and its data. All randomness follows from seed, epoch and update alone."""

    items: ClassVar[str]
    """Name of the items of an update: triplets, queries."""
    unit: ClassVar[str]
    """Counter of `State` that measures speed: tokens, pairs."""
    metric: ClassVar[str]
    """Validation figure that selects the best weights."""
    higher_is_better: ClassVar[bool]
    """Whether higher figures are better."""
    base_counts: ClassVar[bool]
    """Whether `patience` compares epochs with the weights before training too."""
    remedy: ClassVar[str]
    """Settings that save memory, for messages."""

    module: torch.nn.Module
    config: TrainConfig | RerankConfig
    rate: float
    """Peak learning rate."""
    warmup: float | None = None
    """Share of the updates in which the rate rises before it falls; None: a constant rate."""
    epsilon: float = 1e-8
    """Epsilon of AdamW."""
    divisible: bool = True
    """Whether parts of half the size, which save memory, change the result by rounding only."""

    @property
    @abstractmethod
    def size(self) -> int:
        """Items of an epoch."""

    @abstractmethod
    def choose_parameters(self) -> list[torch.nn.Parameter]:
        """Freezes the other parameters and returns the trained ones."""

    @abstractmethod
    def order(self, epoch: int) -> Ints:
        """(size,) the items of an epoch in random order."""

    @abstractmethod
    def split(self, rows: Ints, parts: int, epoch: int) -> Sequence[Share]:
        """The parts of an update.

        Args:
            rows: items of the update.
            parts: number of parts.
            epoch: number of the epoch, from 0.

        Returns:
            One per part, also if items are fewer. The share of an empty part is 0.
        """

    @abstractmethod
    def compute_loss(
        self, module: torch.nn.Module, part: Any, session: Session
    ) -> tuple[torch.Tensor, Counts]:
        """Mean loss () of a part.

        Args:
            module: the task's module, as `accelerate` wraps it.
            part: input of a `Share`.
            session: device and precision.
        """

    @abstractmethod
    def validate(self, session: Session) -> dict[str, float]:
        """Figures on held-out items; empty if there are none."""

    @abstractmethod
    def save(self, folder: Path) -> None:
        """Writes the model into a run directory."""

    def report(self, state: State, kept: int, speed: dict[str, float]) -> dict[str, Any]:
        """Figures of the run in addition to its history.

        Args:
            state: state at the end.
            kept: entry of the history whose weights are kept.
            speed: result of `compute_speed`.
        """
        del kept
        return {"halved_parts": state.parts, "throughput": speed}

    def sign_figures(self, history: Iterable[dict[str, float]]) -> list[float]:
        """The `metric` of each entry, negated if lower is better, so that higher is better."""
        sign = 1 if self.higher_is_better else -1
        return [sign * entry[self.metric] for entry in history if self.metric in entry]


@dataclass
class _Work:
    """A training in progress."""

    task: TrainingTask
    module: torch.nn.Module
    """The task's module, as `accelerate` wraps it for several processes."""
    session: Session
    parameters: list[torch.nn.Parameter]
    optimiser: torch.optim.Optimizer
    state: State
    parts: int
    total: int
    """Updates of the whole training."""
    saved: float = field(default_factory=time.monotonic)
    """Time of the last checkpoint."""


def train_task(task: TrainingTask, *, session: Session, state: State) -> State:
    """Trains in place and returns the final state.

    At the end the module of the task has the final weights; with `patience`, the best.

    Args:
        task: model and data.
        session: device, precision, progress, checkpoints.
        state: a new state, or a checkpoint to continue from.

    Raises:
        TrainingError: the loss or its gradient is not a number; or not enough memory, even for
            parts of half the size.
        KeyboardInterrupt: a signal to stop; the checkpoint includes all updates.
    """
    accelerator, config = session.accelerator, task.config
    parameters = task.choose_parameters()
    task.module.train()
    # matrices decay, bias terms and norms do not
    matrices = [parameter for parameter in parameters if parameter.ndim > 1]
    vectors = [parameter for parameter in parameters if parameter.ndim < 2]
    groups = [(matrices, config.weight_decay), (vectors, 0.0)]
    optimiser = torch.optim.AdamW(
        [{"params": group, "weight_decay": decay} for group, decay in groups if group],
        lr=task.rate,
        eps=task.epsilon,
    )
    work = _Work(
        task,
        module=accelerator.prepare(task.module),
        session=session,
        parameters=parameters,
        optimiser=optimiser,
        state=state,
        parts=state.parts or config.accumulation * accelerator.num_processes,
        total=config.epochs * count_updates(task.size, config.batch),
    )

    if state.updates:
        session.progress(f"resumed after update {state.updates:,} of {work.total:,}")
        _load_trained(task.module, state.module)
        optimiser.load_state_dict(state.optimiser)
    if not state.history:
        _validate(work)
    while state.updates < work.total and not should_stop(task, state.history):
        _train_epoch(work)
    if config.patience and state.best:
        _load_trained(task.module, state.best)
    return state


def should_stop(task: TrainingTask, history: Sequence[dict[str, float]]) -> bool:
    """Whether the last `patience` epochs did not improve the metric."""
    patience = task.config.patience
    figures = task.sign_figures(history if task.base_counts else history[1:])
    return 0 < patience < len(figures) and max(figures[-patience:]) <= max(figures[:-patience])


def find_kept_entry(task: TrainingTask, history: Sequence[dict[str, float]]) -> int:
    """The entry of the history whose weights are kept: the last; with `patience`, the best."""
    figures = task.sign_figures(history[1:]) if task.config.patience else []
    return 1 + int(np.argmax(figures)) if figures else len(history) - 1


def _copy_trained(module: torch.nn.Module) -> dict[str, torch.Tensor]:
    """Copies of the trained parameters by name, on the CPU."""
    named = module.named_parameters()
    return {name: value.detach().cpu().clone() for name, value in named if value.requires_grad}


def _load_trained(module: torch.nn.Module, values: Mapping[str, torch.Tensor]) -> None:
    with torch.no_grad():
        for name, parameter in module.named_parameters():
            if parameter.requires_grad:
                parameter.copy_(values[name])


def _train_epoch(work: _Work) -> None:
    """Updates to the end of the epoch, from the current update on."""
    state, session, size = work.state, work.session, work.task.config.batch
    accelerator = session.accelerator
    per_epoch = count_updates(work.task.size, size)
    epoch, first = divmod(state.updates, per_epoch)
    rows = work.task.order(epoch)
    for update in range(first, per_epoch):
        _step(work, rows[update * size : (update + 1) * size], epoch)
        if update + 1 == per_epoch:
            _validate(work)

        # A signal to one process stops all after the same update: the others would wait for it.
        received = torch.tensor(float(session.interrupt.received), device=accelerator.device)
        interrupted = bool(accelerator.reduce(received, "sum") > 0)
        due = time.monotonic() - work.saved >= session.checkpoint_seconds
        if accelerator.is_main_process and (interrupted or due):
            state.module = _copy_trained(work.task.module)
            state.optimiser = work.optimiser.state_dict()
            save_state(session.folder, state)
            work.saved = time.monotonic()
        if interrupted:
            raise KeyboardInterrupt(
                f"stopped after update {state.updates:,} of {work.total:,}; run the same command "
                "again to continue"
            )


def schedule(update: int, total: int, warmup: float) -> float:
    """Share of the peak learning rate: linear from 0 to 1 in the warmup, then linear to 0.

    The warmup has whole updates; if it is shorter than one, the first update has the peak rate.

    Args:
        update: number of the update, from 0.
        total: number of updates of the training.
        warmup: share of the updates in the warmup, 0..1.
    """
    rising = int(warmup * total)
    if update < rising:
        return update / rising
    return (total - update) / max(total - rising, 1)


def _step(work: _Work, rows: Ints, epoch: int) -> None:
    """One update; if memory does not suffice, it is repeated once in parts of half the size."""
    started, state, unit = time.monotonic(), work.state, work.task.unit
    sums: list[float] = []
    while not sums:
        message = ""
        try:
            sums = _update(work, rows, epoch)
        except torch.OutOfMemoryError as error:
            # Halve after this block: until its end the error keeps all arrays of the failed pass.
            message = str(error)
        if not sums:
            _halve(work, message)
    loss, tokens, flops, pairs = sums
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


def _halve(work: _Work, message: str) -> None:
    """Doubles the number of parts of all further updates, if only rounding changes.

    Not with several processes: all of them need the same parts.
    """
    halved = work.state.parts > 0
    if halved or work.session.accelerator.num_processes > 1 or not work.task.divisible:
        again = ", which were halved already" if halved else ""
        raise TrainingError(
            f"memory did not suffice for {work.task.config.batch} {work.task.items} in "
            f"{work.parts} parts{again}; expected smaller parts: use a larger --accumulation, or "
            f"{work.task.remedy} ({message.partition(chr(10))[0]})"
        )
    work.parts *= 2
    work.state.parts = work.parts
    work.session.progress(f"memory did not suffice: {work.parts} parts per update from now on")
    work.optimiser.zero_grad(set_to_none=True)
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


def _update(work: _Work, rows: Ints, epoch: int) -> list[float]:
    """Gradient of all parts, one step of the optimiser; returns mean loss and `Counts`.

    `accelerate` averages gradients over processes, so each is multiplied by their number. Empty
    parts, with a share of 0, are computed too: the processes wait for each other.
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
            row = [float(loss.detach()), *(counts if share else (0, 0, 0))]
            sums += torch.tensor(row, dtype=torch.float64)
    figures: list[float] = accelerator.reduce(sums.to(accelerator.device), "sum").tolist()
    norm = float(torch.nn.utils.clip_grad_norm_(work.parameters, task.config.clip))
    if not np.isfinite([figures[0], norm]).all():
        raise diverged(
            f"at update {state.updates + 1:,} the loss is {figures[0]} and the norm of its "
            f"gradient {norm}"
        )
    rising = 1 if task.warmup is None else schedule(state.updates, work.total, task.warmup)
    for group in work.optimiser.param_groups:
        group["lr"] = task.rate * rising
    work.optimiser.step()
    work.optimiser.zero_grad(set_to_none=True)
    return figures


def _validate(work: _Work) -> None:
    """Figures on held-out items; with `patience`, keeps the best weights."""
    task, state, session = work.task, work.state, work.session
    session.progress(f"validating after update {state.updates:,} of {work.total:,}")
    try:
        with autocast(session.accelerator.device, session.precision):
            figures = task.validate(session)
    except torch.OutOfMemoryError as error:
        raise TrainingError(f"memory did not suffice to validate; use {task.remedy}") from error
    if figures and state.updates and not np.isfinite(figures[task.metric]):
        raise diverged(
            f"after update {state.updates:,} the {task.metric} on held-out {task.items} is "
            f"{figures[task.metric]}"
        )
    if task.config.patience and state.updates and figures:
        before = task.sign_figures(state.history[1:])
        if task.sign_figures([figures])[0] > max(before, default=float("-inf")):
            state.best = _copy_trained(task.module)
    state.history.append({"update": state.updates, **figures})
    if figures:
        session.log(state.updates, {f"validation/{name}": v for name, v in figures.items()})
