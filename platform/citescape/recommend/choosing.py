"""The best papers of each query, as their scores come, a range of papers after the other."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from citescape.core.compiled import compiled
from citescape.search.listed import Codes

_NONE = -1
_SPARE = 4
"""Times k that papers may be held before they are thinned out."""
_RUN = 16
"""Scores that are passed over together where none is great enough."""
Array = npt.NDArray[Any]


class Best:
    """The k best papers so far of some queries; of equal ones those of lower rows."""

    def __init__(self, queries: int, k: int, size: int) -> None:
        """For at most `size` papers."""
        room = min(_SPARE * k, max(size, k)) + _RUN
        self._k, self._counts = k, np.zeros(queries, np.int64)
        self._rows = np.empty((queries, room), np.int32)
        self._scores = np.empty((queries, room), np.float32)
        self._least = np.full(queries, -np.inf, np.float32)

    def take(self, scores: Array, allowed: Array, first: int) -> None:
        """Looks at a range that follows those before.

        Args:
            scores: (b, r) finite.
            allowed: (b, r) which of them may be found.
            first: row of its first paper.
        """
        held = (self._rows, self._scores, self._counts, self._least)
        _take(scores, allowed, first, self._k, held)

    def sort(self) -> tuple[Codes, Array]:
        """(b, k) rows and scores, descending; -1 and -inf where there are fewer."""
        rows = np.full((len(self._counts), self._k), _NONE, np.int32)
        scores = np.full(rows.shape, -np.inf, np.float32)
        for query, count in enumerate(self._counts):
            held = self._scores[query, :count]
            order = np.argsort(-held, kind="stable")[: self._k]
            rows[query, : len(order)] = self._rows[query, order]
            scores[query, : len(order)] = held[order]
        return rows, scores


def join(parts: list[tuple[Codes, Array]]) -> tuple[Codes, Array]:
    """(b, k) of what was found among earlier and later papers."""
    rows, scores = (np.concatenate(each, axis=1) for each in zip(*parts, strict=True))
    order = np.argsort(-scores, axis=1, kind="stable")[:, : parts[0][0].shape[1]]
    return np.take_along_axis(rows, order, axis=1), np.take_along_axis(scores, order, axis=1)


@compiled
def _take(
    scores: Array,
    allowed: Array,
    first: int,
    k: int,
    held: tuple[Array, Array, Array, Array],
) -> None:
    rows, values, counts, least = held
    for query in range(len(scores)):
        row, count, bound = scores[query], counts[query], least[query]
        for start in range(0, len(row), _RUN):
            part, there = row[start : start + _RUN], np.int32(0)
            for place in range(len(part)):
                there |= np.int32(part[place] > bound)
            if not there:
                continue
            for place in range(len(part)):
                rows[query, count], values[query, count] = first + start + place, part[place]
                count += part[place] > bound and allowed[query, start + place]
            if count > rows.shape[1] - _RUN:
                count, bound = _thin(rows[query], values[query], count, k)
        counts[query], least[query] = count, bound


@compiled
def _thin(rows: Array, values: Array, count: int, k: int) -> tuple[int, float]:
    """Leaves the k greatest, of equal ones the first; returns k and the least of them."""
    least = np.partition(values[:count], count - k)[count - k]
    room, kept = k, 0
    for place in range(count):
        room -= values[place] > least
    for place in range(count):
        value = values[place]
        if value > least or (value == least and room > 0):
            room -= value == least
            rows[kept], values[kept], kept = rows[place], value, kept + 1
    return kept, least
