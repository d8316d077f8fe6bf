"""Pairs of papers that are both close and far by bands of neighbours (SciNCL, section 6.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.core.errors import ConfigError
from citescape.runs.result import Result, Summary, Table
from citescape.sampling.draws import Ints
from citescape.sampling.pool import Mask
from citescape.search.neighbours import iter_neighbours
from citescape.search.vectors import Vectors

Keys = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Collisions:
    """Numbers of pairs for one setting of the bands."""

    near: int
    """k+."""
    far: int
    """k- hard."""
    pairs: int
    """Distinct unordered pairs of query and positive."""
    collisions: int
    """Of these, pairs that are also a query and a hard negative."""
    within: int
    """Collisions within one query: 0 if the bands do not overlap."""

    @property
    def share(self) -> float:
        """Collisions divided by pairs, 0..1."""
        return self.collisions / self.pairs if self.pairs else 0.0


@dataclass(frozen=True)
class CollisionTable(Result):
    """Collisions at several distances of the bands."""

    rows: tuple[Collisions, ...]

    @property
    def arrow(self) -> pa.Table:
        """A row per setting of the bands: near, far, pairs, collisions, within, share."""
        return pa.Table.from_pylist(self.summarise().figures["collisions"])

    def summarise(self) -> Summary:
        """A row per setting of the bands."""
        header = ("near", "far", "pairs", "collisions", "of one anchor", "share")
        rows = [
            (r.near, r.far, r.pairs, r.collisions, r.within, f"{r.share:.2%}") for r in self.rows
        ]
        figures = [{**asdict(row), "share": row.share} for row in self.rows]
        return Summary([Table(header, rows)], {"collisions": figures})


def count_collisions(
    vectors: Vectors,
    queries: Mask,
    bands: Sequence[tuple[int, int]],
    *,
    positives: int = 5,
    hard: int = 2,
    threads: int = 0,
) -> list[Collisions]:
    """Collisions for each (k+, k- hard), from one search for neighbours.

    Args:
        vectors: vectors of the training corpus, see `sample_neighbourhood`.
        queries: (n,) true for papers that are anchors.
        bands: (k+, k- hard) to compare; they may overlap.
        positives: width of the positives' band.
        hard: width of the hard negatives' band.
        threads: 0 for all cores.

    Raises:
        ConfigError: a band does not fit the corpus, or no paper is a query.
    """
    if not queries.any():
        raise ConfigError("no paper is a query; expected some with a vector and a text")
    widest = max(max(pair) for pair in bands)
    if min(min(near - positives, far - hard) for near, far in bands) < 0 or widest >= len(vectors):
        raise ConfigError(
            f"bands reach from {min(map(min, bands))} to {widest}; expected {max(positives, hard)} "
            f"or more, less than the {len(vectors):,} papers"
        )
    chosen = np.flatnonzero(queries).astype(np.int32)
    close: list[list[Keys]] = [[] for _ in bands]
    far_off: list[list[Keys]] = [[] for _ in bands]
    for block in iter_neighbours(vectors, widest, queries=chosen.astype(np.int64), threads=threads):
        rows = chosen[block.first : block.first + len(block.indices)]
        for k, (near, far) in enumerate(bands):
            columns = block.indices[:, near - positives : near]
            close[k].append(_pair_keys(rows, columns, len(vectors)))
            far_off[k].append(_pair_keys(rows, block.indices[:, far - hard : far], len(vectors)))
    table = []
    for band, close_keys, far_keys in zip(bands, close, far_off, strict=True):
        keys = np.concatenate(close_keys), np.concatenate(far_keys)
        unordered = []
        for ordered in keys:
            a, b = np.divmod(ordered, len(vectors))
            unordered.append(np.unique(np.minimum(a, b) * len(vectors) + np.maximum(a, b)))
        shared = np.intersect1d(unordered[0], unordered[1], assume_unique=True)
        within = len(np.intersect1d(keys[0], keys[1]))
        pairs, collisions = len(unordered[0]), len(shared)
        table.append(Collisions(*band, pairs=pairs, collisions=collisions, within=within))
    return table


def _pair_keys(rows: Ints, columns: Ints, papers: int) -> Keys:
    """One number for each (query, neighbour)."""
    keys: Keys = (rows.astype(np.int64)[:, None] * papers + columns).ravel()
    return keys
