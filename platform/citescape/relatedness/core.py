"""The papers that a network is about."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from citescape.config import quote_command
from citescape.errors import StoreError, invalid_choice
from citescape.features.pairs import sort_ids
from citescape.graph.queries import query
from citescape.graph.store import GraphStore
from citescape.relatedness.config import PAPERS


def read_core(store: GraphStore, papers: str) -> pa.StringArray:
    """Ids of the core, ascending.

    Args:
        store: the graph.
        papers: `fulltext`, or `all`.

    Raises:
        ConfigError: no such choice of papers.
        StoreError: there are none.
    """
    if papers not in PAPERS:
        raise invalid_choice("papers", papers, PAPERS)
    ids = sort_ids(store.read(query("networks/papers"), which=papers)["id"])
    if not len(ids):
        raise StoreError(
            f"{store.location} holds no papers for a network; load some with "
            f"{quote_command('ingest PATH', store.location)}"
        )
    return ids


def find_rows(ids: pa.StringArray, among: pa.StringArray) -> npt.NDArray[np.int64]:
    """(ids,) position of each id in `among`, -1 for what is not there."""
    rows = pc.fill_null(pc.index_in(ids, value_set=among), -1)
    found: npt.NDArray[np.int64] = rows.to_numpy(zero_copy_only=False).astype(np.int64)
    return found
