"""Papers with several sources: one node, the best text, independent of the order of loading."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import permutations
from pathlib import Path

from citescape.core.progress import silent
from citescape.ingest.config import IngestConfig
from citescape.ingest.ingest import ingest
from citescape.ingest.migration import name_sources
from citescape.papers.removal import remove_source
from citescape.store.graph_store import GraphStore
from citescape.store.schema import TABLE
from tests.ingest.converters import as_tei
from tests.ingest.data_sets import titled, write_papers
from tests.ingest.papers import Cited, jats, load, one_column, small_corpus, snapshot, write_files

SOURCES = "MATCH (p:Paper) WHERE p.fulltext RETURN p.sources AS sources"


def test_formats_of_the_same_papers_give_one_graph_in_any_order(
    fresh_store: Callable[[], GraphStore], tmp_path: Path
) -> None:
    papers = small_corpus(5)
    texts = write_files(tmp_path / "jats", papers)
    others = write_files(tmp_path / "tei", [as_tei(paper) for paper in papers[1:]])
    rows = [
        {**titled(f"p{i}")[0], "doi": f"10.1000/{i}", "abstract": f"About {i}."} for i in (0, 2)
    ]
    table = [write_papers(tmp_path, *rows)]
    states = []
    for order in permutations((texts, others, table)):
        store = fresh_store()
        for paths in order:
            load(store, *paths)
        states.append(snapshot(store))
        assert load(store, *texts, *others, *table).status == {"unchanged": 11}
        assert snapshot(store) == states[-1]
    for state in states[1:]:
        assert state == states[0]
    sources = one_column(store, SOURCES)
    assert sorted(map(tuple, sources)) == [
        ("jats", "papers"), ("jats", "papers", "tei"), *[("jats", "tei")] * 3,
    ]  # fmt: skip


def test_the_text_is_that_of_the_most_exact_source(store: GraphStore, tmp_path: Path) -> None:
    paper = jats(1, [Cited("Peas", doi="10.7777/peas1")], text="Exact.")
    (tei,) = write_files(tmp_path / "tei", [as_tei(paper.replace(b"Exact.", b"Read."))])
    load(store, tei)
    opening = "MATCH (:Paper)-[:HAS_SECTION]->(s:Section) RETURN s.opening AS text"
    assert str(one_column(store, opening)[0]).startswith("Read.")
    load(store, *write_files(tmp_path / "jats", [paper]))
    assert [str(text)[:6] for text in one_column(store, opening)] == ["Exact."]
    assert one_column(store, "MATCH (s:Section) RETURN s.data_source AS s") == ["jats"]
    references = "MATCH (:Paper)-[:HAS_REFERENCE]->(r) RETURN r.id AS id"
    assert one_column(store, references) == ["doi:10.1000/1#r0", "doi:10.1000/1#r0@tei"]
    assert len(one_column(store, "MATCH (:Paper)-[c:CITES]->(:Paper) RETURN 1 AS n")) == 1


def test_a_table_fills_what_the_text_lacks(store: GraphStore, tmp_path: Path) -> None:
    texts = write_files(tmp_path / "texts", [jats(1, title="Rice")])
    row = {"id": "a", "title": "RICE", "doi": "10.1000/1", "abstract": "It grows.", "pmid": "77"}
    load(store, *texts, write_papers(tmp_path, row))
    columns = "p.title AS title, p.abstract AS abstract, p.pmid AS pmid"
    (found,) = store.read(f"MATCH (p:Paper) RETURN {columns}").to_pylist()
    assert found == {"title": "Rice", "abstract": "It grows.", "pmid": "77"}


def test_a_removed_row_leaves_the_paper_as_its_other_source_has_it(
    fresh_store: Callable[[], GraphStore], tmp_path: Path
) -> None:
    texts = write_files(tmp_path / "texts", [jats(1, [Cited("Peas")])])
    rows = [{**titled("a")[0], "doi": "10.1000/1", "abstract": "It grows."}, *titled("b", "c")]
    store = fresh_store()
    load(store, *texts, write_papers(tmp_path, *rows))
    table = write_papers(tmp_path, *rows[1:])
    ingest(store, [table], IngestConfig(workers=1, replace=True))
    found = snapshot(store)
    other = fresh_store()
    load(other, table, *texts)
    assert found == snapshot(other)


def test_a_corrected_record_replaces_that_of_its_source_only(
    fresh_store: Callable[[], GraphStore], tmp_path: Path
) -> None:
    paper, corrected = (jats(1, [Cited("Peas")], title=title) for title in ("First", "Second"))
    store = fresh_store()
    texts = write_files(tmp_path / "texts", [paper])
    others = write_files(tmp_path / "tei", [as_tei(paper)])
    load(store, *others, *texts)
    write_files(tmp_path / "texts", [corrected])
    assert load(store, *others, *texts).status == {"loaded": 1, "unchanged": 1}
    found = snapshot(store)
    other = fresh_store()
    load(other, *texts, *others)
    assert found == snapshot(other)
    assert one_column(other, "MATCH (p:Paper) WHERE p.fulltext RETURN p.title AS t") == ["Second"]


def openalex(number: int, title: str, **values: object) -> dict[str, object]:
    """A record of OpenAlex."""
    record = {"id": f"https://openalex.org/W{number}", "title": title, "publication_year": 2010}
    return {**record, "referenced_works": [], "authorships": [], **values}


def test_records_without_a_common_id_are_joined_through_one_that_has_both(
    fresh_store: Callable[[], GraphStore], tmp_path: Path
) -> None:
    """OpenAlex's texts have no id but their name, which is that of the record beside them."""
    paper = jats(1, [Cited("Peas", doi="10.7777/peas1")])
    texts = write_files(tmp_path / "jats", [paper, jats(2, [Cited("", doi="10.1000/1")])])
    folder = tmp_path / "openalex"
    folder.mkdir()
    record = openalex(1, "Other words", doi="https://doi.org/10.1000/1")
    (folder / "W7777.json").write_text(json.dumps({**record, "id": "https://openalex.org/W7777"}))
    unlike = jats(1, [Cited("Peas", doi="10.7777/peas1")], title="Unlike", doi="")
    (folder / "W7777.tei.xml").write_bytes(as_tei(unlike))
    states = []
    parts = [texts, [folder / "W7777.json"], [folder / "W7777.tei.xml"]]
    for order in permutations(parts):
        store = fresh_store()
        for paths in order:
            load(store, *paths)
        states.append(snapshot(store))
    for state in states[1:]:
        assert state == states[0]
    assert one_column(store, SOURCES) == [["jats", "openalex", "tei"], ["jats"]]

    # Without the record that has both ids, the text is a work of its own.
    remove_source(store, "openalex", progress=silent)
    found = snapshot(store)
    store = fresh_store()
    load(store, *texts, folder / "W7777.tei.xml")
    assert found == snapshot(store)
    assert len(one_column(store, SOURCES)) == 3


def test_a_record_without_ids_is_joined_by_its_title(
    fresh_store: Callable[[], GraphStore], tmp_path: Path
) -> None:
    paper = jats(1, [Cited("Peas")])
    texts = write_files(tmp_path / "jats", [paper])
    others = write_files(tmp_path / "tei", [as_tei(paper.replace(b"10.1000/1", b""))])
    states = []
    for first, second in ((texts, others), (others, texts)):
        store = fresh_store()
        load(store, *first)
        load(store, *second)
        states.append(snapshot(store))
        assert one_column(store, SOURCES) == [["jats", "tei"]]
        assert load(store, *texts, *others).status == {"unchanged": 2}
    assert states[0] == states[1]


def test_the_published_and_latest_version_counts_in_any_order(
    fresh_store: Callable[[], GraphStore], tmp_path: Path
) -> None:
    """Folders of versions as PubMed Central's cloud service has them."""
    manuscript = b'<article-id pub-id-type="manuscript">NIHMS1</article-id>'
    paths = []
    for version, words in (("1", "First"), ("2", "Second"), ("3", "Manuscript")):
        paper = jats(1, [Cited("Peas")], title=words)
        if words == "Manuscript":
            paper = paper.replace(b"<title-group>", manuscript + b"<title-group>")
        (folder := tmp_path / f"PMC77001.{version}").mkdir()
        (folder / f"PMC77001.{version}.xml").write_bytes(paper)
        paths.append(folder)
    titles = "MATCH (p:Paper) WHERE p.fulltext RETURN p.title AS title"
    for order in permutations(paths):
        for together in (True, False):
            store = fresh_store()
            for part in [order] if together else [[path] for path in order]:
                load(store, *part)
            assert one_column(store, titles) == ["Second"]
            assert load(store, *order).status == {"unchanged": 3}
            assert one_column(store, titles) == ["Second"]


def test_papers_of_an_older_store_get_the_name_of_their_source(
    store: GraphStore, tmp_path: Path
) -> None:
    load(store, *write_files(tmp_path, small_corpus(4)))
    rows = titled("a", "b")
    load(store, write_papers(tmp_path, {**rows[0], "doi": "10.1000/table7"}, rows[1]))
    (tmp_path / "set").mkdir()
    other = write_papers(tmp_path / "set", {**titled("c")[0], "doi": "10.1000/table8"})
    load(store, other.rename(tmp_path / "set" / "my papers.csv"))
    before = snapshot(store)
    names = [name for name in TABLE["Paper"].arrow.names if name.startswith("source")]
    nothing = ", ".join(f"p.{name} = NULL" for name in (*names, "text_source"))
    store.write(f"MATCH (p:Paper) WHERE p.fulltext SET {nothing}")
    assert snapshot(store) != before
    name_sources(store)
    assert snapshot(store) == before
