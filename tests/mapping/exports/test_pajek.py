"""Pajek files, read by networkx, igraph and plain Python."""

from __future__ import annotations

import io
import re
from tempfile import NamedTemporaryFile

import igraph
import networkx as nx
import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from citescape.mapping.exports.attributed import AttributedNetwork
from citescape.mapping.exports.pajek import list_pajek_files, make_unique
from citescape.mapping.exports.places import scale_places
from citescape.networks.network import build_network
from tests.mapping.exports.contents import contents, few


def written(content: AttributedNetwork, end: str) -> bytes:
    sink = io.BytesIO()
    list_pajek_files(content)[end](content, sink)
    return sink.getvalue()


def decoded(label: str) -> str:
    """Decode character numbers of Pajek."""
    return re.sub("&#([0-9]+);", lambda found: chr(int(found.group(1))), label)


def labels_of(content: AttributedNetwork) -> list[str]:
    """Titles or ids; duplicates and titles ending in a bracket have the id appended."""
    ids = content.network.ids.to_pylist()
    titles = [title or id_ for title, id_ in zip(content.titles.to_pylist(), ids, strict=True)]
    return [
        f"{title} [{id_}]" if titles.count(title) > 1 or title.endswith("]") else title
        for title, id_ in zip(titles, ids, strict=True)
    ]


@few
@given(contents())
def test_networkx_reads_the_same_network(content: AttributedNetwork) -> None:
    text = written(content, ".net")
    assert text.isascii()
    graph = nx.Graph(nx.parse_pajek(text.decode()))
    labels = labels_of(content)
    assert [decoded(label) for label in graph] == labels
    source, target, weight = content.network.upper()
    expected = {
        frozenset((labels[i], labels[j])): w for i, j, w in zip(source, target, weight, strict=True)
    }
    edges = graph.edges(data="weight")
    assert {frozenset(map(decoded, pair)): w for *pair, w in edges} == expected
    placed = scale_places(content.nodes, 0.9)
    for k, label in enumerate(graph):
        lies = placed is not None and not np.isnan(placed[0][k])
        assert ("x" in graph.nodes[label]) == lies
        if placed and lies:
            assert abs(graph.nodes[label]["x"] - (0.5 + placed[0][k])) < 1e-6
            assert abs(graph.nodes[label]["y"] - (0.5 - placed[1][k])) < 1e-6
            assert 0.05 <= graph.nodes[label]["x"] <= 0.95


@few
@given(contents(least=1))
def test_igraph_reads_the_same_network(content: AttributedNetwork) -> None:
    with NamedTemporaryFile(suffix=".net") as file:
        file.write(written(content, ".net"))
        file.flush()
        graph = igraph.Graph.Read_Pajek(file.name)
    named = graph.vs["name" if "name" in graph.vs.attributes() else "id"]  # before igraph 1.0
    assert [decoded(label) for label in named] == labels_of(content)
    source, target, weight = content.network.upper()
    assert graph.get_edgelist() == list(zip(source.tolist(), target.tolist(), strict=True))
    if content.network.edges:
        assert graph.es["weight"] == weight.tolist()


@few
@given(contents())
def test_partitions_and_vectors_have_a_line_per_vertex(content: AttributedNetwork) -> None:
    assert content.membership
    size = f"*Vertices {len(content.network)}".encode()
    first, *lines = written(content, "-fine.clu").splitlines()
    assert (first, [int(line) - 1 for line in lines]) == (size, content.membership.labels.tolist())
    for name in ("year", "citations", "importance"):
        first, *lines = written(content, f"-{name}.vec").splitlines()
        values = [999999998 if v is None else v for v in content.nodes[name].to_pylist()]
        assert (first, [float(line) for line in lines]) == (size, values)


def test_each_number_and_level_has_a_file() -> None:
    ids = pa.array(["a"])
    none = np.array([], int)
    alone = build_network(ids, (none, none), np.array([]))
    nodes = {"id": ids, "title": ids, "year": [2000], "venue": ids, "x": [0.5], "y": [1.5]}
    content = AttributedNetwork(alone, pa.table(nodes), pa.table({}), "knn")
    assert list(list_pajek_files(content)) == [".net", "-year.vec"]
    assert written(content, ".net") == b'*Vertices 1\n1 "a" 0.5 0.5 0.5\n*Edges\n'


@given(st.lists(st.sampled_from(["a", "b", "a [0]", "b [1]", "a [0] [0]", "["]), max_size=6))
def test_labels_are_made_unique(titles: list[str]) -> None:
    ids = [str(k) for k in range(len(titles))]
    found = make_unique(pa.array(titles, pa.string()), pa.array(ids, pa.string())).to_pylist()
    assert len(set(found)) == len(found)
    assert all(label.startswith(title) for label, title in zip(found, titles, strict=True))
