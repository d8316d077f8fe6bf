"""What the wording of a citing sentence says: works cited with it, names in the text, own voice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Floats = npt.NDArray[np.float64]

_OWN_VOICE = (
    r"\b(?:(?i:we|our|ours|the present study|this study|this work|this paper)|[Uu]s)\b"  # not US
)
_YEARS = re.compile(r"\b(?:1[89]|20)\d\d[a-z]?\b")
_LISTS = re.compile(r"[\[(]\s*(\d{1,3}(?:\s*[,;–—-]\s*\d{1,3})*)\s*[\])]")
"""Numbers in brackets: `[12]`, `(3, 5-7)`."""
_RANGE = re.compile(r"(\d{1,3})\s*[–—-]\s*(\d{1,3})")
_NUMBER = re.compile(r"\d{1,3}")
_NAMED = re.compile(
    r"[A-ZÀ-Þ][\w’'-]+(?:\s+(?:et\s+al\.?|(?:and|&)\s+[A-ZÀ-Þ][\w’'-]+))?,?\s*[\[(]?\s*$"
)
"""Authors right before the citation: `Smith et al. (`, `Lee and Wu [`."""
_STARTS_WITH_NAME = re.compile(
    r"[A-ZÀ-Þ][\w’'-]+(?:\s+et\s+al\.?|\s+(?:and|&)\s+[A-ZÀ-Þ])[^()\[\]]*[(\[]"
)
"""A marker that is part of the sentence: `Smith et al. (2010)`."""
_LONGEST_RANGE = 30


@dataclass(frozen=True)
class Wording:
    """One value per citing sentence, in the order given."""

    words: Floats
    """Number of words."""
    own_voice: Floats
    """1 if the authors speak of themselves or their work, else 0."""
    cited_works: Floats
    """Number of works cited in the sentence, as its markers show; at least 1."""
    place: Floats
    """Share of the sentence before the citation, 0 to 1; NaN if its marker is not in it."""
    names_authors: Floats
    """1 if the authors of the work are named in the running text, else 0."""


def read_wording(contexts: pa.ChunkedArray, markers: pa.ChunkedArray) -> Wording:
    """The wording of sentences.

    Args:
        contexts: (n,) citing sentences.
        markers: (n,) the citation as printed; empty if unknown.
    """
    contexts = pc.fill_null(contexts.cast(pa.string()), "")
    markers = pc.fill_null(markers.cast(pa.string()), "")
    trimmed = pc.utf8_trim_whitespace(contexts)
    words = pc.list_value_length(pc.utf8_split_whitespace(trimmed))
    words = pc.if_else(pc.equal(trimmed, ""), 0, words)  # a split of nothing has one part
    own = pc.match_substring_regex(contexts, _OWN_VOICE)
    texts, printed = contexts.to_pylist(), markers.to_pylist()
    starts = [
        text.find(marker) if marker else -1 for text, marker in zip(texts, printed, strict=True)
    ]
    return Wording(
        words=words.to_numpy().astype(float),
        own_voice=own.to_numpy().astype(float),
        cited_works=np.array([count_works(text) for text in texts], float),
        place=np.array(
            [
                start / len(text) if start >= 0 else np.nan
                for start, text in zip(starts, texts, strict=True)
            ],
            float,
        ),
        names_authors=_find_names(texts, printed, starts),
    )


def count_works(text: str) -> int:
    """Number of works that the markers of a sentence show: `[3, 5-7]` are 4; at least 1.

    Years count for author-year markers, numbers in brackets for numbered ones: the larger of both.
    """
    years = len(_YEARS.findall(text)) if "19" in text or "20" in text or "18" in text else 0
    numbers = sum(_count_numbers(match) for match in _LISTS.findall(text))
    return max(1, years, numbers)


def _count_numbers(listed: str) -> int:
    inside = sum(
        max(0, min(int(last) - int(first) - 1, _LONGEST_RANGE))
        for first, last in _RANGE.findall(listed)
    )
    return len(_NUMBER.findall(listed)) + inside


def _find_names(texts: Sequence[str], markers: Sequence[str], starts: Sequence[int]) -> Floats:
    named = [
        start >= 0
        and (
            bool(_NAMED.search(text[max(0, start - 60) : start]))
            or bool(_STARTS_WITH_NAME.match(marker))
        )
        for text, marker, start in zip(texts, markers, starts, strict=True)
    ]
    return np.array(named, float)
