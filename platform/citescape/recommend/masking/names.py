"""Names of authors in a sentence, right before a year or a citation marker."""

from __future__ import annotations

import re
from collections.abc import Iterable

_LONGEST = 120
"""Characters before a marker in which its names are looked for."""
_AUTHORS = 3
"""Of a work, whose surnames are looked for; texts print three at most, or `et al.`."""
_GAP = " \t,.([’'"
"""What stands between names and marker."""
_NAME = r"(?:[A-ZÀ-ÖØ-Þ]|(?![\d_a-zß-öø-ÿ])[^\W\d_])[\w'’.-]*+"
_SMALL = r"van|von|de|der|den|del|della|da|di|la|le|el|ter|ten|dos"
_LINK = rf"(?:and|et|al|und|y|in|press|of|the|for|{_SMALL})\b"
# Possessive: names that go on with a hyphen are read in one way, so matching takes linear time.
_REST = re.compile(rf"(?:[^\w;()\[\]]++|\(\w+\)|{_LINK}|{_NAME})*+")
_ET_AL = re.compile(
    rf"(?:\b(?:{_SMALL})\s)*{_NAME}(?:(?:,\s*|\s(?:and|&)\s){_NAME})?,?\s+et\.?\s*al$"
)
_ISSUED = re.compile(
    rf"[(\[;]\s*(?:(?:see|also|reviewed|in|by|e\.g\.|cf\.?)[\s,]+)*((?:{_NAME}|{_LINK}|[&\s,-])++)$"
)
_INITIALS = re.compile(r"(?:(?<!\w)[^\W\d_a-z]\.[\s-]?)+$")


def find_names(text: str, start: int, surnames: Iterable[str], *, begin: int = 0) -> int | None:
    """Where the names of a work begin that lead to a marker, None where they do not.

    `Smith, Lee and van Dam (2001)`: from the first of the work's surnames, with initials before
    it, to the marker nothing stands but other names.

    Args:
        text: the sentence.
        start: where the marker begins.
        surnames: of the work, as its reference has them.
        begin: names begin there or later.
    """
    begin = max(begin, start - _LONGEST)
    lead = _lead(text, begin, start)
    starts = [_find_name(lead, surname) for surname in list(surnames)[:_AUTHORS]]
    found = [at for at in starts if at >= 0]
    return take_initials(text, begin + min(found), begin) if found else None


def take_initials(text: str, start: int, begin: int) -> int:
    """Where the initials before a name begin, `start` itself where there are none."""
    if text[max(start - 2, 0) : start].strip()[-1:] != ".":
        return start
    initials = _INITIALS.search(text, max(begin, start - _LONGEST), start)
    return initials.start() if initials else start


def guess_names(text: str, start: int, *, begin: int, issued: bool) -> int | None:
    """Where names of nobody in particular begin that lead to a marker.

    `Smith et al.` before any marker; what begins behind a bracket or semicolon and holds names
    only, before a year.

    Args:
        text: the sentence.
        start: where the marker begins.
        begin: names begin there or later.
        issued: the marker is a year.
    """
    begin = max(begin, start - _LONGEST)
    lead = _lead(text, begin, start)
    found = _ET_AL.search(lead) if lead.endswith("al") else None
    if found:
        return begin + found.start()
    named = _ISSUED.search(lead) if issued else None
    return begin + named.start(1) if named else None


def _lead(text: str, begin: int, start: int) -> str:
    return text[begin:start].rstrip(_GAP)


def _find_name(lead: str, surname: str) -> int:
    """Where a surname stands behind which there are only names, -1 where it does not."""
    at = lead.rfind(surname) if surname else -1
    if at < 0 < len(surname):
        folded, name = lead.lower(), surname.lower()
        same = len(folded) == len(lead) and len(name) == len(surname)
        at = folded.rfind(name) if same else -1
    end = at + len(surname)
    if at < 0 or (at and lead[at - 1].isalnum()) or lead[end : end + 1].isalnum():
        return -1
    return at if _REST.fullmatch(lead, end) else -1
