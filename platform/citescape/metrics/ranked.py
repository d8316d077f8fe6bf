"""Judgements, and the ranks of relevant documents: all that metrics of rankings need."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.core.compiled import compiled
from citescape.core.pairs import encode
from citescape.search.listed import Codes, Floats, QueryDocuments, Rankings, Rows

Keys = npt.NDArray[np.uint64]
_SIGN = np.uint32(1 << 31)
_HALF = np.uint64(32)
_FEW = 200
"""Relevant documents of a query up to which counting is faster than sorting, of 500 documents."""


class Qrels(QueryDocuments):
    """Judged documents of queries: 0 (or less) is not relevant, 1 and more is, by degree."""

    what = "relevance"


@dataclass(frozen=True)
class Hits:
    """Relevant documents and their ranks, query by query, the first ranks first."""

    rows: Rows
    """(h,) the query."""
    ranks: Rows
    """(h,) 1 for the first document of a query."""
    gains: Floats
    """(h,) how relevant: 1 or more."""

    def count(self, queries: int, *, k: int = 0) -> Rows:
        """(queries,) hits among the first k; 0: among all."""
        rows = self.rows[self.ranks <= k] if k else self.rows
        return np.bincount(rows, minlength=queries)


@dataclass(frozen=True)
class Ranked:
    """Rankings held against judgements."""

    queries: pa.StringArray
    """(q,) ascending: those judged."""
    retrieved: Rows
    """(q,) documents in the ranking of each; 0 for a query that was not ranked."""
    found: Hits
    ideal: Hits
    """Of a ranking with all relevant documents first, the most relevant at the top."""

    def __len__(self) -> int:
        return len(self.queries)

    @property
    def relevant(self) -> Rows:
        """(q,) relevant documents of each query, found or not."""
        return self.ideal.count(len(self))


def rank(rankings: Rankings, qrels: Qrels) -> Ranked:
    """Finds the ranks of relevant documents.

    As trec_eval: scores are compared in single precision, the higher the better; of equal scores
    the document whose id is greater, byte by byte, comes first; documents without a judgement are
    not relevant. Queries without judgements are left out.
    """
    own = encode(qrels.queries, rankings.queries)
    judged = encode(rankings.documents, qrels.documents)[rankings.codes]
    relevant = np.maximum(qrels.values, 0.0)
    # (m,) keys that ascend as scores, then as codes: both as whole numbers in one
    bits = (rankings.values.astype(np.float32) + np.float32(0.0)).view(np.uint32)  # no -0.0
    ordered = np.where(bits & _SIGN, ~bits, bits | _SIGN).astype(np.uint64)
    keys: Keys = (ordered << _HALF) | rankings.codes.astype(np.uint64)
    found = _find_hits((rankings.indptr, keys, judged), own, (qrels.indptr, qrels.codes, relevant))
    retrieved = np.where(own >= 0, np.diff(rankings.indptr)[own] if len(keys) else 0, 0)
    ideal = sort_hits(qrels.rows[relevant > 0], relevant[relevant > 0])
    return Ranked(qrels.queries, retrieved.astype(np.int64), Hits(*found), ideal)


def sort_hits(rows: Rows, gains: Floats) -> Hits:
    """Documents of queries at the ranks 1, 2, ..., the most relevant first."""
    order = np.lexsort((-gains, rows))
    rows = rows[order]
    first = np.searchsorted(rows, rows, side="left")
    return Hits(rows, np.arange(len(rows)) - first + 1, gains[order])


@compiled
def _find_hits(
    rankings: tuple[Rows, Keys, Codes], own: Codes, qrels: tuple[Rows, Codes, Floats]
) -> tuple[Rows, Rows, Floats]:
    """Rows, ranks and gains; `own` is the ranking of each query, -1 for none."""
    rows, ranks = np.empty(len(qrels[1]), np.int64), np.empty(len(qrels[1]), np.int64)
    gains, used = np.empty(len(qrels[1])), 0
    for query in range(len(own)):
        if own[query] < 0:
            continue
        ranking = slice(rankings[0][own[query]], rankings[0][own[query] + 1])
        judged = slice(qrels[0][query], qrels[0][query + 1])
        keys, given = rankings[1][ranking], (qrels[1][judged], qrels[2][judged])
        places, relevance = _meet(rankings[2][ranking], given)
        order = np.argsort(keys[places])
        end = used + len(order)
        rows[used:end], ranks[used:end] = query, _rank(keys, keys[places[order]])[::-1]
        gains[used:end], used = relevance[order][::-1], end
    return rows[:used], ranks[:used], gains[:used]


@compiled
def _meet(documents: Codes, judged: tuple[Codes, Floats]) -> tuple[Rows, Floats]:
    """Where relevant documents stand, and their gains; both ascend but for documents of -1."""
    codes, relevance = judged
    places, gains = np.empty(len(codes), np.int64), np.empty(len(codes))
    used, at = 0, 0
    for place in range(len(documents)):
        while at < len(codes) and codes[at] < documents[place]:
            at += 1
        if at < len(codes) and codes[at] == documents[place] and relevance[at] > 0:
            places[used], gains[used], used = place, relevance[at], used + 1
    return places[:used], gains[:used]


@compiled
def _rank(keys: Keys, hits: Keys) -> Rows:
    """(h,) ranks of some of the keys; 1 is that of the greatest key.

    Few are counted past all keys, which sorts nothing and needs no guess of a branch.
    """
    if len(hits) > _FEW:
        return 1 + len(keys) - np.searchsorted(np.sort(keys), hits, side="right")
    ranks = np.ones(len(hits), np.int64)
    for place in range(len(hits)):
        hit, better = hits[place], 0
        for key in keys:
            better += key > hit
        ranks[place] += better
    return ranks
