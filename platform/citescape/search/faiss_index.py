"""Approximate nearest neighbours with FAISS, with the effort that a measured recall requires."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from citescape.core.extras import require
from citescape.search import kernel
from citescape.search.exact import Doubles, Search, plain_array, search_all
from citescape.search.vectors import Floats, slices

GPU_MOST = 2048
"""Maximum number of neighbours and lists of a FAISS search on a GPU."""
SAMPLE = 500
"""Queries whose exact neighbours the recall is measured against."""
_ROWS = 20_000
_PER_LIST = 39  # minimum number of vectors per list for the training of FAISS
_LINKS = 32
_GROWTH = 1.5
Indices = npt.NDArray[np.int32]


class Ivf:
    """Vectors in lists around centres; the effort is the number of lists searched.

    With the effort `most` a search is exhaustive; it begins with `first`.
    """

    def __init__(self, search: Search, *, seed: int) -> None:
        import faiss

        faiss.omp_set_num_threads(search.threads)
        n, d = len(search.index), search.index.dimensions
        lists = max(min(int(4 * n**0.5), n // _PER_LIST), 1)
        by_distance = search.metric == kernel.L2
        self._quantizer = faiss.IndexFlatL2(d) if by_distance else faiss.IndexFlatIP(d)
        metric = faiss.METRIC_L2 if by_distance else faiss.METRIC_INNER_PRODUCT
        index = faiss.IndexIVFFlat(self._quantizer, d, lists, metric)
        index.cp.seed = 1 + seed
        index.cp.spherical = search.metric == kernel.COSINE
        chosen = np.random.default_rng(seed).permutation(n)[: lists * 2 * _PER_LIST]
        chosen = np.sort(chosen)
        index.train(_scale(search.index.values[chosen], search.norms[chosen], search.metric))
        _fill(index, search)
        self._index: Any = index
        self._copies: Any = None
        if hasattr(faiss, "StandardGpuResources") and faiss.get_num_gpus():
            self._copies = faiss.index_cpu_to_all_gpus(index)
        self.first, self.most = 1, lists

    def search(self, queries: Floats, k: int, effort: int) -> npt.NDArray[np.int64]:
        """(b, k) rows in the nearest lists; -1 fills short lists.

        Args:
            queries: (b, d), of length 1 for the cosine.
            k: neighbours per query.
            effort: number of lists searched.
        """
        import faiss

        index = self._index
        if self._copies is not None and max(k, effort) <= GPU_MOST:
            index = self._copies
            # on several GPUs an index takes an attribute `nprobe` and ignores it
            faiss.GpuParameterSpace().set_index_parameter(index, "nprobe", effort)
        else:
            index.nprobe = effort
        neighbours: npt.NDArray[np.int64] = index.search(queries, k)[1]
        return neighbours


class Hnsw:
    """A graph of vectors; the effort is the number of candidates kept during a search."""

    def __init__(self, search: Search, *, seed: int) -> None:
        del seed  # FAISS has its own seed for the levels of the graph
        import faiss

        faiss.omp_set_num_threads(search.threads)
        by_distance = search.metric == kernel.L2
        metric = faiss.METRIC_L2 if by_distance else faiss.METRIC_INNER_PRODUCT
        self._index = faiss.IndexHNSWFlat(search.index.dimensions, _LINKS, metric)
        _fill(self._index, search)
        self.first, self.most = search.k + 1, len(search.index)

    def search(self, queries: Floats, k: int, effort: int) -> npt.NDArray[np.int64]:
        """(b, k) rows of the nearest candidates; -1 fills short lists.

        Args:
            queries: (b, d), of length 1 for the cosine.
            k: neighbours per query.
            effort: number of candidates kept.
        """
        self._index.hnsw.efSearch = effort
        neighbours: npt.NDArray[np.int64] = self._index.search(queries, k)[1]
        return neighbours


INDEXES: dict[str, type[Ivf] | type[Hnsw]] = {"ivf": Ivf, "hnsw": Hnsw}


def search_approximately(
    search: Search, method: str, *, recall: float, seed: int = 0
) -> tuple[Indices, Floats, float, int]:
    """Neighbours of all queries by an index of `INDEXES`: rows, scores, recall and effort.

    The effort grows until the neighbours of a sample contain the share `recall` of the exact ones;
    a neighbour with the score of the k-th exact one is correct. Candidates are scored again as in
    the exact search; queries with fewer than k candidates are searched exactly.

    Args:
        search: validated input.
        method: a key of `INDEXES`.
        recall: minimum recall, above 0 and at most 1.
        seed: random seed of the sample and of the index.

    Raises:
        ConfigError: FAISS is not installed.
    """
    index, reached, effort = build_index(search, method, recall=recall, seed=seed)
    return *search_index(search, index, effort), reached, effort


def build_index(
    search: Search, method: str, *, recall: float, seed: int = 0
) -> tuple[Ivf | Hnsw, float, int]:
    """An index of `INDEXES`, its recall and effort, see `search_approximately`."""
    require("faiss")
    index = INDEXES[method](search, seed=seed)
    rng = np.random.default_rng(seed)
    sample = np.sort(rng.permutation(len(search))[:SAMPLE])
    sampled = search.among(sample)
    least = search_all(sampled)[1][:, -1:]
    effort = min(index.first, index.most)
    while True:
        hits = search_index(sampled, index, effort)[1] >= least
        reached = float(hits.mean()) if len(hits) else 1.0
        if reached >= recall or effort >= index.most:
            return index, reached, effort
        effort = min(int(effort * _GROWTH) + 1, index.most)


def search_index(search: Search, index: Ivf | Hnsw, effort: int) -> tuple[Indices, Floats]:
    """(q, k) neighbours of queries in the vectors of an index, scored as in the exact search."""
    indices = np.empty((len(search), search.k), np.int32)
    scores = np.empty(indices.shape, np.float32)
    values, too_few = plain_array(search.index.values), []
    for part in slices(len(search), _ROWS):
        queries = search.read(part)
        scaled = _scale(queries, search.query_norms[part], search.metric)
        neighbours = index.search(scaled, search.k + 1, effort)
        end = len(search.index)
        neighbours[(neighbours < 0) | (neighbours == search.own[part, None])] = end
        neighbours.sort(axis=1)
        counts = (neighbours < end).sum(axis=1)
        kernel.rescore(
            neighbours.astype(np.int32),
            counts,
            queries,
            values,
            search.norms,
            search.metric,
            indices[part],
            scores[part],
        )
        too_few.append(part.start + np.flatnonzero(counts < search.k))
    left = np.concatenate([np.empty(0, np.int64), *too_few])
    if len(left):
        indices[left], scores[left] = search_all(search.among(left))
    return indices, scores


def _fill(index: Any, search: Search) -> None:
    """Adds all vectors part by part: FAISS keeps a copy, and memory may not hold a second one."""
    for part in slices(len(search.index), _ROWS):
        index.add(_scale(search.index.values[part], search.norms[part], search.metric))


def _scale(values: Floats, norms: Doubles, metric: int) -> Floats:
    """(b, d) vectors with lengths (b,), scaled to length 1 for the cosine."""
    values = np.ascontiguousarray(values, np.float32)
    if metric != kernel.COSINE:
        return values
    lengths = norms.astype(np.float32)
    return np.divide(values, lengths[:, None], dtype=np.float32)
