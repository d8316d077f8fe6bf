"""Compares what several sources say of one paper, field by field."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import combinations
from typing import Any

import pyarrow as pa

from citescape.core.progress import Progress
from citescape.ingest.identity import fold
from citescape.ingest.records import read_paper_rows
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

Row = Mapping[str, Any]

_BATCH = 500
"""Papers whose records are read at a time: a record holds the whole text of a paper."""


@dataclass(frozen=True)
class ComparedField:
    """A field that is compared between the sources of a paper."""

    name: str
    read: Callable[[Row], Any]
    """Its value in the row of a paper; None or empty if it is missing."""
    fold: Callable[[Any], Hashable] = lambda value: value
    """Values with an equal result agree."""
    distance: Callable[[Any, Any], float] = lambda first, second: 1.0
    """Size of the difference of two values that disagree."""


def _get(name: str) -> Callable[[Row], Any]:
    return lambda row: row.get(name)


def _first_author(row: Row) -> str:
    return next(iter(row.get("surnames") or ()), "")


def _count_authors(row: Row) -> int | None:
    return len(row.get("surnames") or ()) or None


def _compare_numbers(first: int, second: int) -> float:
    return float(abs(first - second))


def _compare_titles(first: str, second: str) -> float:
    return 1.0 - SequenceMatcher(None, fold(first), fold(second), autojunk=False).ratio()


COMPARED = (
    ComparedField("DOI", _get("doi")),
    ComparedField("PMID", _get("pmid")),
    ComparedField("title", _get("title"), fold, _compare_titles),
    ComparedField("year", _get("year"), distance=_compare_numbers),
    ComparedField("type", _get("type")),
    ComparedField("language", _get("language"), lambda code: code.lower()[:2]),
    ComparedField("first author", _first_author, fold),
    ComparedField("number of authors", _count_authors, distance=_compare_numbers),
)
"""Journals are not compared: sources abbreviate their names."""

FILLED: Mapping[str, Callable[[Row], Any]] = {
    "doi": _get("doi"),
    "identifier": lambda row: any(row.get(k) for k in ("doi", "pmid", "pmcid", "openalex", "s2")),
    "title": _get("title"),
    "abstract": _get("abstract"),
    "year": _get("year"),
    "type": _get("type"),
    "authors": _get("surnames"),
}
"""Fields whose completeness is counted, as in the query `report/completeness`."""

VALUES = pa.schema(
    [
        ("paper", pa.string()),
        ("title", pa.string()),
        ("field", pa.string()),
        ("source", pa.string()),
        ("value", pa.string()),
        ("used", pa.bool_()),
        ("distance", pa.float64()),
    ]
)
"""A value of a field in which the sources of a paper disagree: `used` if the graph has it.
`distance` of the paper: years, authors, 1 - similarity of titles (0 to 1), else 1."""


@dataclass
class Comparison:
    """Papers that several sources have, and where their records disagree."""

    papers: int = 0
    agreeing: int = 0
    """Papers whose sources agree in all fields."""
    compared: Counter[str] = field(default_factory=Counter)
    """Field -> papers for which at least two sources have it."""
    disagreeing: Counter[str] = field(default_factory=Counter)
    """Field -> papers whose sources disagree in it."""
    filled: dict[str, Counter[str]] = field(default_factory=dict)
    """Source -> field of `FILLED` -> papers that have it; `papers` counts all."""
    values: list[dict[str, Any]] = field(default_factory=list)
    """Rows of `VALUES`."""

    def add(self, used: Row, records: Mapping[str, Row]) -> None:
        """Compares the records of one paper.

        Args:
            used: the paper in the graph.
            records: source -> its row of the paper.
        """
        self.papers += 1
        for source, row in records.items():
            counts = self.filled.setdefault(source, Counter())
            counts["papers"] += 1
            counts.update(name for name, read in FILLED.items() if read(row))
        agree = True
        for item in COMPARED:
            known = {source: item.read(row) for source, row in records.items()}
            known = {source: value for source, value in known.items() if value}
            self.compared[item.name] += len(known) > 1
            if len({item.fold(value) for value in known.values()}) > 1:
                agree = False
                self.disagreeing[item.name] += 1
                self.values += _list_values(item, used, known)
        self.agreeing += agree

    @property
    def table(self) -> pa.Table:
        """The values that disagree; schema `VALUES`."""
        return pa.Table.from_pylist(self.values, VALUES)


def _list_values(
    item: ComparedField, used: Row, known: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    chosen = item.fold(item.read(used)) if item.read(used) else None
    distance = max(
        item.distance(first, second)
        for first, second in combinations(known.values(), 2)
        if item.fold(first) != item.fold(second)
    )
    for source, value in known.items():
        yield {
            "paper": used["id"],
            "title": used["title"],
            "field": item.name,
            "source": source,
            "value": str(value),
            "used": item.fold(value) == chosen,
            "distance": distance,
        }


def compare_sources(store: GraphStore, progress: Progress) -> Comparison:
    """Compares the records of every paper that several sources have.

    Args:
        store: the graph.
        progress: receives the number of papers.
    """
    found = Comparison()
    papers = store.read(query("report/joint_papers"))
    for start in range(0, papers.num_rows, _BATCH):
        part = {row["id"]: row for row in papers.slice(start, _BATCH).to_pylist()}
        records: dict[str, dict[str, Row]] = {id_: {} for id_ in part}
        for paper, source, row in read_paper_rows(
            store.read(query("ingest/records"), ids=list(part))
        ):
            records[paper][source] = row
        for id_, used in part.items():
            ordered = {s: records[id_][s] for s in used["sources"] if s in records[id_]}
            found.add(used, ordered)
        progress(f"comparing sources: {found.papers:,} of {papers.num_rows:,} papers")
    return found
