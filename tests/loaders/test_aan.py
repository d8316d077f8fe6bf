"""Files of the ACL Anthology Network, as published and damaged."""

from __future__ import annotations

from pathlib import Path

import pytest

from citescape.core.errors import SourceError
from citescape.loaders.aan import kind_of, read_citations, read_papers
from citescape.loaders.lines import TextLines
from citescape.loaders.table_rows import PaperRow

BLOCK = (
    "id = {%s}\nauthor = {Rush, Alexander M.; Mausam}\ntitle = {%s}\nvenue = {}\nyear = {2010}\n"
)


def papers(path: Path, data: bytes) -> list[PaperRow | SourceError]:
    path.write_bytes(data)
    return list(read_papers(TextLines(path)))


def test_a_block_is_a_paper_with_its_fields(tmp_path: Path) -> None:
    result = papers(
        tmp_path / "m.txt", (BLOCK % ("A1", "On {B}") + "\n" + BLOCK % ("A2", "C")).encode()
    )
    fields = {
        "id": "A1",
        "authors": "Rush, Alexander M.; Mausam",
        "title": "On {B}",
        "year": "2010",
    }
    assert result == [PaperRow(1, fields), PaperRow(7, {**fields, "id": "A2", "title": "C"})]


def test_utf8_windows_and_named_characters_in_one_file(tmp_path: Path) -> None:
    titles = ["Cristi\xe0".encode(), b"Roget\x92s", b"Daum&eacute; &#8211; &#x26;", b"\x81"]
    blocks = [(BLOCK % (i, "%s")).encode().replace(b"%s", title) for i, title in enumerate(titles)]
    lines = TextLines(tmp_path / "m.txt")
    lines.path.write_bytes(b"\xef\xbb\xbf" + b"\n".join(blocks))
    titles_ = [row.fields["title"] for row in read_papers(lines) if isinstance(row, PaperRow)]
    assert titles_ == ["Cristi\xe0", "Roget\u2019s", "Daum\xe9 \u2013 &", "\x81"]
    assert lines.recoded == 2


@pytest.mark.parametrize(
    ("text", "line", "held"),
    [
        (BLOCK % ("A1", "x") + "nonsense\n\n" + BLOCK % ("A2", "x"), 1, "nonsense"),
        (BLOCK % ("A2", "x") + "id = {A1}\nabstract = {x}\n", 6, "abstract = {x"),
        (BLOCK % ("A2", "x") + "\nid = {A1}\ntitle = {On th", 7, "title = {On th"),
    ],
)
def test_invalid_blocks_are_reported_by_line(
    tmp_path: Path, text: str, line: int, held: str
) -> None:
    result = papers(tmp_path / "m.txt", text.encode())
    (error,) = [row for row in result if isinstance(row, SourceError)]
    assert [row.id for row in result if isinstance(row, PaperRow)] == ["A2"]
    assert (error.path, error.reason) == (f"{tmp_path}/m.txt:{line}", "broken-record")
    assert repr(held) in error.message


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends_of_any_system_are_read(tmp_path: Path, end: str) -> None:
    text = BLOCK % ("A1", "x") + "\n" + BLOCK % ("A2", "On\ny")
    expected = papers(tmp_path / "m.txt", text.encode())
    assert [row.id for row in expected if isinstance(row, PaperRow)] == ["A1", "A2"]
    assert papers(tmp_path / "m.txt", text.replace("\n", end).encode()) == expected


def test_pairs_are_read_and_other_lines_counted(tmp_path: Path) -> None:
    path = tmp_path / "acl.txt"
    path.write_text("A1 , A2\nA2 ==> A3\r\n\nA1\nA1 A2\n , A3\nA1,A3\na , b , c\n")
    (pairs,) = read_citations(TextLines(path))
    assert list(zip(pairs.citing, pairs.cited, strict=True)) == [
        ("A1", "A2"),
        ("A2", "A3"),
        ("A1", "A3"),
    ]
    assert pairs.broken == 4


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("id = {D10-1001}\n", "papers"),
        ("title = {x}\n", None),
        ("C08-3004 , A00-1002\n", "citations"),
        ("P99-1001 ==> P98-1002", "citations"),
        ("<article>", None),
        ("", None),
    ],
)
def test_the_first_line_decides_the_kind_of_file(line: str, kind: str | None) -> None:
    assert kind_of(line) == kind


def test_a_last_record_without_the_year_of_the_others_is_cut_off(tmp_path: Path) -> None:
    file = tmp_path / "acl-metadata.txt"
    file.write_text("id = {A}\ntitle = {x}\nyear = {2001}\n\nid = {B}\ntitle = {y}\n")
    first, second = read_papers(TextLines(file))
    assert isinstance(first, PaperRow)
    assert isinstance(second, SourceError)
    assert (second.reason, second.path) == ("cut-off", f"{file}:5")
