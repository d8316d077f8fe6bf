"""Combines the source and target vectors of a paper into its vector."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa

from citescape.encoders.graph_config import GraphConfig
from citescape.networks.citations import Citations
from citescape.search.vectors import Floats, slices, write_rows


def paper_table(citations: Citations) -> pa.Table:
    """`id`, `cites`, `cited`: out-degree and in-degree of each paper in the embedded graph."""
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
    """Writes `vectors.npy` and `papers.parquet` block by block, because tables may be on disk.

    A source vector of a paper that cites nothing, and a target vector of a paper that is not cited,
    are untrained except as negatives: they count as 0.

    Args:
        folder: folder of the files.
        papers: table of `paper_table`.
        tables: (papers, d) source and target vectors.
        way: `both` (concatenated), `source`, `target`, or their sum; see `graph_config.WAYS`.
        graph: settings of the embedding.
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
    """Vectors (rows, d), or (rows, 2 d) for `both`, of some papers.

    Args:
        papers: rows of `paper_table`.
        tables: (rows, d) source and target vectors.
        way: see `write_composed`.
        graph: settings of the embedding.
    """
    if graph.tables == "shared":
        return tables[0]
    trained = [papers[column].to_numpy() > 0 for column in ("cites", "cited")]
    if graph.undirected:
        trained = [trained[0] | trained[1]] * 2
    source: Floats = tables[0] * trained[0][:, np.newaxis]
    target: Floats = tables[1] * trained[1][:, np.newaxis]
    if way == "both":
        return np.concatenate([source, target], axis=1)
    if way == "source":
        return source
    return target if way == "target" else source + target
