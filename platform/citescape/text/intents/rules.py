"""Citation intents by a score card: the type of section and six kinds of cue phrase.

p(intent) = 1 / (1 + exp(-(points of the section type + points of each cue in the text))). The
points are coefficients of a logistic regression on SciCite's training data, rounded to one decimal.
Needs only numpy, and no training.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from citescape.core.types import SECTION_TYPES
from citescape.text.intents.contexts import CitationContext, Probabilities, normalise


class Cue(NamedTuple):
    """Words that indicate an intent, and their points for background, method and result."""

    name: str
    pattern: re.Pattern[str]
    points: tuple[float, float, float]


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE)


CUES = (
    Cue(
        "compares with",
        _words(
            r"(?:(?:in|into) (?:\w+ )?(?:agreement|accordance|accord|contrast|line|keeping|"
            r"concordance)|consistent|agree(?:s|d|ing)?|concordant|contrary|comparable|similar|"
            r"compar(?:ed|able|ing)|line|disagree\w*|accord\w*|inconsistent|conflict\w*|"
            r"discrepan\w*|analogous|identical|the same) (?:\w+ ){0,3}?(?:with|to|as|from)"
        ),
        (-1.8, -0.3, 2.6),
    ),
    Cue(
        "own finding",
        _words(
            r"(?:our|we|the present|this study|these|this|present) (?:\w+ ){0,3}?(?:results?|"
            r"findings?|data|observations?|study|found|observed|show\w*|confirm\w*|support\w*|"
            r"report\w*)"
        ),
        (-1.7, -0.5, 2.2),
    ),
    Cue(
        "agrees or not",
        _words(
            r"confirm(?:s|ed|ing)?|corroborat\w+|support(?:s|ed|ing)?|contradict\w*|"
            r"extend(?:s|ed)?|replicat\w+|in contrast|unlike|contrary|whereas|similarly|likewise|"
            r"as (?:previously |also )?(?:reported|observed|shown|found|seen)"
        ),
        (-0.8, -0.2, 1.4),
    ),
    Cue(
        "more or less than",
        _words(r"(?:higher|lower|greater|smaller|larger|better|worse|less|more) than"),
        (-0.1, -0.2, 0.5),
    ),
    Cue(
        "was done",
        _words(
            r"(?:we|were|was|is|are|been|be|our) (?:\w+ ){0,2}?(?:us(?:e|ed|ing)|perform\w*|"
            r"measur\w*|calculat\w*|determin\w*|adopt\w*|employ\w*|appl(?:y|ied)|follow\w*|"
            r"analy[sz]ed|assess\w*|collect\w*|estimat\w*|obtain\w*|implement\w*|generat\w*|"
            r"prepar\w*|comput\w*|train\w*|evaluat\w*|conduct\w*|extract\w*|isolat\w*|"
            r"construct\w*|carried out|modif\w+)"
        ),
        (-1.8, 2.0, -0.6),
    ),
    Cue(
        "by means of",
        _words(
            r"using|according to|based on|as (?:previously )?described|described (?:previously|"
            r"elsewhere|by|in)|following|by means of|with the|method of|protocol|procedure|"
            r"adapted from|modified from|software|package|algorithm|toolbox|questionnaire|scale|"
            r"kit|version"
        ),
        (-1.2, 1.4, 0.2),
    ),
)
SECTION_POINTS = {
    "I": (2.7, -2.7, -4.5),
    "M": (-0.2, 0.3, -6.0),
    "R": (1.9, -2.5, -2.7),
    "D": (1.4, -3.5, -1.8),
    "other": (1.5, -1.5, -3.7),
}


def classify_by_rules(contexts: Sequence[CitationContext]) -> Probabilities:
    """Probabilities (n, 3) by the score card: an `IntentModel` that needs no training."""
    sections = np.array([SECTION_POINTS[name] for name in SECTION_TYPES])  # (5, 3)
    cues = np.array([cue.points for cue in CUES])  # (6, 3)
    points = one_hot_sections(contexts) @ sections + find_cues(contexts) @ cues
    probabilities: Probabilities = 1 / (1 + np.exp(-points))
    return probabilities


def one_hot_sections(contexts: Sequence[CitationContext]) -> Probabilities:
    """(n, 5): 1 in the column of the section's type; an unknown type is `other`."""
    known = {name: k for k, name in enumerate(SECTION_TYPES)}
    columns = [known.get(context.section, known["other"]) for context in contexts]
    return np.eye(len(SECTION_TYPES))[columns]


def find_cues(contexts: Sequence[CitationContext]) -> Probabilities:
    """(n, 6): 1 where a kind of cue phrase is in the text."""
    texts = [normalise(context.text) for context in contexts]
    matches = [[bool(cue.pattern.search(text)) for cue in CUES] for text in texts]
    return np.array(matches, float).reshape(len(texts), len(CUES))
