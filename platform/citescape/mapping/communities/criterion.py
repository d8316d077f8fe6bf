"""Criteria of accuracy: relatedness of papers from an independent source."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from scipy.sparse import coo_array, csr_array

from citescape.core.compiled import compiled
from citescape.core.pairs import encode, sort_ids
from citescape.mapping.communities.clustering import Labels
from citescape.networks.network import Floats, Mask, Network
from citescape.networks.products import find_strongest, unite

Places = npt.NDArray[np.int64]


class Criterion(Protocol):
    """Relatedness r of papers: r_ii = 0, and the r_ij of a paper sum to 1 or are all 0."""

    @property
    def name(self) -> str:
        """Name, such as `mesh`."""

    @property
    def ids(self) -> pa.StringArray:
        """(papers,) ascending."""

    @property
    def judged(self) -> Mask:
        """(papers,) whether the r_ij of a paper sum to 1; other papers are not counted."""

    def share(self, labels: Labels) -> Floats:
        """(papers,) sum of r_ij over the papers j with the label of i: 0 to 1."""

    def to_network(self, top: int) -> Network:
        """Network of each paper and its `top` most related papers."""


@dataclass(frozen=True)
class TermCriterion:
    """Relatedness by shared terms: r_ij = s_ij / sum_k s_ik, s the cosine of their vectors.

    r is never computed as a matrix. With x_i the vectors of length 1, C the sum of vectors in a
    community and T the sum of all vectors, the r_ij within the community sum to
    x_i (C - x_i) / x_i (T - x_i). This is exact, in time linear in the terms of papers.
    """

    name: str
    ids: pa.StringArray
    vectors: csr_array
    """(papers, terms) float64, not negative. Terms of a single paper relate no papers and are
    removed after scaling to length 1: a row is empty if and only if no paper is related to it."""
    counts: Mapping[str, Any] = field(default_factory=dict)
    """`papers`, `judged`; papers not judged, by reason: `without_criterion`, `without_relative`."""

    @cached_property
    def judged(self) -> Mask:
        """(papers,) whether a paper shares a term with another paper."""
        shared: Mask = np.diff(self.vectors.indptr) > 0
        return shared

    @property
    def pairs(self) -> int:
        """Number of terms shared by ordered pairs of papers: the cost of computing all s_ij."""
        counts = np.bincount(self.vectors.indices, minlength=self.vectors.shape[1])
        return int((counts.astype(np.int64) ** 2).sum())

    @cached_property
    def _rows(self) -> tuple[Places, npt.NDArray[np.int32], Floats]:
        vectors = self.vectors
        indptr, terms = vectors.indptr.astype(np.int64), vectors.indices.astype(np.int32)
        return indptr, terms, vectors.data.astype(np.float64)

    @cached_property
    def _total(self) -> Floats:
        return self._sum(np.zeros(len(self.ids), np.int32))

    def share(self, labels: Labels) -> Floats:
        """(papers,) sum of r_ij over papers of the same label, see `Criterion`."""
        shares = np.zeros(len(self.ids))
        np.divide(self._sum(labels), self._total, out=shares, where=self.judged)
        return shares

    def _sum(self, labels: Labels) -> Floats:
        """(papers,) sum of s_ij over the other papers of the same label."""
        papers = np.argsort(labels, kind="stable")
        ends = np.flatnonzero(np.diff(labels[papers])) + 1
        starts = np.concatenate([[0], ends, [len(papers)]]).astype(np.int64)
        return _sum_related(*self._rows, papers, starts, self.vectors.shape[1])

    def to_network(self, top: int) -> Network:
        """The undirected union of the `top` greatest cosines of each paper; ties: lower id."""
        columns = self.vectors.T.tocsr()
        return unite(self.ids, find_strongest(self.vectors, columns, top=top))

    def fingerprint(self) -> str:
        """SHA-256 of papers and vectors, 64 digits."""
        digest = hashlib.sha256("\n".join(self.ids.to_pylist()).encode())
        for array in (self.vectors.indptr, self.vectors.indices, self.vectors.data):
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()


def build_criterion(
    name: str, ids: pa.StringArray, rows: pa.Table, *, informative: bool = True
) -> TermCriterion:
    """Builds a criterion from the terms of papers.

    The weight of a term is its factor, times its information content if `informative`: -log(n / N),
    for n of the N papers with terms. Vectors are scaled to length 1.

    Args:
        name: name of the criterion.
        ids: (papers,) papers to compare, ascending.
        rows: `paper`, `term`, `factor` in any order; other papers are skipped, and the greatest
            factor of repeated rows counts.
        informative: whether terms are weighted by information content.
    """
    distinct = rows.group_by(["paper", "term"]).aggregate([("factor", "max")])
    names = sort_ids(distinct["term"].unique())
    paper, term = encode(distinct["paper"], ids), encode(distinct["term"], names)
    inside = paper >= 0
    factor = distinct["factor_max"].to_numpy().astype(np.float64)
    places = (paper[inside], term[inside])
    weighted = coo_array((factor[inside], places), shape=(len(ids), len(names))).tocsr()
    frequencies = np.bincount(weighted.indices, minlength=len(names))
    with_terms = int((np.diff(weighted.indptr) > 0).sum())

    # Vectors of length 1, then without terms of a single paper.
    weighted.sort_indices()
    papers = np.repeat(np.arange(len(ids)), np.diff(weighted.indptr))
    content = (
        np.log(with_terms / np.maximum(frequencies, 1))
        if informative
        else np.ones(len(frequencies))
    )
    values = weighted.data * content[weighted.indices]
    lengths = np.sqrt(np.bincount(papers, weights=values**2, minlength=len(ids)))
    kept = (values > 0) & (frequencies[weighted.indices] > 1)
    scaled = values[kept] / lengths[papers[kept]]
    ends = (papers[kept], weighted.indices[kept])
    vectors = coo_array((scaled, ends), shape=weighted.shape).tocsr()

    judged = int((np.diff(vectors.indptr) > 0).sum())
    counts = {
        "papers": len(ids),
        "judged": judged,
        "without_criterion": len(ids) - with_terms,
        "without_relative": with_terms - judged,
        "terms": int((frequencies > 0).sum()),
        "shared_terms": int((frequencies > 1).sum()),
    }
    return TermCriterion(name, ids, vectors, counts)


@compiled
def _sum_related(
    indptr: Places,
    terms: npt.NDArray[np.int32],
    values: Floats,
    papers: Places,
    starts: Places,
    size: int,
) -> Floats:
    """(papers,) x_i (C - x_i), with C the sum over the group of i.

    Group g is papers[starts[g]:starts[g + 1]].
    """
    related, sums = np.zeros(len(papers)), np.zeros(size)
    for group in range(len(starts) - 1):
        members = papers[starts[group] : starts[group + 1]]
        for paper in members:
            for at in range(indptr[paper], indptr[paper + 1]):
                sums[terms[at]] += values[at]
        for paper in members:
            total = 0.0
            for at in range(indptr[paper], indptr[paper + 1]):
                total += values[at] * (sums[terms[at]] - values[at])
            related[paper] = total
        for paper in members:
            for at in range(indptr[paper], indptr[paper + 1]):
                sums[terms[at]] = 0.0
    return related
