"""Finds citations in sentences of authors by their form, and removes them.

Stricter than `text.intents.contexts`, which takes a capitalised word before a number for a name: in
"found in Arabidopsis [12]" the plant is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pyarrow as pa

from citescape.recommend.drafts.marks import ANY, CITED
from citescape.recommend.masking.mask import LEAD, OTHER, strip_placeholders

_YEAR = r"(?:1[89]|20)\d\d[a-z]?"
_PARTICLES = r"(?:(?:van|von|de|der|den|la|le|dos|Van|Von|De|Der|Den|La|Le|Dos)\s){0,2}"
_NAME = rf"(?<![\w'’‐‑-]){_PARTICLES}[^\W\d_a-zß-öø-ÿ][\w'’‐‑-]{{0,40}}"
_ET_AL = r"(?:,?\s+et\s+al\b\.?|\s+and\s+co-?(?:lleagues|workers))"
_OTHERS = rf"(?:{_ET_AL}|\s*,?\s*(?:and|&)\s+{_NAME})"
_YEARS = rf"{_YEAR}(?:\s*,\s*(?:{_YEAR}|[a-z]\b)){{0,9}}"
_WHOLE = rf"{_NAME}(?:\s+{_NAME}|\s+[A-Z]\.(?:-?[A-Z]\.)?){{0,2}}"
_AND = rf"(?:{_ET_AL}|\s*,?\s*(?:and|&)\s+{_WHOLE})"
_WORK = rf"{_WHOLE}(?:,\s*{_WHOLE}){{0,5}}{_AND}?\s*,?\s*{_YEARS}"
_LEADS = rf"(?:{LEAD}[,\s]\s*){{0,3}}"
_NUMBERS = r"\s*\d{1,3}[a-z]?(?:\s*(?:[,;–—-]|and|&|to)\s*\d{1,3}[a-z]?){0,40}\s*"
_ADVERB = r"(?!(?:[A-Z][a-z]+ly|However|Moreover|Furthermore|Thus|Hence|Therefore|Later|Indeed),)"
_CITATION = re.compile(
    rf"[\[(]{_NUMBERS}[\])]"  # [12], (3-6)
    rf"|[\[(]\s*{_LEADS}{_WORK}(?:\s*[;,]\s*{_LEADS}{_WORK}){{0,30}}\s*[\])]"  # (Wu 2011; Li 2012)
    rf"|{_ADVERB}{_NAME}(?:,\s*{_NAME}){{0,5}}{_OTHERS}(?:['’]s)?\s*,?\s*"
    rf"(?:[(\[]{_YEARS}[)\]]|{_YEARS})"
    rf"|{_NAME}(?:['’]s)?\s*[(\[]{_YEARS}[)\]]"  # Wu (2011)
)
_PLACE = rf"(?:\[(?:{ANY.pattern}|\s)+\]|{ANY.pattern})"
_PLACES = re.compile(
    rf"(?:{_NAME}{_ET_AL}(?:['’]s)?,?\s*)?{_PLACE}(?:\s*(?:[,;&]|\band\b)?\s*{_PLACE})*"
)


def mark_citations(text: str) -> str:
    """Replaces each citation, `[12]`, `(Wu, 2011)`, `Wu (2011)`, by `CITED` in brackets."""
    return _CITATION.sub(f"[{CITED}]", text)


def remove_citations(text: str) -> str:
    """The text on one line without citations and marks, like contexts of the graph."""
    return _remove_marked(mark_citations(text))


def remove_marks(text: str) -> str:
    """The text on one line without marks; titles may contain what looks like citations."""
    return _remove_marked(text) if ANY.search(text) else " ".join(text.split())


def find_places(marked: str) -> Iterator[re.Match[str]]:
    """Citations and markers of a text in which they are characters; those side by side are one."""
    return _PLACES.finditer(marked)


def _remove_marked(text: str) -> str:
    masked = " ".join(_PLACES.sub(f" {OTHER}", text).split())
    plain: str = strip_placeholders(pa.array([masked], pa.string()))[0].as_py()
    return plain.lstrip(",;:. ")
