"""Compares what entries of reference lists print: author, volume, page, year, title, journal."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from rapidfuzz import fuzz
from rapidfuzz.distance import Indel
from rapidfuzz.process import cpdist

from citescape.core.hashing import Hashes, hash_texts
from citescape.ingest.identity import fold

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Ints = NDArray[np.int64]

_SHORTEST_START = 12
"""Characters that two titles share at either end to be compared."""
LARGEST_BLOCK = 60
"""Entries with the same author and the same start of a title, such as "genome-wide
identification"; more are not compared with each other."""
_SAME_PLACE, _SAME_TITLE = 0.6, 0.9
"""Similarity of titles: beside equal author, volume and page; with less that is equal."""
_CONTAINED = 0.93
"""Similarity of a title and the part of the other that is most like it."""
_SHORTEST_CONTAINED = 25
"""Characters of a title that may be contained in the other."""
_PART = re.compile(r"[.,:;?!)\]”\"]\s+|\s[–—-]\s")
"""Where a title may begin in an entry that is not divided into fields."""
_STOP_WORDS = frozenset(("the", "of", "and", "in", "on", "for", "a", "an", "de", "und", "et"))


class Contents:
    """Columns of contents as numbers that can be compared."""

    def __init__(self, groups: pa.Table, too_large: Hashes | None = None) -> None:
        """Of contents.

        Args:
            groups: result of `group_entries`.
            too_large: hashes of blocks that are not compared because they have more contents than
                these.
        """
        self.titles: list[str] = groups["title"].to_pylist()
        self.sources: list[str] = groups["source"].to_pylist()
        self.whole = groups["whole"].to_numpy()
        self.codes = {name: _codes(groups[name]) for name in ("surname", "volume", "page")}
        self.numbers = _codes(pa.chunked_array([pa.array([_digits(t) for t in self.titles])]))
        self.years = pc.fill_null(groups["year"].cast(pa.float64()), np.nan).to_numpy()
        self.lengths = pc.utf8_length(groups["title"]).to_numpy()
        self._groups, self._too_large = groups, too_large

    def pairs(self) -> Iterator[tuple[Ints, Ints, bool]]:
        """Pairs of contents with a common block; whether it is a block of equal volume and page.

        Blocks are volume and page with the author or the start of the title, and the author with
        either end of the title.
        """
        for block in name_blocks(self._groups):
            codes = _codes(block.names_without(self._too_large))
            for a, b in pairs_in_blocks(block.rows, codes):
                yield a, b, block.same_place

    def titles_of(self, rows: Ints) -> list[str]:
        """Titles of contents."""
        return [self.titles[row] for row in rows.tolist()]

    def similarity(self, a: Ints, b: Ints) -> Floats:
        """``1 - insertions and deletions / length of both`` of two titles each, 0 without one."""
        scores = cpdist(self.titles_of(a), self.titles_of(b), scorer=Indel.normalized_similarity)
        known = (self.lengths[a] > 0) & (self.lengths[b] > 0)
        return np.where(known, scores, 0.0).astype(np.float64)

    def contained(self, a: Ints, b: Ints) -> Flags:
        """Whether one of two titles stands in the other."""
        scores = cpdist(
            self.titles_of(a),
            self.titles_of(b),
            scorer=fuzz.partial_ratio,
            score_cutoff=100 * _CONTAINED,
        )
        shorter = np.minimum(self.lengths[a], self.lengths[b])
        found: Flags = (scores > 0) & (shorter >= _SHORTEST_CONTAINED)
        return found

    def equal(self, name: str, a: Ints, b: Ints) -> tuple[Flags, Flags]:
        """Whether a field is known of both and equal, and known of both and different."""
        codes = self.codes[name]
        known = (codes[a] >= 0) & (codes[b] >= 0)
        same = codes[a] == codes[b]
        return known & same, known & ~same

    def compare(self, a: Ints, b: Ints, *, strict: Flags) -> Ints:
        """For each pair 2 if volume and page show that both are one work, 1 if titles do, else 0.

        Args:
            a: (p,) contents.
            b: (p,) contents to compare them with.
            strict: (p,) whether titles must be very similar in any case.
        """
        author, _ = self.equal("surname", a, b)
        volume, other_volume = self.equal("volume", a, b)
        page, other_page = self.equal("page", a, b)
        apart = np.abs(self.years[a] - self.years[b])
        near, same_year = apart <= 1, apart == 0
        alike, contained = self.similarity(a, b), self.contained(a, b)
        one_text = self.whole[a] | self.whole[b]
        numbers = self.numbers[a] == self.numbers[b]
        very_alike = (alike >= _SAME_TITLE) & numbers & ~one_text

        place = volume & page
        untitled = np.minimum(self.lengths[a], self.lengths[b]) == 0
        by_place = place & very_alike & (author | same_year)
        similar = contained | (alike >= _SAME_PLACE) & ~one_text
        by_place |= place & author & near & similar & ~strict
        undecided = place & author & near & untitled & ~strict & ~by_place
        by_place |= undecided & (self._journals(a, b, undecided) == 1)

        by_title = author & very_alike & (near | np.isnan(apart)) & ~(other_volume & other_page)
        part = author & contained & near & ~other_volume & ~other_page & ~strict
        undecided = (by_title | part & ~one_text) & ~by_place
        journals = self._journals(a, b, undecided)
        by_title &= (journals >= 0) | volume | page
        by_title &= ~strict | (journals == 1)
        part &= one_text | (volume | page) & (journals == 1)
        return np.where(by_place, 2, np.where(by_title | part, 1, 0))

    def _journals(self, a: Ints, b: Ints, needed: Flags) -> Ints:
        """1 where titles of journals are compatible, -1 where not, 0 if unknown or not needed."""
        result = np.zeros(len(a), np.int64)
        for k in np.flatnonzero(needed).tolist():
            result[k] = compare_journals(self.sources[int(a[k])], self.sources[int(b[k])])
        return result


def compare_journals(a: str, b: str) -> int:
    """1 if one abbreviates the other (`J. Exp. Bot.`, `PNAS`), -1 if not, 0 if one is unknown."""
    first, second = (
        [word for word in fold(text).split() if word not in _STOP_WORDS] for text in (a, b)
    )
    if not first or not second:
        return 0
    short, long = sorted((first, second), key=len)
    if "".join(short) == "".join(long):
        return 1
    if len(short) == 1 and len(long) > 1:
        initials = "".join(word[0] for word in long)
        if short[0].startswith(initials) or initials.startswith(short[0]):
            return 1
    rest = iter(long)
    return 1 if all(any(_abbreviates(word, other) for other in rest) for word in short) else -1


def _abbreviates(a: str, b: str) -> bool:
    """Whether one word begins as the other, or has its letters in order: `natl`, `national`."""
    short, long = sorted((a, b), key=len)
    if long.startswith(short):
        return True
    letters = iter(long)
    return short[0] == long[0] and len(short) > 2 and all(c in letters for c in short)


def _codes(values: pa.ChunkedArray) -> Ints:
    """Numbers for texts, -1 for the empty one."""
    encoded = pc.if_else(pc.equal(values, ""), None, values).combine_chunks().dictionary_encode()
    codes: Ints = pc.fill_null(encoded.indices.cast(pa.int64()), -1).to_numpy()
    return codes


def _digits(title: str) -> str:
    return " ".join(re.findall(r"[0-9]+", title))


class Block(NamedTuple):
    """Contents by what they must have in common to be compared."""

    number: int
    """Which of the ways to name blocks."""
    same_place: bool
    """Whether volume and page are equal."""
    rows: Ints
    """(n,) contents, perhaps several times."""
    names: pa.ChunkedArray
    """(n,) what is to be equal, empty if unknown."""

    def hashes(self) -> Hashes:
        """(n,) hashes of the names, different from those of other blocks."""
        prefix = pa.scalar(str(self.number))
        return hash_texts(pc.binary_join_element_wise(prefix, self.names, "\x1f"))

    def names_without(self, hashes: Hashes | None) -> pa.ChunkedArray:
        """(n,) the names, empty where they have one of these hashes."""
        if hashes is None or not len(hashes):
            return self.names
        return pc.if_else(pa.array(np.isin(self.hashes(), hashes)), "", self.names)


def name_blocks(groups: pa.Table) -> list[Block]:
    """The blocks of contents, by kind; a block depends on the content alone.

    Args:
        groups: `title`, `surname`, `volume`, `page`, `year`, `whole`, `text` of `read_entries`.
    """
    title, surname = groups["title"], groups["surname"]
    year = pc.fill_null(groups["year"].cast(pa.string()), "")
    start = pc.utf8_slice_codeunits(title, 0, _SHORTEST_START)
    end = pc.utf8_slice_codeunits(title, -_SHORTEST_START, 2**31 - 1)
    titled = pc.and_(
        pc.greater_equal(pc.utf8_length(title), _SHORTEST_START), pc.invert(groups["whole"])
    )
    place = pc.if_else(titled, groups["volume"], "")
    author = pc.if_else(titled, surname, "")
    every = np.arange(groups.num_rows)
    whole = groups.filter(groups["whole"])
    rows, surnames, starts = _starts_in_texts(whole["text"], whole["surname"])
    starts_of_all = [*_joined((author, start)).chunks, *_joined((surnames, starts)).chunks]
    with_texts = np.concatenate([every, np.flatnonzero(groups["whole"].to_numpy())[rows]])
    return [
        Block(0, True, every, _joined((surname, groups["volume"], groups["page"]))),
        Block(1, True, every, _joined((place, groups["page"], year, start))),
        Block(2, False, with_texts, pa.chunked_array(starts_of_all, pa.string())),
        Block(3, False, every, _joined((author, end))),
    ]


def _starts_in_texts(
    texts: pa.ChunkedArray, surnames: pa.ChunkedArray
) -> tuple[Ints, pa.ChunkedArray, pa.ChunkedArray]:
    """Where titles may begin in texts: the text of each, its surname, and the first letters."""
    rows, starts = [], []
    for row, text in enumerate(texts.to_pylist()):
        parts = {_plain(part)[:_SHORTEST_START] for part in _PART.split(text)}
        for start in sorted(part for part in parts if len(part) == _SHORTEST_START):
            rows.append(row)
            starts.append(start)
    found = np.array(rows, np.int64)
    return found, surnames.take(pa.array(found)), pa.chunked_array([pa.array(starts, pa.string())])


def _plain(text: str) -> str:
    return fold(text[: 3 * _SHORTEST_START]).replace(" ", "")


def _joined(parts: Sequence[pa.ChunkedArray]) -> pa.ChunkedArray:
    """The parts as one text, empty if any is empty or null."""
    complete = pc.not_equal(parts[0], "")
    for part in parts[1:]:
        complete = pc.and_(complete, pc.not_equal(part, ""))
    texts = pc.binary_join_element_wise(*parts, "\x1f")
    return pc.if_else(pc.fill_null(complete, False), texts, "")


def pairs_in_blocks(rows: Ints, block: Ints) -> list[tuple[Ints, Ints]]:
    """Pairs of rows with the same block, the smaller row first; large blocks are left out."""
    sizes = np.bincount(block[block >= 0], minlength=1)
    usable = (block >= 0) & (sizes[block] > 1) & (sizes[block] <= LARGEST_BLOCK)
    order = np.lexsort((rows[usable], block[usable]))
    rows, block = rows[usable][order], block[usable][order]
    pairs = []
    for distance in range(1, LARGEST_BLOCK):
        a, b = rows[:-distance], rows[distance:]
        same = block[:-distance] == block[distance:]
        if not same.any():
            break
        pairs.append((a[same], b[same]))
    return pairs
