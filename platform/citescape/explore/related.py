"""Works that several seeds cite, and papers that cite several seeds, by importance and by count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.explore.aggregates import WORK, Side, add_citations, rank_down, read_edges
from citescape.papers.paper_index import PaperIndex
from citescape.papers.references import ReferenceList
from citescape.runs.result import Part, Result, Summary, Table, Text, plural
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

_SHOWN = 20
"""Works per table of the summary."""
_TITLE = 60
_NOTICE = ("notice", "notice_year")
RELATED = pa.schema(
    {
        "rank": pa.int64(),
        **WORK,
        "seeds": pa.int64(),
        "importance": pa.float64(),
        "rank_importance": pa.float64(),
        "rank_count": pa.float64(),
        "difference": pa.float64(),
        "seed_ids": pa.list_(pa.string()),
    }
)
"""`seeds`: number of seeds that cite the work, or that the paper cites. `importance`: sum over
those citations, of which those without a score add 0. Ranks are among all works before the table is
cut; equal values share the mean rank. `difference` = `rank_count` - `rank_importance`: positive
where importance ranks the work higher than the count does. With a single seed every count is 1:
`rank_count` and `difference` are null."""


@dataclass(frozen=True)
class RelatedWorks:
    """Works on one side of the seeds."""

    table: pa.Table
    """The first works, with the columns of `RELATED`."""
    works: int
    """Number of works with enough seeds, of which the table has the first."""
    fewer: int
    """Number of works with fewer seeds."""


@dataclass(frozen=True)
class RelatedPapers(Result):
    """Prior and derivative works of some seeds."""

    seeds: pa.Table
    """`id`, `title`, `year`, `surnames`, `notice`, `notice_year`, `fulltext`, `given`: the papers,
    and how they were named."""
    missing: pa.Table
    """`key`, `title`, `year`, `near`: references without a paper of the graph."""
    prior: RelatedWorks
    """Works that the seeds cite."""
    derivative: RelatedWorks
    """Papers that cite the seeds."""
    min_seeds: int
    """Minimum number of seeds of a work."""
    order: str
    """`importance`, or `count` if no citation of the seeds has a score."""
    unscored: int
    """Number of citations of the seeds without a score."""
    notes: tuple[str, ...]

    @property
    def arrow(self) -> pa.Table:
        """A row per prior work."""
        return self.prior.table

    def tables(self) -> dict[str, pa.Table]:
        """Prior works, derivative works, seeds, and references that were not found."""
        return {
            "prior": self.prior.table,
            "derivative": self.derivative.table,
            "seeds": self.seeds,
            "not found": self.missing,
        }

    def summarise(self) -> Summary:
        """The first prior and derivative works with both ranks."""
        parts: list[Part] = [plural(len(self.seeds), "seed")]
        for row in self.seeds.slice(0, _SHOWN).to_pylist():
            parts.append(Text(f"{row['id']}  {row['title'] or ''}", "  ", "      "))
        if len(self.seeds) > _SHOWN:
            parts.append(f"  {len(self.seeds) - _SHOWN:,} more")
        if len(self.missing):
            parts += ["", f"not found: {len(self.missing):,}"]
        for row in self.missing.slice(0, _SHOWN).to_pylist():
            near = f"; similar: {', '.join(row['near'])}" if row["near"] else ""
            parts.append(Text(f"{row['key']}{near}", "  ", "      "))
        several = f"{self.min_seeds} or more seeds" if self.min_seeds > 1 else "the seeds"
        for works, words in (
            (self.prior, f"prior works: cited by {several}"),
            (self.derivative, f"derivative works: papers that cite {several}"),
        ):
            parts += ["", *self._list(works, words)]
        if self.order == "count":
            parts += [
                "",
                "no citation has a score, so that works are ranked by count; run `platform score`",
            ]
        elif self.unscored:
            parts += ["", f"{plural(self.unscored, 'citation')} without a score: they add 0"]
        figures = {
            "seeds": self.seeds.to_pylist(),
            "missing": self.missing.to_pylist(),
            "min_seeds": self.min_seeds,
            "order": self.order,
            "unscored": self.unscored,
            "notes": list(self.notes),
            **{
                name: {
                    "works": works.works,
                    "fewer": works.fewer,
                    "table": works.table.to_pylist(),
                }
                for name, works in (("prior", self.prior), ("derivative", self.derivative))
            },
        }
        return Summary(parts, figures, remarks=self.notes)

    def _list(self, works: RelatedWorks, words: str) -> list[Part]:
        table = works.table.slice(0, _SHOWN)
        cut = f", the first {len(table)}" if len(table) < works.works else ""
        fewer = f"; {works.fewer:,} with fewer seeds" if works.fewer else ""
        header = ("importance", "seeds", "rank", "by count", "difference", "paper", "title")
        rows = [
            (
                row["importance"],
                row["seeds"],
                _show_rank(row["rank_importance"]),
                _show_rank(row["rank_count"]),
                _show_difference(row["difference"]),
                row["id"],
                _cut(row["title"] or ""),
            )
            for row in table.to_pylist()
        ]
        title = f"{words}: {works.works:,}{cut}{fewer}"
        return [Table(header, rows, title)] if rows else [title]


def find_related(
    store: GraphStore,
    index: PaperIndex,
    references: ReferenceList,
    *,
    min_seeds: int,
    limit: int,
) -> RelatedPapers:
    """Prior and derivative works of some seeds.

    Args:
        store: the graph.
        index: its papers.
        references: the seeds as given.
        min_seeds: minimum number of seeds of a work; 0 for 2, or 1 with a single seed.
        limit: maximum number of works on each side.
    """
    given = references.table
    matches = index.match(given)
    known = pc.is_valid(matches["paper"])
    named = pa.table({"id": matches["paper"], "given": given["key"]}).filter(known)
    first = named.group_by("id", use_threads=False).aggregate([("given", "first")])
    seeds = first["id"].to_pylist()
    described = store.read(query("explorer/described"), papers=seeds)
    order = pc.index_in(described["id"], value_set=first["id"].combine_chunks())
    described = (
        described.append_column("place", order)
        .sort_by("place")
        .append_column("given", first["given_first"])
    )
    missing = pa.table(
        {name: given[name] for name in ("key", "title", "year")} | {"near": matches["near"]}
    ).filter(pc.invert(known))
    least = min_seeds or (1 if len(seeds) == 1 else 2)
    sides = {side: add_citations(store, seeds, side) for side in ("references", "citing")}
    edges = sum(pc.sum(side["papers"]).as_py() or 0 for side in sides.values())
    scored = sum(pc.sum(side["scored"]).as_py() or 0 for side in sides.values())
    by = "importance" if scored else "count"
    prior, derivative = (
        _rank(store, side, found, seeds, least=least, by=by, limit=limit)
        for side, found in sides.items()
    )
    return RelatedPapers(
        described.select(["id", "title", "year", "surnames", *_NOTICE, "fulltext", "given"]),
        missing,
        prior,
        derivative,
        least,
        by,
        edges - scored,
        tuple(references.notes),
    )


def _rank(
    store: GraphStore,
    side: Side,
    found: pa.Table,
    seeds: Sequence[str],
    *,
    least: int,
    by: str,
    limit: int,
) -> RelatedWorks:
    """Works with enough seeds by rank; seeds themselves are left out."""
    outside = pc.invert(pc.is_in(found["id"], value_set=pa.array(seeds, pa.string())))
    found = found.filter(outside)
    kept = found.filter(pc.greater_equal(found["papers"], least))
    counts, importance = kept["papers"].to_numpy(), np.round(kept["importance"].to_numpy(), 12)
    by_count, by_importance = rank_down(counts), rank_down(importance)
    rows = np.arange(len(kept))
    keys = (rows, -counts, -importance) if by == "importance" else (rows, -counts)
    order = np.lexsort(keys)[:limit]
    shown = kept.take(pa.array(order))
    ids = shown["id"].to_pylist()
    papers = store.read(query("explorer/described"), papers=ids)
    place = pc.index_in(shown["id"], value_set=papers["id"].combine_chunks())
    papers = papers.take(place)
    single = len(seeds) == 1
    ranks = by_count[order]
    nothing = pa.nulls(len(order), pa.float64())
    table = pa.table(
        {
            "rank": np.arange(1, len(order) + 1),
            "id": shown["id"],
            **{name: papers[name] for name in ("title", "year", "surnames", *_NOTICE)},
            "seeds": shown["papers"],
            "importance": shown["importance"],
            "rank_importance": by_importance[order] if by == "importance" else nothing,
            "rank_count": nothing if single else ranks,
            "difference": (nothing if single or by == "count" else ranks - by_importance[order]),
            "seed_ids": _list_seeds(store, side, ids, seeds),
        },
        schema=RELATED,
    )
    return RelatedWorks(table, len(kept), len(found) - len(kept))


def _list_seeds(
    store: GraphStore, side: Side, works: Sequence[str], seeds: Sequence[str]
) -> list[list[str]]:
    """The seeds of each work, the most important citation first."""
    far, near = ("cited", "citing") if side == "references" else ("citing", "cited")
    edges = read_edges(store, works, "citing" if side == "references" else "references")
    edges = edges.filter(pc.is_in(edges[near], value_set=pa.array(seeds, pa.string())))
    score = pc.fill_null(edges["importance"], -1.0)
    edges = edges.append_column("_score", score)
    edges = edges.sort_by([("_score", "descending"), (near, "ascending")])
    by_work: dict[str, list[str]] = {work: [] for work in works}
    for work, seed in zip(edges[far].to_pylist(), edges[near].to_pylist(), strict=True):
        by_work[work].append(seed)
    return [by_work[work] for work in works]


def _show_rank(rank: float | None) -> str:
    return "" if rank is None else f"{rank:g}"


def _show_difference(difference: float | None) -> str:
    return "" if difference is None else "=" if not difference else f"{difference:+g}"


def _cut(text: str) -> str:
    return text if len(text) <= _TITLE else text[: _TITLE - 1].rstrip() + "…"
