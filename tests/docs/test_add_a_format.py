"""The example of docs/add-a-format.md works as printed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

import citescape
from citescape.core.errors import SourceError
from citescape.loaders.datasets import TABLE_FORMATS, TableFormat
from citescape.loaders.lines import TextLines
from citescape.loaders.table_rows import CitationBatch, PaperRow
from tests.docs.pages import import_code, list_blocks

PAPERS = [{"id": "a", "title": "On rice", "year": 2019}, {"id": "b", "title": "On millet"}]
CITATIONS = [{"citing": "a", "cited": "b"}, {"citing": "a"}]


@pytest.fixture
def loader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module of the page, registered as on the page."""
    code, entry = [b.text for b in list_blocks("python") if b.page.name == "add-a-format.md"]
    module = import_code(code, tmp_path / "json_lines.py", monkeypatch)
    for name, result in eval(
        f"{{{entry}}}", {"json_lines": module, "TableFormat": TableFormat}
    ).items():
        monkeypatch.setitem(TABLE_FORMATS, name, result)
    return module


@pytest.mark.usefixtures("loader")
def test_papers_and_citations_are_loaded(tmp_path: Path) -> None:
    tables = {"papers.jsonl": PAPERS, "citations.jsonl": CITATIONS}
    for name, records in tables.items():
        lines = [json.dumps(record, separators=(",", ":")) for record in records]
        (tmp_path / name).write_text("\n".join(lines))
    with citescape.open(tmp_path / "a.lbug", create=True) as corpus:
        corpus.ingest([tmp_path / name for name in tables])
        cited = corpus.cypher(
            "MATCH (a:Paper)-[:CITES]->(b:Paper) RETURN a.title AS citing, b.title AS cited"
        )
    assert cited.arrow.to_pylist() == [{"citing": "On rice", "cited": "On millet"}]


@pytest.mark.usefixtures("loader")
def test_one_file_may_have_papers_and_citations(tmp_path: Path, loader: ModuleType) -> None:
    def read_papers(lines: TextLines) -> Iterator[PaperRow | SourceError]:
        return (row for row in loader.read_papers(lines) if "id" in row.fields)

    def read_citations(lines: TextLines) -> Iterator[CitationBatch]:
        return (batch._replace(broken=0) for batch in loader.read_citations(lines))

    TABLE_FORMATS["jsonl"] = replace(
        TABLE_FORMATS["jsonl"],
        kind_of=lambda _: "both",
        read_papers=read_papers,
        read_citations=read_citations,
    )
    file = tmp_path / "both.jsonl"
    file.write_text("".join(f"{json.dumps(record)}\n" for record in (*PAPERS, *CITATIONS[:1])))
    with citescape.open(tmp_path / "a.lbug", create=True) as corpus:
        result = corpus.ingest(file)
    assert (result.status, result.citations) == ({"loaded": 2}, 1)
    assert [table["lost"] for table in result.citations_read] == [{}]


@pytest.mark.usefixtures("loader")
def test_a_table_of_papers_alone_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "papers.jsonl"
    file.write_text("".join(f"{json.dumps(record)}\n" for record in PAPERS))
    with citescape.open(tmp_path / "a.lbug", create=True) as corpus:
        result = corpus.ingest(file)
    assert result.without_citations == (str(file),)
    assert any(str(file) in remark for remark in result.summarise().remarks)
