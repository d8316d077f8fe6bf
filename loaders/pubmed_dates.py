"""Dates in PubMed: elements (`PubDate`), and free text such as `1998 Dec-1999 Jan`."""

from __future__ import annotations

import re

from lxml import etree

from citescape.loaders.dates import iso_date
from citescape.loaders.jats_text import text_of

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WRITTEN = re.compile(
    r"(?<![0-9])((?:1[5-9]|20)[0-9]{2})(?![0-9])(?:\s+([A-Za-z]{3})[a-z]*(?:\s+([0-9]{1,2})\b)?)?"
)


def read_date(element: etree._Element) -> str:
    """The date of an element, as exact as known; a season is left out. Empty without a year."""
    year, month, day = (text_of(element.find(name)) for name in ("Year", "Month", "Day"))
    if year:
        return iso_date(year, _month(month), day)
    return find_date(text_of(element.find("MedlineDate")))


def find_date(text: str) -> str:
    """The first date in a text, the beginning of a range; empty without one.

    `1998 Dec-1999 Jan` -> `1998-12`; `Lancet. 2010 Feb 6;375(9713):445` -> `2010-02-06`.
    """
    found = _WRITTEN.search(text)
    return iso_date(found[1], _month(found[2] or ""), found[3] or "") if found else ""


def _month(text: str) -> str:
    """The number of a month written as `2`, `02`, `Feb` or `February`."""
    name = text[:3].lower()
    return str(_MONTHS.index(name) + 1) if name in _MONTHS else text
