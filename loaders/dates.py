"""Dates of publication, ISO 8601 as exact as known: `2019`, `2019-03`, `2019-03-07`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from functools import lru_cache
from typing import NamedTuple

FIRST_YEAR, LAST_YEAR = 1000, 2099
"""Years of metadata records; others are errors of the source."""

_ISO = re.compile(r"([0-9]{4})(?:[-/]([0-9]{1,2})(?:[-/]([0-9]{1,2}))?)?(?![0-9])")


class PublicationDate(NamedTuple):
    """A date as exact as known, ISO 8601; empty if missing."""

    text: str
    conflicting: bool
    """Whether a source states several years."""

    @property
    def year(self) -> int | None:
        """Its year."""
        return int(self.text[:4]) if self.text else None


def earliest_date(dates: Iterable[str]) -> PublicationDate:
    """The most exact date of the earliest year, of several the earliest; empty ones are ignored."""
    known = [text for text in dates if text]
    if not known:
        return PublicationDate("", False)
    years = {text[:4] for text in known}
    first = min(years)
    earliest = min((d for d in known if d[:4] == first), key=lambda d: (-len(d), d))
    return PublicationDate(earliest, len(years) > 1)


def date_of(year: str, exact: str) -> tuple[PublicationDate, bool]:
    """The date of a record with a year and a date, and whether one of them cannot be read."""
    dates = read_iso_date(year), read_iso_date(exact)
    odd = bool((year and not dates[0]) or (exact and not dates[1]))
    if dates[1].startswith(dates[0]):  # as in nearly all records
        return PublicationDate(dates[1], False), odd
    return earliest_date(dates), odd


def iso_date(year: str, month: str = "", day: str = "") -> str:
    """A date from numbers, as exact as they are valid; empty without a valid year."""
    if not _is_number(year) or not FIRST_YEAR <= int(year) <= LAST_YEAR:
        return ""
    if not _is_number(month) or not 1 <= int(month) <= 12:
        return f"{int(year)}"
    try:
        return date(int(year), int(month), int(day) if _is_number(day) else 0).isoformat()
    except ValueError:  # no day, or 31 February
        return f"{int(year)}-{int(month):02}"


@lru_cache(maxsize=65536)  # the same dates occur in millions of records
def read_iso_date(text: str) -> str:
    """The date at the beginning of a text (`2019-03-07T00:00:00Z`); empty without a valid one."""
    found = _ISO.match(text)
    return iso_date(found[1], found[2] or "", found[3] or "") if found else ""


def edition_of(date: str, version: int = 0) -> int:
    """`Paper.edition` of a record with this date of revision: `2019-03-07` -> 20190307.

    A number of a version comes before the date; an unknown date is the earliest.
    """
    digits = date.replace("-", "").ljust(8, "0")
    return version * 10**8 + int(digits)


def _is_number(text: str) -> bool:
    return text.isdecimal() and text.isascii() and len(text) <= 4
