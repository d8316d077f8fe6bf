"""The training loop: updates, validation after each epoch, checkpoints on the way."""

from __future__ import annotations

import time
from contextlib import nullcontext
from dataclasses import dataclass, field, replace

import numpy as np
import torch

from citescape.core.errors import TrainingError
from citescape.sampling.draws import Ints
from citescape.sampling.triplets import Triplets
from citescape.training.batches import Part, count_updates, make_part, order_triplets, split_update
from citescape.training.checkpoint import State, save_state
from citescape.training.config import TrainConfig
from citescape.training.losses import Batch, make_loss
from citescape.training.parameters import copy_trained, group_by_decay, load_trained
from citescape.training.session import Session, autocast, diverged, hash_update
from citescape.training.teacher import Teacher
from citescape.training.towers import Tower, choose_parameters
from citescape.training.validate import choose_validation, validate


@dataclass
class _Work:
    """A training under way."""

    tower: Tower
    module: torch.nn.Module
    """The tower's, as `accelerate` wraps it for several processes."""
    triplets: Triplets
    held: Triplets
    config: TrainConfig
    session: Session
    parameters: list[torch.nn.Parameter]
    optimiser: torch.optim.Optimizer
    state: State
    parts: int
    teacher: Teacher | None = None
    saved: float = field(default_factory=time.monotonic)

    @property
    def total(self) -> int:
        """Updates of the whole training."""
        return self.config.epochs * count_updates(len(self.triplets), self.config.batch)


def train_tower(
    tower: Tower,
    triplets: Triplets,
    config: TrainConfig,
    *,
    session: Session,
    state: State,
    teacher: Teacher | None = None,
) -> State:
    """Trains in place; returns the final state.

    Args:
        tower: what is trained; at the end it holds the final weights, with `patience` the best.
        triplets: those to train on and those to validate on.
        config: loss, schedule, seed.
        session: process, checkpoints, who is told.
        state: where to go on; a new one to begin.
        teacher: graph vectors to follow, where the configuration names some.

    Raises:
        TrainingError: the loss or its gradient is no number; or a GPU's memory does not suffice,
            even for parts of half the size.
        KeyboardInterrupt: the session's interrupt has come; there is a checkpoint of all updates.
    """
    work = _begin(tower, triplets, (config, session, state))
    work.teacher = teacher
    if not work.state.history:
        _validate(work)
    while work.state.updates < work.total and not _stops(work):
        _train_epoch(work)
    if config.patience and work.state.best:
        load_trained(work.tower.module, work.state.best)
    return work.state


def _train_epoch(work: _Work) -> None:
    """Updates to the end of the epoch, from wherever in it the training is."""
    size = work.config.batch
    per_epoch = count_updates(len(work.triplets), size)
    epoch, first = divmod(work.state.updates, per_epoch)
    rows = order_triplets(work.triplets, seed=work.config.seed, epoch=epoch)
    for update in range(first, per_epoch):
        _step(work, rows[update * size : (update + 1) * size])
        if update + 1 == per_epoch:
            _validate(work)
        interrupted = _is_interrupted(work.session)
        _checkpoint(work, now=interrupted)
        if interrupted:
            raise KeyboardInterrupt(
                f"stopped after update {work.state.updates:,} of {work.total:,}; run the same "
                "command again to go on there"
            )


def _is_interrupted(session: Session) -> bool:
    """Whether a signal to stop has reached any process: all leave after the same update.

    One that left alone would have the others wait for it.
    """
    accelerator = session.accelerator
    came = torch.tensor(float(session.interrupt.came), device=accelerator.device)
    return bool(accelerator.reduce(came, "sum") > 0)


def _begin(tower: Tower, triplets: Triplets, how: tuple[TrainConfig, Session, State]) -> _Work:
    config, session, state = how
    parameters = choose_parameters(
        tower.module, config.tune, loss=config.loss, taught=bool(config.teacher)
    )
    tower.module.train()
    module = session.accelerator.prepare(tower.module)
    optimiser = torch.optim.AdamW(group_by_decay(parameters, config.weight_decay), lr=config.rate)
    held = choose_validation(triplets, anchors=config.validation_anchors)
    work = _Work(
        tower=tower,
        module=module,
        triplets=triplets.take(~triplets.validation),
        held=held,
        config=config,
        session=session,
        parameters=parameters,
        optimiser=optimiser,
        state=state,
        parts=state.parts or config.accumulation * session.accelerator.num_processes,
    )
    if state.updates:
        session.progress(f"going on after update {state.updates:,} of {work.total:,}")
        load_trained(work.tower.module, state.module)
        optimiser.load_state_dict(state.optimiser)
    return work


def schedule(update: int, total: int, warmup: float) -> float:
    """Share of the peak rate: 0 at first, 1 after `warmup` of the updates, 0 at `total`.

    Warm-up takes whole updates; where its share is less than one, the first has the peak rate.
    """
    rising = int(warmup * total)
    if update < rising:
        return update / rising
    return (total - update) / max(total - rising, 1)


def _step(work: _Work, rows: Ints) -> None:
    """One update; done again in halved batches if a GPU's memory did not suffice, once."""
    started = time.monotonic()
    while isinstance(done := _try(work, rows), str):
        _halve(work, done)
    loss, tokens, flops = done
    state = work.state
    state.updates += 1
    state.seconds += time.monotonic() - started
    state.tokens += int(tokens)
    state.flops += flops
    rate = state.tokens / state.seconds
    speed = f", {rate:,.0f} tokens/s" if state.tokens else ""
    left = (work.total - state.updates) * state.seconds / state.updates / 60
    speed += f", {left:.0f} min left" if left >= 1 else ""
    work.session.progress(f"update {state.updates:,} of {work.total:,}: loss {loss:.4f}{speed}")
    work.session.log(state.updates, {"train/loss": loss, "train/tokens_a_second": rate})


def _try(work: _Work, rows: Ints) -> tuple[float, float, float] | str:
    """What an update gives, or what torch said when memory did not suffice.

    The error itself would keep every array of the failed pass alive.
    """
    try:
        return _update(work, rows)
    except torch.OutOfMemoryError as error:
        return str(error)


def _halve(work: _Work, said: str) -> None:
    """Twice the parts from now on, where that changes nothing but rounding.

    One process cannot change its own while others keep theirs, and in losses over batches a part's
    triplets are each other's negatives.
    """
    alone = work.session.accelerator.num_processes == 1
    halved = work.state.parts > 0
    if halved or not alone or work.config.over_batches:
        tried = ", which were halved already" if halved else ""
        raise TrainingError(
            f"memory did not suffice for {work.config.batch} triplets in {work.parts} "
            f"parts{tried}; expected less: use a larger --accumulation, or a smaller "
            f"--batch-tokens or --max-tokens ({said.partition(chr(10))[0]})"
        )
    work.parts *= 2
    work.state.parts = work.parts
    work.session.progress(f"memory did not suffice: an update has {work.parts} parts now")
    work.optimiser.zero_grad(set_to_none=True)
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


def _update(work: _Work, rows: Ints) -> tuple[float, float, float]:
    """Gradient of all parts, one step of the optimiser; returns mean loss, tokens, operations."""
    accelerator, state = work.session.accelerator, work.state
    rank, processes = accelerator.process_index, accelerator.num_processes
    torch.manual_seed(hash_update(work.config.seed, state.updates, rank))
    parts = list(split_update(work.triplets, rows, work.parts))[rank::processes]
    sums = torch.zeros(3, dtype=torch.float64)
    for k, part in enumerate(parts):
        last = k + 1 == len(parts)
        with nullcontext() if last else accelerator.no_sync(work.module):
            sums += _backward(work, part, rows)
    loss, tokens, flops = accelerator.reduce(sums.to(accelerator.device), "sum").tolist()
    norm = float(torch.nn.utils.clip_grad_norm_(work.parameters, work.config.clip))
    if not np.isfinite([loss, norm]).all():
        raise diverged(
            f"at update {state.updates + 1:,} the loss is {loss} and the length of its gradient "
            f"{norm}"
        )
    rate = work.config.rate * schedule(state.updates, work.total, work.config.warmup)
    for group in work.optimiser.param_groups:
        group["lr"] = rate
    work.optimiser.step()
    work.optimiser.zero_grad(set_to_none=True)
    return loss, tokens, flops


def _backward(work: _Work, part: Part, rows: Ints) -> torch.Tensor:
    """Adds a part's gradient; returns its share of the mean loss, its tokens, its operations.

    `accelerate` averages gradients over processes, so each is taken times their number. An empty
    part, where triplets are fewer than parts, still takes its turn: the processes wait for it.
    """
    accelerator, tower = work.session.accelerator, work.tower
    share = len(part) / len(rows)
    part = part if share else make_part(work.triplets, rows[:1])
    passes, order = tower.inputs(part.papers, accelerator.device)
    with autocast(accelerator.device, work.session.precision):
        vectors = work.module(passes)
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(len(order))
    roles = [
        torch.from_numpy(places[array]).to(accelerator.device)
        for array in (part.anchor, part.positive, part.negative)
    ]
    batch = Batch(vectors, *roles)
    if work.teacher:
        taught = work.teacher.read(part.papers[order]).to(accelerator.device)
        batch = replace(batch, taught=taught)
    loss = make_loss(work.config)(batch) * share
    accelerator.backward(loss * accelerator.num_processes)
    each_way = 2 if work.config.tune == "bias" else 3
    flops = each_way * tower.flops(part.papers) if share else 0.0
    tokens = tower.tokens(part.papers) if share else 0
    return torch.tensor([float(loss.detach()), tokens, flops], dtype=torch.float64)


def _validate(work: _Work) -> None:
    """Figures on held-out triplets; remembers the best weights where training may stop early."""
    if not len(work.held):
        work.state.history.append({"update": work.state.updates})
        return
    work.session.progress(f"validating after update {work.state.updates:,} of {work.total:,}")
    device = work.session.accelerator.device
    try:
        with autocast(device, work.session.precision):
            figures = validate(work.tower, work.held, margin=work.config.margin, device=device)
    except torch.OutOfMemoryError as error:
        raise TrainingError(
            "memory did not suffice to validate; expected less: use a smaller --batch-tokens or "
            "--max-tokens"
        ) from error
    if work.state.updates and not np.isfinite(figures["loss"]):
        raise diverged(
            f"after update {work.state.updates:,} the loss on held-out triplets is "
            f"{figures['loss']}"
        )
    before = [entry["loss"] for entry in work.state.history[1:]]
    lowest = figures["loss"] < min(before, default=float("inf"))
    if work.config.patience and work.state.updates and lowest:
        work.state.best = copy_trained(work.tower.module)
    work.state.history.append({"update": work.state.updates, **figures})
    named = {f"validation/{name}": value for name, value in figures.items()}
    work.session.log(work.state.updates, named)


def _stops(work: _Work) -> bool:
    """Whether the last `patience` epochs brought no lower loss."""
    patience = work.config.patience
    losses = [entry["loss"] for entry in work.state.history if "loss" in entry]
    return (
        bool(patience)
        and len(losses) > patience
        and min(losses[-patience:]) >= min(losses[:-patience])
    )


def _checkpoint(work: _Work, *, now: bool) -> None:
    session = work.session
    if not session.accelerator.is_main_process:
        return
    due = time.monotonic() - work.saved >= session.checkpoint_seconds
    if not (due or now):
        return
    work.state.module = copy_trained(work.tower.module)
    work.state.optimiser = work.optimiser.state_dict()
    save_state(session.folder, work.state)
    work.saved = time.monotonic()
