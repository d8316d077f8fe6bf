"""A map in the graph: places beside communities and their papers."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.progress import Progress, silent
from citescape.mapping.maps.drawn import MapRun
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
    """Communities whose place was written or removed."""
    memberships: int
    """Memberships of papers whose place was written or removed, one at each level."""


def is_in_graph(store: GraphStore, drawn: MapRun) -> bool:
    """Whether the communities of a map are those in the graph."""
    return read_meta(store, CLUSTER_RUN) == drawn.clustering


def write_map(
    store: GraphStore, drawn: MapRun, *, progress: Progress = silent
) -> WrittenPlaces | None:
    """Writes places to the graph; repeating it changes nothing.

    Only differences are written. Meta `map_run` is emptied before the first row and names the map
    after the last; if a step is cut off, writing the same map again completes it.

    A map of another clustering than that in the graph is not written.

    Returns:
        None if the graph holds the communities of another clustering.

    Writes to the graph: Community {x, y}, on the map of topics; IN_COMMUNITY {x, y} at all levels,
    on the map of papers; null without a place, as for communities of other levels; a Run node; Meta
    `map_run`.
    """
    if not is_in_graph(store, drawn):
        return None
    record_run(store, drawn.record)
    held = store.read(query("maps/communities"), run=drawn.clustering)
    own = pc.if_else(pc.equal(held["level"], drawn.level), held["name"], None)
    topics = _differing(held.append_column("own", own), drawn.read_topics(), keys=("own", "name"))
    members = store.read(query("maps/papers"), run=drawn.clustering)
    papers = _differing(members, drawn.read_papers(), keys=("from", "id"))
    if read_meta(store, MAP_RUN) != drawn.run or topics.num_rows or papers.num_rows:
        write_meta(store, MAP_RUN, "")
        _update(store, "Community", topics.select(["id", *_PLACE]), progress=progress)
        _update(store, "IN_COMMUNITY", papers.select(["from", "to", *_PLACE]), progress=progress)
        write_meta(store, MAP_RUN, drawn.run)
    return WrittenPlaces(topics.num_rows, papers.num_rows)


def _differing(held: pa.Table, places: pa.Table, *, keys: tuple[str, str]) -> pa.Table:
    """The rows of `held` whose place on the map differs, with the new place."""
    own, other = keys
    among = places[other].combine_chunks().cast(pa.string())
    rows = pc.index_in(held[own].combine_chunks().cast(pa.string()), value_set=among)
    none = pa.scalar(None, pa.float64())
    differs = pa.array([False] * held.num_rows, pa.bool_())
    for name in _PLACE:
        new = places[name].combine_chunks().take(rows)
        new = pc.if_else(pc.is_finite(new), new, none)
        present = held[name].combine_chunks().cast(pa.float64())
        both_null = pc.and_(pc.is_null(new), pc.is_null(present))
        equal = pc.or_(both_null, pc.fill_null(pc.equal(new, present), False))
        differs = pc.or_(differs, pc.invert(equal))
        held = held.set_column(held.column_names.index(name), name, new)
    return held.filter(differs).combine_chunks()


def _update(store: GraphStore, name: str, rows: pa.Table, *, progress: Progress) -> None:
    for start in range(0, rows.num_rows, _SLICE):
        progress(f"writing places to the graph: {start:,} of {rows.num_rows:,}")
        store.apply([Change("update", name, rows.slice(start, _SLICE))])
