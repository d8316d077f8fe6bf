"""Output of `platform ingest` on tables."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.conftest import empty_neo4j
from tests.ingest.data_sets import titled, write_citations, write_papers
from tests.neo4j.server import Neo4jServer

Platform = Callable[..., Any]


def test_tables_are_ingested_and_skipped_citations_are_reported(
    platform: Platform, tmp_path: Path
) -> None:
    papers = write_papers(tmp_path, *titled("a", "b", "c"), {"id": "", "title": "x"})
    citations = write_citations(tmp_path, ("a", "b"), ("z", "b"), ("b", "x"))
    done = platform("ingest", papers, citations, "--store", "s.lbug", "--json")
    assert done.status == 0
    assert f"rejected  {papers}:5: a paper without id" in done.err
    assert (
        f"{citations}: 3 citations, 2 kept; of these 1 unknown-cited; left out: 1 unknown-citing\n"
        in done.err
    )
    assert (done.json["papers"], done.json["table_papers"], done.json["citations"]) == (4, 3, 2)
    assert done.json["documents"] == {"loaded": 3, "rejected": 1}
    assert done.json["tables_of_citations"] == [
        {
            "path": str(citations),
            "kept": 2,
            "lost": {"unknown-citing": 1},
            "notes": {"unknown-cited": 1},
        }
    ]
    write_citations(tmp_path, ("a", "b"))
    shown = platform("ingest", papers, citations, "--store", "s.lbug")
    assert f"{citations}: 1 citation, 1 kept; left out: none" in shown.err
    assert "3 without text" in shown.out
    assert shown.out.endswith("network build citation --store s.lbug\n")


def test_scores_need_texts(platform: Platform, tmp_path: Path) -> None:
    papers, citations = (
        write_papers(tmp_path, *titled("a", "b")),
        write_citations(tmp_path, ("a", "b")),
    )
    platform("ingest", papers, citations, "--store", "s.lbug")
    done = platform("score", "--store", "s.lbug")
    assert done.status == 1
    assert "1 citations but none in a text" in done.err
    assert (
        platform("score", "--features", "S", "--weights", "uniform", "--store", "s.lbug").status
        == 0
    )


def test_invalid_tables_are_refused_before_loading(platform: Platform, tmp_path: Path) -> None:
    papers = write_papers(tmp_path, {"id": "a", "name": "b"})
    done = platform("ingest", papers, "--store", "s.lbug")
    assert done.status == 1
    assert "begins with 'id,name'; not a known table" in done.err
    assert "Traceback" not in done.err
    assert not Path("s.lbug").exists()
    assert platform("ingest", papers, "--format", "pdf").status == 2


def test_no_empty_store_is_left_behind(platform: Platform, tmp_path: Path) -> None:
    """A store that existed stays, and so does a new one that has loaded other papers."""
    empty = write_papers(tmp_path)
    for strict in ((), ("--strict",)):
        done = platform("ingest", empty, *strict, "--store", "s.lbug")
        assert (done.status, "no paper in it" in done.err) == (1, True)
        assert list(Path().glob("s.lbug*")) == []
    papers = write_papers(tmp_path, *titled("a"))
    cut = tmp_path / "citations.csv.gz"
    cut.write_bytes(gzip.compress(b"citing,cited\n" + bytes(range(48, 58)) * 3000)[:-9])
    assert platform("ingest", papers, cut, "--store", "s.lbug").status == 1
    assert not Path("s.lbug").exists()
    assert platform("ingest", papers, "--store", "s.lbug").status == 0
    assert platform("ingest", write_papers(tmp_path), "--store", "s.lbug").status == 1
    assert platform("status", "--store", "s.lbug", "--json").json["labels"]["Paper"] == 1


def test_neo4j_store_is_not_removed_after_an_error(
    platform: Platform, tmp_path: Path, neo4j_server: Neo4jServer
) -> None:
    """The error is reported, even if no file has the name of the address."""
    empty_neo4j(neo4j_server.uri)
    Path("bolt:").write_text("")
    done = platform("ingest", write_papers(tmp_path), "--store", neo4j_server.uri)
    assert (done.status, "no paper in it" in done.err) == (1, True)


def test_a_file_that_lacks_most_papers_needs_replace(platform: Platform, tmp_path: Path) -> None:
    papers = write_papers(tmp_path, *titled("a", "b", "c"))
    platform("ingest", papers, "--store", "s.lbug")
    write_papers(tmp_path, *titled("a"))
    done = platform("ingest", papers, "--store", "s.lbug")
    assert done.status == 1
    assert "2 of the 3 papers of this data set are not in it" in done.err
    assert "Traceback" not in done.err
    done = platform("ingest", papers, "--store", "s.lbug", "--replace", "--json")
    assert done.json["documents"] == {"removed": 2, "unchanged": 1}


def test_notes_about_rows_are_counted(platform: Platform, tmp_path: Path) -> None:
    rows = [
        {"id": "a", "title": "NaN", "year": "NaN", "authors": ""},
        {"id": "b", "title": "None", "year": "soon", "authors": "Na"},
        {"id": "c", "title": "", "year": "2001", "authors": "NaN"},
    ]
    papers = write_papers(tmp_path, *rows)
    done = platform("ingest", papers, "--store", "s.lbug", "--json")
    assert done.err.splitlines()[-3:] == [
        "3 cells with NaN, NULL or the like: read as empty",
        "2 papers without title",
        "1 paper with a year or date that cannot be read",
    ]
    assert done.json["notes"] == {"bad-year": 1, "missing": 3, "no-title": 2}
    assert platform("ingest", papers, "--store", "s.lbug").err == ""


def test_unreadable_rows_are_rejected_like_other_papers(platform: Platform, tmp_path: Path) -> None:
    """Rejected rows are named; exit status 1 if no row is left, or with --strict."""
    papers = write_papers(tmp_path, *titled("a"), {"id": "", "title": "x"})
    assert platform("ingest", papers, "--store", "s.lbug").status == 0
    strict = platform("ingest", papers, "--strict", "--store", "s.lbug")
    assert (strict.status, strict.err.count("stopped: --strict")) == (1, 1)
    empty = platform(
        "ingest", write_papers(tmp_path, {"id": "", "title": "x"}), "--store", "n.lbug"
    )
    assert (empty.status, "no paper in it" in empty.err) == (1, True)
