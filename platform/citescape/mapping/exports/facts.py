"""Citations of a network: received by its papers, and along its edges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.config import quote_command
from citescape.core.pairs import encode
from citescape.core.progress import Progress, silent
from citescape.core.types import FACETS
from citescape.ingest.overview import is_half_labelled
from citescape.networks.network import Network
from citescape.papers.slices import read_sliced, read_slices
from citescape.store.graph_store import GraphStore
from citescape.store.state import read_importance_run

Integers = npt.NDArray[np.int64]
COUNTED = ("mentions", "importance", *FACETS)
"""Values summed over citations: mentions in the text, importance, contexts by intent."""
_CITING = np.array(["source", "target", "both"])


@dataclass(frozen=True)
class CitationFacts:
    """Citations received by the papers of a network, and the citations along its edges."""

    received: pa.Table
    """One row per paper: citations (papers of the store that cite it), and sums of the `COUNTED`
    values that are complete in the store."""
    links: pa.Table
    """One row per edge, in the order of `Network.upper`: citing (`source`, `target` or `both`), and
    `COUNTED`, summed over both directions; null if the edge is not a citation."""
    missing: tuple[str, ...] = ()
    """Notes on missing values and the commands that compute them."""


def read_facts(
    store: GraphStore, network: Network, *, progress: Progress = silent
) -> CitationFacts:
    """Reads all citations of a store in slices; citations of a paper by itself are skipped.

    Args:
        store: store to read.
        network: network of the papers.
        progress: receives the current stage.
    """
    totals, parts = _CitationSums(network), read_slices(store)
    for rows in read_sliced(store, "exports/citations", parts):
        totals.add(rows)
        progress(f"reading citations: {totals.read:,} of {sum(part.pairs for part in parts):,}")

    # Values that were computed for all citations of the store.
    complete = {
        "mentions": True,
        "importance": read_importance_run(store) is not None,
        **dict.fromkeys(FACETS, not is_half_labelled(store, "intents")),
    }
    known = [name for name in COUNTED if complete[name] and totals.present[name]]
    missing = []
    if totals.read and "importance" not in known:
        missing.append(f"importance is missing: run {quote_command('score', store.location)}")
    if totals.read and not set(FACETS) <= set(known):
        label = quote_command("text intents label", store.location)
        missing.append(f"contexts by intent are missing: run {label}")
    return CitationFacts(totals.received(known), totals.links(known), tuple(missing))


class _CitationSums:
    """Sums over slices of citations.

    Integers are exact; importance is added in an order that does not depend on the order of rows.
    """

    def __init__(self, network: Network) -> None:
        source, target, _ = network.upper()
        self.ids, self.size = network.ids, len(network)
        self.keys: Integers = source.astype(np.int64) * self.size + target  # ascending
        self.read = 0
        self.present = dict.fromkeys(COUNTED, False)
        self._citations = np.zeros(self.size)
        self._received = {name: np.zeros(self.size) for name in COUNTED}
        self._forward, self._back = np.zeros((2, len(self.keys)), np.bool_)
        self._along = {name: np.zeros(len(self.keys)) for name in COUNTED}

    def add(self, rows: pa.Table) -> None:
        """Adds the citations of one slice."""
        self.read += rows.num_rows
        citing, cited = encode(rows["citing"], self.ids), encode(rows["cited"], self.ids)
        keep = np.flatnonzero((cited >= 0) & (citing != cited))
        values: dict[str, npt.NDArray[np.float64]] = {}
        for name in COUNTED:
            column = rows[name]
            self.present[name] |= column.null_count < len(column)
            values[name] = pc.fill_null(column.cast(pa.float64()), 0.0).to_numpy()[keep]

        # Received by each paper.
        order = np.lexsort((values["importance"], cited[keep]))
        source, target = (ends[keep][order].astype(np.int64) for ends in (citing, cited))
        self._citations += np.bincount(target, minlength=self.size)
        for name in COUNTED:
            values[name] = values[name][order]
            self._received[name] += np.bincount(target, values[name], minlength=self.size)

        # Along edges: at most two citations each, so their order does not matter.
        keys = np.minimum(source, target) * self.size + np.maximum(source, target)
        edge = np.searchsorted(self.keys, keys)
        is_edge = (source >= 0) & (edge < len(self.keys))
        is_edge[is_edge] = self.keys[edge[is_edge]] == keys[is_edge]
        edge, forward = edge[is_edge], (source < target)[is_edge]
        self._forward[edge[forward]] = True
        self._back[edge[~forward]] = True
        for name in COUNTED:
            np.add.at(self._along[name], edge, values[name][is_edge])

    def received(self, known: list[str]) -> pa.Table:
        """One row per paper."""
        sums = {name: _typed(self._received[name], name) for name in known}
        return pa.table({"citations": pa.array(self._citations.astype(np.int64)), **sums})

    def links(self, known: list[str]) -> pa.Table:
        """One row per edge; null if the edge is not a citation."""
        uncited = ~(self._forward | self._back)
        codes = 2 * (self._forward & self._back) + (self._back & ~self._forward)
        sums = {name: _typed(self._along[name], name, uncited) for name in known}
        return pa.table({"citing": pa.array(_CITING[codes], pa.string(), mask=uncited), **sums})


def _typed(
    values: npt.NDArray[np.float64], name: str, missing: npt.NDArray[np.bool_] | None = None
) -> pa.Array:
    kind = pa.float64() if name == "importance" else pa.int64()
    return pa.array(values, mask=missing).cast(kind)
