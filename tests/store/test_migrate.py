"""Stores of schema versions 2 to 7 are upgraded; others are not changed."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from citescape.core.errors import SchemaVersionError, StoreError
from citescape.ingest.migration import name_sources
from citescape.ingest.notices import write_notices
from citescape.store.graph_store import Change, GraphStore, open_store
from citescape.store.ladybug import adapter
from citescape.store.schema import SCHEMA_VERSION, TABLE
from citescape.store.state import read_meta, write_meta

_VERSIONS = {
    7: (
        *("IN_COLLECTION", "AFFILIATED_WITH", "DESCRIBES", "VERSION_OF"),
        *("Collection", "Institution", "Record", "File"),
    ),
    5: ("STATES", "CONCERNS", "PUBLISHED_AS", "Notice"),
    4: ("RELATED", "IN_COMMUNITY", "PART_OF", "Community"),
    3: ("HAS_EMBEDDING", "Embedding"),
}
LATER = {
    version: [name for since, names in _VERSIONS.items() if since > int(version) for name in names]
    for version in ("2", "3", "4", "5", "6", "7")
}
"""Tables added later, in the order in which they can be dropped."""
LATER_COLUMNS = ("notice", "notice_date", "notice_year", "notice_doi", "notice_source")
"""Properties of Paper added in version 5. CITES has `abstract_similarity` since version 6."""


LISTS = {
    ("HAS_MESH", "qualifiers"): "['genetics', 'growth']",
    ("AFFILIATED_WITH", "positions"): "[0, 2]",
}
"""Properties that were lists before version 8, with an example."""


def make_old(store: GraphStore, version: str = "2") -> str:
    """Turns a store with a keyword and a paper into one of an earlier version, and closes it."""
    rows = pa.table({"id": ["rice"], "text": ["Rice"]}, TABLE["Keyword"].arrow)
    papers = [{"id": "p", "title": "On rice"}, {"id": "q"}]
    paper = pa.Table.from_pylist(papers, TABLE["Paper"].arrow)
    pair = pa.Table.from_pylist([{"from": "p", "to": "q", "importance": 0.5}], TABLE["CITES"].arrow)
    for name, inserted in (("Keyword", rows), ("Paper", paper), ("CITES", pair)):
        store.apply([Change("insert", name, inserted)])
    for name in LISTS if store.dialect == "ladybug" else ():
        table, column = name
        kind = "INT64[]" if column == "positions" else "STRING[]"
        store.write(f"ALTER TABLE {table} DROP {column}")
        store.write(f"ALTER TABLE {table} ADD {column} {kind}")
    for (table, column), listed in LISTS.items():
        if version < "7" and table == "AFFILIATED_WITH":
            continue
        target = TABLE[table].target
        store.write(f"CREATE (:{target} {{id: 'one'}}), (:{target} {{id: 'other'}})")
        for id_, values in (("one", listed), ("other", "[]")):
            store.write(
                f"MATCH (p:Paper {{id: 'p'}}), (x:{target} {{id: '{id_}'}}) "
                f"CREATE (p)-[:{table} {{{column}: {values}}}]->(x)"
            )
    if store.dialect == "ladybug":
        for name in LATER[version]:
            store.write(f"DROP TABLE {name}")
        if version < "6":
            store.write("ALTER TABLE CITES DROP abstract_similarity")
        for name in LATER_COLUMNS if version < "5" else ():
            store.write(f"ALTER TABLE Paper DROP {name}")
    else:
        for name in LATER[version]:
            store.write(f"DROP CONSTRAINT citescape_{name}_id IF EXISTS")
    write_meta(store, "schema_version", version)
    location = store.location
    store.close()
    return location


@pytest.mark.parametrize("version", LATER)
def test_a_migrated_store_gets_new_tables_and_keeps_its_data(
    store: GraphStore, version: str
) -> None:
    location = make_old(store, version)
    with pytest.raises(
        SchemaVersionError, match=rf"schema version {version}, .*platform doctor --migrate"
    ):
        open_store(location)
    open_store(location, create=False, upgrade=name_sources).close()
    graph = open_store(location, create=False)
    assert read_meta(graph, "schema_version") == str(SCHEMA_VERSION)
    assert graph.read("MATCH (k:Keyword) RETURN k.text AS text")["text"].to_pylist() == ["Rice"]
    noted = pa.table({"id": ["p"], "notice": ["retracted"], "notice_year": [2015]})
    graph.apply([Change("update", "Paper", noted)])
    similar = pa.table({"from": ["p"], "to": ["q"], "abstract_similarity": [0.25]})
    graph.apply([Change("update", "CITES", similar)])
    text = "MATCH ()-[c:CITES]->() RETURN c.importance AS a, c.abstract_similarity AS b"
    assert graph.read(text).to_pylist() == [{"a": 0.5, "b": 0.25}]
    title = (
        "MATCH (p:Paper {id: 'p'}) RETURN p.title AS title, p.notice AS notice, p.notice_doi AS doi"
    )
    expected = {"title": "On rice", "notice": "retracted", "doi": None}
    assert graph.read(title).to_pylist() == [expected]
    write_notices(graph)
    assert graph.read(title)["notice"].to_pylist() == [None]  # no notice says so
    node = {"id": ["r/a"], "run": ["r"], "text": ["title"], "vector": [[1.0, 2.0]]}
    graph.apply([Change("insert", "Embedding", pa.table(node, TABLE["Embedding"].arrow))])
    schema = TABLE["Community"].arrow
    empty = {name: pa.array([None], schema.field(name).type) for name in schema.names}
    graph.apply([Change("insert", "Community", pa.table({**empty, "id": ["c/1"]}, schema))])
    for table, column in LISTS if version == "7" else [("HAS_MESH", "qualifiers")]:
        text = f"MATCH ()-[x:{table}]->(t) RETURN x.{column} AS value ORDER BY t.id"
        texts = graph.read(text)["value"].to_pylist()
        assert texts == [{"positions": "0 2", "qualifiers": "genetics/growth"}[column], ""]
    if graph.dialect == "neo4j":
        names = graph.read("SHOW CONSTRAINTS YIELD name RETURN name")["name"].to_pylist()
        labels = ("Embedding", "Community", "Notice", "Record", "Institution", "Collection")
        assert {f"citescape_{label}_id" for label in labels} <= set(names)
    graph.close()


@pytest.mark.parametrize("version", ["5", "7"])
def test_rows_are_copied_into_the_columns_of_a_migrated_store(
    store: GraphStore, version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Columns that were added have another order than those of a new store."""
    monkeypatch.setattr(adapter, "_COPIED", 0)
    location = make_old(store, version)
    graph = open_store(location, create=False, upgrade=name_sources)
    place = {"id": "rice", "name": "Rice Institute", "country": "CN"}
    schema = TABLE["Institution"].arrow
    graph.apply([Change("insert", "Institution", pa.Table.from_pylist([place], schema))])
    affiliation = {"positions": "0 2", "name": "Institute", "country": "CN", "openalex": "I1"}
    pair = {"mentions": 3, "abstract_similarity": 0.25, "importance": 0.5, "run": "r"}
    for name, ends, values in (
        ("AFFILIATED_WITH", {"from": "p", "to": "rice"}, affiliation),
        ("CITES", {"from": "q", "to": "p"}, pair),
    ):
        rows = pa.Table.from_pylist([{**ends, **values}], TABLE[name].arrow)
        graph.apply([Change("insert", name, rows)])
        columns = ", ".join(f"x.{column} AS {column}" for column in values)
        text = f"MATCH ({{id: $first}})-[x:{name}]->({{id: $second}}) RETURN {columns}"
        found = graph.read(text, first=ends["from"], second=ends["to"]).to_pylist()
        assert found == [values]
    graph.close()


def test_a_store_of_this_version_is_not_changed(store: GraphStore) -> None:
    location = store.location
    store.close()
    open_store(location, upgrade=name_sources).close()
    graph = open_store(location)
    assert read_meta(graph, "schema_version") == str(SCHEMA_VERSION)
    graph.close()


def test_unknown_versions_are_refused(store: GraphStore) -> None:
    location = store.location
    write_meta(store, "schema_version", "1")
    store.close()
    with pytest.raises(SchemaVersionError, match="has schema version 1"):
        open_store(location, upgrade=name_sources)


def test_a_missing_store_is_not_created(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no store at"):
        open_store(str(tmp_path / "none.lbug"), create=False, upgrade=name_sources)


@pytest.mark.parametrize("fresh_store", ["neo4j"], indirect=True)
def test_labels_of_other_data_stop_a_migration_on_neo4j(store: GraphStore) -> None:
    """A ladybug file holds only one graph."""
    store.write("CREATE (:Embedding {mine: 1}), (:Community {mine: 1})")
    location = make_old(store)
    with pytest.raises(StoreError, match=r"labels it needs \(1 Community, 1 Embedding\)"):
        open_store(location, upgrade=name_sources)


@pytest.mark.parametrize("fresh_store", ["neo4j"], indirect=True)
def test_labels_of_the_old_version_do_not_stop_a_migration(store: GraphStore) -> None:
    """Version 3 had embeddings, but no communities."""
    store.write("CREATE (:Embedding {id: 'r/a'})")
    open_store(make_old(store, "3"), create=False, upgrade=name_sources).close()


def test_an_upgrade_that_is_killed_is_done_again(store: GraphStore) -> None:
    """The version comes last."""
    location = make_old(store, "5")

    def killed(_: GraphStore) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        open_store(location, create=False, upgrade=killed)
    with pytest.raises(SchemaVersionError, match="has schema version 5"):
        open_store(location)
    open_store(location, create=False, upgrade=name_sources).close()
    open_store(location).close()
