"""Every query of the library runs on both engines, with columns of the same types and equal rows.

The graph of a generated corpus is the same on both engines.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from citescape.core.progress import silent
from citescape.demo.jats_writer import write_corpus
from citescape.demo.world import generate_world
from citescape.importance.score import score
from citescape.ingest.resolve import resolve
from citescape.papers.collections import add_collection
from citescape.runs.directory import RunRecord
from citescape.search.graph_vectors import write_embeddings
from citescape.search.vectors import Vectors
from citescape.store.graph_store import Change, GraphStore, open_store
from citescape.store.neo4j.adapter import Neo4jStore
from citescape.store.queries import Query, library, query
from citescape.store.schema import NODE, TABLE
from citescape.store.state import CLUSTER_RUN, NETWORK_RUN, write_meta
from citescape.store.statements import read_text
from citescape.text.intents.label import label
from citescape.text.intents.model import RULES, resolve_model
from tests.conftest import empty_neo4j
from tests.ingest.converters import as_openalex, as_tei
from tests.ingest.papers import Cited, jats, load, snapshot, write_files
from tests.neo4j.server import Neo4jServer

READS = [q for q in library().values() if not q.writes and "rows" not in q.parameters]
OF_THE_RUN = ("started", "seconds", "counts")
"""Times of the scoring: columns that differ between any two stores."""

NOTICES = "notices.csv"

Both = tuple[GraphStore, GraphStore]
OTHERS = [q for q in library().values() if q not in READS]
LISTS = (
    *("notices", "papers", "ids", "rows", "levels", "types", "queries", "learned", "occurrences"),
    "paths",
)
NUMBERS = (
    "least",
    "limit",
    "earliest",
    "latest",
    "undated",
    "I",
    "M",
    "R",
    "D",
    "other",
    "S",
    "scale",
)
FLAGS = ("rules",)


@pytest.fixture(scope="module")
def empty(neo4j_server: Neo4jServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    """Empty stores of both engines, for the first tests, as `both` fills the server.

    Plans that the server has made for them stay in use: every plan takes time.
    """
    empty_neo4j(neo4j_server.uri)
    stores = (
        open_store(str(tmp_path_factory.mktemp("empty") / "s.lbug")),
        open_store(neo4j_server.uri),
    )
    yield stores
    for store in stores:
        store.close()


def placeholder_values(query: Query) -> dict[str, object]:
    """A value of the right type for each parameter."""
    return {
        name: [] if name in LISTS else 1 if name in NUMBERS else False if name in FLAGS else "none"
        for name in query.parameters
    }


@pytest.mark.parametrize("query", READS, ids=lambda query: query.name)
def test_columns_have_equal_types_without_rows(query: Query, empty: Both) -> None:
    ladybug, neo4j = (s.read(query, **placeholder_values(query)).schema for s in empty)
    assert neo4j.equals(ladybug) or [*map(str_type, neo4j)] == [*map(str_type, ladybug)]


def str_type(field: pa.Field) -> tuple[str, str]:
    """Name and type of a column; ladybug uses other names for entries of lists."""
    kind = field.type
    return field.name, f"list of {kind.value_type}" if pa.types.is_list(kind) else str(kind)


@pytest.mark.parametrize("query", OTHERS, ids=lambda query: query.name)
def test_neo4j_plans_every_other_query(query: Query, empty: Both) -> None:
    store = empty[1]
    assert isinstance(store, Neo4jStore)
    params = placeholder_values(query)
    with store._session() as session:  # a plan is not a table
        text = query.text_for("neo4j")
        plan = session.run(f"EXPLAIN {text}", params).consume().plan
    assert plan is not None


@pytest.fixture(scope="module")
def both(neo4j_server: Neo4jServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    """A ladybug store and a Neo4j store with the same generated corpus.

    Two papers were corrected, all were scored, their citations labelled by intent, and given
    vectors, edges and communities; five came after that, without any of these.
    """
    folder = tmp_path_factory.mktemp("both")
    evidence = jats(1, [Cited("Named in results only")]).replace(b'"intro"', b'"results"')
    evidence = evidence.replace(b"<article-title>", b"<article-title>Retracted: ", 1)
    paths = write_files(folder / "own", [evidence])
    paths += write_corpus(generate_world(papers=50, seed=3), folder / "papers")[:26]
    empty_neo4j(neo4j_server.uri)
    stores = (open_store(str(folder / "s.lbug")), open_store(neo4j_server.uri))
    for store in stores:
        load(store, *paths[:22])
    others = write_other_sources(folder, evidence)
    correct_papers(paths[:2])
    for store in stores:
        assert load(store, *paths[:22]).status == {"loaded": 2, "unchanged": 20}
        score(store, runs=folder / store.dialect)
        label(store, resolve_model(folder, RULES))
        embed(store)
        relate(store)
        assert load(store, *paths).status == {"loaded": 5, "unchanged": 22}
        load(store, retract(store, folder / NOTICES))
        load(store, *others)
        add_collection(store, "reading", [list_papers(store, folder)], progress=silent)
        row = [{"id": "a b", "kind": "split", "first": "a", "second": "b"}]
        decision = pa.Table.from_pylist(row, TABLE["IdentityDecision"].arrow)
        store.apply([Change("insert", "IdentityDecision", decision)])
    yield stores
    for store in stores:
        store.close()


def write_other_sources(folder: Path, paper: bytes) -> list[Path]:
    """A paper of the graph in three more formats, one of which names its preprint."""
    record = json.loads(as_openalex(paper, 1_001))
    place = {
        "id": "https://openalex.org/I1",
        "display_name": "Institute",
        "country_code": "CN",
    }
    record["authorships"][0]["institutions"] = [place]
    record["locations"] = [{"landing_page_url": "https://arxiv.org/abs/2001.00001"}]
    (folder / "W1001.json").write_text(json.dumps(record))
    (folder / "W1001.tei.xml").write_bytes(as_tei(paper))
    scholar = {
        "corpusid": 1001,
        "externalids": {"DOI": record["doi"].removeprefix("https://doi.org/")},
        "title": record["title"],
        "authors": [],
    }
    (folder / "s2ag.jsonl").write_text(json.dumps(scholar) + "\n")
    return [folder / "W1001.json", folder / "W1001.tei.xml", folder / "s2ag.jsonl"]


def list_papers(store: GraphStore, folder: Path) -> Path:
    """A bibliography with two papers of the graph."""
    papers = store.read("MATCH (p:Paper) WHERE p.fulltext RETURN p.doi AS doi ORDER BY doi")
    bibliography = folder / "reading.ris"
    listed = papers["doi"].drop_null().to_pylist()[:2]
    entries = (f"TY  - JOUR\nDO  - {doi}\nER  -\n" for doi in listed)
    bibliography.write_text("".join(entries), encoding="utf-8")
    return bibliography


def retract(store: GraphStore, table: Path) -> Path:
    """A table that names one paper as the notice about another."""
    papers = store.read("MATCH (p:Paper) WHERE p.fulltext RETURN p.doi AS doi ORDER BY doi")
    notice, work = papers["doi"].drop_null().to_pylist()[:2]
    names = ("OriginalPaperDOI", "RetractionDOI", "RetractionDate", "RetractionNature")
    values = (work, notice, "1/2/2019", "Retraction")
    table.write_text(f"{','.join(names)}\n{','.join(values)}\n", encoding="utf-8")
    return table


def correct_papers(paths: list[Path]) -> None:
    for path in paths:
        path.write_bytes(
            path.read_bytes().replace(b"</article-title>", b", corrected</article-title>", 1)
        )


def embed(store: GraphStore) -> None:
    """Vectors along four axes, with cosines 0 or 1; one more vector is of an earlier run."""
    ids = sorted(store.read(read_text(NODE["Paper"], []))["id"].to_pylist())
    values = np.eye(4, dtype=np.float32)[np.arange(len(ids)) % 4]
    vectors = Vectors(pa.table({"id": ids, "text": ["title"] * len(ids)}), values)
    write_embeddings(store, vectors, RunRecord("embed-1", "embed", {}, {}, started="2999"))
    old = {"id": ["embed-0/x"], "run": ["embed-0"], "text": ["title"], "vector": [[1.0]]}
    link = pa.table({"from": ids[5:6], "to": ["embed-0/x"]})
    node = pa.table(old, TABLE["Embedding"].arrow)
    store.apply([Change("insert", "Embedding", node), Change("insert", "HAS_EMBEDDING", link)])


def relate(store: GraphStore) -> None:
    """Edges between papers with neighbouring ids, and two communities of them in a third.

    They have the run of the vectors, so that one parameter finds all; an edge and a community
    are left from earlier runs.
    """
    ids = sorted(store.read(read_text(NODE["Paper"], []))["id"].to_pylist())
    edges = [
        {"from": first, "to": second, "run": "embed-1", "kind": "knn", "weight": k / 8}
        for k, (first, second) in enumerate(pairwise(ids))
    ]
    edges.append({"from": ids[0], "to": ids[2], "run": "network-0", "kind": "knn", "weight": 1.0})
    communities = [
        {"id": f"{run}/{name}", "run": run, "level": level, "name": name, "size": 9}
        for run, level, name in (
            ("embed-1", "macro", "macro-1"),
            ("embed-1", "micro", "micro-1"),
            ("embed-1", "micro", "micro-2"),
            ("cluster-0", "macro", "macro-1"),
        )
    ]
    members = [
        {"from": id_, "to": f"embed-1/{name}", "run": "embed-1", "x": k / 4, "y": 1.0}
        for k, id_ in enumerate(ids)
        for name in ("macro-1", f"micro-{1 + k % 2}")
    ]
    members.append({"from": ids[0], "to": "cluster-0/macro-1", "run": "cluster-0"})
    parts = [{"from": f"embed-1/micro-{k}", "to": "embed-1/macro-1"} for k in (1, 2)]
    tables = {"RELATED": edges, "Community": communities, "IN_COMMUNITY": members, "PART_OF": parts}
    for name, rows in tables.items():
        schema = TABLE[name].arrow
        full = [{column: row.get(column) for column in schema.names} for row in rows]
        store.apply([Change("insert", name, pa.Table.from_pylist(full, schema))])
    for name in (NETWORK_RUN, CLUSTER_RUN):
        write_meta(store, name, "embed-1")


def test_every_table_is_the_same(both: Both) -> None:
    ladybug, neo4j = (snapshot(store, without=OF_THE_RUN) for store in both)
    for name in TABLE:
        assert neo4j[name] == ladybug[name], name
    assert len(neo4j["CITES"]) > 200
    assert both[1].read("MATCH (n:CitescapeDiscarded) RETURN n.id AS id").num_rows == 0


def test_only_some_citations_are_scored(both: Both) -> None:
    for store in both:
        counted = "MATCH (:Paper)-[c:CITES]->(:Paper) RETURN count(*) AS pairs, count(c.importance)"
        (row,) = store.read(f"{counted} AS scored").to_pylist()
        assert 0 < row["scored"] < row["pairs"]


def test_resolving_again_writes_nothing(both: Both, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[Change] = []
    store = both[1]
    monkeypatch.setattr(store, "apply", lambda changes, **_: written.extend(changes))
    before = snapshot(store)
    resolve(store, report=lambda _: None)
    assert [change for change in written if change.rows.num_rows] == []
    assert snapshot(store) == before


@pytest.fixture(scope="module")
def values(both: Both) -> dict[str, object]:
    """Parameter values for which every query of the library returns rows."""
    pairs = both[0].read(
        "MATCH (a:Paper)-[c:CITES {self: 1}]->(b:Paper) WHERE c.mentions > 0 AND b.fulltext "
        "RETURN a.id AS citing, b.id AS cited ORDER BY citing, cited LIMIT 9"
    )
    citing, cited = pairs["citing"].to_pylist(), pairs["cited"].to_pylist()
    run = both[0].read(query("explore/runs"))["id"][0].as_py()
    papers = both[0].read("MATCH (p:Paper) RETURN p.id AS id ORDER BY id")["id"].to_pylist()
    types = both[0].read("MATCH (p:Paper) WHERE p.fulltext RETURN DISTINCT p.type AS type")
    authors = both[0].read(
        "MATCH (a:Author)-[w:WROTE]->(:Paper)-[x:AFFILIATED_WITH]->(:Institution) "
        "WHERE string(w.position) IN string_split(x.positions, ' ') RETURN a.id AS id ORDER BY id"
    )
    printed = both[0].read("MATCH (r:Reference) WHERE r.doi <> '' RETURN min(r.doi) AS doi")
    rows_ = both[0].read("MATCH (o:Occurrence) RETURN o.id AS id ORDER BY id LIMIT 50")
    return {
        "occurrences": rows_["id"].to_pylist(), "ids": papers, "source": "jats",
        "paths": both[0].read("MATCH (f:File) RETURN f.id AS id")["id"].to_pylist(),
        "papers": papers, "citing": citing[0], "cited": cited[0],
        "paper": cited[0], "run": run, "id": citing[0], "text": "doi", "first": "", "last": "~",
        "ending": papers[0].removeprefix("doi"),
        "least": 1, "intent": "method", "limit": 10_000, "which": "all",
        "earliest": 2010, "latest": 2030, "undated": 2000,
        "doi": None, "pmid": None, "pmcid": None, "level": "macro", "levels": ["macro"],
        "queries": papers, "learned": papers, "name": "macro-1", "types": types["type"].to_pylist(),
        "author": authors["id"][0].as_py(), "collection": "reading", "work": cited[0],
        "kind": "doi", "value": printed["doi"][0].as_py(), "country": "",
        "community": "embed-1/macro-1", "file": NOTICES, "rules": False,
    }  # fmt: skip


@pytest.mark.parametrize("query", READS, ids=lambda query: query.name)
def test_every_library_query_returns_equal_rows(
    both: Both, values: dict[str, object], query: Query
) -> None:
    """All rows are compared: for equal sums of importance, rounding decides the order."""
    defaults = {**query.defaults, **values}
    params = {name: defaults[name] for name in query.parameters}
    if query.name == "schema/read_meta":
        params["id"] = "schema_version"
    if query.name == "features/paper_by_printed_id":
        params["doi"] = values["value"]
    ladybug, neo4j = (store.read(query, **params) for store in both)
    assert ladybug.num_rows > 0
    assert neo4j.column_names == ladybug.column_names
    assert comparable(neo4j) == comparable(ladybug)


def comparable(rows: pa.Table) -> list[str]:
    """Sorted rows; sums of floats depend on the order of their terms."""
    kept = rows.select([name for name in rows.column_names if name not in OF_THE_RUN])
    return sorted(
        repr({k: round(v, 9) if isinstance(v, float) else v for k, v in row.items()})
        for row in kept.to_pylist()
    )
