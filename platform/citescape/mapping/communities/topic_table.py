"""Topics as a table, one row per community."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from citescape.mapping.communities.diversity import build_profiles, measure_diversity
from citescape.mapping.communities.fields import Fields, find_main_fields
from citescape.mapping.communities.labels import (
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
"""One row per topic: label (null without candidates), papers, parent community, mean year and
papers by year, main field, DIV, importance received by its papers, label candidates with scores and
their numbers of papers, and the papers with the most importance received."""


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
        papers: papers of the core.
        labels: (papers,) rows of `communities`, -1 for papers without a community.
        communities: `name` and `parent`, in the order of labels.
        fields: fields of the papers.
        top: maximum number of terms and of papers per topic.

    Returns:
        (communities,) rows of `SCHEMA`.
    """
    names = communities["name"].to_pylist()
    parents = communities["parent"].cast(pa.string()).to_pylist()
    members = build_members(labels, len(names))
    candidates = find_candidates(papers.documents, members, top=top)
    topic_labels = choose_labels(candidates)
    main_fields = find_main_fields(fields, members)
    profiles = build_profiles(fields, papers.citations, papers.works)
    diversity = measure_diversity(fields, members, profiles)
    has_weight = papers.weight != NOTHING

    topics = []
    for place, name in enumerate(names):
        rows = members.indices[members.indptr[place] : members.indptr[place + 1]]
        years = papers.years[rows]
        years = years[~np.isnan(years)]
        values, counts = np.unique(years.astype(np.int64), return_counts=True)
        by_year = zip(values.tolist(), counts.tolist(), strict=True)
        # Papers with the most importance received; ties: the lowest id.
        best = rows[np.lexsort((rows, -papers.received[rows]))][:top].tolist()
        topic = {
            "name": name,
            "label": topic_labels[place],
            "size": len(rows),
            "parent": parents[place],
            "mean_year": float(years.mean()) if len(years) else None,
            "years": [{"year": year, "papers": count} for year, count in by_year],
            "field": main_fields[place],
            "diversity": diversity[place],
            "importance": float(papers.received[rows].sum()) if has_weight else None,
            "terms": [
                {"term": term.term, "score": term.score, "papers": term.papers}
                for term in candidates[place]
            ],
            "papers": [
                {
                    "id": papers.ids[row].as_py(),
                    "title": papers.documents[row].title,
                    "year": None if np.isnan(papers.years[row]) else int(papers.years[row]),
                    "importance": float(papers.received[row]) if has_weight else None,
                }
                for row in best
            ],
        }
        topics.append(topic)
    return pa.Table.from_pylist(topics, SCHEMA)


def flatten_topics(table: pa.Table) -> pa.Table:
    """Converts lists of topics to text, for CSV: `a; b` for terms and ids of papers.

    Years become `2017: 4; 2018: 9`.
    """
    for name in ("years", "terms", "papers"):
        texts = []
        for items in table[name].to_pylist():
            if name == "years":
                texts.append("; ".join(f"{item['year']}: {item['papers']}" for item in items))
            else:
                key = "term" if name == "terms" else "id"
                texts.append("; ".join(item[key] for item in items))
        place = table.column_names.index(name)
        table = table.set_column(place, name, pa.array(texts, pa.string()))
    return table
