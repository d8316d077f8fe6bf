"""Exports of Scopus as CSV."""

from __future__ import annotations

import csv
import io
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.core.errors import SourceError
from citescape.core.types import Author, Identifiers, Institution, Notice, Paper, Venue
from citescape.loaders.datasets import find_sources
from citescape.loaders.document_formats import read_document
from citescape.loaders.export_rows import split_cells, split_quoted
from citescape.loaders.exports import find_export
from citescape.loaders.scopus import COLUMNS, VERSION, is_export, read_scopus, split_rows
from citescape.loaders.scopus_references import read_entry, read_references, split_entries
from citescape.loaders.sources import iter_documents
from tests.ingest.data_sets import titled, write_papers
from tests.loaders.export_files import documents, outcomes, papers
from tests.loaders.records import ODD, SHA256, assert_valid

NEW = "Smith J., Doe A.-B., On rice; wheat, Journal of Rice, 12, 3, pp. 45-67, (2001)"
OLD = "Smith, J., Doe, A.B., On wheat (2001) Wheat Science, 12 (3), pp. 45-67."
ROW = {
    "Authors": "Silva A.B.; Li W.",
    "Author full names": "Silva, Ana B. (57200000001); Li, Wei (57200000002)",
    "Author(s) ID": "57200000001; 57200000002",
    "Title": "Yield of <i>Oryza</i> &amp; wheat",
    "Year": "2019",
    "Source title": "Rice Science",
    "Volume": "26",
    "Issue": "3",
    "Page start": "1",
    "Cited by": "12",
    "DOI": "10.1000/RICE.1",
    "Link": "https://www.scopus.com/inward/record.uri?eid=2-s2.0-1",
    "Affiliations": "Rice Inst, Wuhan, China; Univ Chile, Santiago, Chile; Univ X",
    "Authors with affiliations": "Silva A.B., Univ Chile, Santiago, Chile; Li W., Univ Chile, "
    "Santiago, Chile, Rice Inst, Wuhan, China",
    "Abstract": 'Rice "grows".\nWheat does not.',
    "Author Keywords": "rice; yield",
    "Index Keywords": "Oryza; Yield",
    "References": f"{NEW}; {OLD}",
    "Document Type": "Conference paper",
    "Language of Original Document": "English; Spanish",
    "PubMed ID": "30123456",
    "ISSN": "16726308; 1111-222x",
    "Source": "Scopus",
    "EID": "2-s2.0-1",
}
SECOND = {"Title": "On wheat", "Source title": "Wheat", "Year": "2001", "EID": "2-s2.0-2"}


def table(*rows: dict[str, str], columns: tuple[str, ...] = tuple(ROW), sign: str = ",") -> str:
    """A CSV as Scopus writes it: all cells of rows are in quotation marks."""
    held = io.StringIO()
    writer = csv.writer(held, delimiter=sign, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([row.get(name, "") for name in columns] for row in rows)
    return held.getvalue()


def read(**cells: object) -> Paper:
    return read_scopus({"scopus": {"title": "x", **cells}}, "a", SHA256)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-8", "utf-16"])
@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_a_row_is_a_paper(tmp_path: Path, encoding: str, sign: str) -> None:
    data = table(ROW, SECOND, sign=sign).encode(encoding)
    paper, second = papers(tmp_path, data)
    assert_valid(paper)
    assert paper.path.endswith("export.txt#1")
    assert paper.ids == Identifiers("10.1000/rice.1", "30123456")
    assert paper.title == "Yield of Oryza & wheat"
    assert paper.abstract == 'Rice "grows". Wheat does not.'
    assert (paper.year, paper.date, paper.language) == (2019, "2019", "en")
    assert paper.article_type == "research-article"
    assert paper.venue == Venue("Rice Science", "1111-222X")
    assert paper.keywords == ("rice", "yield", "Oryza", "Yield")
    assert paper.institutions == (
        Institution("Univ Chile, Santiago, Chile", "CL"),
        Institution("Rice Inst, Wuhan, China", "CN"),
    )
    assert paper.authors == (
        Author("Silva", "Ana B.", institutions=(0,)),
        Author("Li", "Wei", institutions=(1, 0)),
    )
    assert [reference.title for reference in paper.references] == ["On rice; wheat", "On wheat"]
    assert (paper.loader, paper.own_id) == (VERSION, "")
    assert second.title == "On wheat"


@pytest.mark.parametrize(
    "names",
    ["Silva, A.B., Li, W.", "Silva A.B., Li W.", "Silva A.B.; Li W.", "Silva, A.B.; Li, W."],
)
def test_authors_have_several_forms(names: str) -> None:
    assert read(authors=names).authors == (Author("Silva", "A.B."), Author("Li", "W."))


def test_missing_authors_and_abstracts_are_written_as_words() -> None:
    paper = read(authors="[No author name available]", abstract="[No abstract available]")
    assert (paper.authors, paper.abstract) == ((), "")


def test_a_single_affiliation_belongs_to_all() -> None:
    assert read(authors="A B.; C D.", affiliations="Univ A").authors[1].institutions == (0,)
    several = read(authors="A B.; C D.", affiliations="Univ A; Univ B")
    assert several.institutions == ()


def test_affiliations_are_read_without_their_list() -> None:
    row = {"authors": "A B.; C D.", "authors with affiliations": "A B., Univ A, X; C, D., Univ B"}
    assert read(**row).institutions == (Institution("Univ A, X"), Institution("Univ B"))


def test_a_retracted_work_has_a_notice() -> None:
    paper = read(doi="10.1000/1", **{"document type": "Retracted"})
    assert paper.article_type == "research-article"
    assert paper.notices == (Notice("retraction", "work", Identifiers("10.1000/1"), Identifiers()),)


def test_the_id_names_a_row_only_without_anything_else() -> None:
    assert read(eid="2-s2.0-3").own_id == "scopus:2-s2.0-3"
    assert read(eid="2-s2.0-3", year="2001").own_id == ""


def test_a_count_of_citations_does_not_change_a_record(tmp_path: Path) -> None:
    before = documents(tmp_path, table(ROW))[0].read()
    assert documents(tmp_path, table(ROW | {"Cited by": "13"}))[0].read() == before
    assert documents(tmp_path, table(ROW, columns=tuple(sorted(ROW))))[0].read() == before


def test_long_cells_are_read(tmp_path: Path) -> None:
    (paper,) = papers(tmp_path, table(ROW | {"References": "; ".join([NEW] * 3000)}))
    assert len(paper.references) == 3000


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        ('"a","b"\n', "broken-row"),
        ('"a "b" c","d"\n', "broken-row"),
        ('"a","Not closed\n', "broken-row"),
        ('"a","On wheat, cut "" off"" \n', "broken-row"),
    ],
)
def test_a_bad_row_costs_that_row(tmp_path: Path, damage: str, reason: str) -> None:
    head, *rows = table(SECOND, ROW).splitlines(keepends=True)
    data = head + rows[0] + damage + "".join(rows[1:]) + rows[0]
    assert outcomes(tmp_path, data) == ["On wheat", reason, "Yield of Oryza & wheat", "On wheat"]
    assert outcomes(tmp_path, head + rows[0] + damage) == ["On wheat", reason]


def test_a_row_without_title_and_id_is_refused(tmp_path: Path) -> None:
    data = table({"Source title": "x"}, SECOND)
    assert outcomes(tmp_path, data) == ["not-a-paper", "On wheat"]


@pytest.mark.parametrize(
    "columns", [("Title", "Source title", "EID"), ("Source title", "Title", "Cited by")]
)
def test_columns_vary(columns: tuple[str, ...]) -> None:
    assert find_export(table(columns=columns).encode("utf-8-sig")) == "scopus"


@pytest.mark.parametrize(
    "header",
    [
        "",
        "id,title\n",
        "id,Title,Source title,EID\n",
        "Title,Year\n",
        "Title,Source title\n",
        '"Title',
    ],
)
def test_other_tables_are_no_exports(header: str) -> None:
    assert not is_export(header)


def test_exports_and_tables_are_told_apart(tmp_path: Path) -> None:
    own, export = write_papers(tmp_path, *titled("a")), tmp_path / "scopus.csv"
    export.write_text(table(ROW, SECOND), encoding="utf-8-sig")
    sources = find_sources([own, export])
    assert sources.documents == (export,)
    assert [data_set.papers.name for data_set in sources.data_sets] == [own.name]
    with pytest.raises(SourceError, match="not a known table"):
        find_sources([export], format_="csv")
    assert find_sources([own], format_="scopus").documents == (own,)


def test_exports_are_found_in_folders(tmp_path: Path) -> None:
    (tmp_path / "scopus.csv").write_text(table(ROW, SECOND))
    (tmp_path / "notes.txt").write_text("nothing")
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    sources = find_sources([tmp_path])
    assert sources.documents == (tmp_path,)
    assert len(list(iter_documents(sources.documents))) == 2


@pytest.mark.parametrize("format_", ["scopus", "wos"])
def test_another_file_under_the_name_of_a_format_is_refused(format_: str) -> None:
    with pytest.raises(SourceError, match="no export; expected a"):
        read_document(b"id,title\n1,x\n", "x.csv", format_)


ENTRIES: list[tuple[str, dict[str, Any]]] = [
    (
        "Smith J., Doe A., Title of the article, Journal, 12, 3, pp. 45-67, (2001)",
        {"title": "Title of the article", "source": "Journal", "volume": "12", "page": "45"}
        | {"year": 2001, "authors": (Author("Smith", "J."), Author("Doe", "A."))},
    ),
    (
        "Smith, J., Doe, A., Title (2001) Journal, 12 (3), pp. 45-67.",
        {"title": "Title", "source": "Journal", "volume": "12", "page": "45", "year": 2001}
        | {"authors": (Author("Smith", "J."), Author("Doe", "A."))},
    ),
    (
        "Van Eck N.J., Waltman L., Software survey: VOSviewer, a program, Scientometrics, 84, 2, "
        "pp. 523-538, (2010)",
        {"title": "Software survey: VOSviewer, a program", "source": "Scientometrics"},
    ),
    (
        "Li W., Fuzzy control, IEEE Transactions on Systems, Man, and Cybernetics, 12, pp. 1-2, "
        "(2001)",
        {"title": "Fuzzy control", "source": "IEEE Transactions on Systems, Man, and Cybernetics"},
    ),
    (
        "Kuhn T.S., The Structure of Scientific Revolutions, (1962)",
        {"title": "The Structure of Scientific Revolutions", "source": "", "year": 1962},
    ),
    (
        "Kuhn, T.S., (1962) The Structure of Scientific Revolutions, , University of Chicago Press",
        {"title": "The Structure of Scientific Revolutions", "source": "", "year": 1962},
    ),
    (
        "Smith, J., (1951) Nature, 12, pp. 45-67",
        {"title": "", "source": "Nature", "volume": "12", "page": "45", "year": 1951},
    ),
    (
        "Smith J., Nature, 12, pp. 45-67, (1951)",
        {"title": "", "source": "Nature", "volume": "12", "page": "45", "year": 1951},
    ),
    ("Smith J., et al., Title, Nature, 12, (2001)", {"et_al": True, "title": "Title"}),
    (
        "Smith, J., Jr., Doe, A., Title (2001) Nature, 365 (1851), p. e123. , https://doi.org/10.1000/X",
        {"title": "Title", "volume": "365", "page": "e123", "year": 2001, "source": "Nature"},
    ),
    (
        "Smith J., Title, Nature, 12, 3, 1234, (2001), DOI 10.1000/x1",
        {"title": "Title", "volume": "12", "page": "1234", "ids": Identifiers("10.1000/x1")},
    ),
    (
        "Vaswani A., Attention is all you need, arXiv preprint arXiv:1706.03762, (2017)",
        {"ids": Identifiers("10.48550/arxiv.1706.03762"), "title": "Attention is all you need"},
    ),
    (
        "Smith, J., Title, Part A (2001) Nature, 1, pp. 2-3, ACM, New York",
        {"title": "Title, Part A"},
    ),
    ("World Health Organization, Guidelines (2001) WHO, Geneva", {"title": "", "year": 2001}),
    ("World Health Organization, Guidelines, (2001)", {"title": "", "year": 2001}),
    (
        "Aria, Massimo, Cuccurullo, Corrado, Bibliometrix: an R-tool, Journal of Informetrics, 11, "
        "4, pp. 959-975, (2017)",
        {"title": "", "source": "Journal of Informetrics", "volume": "11", "page": "959"},
    ),
    ("SPSS", {"title": "SPSS", "year": None}),
    ("Smith, J., On 1990 (1990) and (1991) Nature", {"title": "", "year": None}),
    ("Smith J., Rice, PLoS ONE, 12, SUPPL. 1, (2001a)", {"volume": "12", "year": 2001}),
]


@pytest.mark.parametrize(("text", "expected"), ENTRIES)
def test_references(text: str, expected: dict[str, Any]) -> None:
    found = read_entry(text, 1)
    assert {name: getattr(found, name) for name in expected} == expected
    assert found.text == ("" if found.title else text)


@pytest.mark.parametrize(
    "entries",
    [
        [NEW, OLD, NEW],
        ["SPSS", OLD],
        ["Smith J., Cats; Dogs, Nature, (2001)", "A web page, (2001)"],
        ["Smith, J., Cats; Dogs (2001) Nature", NEW],
        ["Smith J., Without year, Nature, 12, pp. 3-4", "World Health Organization, X, (2001)"],
    ],
)
def test_entries_are_split_at_semicolons_between_them(entries: list[str]) -> None:
    assert split_entries("; ".join(entries)) == entries


@settings(max_examples=80, deadline=None)
@given(st.text(alphabet="AJb1 ,.;()[]-/\u00e9:p2001", max_size=120))
def test_any_cell_of_references_is_read(text: str) -> None:
    for reference in read_references(text):
        assert reference.title or reference.text


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.lists(st.text(alphabet='a",\n é', max_size=8), min_size=3, max_size=3), max_size=5)
)
def test_rows_are_those_of_the_csv_module(rows: list[list[str]]) -> None:
    held = io.StringIO()
    csv.writer(held, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
    lines = io.StringIO(held.getvalue(), newline="").readlines()
    assert list(split_quoted(iter(lines), 3, ",")) == rows


@settings(max_examples=80, deadline=None)
@given(st.text(alphabet='a",;\n', max_size=60))
def test_any_text_is_rows_or_broken(text: str) -> None:
    for cells in split_quoted(iter(text.splitlines(keepends=True)), 2, ","):
        assert isinstance(cells, tuple) or len(cells) == 2
    split_cells(text, ",")


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from(COLUMNS), st.sampled_from(ODD), max_size=8))
def test_odd_values_are_read_or_refused(cells: dict[str, object]) -> None:
    with suppress(SourceError):
        assert_valid(read_scopus({"scopus": cells}, "a", SHA256))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(ODD), min_size=len(ROW), max_size=len(ROW)))
def test_odd_cells_are_read_or_refused(values: list[object]) -> None:
    row = dict(zip(ROW, map(str, values), strict=True))
    for record in split_rows(iter(table(row).splitlines(keepends=True))):
        with suppress(SourceError):
            assert_valid(read_document(orjson.dumps({"scopus": record}), "a#1"))
