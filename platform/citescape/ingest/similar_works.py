"""Joins works whose entries in reference lists describe the same publication in other words.

`identity.match_works` joins entries with the same id, or with the same title, year and first
author. What is left are titles with a word more or less, years off by one, DOIs with a misprint,
second DOIs of one article. Here the entries of two works are compared: first author, volume, first
page, year, title, journal. A work joins the one with most entries among those that are the same, so
the result does not depend on the order of loading. Two loaded papers are never joined.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from rapidfuzz import fuzz
from rapidfuzz.distance import Indel
from rapidfuzz.process import cpdist

from citescape.ingest.entries import FIELDS, group_entries, read_entries
from citescape.ingest.identity import first_rows, fold

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Ints = NDArray[np.int64]

_LOADED, _WITH_ID, _WITHOUT_ID, _STRAY = range(4)
"""Kinds of units by rank, see `_join`."""
_SHORTEST_START = 12
"""Characters that two titles share at either end to be compared."""
_LARGEST_BLOCK = 60
"""Entries with the same author and the same start of a title, such as "genome-wide
identification"; more are not compared with each other."""
_SAME_PLACE, _SAME_TITLE = 0.6, 0.9
"""Similarity of titles: beside equal author, volume and page; with less that is equal."""
_CONTAINED = 0.93
_SHORTEST_CONTAINED = 25
"""Characters of a title that may be contained in the other."""
_OTHER_TITLE = 0.5
"""Below this similarity titles are of different works."""
_PART = re.compile(r"[.,:;?!)\]”\"]\s+|\s[–—-]\s")
"""Where a title may begin in an entry that is not divided into fields."""
_STOP_WORDS = frozenset(("the", "of", "and", "in", "on", "for", "a", "an", "de", "und", "et"))


def join_similar(papers: pa.Table, references: pa.Table, matches: pa.Table) -> pa.Table:
    """The matches with works joined that are described alike.

    Compared are works with a common block: first author, volume and first page, or first author and
    the first or last 12 letters of the title. Two entries are the same if years differ by one at
    most, the numbers in their titles are equal, and

    - author, volume and page are equal and titles similar (60%), or one contains the other,
    - or authors are equal, titles very similar (90%), journals compatible, and not both volume and
      page different,
    - or authors are equal, and the title of one stands in the other, which is not divided into
      fields, or has the same journal, and the same volume or page.

    With equal volume and page and very similar titles, either the year or the author may differ.
    Two works with ids are joined in this way only. An entry that contradicts most entries of its
    work, so that its id is probably wrong, may join another.

    Args:
        papers: loaded papers: `id`, `title`, `surnames`, `year`, `venue`.
        references: entries: `id`, `title`, `source`, `volume`, `page`, `year`, `surnames`, `text`.
        matches: result of `match_works` for the same rows.

    Returns:
        The matches; `matched_by` is `similar` where the work has changed.
    """
    entries = read_entries(references).append_column("work", matches["work"])
    groups = group_entries(papers, entries)
    if not groups.num_rows:
        return matches
    groups = groups.append_column("joined", _join(groups, papers["id"]))
    groups = groups.filter(pc.not_equal(groups["joined"], groups["work"]))
    place = pc.index_in(_content(entries), value_set=_content(groups))
    joined = groups["joined"].take(place)
    return pa.table(
        {
            "id": matches["id"],
            "work": pc.coalesce(joined, matches["work"]),
            "matched_by": pc.if_else(pc.is_valid(joined), "similar", matches["matched_by"]),
        }
    )


def _content(rows: pa.Table) -> pa.ChunkedArray:
    """Work and fields as one text."""
    texts = [pc.fill_null(rows[name].cast(pa.string()), "") for name in ("work", *FIELDS)]
    return pc.binary_join_element_wise(*texts, "\x1f")


def _join(groups: pa.Table, loaded: pa.ChunkedArray) -> pa.ChunkedArray:
    """The work of each content after works are joined.

    A *unit* is a work, or a stray content, which contradicts the rest of its work. Units are
    numbered by rank: loaded papers, works with ids, others, stray contents; then by entries and
    name. A unit joins a unit of better rank with which at least half of its entries agree.
    """
    contents = _Contents(groups)
    works, work = np.unique(groups["work"].to_numpy(), return_inverse=True)
    times = groups["times"].to_numpy()
    total = np.bincount(work, times, len(works))
    is_loaded = pc.is_in(pa.array(works), value_set=loaded).to_numpy(zero_copy_only=False)
    stray = _contradicting(contents, work, times=times, own=is_loaded[work] & (times == 0))

    without_id = pc.match_substring_regex(pa.array(works), "^(key|ref):").to_numpy(
        zero_copy_only=False
    )
    kind = np.where(is_loaded, _LOADED, np.where(without_id, _WITHOUT_ID, _WITH_ID))
    ranked = np.lexsort((np.arange(len(works)), -total, kind))  # rank -> work
    rank = np.argsort(ranked)
    unit = np.where(stray, len(works) + np.cumsum(stray) - 1, rank[work])
    kinds = np.where(stray, _STRAY, kind[work])

    a, b = _candidates(contents, unit, kinds)
    junior = unit[a] > unit[b]
    a, b = np.where(junior, a, b), np.where(junior, b, a)
    strict = (kinds[a] == _STRAY) | ((kinds[a] == _WITH_ID) & (kinds[b] < _WITHOUT_ID))
    rule = contents.compare(a, b, strict=strict)
    kept = rule > 0
    joins, joined = _choose(unit[a[kept]], unit[b[kept]], a[kept], rule[kept], times, unit)

    final = np.arange(len(works) + int(stray.sum()))
    for first, second in zip(joins, joined, strict=True):  # by rank: the better one is final
        final[first] = final[second]
    result = final[unit]
    alone = result >= len(works)  # stray, but no other work is the same
    result = np.where(alone, final[rank[work]], result)
    return pa.chunked_array([pa.array(works[ranked[result]], pa.string())])


class _Contents:
    """Columns of contents as numbers that can be compared."""

    def __init__(self, groups: pa.Table) -> None:
        self.titles: list[str] = groups["title"].to_pylist()
        self.sources: list[str] = groups["source"].to_pylist()
        self.whole = groups["whole"].to_numpy()
        self.codes = {name: _codes(groups[name]) for name in ("surname", "volume", "page")}
        self.numbers = _codes(pa.chunked_array([pa.array([_digits(t) for t in self.titles])]))
        self.years = pc.fill_null(groups["year"].cast(pa.float64()), np.nan).to_numpy()
        self.lengths = pc.utf8_length(groups["title"]).to_numpy()
        self.blocks = _blocks(groups)

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
        asked = place & author & near & untitled & ~strict & ~by_place
        by_place |= asked & (self._journals(a, b, asked) == 1)

        by_title = author & very_alike & (near | np.isnan(apart)) & ~(other_volume & other_page)
        part = author & contained & near & ~other_volume & ~other_page & ~strict
        asked = (by_title | part & ~one_text) & ~by_place
        journals = self._journals(a, b, asked)
        by_title &= (journals >= 0) | volume | page
        by_title &= ~strict | (journals == 1)
        part &= one_text | (volume | page) & (journals == 1)
        return np.where(by_place, 2, np.where(by_title | part, 1, 0))

    def _journals(self, a: Ints, b: Ints, asked: Flags) -> Ints:
        """1 where titles of journals are compatible, -1 where not, 0 if unknown or not asked."""
        result = np.zeros(len(a), np.int64)
        for k in np.flatnonzero(asked).tolist():
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


def _blocks(groups: pa.Table) -> list[tuple[Ints, Ints]]:
    """For each kind of block the contents in one, and the number of the block.

    The first kind and the last are of entries with the same volume and page.
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
    return [
        (every, _codes(_joined((surname, groups["volume"], groups["page"])))),
        (
            np.concatenate([every, np.flatnonzero(groups["whole"].to_numpy())[rows]]),
            _codes(
                pa.chunked_array(
                    [*_joined((author, start)).chunks, *_joined((surnames, starts)).chunks]
                )
            ),
        ),
        (every, _codes(_joined((author, end)))),
        (every, _codes(_joined((place, groups["page"], year, start)))),
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


def _contradicting(contents: _Contents, work: Ints, *, times: Ints, own: Flags) -> Flags:
    """Contents with another title, author and page than most entries of their work.

    Args:
        contents: distinct contents.
        work: (n,) number of the work of each.
        times: (n,) entries with each content.
        own: (n,) whether a content is that of the loaded paper itself, which counts most.
    """
    rows = np.arange(len(work))
    counted = pa.table({"work": work, "own": own, "times": times, "row": rows})
    order = [("work", "ascending"), ("own", "descending"), ("times", "descending")]
    usual = first_rows(counted.sort_by([*order, ("row", "ascending")]), "work")["row"].to_numpy()
    rows = np.flatnonzero(usual[work] != np.arange(len(work)))
    main = usual[work[rows]]
    author, _ = contents.equal("surname", rows, main)
    page, _ = contents.equal("page", rows, main)
    titled = (contents.lengths[rows] > 0) & (contents.lengths[main] > 0)
    other = titled & ~author & ~page & (contents.similarity(rows, main) < _OTHER_TITLE)
    other &= ~contents.contained(rows, main) & ~contents.whole[rows]
    stray = np.zeros(len(work), bool)
    stray[rows[other]] = True
    tied = other & (times[rows] >= times[main]) & ~own[main]
    stray[main[tied]] = True
    return stray


def _candidates(contents: _Contents, unit: Ints, kinds: Ints) -> tuple[Ints, Ints]:
    """Pairs of contents of different units with a common block.

    Two works with ids are only candidates if volume and page agree.
    """
    found = [np.zeros(0, np.int64)]
    for kind, (rows, block) in enumerate(contents.blocks):
        by_place = kind in (0, 3)
        for a, b in _pairs_in_blocks(rows, block):
            kept = (unit[a] != unit[b]) & ~((kinds[a] == _LOADED) & (kinds[b] == _LOADED))
            if not by_place:
                kept &= (kinds[a] > _WITH_ID) | (kinds[b] > _WITH_ID)
            found.append(a[kept] * len(unit) + b[kept])
    pairs = np.unique(np.concatenate(found))
    return pairs // len(unit), pairs % len(unit)


def _pairs_in_blocks(rows: Ints, block: Ints) -> list[tuple[Ints, Ints]]:
    """Pairs of rows with the same block, the smaller row first; large blocks are left out."""
    sizes = np.bincount(block[block >= 0], minlength=1)
    usable = (block >= 0) & (sizes[block] > 1) & (sizes[block] <= _LARGEST_BLOCK)
    order = np.lexsort((rows[usable], block[usable]))
    rows, block = rows[usable][order], block[usable][order]
    pairs = []
    for distance in range(1, _LARGEST_BLOCK):
        a, b = rows[:-distance], rows[distance:]
        same = block[:-distance] == block[distance:]
        if not same.any():
            break
        pairs.append((a[same], b[same]))
    return pairs


def _choose(
    junior: Ints, senior: Ints, content: Ints, rule: Ints, times: Ints, unit: Ints
) -> tuple[list[int], list[int]]:
    """The units that join another, by rank, and which: the best rule first, then the best rank.

    Args:
        junior: (p,) unit that may join, of each pair of equal contents.
        senior: (p,) unit that it may join.
        content: (p,) content of the junior unit.
        rule: (p,) result of `_Contents.compare`.
        times: (n,) entries of each content.
        unit: (n,) unit of each content.
    """
    pairs = pa.table({"junior": junior, "senior": senior, "content": content, "rule": rule})
    once = pairs.group_by(["junior", "senior", "content"]).aggregate([("rule", "max")])
    once = once.append_column("times", pa.array(times[once["content"].to_numpy()]))
    units = once.group_by(["junior", "senior"]).aggregate([("times", "sum"), ("rule_max", "max")])
    total = np.bincount(unit, times)[units["junior"].to_numpy()]
    units = units.filter(pa.array(2 * units["times_sum"].to_numpy() >= total))
    order = [("junior", "ascending"), ("rule_max_max", "descending"), ("senior", "ascending")]
    best = first_rows(units.sort_by(order), "junior")
    return best["junior"].to_pylist(), best["senior"].to_pylist()
