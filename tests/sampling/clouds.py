"""Small sets of vectors, and readable triplets sampled from them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.sampling.pool import SampledTriplets
from citescape.search.vectors import Vectors
from tests.sampling.conftest import Row, name, rows

Points = Sequence[Sequence[float]]


def vectors(points: Points | npt.NDArray[Any]) -> Vectors:
    array = np.asarray(points, np.float32)
    return Vectors(pa.table({"id": pa.array([name(k) for k in range(len(array))])}), array)


def cloud(papers: int, seed: int = 0, dimensions: int = 8) -> Vectors:
    return vectors(np.random.default_rng(seed).normal(size=(papers, dimensions)))


def small_numbers(seed: int, papers: int) -> Vectors:
    """Integers from -2 to 2: many papers with equal vectors or equal cosines."""
    chance = np.random.default_rng(seed)
    values = chance.integers(-2, 3, (papers, 3))
    values[~values.any(axis=1)] = 1
    return vectors(values)


def nearest(given: Vectors, query: int) -> list[tuple[str, float]]:
    """(id, cosine) of all other papers in plain Python, nearest first; ties by id."""
    points = [[float(x) for x in row] for row in given.values]

    def cosine(a: list[float], b: list[float]) -> float:
        product = math.fsum(x * y for x, y in zip(a, b, strict=True))
        lengths = math.fsum(x * x for x in a) * math.fsum(x * x for x in b)
        return round(product / math.sqrt(lengths), 6)

    found = [(-cosine(points[query], p), name(k)) for k, p in enumerate(points) if k != query]
    return [(id_, -score) for score, id_ in sorted(found)]


def by_anchor(sampled: SampledTriplets) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows(sampled.triplets):
        found.setdefault(row.anchor, []).append(row)
    return found


def is_hard(row: Row) -> bool:
    return row.negative_reason in ("far neighbour", "above threshold")
