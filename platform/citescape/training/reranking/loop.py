"""The training loop of rerankers: updates, validation after each epoch, checkpoints on the way."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np
import torch

from citescape.core.errors import TrainingError
from citescape.core.progress import prefix
from citescape.search.ranker import NONE
from citescape.training.batches import count_updates, plan_passes
from citescape.training.checkpoint import State, save_state
from citescape.training.parameters import copy_trained, group_by_decay, load_trained
from citescape.training.reranking.config import RerankConfig
from citescape.training.reranking.davinci import RerankModule, compute_loss
from citescape.training.reranking.drawn import Drawn, draw_candidates, order_queries
from citescape.training.reranking.pairs import PairReader
from citescape.training.reranking.scoring import (
    compute_mrr,
    make_scoring,
    score_shortlists,
)
from citescape.training.reranking.shortlists import Ints, Shortlists, reorder
from citescape.training.reranking.signals import compute_signals
from citescape.training.session import Session, autocast, diverged, hash_update
from citescape.training.towers import choose_parameters


@dataclass(frozen=True)
class Lists:
    """Shortlists and what a model reads of their pairs."""

    shortlists: Shortlists
    reader: PairReader


@dataclass
class _Work:
    """A training under way."""

    module: RerankModule
    training: Lists
    validation: Lists
    config: RerankConfig
    session: Session
    parameters: list[torch.nn.Parameter]
    optimiser: torch.optim.Optimizer
    state: State
    saved: float = field(default_factory=time.monotonic)

    @property
    def total(self) -> int:
        """Updates of the whole training."""
        return self.config.epochs * count_updates(len(self.training.shortlists), self.config.batch)


def train_module(
    module: RerankModule,
    lists: tuple[Lists, Lists],
    config: RerankConfig,
    *,
    session: Session,
    state: State,
) -> State:
    """Trains in place; returns the final state.

    Args:
        module: at the end it holds the final weights, with `patience` the best.
        lists: to train on, of queries that `find_trainable` finds; to validate on.
        config: loss, rate, seed.
        session: process, checkpoints, who is told.
        state: where to go on; a new one to begin.

    Raises:
        TrainingError: the loss or its gradient is no number; or memory does not suffice.
        KeyboardInterrupt: the session's interrupt has come; there is a checkpoint of all updates.
    """
    work = _begin(module, lists, (config, session, state))
    try:
        if not state.history:
            _validate(work)
        while state.updates < work.total and not stops(config.patience, state):
            _train_epoch(work)
    except torch.OutOfMemoryError as error:
        raise TrainingError(
            f"memory did not suffice for {config.batch} queries in {config.accumulation} parts; "
            "expected less: use more parts, or fewer --pair-tokens"
        ) from error
    if config.patience and state.best:
        load_trained(module, state.best)
    return state


def _begin(
    module: RerankModule, lists: tuple[Lists, Lists], how: tuple[RerankConfig, Session, State]
) -> _Work:
    config, session, state = how
    module.to(session.accelerator.device).train()
    parameters = choose_parameters(module, "all")
    optimiser = torch.optim.AdamW(
        group_by_decay(parameters, config.weight_decay),
        lr=config.learning_rate,
        eps=config.adam_epsilon,
    )
    work = _Work(module, *lists, config, session, parameters, optimiser, state)
    if state.updates:
        session.progress(f"going on after update {state.updates:,} of {work.total:,}")
        load_trained(module, state.module)
        optimiser.load_state_dict(state.optimiser)
    return work


def _train_epoch(work: _Work) -> None:
    """Updates to the end of the epoch, from wherever in it the training is."""
    config, state, lists = work.config, work.state, work.training.shortlists
    per_epoch = count_updates(len(lists), config.batch)
    epoch, first = divmod(state.updates, per_epoch)
    rows = order_queries(lists, seed=config.seed, epoch=epoch)
    for update in range(first, per_epoch):
        chosen = rows[update * config.batch : (update + 1) * config.batch]
        drawn = draw_candidates(
            lists, chosen, negatives=config.negatives, seed=config.seed, epoch=epoch
        )
        _step(work, drawn)
        if update + 1 == per_epoch:
            _validate(work)
        interrupted = work.session.interrupt.came
        _checkpoint(work, now=interrupted)
        if interrupted:
            raise KeyboardInterrupt(
                f"stopped after update {state.updates:,} of {work.total:,}; run the same command "
                "again to go on there"
            )


def _step(work: _Work, drawn: Drawn) -> None:
    started, state = time.monotonic(), work.state
    loss = _update(work, drawn)
    state.updates += 1
    state.seconds += time.monotonic() - started
    rate = state.pairs / state.seconds
    left = (work.total - state.updates) * state.seconds / state.updates / 60
    ending = f", {left:.0f} min left" if left >= 1 else ""
    work.session.progress(
        f"update {state.updates:,} of {work.total:,}: loss {loss:.4f}, {rate:,.0f} pairs/s{ending}"
    )
    work.session.log(state.updates, {"train/loss": loss, "train/pairs_a_second": rate})


def _update(work: _Work, drawn: Drawn) -> float:
    """Gradient of all parts and one step of the optimiser; returns the mean loss."""
    config, state = work.config, work.state
    torch.manual_seed(hash_update(config.seed, state.updates, 0))
    size = -(-len(drawn) // config.accumulation)
    parts = [drawn[start : start + size] for start in range(0, len(drawn), size)]
    loss = sum(_backward(work, part, len(part) / len(drawn)) for part in parts)
    norm = float(torch.nn.utils.clip_grad_norm_(work.parameters, config.clip))
    if not np.isfinite([loss, norm]).all():
        raise diverged(
            f"at update {state.updates + 1:,} the loss is {loss} and the length of its gradient "
            f"{norm}"
        )
    work.optimiser.step()
    work.optimiser.zero_grad(set_to_none=True)
    return loss


def _backward(work: _Work, drawn: Drawn, share: float) -> float:
    """Adds the gradient of a part, a share of the update; returns its share of the mean loss."""
    config, device = work.config, work.session.accelerator.device
    lists, reader = work.training.shortlists, work.training.reader
    there = drawn.papers != NONE  # (b, 1 + n)
    signals = compute_signals(lists, drawn.rows, config)
    told = np.take_along_axis(signals, drawn.places, 1)[there]
    queries, papers = drawn.rows[np.nonzero(there)[0]], drawn.papers[there]
    lengths = reader.lengths(queries, papers)
    passes = plan_passes(lengths, config.batch_tokens)
    with autocast(device, work.session.precision):
        found = [
            work.module(
                reader.pad(queries[k], papers[k], device=device),
                torch.from_numpy(told[k]).to(device),
            )
            for k in passes
        ]
    scores = torch.zeros(there.shape, device=device)
    cells = np.flatnonzero(there)[np.concatenate(passes)]
    scores = scores.flatten().index_put((torch.from_numpy(cells).to(device),), torch.cat(found))
    mask = torch.from_numpy(there).to(device)
    loss = compute_loss(scores.view(there.shape), mask, config).mean() * share
    loss.backward()  # type: ignore[no-untyped-call]
    work.state.pairs += len(papers)
    work.state.tokens += int(lengths.sum())
    work.state.flops += 3 * work.module.count_flops(lengths)
    return float(loss.detach())


def _validate(work: _Work) -> None:
    """MRR on the validation shortlists; remembers the best weights where training may stop."""
    state, session = work.state, work.session
    mrr = validate(work.module, work.validation, work.config, session=session)
    work.module.train()
    before = [entry["mrr"] for entry in state.history[1:]]
    if work.config.patience and state.updates and mrr > max(before, default=-1.0):
        state.best = copy_trained(work.module)
    state.history.append({"update": state.updates, "mrr": mrr})
    session.log(state.updates, {"validation/mrr": mrr})


def validate(
    module: RerankModule, lists: Lists, config: RerankConfig, *, session: Session
) -> float:
    """MRR where the first `validation_depth` candidates of each query are reranked.

    Those below stay where they are; so do lists in whose first candidates nothing is cited, whose
    order is of no consequence.
    """
    whole, depth = lists.shortlists, config.validation_depth
    rows = find_reranked(whole, depth)
    device = session.accelerator.device
    scoring = make_scoring(module, config, device=device, precision=session.precision)
    first, tell = whole.cut(depth), prefix(session.progress, "validating")
    found = score_shortlists(scoring, lists.reader, first, whole=whole, rows=rows, progress=tell)
    scores = np.tile(-np.arange(whole.k, dtype=np.float32), (len(whole), 1))
    scores[rows, :depth] = found
    if not np.isfinite(found[first.filled[rows]]).all():
        raise diverged("scores of the validation queries are no numbers")
    return compute_mrr(reorder(whole, scores))


def find_reranked(shortlists: Shortlists, depth: int) -> Ints:
    """Queries that cite something among the first candidates: of others the MRR cannot change."""
    return np.flatnonzero(shortlists.is_relevant[:, :depth].any(1))


def stops(patience: int, state: State) -> bool:
    """Whether the last `patience` epochs brought no higher MRR."""
    found = [entry["mrr"] for entry in state.history[1:]]
    return 0 < patience < len(found) and max(found[-patience:]) <= max(found[:-patience])


def choose_validation(shortlists: Shortlists, most: int) -> Ints:
    """Some of the queries that cite something, drawn by their texts: the same for all seeds."""
    cites = np.flatnonzero(np.diff(shortlists.offsets) > 0)
    order = order_queries(shortlists, seed=0, epoch=0)
    return np.sort(order[np.isin(order, cites)][:most])


def _checkpoint(work: _Work, *, now: bool) -> None:
    due = time.monotonic() - work.saved >= work.session.checkpoint_seconds
    if not (due or now):
        return
    work.state.module = copy_trained(work.module)
    work.state.optimiser = work.optimiser.state_dict()
    save_state(work.session.folder, work.state)
    work.saved = time.monotonic()
