"""Profiler: a paper's vector with how others cite it; nothing is learned (Profiler, section 3.3).

A paper is found not only by what it says of itself but by what others say when they cite it. Sums
are taken in one order, in double precision, so that profiles made anew for some papers are those of
a full build, bit for bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from citescape.core.blocks import run_blocks
from citescape.core.compiled import compiled
from citescape.core.errors import ConfigError, invalid_choice
from citescape.recommend.neighbourhoods import Neighbourhoods
from citescape.search.listed import Rows
from citescape.search.vectors import slices

Vectors = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
CONTEXTS = {
    "mean": "their mean",
    "first": "the first of them",
    "sum": "their sum: who cites often counts more",
}
"""What stands for the contexts in which one paper cites another several times; the published text
does not say (methods: one snippet a citation)."""
_CODES = {name: code for code, name in enumerate(CONTEXTS)}
_BLOCK = 2048
"""Papers that a thread profiles at one time."""


@dataclass(frozen=True)
class ProfileWeights:
    """What counts how much in profiles and queries; the published values (section 3.3)."""

    alpha: float = 0.8
    """Of the contexts that cite a paper."""
    beta: float = 0.2
    """Of the papers that cite it."""
    gamma: float = 0.7
    """Of a query's context."""
    delta: float = 0.3
    """Of its title and abstract."""
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
    cited_by: Neighbourhoods,
    *,
    weights: ProfileWeights | None = None,
    papers: Rows | None = None,
    threads: int = 0,
) -> Vectors:
    """Profiles of papers (Profiler, Eq. 3).

    v_i + 1 / |N_in(i)| sum over citing papers j of (alpha v_context(j, i) + beta v_j), with the
    vectors as they are, neither scaled nor profiled themselves. A paper that nothing cites keeps
    its vector. A citing paper whose contexts have no words adds beta v_j only.

    Args:
        base: (papers, d) vectors of papers; zeros for those without a text.
        contexts: (contexts, d) of what the neighbourhoods name.
        cited_by: whose profiles are made of what.
        weights: alpha and beta, and what stands for several contexts of one citing paper.
        papers: rows whose profiles are asked for; None for all.
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
    found = np.empty((len(rows), base.shape[1]), np.float32)
    edges = (cited_by.indptr, cited_by.citing, cited_by.contexts)
    how = (weights.alpha, weights.beta, _CODES[weights.contexts])

    def work(part: slice) -> None:
        _profile(base, contexts, edges, rows[part], how, found[part])

    for _ in run_blocks(work, slices(len(rows), _BLOCK), threads=threads):
        pass
    return found


def compose_queries(contexts: Vectors, documents: Vectors, weights: ProfileWeights) -> Vectors:
    """(q, d) gamma v(context) + delta v(title and abstract), of each query (Profiler, Eq. 4)."""
    mixed: Vectors = (weights.gamma * contexts + weights.delta * documents).astype(np.float32)
    return mixed


@compiled
def _profile(
    base: Vectors,
    contexts: Vectors,
    edges: tuple[Rows, Rows, Rows],
    rows: Rows,
    how: tuple[float, float, int],
    found: Vectors,
) -> None:
    """Fills (rows, d) profiles."""
    indptr, citing, own = edges
    total, said = np.zeros(base.shape[1]), np.zeros(base.shape[1])
    for place in range(len(rows)):
        row, count, at = rows[place], 0, indptr[rows[place]]
        total[:] = 0.0
        while at < indptr[row + 1]:
            end = at
            while end < indptr[row + 1] and citing[end] == citing[at]:
                end += 1
            if end == at + 1 and own[at] >= 0:  # the common case in one go, to the same numbers
                _add(how, contexts[own[at]], base[citing[at]], total)
            else:
                _join_contexts(contexts, own[at:end], how[2], said)
                _add(how, said, base[citing[at]], total)
            count, at = count + 1, end
        for k in range(len(total)):
            found[place, k] = base[row, k] + (total[k] / count if count else 0.0)


@compiled
def _add(how: tuple[float, float, int], said: Any, by: Vectors, total: Doubles) -> None:
    """Adds what one paper says of another, and what it is itself."""
    alpha, beta = how[0], how[1]
    for k in range(len(total)):
        total[k] += alpha * said[k] + beta * by[k]


@compiled
def _join_contexts(contexts: Vectors, own: Rows, how: int, said: Doubles) -> None:
    """Fills (d,) what stands for the contexts of one citing paper; -1 has no words."""
    said[:] = 0.0
    used = 0
    for place in range(len(own)):
        if own[place] < 0 or (how == 1 and used):
            continue
        used += 1
        for k in range(len(said)):
            said[k] += contexts[own[place], k]
    if how == 0 and used > 1:
        for k in range(len(said)):
            said[k] /= used
