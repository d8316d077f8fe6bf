"""Profiler: vectors of papers enriched by their citing contexts, not learned (section 3.3).

A paper is retrieved by its own text and by what others write where they cite it. Sums are taken in
one order, in double precision, so that an update of some profiles equals a full build, bit for bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from citescape.core.blocks import run_blocks
from citescape.core.compiled import compiled
from citescape.core.errors import ConfigError, invalid_choice
from citescape.recommend.neighbourhoods import InwardNeighbourhoods
from citescape.search.listed import Rows
from citescape.search.vectors import slices

Vectors = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
CONTEXTS = {
    "mean": "their mean",
    "first": "the first of them",
    "sum": "their sum: papers that cite often count more",
}
"""How several contexts in which one paper cites another are combined; not specified in the paper
(methods: one snippet per citation)."""
_CODES = {name: code for code, name in enumerate(CONTEXTS)}
_BLOCK = 2048
"""Papers that a thread profiles at a time."""


@dataclass(frozen=True)
class ProfileWeights:
    """Weights of profiles and queries; defaults as published (section 3.3)."""

    alpha: float = 0.8
    """Weight of the contexts that cite a paper."""
    beta: float = 0.2
    """Weight of the papers that cite it."""
    gamma: float = 0.7
    """Weight of the context of a query."""
    delta: float = 0.3
    """Weight of its title and abstract."""
    contexts: str = "mean"
    """One of `CONTEXTS`."""

    def __post_init__(self) -> None:
        if self.contexts not in CONTEXTS:
            raise invalid_choice("contexts", self.contexts, CONTEXTS)
        for name in ("alpha", "beta", "gamma", "delta"):
            if not 0 <= getattr(self, name) <= 1:
                raise ConfigError(f"{name} is {getattr(self, name)}; expected 0 to 1")
        if not self.gamma + self.delta:
            raise ConfigError("gamma and delta are 0; expected a query to have some weight")


def build_profiles(
    base: Vectors,
    contexts: Vectors,
    cited_by: InwardNeighbourhoods,
    *,
    weights: ProfileWeights | None = None,
    papers: Rows | None = None,
    threads: int = 0,
) -> Vectors:
    """Profiles of papers (Profiler, Eq. 3).

    v_i + 1 / |N_in(i)| sum over citing papers j of (alpha v_context(j, i) + beta v_j), with raw
    vectors v: they are not scaled, and v_j is not a profile. A paper that nothing cites keeps its
    vector. A citing paper whose contexts have no words adds beta v_j only.

    Args:
        base: (papers, d) vectors of papers; zeros for those without a text.
        contexts: (contexts, d) vectors of contexts, in the rows of the neighbourhoods.
        cited_by: papers and contexts that cite each paper.
        weights: alpha and beta, and how several contexts of one citing paper are combined.
        papers: rows whose profiles are computed; None for all.
        threads: 0 for every core this process may use; the result does not depend on it.

    Returns:
        (rows, d) in the order of `papers`.

    Raises:
        ConfigError: the vectors of contexts and papers are of different length.
    """
    if base.shape[1] != contexts.shape[1]:
        raise ConfigError(
            f"papers have vectors of {base.shape[1]} numbers, contexts of {contexts.shape[1]}; "
            "expected one encoder for both"
        )
    weights = weights or ProfileWeights()
    rows = np.arange(len(base)) if papers is None else np.asarray(papers, np.int64)
    profiles = np.empty((len(rows), base.shape[1]), np.float32)
    edges = (cited_by.indptr, cited_by.citing, cited_by.contexts)
    mixing = (weights.alpha, weights.beta, _CODES[weights.contexts])

    def work(part: slice) -> None:
        _profile(base, contexts, edges, rows[part], mixing, profiles[part])

    for _ in run_blocks(work, slices(len(rows), _BLOCK), threads=threads):
        pass
    return profiles


def compose_queries(contexts: Vectors, documents: Vectors, weights: ProfileWeights) -> Vectors:
    """(q, d) gamma v(context) + delta v(title and abstract), of each query (Profiler, Eq. 4).

    Args:
        contexts: (q, d) vectors of contexts.
        documents: (q, d) vectors of titles and abstracts.
        weights: gamma and delta.
    """
    mixed: Vectors = (weights.gamma * contexts + weights.delta * documents).astype(np.float32)
    return mixed


@compiled
def _profile(
    base: Vectors,
    contexts: Vectors,
    edges: tuple[Rows, Rows, Rows],
    rows: Rows,
    mixing: tuple[float, float, int],
    profiles: Vectors,
) -> None:
    """Fills (rows, d) profiles; `mixing` is alpha, beta and a code of `CONTEXTS`."""
    indptr, citing, own = edges
    total, combined = np.zeros(base.shape[1]), np.zeros(base.shape[1])
    for place in range(len(rows)):
        row, count, at = rows[place], 0, indptr[rows[place]]
        total[:] = 0.0
        while at < indptr[row + 1]:
            end = at
            while end < indptr[row + 1] and citing[end] == citing[at]:
                end += 1
            if end == at + 1 and own[at] >= 0:  # faster in the usual case, with equal bits
                _add(mixing, contexts[own[at]], base[citing[at]], total)
            else:
                _combine_contexts(contexts, own[at:end], mixing[2], combined)
                _add(mixing, combined, base[citing[at]], total)
            count, at = count + 1, end
        for k in range(len(total)):
            profiles[place, k] = base[row, k] + (total[k] / count if count else 0.0)


@compiled
def _add(mixing: tuple[float, float, int], context: Any, paper: Vectors, total: Doubles) -> None:
    """Adds alpha times the context and beta times the citing paper."""
    alpha, beta = mixing[0], mixing[1]
    for k in range(len(total)):
        total[k] += alpha * context[k] + beta * paper[k]


@compiled
def _combine_contexts(contexts: Vectors, own: Rows, code: int, combined: Doubles) -> None:
    """Fills (d,) the combined contexts of one citing paper; rows of -1 have no words."""
    combined[:] = 0.0
    used = 0
    for place in range(len(own)):
        if own[place] < 0 or (code == 1 and used):
            continue
        used += 1
        for k in range(len(combined)):
            combined[k] += contexts[own[place], k]
    if code == 0 and used > 1:
        for k in range(len(combined)):
            combined[k] /= used
