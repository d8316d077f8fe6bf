"""Exports of Scopus and Web of Science: loaded, joined, found unchanged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from citescape.store.graph_store import GraphStore
from tests.ingest.data_sets import titled, write_citations, write_papers
from tests.ingest.papers import jats, load, snapshot
from tests.ingest.s2ag_files import s2ag_citation, s2ag_paper, write_lines

WOS = """FN Clarivate Analytics Web of Science
VR 1.0
PT J
AU Silva, AB
TI Yield of rice
SO RICE SCI
PY 2019
CR Smith J, 2001, NATURE, V12, P45
   Doe A, 2002, CELL, V1, P2, DOI 10.1000/cell.1
UT WOS:1
ER

PT J
AU Li, W
TI On wheat in fields
PY 2020
CR SMITH J, 2001, NATURE, V12, P45
UT WOS:2
ER

PT J
AU Cut, O
"""
SCOPUS = (
    "Authors,Title,Year,Source title,References,EID\n"
    '"Silva A.B.","Yield of rice","2019","Rice Science","Doe A., On cells, Cell, 1, pp. 2-3, (2002)'
    '; Poe E., Another work, Cell, 1, pp. 9-12, (2002)","2-s2.0-1"\n'
)


def write(folder: Path) -> list[Path]:
    files = [folder / "savedrecs.txt", folder / "scopus.csv"]
    files[0].write_text(WOS)
    files[1].write_text(SCOPUS, encoding="utf-8-sig")
    return files


def test_exports_are_loaded_and_joined(
    fresh_store: Callable[[], GraphStore], tmp_path: Path
) -> None:
    store = fresh_store()
    files = write(tmp_path)
    result = load(store, *files)
    assert result.status == {"loaded": 3, "rejected": 1}
    assert result.report["reason"].drop_null().to_pylist() == ["cut-off"]
    assert result.fulltext_papers == 2  # the first record of both is one paper
    again = load(store, *files)
    assert again.status == {"unchanged": 3, "rejected": 1}


def test_printed_references_without_title_are_joined_by_their_page(
    fresh_store: Callable[[], GraphStore], tmp_path: Path
) -> None:
    store = fresh_store()
    load(store, write(tmp_path)[0])
    rows = store.read(
        "MATCH (:Paper)-[:CITES]->(w:Paper) WHERE w.venue = 'NATURE' "
        "RETURN w.id AS work, count(*) AS times"
    ).to_pylist()
    assert [(row["work"][:9], row["times"]) for row in rows] == [("key:page-", 2)]


def test_tables_exports_and_articles_may_lie_in_one_folder(
    fresh_store: Callable[[], GraphStore], tmp_path: Path
) -> None:
    (folder := tmp_path / "all").mkdir()
    exports = write(folder)
    (folder / "texts").mkdir()
    (article := folder / "texts" / "article.xml").write_bytes(jats(1, []))
    tables = [write_papers(folder, *titled("a", "b")), write_citations(folder, ("a", "b"))]
    (notices := folder / "notices.csv").write_text(
        "OriginalPaperDOI,RetractionNature,RetractionDOI\n10.1000/a,Retraction,10.1000/n\n"
    )
    together = load(store := fresh_store(), folder)
    assert together.status == {"loaded": 6, "rejected": 1}
    assert together.passed_over == {}
    assert load(store, folder).status == {"unchanged": 6, "rejected": 1}
    graph = snapshot(store)
    apart = load(store := fresh_store(), *exports, article, *tables, notices)
    assert (apart.status, snapshot(store)) == (together.status, graph)


def test_tables_of_a_relative_folder_are_read_once(
    fresh_store: Callable[[], GraphStore], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder := tmp_path / "all").mkdir()
    (folder / "article.xml").write_bytes(jats(1, []))
    write_lines(folder / "papers.jsonl", [s2ag_paper(1), s2ag_paper(2)])
    write_lines(folder / "citations.jsonl", [s2ag_citation(1, 2)])
    vectors = [{"corpusid": n, "vector": "[0.5]", "model": "specter_v2"} for n in (1, 2)]
    write_lines(folder / "embeddings.jsonl", vectors)
    monkeypatch.chdir(tmp_path)
    result = load(fresh_store(), Path("all"))
    assert (result.status, result.passed_over) == ({"loaded": 3}, {".jsonl": 1})
