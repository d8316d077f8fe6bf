"""Recommendations: retrieved papers with their titles, and the reasons for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa

from citescape.recommend.fields import Scores
from citescape.recommend.profiler import Vectors
from citescape.recommend.reasons import (
    CitingSentence,
    ReceivedCitations,
    WorkDescription,
    find_citing_contexts,
    read_received,
    read_sentences,
    read_works,
)
from citescape.recommend.searchable import Searchable
from citescape.search.listed import Rows
from citescape.store.graph_store import GraphStore

_COLUMNS = pa.schema(
    {
        "rank": pa.int64(),
        "score": pa.float64(),
        "id": pa.string(),
        "title": pa.string(),
        "authors": pa.string(),
        "year": pa.int64(),
        "notice": pa.string(),
        "cited_by": pa.int64(),
        "importance": pa.float64(),
        "sentence": pa.string(),
    }
)


@dataclass(frozen=True)
class Rank:
    """Rank and score of a paper in the retriever's list."""

    rank: int
    """Rank among all retrieved papers, from 1."""
    score: float
    """Score of the system; comparable for papers of one context only."""
    parts: Mapping[str, float]
    """Contributions of `vectors` and `words` to a fused score; empty for other systems."""


@dataclass(frozen=True)
class Recommendation:
    """A paper to cite."""

    rank: int
    """Rank in the list, from 1."""
    work: WorkDescription
    score: float
    """Score of the reranker, or a weighted mean of it and the score of the system; without a
    reranker the score of the system. Comparable for papers of one context only."""
    retrieved: Rank
    """Rank and score before reranking."""
    cited_by: int
    """Number of papers whose full texts cite it; a paper with 0 was retrieved by its own text."""
    sentences: tuple[CitingSentence, ...]
    """Sentences that cite it, the nearest to the context first."""
    received: ReceivedCitations

    @property
    def is_reranked(self) -> bool:
        """Whether a reranker changed the score."""
        return self.score != self.retrieved.score


@dataclass(frozen=True)
class ContextRecommendations:
    """Papers recommended for one context."""

    context: str
    """The context as encoded."""
    papers: tuple[Recommendation, ...]
    """The best first."""
    notes: tuple[str, ...] = ()
    """Warnings for the author."""
    part: str = ""
    """The part of the context that needs the citation, if other parts need others; else empty."""

    @property
    def table(self) -> pa.Table:
        """A row per paper.

        `rank`, `score`, `id`, `title`, `authors`, `year`, `notice` (`retracted 2017`; null without
        one), `cited_by`, `importance`, and `sentence`, the nearest sentence that cites the paper.
        """
        rows = [
            {
                "rank": paper.rank,
                "score": paper.score,
                "id": paper.work.id,
                "title": paper.work.title,
                "authors": paper.work.authors,
                "year": paper.work.year,
                "notice": paper.work.named_notice,
                "cited_by": paper.cited_by,
                "importance": paper.received.importance,
                "sentence": paper.sentences[0].text if paper.sentences else None,
            }
            for paper in self.papers
        ]
        return pa.Table.from_pylist(rows, _COLUMNS)


@dataclass(frozen=True, eq=False)
class ContextMatches:
    """Papers for one context, as rows of profiles."""

    context: str
    vector: Vectors
    """Context as `Searchable.compare` expects it."""
    own: str
    """Id of the citing paper; empty if it is not in the graph."""
    rows: Rows
    """(k,) rows of profiles, the best first."""
    scores: Scores
    """(k,) scores of the papers."""
    retrieved: tuple[Rank, ...]
    """(k,) ranks and scores before reranking."""
    notes: tuple[str, ...]
    part: str = ""


def explain(
    store: GraphStore, library: Searchable, matches: Sequence[ContextMatches], *, sentences: int
) -> list[ContextRecommendations]:
    """Adds the reasons, which are read from the graph for all contexts at once.

    Args:
        store: the graph.
        library: papers and contexts.
        matches: recommended papers of each context.
        sentences: maximum number of citing sentences per paper.
    """
    citing = [
        find_citing_contexts(library, match.rows, match.vector, most=sentences, own=match.own)
        for match in matches
    ]
    papers = sorted({id_ for contexts in citing for id_ in contexts})
    cited_in = [context for group in citing for own in group.values() for context in own]
    printed = read_sentences(store, cited_in)
    works, received = read_works(store, papers), read_received(store, papers)
    recommendations = []
    for match, contexts in zip(matches, citing, strict=True):
        cited_by = library.papers["cited_by"].take(pa.array(match.rows)).to_pylist()
        shown = [
            Recommendation(
                place + 1,
                works.get(id_, WorkDescription(id_)),
                float(match.scores[place]),
                match.retrieved[place],
                cited_by[place],
                tuple(
                    replace(printed[context.context], similarity=context.similarity)
                    for context in own
                ),
                received.get(id_, ReceivedCitations()),
            )
            for place, (id_, own) in enumerate(contexts.items())
        ]
        recommendations.append(
            ContextRecommendations(match.context, tuple(shown), match.notes, match.part)
        )
    return recommendations
