"""A network in a run directory: papers.parquet and edges.parquet.

`papers.parquet`: id, core. `edges.parquet`: source, target (rows of papers.parquet, the lower one
first), weight; ascending, each edge once.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from citescape.errors import ConfigError, SourceError
from citescape.networks.network import Network, build_network

EDGES, PAPERS = "edges.parquet", "papers.parquet"
_SLICE = 1 << 20
_SCHEMA = pa.schema({"source": pa.int32(), "target": pa.int32(), "weight": pa.float64()})


def write_network(folder: Path, network: Network) -> None:
    """Writes both files into a folder that exists, such as that of a run being written."""
    papers = pa.table({"id": network.ids, "core": pa.array(network.in_core)})
    pq.write_table(papers, folder / PAPERS, compression="zstd")
    with pq.ParquetWriter(folder / EDGES, _SCHEMA, compression="zstd") as writer:
        for part in edge_tables(network):
            writer.write_table(part)


def edge_tables(network: Network) -> Iterator[pa.Table]:
    """The edges in slices: source, target, weight; one empty slice where there are none."""
    columns = [pa.array(column) for column in network.upper()]
    whole = pa.table(columns, schema=_SCHEMA)
    for start in range(0, max(len(whole), 1), _SLICE):
        yield whole.slice(start, _SLICE)


def read_network(folder: Path) -> Network:
    """The network in a folder.

    Raises:
        SourceError: a file is missing, cut short or not what it should be.
    """
    try:
        papers, edges = pq.read_table(folder / PAPERS), pq.read_table(folder / EDGES)
        source, target, weight = (edges[name].to_numpy() for name in _SCHEMA.names)
        ids = papers["id"].combine_chunks().cast(pa.string())
        core = papers["core"].to_numpy(zero_copy_only=False)
    except (OSError, KeyError, pa.ArrowException) as error:
        raise SourceError(
            str(folder),
            "no-network",
            f"expected {PAPERS} (id, core) and {EDGES} (source, target, weight); found: {error}; "
            "move the folder away and build the network anew",
        ) from error
    _check(folder, ids, np.concatenate([source, target]), weight)
    try:
        return build_network(ids, (source, target), weight, core=None if core.all() else core)
    except ConfigError as error:
        raise SourceError(str(folder), "no-network", str(error)) from error


def _check(folder: Path, ids: pa.StringArray, ends: np.ndarray, weight: np.ndarray) -> None:
    def refuse(expected: str) -> SourceError:
        return SourceError(str(folder), "no-network", f"expected {expected}")

    if len(ids) > 1 and not pc.all(pc.less(ids[:-1], ids[1:])).as_py():
        raise refuse(f"ids in {PAPERS} ascending, each once; found others")
    if len(ends) and not 0 <= int(ends.min()) <= int(ends.max()) < len(ids):
        raise refuse(f"ends of edges between 0 and {len(ids) - 1}; found others")
    if not (np.isfinite(weight) & (weight > 0)).all():
        raise refuse("weights above 0; found others, or what is no number")
