"""Rules for documents that are read again: files are known by path and content."""

from __future__ import annotations

from pathlib import Path

import pytest

from citescape.ingest.files import LoadedFile, LoadedFiles
from citescape.store.graph_store import GraphStore
from tests.ingest.papers import Cited, jats, load, one_column, write_files

OWN_PAPER = "MATCH (p:Paper) WHERE p.fulltext RETURN p.id AS id"
FILE = LoadedFile("a.xml", "1", "p", "jats", "new")


def remember(store: GraphStore, *files: LoadedFile) -> LoadedFiles:
    """The files of a store after a run that has read these."""
    loaded = LoadedFiles(store, {"new"})
    for file in files:
        loaded.add(file)
    store.apply(loaded.changes())
    return LoadedFiles(store, {"new"})


@pytest.mark.parametrize(
    ("path", "sha256", "is_known"),
    [("a.xml", "1", True), ("a.xml", "2", False), ("moved.xml", "1", False)],
)
def test_a_file_is_known_by_path_and_content(
    store: GraphStore, path: str, sha256: str, is_known: bool
) -> None:
    files = remember(store, FILE)
    assert files.unchanged([(path, sha256)]) == ({path: FILE} if is_known else {})


def test_files_of_another_loader_are_read_again(store: GraphStore) -> None:
    files = remember(store, FILE._replace(loader="old"))
    assert files.unchanged([("a.xml", "1")]) == {}
    assert files.find(["a.xml"]) == {"a.xml": FILE._replace(loader="old")}


def test_a_later_run_replaces_what_is_known_of_a_file(store: GraphStore) -> None:
    remember(store, FILE, FILE._replace(path="b.xml"))
    files = remember(store, FILE._replace(sha256="2", paper="q"))
    assert files.find(["a.xml", "b.xml", "c.xml"]) == {
        "a.xml": FILE._replace(sha256="2", paper="q"),
        "b.xml": FILE._replace(path="b.xml"),
    }


def test_a_moved_file_is_read_again_and_found_unchanged(store: GraphStore, tmp_path: Path) -> None:
    (path,) = write_files(tmp_path, [jats(1, [Cited("Peas")])])
    load(store, path)
    moved = path.rename(tmp_path / "moved.xml")
    assert load(store, moved).status == {"unchanged": 1}


@pytest.mark.parametrize(
    ("before", "after", "replaced"),
    [
        ({"doi": ""}, {"doi": "10.1000/9"}, True),
        ({"doi": "10.1000/9"}, {"doi": ""}, True),
        ({"doi": "10.1000/9"}, {"doi": "10.1000/8"}, False),
        ({"doi": ""}, {"doi": "10.1000/9", "title": "Another"}, False),
    ],
)
def test_a_file_replaces_its_paper_of_another_id(
    store: GraphStore, tmp_path: Path, before: dict[str, str], after: dict[str, str], replaced: bool
) -> None:
    """No id of the two differs, and they share one or the title."""
    for options in (before, after):
        load(store, *write_files(tmp_path, [jats(1, [Cited("Peas")], **options)]))
    assert len(one_column(store, OWN_PAPER)) == (1 if replaced else 2)
