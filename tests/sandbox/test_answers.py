"""Answers have the rows of `corpus.cypher`, up to their limits, in one form for both engines."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from citescape.core.errors import StoreError
from citescape.papers.cypher import run_cypher
from citescape.sandbox.answers import Answer, read_answer
from citescape.store.graph_store import GraphStore, open_store
from citescape.store.queries import queries_for_people
from tests.conftest import empty_neo4j
from tests.sandbox.graph import PAPERS, write_graph

READS = {
    "MATCH (p:Paper) RETURN p.id AS id, p.year AS year ORDER BY id": {},
    "MATCH (p:Paper) WHERE p.year >= $since RETURN count(*) AS n": {"since": 2010},
    "MATCH (p:Paper) WHERE p.id IN $ids RETURN p.title AS title ORDER BY title": {
        "ids": ["doi:3", "doi:4"]
    },
    "MATCH (p:Paper) WITH p.year AS y ORDER BY y LIMIT 3 UNWIND [y, -y] AS x RETURN x": {},
    "MATCH (a:Paper) OPTIONAL MATCH (a)-[c:CITES]->(b) RETURN a.id, b.id ORDER BY a.id, b.id": {},
    "RETURN 2 AS x UNION ALL RETURN 2 AS x": {},
    "// param limit = 2: rows\nMATCH (p:Paper) RETURN p.surnames AS s LIMIT $limit": {},
    "RETURN 'é\\u00e9 \U0001f33e' AS text, null AS no, true AS yes, 1.5 AS half": {},
    "MATCH (p:Paper) WHERE p.year < 0 RETURN p.id": {},
}


@pytest.fixture(scope="module", params=["ladybug", "neo4j"])
def graph(request: pytest.FixtureRequest) -> Iterator[GraphStore]:
    """The small graph, open for reading."""
    if request.param == "ladybug":
        location = str(request.getfixturevalue("graph_file"))
    else:
        location = request.getfixturevalue("neo4j_server").uri
        empty_neo4j(location)
        written = open_store(location)
        write_graph(written)
        written.close()
    store = open_store(location, read_only=True)
    yield store
    store.close()


def read(
    store: GraphStore,
    text: str,
    params: dict[str, object] | None = None,
    *,
    rows: int = 1_000,
    size: int = 1 << 20,
) -> Answer:
    return read_answer(store, text, params or {}, rows=rows, size=size)


@pytest.mark.parametrize("text", READS)
def test_rows_are_those_of_the_store(graph: GraphStore, text: str) -> None:
    answer = read(graph, text, READS[text])
    expected = run_cypher(graph, text, READS[text])
    assert answer.columns == expected.column_names
    assert answer.rows == [list(row.values()) for row in expected.to_pylist()]
    assert answer.capped == ""


def test_named_queries_run(graph: GraphStore) -> None:
    for query in queries_for_people():
        if all(parameter.default for parameter in query.declared):
            header = "\n".join(f"// {line}" for line in query.doc.splitlines())
            assert read(graph, f"{header}\n{query.text_for(graph.dialect)}").columns


@pytest.mark.parametrize("end", ["", " LIMIT 99", ";", " // the end"])
def test_rows_beyond_the_limit_are_left_out_and_reported(graph: GraphStore, end: str) -> None:
    text = f"MATCH (p:Paper) RETURN p.id AS id ORDER BY p.year{end}"
    some, all_ = read(graph, text, rows=PAPERS - 1), read(graph, text, rows=PAPERS)
    assert (len(some.rows), some.capped) == (PAPERS - 1, "rows")
    assert (len(all_.rows), all_.capped) == (PAPERS, "")
    assert all_.rows[: PAPERS - 1] == some.rows


def test_the_limit_is_that_of_a_whole_union(graph: GraphStore) -> None:
    text = "UNWIND range(1, 9) AS x RETURN x UNION ALL UNWIND range(1, 9) AS x RETURN x"
    answer = read(graph, text, rows=12)
    assert (len(answer.rows), answer.capped) == (12, "rows")


def test_bytes_beyond_the_limit_are_left_out_and_reported(graph: GraphStore) -> None:
    text = "UNWIND range(1, 9) AS x RETURN 'abcdefghijklmnopqrstuvwxyz' AS t"
    answer = read(graph, text, size=100)
    assert (len(answer.rows), answer.capped) == (100 // len(json.dumps(answer.rows[0])), "bytes")


def test_nodes_and_relationships_can_be_drawn(graph: GraphStore) -> None:
    text = "MATCH p = (a:Paper {id: 'doi:1'})-[c:CITES]->(b) RETURN a, c, b, p"
    ((a, c, b, path),) = read(graph, text).rows
    assert (a["kind"], a["labels"], a["properties"]["id"]) == ("node", ["Paper"], "doi:1")
    assert (c["kind"], c["type"], c["properties"]["mentions"]) == ("relationship", "CITES", 1)
    assert (c["source"], c["target"]) == (a["id"], b["id"])
    assert a["id"] != b["id"]
    assert "abstract" not in a["properties"]  # the paper has none
    assert path == {"kind": "path", "nodes": [a, b], "relationships": [c]}


def test_values_that_json_or_javascript_lacks_are_text(graph: GraphStore) -> None:
    text = "RETURN 9007199254740993 AS a, 9007199254740991 AS b, 1e308 * 10 AS c"
    values = read(graph, f"{text}, date('2020-01-02') AS d").rows
    assert values == [["9007199254740993", 2**53 - 1, "inf", "2020-01-02"]]


def test_errors_of_a_parser_have_the_place_in_the_text(graph: GraphStore) -> None:
    """Not in the text with a limit."""
    with pytest.raises(StoreError, match=r"line:? 2, (offset|column):? \d+") as caught:
        read(graph, "MATCH (p:Paper)\nRETURN p.title,")
    assert "1001" not in str(caught.value)
