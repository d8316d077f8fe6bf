"""Lists of papers in files: every form of an identifier, and lines that match no paper."""

from __future__ import annotations

from pathlib import Path

import pytest

from citescape.core.errors import SourceError
from citescape.papers.id_lists import find_listed, match_listed, read_id_list
from citescape.store.graph_store import GraphStore
from tests.importance.conftest import insert


def write(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_text(text, encoding=encoding)
    return path


def test_comments_empty_lines_and_repetitions_are_skipped(tmp_path: Path) -> None:
    lines = "# test set\n\n10.1/a\n  10.1/b  # why\n10.1/a\n  # indented\n10.1/c#d\n"
    assert read_id_list(write(tmp_path / "ids", lines)) == ["10.1/a", "10.1/b", "10.1/c#d"]


def test_byte_order_marks_and_windows_line_ends_are_read(tmp_path: Path) -> None:
    path = write(tmp_path / "ids", "10.1/a\r\n10.1/b\r\n", "utf-8-sig")
    assert read_id_list(path) == ["10.1/a", "10.1/b"]


@pytest.mark.parametrize("content", [b"", b"\n# none\n", b"\xff\xfe1\x002\x00"])
def test_a_file_without_an_id_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "ids").write_bytes(content)
    with pytest.raises(SourceError, match="expected a text file with an id per line; found"):
        read_id_list(tmp_path / "ids")
    with pytest.raises(SourceError, match="no-such"):
        read_id_list(tmp_path / "no-such")


PAPERS = [
    {"id": "doi:10.1000/one", "doi": "10.1000/one", "pmid": "11", "pmcid": "PMC1111"},
    {"id": "pmid:22", "pmid": "22"},
    {"id": "pmcid:PMC3333", "pmcid": "PMC3333"},
    {"id": "key:four"},
]


def test_any_identifier_finds_its_paper(store: GraphStore) -> None:
    insert(store, "Paper", PAPERS)
    for name, id_ in (
        ("doi:10.1000/one", "doi:10.1000/one"),
        ("10.1000/ONE", "doi:10.1000/one"),
        ("https://doi.org/10.1000/one", "doi:10.1000/one"),
        ("11", "doi:10.1000/one"),
        ("PMID: 11", "doi:10.1000/one"),
        ("pmid:22", "pmid:22"),
        ("PMC1111", "doi:10.1000/one"),
        ("pmc3333", "pmcid:PMC3333"),
        ("pmcid:PMC3333", "pmcid:PMC3333"),
        ("key:four", "key:four"),
    ):
        matched = find_listed(store, [name])
        assert (matched.ids, matched.listed, matched.missing) == ((id_,), 1, 0)


def test_unmatched_lines_are_counted_and_repeated_papers_counted_once(
    store: GraphStore,
) -> None:
    insert(store, "Paper", PAPERS)
    names = ["10.1000/one", "11", "PMC1111", "22", "10.1000/absent", "99", "1111", "nonsense"]
    matched = find_listed(store, [*names, *names])
    assert matched.ids == ("doi:10.1000/one", "pmid:22")
    assert (matched.listed, matched.missing) == (len(names), len(names[4:]))
    nothing = find_listed(store, ["nonsense"])
    assert (nothing.ids, nothing.missing) == ((), 1)


def test_an_ambiguous_identifier_means_the_paper_of_lower_id(store: GraphStore) -> None:
    """In lists of both kinds and any order of papers; an id of the store takes precedence."""
    twins = [{"id": name, "doi": "10.1000/two", "pmid": "55"} for name in ("key:b", "key:a")]
    insert(store, "Paper", [*twins, {"id": "10.1000/two"}])
    assert match_listed(store, ["10.1000/two", "55"]) == ["10.1000/two", "key:a"]
    assert find_listed(store, ["10.1000/two", "55"]).ids == ("10.1000/two", "key:a")


def test_an_empty_store_matches_nothing(store: GraphStore) -> None:
    assert find_listed(store, ["10.1000/one"]).missing == 1


def test_each_name_is_matched_to_its_paper(store: GraphStore) -> None:
    """The result has the order of the names; null identifiers match nothing."""
    insert(store, "Paper", PAPERS)
    names = ["PMC3333", "nonsense", "22", "https://doi.org/10.1000/ONE", "pmid:11", "key:four"]
    expected = ["pmcid:PMC3333", None, "pmid:22", "doi:10.1000/one", "doi:10.1000/one", "key:four"]
    assert match_listed(store, names) == expected
    matched = find_listed(store, names)
    assert matched.ids == tuple(sorted({id_ for id_ in expected if id_}))
    assert match_listed(store, []) == []
