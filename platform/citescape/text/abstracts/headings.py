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
_OF_TYPE = {"I": "background", "M": "method", "R": "result", "D": "result"}
_MISLEADING = frozenset(("zusammenfassung",))
"""The word for a conclusion heads a whole abstract."""
_JOINTS = re.compile(r"\s*[,/;&+]\s*(?:and\s+)?|\s+and\s+")
_NOISE = re.compile(r"^[\W\d]+|[\W_]+$")
_WRITTEN_IN = re.compile(r"(?:^|(?<=[.!?:)\]’”])\s+|\n\s*)([A-Z][A-Za-z/&, ]{2,40}?)\s*[:—–](?=\s)")

FACET_OF = {word.strip(): facet for facet, words in _WORDS.items() for word in words.split(",")}
"""Facet by heading, in lower case."""


class Segment(NamedTuple):
    """A stretch of an abstract below one heading; the empty heading where there is none."""

    heading: str
    begin: int
    end: int

    @property
    def facet(self) -> str | None:
        """What the heading names; None if it does not say."""
        return heading_facet(self.heading)


@lru_cache(maxsize=10_000)
def heading_facet(heading: str) -> str | None:
    """The facet that a heading names; None if it names several, another thing or nothing.

    English by the table above, German, French, Spanish and Portuguese by that of sections.
    """
    plain = unicodedata.normalize("NFKC", heading).casefold().replace("(s)", "s")
    words = [_NOISE.sub("", word) for word in _JOINTS.split(" ".join(plain.split()))]
    words = [word for word in words if word]
    if not words or set(words) & _MISLEADING:
        return None
    found = {FACET_OF.get(word) for word in words}
    if None in found:
        found = {_OF_TYPE.get(kind) for kind in word_types(plain.strip(" :.;"))}
    return found.pop() if len(found) == 1 else None


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
        segments.append(Segment(label, begin, end))
        begin = end
    return segments


def written_segments(text: str) -> list[Segment]:
    """The parts of an abstract whose headings are printed in its text, with a colon.

    "Background: Rice is ... Methods: We ...": the heading belongs to its part. Only where the
    headings name two facets at least: a colon after "Results" alone may be chance.
    """
    found = [m for m in _WRITTEN_IN.finditer(text) if heading_facet(m[1])]
    if len({heading_facet(m[1]) for m in found}) < 2:
        return []
    begins = [m.start(1) for m in found]
    ends = [*begins[1:], len(text)]
    head = [Segment("", 0, begins[0])] if begins[0] else []
    named = zip(found, begins, ends, strict=True)
    return head + [Segment(m[1], begin, end) for m, begin, end in named]
