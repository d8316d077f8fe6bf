"""CSV, read by Python's csv module and pandas."""

from __future__ import annotations

import csv
import io

import numpy as np
import pandas as pd
import pyarrow as pa
from hypothesis import given

from citescape.mapping.exports.attributed import AttributedNetwork
from citescape.mapping.exports.tables import write_edge_csv, write_node_csv
from citescape.networks.network import build_network
from tests.mapping.exports.contents import contents, edges_of, few, guarded


def written(content: AttributedNetwork) -> tuple[bytes, bytes]:
    nodes, edges = io.BytesIO(), io.BytesIO()
    write_node_csv(content, nodes)
    write_edge_csv(content, edges)
    return nodes.getvalue(), edges.getvalue()


def typed(value: str, kind: pa.DataType) -> object:
    if value == "":
        return None
    if kind == pa.bool_():
        return {"true": True, "false": False}[value]
    return {pa.int64(): int, pa.float64(): float, pa.string(): str}[kind](value)


@few
@given(contents())
def test_python_reads_the_same_network(content: AttributedNetwork) -> None:
    nodes, edges = written(content)
    rows = list(csv.DictReader(io.StringIO(nodes.decode(), newline=""), strict=True))
    schema = content.nodes.schema
    for row, known in zip(rows, content.nodes.to_pylist(), strict=True):
        assert list(row) == schema.names
        read = {name: typed(value, schema.field(name).type) for name, value in row.items()}
        assert read == {k: guarded(v) if isinstance(v, str) else v for k, v in known.items()}
    found = {}
    for row in csv.DictReader(io.StringIO(edges.decode(), newline=""), strict=True):
        assert row.pop("kind") == "knn"
        ends = (row.pop("source"), row.pop("target"))
        held = {name: value for name, value in row.items() if value}
        found[ends] = {k: float(v) if k == "weight" else v for k, v in held.items()}
    assert found == edges_of(content)


@few
@given(contents())
def test_pandas_reads_the_same_edges(content: AttributedNetwork) -> None:
    nodes, edges = (
        pd.read_csv(io.BytesIO(text), keep_default_na=False) for text in written(content)
    )
    assert nodes["id"].tolist() == content.network.ids.to_pylist()
    known = edges_of(content)
    assert list(zip(edges["source"], edges["target"], strict=True)) == list(known)
    assert np.allclose(edges["weight"], [edge["weight"] for edge in known.values()], rtol=1e-15)


@few
@given(contents())
def test_lines_follow_rfc_4180(content: AttributedNetwork) -> None:
    for text, count in zip(
        written(content), (len(content.network), content.network.edges), strict=True
    ):
        assert text.endswith(b"\r\n")
        assert text.count(b"\r\n") == text.count(b"\n") == text.count(b"\r") == count + 1
        assert not text.startswith(b"\xef\xbb\xbf")


def test_an_empty_network() -> None:
    none = pa.array([], pa.string())
    empty = build_network(none, (np.array([], int), np.array([], int)), np.array([]))
    content = AttributedNetwork(empty, pa.table({"id": none, "title": none}), pa.table({}), "knn")
    assert written(content) == (b'"id","title"\r\n', b'"source","target","weight","kind"\r\n')
