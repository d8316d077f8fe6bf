"""Of a vector for citing and one for being cited, what is a paper's vector."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa

from citescape.encoders.graph_config import GraphConfig
from citescape.networks.citations import Citations
from citescape.search.vectors import Floats, slices, write_rows


def paper_table(citations: Citations) -> pa.Table:
    """`id`, `cites`, `cited`: how often each paper does either in the embedded graph."""
    size = len(citations.ids)
    return pa.table(
        {
            "id": citations.ids,
            "cites": np.diff(citations.indptr),
            "cited": np.bincount(citations.cited, minlength=size).astype(np.int64),
        }
    )


def write_composed(
    folder: Path,
    papers: pa.Table,
    tables: tuple[Floats, Floats],
    *,
    way: str,
    graph: GraphConfig,
) -> None:
    """Writes `vectors.npy` and `papers.parquet`, some rows at a time: tables may lie on disk.

    Of a paper that cites nothing the source is left out, of one that is never cited the target:
    nothing but being a negative has moved it. With `source` or `target` alone its vector is 0.
    """
    blocks = (
        compose_vectors(papers[rows], (tables[0][rows], tables[1][rows]), way=way, graph=graph)
        for rows in slices(papers.num_rows)
    )
    width = graph.dimensions * (2 if way == "both" else 1)
    write_rows(folder, papers, blocks, dimensions=width)


def compose_vectors(
    papers: pa.Table, tables: tuple[Floats, Floats], *, way: str, graph: GraphConfig
) -> Floats:
    """Vectors (rows, d), or (rows, 2 d) for both, of the rows of both tables (rows, d) each."""
    if graph.tables == "shared":
        return tables[0]
    trained = [papers[column].to_numpy() > 0 for column in ("cites", "cited")]
    if graph.undirected:
        trained = [trained[0] | trained[1]] * 2
    parts = [t * k[:, np.newaxis] for t, k in zip(tables, trained, strict=True)]
    return _compose(parts[0], parts[1], way)


def _compose(source: Floats, target: Floats, way: str) -> Floats:
    """(rows, d), or (rows, 2 d) for both."""
    if way == "both":
        return np.concatenate([source, target], axis=1)
    return {"source": source, "target": target}.get(way, source + target)
