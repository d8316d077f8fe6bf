"""Tables of the report: library query and columns of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from citescape.core.types import FACETS

Row = Mapping[str, Any]


@dataclass(frozen=True)
class TableQuestion:
    """A table of the page and its library query."""

    anchor: str
    title: str
    text: str
    """Caption, one or two sentences."""
    query: str
    columns: Mapping[str, str]
    """Column of the query -> header."""
    missing: str
    """Command that computes the data of the table."""
    params: Mapping[str, object] = field(default_factory=dict)
    arrange: Callable[[list[Row]], list[Row]] = list
    """Converts rows of the query to rows of the table."""


def list_intents(rows: list[Row]) -> list[Row]:
    """One row per intent; no rows without labels."""
    (row,) = rows
    intents: list[Row] = [
        {"intent": name, "citations": row[f"{name}_edges"], "contexts": row[f"{name}_contexts"]}
        for name in FACETS
    ]
    if not any(intent["contexts"] for intent in intents):
        return []
    missing = {"intent": "not labelled", "citations": row["not_labelled"], "contexts": None}
    return [*intents, missing] if row["not_labelled"] else intents


QUESTIONS = (
    TableQuestion(
        "works",
        "Works that matter",
        "Works by the importance of all citations they receive, with the number of mentions in "
        "each type of section. Not a ranking by count: a work cited once in passing adds little.",
        "report/works",
        {
            "title": "Work",
            "year": "Year",
            "cited_by": "Cited by",
            "importance": "Importance",
            "introduction": "Introduction",
            "methods": "Methods",
            "results": "Results",
            "discussion": "Discussion",
            "self_citations": "Self-citations",
        },
        "score",
    ),
    TableQuestion(
        "sections",
        "Citations by section",
        "In-text citations by type of section, and the mean importance of the works cited there.",
        "explore/importance_by_section",
        {
            "type": "Section",
            "mentions": "In-text citations",
            "citations": "Citations",
            "mean_importance": "Mean importance",
            "self_citation_rate": "Self-citations",
        },
        "score",
    ),
    TableQuestion(
        "self-years",
        "Self-citation by year",
        "Share of citations to works that share an author with the citing paper, by year of the "
        "citing paper.",
        "explore/self_citation_rate",
        {
            "year": "Year",
            "citations": "Citations",
            "self_citations": "Self-citations",
            "rate": "Share",
            "mean_importance": "Mean importance",
        },
        "score",
    ),
    TableQuestion(
        "self-venues",
        "Self-citation by venue",
        "The venues with the highest share, of those with 20 citations or more.",
        "report/self_citation_by_venue",
        {
            "venue": "Venue",
            "citations": "Citations",
            "self_citations": "Self-citations",
            "rate": "Share",
        },
        "score",
    ),
    TableQuestion(
        "self-authors",
        "Self-citation by author",
        "The authors with the highest share, of those whose papers make 20 citations or more. A "
        "self-citation of a paper counts for all its authors.",
        "report/self_citation_by_author",
        {
            "author": "Author",
            "papers": "Papers",
            "citations": "Citations",
            "self_citations": "Self-citations",
            "rate": "Share",
        },
        "score",
    ),
    TableQuestion(
        "intents",
        "What citations are for",
        "Citations with at least one in-text citation of an intent, and the in-text citations.",
        "explore/facets",
        {"intent": "Intent", "citations": "Citations", "contexts": "In-text citations"},
        "text intents label",
        arrange=list_intents,
    ),
    TableQuestion(
        "topics",
        "Topics",
        "The largest communities of related papers.",
        "explore/communities",
        {
            "label": "Topic",
            "name": "Community",
            "papers": "Papers",
            "field": "Main field",
            "mean_year": "Mean year",
        },
        "cluster",
        {"limit": 15},
    ),
)
"""In the order of the page."""
