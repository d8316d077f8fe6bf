"""Headings of structured abstracts, and which facet each of them names.

A heading counts only if all its words name the same facet: "Background and Aims" does, "Methods and
Results" does not, nor does one that is not in the table ("Trial registration", "Key message").
Conclusions are results: FLeW's result is "the findings, outcomes, or conclusions" (section 3.2).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from citescape.loaders.section_words import word_types

_WORDS = {
    "background": (
        "background, introduction, context, rationale, premise, premise of the study, motivation,"
        "problem, hypothesis, hypotheses, study hypothesis, question, questions, research question,"
        "objective, objectives, study objective, study objectives, aim, aims, aim of the study,"
        "aims of the study, aim of study, study aim, goal, goals, purpose, purposes, scope,"
        "purpose of the study, purpose of review, overview of literature, literature review,"
        "previous work, importance, what is known"
    ),
    "method": (
        "method, methods, methodology, methodologies, method of study, materials, material,"
        "experimental, experimental design, experimental approach, experimental procedures,"
        "design, study design, research design, trial design, approach, procedure, procedures,"
        "setting, settings, study setting, place of study, participants, subjects, patients,"
        "patient, population, study population, sample, samples, animals, intervention,"
        "interventions, measures, measurements, main outcome measure, main outcome measures,"
        "outcome measure, outcome measures, primary outcome measures, data, data source,"
        "data sources, data collection, data extraction, data synthesis, data analysis, analysis,"
        "analyses, statistical analysis, search strategy, search methods, study selection,"
        "selection criteria, eligibility criteria, location, duration, study duration"
    ),
    "result": (
        "result, results, key result, key results, main result, main results, finding, findings,"
        "principal findings, principal finding, main findings, key findings, outcome, outcomes,"
        "conclusion, conclusions, main conclusions, concluding remarks, discussion, discussions,"
        "interpretation, implications, implication, practical implications, clinical implications,"
        "significance, limitation, limitations, study limitations, recommendations, perspectives,"
        "lessons, summary of results, what this study adds"
    ),
}
_OTHER = (
    "trial registration, trial registration number, trial number, trial registry, registration,"
    "registration number, clinical trial registration, study registration, prospero registration,"
    "systematic review registration, clinical trials registration, clinicaltrials, keywords,"
    "key words, keyword, index terms, funding, funding source, funding sources, funding statement,"
    "sponsor, abbreviations, availability, data availability, implementation, contact,"
    "supplementary information, supplementary material, supplementary materials,"
    "electronic supplementary material, supporting information, competing interests,"
    "competing interest, conflict of interest, conflicts of interest, disclosure, disclosures,"
    "ethics, ethics approval, ethics statement, dissemination, ethics dissemination,"
    "acknowledgements, acknowledgments, level of evidence, evidence level, classification,"
    "copyright, graphical abstract, video abstract, abstract, key message, key messages, plain"
    " language summary, lay summary, trial status, correspondence, citation, jel classification"
)
"""Headings of what is no part of the argument; they only say where a part before them ends."""
_OF_TYPE = {"I": "background", "M": "method", "R": "result", "D": "result"}
_MISLEADING = frozenset(("zusammenfassung",))
"""The word for a conclusion heads a whole abstract."""
_JOINTS = re.compile(r"\s*[,/;&+]\s*(?:and\s+)?|\s+and\s+")
_NOISE = re.compile(r"^[\W\d]+|[\W_]+$")
_WRITTEN_IN = re.compile(r"(?<!\S)([A-Z][A-Za-z/&, ]{2,40}?)\s{0,4}[:—–](?=\s)")
"""Bounded on all sides; what stands before is looked at apart, for a pattern that begins with white
space takes the square of its length."""
_BEFORE = frozenset(".!?:)]’”")
"""What ends the sentence before a printed heading."""
HEADINGS_VERSION = 2
"""Of the tables and patterns here: another one, another run."""

FACET_OF = {word.strip(): facet for facet, words in _WORDS.items() for word in words.split(",")}
"""Facet by heading, in lower case."""
_OTHERS = frozenset(word.strip() for word in _OTHER.split(","))


class Segment(NamedTuple):
    """A stretch of an abstract below one heading; the empty heading where there is none."""

    heading: str
    begin: int
    end: int
    body: int
    """Where its text begins, behind a heading that is printed in it and the mark after that."""

    @property
    def facet(self) -> str | None:
        """What the heading names; None if it does not say."""
        return heading_facet(self.heading)


@lru_cache(maxsize=10_000)
def heading_facet(heading: str) -> str | None:
    """The facet that a heading names; None if it names several, another thing or nothing.

    English by the table above, German, French, Spanish and Portuguese by that of sections.
    """
    words = _words(heading)
    if not words or set(words) & _MISLEADING:
        return None
    found = {FACET_OF.get(word) for word in words}
    if None in found:
        found = {_OF_TYPE.get(kind) for kind in word_types(_plain(heading).strip(" :.;"))}
    return found.pop() if len(found) == 1 else None


@lru_cache(maxsize=10_000)
def is_heading(heading: str) -> bool:
    """Whether it is one, if it says nothing: of several facets, or of what is no part of them."""
    words = _words(heading)
    if words and all(word in FACET_OF or word in _OTHERS for word in words):
        return True
    plain = _plain(heading).strip(" :.;")
    return plain in _OTHERS or (
        set(word_types(plain)) <= _OF_TYPE.keys() and bool(word_types(plain))
    )


def _words(heading: str) -> list[str]:
    """The headings of which one is put together: "Background and Aims" of two."""
    words = [_NOISE.sub("", word) for word in _JOINTS.split(_plain(heading))]
    return [word for word in words if word]


def _plain(heading: str) -> str:
    plain = unicodedata.normalize("NFKC", heading).casefold().replace("(s)", "s")
    return " ".join(plain.split())


def headed_segments(text: str, labels: Sequence[str], parts: Sequence[str]) -> list[Segment]:
    """The headed parts of a structured abstract, as they lie in its text.

    The blank that joins two parts belongs to the first. No segments where the abstract has no
    heading, or where its text is not that of its parts.
    """
    if not any(labels) or len(labels) != len(parts) or " ".join(parts) != text:
        return []
    segments, begin = [], 0
    for label, part in zip(labels, parts, strict=True):
        end = min(begin + len(part) + 1, len(text))
        segments.append(Segment(label, begin, end, begin))
        begin = end
    return segments


def written_segments(text: str) -> list[Segment]:
    """The parts of an abstract whose headings are printed in its text, with a colon.

    "Background: Rice is ... Methods: We ...": the heading belongs to its part. Only where the
    headings name two facets at least: a colon after "Results" alone may be chance. There a part
    also ends where a heading of several facets stands ("Methods and Results:") or of none that is
    known ("Trial registration:", "Keywords:"); its own part is open.
    """
    found = [m for m in _WRITTEN_IN.finditer(text) if _begins(text, m.start())]
    found = [m for m in found if heading_facet(m[1]) or is_heading(m[1])]
    if len({heading_facet(m[1]) for m in found} - {None}) < 2:
        return []
    begins = [m.start() for m in found]
    ends = [*begins[1:], len(text)]
    head = [Segment("", 0, begins[0], 0)] if begins[0] else []
    named = zip(found, begins, ends, strict=True)
    return head + [Segment(m[1], begin, end, min(m.end(), end)) for m, begin, end in named]


def _begins(text: str, at: int) -> bool:
    """Whether a heading may begin there: at the start, on a new line, or behind a sentence."""
    before = at
    while before and text[before - 1].isspace():
        before -= 1
    return not before or "\n" in text[before:at] or text[before - 1] in _BEFORE
