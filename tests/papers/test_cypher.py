"""Library queries with user input: defaults, papers by any identifier, refused values."""

from __future__ import annotations

import warnings
from pathlib import Path

import pyarrow as pa
import pytest

from citescape.core.errors import ConfigError
from citescape.papers.cypher import run_cypher
from citescape.store.graph_store import Change, GraphStore
from citescape.store.queries import library, query
from citescape.store.schema import TABLE
from citescape.store.state import IMPORTANCE_RUN, write_meta

DOI = "10.1038/ng.3825"
ID = f"doi:{DOI}"


@pytest.fixture
def cited(store: GraphStore) -> GraphStore:
    """Two papers; one of them cites the other, which has all identifiers."""
    papers = [
        {"id": ID, "doi": DOI, "pmid": "28288112", "pmcid": "PMC5404962", "title": "Cited"},
        {"id": "pmid:1", "pmid": "1", "title": "Citing"},
    ]
    insert(store, "Paper", papers)
    insert(store, "CITES", [{"from": "pmid:1", "to": ID}])
    return store


def insert(store: GraphStore, name: str, rows: list[dict[str, str]]) -> None:
    schema = TABLE[name].arrow
    full = [{column: row.get(column) for column in schema.names} for row in rows]
    store.apply([Change("insert", name, pa.Table.from_pylist(full, schema))])


def test_papers_are_found_by_any_identifier(cited: GraphStore) -> None:
    statement = "// param p (paper): a paper\nMATCH (x:Paper {id: $p}) RETURN x.title AS title"
    for name in (
        *(ID, DOI, DOI.upper(), f"https://doi.org/{DOI}", "pmid:28288112", 28288112, "PMC5404962"),
    ):
        for papers in ([name], name):  # a single paper need not be a list
            (paper,) = run_cypher(cited, query("explore/papers"), {"papers": papers}).to_pylist()
            assert paper["title"] == "Cited"
        assert run_cypher(cited, statement, {"p": name})["title"].to_pylist() == ["Cited"]


def test_an_unknown_paper_is_an_error(cited: GraphStore) -> None:
    assert run_cypher(cited, query("explore/references"), {"paper": "1"})["id"].to_pylist() == [ID]
    for name, parameters in (
        ("contexts", {"paper": "10.1/x"}),
        ("papers", {"papers": [ID, "10.1/x"]}),
    ):
        with pytest.raises(ConfigError, match=r"no paper '10\.1/x'"):
            run_cypher(cited, query(f"explore/{name}"), parameters)


def test_other_parameters_are_not_changed(cited: GraphStore) -> None:
    text = "MATCH (p:Paper) WHERE p.doi = $doi RETURN p.id AS id"
    assert run_cypher(cited, text, {"doi": DOI})["id"].to_pylist() == [ID]
    assert run_cypher(cited, text, {"doi": ID})["id"].to_pylist() == []


def test_defaults_come_from_the_header(cited: GraphStore) -> None:
    assert run_cypher(cited, query("explore/most_cited"), {})["id"].to_pylist() == [ID]
    assert run_cypher(cited, query("explore/most_cited"), {"limit": 0}).num_rows == 0
    text = "// A question.\n// param n = [1, 2]: numbers\nRETURN $n AS n"
    assert run_cypher(cited, text, {})["n"].to_pylist() == [[1, 2]]
    assert run_cypher(cited, text, {"n": [3]})["n"].to_pylist() == [[3]]


def test_every_library_query_describes_its_parameters() -> None:
    for question in library().values():
        if question.name.startswith("explore/"):
            assert all(parameter.meaning for parameter in question.declared), question.name
            needed = {parameter.name for parameter in question.declared if not parameter.default}
            assert needed <= {"paper", "papers", "name", "author"}, question.name


def test_files_are_not_touched_without_permission(store: GraphStore, tmp_path: Path) -> None:
    file = tmp_path / "victim.csv"
    file.write_text("kept\n")
    for statement in (
        "COPY (RETURN 1 AS one) TO '{file}'",
        "PROFILE COPY (RETURN 1 AS one) TO '{file}'",
        "EXPORT DATABASE '{file}'",
        "LOAD FROM '{file}' RETURN *",
        "LOAD EXTENSION json",
        "LOAD CSV FROM 'file:///{file}' AS row RETURN row",
    ):
        with pytest.raises(ConfigError, match=f"cypher --write --store {store.location}"):
            run_cypher(store, statement.format(file=file), {})
        assert file.read_text() == "kept\n"


def test_an_empty_result_says_that_nothing_is_scored(cited: GraphStore) -> None:
    with pytest.warns(UserWarning, match="reads importance, and the graph has no current scores"):
        assert not run_cypher(cited, query("explore/most_important"), {}).num_rows
    write_meta(cited, IMPORTANCE_RUN, "score-1")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not run_cypher(cited, query("explore/most_important"), {}).num_rows
