"""Files of a network in a run directory: papers.parquet and edges.parquet.

`papers.parquet`: id, core. `edges.parquet`: source, target (rows of papers.parquet, the lower row
first), weight; ascending, each edge once.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from citescape.core.errors import SourceError
from citescape.networks.network import Network, build_network

EDGES, PAPERS = "edges.parquet", "papers.parquet"
_SLICE = 1 << 20
_PAPERS = pa.schema({"id": pa.string(), "core": pa.bool_()})
_SCHEMA = pa.schema({"source": pa.int32(), "target": pa.int32(), "weight": pa.float64()})


def write_network(folder: Path, network: Network) -> None:
    """Writes both files into an existing folder."""
    papers = pa.table([network.ids, pa.array(network.in_core)], schema=_PAPERS)
    pq.write_table(papers, folder / PAPERS, compression="zstd")
    with pq.ParquetWriter(folder / EDGES, _SCHEMA, compression="zstd") as writer:
        for part in edge_tables(network):
            writer.write_table(part)


def edge_tables(network: Network) -> Iterator[pa.Table]:
    """Edges in slices: source, target, weight; one empty slice without edges."""
    columns = [pa.array(column) for column in network.upper()]
    edges = pa.table(columns, schema=_SCHEMA)
    for start in range(0, max(len(edges), 1), _SLICE):
        yield edges.slice(start, _SLICE)


def list_edges(network: Network) -> pa.Table:
    """Edges with ids of papers: source, target, weight; each edge once."""
    source, target, weight = (pa.array(column) for column in network.upper())
    columns = [network.ids.take(source), network.ids.take(target), weight]
    return pa.table(columns, names=_SCHEMA.names)


def read_network(folder: Path) -> Network:
    """Reads the network in a folder.

    Raises:
        SourceError: a file is missing, cut short or invalid.
    """
    try:
        papers = pq.read_table(folder / PAPERS).select(_PAPERS.names).cast(_PAPERS)
        edges = pq.read_table(folder / EDGES).select(_SCHEMA.names).cast(_SCHEMA)
    except (OSError, KeyError, pa.ArrowException) as error:
        raise _damaged(
            folder,
            f"{PAPERS} (id, core) and {EDGES} (source, target, weight); found: {error}",
        ) from error
    _check(folder, papers, edges)
    source, target, weight = (edges[name].to_numpy() for name in _SCHEMA.names)
    core = papers["core"].to_numpy(zero_copy_only=False)
    ids = papers["id"].combine_chunks()
    return build_network(ids, (source, target), weight, core=None if core.all() else core)


def _check(folder: Path, papers: pa.Table, edges: pa.Table) -> None:
    """Raises SourceError if the tables are not a valid network."""
    if any(column.null_count for column in (*papers.columns, *edges.columns)):
        raise _damaged(folder, "no missing values; found some")
    ids, size = papers["id"], papers.num_rows
    source, target, weight = (edges[name].to_numpy() for name in _SCHEMA.names)
    places = source.astype(np.int64) * size + target
    ascending = size < 2 or bool(pc.all(pc.less(ids[:-1], ids[1:])).as_py())
    checks = {
        f"ids in {PAPERS} ascending, each once": ascending,
        f"edges from a lower to a higher row of {size} papers": (
            (source >= 0) & (source < target) & (target < size)
        ).all(),
        "edges ascending, each once": (np.diff(places) > 0).all(),
        "weights above 0": (np.isfinite(weight) & (weight > 0)).all(),
    }
    for expected, passed in checks.items():
        if not passed:
            raise _damaged(folder, f"{expected}; found others")


def read_neighbours(folder: Path, paper: str) -> pa.Table | None:
    """Reads the neighbours of a paper from the network in a folder, without loading other edges.

    Returns:
        id, weight: by weight descending, then by id; None if the paper is not in the network.

    Raises:
        SourceError: a file is missing, cut short or invalid.
    """
    try:
        ids = pq.read_table(folder / PAPERS, columns=["id"])["id"].combine_chunks()
        row = pc.index(ids, paper).as_py()
        if row < 0:
            return None
        incident = (pc.field("source") == row) | (pc.field("target") == row)
        edges = pq.read_table(folder / EDGES, filters=incident)
        source, target = edges["source"], edges["target"]
        others = pc.if_else(pc.equal(source, row), target, source)
        rows = {"row": others, "id": ids.take(others), "weight": edges["weight"]}
    except (OSError, KeyError, pa.ArrowException) as error:
        raise _damaged(
            folder, f"{PAPERS} (id) and {EDGES} (source, target, weight); found: {error}"
        ) from error
    order = [("weight", "descending"), ("row", "ascending")]
    return pa.table(rows).sort_by(order).select(["id", "weight"])


def _damaged(folder: Path, expected: str) -> SourceError:
    hint = "move the folder away and build the network again"
    return SourceError(str(folder), "no-network", f"expected {expected}; {hint}")
