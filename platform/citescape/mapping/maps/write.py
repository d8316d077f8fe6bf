"""Writes a map to the graph: places of communities and of their papers."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.progress import Progress, silent
from citescape.mapping.maps.map_run import MapRun
from citescape.runs.directory import record_run
from citescape.store.graph_store import Change, GraphStore
from citescape.store.queries import query
from citescape.store.state import CLUSTER_RUN, MAP_RUN, read_meta, write_meta

_SLICE = 20_000
"""Rows per transaction."""
_PLACE = ("x", "y")


@dataclass(frozen=True)
class WrittenPlaces:
    """Counts of a write to the graph."""

    communities: int
    """Number of communities whose place was written or removed."""
    memberships: int
    """Number of memberships of papers whose place was written or removed, one per level."""


def is_in_graph(store: GraphStore, run: MapRun) -> bool:
    """Whether the communities of a map are those in the graph."""
    return read_meta(store, CLUSTER_RUN) == run.clustering


def write_map(
    store: GraphStore, run: MapRun, *, progress: Progress = silent
) -> WrittenPlaces | None:
    """Writes places to the graph; a repetition changes nothing.

    Only differences are written. Meta `map_run` is cleared before the first row and set to the map
    after the last; after an interruption, writing the same map again completes the write.

    Args:
        store: store to write.
        run: the map.
        progress: receives the current stage.

    Returns:
        None if the graph has the communities of another clustering; nothing is written.

    Writes to the graph: Community {x, y}, on the map of topics; IN_COMMUNITY {x, y} at all levels,
    on the map of papers; null without a place, as for communities of other levels; a Run node; Meta
    `map_run`.
    """
    if not is_in_graph(store, run):
        return None
    record_run(store, run.record)
    present = store.read(query("maps/communities"), run=run.clustering)
    own = pc.if_else(pc.equal(present["level"], run.level), present["name"], None)
    topics = _select_changed(
        present.append_column("own", own), run.read_topics(), keys=("own", "name")
    )
    members = store.read(query("maps/papers"), run=run.clustering)
    papers = _select_changed(members, run.read_papers(), keys=("from", "id"))
    if read_meta(store, MAP_RUN) != run.run or topics.num_rows or papers.num_rows:
        write_meta(store, MAP_RUN, "")
        _update(store, "Community", topics.select(["id", *_PLACE]), progress=progress)
        _update(store, "IN_COMMUNITY", papers.select(["from", "to", *_PLACE]), progress=progress)
        write_meta(store, MAP_RUN, run.run)
    return WrittenPlaces(topics.num_rows, papers.num_rows)


def _select_changed(present: pa.Table, places: pa.Table, *, keys: tuple[str, str]) -> pa.Table:
    """Rows of `present` whose place on the map differs, with the new place."""
    own, other = keys
    names = places[other].combine_chunks().cast(pa.string())
    rows = pc.index_in(present[own].combine_chunks().cast(pa.string()), value_set=names)
    null = pa.scalar(None, pa.float64())
    differs = pa.array([False] * present.num_rows, pa.bool_())
    for name in _PLACE:
        new = places[name].combine_chunks().take(rows)
        new = pc.if_else(pc.is_finite(new), new, null)
        old = present[name].combine_chunks().cast(pa.float64())
        both_null = pc.and_(pc.is_null(new), pc.is_null(old))
        equal = pc.or_(both_null, pc.fill_null(pc.equal(new, old), False))
        differs = pc.or_(differs, pc.invert(equal))
        present = present.set_column(present.column_names.index(name), name, new)
    return present.filter(differs).combine_chunks()


def _update(store: GraphStore, name: str, rows: pa.Table, *, progress: Progress) -> None:
    for start in range(0, rows.num_rows, _SLICE):
        progress(f"writing places to the graph: {start:,} of {rows.num_rows:,}")
        store.apply([Change("update", name, rows.slice(start, _SLICE))])
