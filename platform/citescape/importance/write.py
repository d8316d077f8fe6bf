"""Writes scores to the graph: only rows and columns that differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.pairs import encode
from citescape.importance.read import changed_meanwhile
from citescape.importance.scored import ScoredPairs
from citescape.papers.slices import Slice, read_sliced
from citescape.store.graph_store import Change, GraphStore

_BATCH_ROWS = 250_000  # ladybug joins each batch with all pairs: few large ones, not many
_UNSEEN = 1 << 15
_SCORE = ("importance", "run")


@dataclass(frozen=True)
class StalePairs:
    """Pairs whose row in the graph differs from the scores."""

    columns: tuple[str, ...]
    """Properties of CITES that were compared."""
    masks: npt.NDArray[np.uint16]
    """(pairs,) bit k: column k differs; 0: nothing to do."""

    def __len__(self) -> int:
        return int(np.count_nonzero(self.masks))

    def batches(self) -> Iterator[tuple[npt.NDArray[np.int64], list[str]]]:
        """Positions (k,), at most 250,000, and the columns in which any of them differs.

        Pairs whose score alone differs have batches of their own: after an ingest a few pairs are
        new, but entropy weights, and so all scores, change.
        """
        features = sum(1 << k for k, name in enumerate(self.columns) if name not in _SCORE)
        recounted = (self.masks & features) != 0
        for group in (recounted, (self.masks != 0) & ~recounted):
            positions = np.flatnonzero(group)
            for start in range(0, len(positions), _BATCH_ROWS):
                batch = positions[start : start + _BATCH_ROWS]
                differ = int(np.bitwise_or.reduce(self.masks[batch]))
                yield batch, [name for k, name in enumerate(self.columns) if differ >> k & 1]


def find_stale(
    store: GraphStore, scored: ScoredPairs, *, run: str, slices: Sequence[Slice]
) -> StalePairs:
    """Compares every pair's row in the graph with its score.

    Args:
        store: the graph.
        scored: all pairs.
        run: id of the run of the scores.
        slices: citing papers, see `papers.slices`.

    Raises:
        StoreError: the set of pairs changed since the features were read.
    """
    pairs = scored.features.pairs
    masks = np.full(len(pairs), _UNSEEN, np.uint16)
    columns = tuple(_expected(scored, np.empty(0, np.int64), run))
    for rows in read_sliced(store, "features/scores", slices):
        positions = pairs.locate(
            encode(rows["citing"], pairs.ids), encode(rows["cited"], pairs.ids)
        )
        if (positions < 0).any():
            raise changed_meanwhile(store, len(pairs), len(pairs) + int((positions < 0).sum()))
        expected = _expected(scored, positions, run)
        masks[positions] = sum(
            _differ(rows[name], expected[name]) << k for k, name in enumerate(columns)
        )
    if (masks == _UNSEEN).any():
        raise changed_meanwhile(store, len(pairs), int((masks != _UNSEEN).sum()))
    return StalePairs(columns, masks)


def write_scores(store: GraphStore, scored: ScoredPairs, *, run: str, stale: StalePairs) -> None:
    """Brings stale rows up to date, batch by batch; safe to repeat after an interruption.

    Args:
        store: the graph.
        scored: all pairs.
        run: id of the run of the scores.
        stale: the pairs to write.

    Writes to the graph: CITES.mentions, f_I, f_M, f_R, f_D, f_other, self, importance, run, and
    title_similarity where titles were compared, abstract_similarity where abstracts were.
    """
    for positions, columns in stale.batches():
        citing, cited = scored.features.pairs.ends(positions)
        expected = _expected(scored, positions, run)
        rows = {"from": citing, "to": cited, **{name: expected[name] for name in columns}}
        store.apply([Change("update", "CITES", pa.table(rows))])


def _expected(
    scored: ScoredPairs, positions: npt.NDArray[np.int64], run: str
) -> dict[str, pa.Array]:
    return {**scored.columns(positions), "run": pa.repeat(run, len(positions))}


def _differ(stored: pa.ChunkedArray, expected: pa.Array) -> npt.NDArray[np.uint16]:
    """1 where values differ (k,); null equals null only."""
    stored = stored.cast(expected.type)
    both_null = pc.and_(pc.is_null(stored), pc.is_null(expected))
    same = pc.or_(both_null, pc.fill_null(pc.equal(stored, expected), False))
    bits: npt.NDArray[np.uint16] = pc.invert(same).to_numpy().astype(np.uint16)
    return bits
