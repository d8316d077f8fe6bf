"""Writes scores to the graph: only rows and columns that differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.pairs import Codes, Pairs, encode
from citescape.importance.by_row import look_up, read_paper_codes
from citescape.importance.read import changed_meanwhile
from citescape.importance.scored import ScoredPairs
from citescape.papers.slices import Slice, read_sliced
from citescape.store.graph_store import Change, EmbeddedStore, GraphStore, embedded
from citescape.store.schema import REL

_BATCH_ROWS = 250_000  # ladybug joins each batch with all pairs: few large ones, not many
_UNSEEN = 1 << 15
_SCORE = ("importance", "run")
_FEW = 0.1
"""Share of stale pairs up to which they are updated in an embedded store; with more, all pairs are
written anew, which takes less time for each."""
_SMALL = 2_000
"""Number of stale pairs up to which they are updated."""


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
    columns = tuple(_expected(scored, np.empty(0, np.int64), run))
    if (tables := embedded(store)) and not _has_values(tables, columns):
        return StalePairs(columns, np.full(len(pairs), (1 << len(columns)) - 1, np.uint16))
    masks = np.full(len(pairs), _UNSEEN, np.uint16)
    for positions, rows in _read_stored(store, pairs, columns, slices):
        expected = _expected(scored, positions, run)
        masks[positions] = sum(
            _differ(rows[name], expected[name]) << k for k, name in enumerate(columns)
        )
    if (masks == _UNSEEN).any():
        raise changed_meanwhile(store, len(pairs), int((masks != _UNSEEN).sum()))
    return StalePairs(columns, masks)


def _read_stored(
    store: GraphStore, pairs: Pairs, columns: Sequence[str], slices: Sequence[Slice]
) -> Iterator[tuple[npt.NDArray[np.int64], pa.Table]]:
    """Positions (k,) of pairs and their rows in the graph, batch by batch.

    Raises:
        StoreError: the graph has a pair that was not there when the features were read.
    """
    if tables := embedded(store):
        yield from _read_links(tables, pairs, columns)
        return
    for rows in read_sliced(store, "features/scores", slices):
        citing, cited = (encode(rows[end], pairs.ids) for end in ("citing", "cited"))
        yield _locate(store, pairs, citing, cited), rows


def _read_links(
    store: EmbeddedStore, pairs: Pairs, columns: Sequence[str]
) -> Iterator[tuple[npt.NDArray[np.int64], pa.Table]]:
    """The same from an embedded store; columns without any value are not read."""
    codes = read_paper_codes(store, pairs.ids)
    counts = store.count_links("CITES")
    filled = [name for name in columns if counts[name]]
    for rows in store.read_links("CITES", filled):
        citing, cited = look_up(codes, rows["from_row"]), look_up(codes, rows["to_row"])
        for name in columns:
            if name not in filled:
                rows = rows.append_column(name, pa.nulls(len(rows)))
        yield _locate(store, pairs, citing, cited), rows


def _has_values(store: EmbeddedStore, columns: Sequence[str]) -> bool:
    counts = store.count_links("CITES")
    return any(counts[name] for name in columns)


def _locate(store: GraphStore, pairs: Pairs, citing: Codes, cited: Codes) -> npt.NDArray[np.int64]:
    positions = pairs.locate(citing, cited)
    if (positions < 0).any():
        raise changed_meanwhile(store, len(pairs), len(pairs) + int((positions < 0).sum()))
    return positions


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


def is_overwritten(store: GraphStore, stale: StalePairs) -> bool:
    """Whether `overwrite_scores` is the faster way to write."""
    return embedded(store) is not None and len(stale) > max(_SMALL, _FEW * len(stale.masks))


def overwrite_scores(store: GraphStore, scored: ScoredPairs, *, run: str) -> None:
    """Writes all pairs of an embedded store anew: all or, after an error or a kill, none.

    Args:
        store: the graph.
        scored: all pairs.
        run: id of the run of the scores.

    Writes to the graph: what `write_scores` writes.

    Raises:
        StoreError: the set of pairs changed since the features were read.
    """
    if tables := embedded(store):
        tables.overwrite("CITES", _whole_rows(tables, scored, run))


def _whole_rows(store: EmbeddedStore, scored: ScoredPairs, run: str) -> Iterator[pa.Table]:
    """All pairs with their scores, and with what CITES holds besides.

    Raises:
        StoreError: the set of pairs changed since the features were read.
    """
    pairs, seen = scored.features.pairs, 0
    written = _expected(scored, np.empty(0, np.int64), run)
    counts = store.count_links("CITES")
    kept = [name for name in REL["CITES"].columns if name not in written and counts[name]]
    for positions, rows in _read_links(store, pairs, kept):
        citing, cited = pairs.ends(positions)
        others = {name: rows[name] for name in kept}
        yield pa.table({"from": citing, "to": cited, **_expected(scored, positions, run), **others})
        seen += len(rows)
    if seen != len(pairs):
        raise changed_meanwhile(store, len(pairs), seen)


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
