"""Where in a sentence its citations are printed: markers, and the names and brackets around them.

Files say what a marker looks like, not where in the sentence it stands; and often only a part of
the citation is the marker, such as the year of `Smith and Lee (2001)`. So markers are looked for
from left to right, among all places where their text is printed, at the one that looks most like a
citation.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import NamedTuple

from citescape.recommend.masking.names import find_names, guess_names, take_initials

EXACT, AMBIGUOUS, MISSING = "exact", "ambiguous", "missing"
FOUND = {
    EXACT: "the marker stands where a citation would",
    AMBIGUOUS: "it stands at several places that look no more like a citation than others",
    MISSING: "it does not stand in the sentence",
}
_TRIED = 16
"""Places at which a marker is tried; longer searches are of tables of numbers."""
_GLUED = 12
"""Numbers that are printed as one, `[4567]`, at most."""
_LONG = 8
"""Characters; a marker with letters of that length is no other word by chance."""
_ODD, _CUED, _ROUND, _SQUARE, _CERTAIN = range(5)
"""How much a place looks like one of a citation."""
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
class Citation:
    """One in-text citation, as the source of its paper tells it."""

    marker: str
    cited: str | None
    """Id of the work; None where it is not known."""
    surnames: tuple[str, ...] = ()
    """As the reference list prints them, the first author's first."""
    year: int | None = None


class Place(NamedTuple):
    """A part of the sentence, and the citations (numbers in the list) that are printed there."""

    start: int
    end: int
    citations: tuple[int, ...]


def find_places(text: str, citations: Sequence[Citation]) -> tuple[list[Place], list[str]]:
    """Places of citations with the names that belong to them, in order and apart from each other.

    A place may hold an opening bracket without the closing one, where other words stand behind it
    in the bracket, or the other way round.

    Args:
        text: one sentence.
        citations: those in it, in reading order.

    Returns:
        The places; for each citation which of `FOUND` it is.
    """
    search = _Search(text, citations)
    located = [search.locate(number) for number in range(len(citations))]
    spans: dict[Span, list[int]] = {}
    for number, (span, _) in enumerate(located):
        if span:
            spans.setdefault(span, []).append(number)
    _add_repeated(text, citations, spans)
    return _widen(text, citations, spans), [how for _, how in located]


class _Search:
    """Goes through the citations of one sentence, once."""

    def __init__(self, text: str, citations: Sequence[Citation]) -> None:
        self._text = text
        self._citations = citations
        self._markers = [" ".join(one.marker.split()) for one in citations]
        self._left = Counter(self._markers)
        self._last: Span = (0, 0)
        self._at = 0
        self._known: dict[str, Span] = {}
        self._glued: dict[int, Span] = {}
        self._taken: set[Span] = set()

    def locate(self, number: int) -> tuple[Span | None, str]:
        """The span of a citation's marker, and which of `FOUND` it is; in reading order."""
        marker = self._markers[number]
        span, how = self._find(number, marker)
        self._left[marker] -= 1
        if span is None and not any(c.isalnum() for c in marker) and self._taken:
            span, how = self._last, EXACT  # the inside of a range, which is not printed
        if span is None:
            return None, MISSING
        self._known.setdefault(marker, span)
        self._taken.add(span)
        self._last, self._at = span, max(self._at, span[1])
        return span, how

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
        return span, AMBIGUOUS if score == _ODD and tied > self._left[marker] else EXACT

    def _is_shared(self, number: int, marker: str) -> bool:
        """Whether a marker like the one before is that one: works of one number, of one range."""
        one = self._citations[number]
        if one == self._citations[number - 1]:
            return False
        return not _YEAR.match(marker) or all(
            find_names(self._text, start, one.surnames, begin=self._at) is None
            for start, _ in self._print(marker, self._at)
        )

    def _choose(self, number: int, marker: str) -> tuple[Span | None, int, int]:
        """The best span, how good it is, and how many are as good."""
        best, score, tied = None, -1, 0
        for begin in (self._at, 0):
            for span in self._print(marker, begin):
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

    def _print(self, marker: str, begin: int, *, glued: bool = False) -> Iterator[Span]:
        """Where a marker is printed as a word of its own, or `glued` to a word before it."""
        at = self._text.find(marker, begin) if marker else -1
        for _ in range(_TRIED):
            if at < 0:
                return
            end = _end_word(self._text, at, at + len(marker), glued=glued)
            if end:
                yield at, end
            at = self._text.find(marker, at + 1)

    def _judge(self, span: Span, one: Citation, marker: str) -> int:
        text, start, last = self._text, span[0], self._last[1]
        if last and start >= last and _JOINED.fullmatch(text, last, start):
            return _CERTAIN
        if not marker.isdigit() or _YEAR.match(marker):
            if len(marker) >= _LONG and not marker.isdigit():
                return _CERTAIN
            if find_names(text, start, one.surnames, begin=min(last, start)) is not None:
                return _CERTAIN
        before = text[max(start - 60, 0) : start]
        enclosed = _ENCLOSED.search(before)
        if enclosed and _REST.match(text, span[1]):
            return _SQUARE if enclosed[1] == "[" else _ROUND
        if marker.isalnum():
            inside = _YEAR.match(marker) and before.rfind("(") > before.rfind(")")
            return _CUED if inside or _CUE.search(before) else _ODD
        return _CUED if _YEAR_BEFORE.search(before) else _ODD

    def _find_glued(self, number: int) -> bool:
        """Numbers that lost what stood between them: `[4567]` for 4, 5, 6 and 7."""
        following = self._markers[number : number + _GLUED]
        numbers = list(takewhile(str.isdigit, following))
        for n in range(len(numbers), 1, -1):
            glued = "".join(numbers[:n])
            for at, end in self._print(glued, self._at, glued=True):
                self._glued.update(dict.fromkeys(range(number, number + n), (at, end)))
                return True
        return False

    def _find_year(self, one: Citation) -> Span | None:
        """The year of a work behind its names, where the marker is printed otherwise."""
        for year in _YEAR.finditer(self._text, self._at) if one.year else ():
            if int(year[0]) == one.year:
                start = find_names(self._text, year.start(), one.surnames, begin=self._at)
                if start is not None:
                    return start, _end_word(self._text, *year.span())
        return None


def _end_word(text: str, start: int, end: int, *, glued: bool = False) -> int:
    """Where a word ends that begins and would end here, 0 if it is part of another one."""
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
    """Whether a lone small letter stands here, as behind a year."""
    letter, after = text[at : at + 1], text[at + 1 : at + 2]
    return letter.isalpha() and letter.islower() and not after.isalnum()


def _add_repeated(text: str, citations: Sequence[Citation], spans: dict[Span, list[int]]) -> None:
    """Numbers, and years behind names, of these works that stand there once more, unmarked."""
    again = {one.marker: number for number, one in enumerate(citations) if one.marker.isdigit()}
    for found in _ALONE.finditer(text):
        if found[1] in again and not _is_taken(found.span(1), spans):
            spans[found.span(1)] = [again[found[1]]]
    for year in _YEAR.finditer(text):
        span = year.start(), _end_word(text, *year.span())
        dated = [k for k, one in enumerate(citations) if one.year == int(year[0])]
        if not dated or _is_taken(span, spans):
            continue
        for number in dated:
            if find_names(text, span[0], citations[number].surnames) is not None:
                spans[span] = [number]
                break


def _is_taken(span: Span, spans: dict[Span, list[int]]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in spans)


def _widen(text: str, citations: Sequence[Citation], spans: dict[Span, list[int]]) -> list[Place]:
    """Spans with the names before and the year behind; what overlaps is one place."""
    places: list[Place] = []
    for (start, end), numbers in sorted(spans.items()):
        done = places[-1].end if places else 0
        if start < done:
            last = places.pop()
            both = tuple(sorted({*last.citations, *numbers}))
            places.append(Place(last.start, max(last.end, end), both))
            continue
        works = [citations[number] for number in numbers]
        begin = _begin(text, (start, end), works, done=done)
        behind = _YEAR_AFTER.match(text, end)
        if behind and not _YEAR.search(text, begin, end):
            end = behind.end() if int(behind[1]) in {one.year for one in works} else end
        places.append(_close(text, Place(begin, end, tuple(numbers)), done))
    return places


def _begin(text: str, span: Span, works: Sequence[Citation], *, done: int) -> int:
    """Where the names before a span begin; the span's own start if there are none."""
    starts = [find_names(text, span[0], one.surnames, begin=done) for one in works]
    known = [at for at in starts if at is not None]
    if known:
        return min(known)
    start, printed = span[0], text[slice(*span)]
    issued = _YEAR.match(printed) is not None
    if not any(c.isalnum() for c in printed):
        year = _YEAR_BEFORE.search(text, done, start)
        start, issued = (year.start(), True) if year else (start, False)
    guessed = guess_names(text, start, begin=done, issued=issued)
    return take_initials(text, start, done) if guessed is None else guessed


def _close(text: str, place: Place, done: int) -> Place:
    """A place with the bracket that closes or opens one in it, where they are next to it."""
    start, end, citations = place
    for opening, closing in ("()", "[]"):
        missing = text.count(opening, start, end) - text.count(closing, start, end)
        if missing > 0 and text[end : end + 1] == closing:
            end += 1
        elif missing < 0 and start > done and text[start - 1] == opening:
            start -= 1
    return Place(start, end, citations)
