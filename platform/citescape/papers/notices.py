"""Retractions and corrections of cited works, seen from a citation: before the notice, or after it.

The date of a citation is the date of publication of the citing paper. A paper that is published
soon after a notice was probably written before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

from citescape.core.types import SECTION_NAMES

Timing = Literal["before", "after", "same", "unknown", "notice"]
"""A citation before or after a notice; `same`: in the same year (or month, or on the same day) as
far as the dates are known; `unknown`: a date is missing; `notice`: the citing paper is a notice
about the work itself."""

EVENTS = {
    "retracted": "retraction",
    "partly retracted": "partial retraction",
    "concern": "expression of concern",
    "corrected": "correction",
    "reinstated": "reinstatement",
}
"""`Paper.notice` -> name of the notice."""

_SENTENCES = {
    "retracted": "was retracted",
    "partly retracted": "was retracted in part",
    "concern": "is under an expression of concern",
    "corrected": "was corrected",
    "reinstated": "was retracted and reinstated",
}
_SOURCES = {
    "notice": "the notice is in the corpus",
    "work": "according to its own full text",
    "table": "according to a table of notices",
    "reference": "according to a reference list",
    "title": "according to its title alone",
}


def name_notice(state: str | None, year: int | None) -> str | None:
    """`retracted 2017`, `expression of concern 2016`; None without a notice.

    Args:
        state: `Paper.notice`.
        year: year of the notice, if known.
    """
    if state is None:
        return None
    name = EVENTS[state] if state == "concern" else state
    return f"{name} {year}" if year else name


def compare_dates(citing: str | None, notice: str | None) -> Timing:
    """Whether a citing paper appeared before or after a notice.

    Args:
        citing: date of the citing paper, ISO 8601 as exact as known (`2019`, `2019-03`).
        notice: date of the notice, likewise.
    """
    if not citing or not notice:
        return "unknown"
    if citing.startswith(notice) or notice.startswith(citing):
        return "same"
    return "before" if citing < notice else "after"


def describe_timing(citing: str | None, notice: str | None, event: str) -> str:
    """`3 years after the retraction (2016)`; says what is unknown.

    Whole years are counted if both dates are exact to the month, else the years are subtracted.

    Args:
        citing: date of the citing paper.
        notice: date of the notice.
        event: name of the notice, such as `retraction`.
    """
    if not citing or not notice:
        missing = f"the date of the {event}" if not notice else "its own date"
        return f"before or after the {event}: unknown, because {missing} is missing"
    timing = compare_dates(citing, notice)
    shared = {4: "year", 7: "month", 10: "day"}[min(len(citing), len(notice))]
    if timing == "same" and shared == "day":
        return f"on the day of the {event} ({notice})"
    if timing == "same":
        return f"in the {shared} of the {event} ({notice}); which came first is unknown"
    return f"{_interval(citing, notice)} {timing} the {event} ({notice})"


def _interval(one: str, other: str) -> str:
    """The time between two dates, in the largest unit that fits both."""
    first, last = sorted((one, other))
    if min(len(first), len(last)) == 4:
        return _count(int(last[:4]) - int(first[:4]), "year")
    months = 12 * (int(last[:4]) - int(first[:4])) + int(last[5:7]) - int(first[5:7])
    days = _days(first, last)
    if days is not None and last[8:] < first[8:]:
        months -= 1
    if months >= 12:
        return _count(months // 12, "year")
    if months:
        return _count(months, "month")
    return "less than a month" if days is None else _count(days, "day")


def _days(first: str, last: str) -> int | None:
    """Days between two dates; None if one is less exact, or not in the calendar."""
    try:
        return (date.fromisoformat(last) - date.fromisoformat(first)).days
    except ValueError:
        return None


def _count(number: int, unit: str) -> str:
    return f"{number} {unit}" + ("" if number == 1 else "s")


@dataclass(frozen=True)
class CitedNotice:
    """A notice about a cited work, seen from one citation."""

    state: str
    """`retracted`, `partly retracted`, `concern`, `corrected` or `reinstated`."""
    date: str | None
    """Date of the notice, as exact as known."""
    year: int | None
    doi: str | None
    """DOI of the notice."""
    source: str
    """`notice`, `work`, `table`, `reference` or `title`."""
    timing: Timing
    """The citation before or after the notice."""
    sentence: str
    """State, date and source in words."""
    citation: str
    """How and when the work is cited: `cited as method in 2 sentences, 3 years after the retraction
    (2016)`."""


def read_notice(work: Mapping[str, Any], citing_date: str | None, use: str) -> CitedNotice | None:
    """The notice about a work, or None.

    Args:
        work: `notice`, `notice_date`, `notice_year`, `notice_doi`, `notice_source` of the work;
            `is_notice`, whether the citing paper is a notice about it.
        citing_date: date of the citing paper, or its year.
        use: how the paper cites the work, see `describe_use`.
    """
    state = work["notice"]
    if state is None:
        return None
    is_notice = bool(work["is_notice"])
    when, doi, source = work["notice_date"], work["notice_doi"], work["notice_source"]
    on = "" if not when else f" on {when}" if len(when) == 10 else f" in {when}"
    since = f" since {when}" if when and state == "concern" else on
    return CitedNotice(
        state=state,
        date=when,
        year=work["notice_year"],
        doi=doi,
        source=source,
        timing="notice" if is_notice else compare_dates(citing_date, when),
        sentence=f"the cited work {_SENTENCES[state]}{since} ({_SOURCES[source]})",
        citation=f"{use}, by a notice about it"
        if is_notice
        else f"{use}, {describe_timing(citing_date, when, EVENTS[state])}",
    )


def describe_use(sections: Mapping[str, int], intents: Mapping[str, int]) -> str:
    """`cited as method in 2 sentences, as background in 1`, or by section without intents.

    Args:
        sections: section type -> in-text citations.
        intents: intent -> in-text citations; empty if they are not labelled.
    """
    total = sum(sections.values())
    if not total:
        return "listed, but never cited in the text"
    used = [(name, n) for name, n in intents.items() if n]
    if used:
        first, *rest = used
        others = "".join(f", as {name} in {n}" for name, n in rest)
        return f"cited as {first[0]} in {_count(first[1], 'sentence')}{others}"
    places = ", ".join(f"{SECTION_NAMES[name]} {n}" for name, n in sections.items() if n)
    return f"cited in {_count(total, 'sentence')} ({places})"
