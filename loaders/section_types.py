"""Section types by rule: `sec-type` first, then the title, then the parent.

I introduction and literature review, M method, R results, D discussion and conclusion (merged),
other: CIA, section 3.1. Titles are matched as a whole, those in other languages than English word
by word (`section_words.py`). "Results and Discussion" is R with a flag. Nested sections without a
type inherit that of their parent. `other` is a type by rule too, for declarations and supplements;
`UNTYPED` marks sections without a rule.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from citescape.core.types import SectionType, TypeSource
from citescape.loaders.section_words import word_types


@dataclass(frozen=True, slots=True)
class Typing:
    """Type of a section, its rule, and whether it combines results and discussion."""

    type: SectionType
    source: TypeSource
    combined: bool = False


UNTYPED = Typing("other", "none")
_COMBINED_TITLE = Typing("R", "title", combined=True)
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
    "supplementary": "other",
    "supplementary-material": "other",
    "additional-information": "other",
    "author-contributions": "other",
    "coi-statement": "other",
    "data-availability": "other",
    "display-objects": "other",
    "ethics-statement": "other",
    "funding-information": "other",
}

_PLACE = r"(?:the )?(?:study|experimental|field|research|sampling) (?:areas?|sites?|locations?)"
_RESULTS, _DISCUSSION = r"(?:results?|findings)", r"(?:discussions?|conclusions?|interpretation)"
_CLOSING = (
    r"(?:summary|conclusions?|discussions?|limitations?|perspectives?|implications?|outlook|"
    r"recommendations?|(?:future |policy |further )(?:work|research|directions?|perspectives?|"
    r"prospects?|implications?|recommendations?|studies))"
)

_WORDS: dict[SectionType, str] = {
    "I": r"introduction|introductory remarks|introduction (?:and|with) .+|"
    r"(?:general |research |historical |scientific |conceptual )?background|"
    r"background and (?:introduction|summary|aims?|objectives?|motivation|rationale|purpose|"
    r"significance|context|scope|overview|hypothes[ei]s|related work|literature review)|"
    r"objectives? and (?:background|rationale|hypothes[ei]s|scope)|"
    r"(?:brief )?(?:literature|related) (?:review|works?|literature)|"
    r"review of (?:the )?(?:related )?literature|related studies|"
    r"previous (?:work|research|studies)|prior work|state of the art|motivation|"
    r"theoretical (?:background|framework)|(?:aims?|objectives?|purpose)(?: and objectives?)?"
    r"(?: of (?:the|this) study)?|statement of the problem|problem statement|rationale",
    "M": r"(?:materials?|subjects?|patients?|participants?|animals?|plants?)(?: and methods?)?|"
    r"(?:(?:materials?|data|design|patients?|subjects?|participants?|equipment) and )?"
    r"(?:research |study |general |experimental |simulation )?methods?"
    r"(?: and (?:materials?|data|analys[ei]s|design|procedures?|data sets?))?|"
    r"methods? summary|online methods|star ?★? ?methods|material methods|"
    r"(?:research |study )?(?:methodology|methodologies)|(?:theory|experiments?) and methods?|"
    r"(?:data|materials?|theory|models?) and methodology|methods? and study design|"
    r"data analys[ei]s and methods?|(?:experimental|plant) materials?|"
    r"plant materials? and (?:growth|growing|cultivation) conditions|"
    r"(?:literature )?search (?:strategy|methods?)|systematic literature search|"
    r"(?:the )?experimental(?: (?:sections?|procedures?|design|methods?|set-?up|details|part))?|"
    r"experimental (?:design,? )?(?:and )?materials?,? and methods?|"
    r"materials?,? (?:and )?methods? and (?:data|design)|methodological approach|"
    r"(?:study )?(?:design|population|setting)|study protocol|empirical strategy|"
    rf"{_PLACE}(?: and (?:data|methods?|sampling|climate|experimental design))?|"
    r"statistics|statistical (?:analys[ei]s|methods?)|equipment|"
    r"data|data (?:analys[ei]s|collection|sources?)|methods?/design|procedures?",
    "R": r"(?:experimental |main |key |simulation |empirical |representative |research )?results?|"
    r"findings|results? analys[ei]s|"
    r"results? and (?:findings|analys[ei]s|evaluation)|experiments? and results?|"
    r"(?:analys[ei]s|evaluation) and results?",
    "D": r"(?:general |overall )?discussions?|(?:general |final |overall |main |research )?"
    r"conclusions?|conclusions? (?:and|with) .+|discussions? and (?:future|limitations?) .+|"
    r"conclu(?:ding|sions?) remarks? and .+|summary and (?:way forward|prospects)|"
    r"(?:prospects?|prospectives?|summary) and conclusions?|"
    rf"(?:concluding|closing|final) (?:remarks?|comments?|thoughts?)|{_CLOSING}"
    rf"(?:(?:,|,? (?:and|of|for)) (?:the |this )?(?:{_CLOSING}|{_RESULTS}|study|research|practice|"
    r"policy|future))*|(?:study )?strengths and limitations(?: of (?:the|this) study)?",
    "other": r"(?:the )?authors?['’]?s? contributions?|"
    r"contributions?(?: (?:by|of) (?:the )?authors?)?|"
    r"author information|acknowledge?ments?|abbreviations?(?: used)?|correction|disclosures?|"
    r"(?:declarations?|disclosures?|statements?)?(?: of)?(?: potential| any)? ?"
    r"(?:conflicts? of interests?|competing(?: financial)? interests?|interests?)"
    r"(?: statements?| disclosures?)?|declarations?|"
    r"(?:sources? of )?funding(?: information| sources?| statements?| support)?|"
    r"financial (?:support|disclosures?)(?: statement)?|"
    r"(?:electronic |online )?(?:supplement(?:s|al|ary)?|supporting|additional)"
    r"(?: (?:materials?|data|information|files?|figures?|tables?))*(?: available)?|"
    r"(?:compliance with )?ethic(?:s|al) (?:statements?|approvals?|reviews?|standards|"
    r"considerations)(?: and consent to participate)?|informed consent|"
    r"consent (?:for|to) (?:publication|publish|participate)|"
    r"data (?:and materials? )?(?:availability|accessibility|deposition|archiving)"
    r"(?: statements?)?|availability of (?:data|materials?)(?: and (?:data|materials?))?|"
    r"accession (?:numbers?|codes?)|appendi(?:x|ces)(?: [A-Z\d])?|footnotes?|note added in proof",
}
_TITLE = {kind: re.compile(rf"(?:{pattern})", re.IGNORECASE) for kind, pattern in _WORDS.items()}
_COMBINED = re.compile(
    rf"(?:experimental )?{_RESULTS}(?:,| and|/| with)+ ?(?:general )?{_DISCUSSION}"
    rf"(?:(?:,| and)+ (?:{_DISCUSSION}|outlook|summary))?",
    re.IGNORECASE,
)
_WITH_SUBJECT = re.compile(
    r"(introduction|background|(?:materials? and )?methods?|methodology|results|discussion|"
    r"conclusions?|concluding remarks)(?: \d| [IVX]+)?(?:\s*[:,–—]\s*| - ).+",
    re.IGNORECASE,
)
"""`Results: yield of IR64`, `Methods, study 2`: the first words name the type."""
_NUMBER = re.compile(
    r"(?:(?i:section|chapter|part)\s+)?"
    r"(?:\d{1,2}(?:\.\d{1,2})*(?=[.):\s–—-]|[A-Z][a-z])|[IVX]{2,}(?=\s)|[IVXA-H](?=[.)])|"
    r"[IVX]+(?=[.)]))[.):\s–—-]*"
)
_SPACE = re.compile(r"\s+")


def type_section(sec_type: str, title: str, parent: Typing | None) -> Typing:
    """The type of a section from its `sec-type`, else its title, else its parent's typing."""
    own = _from_sec_type(sec_type) or _from_title(title)
    above = parent if parent and parent != UNTYPED else None
    if own and not (own.type == "other" and above):  # an ethics statement within the methods
        return own
    return Typing(above.type, "parent", above.combined) if above else UNTYPED


def clean_title(title: str) -> str:
    """A heading without number, closing punctuation, ampersands: `2.1. Methods:` -> `Methods`."""
    text = _SPACE.sub(" ", title).strip()
    number = _NUMBER.match(text)
    return text[number.end() if number else 0 :].strip(" .:;–—-").replace("&", "and")


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
        return _COMBINED_TITLE
    with_subject = _WITH_SUBJECT.fullmatch(text)
    for kind, pattern in _TITLE.items():
        if pattern.fullmatch(text) or (with_subject and pattern.fullmatch(with_subject[1])):
            return Typing(kind, "title")
    return _from_words(text)


def _from_words(text: str) -> Typing | None:
    """The type by a title in another language than English."""
    kinds = word_types(text)
    if kinds == {"R", "D"}:
        return _COMBINED_TITLE
    return Typing(kinds.pop(), "title") if len(kinds) == 1 else None
