"""A network in the graph: RELATED edges, of one run at a time.

Meta `network_run` is emptied; edges of other runs go, then those that are missing come; then Meta
names the run. So edges of a run that Meta names are all there, and no pair ever has edges of two
runs. Whatever step is cut off, writing the same run again, or another, completes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.pairs import find_rows
from citescape.core.progress import Progress, silent
from citescape.ingest.sync import row_keys
from citescape.networks.build import NetworkRun
from citescape.networks.files import edge_tables
from citescape.networks.network import Network
from citescape.runs.directory import record_run
from citescape.store.graph_store import Change, GraphStore
from citescape.store.queries import query
from citescape.store.schema import NODE, REL
from citescape.store.state import NETWORK_RUN, read_meta, write_meta
from citescape.store.statements import read_text

_SLICE = 100_000
"""Edges that are Python strings, or in the server's memory, at one time."""


@dataclass(frozen=True)
class WrittenEdges:
    """What a write to the graph did."""

    inserted: int
    removed: int
    """Edges of other runs."""
    not_in_graph: int
    """Papers of the network that the graph does not have, or no longer; their edges neither."""


def write_network_edges(
    store: GraphStore, network_run: NetworkRun, *, progress: Progress = silent
) -> WrittenEdges:
    """Makes the edges of a network those of the graph; safe to repeat, and then does nothing.

    Args:
        store: the graph.
        network_run: what `build` returned.
        progress: told how many edges are written.

    Writes to the graph: a Run node; RELATED, from the lower id to the higher, with run, kind and
    weight; Meta `network_run`.

    Raises:
        SourceError: a file of the run is damaged; the graph is as it was.
    """
    network, run = network_run.read(), network_run.run
    record_run(store, network_run.record)
    papers = store.read(read_text(NODE["Paper"], []))["id"].cast(pa.string())
    known = find_rows(network.ids, papers.combine_chunks()) >= 0
    removed, inserted = _remove(store, run, progress), 0
    for edges in _named_edges(network_run, network.where(known)):
        progress(f"writing edges to the graph: {inserted:,} of at most {network.edges:,}")
        missing = edges.filter(pc.invert(_is_written(store, run, edges)))
        _apply(store, "insert", missing)
        inserted += len(missing)
    if read_meta(store, NETWORK_RUN) != run:
        write_meta(store, NETWORK_RUN, run)
    return WrittenEdges(inserted, removed, int((~known).sum()))


def remove_network_edges(store: GraphStore, *, progress: Progress = silent) -> int:
    """Takes the edges of all networks out of the graph; returns how many there were.

    Writes to the graph: RELATED; Meta `network_run`, which is empty then.
    """
    removed = _remove(store, "", progress)
    _switch_off(store)
    return removed


def _named_edges(network_run: NetworkRun, network: Network) -> Iterator[pa.Table]:
    """Rows of RELATED, those of a paper together."""
    for table in edge_tables(network):
        for start in range(0, len(table), _SLICE):
            part = table.slice(start, _SLICE)
            yield pa.table(
                {
                    "from": network.ids.take(part["source"].combine_chunks()),
                    "to": network.ids.take(part["target"].combine_chunks()),
                    "run": pa.repeat(network_run.run, len(part)),
                    "kind": pa.repeat(network_run.kind, len(part)),
                    "weight": part["weight"],
                }
            )


def _is_written(store: GraphStore, run: str, edges: pa.Table) -> pa.ChunkedArray:
    """Whether each edge is in the graph already."""
    ends = {"first": edges["from"][0].as_py(), "last": edges["from"][-1].as_py()}
    written = store.read(query("networks/written"), run=run, **ends)
    keys = row_keys(REL["RELATED"], written.rename_columns(["from", "to"]))
    return pc.is_in(row_keys(REL["RELATED"], edges), value_set=keys)


def _remove(store: GraphStore, run: str, progress: Progress) -> int:
    """Removes the edges of all runs but one; returns how many."""
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
        _switch_off(store)
        store.apply([Change(action, "RELATED", edges)])


def _switch_off(store: GraphStore) -> None:
    if read_meta(store, NETWORK_RUN):
        write_meta(store, NETWORK_RUN, "")
