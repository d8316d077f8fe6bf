"""The citations around some papers, filtered, the most important first."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import ConfigError
from citescape.core.extras import require
from citescape.explore.config import Direction, Filters
from citescape.importance.components import TABLE
from citescape.papers.identify import find_paper
from citescape.papers.notices import compare_dates
from citescape.runs.context import Context
from citescape.runs.result import Part, Result, Summary, Table, plural
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query
from citescape.store.state import IMPORTANCE_RUN, read_meta

if TYPE_CHECKING:
    from citescape.explore.notebook.widget import EdgeExplorer

_SHOWN = 20
"""Citations in the summary."""
_DATED = ["id", "year", "date", "notice", "notice_date"]
_NO_SCORE = -1.0
"""Citations without a score are behind all others."""


@dataclass(frozen=True)
class CitationNeighbourhood(Result):
    """Papers within some citations of seeds, and the citations between all of them."""

    seeds: tuple[str, ...]
    papers: pa.Table
    """`id`, `title`, `year`, `surnames`, `venue`, `type`, `fulltext`, `date`; `notice` (such as
    `retracted`; null without one), `notice_date`, `notice_year`, `notice_doi`, `notice_source`;
    `hops` (0 for seeds)."""
    citations: pa.Table
    """`citing`, `cited`, `importance`, `self`, `mentions`, `f_*`, `n_*`, `title_similarity`,
    `timing` (`before`, `same`, `after` the notice about the cited work, `unknown`, or `notice`, if
    the citing paper is the notice; null without one); the most important first."""
    neighbours: int
    """Number of papers that pass the filters, of which `papers` has the most important."""
    edges: int
    """Number of citations of the seeds that pass the filters."""
    run: str | None
    """Run of the scores in the graph; None before `platform score`."""
    weights: dict[str, float]
    """Weights of its components."""
    context: Context | None = field(default=None, repr=False, compare=False)
    """Where the citations can be explained; None for a network without its corpus."""

    @property
    def arrow(self) -> pa.Table:
        """A row per citation."""
        return self.citations

    def tables(self) -> dict[str, pa.Table]:
        """Citations and papers."""
        return {"citations": self.citations, "papers": self.papers}

    def summarise(self) -> Summary:
        """The most important citations, and how many there are."""
        titles = dict(zip(*self.papers.select(["id", "title"]).to_pydict().values(), strict=True))
        shown = self.citations.slice(0, _SHOWN)
        rows = [
            (row["importance"], row["citing"], row["cited"], _title(row, self.seeds, titles))
            for row in shown.to_pylist()
        ]
        around = len(self.papers) - len(self.seeds)
        cut = f", the {around:,} most important first" if around < self.neighbours else ""
        parts: list[Part] = [
            f"{plural(self.neighbours, 'paper')} around {', '.join(self.seeds)}{cut}; "
            f"{plural(len(self.citations), 'citation')} between them",
            "",
            Table(("importance", "citing", "cited", "title of the other"), rows),
        ]
        if len(self.citations) > _SHOWN:
            parts.append(f"{len(self.citations) - _SHOWN:,} more citations")
        figures = {
            "seeds": list(self.seeds),
            "neighbours": self.neighbours,
            "edges": self.edges,
            "run": self.run,
            "weights": self.weights,
            "papers": self.papers.to_pylist(),
            "citations": self.citations.to_pylist(),
        }
        return Summary(parts, figures)

    def weigh(self, weights: Mapping[str, float]) -> CitationNeighbourhood:
        """The same citations with the importance that other weights give them, ranked by it.

        importance = sum of weight x value over the components of `weights`, as in Eq. 1 (CIA). It
        is null where a value is missing; a missing `T` counts as 0.

        Args:
            weights: weights by component: I, M, R, D, other, S, T.

        Raises:
            ConfigError: no such component.
        """
        if unknown := sorted(weights.keys() - TABLE.keys()):
            raise ConfigError(f"no component {unknown[0]!r}; expected {', '.join(TABLE)}")
        total = np.zeros(len(self.citations))
        for name, weight in weights.items():
            values = pc.cast(self.citations[TABLE[name].column], pa.float64())
            if name == "T" or weight == 0:
                values = pc.fill_null(values, 0.0)
            total = total + weight * values.to_numpy()
        column = self.citations.schema.get_field_index("importance")
        importance = pa.array(total, pa.float64(), from_pandas=True)
        citations = self.citations.set_column(column, "importance", importance)
        return replace(self, citations=_sort(citations), weights=dict(weights), run=None)

    def explore(self) -> EdgeExplorer:
        """An interactive view for notebooks, linked to data frames.

        Raises:
            ConfigError: anywidget or pandas is not installed.
        """
        require("anywidget", "pandas")
        from citescape.explore.notebook.widget import EdgeExplorer

        return EdgeExplorer(self)

    def to_svg(self) -> str:
        """The network as an SVG picture."""
        from citescape.explore.notebook.picture import draw_network

        return draw_network(self)


def find_neighbourhood(
    store: GraphStore, papers: Sequence[str], filters: Filters, *, hops: int, limit: int
) -> CitationNeighbourhood:
    """The citations around some papers.

    Each hop follows the most important citations first; the last citations are those between all
    papers, so that triangles are seen.

    Args:
        store: the graph.
        papers: identifiers of the seeds.
        filters: which citations and papers are followed.
        hops: maximum number of citations between a paper and a seed.
        limit: maximum number of papers besides the seeds.

    Raises:
        ConfigError: no such paper.
    """
    seeds = list(dict.fromkeys(find_paper(store, paper).id for paper in papers))
    distance = dict.fromkeys(seeds, 0)
    frontier, neighbours, edges = seeds, 0, 0
    for hop in range(1, hops + 1):
        around = filters.select_citations(_read_edges(store, frontier, filters.direction))
        reached = _rank_ends(around, distance)
        if filters.years or filters.types:
            kept = filters.select_papers(_read_papers(store, reached.to_pylist()))
            reached = reached.filter(pc.is_in(reached, value_set=kept["id"].combine_chunks()))
        neighbours += len(reached)
        if hop == 1:
            edges = len(around)
        frontier = reached[: max(limit + len(seeds) - len(distance), 0)].to_pylist()
        distance.update(dict.fromkeys(frontier, hop))
        if not frontier:
            break
    every = list(distance)
    inside = pa.array(every, pa.string())
    between = store.read(query("explorer/edges_between"), papers=every)
    between = filters.select_citations(between)
    described = _read_papers(store, every)
    order = pc.index_in(inside, value_set=described["id"].combine_chunks())
    hop_numbers = pa.array(list(distance.values()), pa.int64())
    table = described.take(order).append_column("hops", hop_numbers)
    run, weights = read_weights(store)
    citations = _with_timing(store, _sort(between), table)
    return CitationNeighbourhood(tuple(seeds), table, citations, neighbours, edges, run, weights)


def _with_timing(store: GraphStore, citations: pa.Table, papers: pa.Table) -> pa.Table:
    """The citations with the column `timing`: before or after the notice about the cited work."""
    by_id = {row["id"]: row for row in papers.select(_DATED).to_pylist()}
    noted = [id_ for id_, row in by_id.items() if row["notice"] is not None]
    timing: list[str | None] = [None] * len(citations)
    if noted:
        issued = store.read(query("explorer/notices_around"), papers=noted).to_pylist()
        notices = {(row["citing"], row["cited"]) for row in issued}
        pairs = zip(citations["citing"].to_pylist(), citations["cited"].to_pylist(), strict=True)
        for place, (citing, cited) in enumerate(pairs):
            if by_id[cited]["notice"] is None:
                continue
            if (citing, cited) in notices:
                timing[place] = "notice"
                continue
            date = by_id[citing]["date"] or str(by_id[citing]["year"] or "")
            timing[place] = compare_dates(date, by_id[cited]["notice_date"])
    return citations.append_column("timing", pa.array(timing, pa.string()))


def read_weights(store: GraphStore) -> tuple[str | None, dict[str, float]]:
    """The run of the current scores, and its weights by component; None before scoring."""
    run = read_meta(store, IMPORTANCE_RUN)
    rows = store.read(query("features/explain_run"), run=run or "").to_pylist()
    if not rows:
        return None, {}
    components = json.loads(rows[0]["counts"])["components"]
    return run, {row["component"]: row["weight"] for row in components}


def _read_edges(store: GraphStore, papers: list[str], direction: Direction) -> pa.Table:
    """Citations that leave or reach papers, each once."""
    read = [
        store.read(query(f"explorer/{name}"), papers=papers)
        for name, other in (("edges_from", "citing"), ("edges_to", "references"))
        if direction != other
    ]
    if len(read) == 2:  # a citation between two of the papers is in both
        inside = pa.array(papers, pa.string())
        read[1] = read[1].filter(pc.invert(pc.is_in(read[1]["citing"], value_set=inside)))
    return pa.concat_tables(read, promote_options="permissive")


def _read_papers(store: GraphStore, papers: list[str]) -> pa.Table:
    return store.read(query("explorer/described"), papers=papers)


def _sort(edges: pa.Table) -> pa.Table:
    """By importance, then mentions, then ids; citations without a score last."""
    score = pc.fill_null(edges["importance"], _NO_SCORE)
    mentions = pc.fill_null(edges["mentions"], 0)
    keyed = edges.append_column("_score", score).append_column("_mentions", mentions)
    keys = [("_score", "descending"), ("_mentions", "descending")]
    ordered = keyed.sort_by([*keys, ("citing", "ascending"), ("cited", "ascending")])
    return ordered.drop_columns(["_score", "_mentions"])


def _rank_ends(edges: pa.Table, known: Iterable[str]) -> pa.Array:
    """Other ends of citations, each once, the most important first."""
    edges = _sort(edges)
    both = pa.chunked_array([edges["cited"], edges["citing"]], pa.string()).combine_chunks()
    rows = np.arange(2 * len(edges)).reshape(2, -1).T.ravel()
    ends = both.take(pa.array(rows)).unique()
    return ends.filter(pc.invert(pc.is_in(ends, value_set=pa.array(known, pa.string()))))


def _title(row: dict[str, object], seeds: Sequence[str], titles: dict[str, str | None]) -> str:
    other = row["cited"] if row["citing"] in seeds else row["citing"]
    return titles.get(str(other)) or ""
