"""Names of communities, kept from run to run, and events since an earlier clustering."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
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
"""One row per community, and one per dissolved earlier community, with `name` null. `previous`: its
earlier communities; `shared` and `jaccard`: overlap with the earlier community of the same name,
else with the earlier community of the largest overlap; `event`: one of `EVENTS`."""
EVENTS = ("same", "new", "split", "merged", "dissolved")
_ALIKE = 1 / 3
"""Minimum Jaccard index for which a name is kept: two communities of equal size then share half of
their papers."""


@dataclass(frozen=True)
class NamedClustering:
    """A clustering with names of its communities."""

    clustering: Clustering
    names: list[str]
    """(communities,) names by label."""
    numbered: int = 0
    """The highest number in all names so far, including names no longer used."""


@dataclass(frozen=True)
class _Overlap:
    """Papers shared by earlier and present communities, among papers in both clusterings."""

    shared: coo_array
    """(earlier, present) numbers of shared papers."""
    earlier: np.ndarray
    """(earlier,) sizes in papers."""
    present: np.ndarray
    """(present,) sizes in papers."""

    @property
    def jaccard(self) -> np.ndarray:
        """(entries of `shared`,) |both| / |either|."""
        rows, columns = self.shared.coords
        both = self.shared.data
        index: np.ndarray = both / (self.earlier[rows] + self.present[columns] - both)
        return index


def name_communities(
    clustering: Clustering, prefix: str, previous: NamedClustering | None = None
) -> tuple[NamedClustering, pa.Table]:
    """Names the communities of a clustering, keeping names of an earlier clustering.

    The Jaccard index |both| / |either| of every earlier and present community is computed over
    papers of the core in both clusterings. In descending order of the index, then of the papers in
    common, then of the lower labels, a name is kept if neither community is matched yet and the
    index is at least 1/3. Other communities get a number that was not used before.

    Events: `merged`, the community has half or more of the papers of two or more earlier
    communities; `split`, half or more of its papers, and of another community's papers, are from
    the same earlier community; else `same` if the name is kept, or `new`. `dissolved`, the name of
    the earlier community is not kept, and no community has half or more of its papers.

    Args:
        clustering: clustering to name.
        prefix: prefix of new names.
        previous: earlier clustering, or None.

    Returns:
        Names, and the rows of lineage (schema `LINEAGE`, `level` null); no rows without `previous`.
    """
    if previous is None:
        names = [f"{prefix}{number + 1}" for number in range(len(clustering))]
        return NamedClustering(clustering, names, len(names)), LINEAGE.empty_table()
    overlap = _overlap(previous.clustering, clustering)
    rows, columns = overlap.shared.coords
    order = np.lexsort((columns, rows, -overlap.shared.data, -overlap.jaccard))
    kept = np.full(len(overlap.present), -1, np.int32)  # earlier community of the same name
    matched = np.zeros(len(overlap.earlier), np.bool_)
    for entry in order[: int((overlap.jaccard >= _ALIKE).sum())]:
        earlier, present = rows[entry], columns[entry]
        if kept[present] < 0 and not matched[earlier]:
            kept[present], matched[earlier] = earlier, True

    names, number = [], previous.numbered
    for earlier in kept.tolist():
        number += earlier < 0
        names.append(previous.names[earlier] if earlier >= 0 else f"{prefix}{number}")
    lineage = _describe_lineage(overlap, kept, previous.names, names=names)
    return NamedClustering(clustering, names, number), lineage


def _overlap(previous: Clustering, present: Clustering) -> _Overlap:
    before, after = previous.restrict_to_core(), present.restrict_to_core()
    rows = find_rows(after.ids, before.ids)
    both = rows >= 0
    earlier, later = before.labels[rows[both]], after.labels[both]
    shape = (len(previous), len(present))
    shared = coo_array((np.ones(len(earlier)), (earlier, later)), shape=shape).tocsr().tocoo()
    sizes = (np.bincount(earlier, minlength=shape[0]), np.bincount(later, minlength=shape[1]))
    return _Overlap(shared, *sizes)


def _describe_lineage(
    overlap: _Overlap, kept: Labels, before: Sequence[str], *, names: Sequence[str]
) -> pa.Table:
    rows, columns = overlap.shared.coords
    data, named = overlap.shared.data, kept[columns] == rows
    most_of_earlier = 2 * data >= overlap.earlier[rows]  # half or more of its papers
    most_of_present = 2 * data >= overlap.present[columns]

    # Earlier communities of each present community: the same name first, then by shared papers.
    source = np.flatnonzero(most_of_earlier | most_of_present | named)
    source = source[np.lexsort((rows[source], -data[source], ~named[source], columns[source]))]
    counts = np.bincount(columns[source], minlength=len(names))
    starts = np.concatenate([[0], np.cumsum(counts)])
    first = np.append(source, 0)[np.minimum(starts[:-1], max(len(source) - 1, 0))]
    shared = np.where(counts > 0, np.append(data, 0)[first], 0).astype(np.int64)
    jaccard = np.where(counts > 0, np.append(overlap.jaccard, 0.0)[first], 0.0)

    parts = np.bincount(rows[most_of_present], minlength=len(before))
    split = np.bincount(columns[most_of_present & (parts[rows] > 1)], minlength=len(kept)) > 0
    merged = np.bincount(columns[most_of_earlier], minlength=len(kept)) > 1
    events = np.select([merged, split, kept >= 0], ["merged", "split", "same"], "new")

    is_dissolved = np.ones(len(before), np.bool_)
    is_dissolved[rows[most_of_earlier]] = is_dissolved[kept[kept >= 0]] = False
    dissolved = np.flatnonzero(is_dissolved)
    count = len(dissolved)
    chosen = np.concatenate([rows[source], dissolved]).astype(np.int64)
    starts = np.concatenate([starts, starts[-1] + np.arange(1, count + 1)]).astype(np.int32)
    previous = pa.array(before, pa.string()).take(pa.array(chosen))
    table = {
        "level": pa.nulls(len(names) + count, pa.string()),
        "name": [*names, *([None] * count)],
        "previous": pa.ListArray.from_arrays(pa.array(starts), previous),
        "shared": np.append(shared, np.zeros(count, np.int64)),
        "jaccard": np.append(jaccard, np.zeros(count)),
        "event": [*events.tolist(), *(["dissolved"] * count)],
    }
    return pa.table(table, LINEAGE)
