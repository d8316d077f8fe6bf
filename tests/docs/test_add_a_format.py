"""The example of docs/loaders.md, "Add a format", works as printed."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType

import pytest

import citescape
from citescape.loaders.datasets import TABLE_FORMATS, TableFormat
from tests.docs.pages import import_code, list_blocks

PAPERS = [{"id": "a", "title": "On rice", "year": 2019}, {"id": "b", "title": "On millet"}]
CITATIONS = [{"citing": "a", "cited": "b"}, {"citing": "a"}]


@pytest.fixture
def loader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module of the page, registered as on the page."""
    code, entry = [b.text for b in list_blocks("python") if b.page.name == "loaders.md"]
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
        (tmp_path / name).write_text("".join(f"{json.dumps(record)}\n" for record in records))
    with citescape.open(tmp_path / "a.lbug", create=True) as corpus:
        corpus.ingest([tmp_path / name for name in tables])
        cited = corpus.cypher(
            "MATCH (a:Paper)-[:CITES]->(b:Paper) RETURN a.title AS citing, b.title AS cited"
        )
    assert cited.arrow.to_pylist() == [{"citing": "On rice", "cited": "On millet"}]
