"""Judgements, and the ranks of relevant documents, from which metrics are computed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.core.compiled import compiled
from citescape.core.pairs import encode
from citescape.core.sorting import order_descending, sort
from citescape.search.listed import Codes, Floats, QueryDocuments, Rankings, Rows

Keys = npt.NDArray[np.uint64]
_SIGN = np.uint32(1 << 31)
_HALF = np.uint64(32)
_FEW = 200
"""Number of relevant documents up to which counting is faster than sorting 500 documents."""


class Qrels(QueryDocuments):
    """Judged documents of queries: degrees of relevance, or 0 or less if not relevant."""

    column = "relevance"


@dataclass(frozen=True)
class Hits:
    """Relevant documents and their ranks, ordered by query and rank."""

    rows: Rows
    """(h,) row of the query."""
    ranks: Rows
    """(h,) 1 for the first document of a query."""
    gains: Floats
    """(h,) degree of relevance, 1 or more."""

    def count_per_query(self, queries: int, *, k: int = 0) -> Rows:
        """(queries,) number of hits among the first k documents; k = 0 for all documents."""
        rows = self.rows[self.ranks <= k] if k else self.rows
        return np.bincount(rows, minlength=queries)


@dataclass(frozen=True)
class RankedQueries:
    """Queries with judgements, and the ranks of their relevant documents."""

    queries: pa.StringArray
    """(q,) ids of the judged queries, ascending."""
    retrieved: Rows
    """(q,) number of ranked documents; 0 for a query without a ranking."""
    hits: Hits
    """Relevant documents in the rankings."""
    ideal: Hits
    """Hits of the ideal ranking: all relevant documents, in descending order of relevance."""

    def __len__(self) -> int:
        return len(self.queries)

    @property
    def relevant(self) -> Rows:
        """(q,) number of relevant documents, retrieved or not."""
        return self.ideal.count_per_query(len(self))


def rank(rankings: Rankings, qrels: Qrels) -> RankedQueries:
    """Finds the ranks of relevant documents.

    Follows trec_eval: scores are compared in single precision; documents with equal scores are in
    descending order of their ids (bytes); documents without a judgement are not relevant. Queries
    without judgements are left out.
    """
    ranking_rows = encode(qrels.queries, rankings.queries)
    judged = encode(rankings.documents, qrels.documents)[rankings.codes]
    relevant = np.maximum(qrels.values, 0.0)
    # (m,) 64-bit keys in the order of scores, then of codes: sorting integers is faster
    bits = (rankings.values.astype(np.float32) + np.float32(0.0)).view(np.uint32)  # no -0.0
    ordered = np.where(bits & _SIGN, ~bits, bits | _SIGN).astype(np.uint64)
    keys: Keys = (ordered << _HALF) | rankings.codes.astype(np.uint64)
    hits = _find_hits(
        (rankings.indptr, keys, judged), ranking_rows, (qrels.indptr, qrels.codes, relevant)
    )
    retrieved = np.where(
        ranking_rows >= 0, np.diff(rankings.indptr)[ranking_rows] if len(keys) else 0, 0
    )
    ideal = sort_hits(qrels.rows[relevant > 0], relevant[relevant > 0])
    return RankedQueries(qrels.queries, retrieved.astype(np.int64), Hits(*hits), ideal)


def sort_hits(rows: Rows, gains: Floats) -> Hits:
    """Hits at the ranks 1, 2, ... of each query, in descending order of gain."""
    order = np.lexsort((-gains, rows))
    rows = rows[order]
    first = np.searchsorted(rows, rows, side="left")
    return Hits(rows, np.arange(len(rows)) - first + 1, gains[order])


@compiled
def _find_hits(
    rankings: tuple[Rows, Keys, Codes], ranking_rows: Codes, qrels: tuple[Rows, Codes, Floats]
) -> tuple[Rows, Rows, Floats]:
    """Rows, ranks and gains; `ranking_rows` is the ranking of each query, -1 for none."""
    rows, ranks = np.empty(len(qrels[1]), np.int64), np.empty(len(qrels[1]), np.int64)
    gains, used = np.empty(len(qrels[1])), 0
    for query in range(len(ranking_rows)):
        if ranking_rows[query] < 0:
            continue
        ranking = slice(rankings[0][ranking_rows[query]], rankings[0][ranking_rows[query] + 1])
        judged = slice(qrels[0][query], qrels[0][query + 1])
        keys, given = rankings[1][ranking], (qrels[1][judged], qrels[2][judged])
        places, relevance = _match(rankings[2][ranking], given)
        order = order_descending(keys[places])
        found = _rank(keys, keys[places[order]])
        for place in range(len(order)):
            rows[used], ranks[used], gains[used] = query, found[place], relevance[order[place]]
            used += 1
    return rows[:used], ranks[:used], gains[:used]


@compiled
def _match(documents: Codes, judged: tuple[Codes, Floats]) -> tuple[Rows, Floats]:
    """Positions and gains of relevant documents; codes ascend, except documents of -1."""
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
    """(h,) ranks of `hits`, descending, among all keys; the greatest key has rank 1."""
    ranks = np.ones(len(hits), np.int64)
    if len(hits) > _FEW:
        ordered, at = keys.copy(), len(keys) - 1
        sort(ordered)
        for place in range(len(hits)):
            while ordered[at] > hits[place]:
                at -= 1
            ranks[place] = len(keys) - at
        return ranks
    # a few hits are compared with all keys: without sorting, and without branches to predict
    for place in range(len(hits)):
        hit, better = hits[place], 0
        for key in keys:
            better += key > hit
        ranks[place] += better
    return ranks
