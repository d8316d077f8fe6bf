"""Masks citations in sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from citescape.recommend.masking.places import CitationMarker, Place, find_places

TARGET, OTHER = "TARGETCIT", "OTHERCIT"
"""Placeholders of the citation of a work, and of other citations (HAtten)."""
_DASHES = " –—‐‑‒−-"
_JOINT = re.compile(rf"\s*[,;]?\s*|[{_DASHES}]*")
_WORD = rf"(?:{TARGET}|{OTHER})"
_LIST = rf"{_WORD}(?:[\s,;:&–—-]*(?:and\s+)?{_WORD})*"
LEAD = r"(?:e\.\s?g\.|i\.e\.|cf\.|see|also|but|and|or|refs?\.|reviewe?d?\s+(?:in|by|of))"
"""Words before a citation."""
_CLEANUP = (
    (rf"\s*(?:\(\s*{_LIST}[\s,;]*\)|\[\s*{_LIST}[\s,;]*\])", ""),
    (rf"\s*{_LIST}", ""),
    (rf"(?i)\s[(\[]\s*(?:(?:{LEAD}|[,;&.])\s*)+[)\]]", ""),
    (r"([,;])(?:\s*[,;])+", r"\1"),
    (r"[\s,;]+([.!?])(\s|$)", r"\1\2"),
    (r"\s+([,;:)\]])", r"\1"),
    (r"([(\[])\s+", r"\1"),
    (r"\s+", " "),
)
"""Patterns and replacements, in this order."""


@dataclass(frozen=True)
class MaskedSentence:
    """A sentence, once for each work that it cites."""

    texts: dict[str, str]
    """Id of the work -> the sentence: `TARGETCIT` for its first citation, `OTHERCIT` for all other
    citations; without `TARGETCIT` if the marker of the work is missing."""
    outcomes: tuple[str, ...]
    """A key of `places.OUTCOMES` for each citation."""


def mask(text: str, citations: Sequence[CitationMarker]) -> MaskedSentence:
    """Masks the citations of a sentence, with their names, years, numbers and brackets.

    `Smith (2001) and others [3, 7–9]` becomes, for the work of number 3,
    `OTHERCIT and others [TARGETCIT, OTHERCIT, OTHERCIT]`. All other text is unchanged. The
    citations are in reading order.
    """
    places, outcomes = find_places(text, citations)
    pieces = _cut(text, places)
    texts = {}
    for work in dict.fromkeys(
        citation.cited for citation in citations if citation.cited is not None
    ):
        words = [OTHER] * len(places)
        for k, place in enumerate(places):
            if any(citations[number].cited == work for number in place.citations):
                words[k] = TARGET
                break
        texts[work] = "".join(map("".join, zip(pieces, [*words, ""], strict=True)))
    return MaskedSentence(texts, tuple(outcomes))


def strip_placeholders(texts: pa.ChunkedArray | pa.Array) -> pa.ChunkedArray | pa.Array:
    """Contexts without placeholders and empty brackets, for encoders and BM25.

    `(see TARGETCIT)` is removed; white space is collapsed.
    """
    for pattern, replacement in _CLEANUP:
        texts = pc.replace_substring_regex(texts, pattern, replacement)
    return pc.utf8_trim_whitespace(texts)


def _cut(text: str, places: Sequence[Place]) -> list[str]:
    """The text before, between and after places; a dash between two places becomes a comma.

    Brackets that a place opens or closes without their counterpart stay in the text.
    """
    pieces: list[str] = []
    done, closed = 0, ""
    for start, end, _ in places:
        between = text[done:start]
        if pieces and _JOINT.fullmatch(between):
            between = f"{between.strip(_DASHES) or ','} "
        pieces.append(closed + between)
        done, closed = end, ""
        for opening, closing in ("()", "[]"):
            missing = text.count(opening, start, end) - text.count(closing, start, end)
            pieces[-1] += opening * missing
            closed += closing * -missing
    return [*pieces, closed + text[done:]]
