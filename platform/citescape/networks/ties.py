"""The edges of one paper, from the files of a network that may be large."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from citescape.core.errors import SourceError
from citescape.networks.files import EDGES, PAPERS


def read_ties(folder: Path, paper: str) -> pa.Table | None:
    """Neighbours of a paper in the network in a folder; the other edges are passed over.

    Args:
        folder: of a network, such as its run directory.
        paper: id.

    Returns:
        id, weight: the strongest first, of equal ones the lower id first. None if the paper is not
        in the network.

    Raises:
        SourceError: a file is missing, cut short or not what it should be.
    """
    try:
        ids = pq.read_table(folder / PAPERS, columns=["id"])["id"].combine_chunks()
        row = pc.index(ids, paper).as_py()
        if row < 0:
            return None
        own = (pc.field("source") == row) | (pc.field("target") == row)
        edges = pq.read_table(folder / EDGES, filters=own)
        source, target = edges["source"], edges["target"]
        others = pc.if_else(pc.equal(source, row), target, source)
        rows = {"row": others, "id": ids.take(others), "weight": edges["weight"]}
    except (OSError, KeyError, pa.ArrowException) as error:
        raise SourceError(
            str(folder),
            "no-network",
            f"expected {PAPERS} (id) and {EDGES} (source, target, weight); found: {error}; "
            "move the folder away and build the network anew",
        ) from error
    order = [("weight", "descending"), ("row", "ascending")]
    return pa.table(rows).sort_by(order).select(["id", "weight"])
