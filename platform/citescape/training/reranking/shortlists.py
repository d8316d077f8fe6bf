"""Shortlists: the papers retrieved for each query, for rerankers. Does not import torch."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.core.errors import ConfigError
from citescape.core.hashing import hash_texts
from citescape.search.ranker import NONE
from citescape.training.reranking.vectors import PairVectors

Ints = npt.NDArray[Any]
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Shortlists:
    """Candidates of each query, the best first; a row of `papers` has no duplicates."""

    queries: list[str]
    """Texts, the most important part first: long texts are cut at their end."""
    candidates: list[str]
    """Texts of papers; `papers` and `relevant` are positions in this list."""
    papers: Ints
    """(queries, k) int32; `NONE` after the last candidate."""
    scores: Floats
    """(queries, k) scores of the retriever."""
    relevant: Ints = field(default_factory=lambda: np.empty(0, np.int32))
    """Papers that each query cites, retrieved or not, one query after another."""
    offsets: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    """(queries + 1,): query i cites relevant[offsets[i] : offsets[i + 1]]. Empty: unknown."""
    vectors: PairVectors | None = None
    """Vectors of queries and candidates, for rerankers of vectors."""

    def __post_init__(self) -> None:
        """Raises ConfigError for inconsistent arrays."""
        if not len(self.offsets):
            object.__setattr__(self, "offsets", np.zeros(len(self.queries) + 1, np.int64))
        shape, most = self.papers.shape, len(self.candidates)
        if self.papers.ndim != 2 or shape[0] != len(self) or self.scores.shape != shape:
            raise ConfigError(
                f"shortlists of {len(self):,} queries have papers {shape} and scores "
                f"{self.scores.shape}; expected both (queries, k)"
            )
        if len(self.offsets) != len(self) + 1 or self.offsets[-1] != len(self.relevant):
            raise ConfigError(
                f"shortlists of {len(self):,} queries have {len(self.offsets):,} offsets of "
                f"{len(self.relevant):,} relevant papers; expected one per query, and the end"
            )
        for name, least in (("papers", NONE), ("relevant", 0)):
            codes = getattr(self, name)
            if codes.size and not least <= codes.min() <= codes.max() < most:
                raise ConfigError(
                    f"{name} of shortlists are in {codes.min()}..{codes.max()}; expected positions "
                    f"of {most:,} candidates"
                )
        if (self.filled[:, 1:] & ~self.filled[:, :-1]).any():
            raise ConfigError(
                "a shortlist has a gap; expected candidates without gaps from the first position on"
            )
        if not np.isfinite(self.scores[self.filled]).all():
            raise ConfigError("a score of the shortlists is not a number; expected numbers")

    def __len__(self) -> int:
        return len(self.queries)

    @property
    def k(self) -> int:
        """Maximum number of candidates per query."""
        return int(self.papers.shape[1])

    @cached_property
    def filled(self) -> npt.NDArray[np.bool_]:
        """(queries, k) whether there is a candidate."""
        filled: npt.NDArray[np.bool_] = self.papers != NONE
        return filled

    @cached_property
    def is_relevant(self) -> npt.NDArray[np.bool_]:
        """(queries, k) whether the query cites that candidate."""
        most = len(self.candidates)
        listed = np.arange(len(self))[:, None] * most + self.papers.astype(np.int64)
        cited = self.owners * most + self.relevant
        return np.isin(listed, cited) & self.filled

    @property
    def owners(self) -> npt.NDArray[np.int64]:
        """(relevant,) the query that cites each relevant paper."""
        return np.repeat(np.arange(len(self)), np.diff(self.offsets))

    def read_vectors(self) -> PairVectors:
        """The vectors.

        Raises:
            ConfigError: the shortlists have none.
        """
        if self.vectors is None:
            raise ConfigError(
                "the shortlists have no vectors; expected vectors of queries and candidates: add "
                "them, or use a reranker of another kind"
            )
        return self.vectors

    def cut(self, k: int) -> Shortlists:
        """The first k candidates of each query."""
        return replace(self, papers=self.papers[:, :k], scores=self.scores[:, :k])

    def select_rows(self, rows: Ints) -> Shortlists:
        """Some queries, with the texts of their candidates only."""
        counts = np.diff(self.offsets)[rows]
        offsets = np.append(0, np.cumsum(counts)).astype(np.int64)
        starts = np.repeat(self.offsets[:-1][rows] - offsets[:-1], counts)
        relevant = self.relevant[starts + np.arange(offsets[-1])]
        papers = self.papers[rows]
        used = np.union1d(papers[papers != NONE], relevant).astype(np.int64)
        position = np.full(len(self.candidates) + 1, NONE, np.int32)  # [-1], for NONE, is NONE
        position[used] = np.arange(len(used))
        return Shortlists(
            [self.queries[row] for row in rows.tolist()],
            [self.candidates[code] for code in used.tolist()],
            position[papers],
            self.scores[rows],
            position[relevant],
            offsets,
            self.vectors and self.vectors.select_rows(rows, used),
        )

    def sort(self) -> Shortlists:
        """Rows sorted by their content, so that no result depends on their order."""
        counts = Counter(self.queries)
        equal = [row for row, query in enumerate(self.queries) if counts[query] > 1]
        hashes = np.append(_hash(self.candidates if equal else []), np.uint64(0))
        keys = dict.fromkeys(range(len(self)), b"")
        for row in equal:  # equal queries are sorted by candidates, cited papers, scores, vectors
            cited = self.relevant[self.offsets[row] : self.offsets[row + 1]]
            parts = [hashes[self.papers[row]], np.sort(hashes[cited]), self.scores[row]]
            parts += [self.vectors.queries[row]] if self.vectors else []
            keys[row] = b"".join(part.tobytes() for part in parts)
        order = sorted(keys, key=lambda row: (self.queries[row], keys[row]))
        return self.select_rows(np.array(order, np.int64))

    @cached_property
    def keys(self) -> Ints:
        """(queries,) uint64 hash of each query's text."""
        return _hash(self.queries)

    @cached_property
    def sha256(self) -> str:
        """Hash of queries in their order, candidates, scores and relevance, 64 digits."""
        hashes = np.append(_hash(self.candidates), np.uint64(0))
        owners, cited = self.owners, hashes[self.relevant]
        order = np.lexsort((cited, owners))
        digest = hashlib.sha256("\0".join(self.queries).encode())
        scores = np.where(self.filled, self.scores, 0).astype(np.float32)
        arrays = (hashes[self.papers], self.filled, scores, self.offsets, cited[order])
        for array in arrays:
            digest.update(repr(array.shape).encode())
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()


def _hash(texts: list[str]) -> Ints:
    """(texts,) uint64 hash of each text."""
    return hash_texts(pa.chunked_array([texts], pa.large_string()))


def reorder(shortlists: Shortlists, scores: Floats, *, weight: float = 1.0) -> Shortlists:
    """The shortlists in the order of a reranker; candidates with equal scores keep their order.

    The score is weight * reranker + (1 - weight) * retriever, each scaled to 0..1 over the
    candidates of the query; with weight 1 the reranker's score, unscaled.

    Args:
        shortlists: lists in the order of the retriever.
        scores: (queries, k) of the reranker.
        weight: weight of the reranker, 0..1.
    """
    filled = shortlists.filled
    if weight < 1:
        own = _scale(scores, filled)
        scores = weight * own + (1 - weight) * _scale(shortlists.scores, filled)
    scores = np.where(filled, scores, -np.inf).astype(np.float32)
    order = np.argsort(-scores, axis=1, kind="stable")
    papers = np.take_along_axis(shortlists.papers, order, 1)
    ordered = np.where(papers >= 0, np.take_along_axis(scores, order, 1), 0)
    return replace(shortlists, papers=papers, scores=ordered)


def _scale(scores: Floats, filled: npt.NDArray[np.bool_]) -> Floats:
    """Scores scaled to 0..1 over the candidates of each query; 0 if all are equal."""
    low = np.where(filled, scores, np.inf).min(1, keepdims=True, initial=np.inf)
    high = np.where(filled, scores, -np.inf).max(1, keepdims=True, initial=-np.inf)
    span = np.where(high > low, high - low, 1)
    scaled = np.where(filled, scores, 0) - np.where(np.isfinite(low), low, 0)
    shares: Floats = np.where(filled, scaled / span, 0).astype(np.float32)
    return shares
