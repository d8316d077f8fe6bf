"""Rerankers that learn from shortlists, as a task of the training loop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from citescape.core.progress import prefix
from citescape.search.ranker import NONE
from citescape.training.batches import plan_passes
from citescape.training.checkpoint import State
from citescape.training.loop import Counts, Share, TrainingTask
from citescape.training.reranking.config import RerankConfig
from citescape.training.reranking.davinci import RerankModule, compute_loss
from citescape.training.reranking.drawn import DrawnCandidates, draw_candidates, order_queries
from citescape.training.reranking.pairs import PairReader
from citescape.training.reranking.scoring import (
    compute_mrr,
    make_scoring,
    score_shortlists,
)
from citescape.training.reranking.shortlists import Ints, Shortlists, reorder
from citescape.training.reranking.signals import compute_signals
from citescape.training.session import Session, autocast, diverged
from citescape.training.towers import choose_parameters


@dataclass(frozen=True)
class RerankingSplit:
    """Shortlists to train or to validate on, and the reader of their pairs."""

    shortlists: Shortlists
    reader: PairReader


class RerankTask(TrainingTask):
    """A reranker and its shortlists."""

    items, unit, metric = "queries", "pairs", "mrr"
    higher_is_better, base_counts = True, False
    remedy = "fewer --pair-tokens"
    module: RerankModule
    config: RerankConfig

    def __init__(
        self,
        module: RerankModule,
        splits: tuple[RerankingSplit, RerankingSplit],
        config: RerankConfig,
        save: Callable[[Path], None],
    ) -> None:
        """Splits are those to train on, with queries of `find_trainable`, and to validate on."""
        self.module, self.config, self._save = module, config, save
        self.training, self.validation = splits
        self.rate, self.epsilon = config.learning_rate, config.adam_epsilon

    @property
    def size(self) -> int:
        """Number of queries to train on."""
        return len(self.training.shortlists)

    def choose_parameters(self) -> list[torch.nn.Parameter]:
        """All weights but those of a pooling layer."""
        return choose_parameters(self.module, "all")

    def order(self, epoch: int) -> Ints:
        """See `order_queries`."""
        return order_queries(self.training.shortlists, seed=self.config.seed, epoch=epoch)

    def split(self, rows: Ints, parts: int, epoch: int) -> list[Share]:
        """Queries with their drawn candidates.

        Args:
            rows: queries of the update.
            parts: maximum number of parts.
            epoch: number of the epoch, from 0.
        """
        drawn = draw_candidates(
            self.training.shortlists,
            rows,
            negatives=self.config.negatives,
            seed=self.config.seed,
            epoch=epoch,
        )
        size = -(-len(drawn) // parts)
        split = [drawn[start : start + size] for start in range(0, len(drawn), size)]
        return [(len(part) / len(drawn), part) for part in split]

    def compute_loss(
        self, module: torch.nn.Module, part: DrawnCandidates, session: Session
    ) -> tuple[torch.Tensor, Counts]:
        """Mean loss over the queries of a part.

        Args:
            module: the reranker, as `accelerate` wraps it.
            part: queries and candidates.
            session: device and precision.
        """
        device = session.accelerator.device
        lists, reader = self.training.shortlists, self.training.reader
        filled = part.papers != NONE  # (b, 1 + n)
        signals = compute_signals(lists, part.rows, self.config)
        signals = np.take_along_axis(signals, part.places, 1)[filled]
        queries, papers = part.rows[np.nonzero(filled)[0]], part.papers[filled]
        lengths = reader.lengths(queries, papers)
        passes = plan_passes(lengths, self.config.batch_tokens)
        with autocast(device, session.precision):
            values = [
                module(
                    reader.pad(queries[k], papers[k], device=device),
                    torch.from_numpy(signals[k]).to(device),
                )
                for k in passes
            ]
        scores = torch.zeros(filled.size, device=device)
        cells = torch.from_numpy(np.flatnonzero(filled)[np.concatenate(passes)]).to(device)
        scores = scores.index_put((cells,), torch.cat(values))
        mask = torch.from_numpy(filled).to(device)
        loss = compute_loss(scores.view(filled.shape), mask, self.config).mean()
        return loss, (int(lengths.sum()), 3 * self.module.count_flops(lengths), len(papers))

    def validate(self, session: Session) -> dict[str, float]:
        """MRR after the first `validation_depth` candidates of each query are reranked.

        Other candidates keep their positions, as do lists without a cited paper among the first
        candidates, whose order does not matter.
        """
        split, depth = self.validation, self.config.validation_depth
        retrieved, device = split.shortlists, session.accelerator.device
        rows, first = find_reranked(retrieved, depth), retrieved.cut(depth)
        reranked = score_shortlists(
            make_scoring(self.module, self.config, device=device, precision=session.precision),
            split.reader,
            first,
            retrieved=retrieved,
            rows=rows,
            progress=prefix(session.progress, "validating"),
        )
        self.module.train()
        scores = np.tile(-np.arange(retrieved.k, dtype=np.float32), (len(retrieved), 1))
        scores[rows, :depth] = reranked
        if not np.isfinite(reranked[first.filled[rows]]).all():
            raise diverged("scores of validation queries are not numbers")
        return {"mrr": compute_mrr(reorder(retrieved, scores))}

    def save(self, folder: Path) -> None:
        """Writes the files that `reranking.kept` describes."""
        self._save(folder)

    def report(self, state: State, kept: int, speed: dict[str, float]) -> dict[str, Any]:
        """MRR of the result, pairs, and speed; tokens only for rerankers of texts.

        Args:
            state: state at the end.
            kept: entry of the history whose weights are kept.
            speed: result of `compute_speed`.
        """
        if self.config.kind == "vectors":
            speed = {name: rate for name, rate in speed.items() if not name.startswith("tokens")}
        pairs = state.pairs / state.seconds if state.seconds else 0.0
        return {
            "mrr": state.history[kept]["mrr"],
            "pairs": state.pairs,
            "throughput": {**speed, "pairs_a_second": pairs},
        }


def find_reranked(shortlists: Shortlists, depth: int) -> Ints:
    """Queries with a cited paper among the first candidates; reranking cannot change other MRRs."""
    return np.flatnonzero(shortlists.is_relevant[:, :depth].any(1))


def choose_validation(shortlists: Shortlists, most: int) -> Ints:
    """At most `most` queries that cite a paper, drawn by their texts, the same for all seeds."""
    cites = np.flatnonzero(np.diff(shortlists.offsets) > 0)
    order = order_queries(shortlists, seed=0, epoch=0)
    return np.sort(order[np.isin(order, cites)][:most])
