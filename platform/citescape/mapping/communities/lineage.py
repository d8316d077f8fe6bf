"""Names of communities that last, and what became of those of an earlier clustering."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from scipy.sparse import coo_array

from citescape.core.pairs import find_rows
from citescape.mapping.communities.clustering import Clustering, Labels

LINEAGE = pa.schema(
    {
        "level": pa.string(),
        "name": pa.string(),
        "previous": pa.list_(pa.string()),
        "shared": pa.int64(),
        "jaccard": pa.float64(),
        "event": pa.string(),
    }
)
"""A row a community, and one for each earlier one whose papers went different ways: `name`, null
for those; `previous`, earlier ones it has come from; of the papers of the one it is named after, or
else shares most with, `shared` and `jaccard`; `event`, one of `EVENTS`."""
EVENTS = ("same", "new", "split", "merged", "gone")
_ALIKE = 1 / 3
"""Jaccard index from which on a name is kept: two communities of equal size have half of their
papers in common then."""


@dataclass(frozen=True)
class Named:
    """A clustering whose communities have names."""

    clustering: Clustering
    names: list[str]
    """(communities,)."""
    numbered: int = 0
    """The highest number in any name so far, those that are gone included."""


@dataclass(frozen=True)
class _Overlap:
    """Papers that both an earlier and a present community have, of those in both clusterings."""

    shared: coo_array
    """(earlier, present)."""
    earlier: np.ndarray
    """(earlier,) papers."""
    present: np.ndarray
    """(present,) papers."""

    @property
    def jaccard(self) -> np.ndarray:
        """(entries of `shared`,) |both| / |either|."""
        rows, columns = self.shared.coords
        both = self.shared.data
        index: np.ndarray = both / (self.earlier[rows] + self.present[columns] - both)
        return index


def name_communities(
    clustering: Clustering, prefix: str, previous: Named | None = None
) -> tuple[Named, pa.Table]:
    """Names for the communities of a clustering, those of an earlier one kept where they fit.

    Of papers of the core that are in both clusterings, the Jaccard index |both| / |either| of every
    earlier and present community is computed. In descending order of it, of equal ones that with
    more papers in common, then the lower labels first, a name goes on where neither of the two is
    taken and the index is 1/3 at least. Other communities get a number that was not used before.

    Events: `merged`, half of the papers or more of two or more earlier communities are in it;
    `split`, half of its papers or more are from an earlier one that another community has as much
    from; else `same` where a name goes on, and `new`. `gone`: less than half of an earlier one,
    whose name is not kept, went into any one community.

    Args:
        clustering: to be named.
        prefix: of names, before a number.
        previous: the earlier clustering.

    Returns:
        Names, and the rows of lineage (schema `LINEAGE`, `level` null); none without a previous.
    """
    if previous is None:
        names = [f"{prefix}{number + 1}" for number in range(len(clustering))]
        return Named(clustering, names, len(names)), LINEAGE.empty_table()
    overlap = _overlap(previous.clustering, clustering)
    kept = _match(overlap)
    names, number = [], previous.numbered
    for earlier in kept.tolist():
        number += earlier < 0
        names.append(previous.names[earlier] if earlier >= 0 else f"{prefix}{number}")
    named = Named(clustering, names, number)
    return named, _tell(overlap, kept, previous.names, names=names)


def _overlap(previous: Clustering, present: Clustering) -> _Overlap:
    before, after = previous.of_core(), present.of_core()
    rows = find_rows(after.ids, before.ids)
    both = rows >= 0
    one, other = before.labels[rows[both]], after.labels[both]
    shape = (len(previous), len(present))
    shared = coo_array((np.ones(len(one)), (one, other)), shape=shape).tocsr().tocoo()
    sizes = (np.bincount(one, minlength=shape[0]), np.bincount(other, minlength=shape[1]))
    return _Overlap(shared, *sizes)


def _match(overlap: _Overlap) -> Labels:
    """(present,) the earlier community each is named after, or -1."""
    rows, columns = overlap.shared.coords
    index = overlap.jaccard
    order = np.lexsort((columns, rows, -overlap.shared.data, -index))
    kept = np.full(len(overlap.present), -1, np.int32)
    taken = np.zeros(len(overlap.earlier), np.bool_)
    for entry in order[: int((index >= _ALIKE).sum())]:
        earlier, present = rows[entry], columns[entry]
        if kept[present] < 0 and not taken[earlier]:
            kept[present], taken[earlier] = earlier, True
    return kept


def _tell(
    overlap: _Overlap, kept: Labels, before: Sequence[str], *, names: Sequence[str]
) -> pa.Table:
    """Rows of lineage."""
    rows, columns = overlap.shared.coords
    data, named = overlap.shared.data, kept[columns] == rows
    went = 2 * data >= overlap.earlier[rows]
    came = 2 * data >= overlap.present[columns]
    source = np.flatnonzero(went | came | named)
    source = source[np.lexsort((rows[source], -data[source], ~named[source], columns[source]))]
    counts = np.bincount(columns[source], minlength=len(names))
    starts = np.concatenate([[0], np.cumsum(counts)])
    first = np.append(source, 0)[np.minimum(starts[:-1], max(len(source) - 1, 0))]
    sourced = counts > 0
    told = {
        "name": names,
        "previous": _lists(before, rows[source], starts),
        "shared": np.where(sourced, np.append(data, 0)[first], 0).astype(np.int64),
        "jaccard": np.where(sourced, np.append(overlap.jaccard, 0.0)[first], 0.0),
        "event": _events(overlap, kept, went=went, came=came),
    }
    gone = np.ones(len(before), np.bool_)
    gone[rows[went]] = gone[kept[kept >= 0]] = False
    return pa.concat_tables([_table(told), _gone(before, np.flatnonzero(gone))])


def _events(
    overlap: _Overlap, kept: Labels, *, went: np.ndarray, came: np.ndarray
) -> npt.NDArray[np.str_]:
    """(present,) what became of it."""
    rows, columns = overlap.shared.coords
    parts = np.bincount(rows[came], minlength=len(overlap.earlier))
    torn = columns[came & (parts[rows] > 1)]
    merged = np.bincount(columns[went], minlength=len(kept)) > 1
    split = np.bincount(torn, minlength=len(kept)) > 0
    return np.select([merged, split, kept >= 0], ["merged", "split", "same"], "new")


def _gone(before: Sequence[str], earlier: np.ndarray) -> pa.Table:
    zeros = np.zeros(len(earlier))
    told = {
        "name": pa.nulls(len(earlier), pa.string()),
        "previous": _lists(before, earlier, np.arange(len(earlier) + 1)),
        "shared": zeros.astype(np.int64),
        "jaccard": zeros,
        "event": ["gone"] * len(earlier),
    }
    return _table(told)


def _table(columns: Mapping[str, object]) -> pa.Table:
    """Rows of lineage, of no level yet."""
    size = len(columns["jaccard"])  # type: ignore[arg-type]
    return pa.table({"level": pa.nulls(size, pa.string()), **columns}, LINEAGE)


def _lists(names: Sequence[str], chosen: np.ndarray, starts: np.ndarray) -> pa.ListArray:
    """Names in lists, of which each begins where `starts` says."""
    values = pa.array(names, pa.string()).take(pa.array(chosen.astype(np.int64)))
    return pa.ListArray.from_arrays(pa.array(starts.astype(np.int32)), values)
