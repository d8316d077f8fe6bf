"""The current release of Neo4j, with Cypher 25: the chain of an analysis, and no deprecated Cypher.

`CITESCAPE_TEST_NEO4J=2026` runs all other tests of Neo4j on it as well.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import closing

import neo4j
import numpy as np
import pyarrow as pa
import pytest

from citescape.demo.jats_writer import write_corpus
from citescape.demo.world import generate_world
from citescape.explore.config import Filters
from citescape.explore.neighbourhood import find_neighbourhood
from citescape.importance.score import score
from citescape.papers.cypher import run_cypher
from citescape.runs.directory import RunRecord
from citescape.search.graph_vectors import write_embeddings
from citescape.search.vectors import Vectors
from citescape.store.graph_store import GraphStore, open_store
from citescape.store.neo4j.errors import UnknownNameWarning
from citescape.store.neo4j.statements import by_position, delete_text, insert_text, update_text
from citescape.store.queries import library, query
from citescape.store.schema import NODE, TABLE
from citescape.store.statements import read_text
from tests.conftest import empty_neo4j
from tests.ingest.papers import load, snapshot
from tests.neo4j.guide import vector_index_query
from tests.neo4j.server import CURRENT, LONG_TERM, Neo4jServer

Stores = tuple[GraphStore, GraphStore]


@pytest.fixture(scope="module")
def stores(
    current_neo4j_server: Neo4jServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Stores]:
    """A ladybug and a Neo4j store with the same generated corpus, scores and vectors."""
    folder = tmp_path_factory.mktemp("chain")
    papers = write_corpus(generate_world(papers=50, seed=5), folder / "papers")[:15]
    empty_neo4j(current_neo4j_server.uri)
    with (
        closing(open_store(str(folder / "s.lbug"))) as ladybug,
        closing(open_store(current_neo4j_server.uri)) as server,
    ):
        for store in (ladybug, server):
            load(store, *papers)
            score(store, runs=folder / store.dialect)
            embed(store)
        yield ladybug, server


def embed(store: GraphStore) -> None:
    ids = sorted(store.read(read_text(NODE["Paper"], []))["id"].to_pylist())
    values = np.random.default_rng(0).normal(size=(len(ids), 8)).astype(np.float32)
    vectors = Vectors(pa.table({"id": ids, "text": ["title"] * len(ids)}), values)
    write_embeddings(store, vectors, RunRecord("embed-1", "embed", {}, {}, started="2999"))


def find_cited(stores: Stores) -> str:
    """The id of the paper that is cited most."""
    paper: str = stores[0].read(query("explore/most_cited"), limit=1)["id"][0].as_py()
    return paper


def test_cypher_25_is_the_language(stores: Stores) -> None:
    """Statements of citescape name no version, so those below run in it."""
    rows = stores[1].read("SHOW DEFAULT DATABASE YIELD defaultLanguage RETURN defaultLanguage")
    assert rows["defaultLanguage"].to_pylist() == ["CYPHER 25"]


def test_the_graph_and_its_scores_equal_those_of_ladybug(stores: Stores) -> None:
    ladybug, server = (snapshot(store, without=("started", "seconds")) for store in stores)
    for name in TABLE:
        assert server[name] == ladybug[name], name
    assert len(server["CITES"]) > 50
    assert len(server["Embedding"]) == len(server["Paper"])


def test_the_explorer_finds_the_same_citations(stores: Stores) -> None:
    ladybug, server = (
        find_neighbourhood(store, [find_cited(stores)], Filters(), hops=2, limit=30)
        for store in stores
    )
    assert server.arrow.equals(ladybug.arrow)
    assert server.arrow.num_rows > 3


def test_the_vector_index_finds_the_papers_of_the_exact_search(stores: Stores) -> None:
    """The queries of the guide: a procedure for 5.26, which Cypher 5 keeps, and SEARCH."""
    paper = find_cited(stores)
    exact, other = (
        store.read(query("explore/similar"), paper=paper, limit=20).to_pylist() for store in stores
    )
    assert [row["id"] for row in exact] == [row["id"] for row in other]
    for text in (f"CYPHER 5 {vector_index_query(LONG_TERM)}", vector_index_query(CURRENT)):
        found = run_cypher(stores[1], text, {"paper": paper}).to_pylist()
        assert found[0]["id"] == paper
        assert [row["id"] for row in found[1:]] == [row["id"] for row in exact]
        cosines = [row["cosine"] for row in found[1:]]
        assert cosines == pytest.approx([row["similarity"] for row in exact], abs=1e-6)


def test_only_unknown_names_are_warned_of(stores: Stores) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        stores[1].read("MATCH (p:Paper) WHERE p.s2 = 'x' AND p.openalex = 'y' RETURN p.id AS id")
    with pytest.warns(UnknownNameWarning, match=r"^The label `Papr` does not exist$"):
        stores[1].read("MATCH (p:Papr) RETURN p.id AS id")


def test_no_statement_is_deprecated(stores: Stores) -> None:
    """Neither those of the library nor those over rows of nodes and relationships."""
    texts = {name: query.text_for("neo4j") for name, query in library().items()}
    for name in ("Paper", "CITES"):
        table, names = TABLE[name], TABLE[name].arrow.names
        texts[f"insert {name}"] = by_position(insert_text(table), names)
        texts[f"delete {name}"] = by_position(delete_text(table), names)
        texts[f"update {name}"] = by_position(update_text(table, names), names)
    given = dict.fromkeys({p for q in library().values() for p in q.parameters}, None)
    found: dict[str, str] = {}
    with (
        neo4j.GraphDatabase.driver(stores[1].location) as driver,
        driver.session(notifications_min_severity="WARNING") as session,
    ):
        for name, text in texts.items():
            plan = session.run(f"EXPLAIN {text}", {**given, "rows": [], "limit": 1})
            for status in plan.consume().gql_status_objects:
                if status.classification == neo4j.NotificationClassification.DEPRECATION:
                    found[name] = status.status_description
    assert found == {}
