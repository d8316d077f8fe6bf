"""What citations say of a network: how papers are cited, and which edges are citations."""

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
from citescape.importance.score import current_run
from citescape.ingest.overview import is_half_labelled
from citescape.networks.network import Network
from citescape.papers.slices import read_sliced, read_slices
from citescape.store.graph_store import GraphStore

Integers = npt.NDArray[np.int64]
COUNTED = ("mentions", "importance", *FACETS)
"""What is summed over citations: mentions in the text, importance, contexts by intent."""
_CITING = np.array(["source", "target", "both"])


@dataclass(frozen=True)
class CitationFacts:
    """Citations received by the papers of a network, and the citations along its edges."""

    received: pa.Table
    """A row a paper: citations (papers of the store that cite it), and sums of `COUNTED` over
    them, as far as they are known for the whole store."""
    links: pa.Table
    """A row an edge, as in `Network.upper`: citing (`source`, `target` or `both`), and `COUNTED`,
    added up where both cite each other; null where the edge is no citation."""
    missing: tuple[str, ...] = ()
    """What is not known, and the command that would compute it, a sentence each."""


def read_facts(
    store: GraphStore, network: Network, *, progress: Progress = silent
) -> CitationFacts:
    """Reads all citations of a store in slices; a paper that cites itself does not count.

    Args:
        store: the graph.
        network: of papers; only what concerns them is kept.
        progress: told how many citations were read.
    """
    tally, parts = _Tally(network), read_slices(store)
    for rows in read_sliced(store, "exports/citations", parts):
        tally.add(rows)
        progress(f"reading citations: {tally.read:,} of {sum(part.pairs for part in parts):,}")
    known = _known(store, tally)
    missing = tuple(_absent(store, known)) if tally.read else ()
    return CitationFacts(tally.received(known), tally.links(known), missing)


def _known(store: GraphStore, tally: _Tally) -> list[str]:
    """Names of what was computed for all citations of the store."""
    ready = {
        "mentions": True,
        "importance": current_run(store) is not None,
        **dict.fromkeys(FACETS, not is_half_labelled(store, "intents")),
    }
    return [name for name in COUNTED if ready[name] and tally.present[name]]


def _absent(store: GraphStore, known: list[str]) -> list[str]:
    told = []
    if "importance" not in known:
        told.append(f"importance is not known: run {quote_command('score', store.location)}")
    if not set(FACETS) <= set(known):
        label = quote_command("text intents label", store.location)
        told.append(f"contexts by intent are not known: run {label}")
    return told


class _Tally:
    """Sums over slices of citations.

    Whole numbers are exact; importances are added in an order that is not that of the rows.
    """

    def __init__(self, network: Network) -> None:
        one, other, _ = network.upper()
        self.ids, self.size = network.ids, len(network)
        self.keys: Integers = one.astype(np.int64) * self.size + other  # ascending
        self.read = 0
        self.present = dict.fromkeys(COUNTED, False)
        self._citations = np.zeros(self.size)
        self._received = {name: np.zeros(self.size) for name in COUNTED}
        self._forward, self._back = np.zeros((2, len(self.keys)), np.bool_)
        self._along = {name: np.zeros(len(self.keys)) for name in COUNTED}

    def add(self, rows: pa.Table) -> None:
        """Counts the citations of one slice."""
        self.read += rows.num_rows
        citing, cited = encode(rows["citing"], self.ids), encode(rows["cited"], self.ids)
        keep = np.flatnonzero((cited >= 0) & (citing != cited))
        values = {name: self._values(rows[name], name)[keep] for name in COUNTED}
        order = np.lexsort((values["importance"], cited[keep]))
        ends = citing[keep][order].astype(np.int64), cited[keep][order].astype(np.int64)
        self._citations += np.bincount(ends[1], minlength=self.size)
        for name in COUNTED:
            values[name] = values[name][order]
            self._received[name] += np.bincount(ends[1], values[name], minlength=self.size)
        self._follow(*ends, values)

    def _values(self, column: pa.ChunkedArray, name: str) -> npt.NDArray[np.float64]:
        self.present[name] |= column.null_count < len(column)
        values: npt.NDArray[np.float64] = pc.fill_null(column.cast(pa.float64()), 0.0).to_numpy()
        return values

    def _follow(
        self, citing: Integers, cited: Integers, values: dict[str, npt.NDArray[np.float64]]
    ) -> None:
        """Adds citations along edges; of two papers there are two at most, so order is nothing."""
        keys = np.minimum(citing, cited) * self.size + np.maximum(citing, cited)
        edge = np.searchsorted(self.keys, keys)
        found = (citing >= 0) & (edge < len(self.keys))
        found[found] = self.keys[edge[found]] == keys[found]
        edge, forward = edge[found], (citing < cited)[found]
        self._forward[edge[forward]] = True
        self._back[edge[~forward]] = True
        for name in COUNTED:
            np.add.at(self._along[name], edge, values[name][found])

    def received(self, known: list[str]) -> pa.Table:
        """A row a paper."""
        sums = {name: _typed(self._received[name], name) for name in known}
        return pa.table({"citations": pa.array(self._citations.astype(np.int64)), **sums})

    def links(self, known: list[str]) -> pa.Table:
        """A row an edge; null where it is no citation."""
        none = ~(self._forward | self._back)
        which = 2 * (self._forward & self._back) + (self._back & ~self._forward)
        sums = {name: _typed(self._along[name], name, none) for name in known}
        return pa.table({"citing": pa.array(_CITING[which], pa.string(), mask=none), **sums})


def _typed(
    values: npt.NDArray[np.float64], name: str, none: npt.NDArray[np.bool_] | None = None
) -> pa.Array:
    kind = pa.float64() if name == "importance" else pa.int64()
    return pa.array(values, mask=none).cast(kind)
