"""Section types by rule: `sec-type` first, then the title, then the parent.

I introduction and literature review, M method, R results, D discussion and conclusion (merged),
other: CIA, section 3.1. "Results and Discussion" is R with a flag. Nested sections inherit what
they do not say themselves.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from citescape.types import SectionType, TypeSource


@dataclass(frozen=True, slots=True)
class Typing:
    """A section's type, the rule that gave it, and whether it joins results with discussion."""

    type: SectionType
    source: TypeSource
    combined: bool = False


UNTYPED = Typing("other", "none")
LEAD = Typing("I", "lead")
"""Paragraphs before the first heading of a paper that has headings: its introduction."""

_SEC_TYPES: dict[str, SectionType] = {
    "intro": "I",
    "introduction": "I",
    "background": "I",
    "literature-review": "I",
    "methods": "M",
    "method": "M",
    "materials": "M",
    "material": "M",
    "subjects": "M",
    "cases": "M",
    "results": "R",
    "result": "R",
    "findings": "R",
    "discussion": "D",
    "conclusions": "D",
    "conclusion": "D",
}

_WORDS: dict[SectionType, str] = {
    "I": r"introduction|introductory remarks|background|(?:brief )?(?:literature|related) "
    r"(?:review|works?|literature)|review of (?:the )?(?:related )?literature|related studies|"
    r"previous (?:work|research|studies)|prior work|state of the art|motivation|"
    r"theoretical (?:background|framework)|aims?|objectives?|aims? and objectives?|"
    r"aims? of (?:the|this) study|purpose",
    "M": r"(?:material|subject|patient|participant|animal)s?(?: and methods?)?|"
    r"(?:material and |data and )?(?:research |study |general )?methods?(?: and materials?)?|"
    r"methods? summary|online methods|star methods|methodology|methodologies|"
    r"(?:data|materials?|theory|models?) and methodology|"
    r"(?:the )?experimental(?: (?:section|procedures?|design|methods?|set-?up|details|part))?|"
    r"experimental materials? and methods?|materials?,? (?:and )?methods? and (?:data|design)|"
    r"methodological approach|study (?:design|area|site|population|setting)|"
    r"statistical (?:analys[ei]s|methods?)|data (?:analys[ei]s|collection|sources?)|"
    r"design and methods?|methods?/design|procedures?",
    "R": r"(?:experimental |main |key |simulation |empirical )?results?|findings|"
    r"results? and (?:findings|analys[ei]s|evaluation)|experiments? and results?|"
    r"(?:analys[ei]s|evaluation) and results?",
    "D": r"(?:general |overall )?discussions?|(?:general |final |overall |main )?conclusions?|"
    r"concluding remarks?|(?:closing|final) remarks?|discussions? (?:and|of) (?:the )?"
    r"(?:conclusions?|results?|findings|perspectives?|implications?|outlook|summary)|"
    r"(?:summary|conclusions?|limitations?|perspectives?|implications?|outlook|"
    r"future (?:work|research|directions?|perspectives?|prospects?))"
    r"(?:,? (?:and|of|for) (?:the |this )?(?:conclusions?|discussions?|outlook|recommendations?|"
    r"(?:future )?(?:perspectives?|directions?|work|research|prospects?)|limitations?|"
    r"implications?|study|research|practice|policy|summary))*|strengths and limitations",
}
_TITLE = {kind: re.compile(rf"(?:{pattern})", re.IGNORECASE) for kind, pattern in _WORDS.items()}
_COMBINED = re.compile(
    r"(?:experimental )?(?:results?|findings)(?:,| and|/| with)+ ?(?:general )?"
    r"(?:discussions?|conclusions?|interpretation)"
    r"(?:(?:,| and)+ (?:conclusions?|outlook|summary))?",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"^(?:(?:section|chapter|part)\s+)?(?:\d+(?:\.\d+)*|[IVX]+(?=[.\s)])|[A-H](?=[.)]))[.):\s–—-]*",
    re.IGNORECASE,
)
_SPACE = re.compile(r"\s+")


def type_section(sec_type: str, title: str, parent: Typing | None) -> Typing:
    """The type of a section from its `sec-type`, else its title, else its parent's typing."""
    own = _from_sec_type(sec_type) or _from_title(title)
    if own:
        return own
    if parent and parent.type != "other":
        return Typing(parent.type, "parent", parent.combined)
    return UNTYPED


def clean_title(title: str) -> str:
    """A heading without number, closing punctuation, ampersands: `2.1. Methods:` -> `Methods`."""
    text = _SPACE.sub(" ", title).strip()
    return _NUMBER.sub("", text).strip(" .:;–—-").replace("&", "and")


@lru_cache(maxsize=4096)
def _from_sec_type(sec_type: str) -> Typing | None:
    words = re.split(r"[|,;/\s]+", sec_type.lower())
    kinds = [_SEC_TYPES[word] for word in words if word in _SEC_TYPES]
    if not kinds:
        return None
    if "R" in kinds and "D" in kinds:
        return Typing("R", "sec-type", combined=True)
    return Typing(kinds[0], "sec-type")


@lru_cache(maxsize=65536)
def _from_title(title: str) -> Typing | None:
    text = clean_title(title)
    if _COMBINED.fullmatch(text):
        return Typing("R", "title", combined=True)
    for kind, pattern in _TITLE.items():
        if pattern.fullmatch(text):
            return Typing(kind, "title")
    return None
