"""Sentences around citations.

Sentence splitters do not know citation markers: they fail at `[26],` and `(Smith et al., 2010)`,
and take a marker after a full stop ("yields.12 The", "yields. [12] The") for the start of the next
sentence. So each marker is masked by a neutral word of the same length before splitting, and a full
stop that a marker follows is moved behind it.

Sentences are corrected in three ways: a superscript marker, whose digits would be joined to a word
("hybrids2 suggest"), is put in brackets ("hybrids [2] suggest"); a sentence of markers only is
joined to its neighbour; a text of more than `LONGEST` characters is cut around its marker.

The splitter is sentencex (Rust, MIT); for the reasons and its errors see docs/loaders.md.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import sentencex  # type: ignore[import-untyped]

Span = tuple[int, int]

LONGEST = 2000
"""Maximum characters of a context. Some tables and lists are one sentence of a million."""

_ABBREVIATIONS = frozenset(
    (
        "al", "approx", "aprox", "ca", "cf", "cv", "cvs", "diam", "dr", "e.g", "eds", "eg", "eq",
        "eqn", "eqns", "eqs", "et", "fig", "figs", "i.e", "ie", "incl", "mr", "mrs", "nos", "pers",
        "pp", "prof", "pv", "ref", "refs", "resp", "sect", "sp", "spp", "ssp", "st", "subg",
        "subsp", "supp", "suppl", "var", "viz", "vol", "vs", "wt",
    )
)  # fmt: skip
_GOES_ON = re.compile(r"\s*(?:[a-zß-öø-ÿ]+\b(?![-/])|[)\]}”’,;:/.%-])")
"""Text after a full stop inside a sentence; `nifH` and `p-values` may begin a sentence."""

# The splitter does not cut before a bracket or quotation is closed, and takes "p < 0.05" and
# the prime of 5' for such; so these characters are hidden from it.
_WAITED_FOR, _WIDE_WAITED_FOR = "()[]{}<>'\"", "‘’“”«»′"
# It panics on a lone capital before such a space and a full stop.
_WIDE_SPACES = (
    "\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
_STOPS, _CLOSERS = (".", "!", "?", "…"), "\"'”’)]"
_LOOK_BACK = 40
_JOINTS = " \t\u00a0\u2009,;&–—−-"
_ENCLOSED = ("[]", "()")
_GLUED = re.compile(r"(?<=[\w.,;:!?%)\]}\"'”’°])\d(?!\d{3})")
"""The first digit of a marker that is joined to a word; four digits are a year."""
_ANY_WORD = re.compile(r"[^\W\d_]{2}")
_NEW_SENTENCE = re.compile(r"\s+[^\Wa-z]|\s+[\W]|\s*$")


class MarkerContexts(NamedTuple):
    """The sentence of each marker, and the number of sentences that are too long and cut."""

    texts: list[str]
    cut: int


def split_sentences(text: str, markers: Sequence[Span] = ()) -> list[int]:
    """Start of each sentence; the first is 0, and together they cover the text.

    `markers` are the spans of citation markers in `text`, in order.
    """
    return _split(text, _group(text, markers))


def sentences_at(text: str, markers: Sequence[Span]) -> MarkerContexts:
    """The sentence of each marker, white space collapsed."""
    groups = _group(text, markers)
    starts = _join_bare(text, _split(text, groups), groups)
    ends = (*starts[1:], len(text))
    found = [bisect_right(starts, start) - 1 for start, _ in markers]
    glued = [group for group in groups if _GLUED.match(text, group[0])]
    sentences = {i: _set_apart(text, (starts[i], ends[i]), glued) for i in set(found)}
    texts = [sentences[i] for i in found]
    if all(len(sentence) <= LONGEST for sentence in sentences.values()):
        return MarkerContexts(texts, 0)
    long = [at for at, sentence in enumerate(texts) if len(sentence) > LONGEST]
    for at in long:
        middle = _start_of(markers[at], groups)
        texts[at] = _cut_around(middle, text, (starts[found[at]], ends[found[at]]), glued=glued)
    return MarkerContexts(texts, len(long))


def _split(text: str, groups: Sequence[Span]) -> list[int]:
    masked = _mask(text, groups)
    starts = [0]
    at = 0
    for sentence in sentencex.segment("en", _hide(masked)):
        if at and _is_boundary(masked, at):
            starts.append(at)
        at += len(sentence)
    return starts


def _join_bare(text: str, starts: list[int], groups: Sequence[Span]) -> list[int]:
    """Starts of sentences, after sentences of markers only are joined to others.

    Such a sentence is joined to the one before, the first one to the next.
    """
    if len(starts) == 1:
        return starts
    joined = set()
    done = 0
    for first, _ in groups:
        if first < done:
            continue
        i = bisect_right(starts, first)
        start, done = starts[i - 1], starts[i] if i < len(starts) else len(text)
        begins_with_word = first > start + 1 and text[start : start + 2].isalpha()
        if not begins_with_word and _is_bare(text, (start, done), groups):
            joined.add(starts[max(i - 1, 1)])
    return [start for start in starts if start not in joined] if joined else starts


def _is_bare(text: str, span: Span, groups: Sequence[Span]) -> bool:
    """Whether a sentence has no word outside its markers."""
    at, end = span
    for first, last in _groups_in(span, groups):
        if _ANY_WORD.search(text, at, first):
            return False
        at = last
    return _ANY_WORD.search(text, at, end) is None


def _groups_in(span: Span, groups: Sequence[Span]) -> Iterator[Span]:
    """Groups of markers that begin in a span, cut to the span."""
    start, end = span
    for i in range(bisect_left(groups, (start, 0)), len(groups)):
        first, last = groups[i]
        if first >= end:
            break
        yield first, min(last, end)


def _set_apart(text: str, span: Span, glued: Sequence[Span]) -> str:
    """A sentence, white space collapsed, its `glued` markers in brackets."""
    at, end = span
    if not glued:
        return " ".join(text[at:end].split())
    pieces: list[str] = []
    for first, last in _groups_in(span, glued):
        pieces += (text[at:first], " [", text[first:last], "]")
        pieces += " " * text[last : last + 1].isalnum()
        at = last
    return " ".join("".join((*pieces, text[at:end])).split())


def _start_of(marker: Span, groups: Sequence[Span]) -> int:
    """Start of the group of a marker; that of the marker itself if the group is too long."""
    start = marker[0]
    i = bisect_right(groups, marker) - 1
    first, last = groups[i] if i >= 0 else marker
    return first if start - LONGEST // 4 < first and start < last else start


def _cut_around(middle: int, text: str, span: Span, *, glued: Sequence[Span]) -> str:
    """Whole words on both sides of a place in a sentence, half of `LONGEST` each."""
    start, end = span
    half = LONGEST // 2 - len(" …")
    left = _set_apart(text, (max(start, middle - LONGEST), middle), glued)
    right = _set_apart(text, (middle, min(end, middle + LONGEST)), glued)
    if len(left) > half:
        left = "… " + left[-half:].partition(" ")[2]
    if len(right) > half:
        right = (right[:half].rpartition(" ")[0] or right[:half]) + " …"
    apart = middle == start or text[middle - 1].isspace() or _GLUED.match(text, middle)
    return f"{left} {right}".strip() if apart else left + right


def _is_boundary(text: str, at: int) -> bool:
    """Whether a place where the splitter cut is the end of a sentence."""
    before = text[max(at - _LOOK_BACK, 0) : at].rstrip().rstrip(_CLOSERS)
    if before[-1:] not in _STOPS or _abbreviated(before) or _GOES_ON.match(text, at):
        return False
    if text[at - 1].isspace() or text[at].isspace():
        return True
    word = before[:-1].split()[-1:]  # "wheat.The" is cut, "TransDecoder.LongOrfs" is not
    return bool(word) and (word[0].islower() or word[0][-1] in ")]X")


def _abbreviated(text: str) -> bool:
    """Whether a text ends with an abbreviation and its full stop."""
    word = text[:-1].rsplit(None, 1)[-1:]
    return text.endswith(".") and bool(word) and word[0].lstrip("([").lower() in _ABBREVIATIONS


def _hide(text: str) -> str:
    """Input of the splitter: same length, without brackets, quotation marks and wide spaces.

    A full stop at the end of a quotation is moved out of it.
    """
    text = text.replace('."', "=.")
    for character in _WAITED_FOR:  # faster than a pattern or a table
        text = text.replace(character, "=")
    return text if text.isascii() else _hide_wide(text)


def _hide_wide(text: str) -> str:
    text = text.replace(".”", "=.").replace(".’", "=.")
    for character in _WIDE_WAITED_FOR:
        text = text.replace(character, "=")
    for character in _WIDE_SPACES:
        text = text.replace(character, " ")
    return text


def _mask(text: str, groups: Sequence[Span]) -> str:
    """The text with a word of capital Xs in place of each group of markers.

    A full stop before a group that closes its sentence moves to the group's end: "yields. [12]
    The" becomes "yieldsXXXXX. The".
    """
    pieces: list[str] = []
    done = 0
    for start, end in groups:
        stop = _closed_stop(text, start, end)
        begin = start if stop is None else stop
        pieces.append(text[done:begin])
        pieces.append("X" * (end - begin) if stop is None else "X" * (end - begin - 1) + ".")
        done = end
    pieces.append(text[done:])
    return "".join(pieces)


def _group(text: str, markers: Sequence[Span]) -> list[Span]:
    """Groups of markers with brackets and characters between them, such as `[12, 14-16]`."""
    groups: list[Span] = []
    for start, end in markers:
        last = groups[-1][1] if groups else -1
        if start < last or start == end:
            continue
        if groups and not text[last:start].strip(_JOINTS):
            groups[-1] = (groups[-1][0], end)
        else:
            groups.append((start, end))
    return [
        (start - 1, end + 1)
        if start and text[start - 1] + text[end : end + 1] in _ENCLOSED
        else (start, end)
        for start, end in groups
    ]


def _closed_stop(text: str, start: int, end: int) -> int | None:
    """The offset of the full stop before a group of markers that belongs to that sentence.

    The group follows the stop directly, or in brackets after a space, and a new sentence follows.
    """
    at = start
    if at and text[at - 1].isspace() and text[start] in "[(":
        at -= 1
    while at and text[at - 1] in _CLOSERS:
        at -= 1
    if not at or text[at - 1] not in _STOPS or not _NEW_SENTENCE.match(text, end):
        return None
    return None if _abbreviated(text[max(at - _LOOK_BACK, 0) : at]) else at - 1
