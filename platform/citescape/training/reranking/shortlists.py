"""What a retriever found for each query: what rerankers order, and are trained on. No torch."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.core.draws import hash_ids
from citescape.core.errors import ConfigError
from citescape.search.ranker import NONE
from citescape.training.reranking.vectors import PairVectors

_SLICE = 1 << 16
Ints = npt.NDArray[Any]
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Shortlists:
    """Candidates of each query, the best first; `papers` holds each at most once in a row."""

    queries: list[str]
    """Texts, what matters most first: texts too long are cut from their end."""
    candidates: list[str]
    """Texts of papers, `papers` and `relevant` are places among."""
    papers: Ints
    """(queries, k) int32; `NONE` after the last."""
    scores: Floats
    """(queries, k) the retriever's."""
    relevant: Ints = field(default_factory=lambda: np.empty(0, np.int32))
    """Those that each query cites, retrieved or not, one query after another."""
    offsets: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    """(queries + 1,): those of query i are relevant[offsets[i] : offsets[i + 1]]. Empty: nothing is
    known of any."""
    vectors: PairVectors | None = None
    """Of queries and candidates, for rerankers that read these."""

    def __post_init__(self) -> None:
        if not len(self.offsets):
            object.__setattr__(self, "offsets", np.zeros(len(self.queries) + 1, np.int64))
        _check(self)

    def __len__(self) -> int:
        return len(self.queries)

    @property
    def k(self) -> int:
        """Candidates of a query at most."""
        return int(self.papers.shape[1])

    @cached_property
    def filled(self) -> npt.NDArray[np.bool_]:
        """(queries, k) where there is a candidate."""
        there: npt.NDArray[np.bool_] = self.papers != NONE
        return there

    @cached_property
    def is_relevant(self) -> npt.NDArray[np.bool_]:
        """(queries, k) whether the query cites that candidate."""
        most = len(self.candidates)
        found = np.arange(len(self))[:, None] * most + self.papers.astype(np.int64)
        cited = self.owners * most + self.relevant
        return np.isin(found, cited) & self.filled

    @property
    def owners(self) -> npt.NDArray[np.int64]:
        """(relevant,) the query that each is relevant to."""
        return np.repeat(np.arange(len(self)), np.diff(self.offsets))

    def read_vectors(self) -> PairVectors:
        """The vectors.

        Raises:
            ConfigError: there are none.
        """
        if self.vectors is None:
            raise ConfigError(
                "the shortlists have no vectors; expected those of queries and candidates: give "
                "them, or use a reranker of another kind"
            )
        return self.vectors

    def find_ranks(self) -> npt.NDArray[np.int64]:
        """(relevant,) rank of each relevant paper for its query, from 1; k + 1 if not retrieved."""
        most = len(self.candidates)
        rows, columns = np.nonzero(self.is_relevant)
        keys = rows * most + self.papers[rows, columns]
        order = np.argsort(keys)
        sought = self.owners * most + self.relevant
        places = np.searchsorted(keys, sought, sorter=order)
        hit = np.isin(sought, keys)
        ranks = np.full(len(sought), self.k + 1)
        ranks[hit] = columns[order[places[hit]]] + 1
        return ranks

    def cut(self, k: int) -> Shortlists:
        """The first k of each query."""
        return replace(self, papers=self.papers[:, :k], scores=self.scores[:, :k])

    def take(self, rows: Ints) -> Shortlists:
        """Some queries, with the texts of their candidates only."""
        counts = np.diff(self.offsets)[rows]
        offsets = np.append(0, np.cumsum(counts)).astype(np.int64)
        starts = np.repeat(self.offsets[:-1][rows] - offsets[:-1], counts)
        relevant = self.relevant[starts + np.arange(offsets[-1])]
        papers = self.papers[rows]
        used = np.union1d(papers[papers != NONE], relevant).astype(np.int64)
        place = np.full(len(self.candidates) + 1, NONE, np.int32)  # the last stands for NONE
        place[used] = np.arange(len(used))
        return Shortlists(
            [self.queries[row] for row in rows.tolist()],
            [self.candidates[code] for code in used.tolist()],
            place[papers],
            self.scores[rows],
            place[relevant],
            offsets,
            self.vectors and self.vectors.take(rows, used),
        )

    def sort(self) -> Shortlists:
        """The same by what a row says, so that no result depends on the order of rows."""
        counts = Counter(self.queries)
        alike = [row for row, query in enumerate(self.queries) if counts[query] > 1]
        said = dict(zip(alike, self._tell(alike), strict=True))
        order = sorted(range(len(self)), key=lambda row: (self.queries[row], said.get(row, b"")))
        return self.take(np.array(order, np.int64))

    def _tell(self, rows: list[int]) -> Iterator[bytes]:
        """What rows say beside the text of the query: candidates, what it cites, numbers."""
        hashes = np.append(hash_texts(self.candidates if rows else []), np.uint64(0))
        for row in rows:
            cited = self.relevant[self.offsets[row] : self.offsets[row + 1]]
            parts = [hashes[self.papers[row]], np.sort(hashes[cited]), self.scores[row]]
            parts += [self.vectors.queries[row]] if self.vectors else []
            yield b"".join(part.tobytes() for part in parts)

    @cached_property
    def keys(self) -> Ints:
        """(queries,) uint64, of each query's text."""
        return hash_texts(self.queries)

    @cached_property
    def sha256(self) -> str:
        """Of queries in their order, texts of their candidates, scores and relevance, 64 digits."""
        hashes = np.append(hash_texts(self.candidates), np.uint64(0))
        owners, cited = self.owners, hashes[self.relevant]
        order = np.lexsort((cited, owners))
        digest = hashlib.sha256("\0".join(self.queries).encode())
        scores = np.where(self.filled, self.scores, 0).astype(np.float32)
        arrays = (hashes[self.papers], self.filled, scores, self.offsets, cited[order])
        for array in arrays:
            digest.update(repr(array.shape).encode())
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()


def hash_texts(texts: list[str]) -> Ints:
    """(texts,) uint64 of each text."""
    starts = range(0, max(len(texts), 1), _SLICE)  # Arrow counts the bytes of an array in 32 bits
    parts = [hash_ids(pa.array(texts[start : start + _SLICE], pa.string())) for start in starts]
    return np.concatenate(parts)


def _check(lists: Shortlists) -> None:
    """Raises ConfigError for arrays that do not fit each other: a fault of the caller."""
    shape, most = lists.papers.shape, len(lists.candidates)
    if lists.papers.ndim != 2 or shape[0] != len(lists) or lists.scores.shape != shape:
        raise ConfigError(
            f"shortlists of {len(lists):,} queries have papers {shape} and scores "
            f"{lists.scores.shape}; expected both (queries, k)"
        )
    if len(lists.offsets) != len(lists) + 1 or lists.offsets[-1] != len(lists.relevant):
        raise ConfigError(
            f"shortlists of {len(lists):,} queries have {len(lists.offsets):,} offsets of "
            f"{len(lists.relevant):,} relevant papers; expected one a query and the end"
        )
    for name in ("papers", "relevant"):
        codes, least = getattr(lists, name), NONE if name == "papers" else 0
        if codes.size and not least <= codes.min() <= codes.max() < most:
            raise ConfigError(
                f"{name} of shortlists lie in {codes.min()}..{codes.max()}; expected places among "
                f"{most:,} candidates"
            )
    filled = lists.filled
    if (filled[:, 1:] & ~filled[:, :-1]).any():
        raise ConfigError("a shortlist has a gap; expected its candidates from its first place on")
    if not np.isfinite(lists.scores[filled]).all():
        raise ConfigError("a score of the shortlists is not a number; expected numbers")


def reorder(shortlists: Shortlists, scores: Floats, *, weight: float = 1.0) -> Shortlists:
    """The shortlists in the order of a reranker; equal ones stay in the order they had.

    Args:
        shortlists: as retrieved.
        scores: (queries, k) the reranker's.
        weight: of the reranker's score beside 1 - weight of the retriever's, each scaled to 0..1
            over the query's candidates; 1: the reranker alone.
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


def _scale(scores: Floats, seen: npt.NDArray[np.bool_]) -> Floats:
    """0..1 over those seen of each query; others and those all alike 0."""
    low = np.where(seen, scores, np.inf).min(1, keepdims=True, initial=np.inf)
    high = np.where(seen, scores, -np.inf).max(1, keepdims=True, initial=-np.inf)
    wide = np.where(high > low, high - low, 1)
    scaled = np.where(seen, scores, 0) - np.where(np.isfinite(low), low, 0)
    found: Floats = np.where(seen, scaled / wide, 0).astype(np.float32)
    return found
