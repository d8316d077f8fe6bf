"""Parquet, read by Arrow and polars."""

from __future__ import annotations

import io
import json

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import given

from citescape.mapping.exports.attributed import AttributedNetwork
from citescape.mapping.exports.tables import write_edge_parquet, write_node_parquet
from citescape.networks.network import build_network
from tests.mapping.exports.contents import contents, edges_of, few


def written(content: AttributedNetwork) -> tuple[io.BytesIO, io.BytesIO]:
    nodes, edges = io.BytesIO(), io.BytesIO()
    write_node_parquet(content, nodes)
    write_edge_parquet(content, edges)
    return nodes, edges


@few
@given(contents())
def test_tables_are_read_unchanged(content: AttributedNetwork) -> None:
    nodes, edges = written(content)
    assert pq.read_table(nodes).to_pylist() == content.nodes.to_pylist()
    assert pq.read_table(nodes).schema.types == content.nodes.schema.types
    found = {}
    for row in pq.read_table(edges).to_pylist():
        assert row.pop("kind") == "knn"
        ends = (row.pop("source"), row.pop("target"))
        found[ends] = {name: value for name, value in row.items() if value is not None}
    assert found == edges_of(content)


@few
@given(contents())
def test_polars_reads_the_tables(content: AttributedNetwork) -> None:
    nodes, edges = (pl.read_parquet(file.getvalue()) for file in written(content))
    assert nodes["title"].to_list() == content.nodes["title"].to_pylist()
    assert edges["weight"].to_list() == [edge["weight"] for edge in edges_of(content).values()]


@few
@given(contents())
def test_files_have_metadata_of_their_sources(content: AttributedNetwork) -> None:
    for file in written(content):
        metadata = json.loads(pq.read_schema(file).metadata[b"citescape"])
        assert metadata == {**content.about, "kind": "knn", "unit": "paper"}


def test_slices_of_edges_are_one_file() -> None:
    size = 40_000
    ids = pa.array([f"p{k:06d}" for k in range(size)])
    rows = np.arange(size - 1)
    chain = build_network(ids, (rows, rows + 1), np.arange(1.0, size))
    content = AttributedNetwork(chain, pa.table({"id": ids, "title": ids}), pa.table({}), "knn")
    edges = pq.read_table(written(content)[1])
    assert edges["source"].to_pylist() == ids.to_pylist()[:-1]
    assert edges["target"].to_pylist() == ids.to_pylist()[1:]
    assert edges["weight"].to_pylist() == list(np.arange(1.0, size))
