"""Names of authors in a sentence, right before a year or a citation marker."""

from __future__ import annotations

import re
from collections.abc import Iterable

_LONGEST = 120
"""Characters before a marker that are searched for names."""
_AUTHORS = 3
"""Maximum surnames of a work that are searched; texts print at most three, or `et al.`."""
_GAP = " \t,.([’'"
"""Characters between names and marker."""
_NAME = r"(?:[A-ZÀ-ÖØ-Þ]|(?![\d_a-zß-öø-ÿ])[^\W\d_])[\w'’.-]*+"
_PARTICLES = r"van|von|de|der|den|del|della|da|di|la|le|el|ter|ten|dos"
_LINK = rf"(?:and|et|al|und|y|in|press|of|the|for|{_PARTICLES})\b"
# Possessive quantifiers: names that continue with a hyphen match in one way, in linear time.
_REST = re.compile(rf"(?:[^\w;()\[\]]++|\(\w+\)|{_LINK}|{_NAME})*+")
_ET_AL = re.compile(
    rf"(?:\b(?:{_PARTICLES})\s)*{_NAME}(?:(?:,\s*|\s(?:and|&)\s){_NAME})?,?\s+et\.?\s*al$"
)
_NAMES_BEFORE_YEAR = re.compile(
    rf"[(\[;]\s*(?:(?:see|also|reviewed|in|by|e\.g\.|cf\.?)[\s,]+)*((?:{_NAME}|{_LINK}|[&\s,-])++)$"
)
_INITIALS = re.compile(r"(?:(?<!\w)[^\W\d_a-z]\.[\s-]?)+$")


def find_names(text: str, start: int, surnames: Iterable[str], *, begin: int = 0) -> int | None:
    """Start of the names of a work before a marker; None without such names.

    Between the first surname of the work and the marker there are only other names, as in
    `Smith, Lee and van Dam (2001)`. Initials before the surname are included.

    Args:
        text: the sentence.
        start: start of the marker.
        surnames: surnames of the work, from its reference.
        begin: earliest start of names.
    """
    begin = max(begin, start - _LONGEST)
    lead = text[begin:start].rstrip(_GAP)
    starts = [_find_name(lead, surname) for surname in list(surnames)[:_AUTHORS]]
    known = [at for at in starts if at >= 0]
    return include_initials(text, begin + min(known), begin) if known else None


def include_initials(text: str, start: int, begin: int) -> int:
    """Start of the initials before a name, or `start` without initials.

    Args:
        text: the sentence.
        start: start of the name.
        begin: earliest start of initials.
    """
    if text[max(start - 2, 0) : start].strip()[-1:] != ".":
        return start
    initials = _INITIALS.search(text, max(begin, start - _LONGEST), start)
    return initials.start() if initials else start


def guess_names(text: str, start: int, *, begin: int, is_year: bool) -> int | None:
    """Start of names of unknown works before a marker; None without names.

    `Smith et al.` before any marker; names after a bracket or semicolon before a year.

    Args:
        text: the sentence.
        start: start of the marker.
        begin: earliest start of names.
        is_year: whether the marker is a year.
    """
    begin = max(begin, start - _LONGEST)
    lead = text[begin:start].rstrip(_GAP)
    et_al = _ET_AL.search(lead) if lead.endswith("al") else None
    if et_al:
        return begin + et_al.start()
    named = _NAMES_BEFORE_YEAR.search(lead) if is_year else None
    return begin + named.start(1) if named else None


def _find_name(lead: str, surname: str) -> int:
    """Position of a surname that only names follow; -1 if not found."""
    at = lead.rfind(surname) if surname else -1
    if at < 0 < len(surname):
        folded, name = lead.lower(), surname.lower()
        same = len(folded) == len(lead) and len(name) == len(surname)
        at = folded.rfind(name) if same else -1
    end = at + len(surname)
    if at < 0 or (at and lead[at - 1].isalnum()) or lead[end : end + 1].isalnum():
        return -1
    return at if _REST.fullmatch(lead, end) else -1
