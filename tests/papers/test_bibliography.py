"""Bibliographies as files, and citations as lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from citescape.core.errors import ConfigError, SourceError
from citescape.papers.bibliography import (
    BIBLIOGRAPHIES,
    find_named,
    write_bibliography,
)
from citescape.store.graph_store import GraphStore
from tests.importance.conftest import insert
from tests.mapping.exports.cited import ORDINARY


@pytest.mark.parametrize("form", BIBLIOGRAPHIES)
def test_a_bibliography_is_written_in_every_format(tmp_path: Path, form: str) -> None:
    meant = BIBLIOGRAPHIES[form]
    path = write_bibliography([ORDINARY], form, tmp_path / "refs.v1")
    assert path == tmp_path / f"refs.v1{meant.suffix}"
    assert path.read_bytes() == meant.write([ORDINARY]).encode()
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(ConfigError, match="exists; name another file"):
        write_bibliography([ORDINARY], form, path)
    assert write_bibliography([ORDINARY] * 2, form, path, force=True) == path


def test_invalid_bibliographies_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="format is 'word'; expected one of: bibtex, ris"):
        write_bibliography([ORDINARY], "word", tmp_path / "x")
    with pytest.raises(ConfigError, match="no papers for a bibliography"):
        write_bibliography([], "ris", tmp_path / "x")
    with pytest.raises(ConfigError, match="no folder"):
        write_bibliography([ORDINARY], "ris", tmp_path / "none" / "x")
    assert list(tmp_path.iterdir()) == []


def test_papers_are_found_by_any_identifier(store: GraphStore, tmp_path: Path) -> None:
    for k in range(3):
        insert(store, "Paper", [{"id": f"doi:10.1234/{k}", "doi": f"10.1234/{k}", "pmid": f"9{k}"}])
    listed = tmp_path / "ids.txt"
    listed.write_text("# mine\npmid:92\nhttps://doi.org/10.1234/0\n")
    assert find_named(store, ["10.1234/1", "pmid:92"], listed) == [
        *("doi:10.1234/1", "doi:10.1234/2", "doi:10.1234/0")
    ]
    assert find_named(store, []) == []
    listed.write_text("10.1234/1\n10.1234/7\n")
    with pytest.raises(ConfigError, match=r"no paper '10\.1234/7'"):
        find_named(store, [], listed)
    with pytest.raises(SourceError, match="expected a text file with an id per line"):
        find_named(store, [], tmp_path / "none.txt")
