"""Approximate nearest neighbours by lists of vectors around centres, on the cores of this machine.

A search list by list for each query reads every vector of a list from memory for one product. Here
the queries that search a list are multiplied by it together, at the speed of a matrix product, and
the scores above the k-th best so far are kept.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from citescape.core.cores import plain_blas
from citescape.search import kernel
from citescape.search.exact import Search, scale_vectors
from citescape.search.selection import BestScores
from citescape.search.vectors import Floats, slices

_SAMPLED, _LEAST = 64, 39
"""Vectors for each centre that it is trained on, at most; vectors of a list on average, at least.
"""
_ROUNDS = 4
_BLOCK, _ROWS, _LISTED = 4096, 2048, 8192
"""Queries of a block; rows and columns of a product."""
Numbers = npt.NDArray[np.int64]


class InvertedLists:
    """Vectors in lists around centres; the effort is the number of lists searched.

    With the effort `most` a search is exhaustive; it begins with `first`. Results do not depend on
    the number of threads.
    """

    def __init__(self, search: Search, *, seed: int) -> None:
        index = search.index
        n = len(index)
        lists = max(min(round(n**0.5), n // _LEAST), 1)
        self._metric, self._threads = search.metric, search.threads
        self.first, self.most = 1, lists
        chosen = np.sort(np.random.default_rng(seed).permutation(n)[: lists * _SAMPLED])
        by_distance = search.metric == kernel.L2

        def find_lists(part: slice) -> Numbers:
            values, norms = index.values[part], search.norms[part]
            compared = self._compare(scale_vectors(values, norms, search.metric))
            near: Numbers = compared.argmax(axis=1)
            return near

        with plain_blas(), ThreadPoolExecutor(self._threads) as pool:
            sample = index.values[chosen]
            if not by_distance:  # vectors of one direction are in one list, whatever their length
                sample = scale_vectors(sample, search.norms[chosen], kernel.COSINE)
            self._centres = _find_centres(sample, lists, by_distance=by_distance, seed=seed)
            own = list(pool.map(find_lists, slices(n, _BLOCK)))
        near = np.concatenate([np.empty(0, np.int64), *own])
        self._rows = np.argsort(near, kind="stable")
        """(n,) row of each stored vector."""
        self._ends = np.searchsorted(near[self._rows], np.arange(lists + 1))
        """(lists + 1,) first stored vector of each list, and n."""
        self._values = np.empty((n, index.dimensions), np.float32)
        place = np.empty(n, np.int64)
        place[self._rows] = np.arange(n)
        for part in slices(n, _BLOCK):
            values, norms = index.values[part], search.norms[part]
            self._values[place[part]] = scale_vectors(values, norms, search.metric)
        self._offsets = _half_squares(self._values) if by_distance else None

    def search(self, queries: Floats, k: int, effort: int) -> Numbers:
        """(b, k) rows in the nearest lists; -1 fills short lists.

        Args:
            queries: (b, d), of length 1 for the cosine.
            k: neighbours per query.
            effort: number of lists searched.
        """
        found = np.full((len(queries), k), -1, np.int64)
        parts = list(slices(len(queries), _BLOCK))
        with plain_blas(), ThreadPoolExecutor(self._threads) as pool:
            chosen = pool.map(lambda part: self._choose(queries[part], effort), parts)
            lists = np.concatenate([np.empty((0, effort), np.int64), *chosen])
            order = np.argsort(lists[:, 0], kind="stable")  # queries of a block share lists

            def search_block(part: slice) -> None:
                rows = order[part]
                found[rows] = self._search_block(queries[rows], lists[rows], k)

            list(pool.map(search_block, parts))
        return found

    def _compare(self, values: Floats) -> Floats:
        """(b, lists) higher for nearer centres."""
        products: Floats = values @ self._centres.T
        if self._metric == kernel.L2:
            products -= _half_squares(self._centres)
        return products

    def _choose(self, queries: Floats, effort: int) -> Numbers:
        """(b, effort) the nearest lists of each query, of which the nearest comes first."""
        near = self._compare(queries)
        lists: Numbers = np.argpartition(-near, effort - 1, axis=1)[:, :effort]
        first = np.take_along_axis(near, lists, axis=1).argmax(axis=1)
        rows = np.arange(len(lists))
        lists[rows, first], lists[:, 0] = lists[:, 0].copy(), lists[rows, first]
        return lists

    def _search_block(self, queries: Floats, lists: Numbers, k: int) -> Numbers:
        """(b, k) rows in the lists (b, effort) of each query."""
        best = BestScores(len(queries), k, len(self._values))
        wanted = lists.ravel()
        order = np.argsort(wanted, kind="stable")
        searched, starts = np.unique(wanted[order], return_index=True)
        for number, own in zip(searched.tolist(), np.split(order, starts[1:]), strict=True):
            begin, end = self._ends[number : number + 2].tolist()
            askers = own // lists.shape[1]
            for rows in slices(len(askers), _ROWS):
                asking = queries[askers[rows]]
                for cut in slices(end - begin, _LISTED):
                    stored = slice(begin + cut.start, begin + cut.stop)
                    products = asking @ self._values[stored].T
                    if self._offsets is not None:
                        products -= self._offsets[stored]
                    best.add(products, None, stored.start, askers[rows])
        places = best.sort()[0]
        return np.where(places < 0, -1, self._rows[places])


def _find_centres(sample: Floats, lists: int, *, by_distance: bool, seed: int) -> Floats:
    """(lists, d) centres of a sample (s, d): k-means, spherical for vectors of length 1."""
    centres = sample[np.random.default_rng(seed).permutation(len(sample))[:lists]]
    for _ in range(_ROUNDS):
        near = np.empty(len(sample), np.int64)
        for part in slices(len(sample), _BLOCK):
            products = sample[part] @ centres.T
            if by_distance:
                products -= _half_squares(centres)
            near[part] = products.argmax(axis=1)
        order, counts = np.argsort(near, kind="stable"), np.bincount(near, minlength=lists)
        full = np.flatnonzero(counts)
        starts = (np.cumsum(counts) - counts)[full]
        sums = np.add.reduceat(sample[order], starts, axis=0)
        if by_distance:
            centres[full] = sums / counts[full, None]
        else:
            lengths = np.linalg.norm(sums, axis=1, keepdims=True)
            centres[full] = np.divide(sums, lengths, out=centres[full], where=lengths > 0)
    return centres


def _half_squares(values: Floats) -> Floats:
    """(n,) half of the squared length of each row: q x - |x|^2 / 2 ranks x by its distance to q."""
    squares: Floats = np.einsum("nd,nd->n", values, values) / 2
    return squares
