"""Exports of Web of Science: plain text and tab-delimited."""

from __future__ import annotations

import gzip
import hashlib
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.core.errors import SourceError
from citescape.core.types import Author, Identifiers, Institution, Notice, Paper, Reference, Venue
from citescape.loaders import xml
from citescape.loaders.article_sets import split
from citescape.loaders.document_formats import read_document
from citescape.loaders.documents import of_file
from citescape.loaders.exports import find_export
from citescape.loaders.wos import VERSION, is_export, read_wos, split_records
from citescape.loaders.wos_references import read_entry
from tests.loaders.export_files import documents, outcomes, papers
from tests.loaders.records import ODD, SHA256, assert_valid

HEADER = "FN Clarivate Analytics Web of Science\nVR 1.0\n"
RECORD = """PT J
AU Silva, AB
   Li, W
AF Silva, Ana B.
   Li, Wei
CA The Rice Group
TI Yield of rice &amp; wheat: a field
   study
SO RICE SCIENCE
LA English
DT Article; Proceedings Paper
DE rice; yield
ID ORYZA-SATIVA; GROWTH
AB Rice grows. Wheat
   does not.
C1 [Silva, Ana B.; Li, Wei] Univ Chile, Dept Agron, Santiago, Chile.
   [Li, Wei] Rice Inst, Wuhan, Peoples R China.
OI Silva, Ana/0000-0002-1825-0097
CR *WHO, 1999, GUIDELINES
   [Anonymous], 2001, NATURE, V12, P45, DOI [10.1000/a1, 10.1000/a2]
   Smith JA, 2005, RICE, V3, P7
TC 12
SN 1672-6308
EI 1876-4762
PY 2019
VL 26
IS 3
BP 1
DI 10.1000/RICE.1
PM 30123456
WC Agronomy; Plant Sciences
SC Agriculture
UT WOS:000456789000001
ER

"""
SECOND = "PT J\nAU Doe, A\nTI On wheat\nSO WHEAT\nPY 2001\nUT WOS:000000000000002\nER\n\n"
PLAIN = HEADER + RECORD + SECOND + "EF\n"
COLUMNS = [
    *("PT", "AU", "AF", "TI", "SO", "LA", "DT", "DE", "ID", "AB", "C1", "OI", "CR", "PY", "DI"),
    *("PM", "UT", "SN", "EI", "WC", "SC"),
]
ROW = {
    "PT": "J",
    "AU": "Silva, AB; Li, W",
    "AF": "Silva, Ana B.; Li, Wei",
    "TI": "Yield of rice & wheat: a field study",
    "SO": "RICE SCIENCE",
    "LA": "English",
    "DT": "Article; Proceedings Paper",
    "DE": "rice; yield",
    "ID": "ORYZA-SATIVA; GROWTH",
    "AB": "Rice grows. Wheat does not.",
    "C1": "[Silva, Ana B.; Li, Wei] Univ Chile, Dept Agron, Santiago, Chile; "
    "[Li, Wei] Rice Inst, Wuhan, Peoples R China",
    "OI": "Silva, Ana/0000-0002-1825-0097",
    "CR": "*WHO, 1999, GUIDELINES; [Anonymous], 2001, NATURE, V12, P45, DOI [10.1000/a1, "
    "10.1000/a2]; Smith JA, 2005, RICE, V3, P7",
    "PY": "2019",
    "DI": "10.1000/RICE.1",
    "PM": "30123456",
    "UT": "WOS:000456789000001",
    "SN": "1672-6308",
    "EI": "1876-4762",
    "WC": "Agronomy; Plant Sciences",
    "SC": "Agriculture",
}
ADDRESSES = (
    Institution("Univ Chile, Dept Agron, Santiago, Chile", "CL"),
    Institution("Rice Inst, Wuhan, Peoples R China", "CN"),
)
PEOPLE = (
    Author("Silva", "Ana B.", "0000-0002-1825-0097", institutions=(0,)),
    Author("Li", "Wei", institutions=(0, 1)),
)
DOI = Identifiers("10.1000/a1")


def table(*rows: dict[str, str]) -> str:
    lines = [COLUMNS, *([row.get(name, "") for name in COLUMNS] for row in rows)]
    return "".join("\t".join(cells) + "\n" for cells in lines)


def assert_first(paper: Paper, *, groups: tuple[Author, ...] = ()) -> None:
    """Asserts what both forms have."""
    assert_valid(paper)
    assert paper.ids == Identifiers("10.1000/rice.1", "30123456")
    assert paper.title == "Yield of rice & wheat: a field study"
    assert paper.abstract == "Rice grows. Wheat does not."
    assert (paper.year, paper.date, paper.language) == (2019, "2019", "en")
    assert paper.article_type == "research-article"
    assert paper.venue == Venue("RICE SCIENCE", "1672-6308")
    assert paper.authors == PEOPLE + groups
    assert paper.institutions == ADDRESSES
    assert paper.keywords == ("rice", "yield", "ORYZA-SATIVA", "GROWTH")
    assert paper.subjects == ("Agronomy", "Plant Sciences", "Agriculture")
    assert paper.loader == VERSION
    assert not paper.own_id
    who, anonymous, smith = paper.references
    assert (who.source, who.year) == ("GUIDELINES", 1999)
    assert who.authors == (Author("WHO", role="group"),)
    assert (anonymous.ids, anonymous.authors) == (DOI, ())
    text = "Smith JA, 2005, RICE, V3, P7"
    author = (Author("Smith", "JA"),)
    assert smith == Reference(
        "ref-3", "", Identifiers(), "", "RICE", 2005, "3", "7", author, False, text
    )


def test_plain_text_is_read(tmp_path: Path) -> None:
    first, second = papers(tmp_path, PLAIN)
    assert_first(first, groups=(Author("The Rice Group", role="group"),))
    assert first.path.endswith("export.txt#1")
    assert second.title == "On wheat"
    assert second.authors == (Author("Doe", "A"),)


def test_a_tab_delimited_table_is_read(tmp_path: Path) -> None:
    first, second = papers(tmp_path, table(ROW, {"PT": "J", "TI": "On wheat", "PY": "2001"}))
    assert_first(first)
    assert second.title == "On wheat"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("text", [PLAIN, table(ROW, ROW | {"TI": "On wheat"})])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_encodings_and_line_ends(tmp_path: Path, encoding: str, text: str, end: str) -> None:
    changed = text.replace("Ana", "Añá").replace("\n", end).encode(encoding)
    first, second = papers(tmp_path, changed)
    assert first.authors[0].given == "Añá B."
    assert second.title == "On wheat"


def test_a_compressed_export_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(PLAIN.encode()))
    assert len(list(split(of_file(tmp_path / "a.txt.gz")))) == 2
    whole = gzip.compress((HEADER + "".join(RECORD + str(i) for i in range(9999))).encode())
    *read, last = documents(tmp_path, whole[: len(whole) // 2], "b.gz")
    assert read
    assert last.error is not None
    assert last.error.reason == "damaged-archive"


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        "FN ISI Export Format\n\nVR 1.0\nPT J\n",
        "PT J\nAU Doe, A\n",
        "PT J\r\nAF Doe, A\r\n",
        table(),
    ],
)
def test_exports_are_recognised(text: str) -> None:
    assert find_export(text.encode()) == "wos"


@pytest.mark.parametrize(
    "text",
    ["", "FN \n", "FN a\nXX b", "PT J", "id,title\n", "TY  - JOUR\nTI  - x", "PMID- 1\nTI  - x"],
)
def test_other_files_are_not(text: str) -> None:
    assert not is_export(text)


def test_a_count_of_citations_does_not_change_a_record(tmp_path: Path) -> None:
    before = documents(tmp_path, PLAIN)[0].read()
    assert documents(tmp_path, PLAIN.replace("TC 12", "TC 13"))[0].read() == before
    assert documents(tmp_path, PLAIN.replace("PY 2019", "PY 2018"))[0].read() != before


def test_files_may_be_joined(tmp_path: Path) -> None:
    assert len(papers(tmp_path, PLAIN + "\ufeff" + PLAIN)) == 4


def test_a_record_without_end_costs_that_record(tmp_path: Path) -> None:
    cut = RECORD.replace("ER\n", "")
    assert outcomes(tmp_path, HEADER + cut + SECOND + "EF\n") == ["cut-off", "On wheat"]
    assert outcomes(tmp_path, HEADER + SECOND + cut) == ["On wheat", "cut-off"]
    assert outcomes(tmp_path, HEADER + SECOND + cut + "EF\n") == ["On wheat", "cut-off"]


def test_a_record_over_the_limit_costs_that_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(xml, "MAX_BYTES", 300)
    long = SECOND.replace("TI ", "AB " + "x " * 500 + "\n   y\nTI ")
    assert outcomes(tmp_path, HEADER + long + SECOND) == ["too-large", "On wheat"]


def test_a_record_without_title_and_id_is_refused(tmp_path: Path) -> None:
    bare = "PT J\nAU Doe, A\nER\n"
    assert outcomes(tmp_path, HEADER + bare + SECOND) == ["not-a-paper", "On wheat"]


def test_a_row_with_other_cells_costs_that_row(tmp_path: Path) -> None:
    head, row = table(ROW).splitlines()
    data = "\n".join([head, row, "J\tDoe, A", row + "\t\t", "", row + "\tx"])
    title = ROW["TI"]
    assert outcomes(tmp_path, data) == [title, "broken-row", title, "broken-row"]


def test_a_header_without_records_is_an_error(tmp_path: Path) -> None:
    assert outcomes(tmp_path, HEADER) == ["no-papers"]


def test_quotation_marks_of_spreadsheets_are_removed(tmp_path: Path) -> None:
    first, second = papers(
        tmp_path, table(ROW | {"TI": '"The ""best"" rice"'}, ROW | {"TI": '"A" and "B"'})
    )
    assert (first.title, second.title) == ('The "best" rice', '"A" and "B"')


def test_the_id_names_a_record_only_without_anything_else(tmp_path: Path) -> None:
    alone = "PT J\nTI Index\nUT WOS:000000000000003\nER\n"
    assert papers(tmp_path, HEADER + alone)[0].own_id == "wos:000000000000003"


@pytest.mark.parametrize(
    ("written", "type_"),
    [
        ("Article", "research-article"),
        ("Review; Early Access", "review-article"),
        ("Editorial Material", "editorial"),
        ("Early Access; Book Chapter", "book-chapter"),
        ("Correction, Addition", "correction"),
        ("Retraction", "retraction"),
        ("", ""),
    ],
)
def test_types(written: str, type_: str) -> None:
    paper = read_wos({"wos": {"TI": "x", "DT": written}}, "a", SHA256)
    assert paper.article_type == type_
    assert not paper.notices


def test_a_retracted_publication_has_a_notice() -> None:
    record = {"wos": {"DI": "10.1000/1", "DT": ["Article; Retracted Publication"]}}
    paper = read_wos(record, "a", SHA256)
    assert paper.article_type == "research-article"
    assert paper.notices == (Notice("retraction", "work", Identifiers("10.1000/1"), Identifiers()),)


def test_addresses_without_names_belong_to_all_if_there_is_one() -> None:
    fields = {"TI": "x", "AU": ["A, B", "C, D"], "C1": ["Univ A"]}
    assert len(read_wos({"wos": fields}, "a", SHA256).authors[1].institutions) == 1
    several = read_wos({"wos": fields | {"C1": ["Univ A", "Univ B"]}}, "a", SHA256)
    assert several.institutions == ()
    assert several.losses.notes["affiliation-without-author"] == 2


REFERENCES: list[tuple[str, dict[str, Any]]] = [
    (
        "Smith J, 2001, NATURE, V12, P45, DOI 10.1000/x1",
        {"authors": (Author("Smith", "J"),), "year": 2001, "source": "NATURE", "volume": "12"}
        | {"page": "45", "ids": Identifiers("10.1000/x1")},
    ),
    ("Smith J., 2001, NATURE, DOI [10.1000/x1, 10.1000/x2]", {"ids": Identifiers("10.1000/x1")}),
    ("A B, 2001, X, DOI DOI 10.1000/x1", {"ids": Identifiers("10.1000/x1"), "source": "X"}),
    (
        "Kuhn T., 1962, STRUCTURE SCI REVOLU",
        {"source": "STRUCTURE SCI REVOLU", "volume": "", "page": ""},
    ),
    ("van der Berg J.-P., 2001, X", {"authors": (Author("van der Berg", "J.-P."),)}),
    ("DE LA CRUZ J, 2001, X", {"authors": (Author("DE LA CRUZ", "J"),)}),
    ("GALTON, F, 1886, J ANTHR", {"authors": (Author("GALTON", "F"),), "year": 1886}),
    ("2001, NATURE, V12", {"authors": (), "source": "NATURE", "volume": "12"}),
    ("Smith J, IN PRESS, NATURE", {"year": None, "source": "NATURE"}),
    ("Smith J, NATURE, V12, P45", {"year": None, "source": "NATURE", "volume": "12"}),
    ("[Anonymous], NATURE", {"authors": (), "source": "NATURE"}),
    ("A B, 2001, PLOS ONE, V6, PE123", {"page": "E123"}),
    ("A B, 2001, PHYS REV B, V64A, P12", {"volume": "64A"}),
    ("A B, 2001, P 3 INT C SOFTW ENG, P45", {"source": "P 3 INT C SOFTW ENG", "page": "45"}),
    (
        "A B, 2017, ARXIV170603762, DOI arXiv:1706.03762",
        {"ids": Identifiers("10.48550/arxiv.1706.03762")},
    ),
    (
        "A B, 1990, J AM SOC, DOI 10.1002/(SICI)1097-4571(199009)41:6<391::AID-ASI1>3.0.CO;2-9",
        {"ids": Identifiers("10.1002/(sici)1097-4571(199009)41:6<391::aid-asi1>3.0.co;2-9")},
    ),
    ("9999, X", {"year": None, "source": "X"}),
    ("SPSS", {"source": "SPSS", "authors": ()}),
]


@pytest.mark.parametrize(("text", "expected"), REFERENCES)
def test_references(text: str, expected: dict[str, Any]) -> None:
    found = read_entry(text, 1)
    assert {name: getattr(found, name) for name in expected} == expected
    assert (found.title, found.text) == ("", text)


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="AB12 ,.;[]VPDOI10.1/x\u00e9\t", max_size=80))
def test_any_reference_is_read(text: str) -> None:
    assert read_entry(text, 1).text == text


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [*RECORD.splitlines(), "ER", "EF", "PT J", "   x", "", "AU", "\x00", "TI <i"]
        ),
        max_size=30,
    )
)
def test_any_order_of_lines_is_read_or_refused(lines: list[str]) -> None:
    for record in split_records(iter([line + "\n" for line in lines])):
        if isinstance(record, dict):
            data = orjson.dumps({"wos": record})
            with suppress(SourceError):
                assert_valid(read_document(data, "a#1"))


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from([*COLUMNS, "CA"]), st.sampled_from(ODD), max_size=8))
def test_odd_values_are_read_or_refused(fields: dict[str, object]) -> None:
    with suppress(SourceError):
        assert_valid(read_wos({"wos": fields}, "a", hashlib.sha256(b"").hexdigest()))
