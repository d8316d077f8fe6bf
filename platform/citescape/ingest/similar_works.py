"""Joins works whose entries in reference lists describe the same publication in other words.

`identity.match_works` joins entries with the same id, or with the same title, year and first
author. What is left are titles with a word more or less, years off by one, DOIs with a misprint,
second DOIs of one article. Here the entries of two works are compared: first author, volume, first
page, year, title, journal. A work joins the one with most entries among those that are the same, so
the result does not depend on the order of loading. Two loaded papers are never joined.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from citescape.core.hashing import Hashes
from citescape.ingest.contents import Contents, Flags, Ints
from citescape.ingest.entries import FIELDS, group_entries, read_entries
from citescape.ingest.identity import first_rows

_LOADED, _WITH_ID, _WITHOUT_ID, STRAY_KIND = range(4)
"""Kinds of units by rank, see `_join`."""
_OTHER_TITLE = 0.5
"""Below this similarity titles are of different works."""


STRAY = "\x1e"
"""Begins the result of a content that joins a stray one, see `Surroundings`."""


class Surroundings(NamedTuple):
    """What is known when only a part of all entries is compared.

    A stray content contradicts the work of its entries, and may join another. Which one is unknown
    here if its own work is only given. What joins it then has the result `STRAY` and the name of
    that work, and must be compared again, with the entries of that work as well.
    """

    works: pa.ChunkedArray
    """(n,) the work of each entry that is only compared with others, null of others."""
    too_large: Hashes | None = None
    """Blocks of contents that are not compared, since there are too many in all entries."""


def join_similar(
    papers: pa.Table,
    references: pa.Table,
    matches: pa.Table,
    surroundings: Surroundings | None = None,
) -> pa.Table:
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
        surroundings: what is known of other entries, if these are not all (see `index.works`).

    Returns:
        The matches; `matched_by` is `similar` where the work has changed. With surroundings, rows
        of entries with a known work are undefined.
    """
    entries = read_entries(references).append_column("work", matches["work"])
    return apply_joins(entries, matches, compare_contents(papers, entries, surroundings))


def compare_contents(
    papers: pa.Table, entries: pa.Table, surroundings: Surroundings | None = None
) -> pa.Table:
    """The distinct contents of entries and papers, and what their works join.

    Args:
        papers: loaded papers.
        entries: result of `read_entries`, and `work`.
        surroundings: see `join_similar`.

    Returns:
        The columns of `group_entries`, `joined` (a work), and `stray`: whether the content
        contradicts its work, so that it is joined by itself.
    """
    surroundings = surroundings or Surroundings(pa.nulls(len(entries), pa.string()))
    groups = group_entries(papers, entries.append_column("known", surroundings.works))
    if not groups.num_rows:
        nothing = pa.array([], pa.bool_())
        return groups.append_column("joined", groups["work"]).append_column("stray", nothing)
    contents = Contents(groups, surroundings.too_large)
    joined, stray = _join(contents, groups, papers["id"])
    return groups.append_column("joined", joined).append_column("stray", pa.array(stray))


def apply_joins(entries: pa.Table, matches: pa.Table, groups: pa.Table) -> pa.Table:
    """The matches of entries whose contents have joined other works.

    Args:
        entries: (n,) as of `compare_contents`.
        matches: (n,) of the same entries.
        groups: result of `compare_contents`.
    """
    groups = groups.filter(pc.not_equal(groups["joined"], groups["work"]))
    place = pc.index_in(content_keys(entries), value_set=content_keys(groups))
    joined = groups["joined"].take(place)
    return pa.table(
        {
            "id": matches["id"],
            "work": pc.coalesce(joined, matches["work"]),
            "matched_by": pc.if_else(pc.is_valid(joined), "similar", matches["matched_by"]),
        }
    )


def content_keys(rows: pa.Table) -> pa.ChunkedArray:
    """Work and fields as one text."""
    texts = [pc.fill_null(rows[name].cast(pa.string()), "") for name in ("work", *FIELDS)]
    return pc.binary_join_element_wise(*texts, "\x1f")


def _join(
    contents: Contents, groups: pa.Table, loaded: pa.ChunkedArray
) -> tuple[pa.ChunkedArray, Flags]:
    """The work of each content after works are joined, and whether it contradicts its work.

    A *unit* is a work, or a stray content, which contradicts the rest of its work. Units are
    numbered by rank: loaded papers, works with ids, others, stray contents; then by entries and
    name. A unit joins a unit of better rank with which at least half of its entries agree, unless
    its work is known. Results are numbers of works by rank, then of stray contents, then of known
    works (or `STRAY` and the work of a stray content).
    """
    own = find_units(contents, groups, loaded)
    works, work, stray, times = own.works, own.work, own.stray, groups["times"].to_numpy()
    ranked = np.lexsort((np.arange(len(works)), -own.total, own.kind))  # rank -> work
    rank = np.argsort(ranked)
    unit = np.where(stray, len(works) + np.cumsum(stray) - 1, rank[work])
    is_known = pc.is_valid(groups["known"]).to_numpy()
    a, b, rule = find_same(contents, contents.pairs(), unit, own.kinds, known=is_known)
    joins, joined = choose_joins(unit[a], unit[b], a, rule, times, unit)

    units = len(works) + int(stray.sum())
    unit_names = pc.binary_join_element_wise(STRAY, groups["work"], "")
    known = pc.if_else(pa.array(stray), unit_names, groups["known"])
    known = known.filter(pa.array(is_known)).combine_chunks().dictionary_encode()
    final = np.arange(units)
    final[unit[is_known]] = units + known.indices.to_numpy()
    for first, second in zip(joins, joined, strict=True):  # by rank: the better one is final
        final[first] = final[second]
    result = final[unit]
    alone = (result >= len(works)) & (result < units)  # stray, but no other work is the same
    result = np.where(alone, final[rank[work]], result)
    named = np.concatenate([works[ranked], np.full(units - len(works), ""), known.dictionary])
    return pa.chunked_array([pa.array(named[result], pa.string())]), stray


class Units(NamedTuple):
    """The works of contents, and which contents are units of their own."""

    works: NDArray[np.object_]
    """(w,) names of works, sorted."""
    work: Ints
    """(n,) place of the work of each content among them."""
    kind: Ints
    """(w,) kind of each work by rank."""
    total: Ints
    """(w,) entries of each work."""
    stray: Flags
    """(n,) whether a content contradicts its work."""

    @property
    def kinds(self) -> Ints:
        """(n,) kind of the unit of each content."""
        return np.where(self.stray, STRAY_KIND, self.kind[self.work])


def find_units(contents: Contents, groups: pa.Table, loaded: pa.ChunkedArray) -> Units:
    """The works of contents, and which contents contradict theirs.

    Args:
        contents: distinct contents.
        groups: (n,) the same, with all contents of each work.
        loaded: ids of loaded papers, at least of those among the works.
    """
    works, work = np.unique(groups["work"].to_numpy(), return_inverse=True)
    times = groups["times"].to_numpy()
    names = pa.array(works, pa.string())
    is_loaded = pc.is_in(names, value_set=loaded).to_numpy(zero_copy_only=False)
    stray = _contradicting(contents, work, times=times, own=is_loaded[work] & (times == 0))
    without_id = pc.match_substring_regex(names, "^(key|ref):").to_numpy(zero_copy_only=False)
    kind = np.where(is_loaded, _LOADED, np.where(without_id, _WITHOUT_ID, _WITH_ID))
    total = np.bincount(work, times, len(works)).astype(np.int64)
    return Units(works, work, kind, total, stray)


def find_same(
    contents: Contents,
    pairs: Iterable[tuple[Ints, Ints, bool]],
    unit: Ints,
    kinds: Ints,
    *,
    known: Flags,
) -> tuple[Ints, Ints, Ints]:
    """Pairs of contents of two units that are the same publication.

    Args:
        contents: distinct contents.
        pairs: see `Contents.pairs`.
        unit: (n,) rank of the unit of each content.
        kinds: (n,) kind of the unit.
        known: (n,) whether the work of the unit is known, so that it joins no other.

    Returns:
        Content of the unit of worse rank, of the one of better rank, and the rule.
    """
    a, b = _candidates(pairs, unit, kinds)
    junior = unit[a] > unit[b]
    a, b = np.where(junior, a, b), np.where(junior, b, a)
    a, b = a[~known[a]], b[~known[a]]
    strict = (kinds[a] == STRAY_KIND) | ((kinds[a] == _WITH_ID) & (kinds[b] < _WITHOUT_ID))
    rule = contents.compare(a, b, strict=strict)
    kept = rule > 0
    return a[kept], b[kept], rule[kept]


def _contradicting(contents: Contents, work: Ints, *, times: Ints, own: Flags) -> Flags:
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


def _candidates(
    pairs: Iterable[tuple[Ints, Ints, bool]], unit: Ints, kinds: Ints
) -> tuple[Ints, Ints]:
    """Pairs of contents of different units with a common block.

    Two works with ids are only candidates if volume and page agree.
    """
    found = [np.zeros(0, np.int64)]
    for a, b, same_place in pairs:
        kept = (unit[a] != unit[b]) & ~((kinds[a] == _LOADED) & (kinds[b] == _LOADED))
        if not same_place:
            kept &= (kinds[a] > _WITH_ID) | (kinds[b] > _WITH_ID)
        found.append(a[kept] * len(unit) + b[kept])
    keys = np.unique(np.concatenate(found))
    return keys // len(unit), keys % len(unit)


def choose_joins(
    junior: Ints, senior: Ints, content: Ints, rule: Ints, times: Ints, unit: Ints
) -> tuple[list[int], list[int]]:
    """The units that join another, by rank, and which: the best rule first, then the best rank.

    Args:
        junior: (p,) unit that may join, of each pair of equal contents.
        senior: (p,) unit that it may join.
        content: (p,) content of the junior unit.
        rule: (p,) result of `Contents.compare`.
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
