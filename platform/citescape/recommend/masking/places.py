"""Locates citations in a sentence: markers, and the names and brackets around them.

Files contain the text of a marker, not its position; and often a marker is only a part of the
citation, such as the year of `Smith and Lee (2001)`. Markers are located from left to right: of all
occurrences of the text of a marker, the one that looks most like a citation is chosen.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import NamedTuple

from citescape.recommend.masking.names import find_names, guess_names, include_initials

EXACT, AMBIGUOUS, MISSING = "exact", "ambiguous", "missing"
OUTCOMES = {
    EXACT: "the marker is at a place that looks like a citation",
    AMBIGUOUS: "the marker is at several places that look equally like a citation",
    MISSING: "the marker is not in the sentence",
}
_MAX_OCCURRENCES = 16
"""Maximum occurrences of a marker that are compared; tables of numbers have more."""
_GLUED = 12
"""Maximum numbers printed as one, `[4567]`."""
_LONG = 8
"""Minimum characters of a marker, not all digits, that cannot be part of another word."""
_UNCUED, _CUED, _ROUND, _SQUARE, _CERTAIN = range(5)
"""Scores of a place: it has no sign of a citation, a word such as `refs`, round or square brackets;
or it is certainly a citation."""
_NUMBERS = r"[\d\s,;&–—‐‑‒−-]*"
_JOINED = re.compile(r"\s*(?:[\])]\s*[,;]?\s*[\[(]|[,;&–—‐‑‒−-]+|(?:,\s*)?\band\b)\s*")
_ENCLOSED = re.compile(rf"([\[(])(?:(?:see|e\.g\.|cf\.|refs?)[\s.,]*)?{_NUMBERS}$", re.IGNORECASE)
_REST = re.compile(rf"{_NUMBERS}[\])]")
_CUE = re.compile(r"(?:\bal|\brefs?|\breferences?)\.?[\s,(\[]*$", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\w)(?:1[5-9]|20)\d\d(?=[a-z]?(?!\w))")
_YEAR_AFTER = re.compile(r"[\s,]*[(\[]?\s*((?:1[5-9]|20)\d\d)[a-z]?(?!\w)")
_YEAR_BEFORE = re.compile(r"(?<!\w)(?:1[5-9]|20)\d\d[a-z]?\)?\s*$")
_ALONE = re.compile(r"\[(\d{1,4})\]")

Span = tuple[int, int]


@dataclass(frozen=True)
class CitationMarker:
    """An in-text citation, from the source of its paper."""

    marker: str
    cited: str | None
    """Id of the work; None if unknown."""
    surnames: tuple[str, ...] = ()
    """Surnames of authors as in the reference list, the first author first."""
    year: int | None = None


class Place(NamedTuple):
    """A part of the sentence, and the numbers of the citations in it."""

    start: int
    end: int
    citations: tuple[int, ...]


def find_places(text: str, citations: Sequence[CitationMarker]) -> tuple[list[Place], list[str]]:
    """Disjoint places of citations with their names, in order; citations are in reading order.

    A place may contain an opening bracket without the closing bracket, if other words follow in the
    bracket, or the reverse.

    Returns:
        The places; one of `OUTCOMES` for each citation.
    """
    search = _Search(text, citations)
    located = [search.locate(number) for number in range(len(citations))]
    spans: dict[Span, list[int]] = {}
    for number, (span, _) in enumerate(located):
        if span:
            spans.setdefault(span, []).append(number)
    _add_repeated(text, citations, spans)
    return _widen(text, citations, spans), [outcome for _, outcome in located]


class _Search:
    """Locates the citations of one sentence, in reading order."""

    def __init__(self, text: str, citations: Sequence[CitationMarker]) -> None:
        self._text = text
        self._citations = citations
        self._markers = [" ".join(citation.marker.split()) for citation in citations]
        self._left = Counter(self._markers)
        self._last: Span = (0, 0)
        self._at = 0
        self._known: dict[str, Span] = {}
        self._glued: dict[int, Span] = {}
        self._taken: set[Span] = set()

    def locate(self, number: int) -> tuple[Span | None, str]:
        """The span of the marker of a citation, and one of `OUTCOMES`."""
        marker = self._markers[number]
        span, outcome = self._find(number, marker)
        self._left[marker] -= 1
        if span is None and not any(c.isalnum() for c in marker) and self._taken:
            span, outcome = self._last, EXACT  # a number inside a range, not printed
        if span is None:
            return None, MISSING
        self._known.setdefault(marker, span)
        self._taken.add(span)
        self._last, self._at = span, max(self._at, span[1])
        return span, outcome

    def _find(self, number: int, marker: str) -> tuple[Span | None, str]:
        if number in self._glued:
            return self._glued[number], EXACT
        if number and self._markers[number - 1] == marker and self._is_shared(number, marker):
            return self._known.get(marker), EXACT
        span, score, tied = self._choose(number, marker)
        if score <= _CUED and marker.isdigit() and self._find_glued(number):
            return self._glued[number], EXACT
        if span is None:
            return self._find_year(self._citations[number]) or self._known.get(marker), EXACT
        return span, AMBIGUOUS if score == _UNCUED and tied > self._left[marker] else EXACT

    def _is_shared(self, number: int, marker: str) -> bool:
        """Whether a marker repeats the marker before it: several works with one number."""
        citation = self._citations[number]
        if citation == self._citations[number - 1]:
            return False
        return not _YEAR.match(marker) or all(
            find_names(self._text, start, citation.surnames, begin=self._at) is None
            for start, _ in self._find_occurrences(marker, self._at)
        )

    def _choose(self, number: int, marker: str) -> tuple[Span | None, int, int]:
        """The best span, its score, and the number of spans with this score."""
        best, score, tied = None, -1, 0
        for begin in (self._at, 0):
            for span in self._find_occurrences(marker, begin):
                if begin < self._at and any(a < span[1] and span[0] < b for a, b in self._taken):
                    continue
                reached = self._judge(span, self._citations[number], marker)
                if reached > score:
                    best, score, tied = span, reached, 0
                tied += reached == score
                if score >= _SQUARE:
                    return best, score, tied
            if best or not self._at:
                break
        return best, score, tied

    def _find_occurrences(self, marker: str, begin: int, *, glued: bool = False) -> Iterator[Span]:
        """Occurrences of a marker as a word, or `glued` to the word before it."""
        at = self._text.find(marker, begin) if marker else -1
        for _ in range(_MAX_OCCURRENCES):
            if at < 0:
                return
            end = _end_word(self._text, at, at + len(marker), glued=glued)
            if end:
                yield at, end
            at = self._text.find(marker, at + 1)

    def _judge(self, span: Span, citation: CitationMarker, marker: str) -> int:
        text, start, last = self._text, span[0], self._last[1]
        if last and start >= last and _JOINED.fullmatch(text, last, start):
            return _CERTAIN
        if not marker.isdigit() or _YEAR.match(marker):
            if len(marker) >= _LONG and not marker.isdigit():
                return _CERTAIN
            if find_names(text, start, citation.surnames, begin=min(last, start)) is not None:
                return _CERTAIN
        before = text[max(start - 60, 0) : start]
        enclosed = _ENCLOSED.search(before)
        if enclosed and _REST.match(text, span[1]):
            return _SQUARE if enclosed[1] == "[" else _ROUND
        if marker.isalnum():
            inside = _YEAR.match(marker) and before.rfind("(") > before.rfind(")")
            return _CUED if inside or _CUE.search(before) else _UNCUED
        return _CUED if _YEAR_BEFORE.search(before) else _UNCUED

    def _find_glued(self, number: int) -> bool:
        """Numbers without separators: `[4567]` for 4, 5, 6 and 7."""
        following = self._markers[number : number + _GLUED]
        numbers = list(takewhile(str.isdigit, following))
        for n in range(len(numbers), 1, -1):
            glued = "".join(numbers[:n])
            for at, end in self._find_occurrences(glued, self._at, glued=True):
                self._glued.update(dict.fromkeys(range(number, number + n), (at, end)))
                return True
        return False

    def _find_year(self, citation: CitationMarker) -> Span | None:
        """The year of a work after its names, if the marker has another form."""
        for year in _YEAR.finditer(self._text, self._at) if citation.year else ():
            if int(year[0]) == citation.year:
                start = find_names(self._text, year.start(), citation.surnames, begin=self._at)
                if start is not None:
                    return start, _end_word(self._text, *year.span())
        return None


def _end_word(text: str, start: int, end: int, *, glued: bool = False) -> int:
    """End of a word in a span, 0 if the span is part of another word."""
    if end - start >= _LONG and not text[start:end].isdigit():
        return end + (_YEAR.search(text, start, end + 1) is not None and _is_suffix(text, end))
    first, last, before = text[start], text[end - 1], text[max(start - 2, 0) : start]
    apart = (
        not before[-1:].isdigit() if glued else not (before[-1:].isalnum() or before[-1:] == "_")
    )
    if first.isalnum() and not apart:
        return 0
    if first.isdigit() and before[-1:] == "." and before[:1].isdigit():
        return 0
    after = text[end : end + 2]
    if after[:1].isalnum() and last.isalnum():
        return end + 1 if _YEAR.match(text, end - 4) and _is_suffix(text, end) else 0
    return 0 if last.isdigit() and after[:1] == "." and after[1:].isdigit() else end


def _is_suffix(text: str, at: int) -> bool:
    """Whether there is a single lower-case letter, as in `2001a`."""
    letter, after = text[at : at + 1], text[at + 1 : at + 2]
    return letter.isalpha() and letter.islower() and not after.isalnum()


def _add_repeated(
    text: str, citations: Sequence[CitationMarker], spans: dict[Span, list[int]]
) -> None:
    """Adds citations of these works that have no marker: numbers, and years after names."""
    numbered = {c.marker: number for number, c in enumerate(citations) if c.marker.isdigit()}
    for match in _ALONE.finditer(text):
        if match[1] in numbered and not _is_taken(match.span(1), spans):
            spans[match.span(1)] = [numbered[match[1]]]
    for year in _YEAR.finditer(text):
        span = year.start(), _end_word(text, *year.span())
        dated = [k for k, citation in enumerate(citations) if citation.year == int(year[0])]
        if not dated or _is_taken(span, spans):
            continue
        for number in dated:
            if find_names(text, span[0], citations[number].surnames) is not None:
                spans[span] = [number]
                break


def _is_taken(span: Span, spans: dict[Span, list[int]]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in spans)


def _widen(
    text: str, citations: Sequence[CitationMarker], spans: dict[Span, list[int]]
) -> list[Place]:
    """Places with the names before and the year after a span; overlapping spans are joined."""
    places: list[Place] = []
    for (start, end), numbers in sorted(spans.items()):
        done = places[-1].end if places else 0
        if start < done:
            last = places.pop()
            joined = tuple(sorted({*last.citations, *numbers}))
            places.append(Place(last.start, max(last.end, end), joined))
            continue
        works = [citations[number] for number in numbers]
        begin = _begin(text, (start, end), works, done=done)
        after = _YEAR_AFTER.match(text, end)
        if after and not _YEAR.search(text, begin, end):
            end = after.end() if int(after[1]) in {work.year for work in works} else end
        for opening, closing in ("()", "[]"):  # an adjacent bracket that closes or opens one inside
            missing = text.count(opening, begin, end) - text.count(closing, begin, end)
            if missing > 0 and text[end : end + 1] == closing:
                end += 1
            elif missing < 0 and begin > done and text[begin - 1] == opening:
                begin -= 1
        places.append(Place(begin, end, tuple(numbers)))
    return places


def _begin(text: str, span: Span, works: Sequence[CitationMarker], *, done: int) -> int:
    """Start of the names before a span, or of the span itself without names."""
    starts = [find_names(text, span[0], work.surnames, begin=done) for work in works]
    known = [at for at in starts if at is not None]
    if known:
        return min(known)
    start, printed = span[0], text[slice(*span)]
    is_year = _YEAR.match(printed) is not None
    if not any(c.isalnum() for c in printed):
        year = _YEAR_BEFORE.search(text, done, start)
        start, is_year = (year.start(), True) if year else (start, False)
    guessed = guess_names(text, start, begin=done, is_year=is_year)
    return include_initials(text, start, done) if guessed is None else guessed
