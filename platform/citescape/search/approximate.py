"""Approximate nearest neighbours, with the effort that a measured recall requires.

By lists of vectors (`inverted_lists`), with FAISS on GPUs; or by FAISS's graph of vectors.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from citescape.core.extras import require
from citescape.search import kernel
from citescape.search.exact import Search, cut_evenly, plain_array, scale_vectors, search_all
from citescape.search.inverted_lists import InvertedLists
from citescape.search.vectors import Floats, slices

GPU_MOST = 2048
"""Maximum number of neighbours and lists of a FAISS search on a GPU."""
SAMPLE = 500
"""Queries whose exact neighbours the recall is measured against."""
_ROWS, _CANDIDATES = 50_000, 4_000_000
"""Queries of a search, at most; their candidates together, at most."""
_PER_LIST = 39  # minimum number of vectors per list for the training of FAISS
_LINKS = 32
_GROWTH = 1.5
Indices = npt.NDArray[np.int32]


class Index(Protocol):
    """Vectors that are searched with some effort, from `first` to `most`."""

    first: int
    most: int

    def search(self, queries: Floats, k: int, effort: int) -> npt.NDArray[np.int64]:
        """(b, k) rows; -1 fills short lists.

        Args:
            queries: (b, d), of length 1 for the cosine.
            k: neighbours per query.
            effort: the effort.
        """
        ...


class FaissIvf:
    """Vectors in lists around centres, on GPUs; the effort is the number of lists searched.

    With the effort `most` a search is exhaustive. GPUs search up to `GPU_MOST` lists and
    neighbours, the processor the rest.
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
        index.train(scale_vectors(search.index.values[chosen], search.norms[chosen], search.metric))
        _fill(index, search)
        self._index: Any = index
        self._copies: Any = faiss.index_cpu_to_all_gpus(index)
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
        if max(k, effort) <= GPU_MOST:
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
        require("faiss")
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


def _open_ivf(search: Search, *, seed: int) -> Index:
    """Lists of vectors, on GPUs if FAISS has some."""
    try:
        import faiss
    except ImportError:
        return InvertedLists(search, seed=seed)
    has_gpus = hasattr(faiss, "StandardGpuResources") and faiss.get_num_gpus()
    return FaissIvf(search, seed=seed) if has_gpus else InvertedLists(search, seed=seed)


INDEXES: dict[str, Callable[..., Index]] = {"ivf": _open_ivf, "hnsw": Hnsw}


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
) -> tuple[Index, float, int]:
    """An index of `INDEXES`, its recall and effort, see `search_approximately`."""
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


def search_index(search: Search, index: Index, effort: int) -> tuple[Indices, Floats]:
    """(q, k) neighbours of queries in the vectors of an index, scored as in the exact search."""
    indices = np.empty((len(search), search.k), np.int32)
    scores = np.empty(indices.shape, np.float32)
    too_few = [np.empty(0, np.int64)]
    for part in slices(len(search), min(_ROWS, max(_CANDIDATES // (search.k + 1), 1))):
        queries = search.read(part)
        scaled = scale_vectors(queries, search.query_norms[part], search.metric)
        neighbours = index.search(scaled, search.k + 1, effort)
        neighbours[neighbours == search.own[part, None]] = -1
        counts = _rescore(search, queries, neighbours, indices[part], scores[part])
        too_few.append(part.start + np.flatnonzero(counts < search.k))
    if len(left := np.concatenate(too_few)):
        indices[left], scores[left] = search_all(search.among(left))
    return indices, scores


def _rescore(
    search: Search,
    queries: Floats,
    neighbours: npt.NDArray[np.int64],
    indices: Indices,
    scores: Floats,
) -> npt.NDArray[np.int64]:
    """Fills indices and scores (b, k) of queries from candidates; returns the number of these.

    Args:
        search: the search.
        queries: (b, d).
        neighbours: (b, c) rows of candidates; -1 for none.
        indices: (b, k) filled.
        scores: (b, k) filled.
    """
    values, end = plain_array(search.index.values), len(search.index)
    chosen = np.sort(np.where(neighbours < 0, end, neighbours), axis=1).astype(np.int32)
    counts: npt.NDArray[np.int64] = (chosen < end).sum(axis=1)

    def rescore(cut: slice) -> None:
        kernel.rescore(
            *(chosen[cut], counts[cut], queries[cut]),
            *(values, search.norms, search.metric),
            *(indices[cut], scores[cut]),
        )

    with ThreadPoolExecutor(search.threads) as pool:
        list(pool.map(rescore, cut_evenly(len(queries), search.threads)))
    return counts


def _fill(index: Any, search: Search) -> None:
    """Adds all vectors part by part: FAISS keeps a copy, and memory may not hold a second one."""
    for part in slices(len(search.index), _ROWS):
        index.add(scale_vectors(search.index.values[part], search.norms[part], search.metric))
