"""Writes communities to the graph, replacing earlier communities.

New nodes and relationships are inserted in slices; then Meta `cluster_run` is set to the new run;
then communities of other runs are removed. Until the second step a reader sees all old communities.
Levels of the same run cannot be distinguished, so Meta is empty while they change. After an
interruption, writing the same run again completes the write.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import ConfigError
from citescape.core.progress import Progress, silent
from citescape.ingest.sync import differences
from citescape.mapping.communities.clustering import ClusterRun
from citescape.runs.directory import record_run
from citescape.store.graph_store import Change, GraphStore
from citescape.store.queries import query
from citescape.store.schema import NODE, TABLE
from citescape.store.state import CLUSTER_RUN, MAP_RUN, read_meta, write_meta
from citescape.store.statements import read_text

_SLICE = 20_000
"""Rows per transaction."""


@dataclass(frozen=True)
class WrittenCommunities:
    """Counts of a write to the graph."""

    communities: int
    memberships: int
    """Number of memberships of papers, one per level."""
    removed: int
    """Number of removed communities of other runs or levels."""
    not_in_graph: int
    """Number of papers of the run that are not in the graph."""


def write_communities(
    store: GraphStore, run: ClusterRun, *, level: str = "", progress: Progress = silent
) -> WrittenCommunities:
    """Replaces the communities of the graph by those of a run; a repetition changes nothing.

    All levels of a hierarchy are written, or one level of other runs. Papers outside the core are
    not written.

    Args:
        store: store to write.
        run: the communities.
        level: level to write, if the run has several levels that are not a hierarchy.
        progress: receives the current stage.

    Writes to the graph: a Run node; Community {run, level, name, size, resolution}, IN_COMMUNITY
    {run}, PART_OF; Meta `cluster_run`; Meta `map_run`, which a change clears.

    Raises:
        ConfigError: no such level, or several levels that are not a hierarchy and no level is
            named.
    """
    levels = find_graph_levels(run, level)
    if not levels:
        raise ConfigError(
            f"{run.run} has the levels {', '.join(run.levels)}, which are not a hierarchy; "
            "expected one of them to write to the graph"
        )
    record_run(store, run.record)
    known = store.read(read_text(NODE["Paper"], []))["id"]
    present_levels = set(store.read(query("communities/written"), run=run.run)["level"].to_pylist())
    other = read_meta(store, CLUSTER_RUN) != run.run
    if not other and present_levels != set(levels):
        _set_run(store, "")
    communities = _insert(store, "Community", _missing_nodes(store, run, levels), progress=progress)
    _insert(store, "PART_OF", _missing_parts(store, run, levels), progress=progress)

    memberships = absent = 0
    for name in levels:
        clustering = run.read(name).restrict_to_core()
        nodes = _ids(run, run.communities(name)["name"]).take(pa.array(clustering.labels))
        columns = {
            "from": pa.chunked_array([clustering.ids]),
            "to": nodes,
            "run": pa.repeat(run.run, len(nodes)),
        }
        rows = _fill("IN_COMMUNITY", columns)
        in_graph = pc.is_in(rows["from"], value_set=known)
        absent = rows.num_rows - int(pc.sum(in_graph).as_py() or 0)
        present = store.read(query("communities/memberships"), run=run.run, level=name)
        missing = _missing("IN_COMMUNITY", present, rows.filter(in_graph))
        memberships += _insert(store, "IN_COMMUNITY", missing, progress=progress)

    if (other or communities or memberships) and read_meta(store, MAP_RUN):
        write_meta(store, MAP_RUN, "")  # the map no longer has all communities
    _set_run(store, run.run if present_levels <= set(levels) else "")
    removed = _remove_others(store, run.run, levels, progress=progress)
    _set_run(store, run.run)
    return WrittenCommunities(communities, memberships, removed, absent)


def _set_run(store: GraphStore, run: str) -> None:
    """Sets the run of the communities in the graph."""
    if read_meta(store, CLUSTER_RUN) != run:
        write_meta(store, CLUSTER_RUN, run)


def find_graph_levels(run: ClusterRun, level: str = "") -> list[str]:
    """Levels of a run to write to the graph together.

    Empty if the run has several levels that are not a hierarchy, and no level is named.

    Raises:
        ConfigError: no such level.
    """
    levels = run.levels
    if level:
        return [run.level(level)]
    return levels if len(levels) == 1 or run.record.counts.get("nested") else []


def _missing_nodes(store: GraphStore, run: ClusterRun, levels: Sequence[str]) -> pa.Table:
    """Rows of Community to insert."""
    figures, tables = run.figures(), []
    for level in levels:
        communities = run.communities(level)
        resolution = figures["resolution"].filter(pc.equal(figures["level"], level))[0]
        columns = {
            "id": _ids(run, communities["name"]),
            "run": pa.repeat(run.run, communities.num_rows),
            "level": communities["level"],
            "name": communities["name"],
            "size": communities["size"],
            "resolution": pa.repeat(resolution, communities.num_rows),
        }
        tables.append(_fill("Community", columns))
    present = store.read(query("communities/written"), run=run.run).select(["id"])
    return _missing("Community", present, pa.concat_tables(tables))


def _missing_parts(store: GraphStore, run: ClusterRun, levels: Sequence[str]) -> pa.Table:
    """Rows of PART_OF to insert."""
    ends = pa.table({"from": pa.array([], pa.string()), "to": pa.array([], pa.string())})
    for level in levels[1:]:
        table = run.communities(level)
        parts = {"from": _ids(run, table["name"]), "to": _ids(run, table["parent"])}
        ends = pa.concat_tables([ends, pa.table(parts)])
    present = store.read(query("communities/parents"), run=run.run)
    return _missing("PART_OF", present, ends)


def _fill(name: str, columns: Mapping[str, pa.Array | pa.ChunkedArray]) -> pa.Table:
    """All columns of a table; missing ones are null."""
    schema = TABLE[name].arrow
    size = len(next(iter(columns.values())))
    empty = {column: pa.nulls(size, schema.field(column).type) for column in schema.names}
    return pa.table({**empty, **columns}).cast(schema)


def _ids(run: ClusterRun, names: pa.ChunkedArray) -> pa.ChunkedArray:
    """Ids of Community nodes."""
    return pc.binary_join_element_wise(run.run, names, "/")


def _missing(name: str, present: pa.Table, rows: pa.Table) -> pa.Table:
    """Rows that are not in the graph."""
    added = [c.rows for c in differences(name, present, rows) if c.action == "insert"]
    return added[0] if added else rows.slice(0, 0)


def _insert(store: GraphStore, name: str, rows: pa.Table, *, progress: Progress) -> int:
    for start in range(0, rows.num_rows, _SLICE):
        progress(f"writing communities to the graph: {name}, {start:,} of {rows.num_rows:,}")
        store.apply([Change("insert", name, rows.slice(start, _SLICE))], atomic=True)
    return int(rows.num_rows)


def _remove_others(
    store: GraphStore, run: str, levels: Sequence[str], *, progress: Progress
) -> int:
    """Removes other communities; relationships first, in slices, since there may be many."""
    kept = {"run": run, "levels": list(levels)}
    members = store.read(query("communities/outdated_memberships"), **kept).select(["from", "to"])
    old = store.read(query("communities/outdated"), **kept).select(["id"])
    for name, rows in (("IN_COMMUNITY", members), ("Community", old)):
        for start in range(0, rows.num_rows, _SLICE):
            progress(f"removing earlier communities: {name}, {start:,} of {rows.num_rows:,}")
            store.apply([Change("delete", name, rows.slice(start, _SLICE))])
    return int(old.num_rows)
