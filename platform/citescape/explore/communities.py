"""The communities of the graph: topics, works they cite, and the part of self-citations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.config import quote_command
from citescape.core.errors import ConfigError, list_some
from citescape.core.near import find_near
from citescape.explore.neighbourhood import read_weights
from citescape.mapping.communities.fields import is_article_type
from citescape.runs.result import Part, Result, Summary, Table, plural
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query
from citescape.store.state import CLUSTER_RUN, read_meta

_CITING = ("references", "scored", "importance", "self_citations", "self_importance")
_RECEIVED = ("cited_by", "received")
_SHOWN = ("label", "papers", "references", "self_share", "self_importance_share")
_HEADER = ("name", "label", "papers", "references", "self-citations", "self of importance")


@dataclass(frozen=True)
class CommunityTable(Result):
    """Communities of one level, the largest first."""

    run: str
    """Run of the clustering."""
    level: str
    levels: tuple[str, ...]
    """All levels of the clustering, the coarsest first."""
    table: pa.Table
    """`name`, `label`, `field`, `terms`, `papers`, `mean_year`, `diversity`, `part_of`,
    `references` (citations by its papers), `self_share` (share of self-citations in them),
    `self_importance_share` (their share of the importance), `cited_by` and `received` (citations
    and importance that its papers receive). Shares are null before `platform score`."""
    whole: dict[str, float | None]
    """`self_share` and `self_importance_share` of all communities of the level together."""
    weights: dict[str, float]
    """Weights of the score by component, of which S is added for each self-citation."""

    @property
    def arrow(self) -> pa.Table:
        """A row per community."""
        return self.table

    def summarise(self) -> Summary:
        """Size, topic and self-citations of each community."""
        rows = self.table.to_pylist()
        text = f"{plural(len(rows), 'community', 'communities')}: level {self.level} of {self.run}"
        figures = {
            "run": self.run,
            "level": self.level,
            "levels": list(self.levels),
            "communities": rows,
            "whole": self.whole,
            "weights": self.weights,
        }
        return Summary([text, "", _list(rows)], figures)


@dataclass(frozen=True)
class CommunityDetails(Result):
    """One community: its papers, the works they cite, years, subjects, and the parts."""

    run: str
    row: dict[str, Any]
    """The row of `CommunityTable`, with `level`."""
    works: pa.Table
    """Works that its papers cite with the most importance: `id`, `title`, `year`, `surnames`,
    `venue`, `notice`, `notice_year`, `citations`, `importance`, `self_importance`, `rank`, and
    `rank_without_self`, the rank if self-citations are left out."""
    papers: pa.Table
    """Its papers with the most importance received: `id`, `title`, `year`, `surnames`, `venue`,
    `notice`, `notice_year`, `cited_by`, `importance`."""
    works_total: int
    """Number of works that its papers cite, of which `works` has the first."""
    years: dict[int, int]
    """Year of publication -> number of papers."""
    subjects: list[tuple[str, int]]
    """Subject headings of journals and numbers of papers, the most frequent first."""
    parts: pa.Table
    """Communities of the next level that are part of this one."""

    @property
    def arrow(self) -> pa.Table:
        """A row per cited work."""
        return self.works

    def tables(self) -> dict[str, pa.Table]:
        """Cited works, papers, and the communities below."""
        return {"works": self.works, "papers": self.papers, "parts": self.parts}

    def summarise(self) -> Summary:
        """The topic, the most important works, and the communities below."""
        row = self.row
        works = self.works.select(["rank", "rank_without_self", "importance", "id", "title"])
        parts: list[Part] = [
            f"{row['name']}: {row['label'] or 'no label'}, {plural(row['papers'], 'paper')}",
            f"terms: {', '.join(row['terms'] or []) or 'none'}",
            f"subjects: {list_some([f'{name} ({n})' for name, n in self.subjects]) or 'none'}",
            f"years: {', '.join(f'{year} ({n})' for year, n in self.years.items()) or 'unknown'}",
            "",
            Table(
                ("rank", "without self", "importance", "cited work", "title"),
                [tuple(work.values()) for work in works.to_pylist()],
            ),
        ]
        if len(self.parts):
            parts += ["", _list(self.parts.to_pylist())]
        figures = {
            "run": self.run,
            **row,
            "years": [{"year": year, "papers": n} for year, n in self.years.items()],
            "subjects": [{"subject": name, "papers": n} for name, n in self.subjects],
            "works": self.works.to_pylist(),
            "works_total": self.works_total,
            "members": self.papers.to_pylist(),
            "parts": self.parts.to_pylist(),
        }
        return Summary(parts, figures)


def read_communities(store: GraphStore, level: str) -> CommunityTable:
    """The communities of one level.

    Args:
        store: the graph.
        level: name of the level; empty for the middle one.

    Raises:
        ConfigError: the graph has no communities, or no such level.
    """
    run, rows = _read_rows(store)
    levels = _list_levels(rows)
    chosen = level or levels[len(levels) // 2]
    if chosen not in levels:
        raise ConfigError(f"no level {level!r} in {run}; expected {', '.join(levels)}")
    table = rows.filter(pc.equal(rows["level"], chosen))
    sums = {name: pc.sum(table[name]).as_py() or 0 for name in _CITING}
    _, weights = read_weights(store)
    return CommunityTable(run, chosen, levels, _add_shares(table), _compute_shares(sums), weights)


def read_community(store: GraphStore, name: str, limit: int) -> CommunityDetails:
    """One community.

    Args:
        store: the graph.
        name: its name, such as `meso-3`.
        limit: maximum number of cited works and of papers.

    Raises:
        ConfigError: the graph has no communities, or none of this name.
    """
    run, rows = _read_rows(store)
    named = rows.filter(pc.equal(rows["name"], name))
    if not len(named):
        names = rows["name"].to_pylist()
        near = find_near(name, names) or names
        raise ConfigError(f"no community {name!r} in {run}; expected {list_some(near)}")
    (row,) = _add_shares(named).to_pylist()
    row["level"] = named["level"][0].as_py()
    parts = rows.filter(pc.equal(pc.fill_null(rows["part_of"], ""), name))
    id_ = named["id"][0].as_py()
    members = store.read(query("explorer/community_members"), community=id_)
    counts = pc.value_counts(members["year"].drop_null()).to_pylist()
    years = dict(sorted((item["values"], item["counts"]) for item in counts))
    subjects = store.read(query("explorer/community_subjects"), community=id_).to_pylist()
    fields = sorted(
        ((item["subject"], item["papers"]) for item in subjects),
        key=lambda item: (-item[1], item[0]),
    )
    keys = [("importance", "descending"), ("cited_by", "descending"), ("id", "ascending")]
    works = _rank_works(store.read(query("explorer/community_works"), community=id_))
    return CommunityDetails(
        run,
        row,
        works.slice(0, limit),
        members.sort_by(keys).slice(0, limit),
        len(works),
        years,
        [field for field in fields if not is_article_type(field[0])],
        _add_shares(parts),
    )


def _rank_works(works: pa.Table) -> pa.Table:
    """Adds the ranks by importance with and without self-citations; equal values: by id."""
    works = works.sort_by("id")
    importance = np.asarray(works["importance"])
    order = np.argsort(-importance, kind="stable")
    others = np.argsort(-(importance - np.asarray(works["self_importance"])), kind="stable")
    place = np.empty(len(works), np.int64)
    for name, rows in (("rank", order), ("rank_without_self", others)):
        place[rows] = np.arange(1, len(works) + 1)
        works = works.append_column(name, pa.array(place.copy()))
    return works.take(pa.array(order)).drop_columns(["scored"])


def _read_rows(store: GraphStore) -> tuple[str, pa.Table]:
    """The clustering of the graph, and its communities with the citations of their papers."""
    run = read_meta(store, CLUSTER_RUN)
    rows = store.read(query("explorer/community_rows"), run=run or "")
    if not run or not len(rows):
        raise ConfigError(
            f"the graph has no communities; run {quote_command('cluster', store.location)}, then "
            f"{quote_command('topics', store.location)} for their labels"
        )
    for name, columns in (("community_citations", _CITING), ("community_received", _RECEIVED)):
        sums = store.read(query(f"explorer/{name}"), run=run)
        place = pc.index_in(rows["id"], value_set=sums["id"].combine_chunks())
        for column in columns:
            rows = rows.append_column(column, pc.fill_null(sums[column].take(place), 0))
    keys = [("papers", "descending"), ("level", "ascending"), ("name", "ascending")]
    return run, rows.sort_by(keys)


def _list_levels(rows: pa.Table) -> tuple[str, ...]:
    """Levels by number of communities, the coarsest first."""
    counts = pc.value_counts(rows["level"]).to_pylist()
    return tuple(item["values"] for item in sorted(counts, key=lambda item: item["counts"]))


def _add_shares(rows: pa.Table) -> pa.Table:
    """Replaces the sums over self-citations by their shares."""
    shares = [_compute_shares(row) for row in rows.select(_CITING).to_pylist()]
    columns = ["name", "label", "field", "terms", "papers", "mean_year", "diversity", "part_of"]
    table = rows.select([*columns, "references", *_RECEIVED])
    for name in ("self_share", "self_importance_share"):
        table = table.append_column(name, pa.array([row[name] for row in shares], pa.float64()))
    return table


def _compute_shares(sums: dict[str, Any]) -> dict[str, float | None]:
    """Shares of self-citations in scored citations and in their importance; None without any."""
    scored, importance = sums["scored"], sums["importance"]
    return {
        "self_share": sums["self_citations"] / scored if scored else None,
        "self_importance_share": sums["self_importance"] / importance if importance else None,
    }


def _list(rows: list[dict[str, Any]]) -> Table:
    return Table(_HEADER, [(row["name"], *(row[name] for name in _SHOWN)) for row in rows])
