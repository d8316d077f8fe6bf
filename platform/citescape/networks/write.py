"""Writes a network to the graph: RELATED edges, of one run at a time.

Meta `network_run` is cleared; edges of other runs are deleted, then missing edges inserted; then
Meta is set to the run. So the graph has all edges of the run in Meta, and no pair has edges of two
runs. After an interruption, writing the same run again, or another, completes the write.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.pairs import find_rows
from citescape.core.progress import Progress, silent
from citescape.ingest.sync import row_keys
from citescape.networks.build import NetworkRun
from citescape.networks.files import edge_tables
from citescape.runs.directory import record_run
from citescape.store.graph_store import Change, GraphStore
from citescape.store.queries import query
from citescape.store.schema import NODE, REL
from citescape.store.state import NETWORK_RUN, read_meta, write_meta
from citescape.store.statements import read_text

_SLICE = 100_000
"""Edges held as Python strings, or in the server's memory, at once."""


@dataclass(frozen=True)
class WrittenEdges:
    """Counts of a write to the graph."""

    inserted: int
    removed: int
    """Edges of other runs removed."""
    not_in_graph: int
    """Papers of the network that are not in the graph; their edges are skipped."""


def write_network_edges(
    store: GraphStore, network_run: NetworkRun, *, progress: Progress = silent
) -> WrittenEdges:
    """Replaces the edges of the graph by those of a network; a repetition changes nothing.

    Args:
        store: store to write.
        network_run: the network.
        progress: receives the current stage.

    Writes to the graph: a Run node; RELATED, from the lower id to the higher, with run, kind and
    weight; Meta `network_run`.

    Raises:
        SourceError: a file of the run is damaged; the graph is unchanged.
    """
    network, run = network_run.read(), network_run.run
    record_run(store, network_run.record)
    papers = store.read(read_text(NODE["Paper"], []))["id"].cast(pa.string())
    known = find_rows(network.ids, papers.combine_chunks()) >= 0
    removed, inserted = _remove(store, run, progress), 0

    total, network, relation = network.edges, network.where(known), REL["RELATED"]
    slices = (
        table.slice(start, _SLICE)
        for table in edge_tables(network)
        for start in range(0, len(table), _SLICE)
    )
    for part in slices:
        progress(f"writing edges to the graph: {inserted:,} of at most {total:,}")
        edges = pa.table(
            {
                "from": network.ids.take(part["source"].combine_chunks()),
                "to": network.ids.take(part["target"].combine_chunks()),
                "run": pa.repeat(run, len(part)),
                "kind": pa.repeat(network_run.kind, len(part)),
                "weight": part["weight"],
            }
        )
        # An interrupted write may have inserted some edges of the run already.
        ends = {"first": edges["from"][0].as_py(), "last": edges["from"][-1].as_py()}
        written = store.read(query("networks/written"), run=run, **ends)
        keys = row_keys(relation, written.rename_columns(["from", "to"]))
        missing = edges.filter(pc.invert(pc.is_in(row_keys(relation, edges), value_set=keys)))
        _apply(store, "insert", missing)
        inserted += len(missing)

    if read_meta(store, NETWORK_RUN) != run:
        write_meta(store, NETWORK_RUN, run)
    return WrittenEdges(inserted, removed, int((~known).sum()))


def remove_network_edges(store: GraphStore, *, progress: Progress = silent) -> int:
    """Removes the edges of all networks from the graph; returns their number.

    Writes to the graph: RELATED; Meta `network_run`, which becomes empty.
    """
    removed = _remove(store, "", progress)
    _clear_run(store)
    return removed


def _remove(store: GraphStore, run: str, progress: Progress) -> int:
    """Removes the edges of all runs except `run`; returns their number."""
    removed = 0
    while True:
        progress(f"removing edges of earlier networks: {removed:,} so far")
        old = store.read(query("networks/outdated"), run=run, limit=_SLICE)
        if not old.num_rows:
            return removed
        _apply(store, "delete", old.rename_columns(["from", "to"]))
        removed += old.num_rows


def _apply(store: GraphStore, action: Literal["insert", "delete"], edges: pa.Table) -> None:
    if edges.num_rows:
        _clear_run(store)
        store.apply([Change(action, "RELATED", edges)])


def _clear_run(store: GraphStore) -> None:
    if read_meta(store, NETWORK_RUN):
        write_meta(store, NETWORK_RUN, "")
