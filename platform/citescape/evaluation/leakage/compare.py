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
    (each empty for all), and numbers of papers: `papers`, those matched `by_id`, `by_title`, `both`
    and `leaked` (either), and `share`, leaked / papers."""
    papers: pa.Table
    """Leaked papers of both lists: `list`, `paper`, `title`, `by_id`, `by_title`, `same_as` (the
    paper of the other list), `places`."""
    pairs: pa.Table
    """`paper`, `other`: query and cited paper of the benchmark that are anchor and positive of a
    triplet, in either order. Papers with the same title count as one paper here."""


@dataclass(frozen=True)
class _Side:
    """Papers of one list with codes that both lists share."""

    name: str
    ids: pa.StringArray
    """(n,) ids, ascending."""
    titles: pa.StringArray
    """(n,) titles; empty if unknown."""
    codes: Codes
    """(n,) codes of ids, the same in both lists."""
    keys: Codes
    """(n,) codes of titles, the same in both lists; -1 if unknown or short."""
    members: dict[Place, Bools]

    def where(self, place: Place) -> Bools:
        """(n,) true for papers at a place; an empty split or part matches all."""
        selected = np.zeros(len(self.ids), np.bool_)
        for (split, part), members in self.members.items():
            if place[0] in ("", split) and place[1] in ("", part):
                selected |= members
        return selected


@dataclass(frozen=True)
class _Match:
    """(n,) papers of one list that are also in the other."""

    by_id: Bools
    by_title: Bools

    @property
    def any(self) -> Bools:
        return self.by_id | self.by_title


def compare(trained: PaperList, benchmark: PaperList) -> Leaks:
    """Papers of a benchmark in a training list: the same id, or the same title by `title_keys`.

    Both lists must use the same ids, see `names.identify`.
    """
    ids = sort_unique(pa.chunked_array([trained.papers, benchmark.papers]))
    titles = {
        name: _titles(papers) for name, papers in ((TRAINING, trained), (BENCHMARK, benchmark))
    }
    keys = {name: title_keys(column) for name, column in titles.items()}
    known = sort_unique(pa.chunked_array(list(keys.values())).drop_null())
    sides = [
        _code(name, papers, titles[name], spaces=(ids, known), keys=keys[name])
        for name, papers in ((TRAINING, trained), (BENCHMARK, benchmark))
    ]
    training, benchmarked = sides

    # (ids,) numbers of works: papers with the same title have the same number
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
        pa.Table.from_pylist(list(_count_matches(training, benchmarked)), _FIGURES),
        pa.concat_tables(
            [_list_leaked(training, benchmarked), _list_leaked(benchmarked, training)]
        ),
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
    """(n,) the first title of each paper; empty if unknown."""
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
    """Papers of `own` that match the papers `among` of the other list."""
    same = np.isin(own.codes, other.codes[among])
    keys = other.keys[among]
    return _Match(same, (own.keys >= 0) & np.isin(own.keys, keys[keys >= 0]))


def _count_matches(training: _Side, benchmarked: _Side) -> Iterator[dict[str, object]]:
    roles = list(dict.fromkeys(["", *(part for _, part in training.members)]))
    splits = [
        (split, "") for split in dict.fromkeys(split for split, _ in benchmarked.members) if split
    ]
    for place in dict.fromkeys([ALL, *splits, *benchmarked.members]):
        at = benchmarked.where(place)
        for role in roles:
            in_role = training.where(("", role))
            keys = {"split": place[0], "part": place[1], "role": role}
            matches = _match(training, benchmarked, at), _match(benchmarked, training, in_role)
            masks = (in_role, at)
            for side, match, mask in zip((training, benchmarked), matches, masks, strict=True):
                yield {"list": side.name, **keys, **_sum(match, mask)}


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
    first[other.keys[::-1]] = np.arange(len(other.ids))[::-1]  # the lowest id of equal titles
    twins = other.ids.take(pa.array(first[own.keys[rows]], mask=~match.by_title[rows]))
    ids = own.ids.take(pa.array(rows))
    named = {" ".join(filter(None, place)): mask for place, mask in own.members.items()}
    places = [", ".join(name for name, mask in named.items() if mask[row]) for row in rows.tolist()]
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
