"""Rules for documents that are read again: files of a paper and their copies, without a store."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.ingest.files import LoadedFiles
from citescape.ingest.identity import ID_KINDS

TEXT, TEXTS = pa.string(), pa.list_(pa.string())
ROWS = pa.schema(
    {
        **dict.fromkeys(("id", *ID_KINDS, "key", "path", "sha256", "loader"), TEXT),
        **dict.fromkeys(("copy_paths", "copy_sha256"), TEXTS),
    }
)
ORIGINAL = {"id": "p", "path": "a.xml", "sha256": "1", "loader": "new"}


def loaded(*rows: dict[str, object]) -> LoadedFiles:
    return LoadedFiles(pa.Table.from_pylist(rows, ROWS), loaders={"new"})


def store_row(files: LoadedFiles, path: str, sha256: str) -> dict[str, object]:
    """The row of paper `p` in the store once this file is its current file."""
    paths, hashes = zip(*files.copies("p"), strict=True) if files.copies("p") else ((), ())
    row = {**ORIGINAL, "path": path, "sha256": sha256}
    return {**row, "copy_paths": list(paths), "copy_sha256": list(hashes)}


@pytest.mark.parametrize(
    ("path", "sha256", "paper"),
    [
        ("a.xml", "1", "p"),
        ("moved.xml", "1", "p"),
        ("b.xml", "2", "p"),
        ("moved.xml", "2", "p"),
        ("a.xml", "2", None),  # the file itself has changed, possibly to the content of a copy
        ("a.xml", "3", None),
        ("b.xml", "3", None),
    ],
)
def test_a_document_is_known_by_its_hash_or_current_path(path: str, sha256: str, paper: str | None):
    files = loaded({**ORIGINAL, "copy_paths": ["b.xml"], "copy_sha256": ["2"]})
    assert files.find(path, sha256) == paper


def test_papers_of_another_loader_are_read_again_without_copies():
    files = loaded(
        {**ORIGINAL, "loader": "old", "copy_paths": ["b.xml"], "copy_sha256": ["2"]},
        {**ORIGINAL, "id": "q", "path": "q.xml", "sha256": "9"},
    )
    assert [files.find("a.xml", "1"), files.find("b.xml", "2")] == [None, None]
    assert files.find("q.xml", "9") == "q"
    files.replace("p", "a.xml", "1", loader="new")
    assert files.copies("p") == [("b.xml", "2")]


contents = st.dictionaries(st.sampled_from("abc"), st.sampled_from("123"), min_size=1)


@settings(max_examples=300)
@given(st.lists(contents, min_size=1, max_size=4))
def test_loading_files_one_by_one_converges(rounds: list[dict[str, str]]):
    """For any earlier contents of the files, and any exchange of texts between them.

    Two copies are stable after one round. Where texts were exchanged it may take one round for each
    file: a file equal to the current one is not noted, and may be read once when that has changed.
    """
    files, row = loaded(), None
    for round_ in [*rounds, *[rounds[-1]] * 3]:
        read = []
        for path, sha256 in round_.items():
            files = loaded(row) if row else loaded()
            if files.find(path, sha256) is None:
                files.replace("p", path, sha256, loader="new")
                row = store_row(files, path, sha256)
                read.append(path)
    assert read == []


@pytest.mark.parametrize(
    ("before", "after", "replaced"),
    [
        ({"key": "k"}, {"doi": "10.1/p", "key": "k"}, True),
        ({"pmid": "7"}, {"doi": "10.1/p", "pmid": "7"}, True),
        ({"doi": "10.1/p", "key": "k"}, {"key": "k"}, True),
        ({"doi": "10.1/p", "key": "k"}, {"doi": "10.1/q", "key": "k"}, False),
        ({"pmid": "7", "key": "k"}, {"pmid": "8", "doi": "10.1/p", "key": "k"}, False),
        ({"key": "k"}, {"doi": "10.1/p", "key": "l"}, False),
    ],
)
def test_a_text_replaces_its_paper_of_another_id(
    before: dict[str, str], after: dict[str, str], replaced: bool
):
    files = loaded({**ORIGINAL, **before})
    nothing = dict.fromkeys(("doi", "pmid", "pmcid", "key"))
    paper = {**nothing, "id": "q", "path": "a.xml", **after}
    assert files.earlier_version(paper) == ("p" if replaced else None)
    assert files.earlier_version({**paper, "path": "b.xml"}) is None
    assert files.earlier_version({**paper, "id": "p"}) is None
