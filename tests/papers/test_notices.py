"""Before or after a notice: compared and described as far as dates are known."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.papers.notices import (
    EVENTS,
    compare_dates,
    describe_timing,
    describe_use,
    name_notice,
    read_notice,
)

DAYS = st.dates(date(1990, 1, 1), date(2030, 12, 31))
EXACT = st.sampled_from([4, 7, 10])
"""Number of characters of a date that are known."""


@given(DAYS, DAYS, EXACT, EXACT)
def test_the_order_of_days_is_never_contradicted(
    citing: date, notice: date, known: int, other: int
) -> None:
    found = compare_dates(citing.isoformat()[:known], notice.isoformat()[:other])
    if found == "before":
        assert citing < notice
    elif found == "after":
        assert citing > notice
    else:
        shared = min(known, other)
        assert citing.isoformat()[:shared] == notice.isoformat()[:shared]


@pytest.mark.parametrize("dates", [(None, "2015"), ("2015", None), ("", "2015"), ("2015", "")])
def test_a_missing_date_is_unknown(dates: tuple[str | None, str | None]) -> None:
    assert compare_dates(*dates) == "unknown"


@pytest.mark.parametrize(
    ("citing", "notice", "text"),
    [
        ("2019", "2016", "3 years after the retraction (2016)"),
        ("2017-06-06", "2015-07-29", "1 year after the retraction (2015-07-29)"),
        ("2017-07-29", "2015-07-29", "2 years after the retraction (2015-07-29)"),
        ("2015-09-10", "2015-07-29", "1 month after the retraction (2015-07-29)"),
        ("2015-08-10", "2015-07-29", "12 days after the retraction (2015-07-29)"),
        ("2015-09", "2015-07-29", "2 months after the retraction (2015-07-29)"),
        ("2014-12", "2015-07-29", "7 months before the retraction (2015-07-29)"),
        ("2014", "2015-07-29", "1 year before the retraction (2015-07-29)"),
        ("2015", "2015-07-29", "in the year of the retraction (2015-07-29); which came first is"),
        ("2015-07", "2015-07-29", "in the month of the retraction (2015-07-29); which came first"),
        ("2015-07-29", "2015-07-29", "on the day of the retraction (2015-07-29)"),
        ("2015", None, "the retraction: unknown, because the date of the retraction is missing"),
        (None, "2015", "before or after the retraction: unknown, because its own date is missing"),
        ("2015-02-31", "2015-02-01", "less than a month after the retraction (2015-02-01)"),
    ],
)
def test_timing_in_words(citing: str | None, notice: str | None, text: str) -> None:
    assert text in describe_timing(citing, notice, "retraction")


@pytest.mark.parametrize(
    ("sections", "intents", "text"),
    [
        ({"I": 0, "M": 2, "D": 0}, {"method": 2}, "cited as method in 2 sentences"),
        (
            {"I": 1, "M": 1},
            {"background": 1, "method": 1, "result": 0},
            "cited as background in 1 sentence, as method in 1",
        ),
        ({"M": 2, "D": 1}, {}, "cited in 3 sentences (methods 2, discussion 1)"),
        ({"M": 0}, {"method": 0}, "listed, but never cited in the text"),
    ],
)
def test_use_in_words(sections: dict[str, int], intents: dict[str, int], text: str) -> None:
    assert describe_use(sections, intents) == text


def test_every_state_has_a_sentence() -> None:
    work = {"notice_date": "2015", "notice_year": 2015, "notice_doi": "10.1/n"}
    for state in EVENTS:
        row = {**work, "notice": state, "notice_source": "table", "is_notice": False}
        found = read_notice(row, "2016", "cited")
        assert found is not None
        assert "2015" in found.sentence
        assert found.timing == "after"
        notice = read_notice({**row, "is_notice": True}, "2015", "cited")
        assert notice is not None
        assert (notice.timing, notice.citation) == ("notice", "cited, by a notice about it")
    assert read_notice({"notice": None}, "2016", "cited") is None


def test_names_of_notices() -> None:
    assert name_notice("retracted", 2017) == "retracted 2017"
    assert name_notice("concern", None) == "expression of concern"
    assert name_notice(None, None) is None
