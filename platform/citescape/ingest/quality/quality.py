"""Reads the quality of a store: how complete it is, what was lost, where sources disagree."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.progress import Progress, silent
from citescape.ingest.quality.conflicts import COMPARED, FILLED, Comparison, compare_sources
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

_SOURCES = ("source", "papers", "alone", "with_text", "entries", "pointers", "lost")
_COMPLETENESS = ("part", "source", "papers", *FILLED)
LOADED, CITED = "loaded papers", "cited works"
"""Parts of the graph whose completeness is counted."""
NOT_OF_WORKS = ("title", "abstract", "type")
"""Fields of cited works that are not counted: reference lists print no abstract and no type, and
where they print no title, the title of the work is the whole entry."""
_SHOWN = 10
"""Papers and works in lists of examples."""


@dataclass(frozen=True)
class Quality:
    """Figures on the quality of a store, as tables."""

    sources: pa.Table
    """For each source: `papers`, of these `alone` in it and `with_text` of it, `entries` of its
    reference lists, `pointers` in its texts, and `lost` ones."""
    completeness: pa.Table
    """For loaded papers and cited works (`part`), all together (`source` is empty), as each source
    says, and as cited by each source: `papers`, and the number of them with each field; null for
    `NOT_OF_WORKS`."""
    references: pa.Table
    """Entries of reference lists by `source`, `matched_by`, `loaded` and `identified` work."""
    unresolved_works: pa.Table
    """The cited works without an id that most entries name."""
    losses: pa.Table
    """Pointers that are no in-text citations, by `source` and `reason`: `lost`."""
    lossy_papers: pa.Table
    """The papers that lost most: `id`, `source`, `pointers`, `lost`."""
    conflicts: pa.Table
    """For each field `compared` papers, and those whose sources `disagree`."""
    values: pa.Table
    """The values that disagree; schema `conflicts.VALUES`."""
    joint: int
    """Papers that several sources have."""
    agreeing: int
    """Of these papers, those whose sources agree in all compared fields."""

    @property
    def papers(self) -> int:
        """Loaded papers."""
        return self._count(LOADED)

    @property
    def cited(self) -> int:
        """Cited works that are not loaded."""
        return self._count(CITED)

    def _count(self, part: str) -> int:
        rows = self.completeness.to_pylist()
        return next((r["papers"] for r in rows if r["part"] == part and not r["source"]), 0)

    @property
    def entries(self) -> int:
        """Entries of reference lists."""
        return _sum(self.references["entries"])

    @property
    def unresolved(self) -> int:
        """Entries whose work has no id and is no loaded paper."""
        without = pc.invert(pc.or_(self.references["loaded"], self.references["identified"]))
        return _sum(self.references.filter(without)["entries"])

    @property
    def pointers(self) -> int:
        """Citation pointers in all texts."""
        return _sum(self.sources["pointers"])

    @property
    def lost(self) -> int:
        """Pointers that are no in-text citations."""
        return _sum(self.sources["lost"])

    def tables(self) -> dict[str, pa.Table]:
        """All tables by name, for `--save`."""
        return {
            "sources": self.sources,
            "completeness": self.completeness,
            "references": self.references,
            "unresolved works": self.unresolved_works,
            "losses": self.losses,
            "papers with losses": self.lossy_papers,
            "conflicts": self.conflicts,
            "conflicting values": self.values,
        }

    def figures(self) -> dict[str, Any]:
        """The figures for `--json`."""
        return {
            "papers": self.papers,
            "cited_works": self.cited,
            "papers_of_several_sources": self.joint,
            "agreeing_papers": self.agreeing,
            "entries": self.entries,
            "unresolved_entries": self.unresolved,
            "pointers": self.pointers,
            "lost_pointers": self.lost,
            "sources": self.sources.to_pylist(),
            "completeness": self.completeness.to_pylist(),
            "references": self.references.to_pylist(),
            "unresolved_works": self.unresolved_works.to_pylist(),
            "losses": self.losses.to_pylist(),
            "conflicts": self.conflicts.to_pylist(),
        }


def _sum(column: pa.ChunkedArray) -> int:
    return int(pc.sum(column).as_py() or 0)


def read_quality(store: GraphStore, progress: Progress = silent) -> Quality:
    """Counts completeness, references, losses and conflicts of a whole store.

    Reads the records of all papers that several sources have; the graph is not changed.

    Args:
        store: the graph.
        progress: receives one line per stage.
    """
    progress("counting fields and references")
    references = store.read(query("report/references"))
    lost, pointers, lossy = _read_losses(store)
    comparison = compare_sources(store, progress)
    alone = store.read(query("report/completeness_of_sources")).to_pylist()
    return Quality(
        sources=_list_sources(store, alone, references, lost=lost, pointers=pointers),
        completeness=_list_completeness(store, alone, comparison),
        references=references,
        unresolved_works=store.read(query("report/unresolved_works"), limit=_SHOWN),
        losses=_table(
            ("source", "reason", "lost"), [(*key, n) for key, n in sorted(lost.items())], texts=2
        ),
        lossy_papers=_table(("id", "source", "pointers", "lost"), lossy[:_SHOWN], texts=2),
        conflicts=_table(
            ("field", "compared", "disagree"),
            [
                (item.name, comparison.compared[item.name], comparison.disagreeing[item.name])
                for item in COMPARED
            ],
            texts=1,
        ),
        values=comparison.table,
        joint=comparison.papers,
        agreeing=comparison.agreeing,
    )


def _table(names: tuple[str, ...], rows: list[tuple[Any, ...]], *, texts: int) -> pa.Table:
    """A table of rows whose first columns are text, and the others whole numbers."""
    types = [pa.string() if place < texts else pa.int64() for place in range(len(names))]
    schema = pa.schema(list(zip(names, types, strict=True)))
    return pa.Table.from_pylist([dict(zip(names, row, strict=True)) for row in rows], schema)


def _read_losses(
    store: GraphStore,
) -> tuple[Counter[tuple[str, str]], Counter[str], list[tuple[str, str, int, int]]]:
    """Losses by source and reason, pointers by source, and papers with losses, most first."""
    lost, pointers = Counter[tuple[str, str]](), Counter[str]()
    papers = []
    for row in store.read(query("ingest/losses")).to_pylist():
        account, source = json.loads(row["losses"]), row["text_source"]
        if source is None:
            continue
        pointers[source] += account["anchors"]
        for reason, number in account["lost"].items():
            lost[source, reason] += number
        if number := sum(account["lost"].values()):
            papers.append((row["id"], source, account["anchors"], number))
    return +lost, pointers, sorted(papers, key=lambda paper: (-paper[3], paper[0]))


def _list_sources(
    store: GraphStore,
    alone: list[dict[str, Any]],
    references: pa.Table,
    *,
    lost: Counter[tuple[str, str]],
    pointers: Counter[str],
) -> pa.Table:
    only = {row["source"]: row["papers"] for row in alone}
    entries = Counter[str]()
    for row in references.to_pylist():
        entries[row["source"]] += row["entries"]
    rows = [
        (
            row["source"],
            row["papers"],
            only.get(row["source"], 0),
            row["with_text"],
            entries[row["source"]],
            pointers[row["source"]],
            sum(n for (source, _), n in lost.items() if source == row["source"]),
        )
        for row in store.read(query("ingest/sources")).to_pylist()
    ]
    return _table(_SOURCES, rows, texts=1)


def _list_completeness(
    store: GraphStore, alone: list[dict[str, Any]], comparison: Comparison
) -> pa.Table:
    """A row for all loaded papers, one for each source, and the same for cited works."""
    counted = {source: Counter(counts) for source, counts in comparison.filled.items()}
    for row in alone:
        counts = counted.setdefault(row["source"], Counter())
        counts.update({name: row[name] for name in ("papers", *FILLED)})
    whole = {row["loaded"]: row for row in store.read(query("report/completeness")).to_pylist()}
    rows: list[tuple[Any, ...]] = []
    if True in whole:
        rows.append((LOADED, "", *(whole[True][name] for name in ("papers", *FILLED))))
    for source in sorted(counted):
        own = counted[source]
        rows.append((LOADED, source, *(own[name] for name in ("papers", *FILLED))))
    cited = [{**whole[False], "source": ""}] if False in whole else []
    for row in (*cited, *store.read(query("report/completeness_of_works")).to_pylist()):
        numbers = [None if name in NOT_OF_WORKS else row[name] for name in FILLED]
        rows.append((CITED, row["source"], row["papers"], *numbers))
    return _table(_COMPLETENESS, rows, texts=2)
