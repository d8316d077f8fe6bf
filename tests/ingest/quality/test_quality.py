"""Figures on the quality of a store equal counts in plain Python, on both engines."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from citescape.ingest.quality.quality import CITED, LOADED, Quality, read_quality
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query
from tests.ingest.converters import as_openalex, as_tei
from tests.ingest.papers import Cited, jats, load, small_corpus, write_files


def read(store: GraphStore, text: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = store.read(text).to_pylist()
    return rows


def rows_of(quality: Quality, name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = quality.tables()[name].to_pylist()
    return rows


@pytest.fixture
def mixed(store: GraphStore, tmp_path: Path) -> GraphStore:
    """Eight papers in JATS, four of them in TEI, and three as records whose years are wrong."""
    papers = small_corpus()
    load(store, *write_files(tmp_path / "jats", papers))
    load(store, *write_files(tmp_path / "tei", [as_tei(paper) for paper in papers[:4]]))
    records = [json.loads(as_openalex(paper, 9_000 + i)) for i, paper in enumerate(papers[2:5])]
    for record in records:
        record |= {"publication_year": 2013, "publication_date": None}
    (tmp_path / "works.jsonl").write_text("\n".join(map(json.dumps, records)))
    load(store, tmp_path / "works.jsonl")
    return store


def test_sources_are_counted(mixed: GraphStore) -> None:
    quality = read_quality(mixed)
    counts = {row["source"]: row for row in rows_of(quality, "sources")}
    assert {name: row["papers"] for name, row in counts.items()} == {
        "jats": 8, "openalex": 3, "tei": 4,
    }  # fmt: skip
    assert {name: row["alone"] for name, row in counts.items()} == {
        "jats": 3, "openalex": 0, "tei": 0,
    }  # fmt: skip
    assert {name: row["with_text"] for name, row in counts.items()} == {
        "jats": 8, "openalex": 0, "tei": 0,
    }  # fmt: skip
    entries = Counter(
        row["source"] for row in read(mixed, "MATCH (r:Reference) RETURN r.data_source AS source")
    )
    assert {name: row["entries"] for name, row in counts.items()} == {**entries, "openalex": 0}
    assert (quality.papers, quality.joint) == (8, 5)
    occurrences = read(mixed, "MATCH (o:Occurrence) RETURN count(o) AS n")[0]["n"]
    assert quality.pointers == occurrences + quality.lost


def test_fields_are_counted_in_each_source(mixed: GraphStore) -> None:
    rows = {
        (row["part"], row["source"]): row for row in rows_of(read_quality(mixed), "completeness")
    }
    loaded, cited_by = ("", "jats", "openalex", "tei"), ("", "jats", "tei")
    assert set(rows) == {(LOADED, s) for s in loaded} | {(CITED, s) for s in cited_by}
    assert rows[LOADED, ""] | {"part": "", "abstract": 8} == {
        "part": "", "source": "", "papers": 8, "doi": 8, "identifier": 8, "title": 8,
        "abstract": 8, "year": 8, "type": 8, "authors": 8,
    }  # fmt: skip
    assert (rows[LOADED, "tei"]["papers"], rows[LOADED, "tei"]["type"]) == (4, 0)
    assert (rows[LOADED, "openalex"]["type"], rows[LOADED, "openalex"]["year"]) == (3, 3)
    works = read(
        mixed,
        "MATCH (p:Paper) WHERE NOT p.fulltext RETURN p.doi AS doi, p.pmid AS pmid, p.year AS year",
    )
    cited = rows[CITED, ""]
    assert cited["papers"] == len(works)
    assert cited["doi"] == sum(bool(work["doi"]) for work in works)
    assert cited["identifier"] == sum(bool(work["doi"] or work["pmid"]) for work in works)
    assert cited["year"] == sum(work["year"] is not None for work in works)
    assert (cited["title"], cited["abstract"], cited["type"]) == (None, None, None)
    assert rows[CITED, "jats"] | {"source": ""} == cited
    listed_in_tei = read(
        mixed,
        "MATCH (r:Reference {data_source: 'tei'})-[:MATCHES]->(w:Paper) WHERE NOT w.fulltext "
        "RETURN DISTINCT w.id AS id, w.doi AS doi",
    )
    assert rows[CITED, "tei"]["papers"] == len(listed_in_tei)
    assert rows[CITED, "tei"]["doi"] == sum(bool(work["doi"]) for work in listed_in_tei)


def test_unresolved_entries_have_a_work_without_id_and_text(mixed: GraphStore) -> None:
    quality = read_quality(mixed)
    matches = read(
        mixed,
        "MATCH (r:Reference)-[m:MATCHES]->(w:Paper) RETURN r.id AS id, w.id AS work, "
        "m.matched_by AS how, w.fulltext AS loaded, w.doi AS doi, w.pmid AS pmid",
    )
    unresolved = [m for m in matches if not (m["loaded"] or m["doi"] or m["pmid"])]
    assert unresolved
    assert (quality.entries, quality.unresolved) == (len(matches), len(unresolved))
    ways = Counter[str]()
    for row in rows_of(quality, "references"):
        ways[row["matched_by"]] += row["entries"]
    assert ways == Counter(m["how"] for m in matches)
    named = Counter(m["work"] for m in unresolved)
    listed = {row["id"]: row["entries"] for row in rows_of(quality, "unresolved works")}
    assert listed == dict(named.most_common(10))


def test_sources_that_disagree_are_listed_with_their_values(mixed: GraphStore) -> None:
    quality = read_quality(mixed)
    counts = {
        row["field"]: (row["compared"], row["disagree"]) for row in rows_of(quality, "conflicts")
    }
    assert counts["year"] == (5, 3)
    assert counts["title"] == (5, 0)
    assert counts["type"] == (3, 0)
    assert quality.agreeing == 2
    values = [row for row in rows_of(quality, "conflicting values") if row["field"] == "year"]
    assert {(row["source"], row["value"], row["used"]) for row in values} == {
        ("jats", "2010", True), ("tei", "2010", True), ("openalex", "2013", False),
    }  # fmt: skip
    assert {row["distance"] for row in values} == {3.0}
    stored = {row["id"] for row in mixed.read(query("report/joint_papers")).to_pylist()}
    assert {row["paper"] for row in values} < stored


def test_lost_citations_are_counted_by_source_and_reason(store: GraphStore, tmp_path: Path) -> None:
    good = jats(1, [Cited("Peas", doi="10.7777/peas1")])
    bad = jats(2, [Cited("Peas", doi="10.7777/peas1")]).replace(
        b"<p>", b'<p><xref ref-type="bibr" rid="B99">[99]</xref> '
    )
    load(store, *write_files(tmp_path, [good, bad]))
    quality = read_quality(store)
    assert (quality.pointers, quality.lost) == (3, 1)
    assert rows_of(quality, "losses") == [{"source": "jats", "reason": "unknown-target", "lost": 1}]
    assert rows_of(quality, "papers with losses") == [
        {"id": "doi:10.1000/2", "source": "jats", "pointers": 2, "lost": 1}
    ]


def test_an_empty_store_has_figures(store: GraphStore) -> None:
    quality = read_quality(store)
    assert (quality.papers, quality.cited, quality.entries, quality.pointers) == (0, 0, 0, 0)
    assert quality.figures()["sources"] == []
