"""Tables of notices in the columns of Retraction Watch."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.core.errors import SourceError
from citescape.core.types import Identifiers, Notice
from citescape.loaders.csv_tables import kind_of
from citescape.loaders.datasets import find_sources
from citescape.loaders.lines import TextLines
from citescape.loaders.notice_tables import NATURES, read_date, read_notices
from tests.ingest.data_sets import titled, write_citations, write_papers, write_table

ROW = {
    "Record ID": "7",
    "Title": "Rice, again",
    "RetractionDate": "7/29/2015 0:00",
    "RetractionDOI": "10.1000/notice.1",
    "RetractionPubMedID": "0",
    "OriginalPaperDOI": "10.1000/WORK.1",
    "OriginalPaperPubMedID": "77000001",
    "RetractionNature": "Retraction",
    "Reason": "+Informed/Patient Consent - None/Withdrawn;+Ethical Violations by Author;",
}


def read(path: Path, *rows: dict[str, str]) -> list[Notice | SourceError]:
    return list(read_notices(TextLines(write_table(path / "notices.csv", rows))))


def test_a_row_of_retraction_watch(tmp_path: Path) -> None:
    expected = Notice(
        "retraction",
        "table",
        work=Identifiers("10.1000/work.1", "77000001"),
        notice=Identifiers("10.1000/notice.1"),
        date="2015-07-29",
        reason="Informed/Patient Consent - None/Withdrawn; Ethical Violations by Author",
    )
    assert read(tmp_path, ROW) == [expected]


def test_only_the_work_and_the_nature_are_needed(tmp_path: Path) -> None:
    rows = [
        {"OriginalPaperDOI": "10.1000/1", "RetractionNature": nature}
        for nature in ("Correction", "expression of concern", "Reinstatement")
    ]
    found = [notice.kind for notice in read(tmp_path, *rows) if isinstance(notice, Notice)]
    assert found == ["correction", "concern", "reinstatement"]


def test_missing_ids_are_words_or_zero(tmp_path: Path) -> None:
    row = {**ROW, "OriginalPaperDOI": "Unavailable", "RetractionDOI": "unavailable"}
    (notice,) = read(tmp_path, row)
    assert isinstance(notice, Notice)
    assert (notice.work, notice.notice) == (Identifiers(pmid="77000001"), Identifiers())


def test_rows_that_are_no_notices_are_errors(tmp_path: Path) -> None:
    first, second, third = read(tmp_path, {**ROW, "RetractionNature": "Praise"}, ROW, ROW)
    assert isinstance(first, SourceError)
    assert first.path.endswith("notices.csv:2")
    assert "'Praise'; expected 'retraction'" in first.message
    assert second == third
    path = tmp_path / "cut.csv"
    path.write_text('OriginalPaperDOI,RetractionNature\n10.1/1,Retraction,more\n"10.1/2,Retr')
    reasons = [row.reason for row in read_notices(TextLines(path)) if isinstance(row, SourceError)]
    assert reasons == ["broken-row", "cut-off"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10/20/2023 0:00", "2023-10-20"),
        ("1/2/2009", "2009-01-02"),
        ("2023-10-20T00:00:00", "2023-10-20"),
        ("2023-10", "2023-10"),
        ("2023", "2023"),
        ("20/10/2023", ""),
        ("2023-13", ""),
        ("soon", ""),
        ("", ""),
    ],
)
def test_dates(text: str, expected: str) -> None:
    assert read_date(text) == expected


@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)))
def test_american_and_iso_dates_agree(day: date) -> None:
    american = f"{day.month}/{day.day}/{day.year} 0:00"
    assert read_date(american) == read_date(day.isoformat()) == day.isoformat()


def test_a_table_of_notices_is_no_data_set(tmp_path: Path) -> None:
    table = write_table(tmp_path / "retraction_watch.csv", [ROW])
    assert kind_of(table.read_text().splitlines()[0]) == "notices"
    sources = find_sources([table])
    assert (sources.notices, sources.data_sets, sources.documents) == ((table,), (), ())


def test_a_table_of_notices_beside_a_data_set(tmp_path: Path) -> None:
    write_papers(tmp_path, *titled("a"))
    write_citations(tmp_path, ("a", "b"))
    table = write_table(tmp_path / "notices.csv", [ROW])
    for paths in ([tmp_path], sorted(tmp_path.iterdir())):
        sources = find_sources(paths)
        assert sources.notices == (table,)
        assert [data_set.name for data_set in sources.data_sets] == ["papers"]
        assert not sources.passed_over


def test_every_nature_has_a_kind() -> None:
    assert {*NATURES.values()} == {
        *("retraction", "partial-retraction", "correction", "concern", "reinstatement")
    }
