"""Evaluation of matching: ids of references are hidden, and their works are found again.

Printed ids are the truth here, which is not perfect: publishers print some DOIs that belong to
another work, and old articles have several.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from citescape.core.errors import ConfigError
from citescape.ingest.identity import ID_KINDS, match_works
from citescape.ingest.similar_works import join_similar
from citescape.metrics.intervals import WHOLE, Interval, bootstrap_each
from citescape.runs.result import Result, Summary, Table, Text, plural

Flags = NDArray[np.bool_]

_SHORTEST_TEXT = 60
"""Characters of an entry that is not divided into fields; shorter ones are ids alone."""
_SHOWN = 10
_CUT = 60  # characters of a title


@dataclass(frozen=True)
class MatchingMeasures:
    """How one way of matching finds the works of references with hidden ids."""

    way: str
    own: int
    """References that find a work with one of their ids."""
    other: int
    """References that find a work with other ids."""
    undecided: int
    """References that find a work without ids of the same kind: it may be theirs."""
    recall: Interval
    precision: Interval


@dataclass(frozen=True)
class ReferenceEvaluation(Result):
    """Works found without ids, compared with the ids."""

    ways: tuple[MatchingMeasures, ...]
    """By title, year and first author only; and by all that is printed."""
    hidden: int
    """References whose ids were hidden."""
    findable: int
    """Of these, references with an id that other references or loaded papers have too."""
    bare: int
    """Hidden references that print nothing but ids; they are not measured."""
    errors: pa.Table
    """References that found another work: `reference`, `title` (or its text), `printed` (its ids),
    `work`."""

    @cached_property
    def arrow(self) -> pa.Table:
        """A row per way of matching and measure: value and 95% interval over citing papers."""
        return pa.Table.from_pylist(
            [
                {
                    "matching": way.way,
                    "own": way.own,
                    "other": way.other,
                    "undecided": way.undecided,
                    "measure": name,
                    "value": _known(interval.mean),
                    "low": _known(interval.low),
                    "high": _known(interval.high),
                }
                for way in self.ways
                for name, interval in (("recall", way.recall), ("precision", way.precision))
            ]
        )

    def summarise(self) -> Summary:
        """Recall and precision with intervals, and references that found another work."""
        head = (
            f"ids of {plural(self.hidden, 'reference')} hidden; an id of {self.findable:,} of them "
            "is also printed elsewhere"
        )
        if self.bare:
            head += f"; left out: {self.bare:,} that print nothing but ids"
        counts = Table(
            ("matched by", "own work", "other work", "undecided"),
            [(way.way, way.own, way.other, way.undecided) for way in self.ways],
        )
        measures = Table(
            ("matched by", "recall", "low", "high", "precision", "low", "high"),
            [(way.way, *_values(way.recall), *_values(way.precision)) for way in self.ways],
        )
        lines: list[Any] = [Text(head), "", counts, "", measures]
        if self.errors.num_rows:
            rows = self.errors.slice(0, _SHOWN).to_pylist()
            found = [(row["title"][:_CUT], row["printed"], row["work"]) for row in rows]
            lines += ["", Table(("found another work", "prints", "found"), found)]
        figures: dict[str, Any] = {
            "hidden": self.hidden,
            "findable": self.findable,
            "bare": self.bare,
            "matching": {
                way.way: {
                    "recall": _known(way.recall.mean),
                    "precision": _known(way.precision.mean),
                    "other": way.other,
                    "undecided": way.undecided,
                }
                for way in self.ways
            },
        }
        return Summary(lines, figures)


def _known(value: float) -> float | None:
    return value if np.isfinite(value) else None


def _values(found: Interval) -> tuple[float | None, ...]:
    return tuple(map(_known, (found.mean, found.low, found.high)))


def evaluate_references(
    papers: pa.Table, references: pa.Table, *, hide: float = 0.2, seed: int = 0
) -> ReferenceEvaluation:
    """Hides all ids of some references, matches again, and compares. Writes nothing.

    Args:
        papers: loaded papers, see `match_works` and `join_similar`.
        references: entries of their lists, see there, and `paper`.
        hide: share of the references with a DOI whose ids are hidden.
        seed: random seed of the references and of the intervals.

    Raises:
        ConfigError: no reference has a DOI.
    """
    references = references.sort_by("id")
    with_doi = pc.is_valid(references["doi"]).to_numpy()
    if not with_doi.any():
        raise ConfigError("no reference has a DOI; expected papers whose lists print DOIs")
    hidden = with_doi & (np.random.default_rng(seed).random(len(with_doi)) < hide)
    changed = _hide(references, hidden)
    exact = match_works(papers, changed)
    found = {
        "title, year, first author": exact,
        "all that is printed": join_similar(papers, changed, exact),
    }

    described = _described(references)
    rows = np.flatnonzero(hidden & described)
    printed = [_ids(row) for row in references.select(ID_KINDS).to_pylist()]
    loaded = {row["id"]: _ids(row) for row in papers.select(["id", *ID_KINDS]).to_pylist()}
    visible = [None if hid else ids for hid, ids in zip(hidden.tolist(), printed, strict=True)]
    seen = {id_ for ids in (*loaded.values(), *visible) for id_ in ids or ()}
    findable = np.array([not seen.isdisjoint(printed[row]) for row in rows.tolist()], bool)
    lists = references["paper"].combine_chunks().dictionary_encode().indices.to_numpy()[rows]

    ways, errors = [], list[tuple[int, str]]()
    for way, matches in found.items():
        works = matches["work"].to_pylist()
        ids_of = _ids_of(works, visible, loaded)
        own, other, joined = _compare(works, printed, rows.tolist(), ids_of)
        ways.append(
            MatchingMeasures(
                way=way,
                own=int(own.sum()),
                other=int(other.sum()),
                undecided=int((joined & ~own & ~other).sum()),
                recall=_share(own, findable, lists, seed),
                precision=_share(own, own | other, lists, seed),
            )
        )
        errors = [(row, works[row]) for row in rows[other].tolist()]
    return ReferenceEvaluation(
        ways=tuple(ways),
        hidden=int(hidden.sum()),
        findable=int(findable.sum()),
        bare=int((hidden & ~described).sum()),
        errors=_list_errors(references, printed, errors),
    )


def _ids_of(
    works: Sequence[str],
    visible: Sequence[frozenset[str] | None],
    loaded: Mapping[str, frozenset[str]],
) -> dict[str, set[str]]:
    """The ids of each work: of the loaded paper, and of its references that are not hidden."""
    ids_of = {work: set(ids) for work, ids in loaded.items()}
    for work, ids in zip(works, visible, strict=True):
        if ids is not None:
            ids_of.setdefault(work, set()).update(ids)
    return ids_of


def _compare(
    works: Sequence[str],
    printed: Sequence[frozenset[str]],
    rows: Sequence[int],
    ids_of: Mapping[str, set[str]],
) -> tuple[Flags, Flags, Flags]:
    """How the work that each hidden reference finds compares with its ids.

    Args:
        works: work that each reference finds.
        printed: ids of each reference.
        rows: hidden references.
        ids_of: ids of each work, without those of hidden references.

    Returns:
        Whether the work has one of the ids; whether it has others of the same kinds only; whether
        anything else is of that work.
    """
    pairs = [(printed[row], ids_of.get(works[row], set())) for row in rows]
    own = np.array([not ids.isdisjoint(others) for ids, others in pairs], bool)
    same_kind = np.array([not _kinds(a).isdisjoint(_kinds(b)) for a, b in pairs], bool)
    return own, same_kind & ~own, np.array([works[row] in ids_of for row in rows], bool)


def _hide(references: pa.Table, hidden: Flags) -> pa.Table:
    """References without the ids of some."""
    mask, nothing = pa.array(hidden), pa.scalar(None, pa.string())
    for kind in ID_KINDS:
        place = references.schema.get_field_index(kind)
        column = pc.if_else(mask, nothing, references[kind])
        references = references.set_column(place, kind, column)
    return references


def _described(references: pa.Table) -> Flags:
    """Whether references print a title, where the work was published, or a text of some length."""
    length = {
        name: pc.utf8_length(pc.fill_null(references[name], "")).to_numpy()
        for name in ("title", "source", "text")
    }
    found: Flags = (length["title"] + length["source"] > 0) | (length["text"] >= _SHORTEST_TEXT)
    return found


def _ids(row: dict[str, str | None]) -> frozenset[str]:
    return frozenset(f"{kind}:{row[kind]}" for kind in ID_KINDS if row[kind])


def _kinds(ids: set[str] | frozenset[str]) -> set[str]:
    return {id_.split(":", 1)[0] for id_ in ids}


def _share(right: Flags, among: Flags, lists: NDArray[Any], seed: int) -> Interval:
    """Share of some references that are right, with an interval over citing papers."""
    values = right[among].astype(np.float64)
    return bootstrap_each(values[None], clusters=lists[among], seed=seed)[WHOLE][0]


def _list_errors(
    references: pa.Table, printed: list[frozenset[str]], errors: list[tuple[int, str]]
) -> pa.Table:
    rows = [row for row, _ in errors]
    named = references.select(["id", "title", "text"]).take(pa.array(rows, pa.int64()))
    title = pc.if_else(pc.not_equal(named["title"], ""), named["title"], named["text"])
    ids = [", ".join(sorted(printed[row])) for row in rows]
    return pa.table(
        {
            "reference": named["id"],
            "title": title,
            "printed": pa.array(ids, pa.string()),
            "work": pa.array([work for _, work in errors], pa.string()),
        }
    )
