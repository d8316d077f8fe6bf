"""Input of intent models: the citing sentence, the heading above it, the section type.

Citation markers of every style become one token, `CITE`, so that a model trained on "(Smith et al.,
2010)" also reads "[12]"; digits become 0. Texts are cut at 2,000 characters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from citescape.core.types import FACETS, SectionType

INTENTS = FACETS
MOST_CHARACTERS = 2_000
"""Maximum length of a context in the graph."""
CITE = "CITE"
Probabilities = npt.NDArray[np.float64]


class CitationContext(NamedTuple):
    """Context of one citation. Equal contexts get equal probabilities."""

    text: str
    title: str = ""
    """The heading as printed."""
    section: SectionType = "other"


IntentModel = Callable[[Sequence[CitationContext]], Probabilities]
"""Function of contexts to probabilities (n, 3) of `INTENTS`, which need not sum to 1."""

_YEAR = r"(?:1[89]|20)\d\d[a-z]?"
_NUMBERS = r"\s*\d{1,3}[a-z]?(?:\s*(?:[,;–—-]|and|&|to)\s*\d{1,3}[a-z]?){0,40}\s*"
_INNER = rf"[^()\[\]]{{0,400}}?\b{_YEAR}[^()\[\]]{{0,200}}"
_NAME = r"(?<![\w'’‐-])(?:(?:van|von|de|der|den|la|le|Van|De|Le)\s){0,2}[A-ZÀ-Þ][\w'’‐-]{1,40}"
_OTHERS = rf"(?:\s+et\s+al\.?|\s*,?\s*(?:and|&)\s+{_NAME}|\s+and\s+co-?(?:lleagues|workers))"
# All repetitions are bounded: matching takes linear time on any text.
_MARKERS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"[\[(]{_NUMBERS}[\])]",  # [12], (3-6)
        rf"[\[(]{_INNER}[\])]",  # (Smith et al., 2010; Wu 2011a), (2010)
        rf"{_NAME}{_OTHERS}\s*,?\s*{_YEAR}\b",  # Smith et al., 2010
        rf"{_NAME}(?:\s*,\s*{_NAME}){{0,3}}{_OTHERS}?(?:['’]s)?\s*,?\s*{CITE}\b",  # Smith [12]
        rf"{CITE}(?:\s*[,;]?\s*{CITE})+",
    )
)
_DIGIT = re.compile(r"\d")
_SPACE = re.compile(r"\s+")


def normalise(text: str) -> str:
    """The text with `CITE` for each citation marker and 0 for each digit."""
    text = text[:MOST_CHARACTERS]
    for marker in _MARKERS:
        text = marker.sub(f" {CITE} ", text)
    return _SPACE.sub(" ", _DIGIT.sub("0", text)).strip()


def predict(model: IntentModel, contexts: Sequence[CitationContext]) -> Probabilities:
    """Probabilities (n, 3), 0 for contexts without text. Equal contexts are computed once."""
    distinct = list(dict.fromkeys(c for c in contexts if c.text.strip()))
    place = {context: k for k, context in enumerate(distinct)}
    rows = np.vstack([model(distinct), np.zeros((1, 3))]) if distinct else np.zeros((1, 3))
    return rows[[place.get(context, len(distinct)) for context in contexts]]
