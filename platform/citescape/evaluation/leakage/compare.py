"""Overlap of two lists of papers, by id and by title."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from citescape.evaluation.leakage.names import title_keys
from citescape.evaluation.leakage.papers import PaperList, Place
from citescape.search.listed import Codes, sort_unique

TRAINING, BENCHMARK = "training", "benchmark"
ALL: Place = ("", "")
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Leaks:
    """Overlap of a benchmark and a training list."""

    figures: pa.Table
    """`list` (`training`, `benchmark`), `split` and `part` of the benchmark, `role` in training
    (each empty for all): `papers` of the list there; of these `by_id`, `by_title`, `both`, `leaked`
    (either), and `share`, leaked over papers."""
    papers: pa.Table
    """`list`, `paper`, `title`, `by_id`, `by_title`, `same_as` (the paper of the other list),
    `places`; those that leaked, of both lists."""
    pairs: pa.Table
    """`paper`, `other`: query and cited paper of the benchmark that are anchor and positive, or
    positive and anchor, of a triplet. Papers of one title are one paper here."""


@dataclass(frozen=True)
class _Side:
    name: str
    ids: pa.StringArray
    """(n,) ascending."""
    titles: pa.StringArray
    """(n,) empty where unknown."""
    codes: Codes
    """(n,) of ids, the same on both sides."""
    keys: Codes
    """(n,) of titles, the same on both sides; -1: unknown or short."""
    members: dict[Place, Bools]

    def where(self, place: Place) -> Bools:
        """(n,) at one place, in a whole split, or anywhere."""
        found = np.zeros(len(self.ids), np.bool_)
        for (split, part), members in self.members.items():
            if place[0] in ("", split) and place[1] in ("", part):
                found |= members
        return found


@dataclass(frozen=True)
class _Match:
    """(n,) papers of one side that are on the other one too."""

    by_id: Bools
    by_title: Bools

    @property
    def any(self) -> Bools:
        return self.by_id | self.by_title


def compare(trained: PaperList, benchmark: PaperList) -> Leaks:
    """Papers of a benchmark in a training list: the same id, or the same title by `title_keys`.

    Both lists are to name a paper alike: see `names.identify`.
    """
    ids = sort_unique(pa.chunked_array([trained.papers, benchmark.papers]))
    titles = {name: _titles(of) for name, of in ((TRAINING, trained), (BENCHMARK, benchmark))}
    keys = {name: title_keys(found) for name, found in titles.items()}
    known = sort_unique(pa.chunked_array(list(keys.values())).drop_null())
    sides = [
        _code(name, of, titles[name], spaces=(ids, known), keys=keys[name])
        for name, of in ((TRAINING, trained), (BENCHMARK, benchmark))
    ]
    learned, asked = sides

    # (ids,) one number for papers of one title, and one for each other paper
    works = np.arange(len(known), len(known) + len(ids), dtype=np.int32)
    for side in sides:
        titled = side.keys >= 0
        works[side.codes[titled]] = side.keys[titled]

    def number_pairs(pairs: pa.Table) -> npt.NDArray[np.int64]:
        ends = np.stack([_index(column.combine_chunks(), ids) for column in pairs.columns])
        low, high = np.sort(works[ends].astype(np.int64), axis=0)
        return np.where((ends >= 0).all(axis=0), (low << 32) | high, -1)

    numbers = number_pairs(benchmark.pairs)
    leaked = (numbers >= 0) & np.isin(numbers, number_pairs(trained.pairs))
    pairs = benchmark.pairs.filter(pa.array(leaked))
    return Leaks(
        pa.Table.from_pylist(list(_count(learned, asked)), _FIGURES),
        pa.concat_tables([_list_leaked(learned, asked), _list_leaked(asked, learned)]),
        pairs.sort_by([("paper", "ascending"), ("other", "ascending")]),
    )


_FIGURES = pa.schema(
    [
        *((name, pa.string()) for name in ("list", "split", "part", "role")),
        *((name, pa.int64()) for name in ("papers", "by_id", "by_title", "both", "leaked")),
        ("share", pa.float64()),
    ]
)


def _titles(papers: PaperList) -> pa.StringArray:
    """(n,) the first title of each paper, empty where none is known."""
    rows = pc.index_in(papers.papers, value_set=papers.titles["paper"].combine_chunks())
    return pc.fill_null(papers.titles["title"].combine_chunks().take(rows), "")


def _code(
    name: str,
    papers: PaperList,
    titles: pa.StringArray,
    *,
    spaces: tuple[pa.StringArray, pa.StringArray],
    keys: pa.StringArray,
) -> _Side:
    ids = papers.papers
    members = {
        place: pc.is_in(ids, value_set=papers.at(place)).to_numpy(zero_copy_only=False)
        for place in papers.places
    }
    return _Side(name, ids, titles, _index(ids, spaces[0]), _index(keys, spaces[1]), members)


def _index(values: pa.StringArray, among: pa.StringArray) -> Codes:
    places = pc.fill_null(pc.index_in(values, value_set=among, skip_nulls=True), -1)
    codes: Codes = places.to_numpy(zero_copy_only=False).astype(np.int32)
    return codes


def _match(own: _Side, other: _Side, among: Bools) -> _Match:
    """Papers of `own` that are among some of the `other` side."""
    same = np.isin(own.codes, other.codes[among])
    keys = other.keys[among]
    return _Match(same, (own.keys >= 0) & np.isin(own.keys, keys[keys >= 0]))


def _count(learned: _Side, asked: _Side) -> Iterator[dict[str, object]]:
    roles = list(dict.fromkeys(["", *(part for _, part in learned.members)]))
    splits = [(split, "") for split in dict.fromkeys(split for split, _ in asked.members) if split]
    for place in dict.fromkeys([ALL, *splits, *asked.members]):
        there = asked.where(place)
        for role in roles:
            taught = learned.where(("", role))
            named = {"split": place[0], "part": place[1], "role": role}
            found = _match(learned, asked, there), _match(asked, learned, taught)
            for side, match, mask in zip((learned, asked), found, (taught, there), strict=True):
                yield {"list": side.name, **named, **_sum(match, mask)}


def _sum(match: _Match, mask: Bools) -> dict[str, float]:
    papers, leaked = int(mask.sum()), int((match.any & mask).sum())
    return {
        "papers": papers,
        "by_id": int((match.by_id & mask).sum()),
        "by_title": int((match.by_title & mask).sum()),
        "both": int((match.by_id & match.by_title & mask).sum()),
        "leaked": leaked,
        "share": leaked / papers if papers else 0.0,
    }


def _list_leaked(own: _Side, other: _Side) -> pa.Table:
    match = _match(own, other, np.ones(len(other.ids), np.bool_))
    rows = np.flatnonzero(match.any)
    first = np.full(max(own.keys.max(initial=-1), other.keys.max(initial=-1)) + 2, -1, np.int64)
    first[other.keys[::-1]] = np.arange(len(other.ids))[::-1]  # of one title the lowest id
    twins = other.ids.take(pa.array(first[own.keys[rows]], mask=~match.by_title[rows]))
    ids = own.ids.take(pa.array(rows))
    named = {" ".join(filter(None, place)): held for place, held in own.members.items()}
    places = [", ".join(name for name, held in named.items() if held[row]) for row in rows.tolist()]
    return pa.table(
        {
            "list": pa.array([own.name] * len(rows), pa.string()),
            "paper": ids,
            "title": own.titles.take(pa.array(rows)),
            "by_id": pa.array(match.by_id[rows]),
            "by_title": pa.array(match.by_title[rows]),
            "same_as": pc.if_else(pa.array(match.by_id[rows]), ids, twins),
            "places": pa.array(places, pa.string()),
        }
    )
