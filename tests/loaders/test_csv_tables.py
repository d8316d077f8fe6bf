"""Tables of papers and citations as spreadsheets write them, and damaged tables."""

from __future__ import annotations

import csv
import gzip
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.core.errors import SourceError
from citescape.loaders.csv_tables import (
    header_of,
    hint_of,
    kind_of,
    read_citations,
    read_papers,
)
from citescape.loaders.datasets import find_sources
from citescape.loaders.lines import TextLines
from citescape.loaders.table_rows import PaperRow

CELLS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8).filter(
    lambda text: text.strip() not in {"NaN", "nan", "NULL", "N/A", "#N/A", "<NA>"}
)


def papers(path: Path, text: str) -> list[PaperRow | SourceError]:
    path.write_bytes(text.encode())
    return list(read_papers(TextLines(path)))


@given(
    rows=st.lists(st.tuples(CELLS, CELLS, CELLS), max_size=5),
    delimiter=st.sampled_from(",;\t"),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
def test_everything_that_csv_writes_is_read(
    rows: list[tuple[str, str, str]], delimiter: str, end: str, encoding: str
) -> None:
    """White space and zero bytes become one space; empty cells are missing values."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "papers.csv"
        with path.open("w", encoding=encoding, newline="") as file:
            writer = csv.writer(
                file, delimiter=delimiter, quoting=csv.QUOTE_ALL, lineterminator=end
            )
            writer.writerow([" Title", "ID", "other"])
            writer.writerows(rows)
        result = list(read_papers(TextLines(path)))
        assert find_sources([path]).data_sets[0].papers == path
    cells = [[" ".join(cell.replace("\0", " ").split()) for cell in row] for row in rows]
    named = [{"id": id_, "title": title} for title, id_, _ in cells]
    expected = [{name: text for name, text in row.items() if text} for row in named]
    assert [row.fields for row in result if isinstance(row, PaperRow)] == expected


@pytest.mark.parametrize(
    ("row", "reason", "detail"),
    [
        ("b,On b,2001,more", "broken-row", "row: 4; the header has 3"),
        ("b", "broken-row", "row: 1; the header has 3"),
        ('b,"On" b,2001', "broken-row", "doubled within cells"),
        ('b,"On b', "cut-off", "ends within quotation marks"),
    ],
)
def test_invalid_rows_are_reported_by_line(
    tmp_path: Path, row: str, reason: str, detail: str
) -> None:
    text = f'id,title,year\na,"On\na",2001\n{row}\n'
    first, error = papers(tmp_path / "papers.csv", text)
    assert isinstance(first, PaperRow)
    assert (first.line, first.fields["title"]) == (2, "On a")
    assert isinstance(error, SourceError)
    assert (error.path, error.reason) == (f"{tmp_path}/papers.csv:4", reason)
    assert detail in error.message


def test_rows_after_an_invalid_row_are_read(tmp_path: Path) -> None:
    result = papers(tmp_path / "papers.csv", 'id,title\na,"x"y\nb,On b\n')
    assert [row.id for row in result if isinstance(row, PaperRow)] == ["b"]


def test_citations_are_pairs_of_ids_in_a_table_of_any_columns(tmp_path: Path) -> None:
    path = tmp_path / "c.csv.gz"
    path.write_bytes(gzip.compress(b"\xef\xbb\xbfCited;n;citing\nb;1;a \n;1;a\nb;a\nc;2;a\n"))
    (pairs,) = read_citations(TextLines(path))
    assert (pairs.citing, pairs.cited, pairs.broken) == (["a", "a"], ["b", "c"], 2)


@pytest.mark.parametrize(
    ("column", "cell", "missing"),
    [
        *((name, "NaN", True) for name in ("title", "authors", "venue", "year", "doi", "abstract")),
        *(("title", cell, True) for cell in ("nan", "NULL", "<NA>", "N/A", " NaN ")),
        *(("title", cell, False) for cell in ("None", "NA", "Null", "Nan", "NaN and NULL")),
        ("authors", "Na", False),
        *((name, "None", True) for name in ("abstract", "year", "date", "doi", "pmid")),
        *(("date", cell, True) for cell in ("NA", "NaT", "null", "n/a")),
        ("abstract", "None of them grew.", False),
    ],
)
def test_placeholders_for_missing_values(
    tmp_path: Path, column: str, cell: str, missing: bool
) -> None:
    """In text columns only non-words are missing values: None may be a title, Na an author."""
    (row,) = papers(
        tmp_path / "papers.csv",
        f"id,title,{column}x,{column}\na,,,{cell}\n".replace(
            "title,titlex,title", "titlex,n,title"
        ),
    )
    assert isinstance(row, PaperRow)
    assert (row.fields.get(column), row.missing) == ((None, 1) if missing else (cell, 0))


def test_missing_ids_are_not_ids(tmp_path: Path) -> None:
    """Otherwise all rows without an id would be one paper, which many papers cite."""
    (row,) = papers(tmp_path / "papers.csv", "id,title\nNaN,On a\n")
    assert isinstance(row, PaperRow)
    assert (row.id, row.missing) == ("", 1)
    path = tmp_path / "c.csv"
    path.write_text("citing,cited\na,NaN\nNULL,b\na,None\n")
    (pairs,) = read_citations(TextLines(path))
    assert (pairs.citing, pairs.cited, pairs.broken) == (["a"], ["None"], 2)


def test_a_truncated_compressed_table_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "c.csv.gz"
    path.write_bytes(gzip.compress(b"citing,cited\n" + bytes(range(48, 58)) * 3000)[:-9])
    with pytest.raises(SourceError, match="cut off or damaged"):
        list(read_citations(TextLines(path)))


def test_the_header_decides_the_kind_of_table() -> None:
    assert header_of('"ID",Title ,year\n') == ["id", "title", "year"]
    kinds = {line: kind_of(line) for line in ("id,title", "cited\tciting\tn", "id,name", "")}
    assert list(kinds.values()) == ["papers", "citations", None, None]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_of_any_system_are_read(tmp_path: Path, end: str) -> None:
    text = end.join(["", "id,title", 'a,"On', 'a"', "b,On b", ""])
    result = papers(tmp_path / "papers.csv", text)
    rows_ = [(row.line, row.fields) for row in result if isinstance(row, PaperRow)]
    assert rows_ == [(3, {"id": "a", "title": "On a"}), (5, {"id": "b", "title": "On b"})]
    assert find_sources([tmp_path / "papers.csv"]).data_sets[0].format == "csv"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16-le", "utf-16-be"])
def test_tables_with_a_byte_order_mark_are_read(tmp_path: Path, encoding: str) -> None:
    """Spreadsheets write `Unicode text` as UTF-16 with tabs between cells."""
    path, mark = tmp_path / "papers.csv", "" if encoding == "utf-8-sig" else "\ufeff"
    path.write_bytes(f"{mark}id\ttitle\r\nä\tOn 稲 𝒙\r\n".encode(encoding))
    (row,) = read_papers(TextLines(path))
    assert isinstance(row, PaperRow)
    assert (row.line, row.fields) == (2, {"id": "ä", "title": "On 稲 𝒙"})
    assert find_sources([path]).data_sets[0].format == "csv"


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("paper_id,Titel,year", "rename paper_id to id, titel to title?"),
        ("id;Titles;doi", "rename titles to title?"),
        ("citing_id,cited_id", "rename citing_id to citing, cited_id to cited?"),
        ("doi,name", "rename doi to id and add title?"),
        ("cited,year", "add citing?"),
        ('"id,title', "a quotation mark in it is not closed"),
        ("source,target", ""),
        ("", ""),
    ],
)
def test_invalid_headers_are_refused(header: str, expected: str) -> None:
    assert hint_of(header) == expected


def test_files_that_only_begin_like_a_table_are_reported(tmp_path: Path) -> None:
    """A cell may exceed every limit; the separator may change after the header."""
    for rest in ("x" * 131_073, ";" * 5000):
        with pytest.raises(SourceError, match="not a row with the names of columns"):
            papers(tmp_path / "papers.csv", f"id,title,{' ' * 5000}{rest}\na,On a\n")


def test_a_quotation_mark_that_is_not_closed_loses_the_rows_of_one_cell(tmp_path: Path) -> None:
    """The longest cell is that of the `csv` module, which reading does not change."""
    limit = csv.field_size_limit()
    rows = "".join(f"p{k},On a\n" for k in range(30_000))
    found = papers(tmp_path / "papers.csv", f'id,title\nbroken,"On a\n{rows}')
    problem, rest = found[0], found[1:]
    assert isinstance(problem, SourceError)
    assert "a cell has more than 131,072 characters: a quotation mark" in str(problem)
    assert all(isinstance(row, PaperRow) for row in rest)
    lost = sum(len(f"p{k},On a\n") for k in range(30_000 - len(rest)))
    assert 131_072 - 20 <= lost <= 131_072 + 20
    assert csv.field_size_limit() == limit
