"""Rows of tables as papers."""

from __future__ import annotations

import pytest

from citescape.core.types import Author, Identifiers, Paper, Venue
from citescape.loaders.table_rows import PaperRow, doi_of, identifiers_of, read_names, record_of


def record(**fields: str) -> Paper:
    return record_of(
        PaperRow(1, {"id": "7", **fields}), path="p#7", sha256="0", own_id="set:7", loader="csv-1"
    )


def test_columns_become_fields_of_the_record() -> None:
    result = record(
        title="On peas",
        abstract="They grow.",
        venue="J Peas",
        authors="Mendel, Gregor; Nettie M. Stevens",
        keywords="peas; ; maize;peas",
        pmid="PMID: 77",
    )
    assert (result.title, result.abstract, result.venue) == (
        "On peas",
        "They grow.",
        Venue("J Peas"),
    )
    assert result.authors == (Author("Mendel", "Gregor"), Author("Stevens", "Nettie M."))
    assert result.keywords == ("peas", "maize")
    assert (result.ids, result.own_id) == (Identifiers(None, "77"), "set:7")
    assert (result.sections, result.references, result.losses.notes) == ((), (), {})


@pytest.mark.parametrize(
    ("year", "date", "expected"),
    [
        ("2001", "", (2001, "2001", 0)),
        ("2001.0", "", (2001, "2001", 0)),
        ("", "2001-03-07T00:00", (2001, "2001-03-07", 0)),
        ("2001", "2001-13-07", (2001, "2001", 0)),
        ("2001", "2002-03", (2001, "2001", 0)),
        ("in press", "", (None, "", 1)),
        ("02001", "March", (None, "", 1)),
        ("", "", (None, "", 0)),
    ],
)
def test_years_and_dates(year: str, date: str, expected: tuple[int | None, str, int]) -> None:
    result = record(title="x", year=year, date=date)
    assert (result.year, result.date, result.losses.notes.get("bad-year", 0)) == expected


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Mausam", [("Mausam", "")]),
        ("de; Pino, Juan", [("de", ""), ("Pino", "Juan")]),
        ("Rush, Alexander M., Jr", [("Rush", "Alexander M., Jr")]),
        (", Ada; ;", [("Ada", "")]),
        (",", [(",", "")]),
        ("", []),
    ],
)
def test_names_of_authors(text: str, names: list[tuple[str, str]]) -> None:
    assert [(a.surname, a.given) for a in read_names(text)] == names


def test_an_id_that_is_a_doi_is_the_doi() -> None:
    for id_ in ("10.1000/X", "doi:10.1000/x", "https://doi.org/10.1000/x"):
        assert doi_of(id_) == "10.1000/x"
        assert identifiers_of(PaperRow(1, {"id": id_})).doi == "10.1000/x"
    assert doi_of("see 10.1000/x") is None
    assert identifiers_of(PaperRow(1, {"id": "10.1000/x", "doi": "10.1000/y"})).doi == "10.1000/y"
