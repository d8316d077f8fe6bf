"""Headings of structured abstracts, and the facet that each of them names.

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
"""Headings without a facet; they only mark the end of the part before them."""
_FACET_OF_SECTION = {"I": "background", "M": "method", "R": "result", "D": "result"}
_MISLEADING = frozenset(("zusammenfassung",))
"""A word for "conclusion" that is also the heading of a whole abstract."""
_JOINTS = re.compile(r"\s*[,/;&+]\s*(?:and\s+)?|\s+and\s+")
_NOISE = re.compile(r"^[\W\d]+|[\W_]+$")
_WRITTEN_IN = re.compile(r"(?<!\S)([A-Z][A-Za-z/&, ]{2,40}?)\s{0,4}[:—–](?=\s)")
"""A heading printed in the text. All repetitions are bounded, and the text before is checked
separately: a pattern that begins with white space takes quadratic time."""
_BEFORE = frozenset(".!?:)]’”")
"""Last characters of a sentence before a printed heading."""
HEADINGS_VERSION = 2
"""Version of the tables and patterns of this module; part of the run id."""

FACET_OF = {word.strip(): facet for facet, words in _WORDS.items() for word in words.split(",")}
"""Facet by heading, in lower case."""
_OTHERS = frozenset(word.strip() for word in _OTHER.split(","))


class Segment(NamedTuple):
    """Part of an abstract below one heading; `heading` is empty for a part without one."""

    heading: str
    begin: int
    end: int
    body: int
    """Start of its text, after a printed heading and its colon."""

    @property
    def facet(self) -> str | None:
        """The facet that the heading names; None if it names none."""
        return heading_facet(self.heading)


@lru_cache(maxsize=10_000)
def heading_facet(heading: str) -> str | None:
    """The facet that a heading names; None if it names several, or something else.

    English headings are in the table above; German, French, Spanish and Portuguese ones in that of
    section types.
    """
    words = _words(heading)
    if not words or set(words) & _MISLEADING:
        return None
    facets = {FACET_OF.get(word) for word in words}
    if None in facets:
        facets = {
            _FACET_OF_SECTION.get(kind) for kind in word_types(_normalise(heading).strip(" :.;"))
        }
    return facets.pop() if len(facets) == 1 else None


@lru_cache(maxsize=10_000)
def is_heading(heading: str) -> bool:
    """Whether a text is a heading, also of several facets or of something else."""
    words = _words(heading)
    if words and all(word in FACET_OF or word in _OTHERS for word in words):
        return True
    normalised = _normalise(heading).strip(" :.;")
    types = set(word_types(normalised))
    return normalised in _OTHERS or (bool(types) and types <= _FACET_OF_SECTION.keys())


def _words(heading: str) -> list[str]:
    """The words of a compound heading: "Background and Aims" has two."""
    words = [_NOISE.sub("", word) for word in _JOINTS.split(_normalise(heading))]
    return [word for word in words if word]


def _normalise(heading: str) -> str:
    normalised = unicodedata.normalize("NFKC", heading).casefold().replace("(s)", "s")
    return " ".join(normalised.split())


def headed_segments(text: str, labels: Sequence[str], parts: Sequence[str]) -> list[Segment]:
    """The headed parts of a structured abstract, as segments of its text.

    The space that joins two parts belongs to the first. Empty if the abstract has no heading, or if
    its text is not that of its parts.

    Args:
        text: the whole abstract.
        labels: heading of each part; empty for a part without one.
        parts: text of each part.
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

    "Background: Rice is ... Methods: We ...": the heading belongs to its part. Empty unless the
    headings name at least two facets: a colon after "Results" alone may be chance. A part also ends
    at a heading of several facets ("Methods and Results:") or of something else ("Trial
    registration:", "Keywords:"); the part below such a heading has no facet.
    """
    headings = []
    for match in _WRITTEN_IN.finditer(text):
        # a heading begins at the start, on a new line, or after a sentence
        at = before = match.start()
        while before and text[before - 1].isspace():
            before -= 1
        possible = not before or "\n" in text[before:at] or text[before - 1] in _BEFORE
        if possible and (heading_facet(match[1]) or is_heading(match[1])):
            headings.append(match)
    if len({heading_facet(match[1]) for match in headings} - {None}) < 2:
        return []
    begins = [match.start() for match in headings]
    ends = [*begins[1:], len(text)]
    head = [Segment("", 0, begins[0], 0)] if begins[0] else []
    named = zip(headings, begins, ends, strict=True)
    return head + [Segment(m[1], begin, end, min(m.end(), end)) for m, begin, end in named]
