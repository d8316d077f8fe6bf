"""Topics as a table: a row a community."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa

from citescape.mapping.communities.diversity import build_profiles, measure_diversity
from citescape.mapping.communities.fields import Fields, find_main_fields
from citescape.mapping.communities.labels import (
    Candidate,
    build_members,
    choose_labels,
    find_candidates,
)
from citescape.mapping.communities.topic_papers import NOTHING, TopicPapers

_TERM = {"term": pa.string(), "score": pa.float64(), "papers": pa.int64()}
_YEAR = {"year": pa.int64(), "papers": pa.int64()}
_PAPER = {"id": pa.string(), "title": pa.string(), "year": pa.int64(), "importance": pa.float64()}
SCHEMA = pa.schema(
    {
        "name": pa.string(),
        "label": pa.string(),
        "size": pa.int64(),
        "parent": pa.string(),
        "mean_year": pa.float64(),
        "years": pa.list_(pa.struct(_YEAR)),
        "field": pa.string(),
        "diversity": pa.float64(),
        "importance": pa.float64(),
        "terms": pa.list_(pa.struct(_TERM)),
        "papers": pa.list_(pa.struct(_PAPER)),
    }
)
"""A row a topic: what it is about (null where nothing tells), papers, the community above it, mean
year and papers by year, main field, DIV, importance received by its papers, label candidates with
scores and the papers that have them, and the papers with the most importance received."""


def build_topic_table(
    papers: TopicPapers,
    labels: np.ndarray,
    communities: pa.Table,
    *,
    fields: Fields,
    top: int = 10,
) -> pa.Table:
    """Describes communities by their papers.

    Args:
        papers: of the clustering's core.
        labels: (papers,) rows of `communities`, -1 for none.
        communities: `name` and `parent`, in the order of labels.
        fields: of the papers.
        top: terms and papers listed of each.

    Returns:
        (communities,) see `SCHEMA`.
    """
    names = communities["name"].to_pylist()
    members = build_members(labels, len(names))
    candidates = find_candidates(papers.documents, members, top=top)
    profiles = build_profiles(fields, papers.citations, papers.works)
    inside = [
        members.indices[a:b] for a, b in zip(members.indptr, members.indptr[1:], strict=False)
    ]
    columns = {
        "name": names,
        "label": choose_labels(candidates, names),
        "size": [len(rows) for rows in inside],
        "parent": communities["parent"].cast(pa.string()).to_pylist(),
        "mean_year": [_mean_year(papers, rows) for rows in inside],
        "years": [_count_years(papers, rows) for rows in inside],
        "field": find_main_fields(fields, members),
        "diversity": measure_diversity(fields, members, profiles),
        "importance": [_sum_importance(papers, rows) for rows in inside],
        "terms": [_tell_terms(of) for of in candidates],
        "papers": [_list_papers(papers, rows, top) for rows in inside],
    }
    return pa.table(columns, schema=SCHEMA)


def _mean_year(papers: TopicPapers, rows: np.ndarray) -> float | None:
    """Of those that have one."""
    years = papers.years[rows]
    known = years[~np.isnan(years)]
    return float(known.mean()) if len(known) else None


def _count_years(papers: TopicPapers, rows: np.ndarray) -> list[dict[str, int]]:
    years = papers.years[rows]
    found, counts = np.unique(years[~np.isnan(years)].astype(np.int64), return_counts=True)
    told = zip(found.tolist(), counts.tolist(), strict=True)
    return [{"year": year, "papers": count} for year, count in told]


def _sum_importance(papers: TopicPapers, rows: np.ndarray) -> float | None:
    return None if papers.weight == NOTHING else float(papers.received[rows].sum())


def _tell_terms(candidates: Sequence[Candidate]) -> list[dict[str, object]]:
    return [{"term": of.term, "score": of.score, "papers": of.papers} for of in candidates]


def _list_papers(papers: TopicPapers, rows: np.ndarray, top: int) -> list[dict[str, object]]:
    """Those with the most importance received; of equals the lowest id."""
    ordered = rows[np.lexsort((rows, -papers.received[rows]))][:top]
    return [_tell_paper(papers, int(row)) for row in ordered]


def _tell_paper(papers: TopicPapers, row: int) -> dict[str, object]:
    year = papers.years[row]
    return {
        "id": papers.ids[row].as_py(),
        "title": papers.documents[row].title,
        "year": None if np.isnan(year) else int(year),
        "importance": None if papers.weight == NOTHING else float(papers.received[row]),
    }


def flatten_topics(table: pa.Table) -> pa.Table:
    """Topics with text in place of lists, as CSV needs it: `a; b` for terms and ids of papers.

    Args:
        table: see `SCHEMA`; years become `2017: 4; 2018: 9`.
    """
    rows = table.select(["terms", "papers", "years"]).to_pylist()
    texts = {
        "years": [_join(f"{one['year']}: {one['papers']}" for one in row["years"]) for row in rows],
        "terms": [_join(one["term"] for one in row["terms"]) for row in rows],
        "papers": [_join(one["id"] for one in row["papers"]) for row in rows],
    }
    for name, column in texts.items():
        place = table.column_names.index(name)
        table = table.set_column(place, name, pa.array(column, pa.string()))
    return table


def _join(texts: Iterable[str]) -> str:
    return "; ".join(texts)
