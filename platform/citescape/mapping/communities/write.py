"""Communities in the graph: written beside those of before, then put in their place.

New nodes and relationships are inserted in slices; then Meta `cluster_run` names the new run; then
the communities of other runs go. Until the second step a reader finds the old ones, all of them.
Nothing would tell other levels of the same run from these, so Meta is empty while they come or go.
Whatever step is cut off, writing the same run again completes it.
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
"""Rows of one transaction."""


@dataclass(frozen=True)
class WrittenCommunities:
    """What a write to the graph did."""

    communities: int
    memberships: int
    """Papers put into communities, once at each level."""
    removed: int
    """Communities of other runs or levels."""
    not_in_graph: int
    """Papers of the run that the graph does not have, or no longer."""


def write_communities(
    store: GraphStore, run: ClusterRun, *, level: str = "", progress: Progress = silent
) -> WrittenCommunities:
    """Makes the communities of a run those of the graph; safe to repeat, and then does nothing.

    All levels of a hierarchy are written, of other runs one. Papers outside the core are not put
    into communities: they only tie others together.

    Args:
        store: the graph.
        run: of `cluster`.
        level: which of several that are no hierarchy.
        progress: told what is being written.

    Writes to the graph: a Run node; Community {run, level, name, size, resolution}, IN_COMMUNITY
    {run}, PART_OF; Meta `cluster_run`; Meta `map_run`, which is empty after a change.

    Raises:
        ConfigError: of several levels that are no hierarchy none is named; no such level.
    """
    levels = find_graph_levels(run, level)
    if not levels:
        raise ConfigError(
            f"{run.run} has the levels {', '.join(run.levels)}, which are no hierarchy; expected "
            "one of them to write to the graph"
        )
    record_run(store, run.record)
    known = store.read(read_text(NODE["Paper"], []))["id"]
    held = set(store.read(query("communities/written"), run=run.run)["level"].to_pylist())
    other = read_meta(store, CLUSTER_RUN) != run.run
    if not other and held != set(levels):
        _name(store, "")
    made = _insert(store, "Community", _missing_nodes(store, run, levels), progress=progress)
    _insert(store, "PART_OF", _missing_parts(store, run, levels), progress=progress)
    joined = absent = 0
    for name in levels:
        wanted = _memberships(run, name)
        there = pc.is_in(wanted["from"], value_set=known)
        absent = wanted.num_rows - int(pc.sum(there).as_py() or 0)
        present = store.read(query("communities/memberships"), run=run.run, level=name)
        missing = _missing("IN_COMMUNITY", present, wanted.filter(there))
        joined += _insert(store, "IN_COMMUNITY", missing, progress=progress)
    if (other or made or joined) and read_meta(store, MAP_RUN):
        write_meta(store, MAP_RUN, "")  # no longer are all communities on that map
    _name(store, run.run if held <= set(levels) else "")
    removed = _remove_others(store, run.run, levels, progress=progress)
    _name(store, run.run)
    return WrittenCommunities(made, joined, removed, absent)


def _name(store: GraphStore, run: str) -> None:
    """The run whose communities are to be read."""
    if read_meta(store, CLUSTER_RUN) != run:
        write_meta(store, CLUSTER_RUN, run)


def find_graph_levels(run: ClusterRun, level: str = "") -> list[str]:
    """The levels of a run that go to the graph together.

    None where there are several that are no hierarchy, and none of them is named.

    Raises:
        ConfigError: no such level.
    """
    levels = run.levels
    if level:
        return [run.level(level)]
    return levels if len(levels) == 1 or run.record.counts.get("nested") else []


def _missing_nodes(store: GraphStore, run: ClusterRun, levels: Sequence[str]) -> pa.Table:
    wanted = pa.concat_tables([_nodes(run, level) for level in levels])
    present = store.read(query("communities/written"), run=run.run).select(["id"])
    return _missing("Community", present, wanted)


def _missing_parts(store: GraphStore, run: ClusterRun, levels: Sequence[str]) -> pa.Table:
    tables = [run.communities(level) for level in levels[1:]]
    wanted = pa.table({"from": pa.array([], pa.string()), "to": pa.array([], pa.string())})
    for table in tables:
        ends = {"from": _ids(run, table["name"]), "to": _ids(run, table["parent"])}
        wanted = pa.concat_tables([wanted, pa.table(ends)])
    present = store.read(query("communities/parents"), run=run.run)
    return _missing("PART_OF", present, wanted)


def _nodes(run: ClusterRun, level: str) -> pa.Table:
    """Rows of Community."""
    found, figures = run.communities(level), run.figures()
    resolution = figures["resolution"].filter(pc.equal(figures["level"], level))[0]
    given = {
        "id": _ids(run, found["name"]),
        "run": pa.repeat(run.run, found.num_rows),
        "level": found["level"],
        "name": found["name"],
        "size": found["size"],
        "resolution": pa.repeat(resolution, found.num_rows),
    }
    return _fill("Community", given)


def _memberships(run: ClusterRun, level: str) -> pa.Table:
    """Rows of IN_COMMUNITY: papers of the core."""
    clustering = run.read(level).of_core()
    names = _ids(run, run.communities(level)["name"]).take(pa.array(clustering.labels))
    given = {
        "from": pa.chunked_array([clustering.ids]),
        "to": names,
        "run": pa.repeat(run.run, len(names)),
    }
    return _fill("IN_COMMUNITY", given)


def _fill(name: str, given: Mapping[str, pa.Array | pa.ChunkedArray]) -> pa.Table:
    """All columns of a table; those that are not given are null."""
    schema = TABLE[name].arrow
    size = len(next(iter(given.values())))
    empty = {column: pa.nulls(size, schema.field(column).type) for column in schema.names}
    return pa.table({**empty, **given}).cast(schema)


def _ids(run: ClusterRun, names: pa.ChunkedArray) -> pa.ChunkedArray:
    """Ids of Community nodes."""
    return pc.binary_join_element_wise(run.run, names, "/")


def _missing(name: str, present: pa.Table, wanted: pa.Table) -> pa.Table:
    """Rows that are to be inserted."""
    added = [c.rows for c in differences(name, present, wanted) if c.action == "insert"]
    return added[0] if added else wanted.slice(0, 0)


def _insert(store: GraphStore, name: str, rows: pa.Table, *, progress: Progress) -> int:
    for start in range(0, rows.num_rows, _SLICE):
        progress(f"writing communities to the graph: {name}, {start:,} of {rows.num_rows:,}")
        store.apply([Change("insert", name, rows.slice(start, _SLICE))], atomic=True)
    return int(rows.num_rows)


def _remove_others(
    store: GraphStore, run: str, levels: Sequence[str], *, progress: Progress
) -> int:
    """Relationships first, in slices: a community may have very many."""
    kept = {"run": run, "levels": list(levels)}
    members = store.read(query("communities/outdated_memberships"), **kept).select(["from", "to"])
    old = store.read(query("communities/outdated"), **kept).select(["id"])
    for name, rows in (("IN_COMMUNITY", members), ("Community", old)):
        for start in range(0, rows.num_rows, _SLICE):
            progress(f"removing earlier communities: {name}, {start:,} of {rows.num_rows:,}")
            store.apply([Change("delete", name, rows.slice(start, _SLICE))])
    return int(old.num_rows)
