"""What is recommended, with the reasons: papers by id become papers as an author knows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from citescape.recommend.fields import Scores
from citescape.recommend.profiler import Vectors
from citescape.recommend.profiles import ProfileRun
from citescape.recommend.reasons import (
    CitingContext,
    Received,
    Sentence,
    Work,
    find_citing_contexts,
    read_received,
    read_sentences,
    read_works,
)
from citescape.search.listed import Rows
from citescape.store.graph_store import GraphStore

_COLUMNS = pa.schema(
    {
        **{"rank": pa.int64(), "score": pa.float64(), "id": pa.string(), "title": pa.string()},
        **{"authors": pa.string(), "year": pa.int64(), "cited_by": pa.int64()},
        **{"importance": pa.float64(), "sentence": pa.string()},
    }
)


@dataclass(frozen=True)
class Rank:
    """Where retrieval found a paper, and why there."""

    rank: int
    """From 1, among all that was retrieved."""
    score: float
    """Of the system; it compares papers of one context only."""
    parts: Mapping[str, float]
    """What `vectors` and `words` gave to a fused score; empty for others."""


@dataclass(frozen=True)
class Recommendation:
    """A paper to cite."""

    rank: int
    """From 1."""
    work: Work
    score: float
    """Of the reranker, or mixed with the system's; without a reranker the system's. It compares
    papers of one context only."""
    retrieved: Rank
    """Before a reranker ordered the papers."""
    cited_by: int
    """Papers whose full texts cite it; with 0 it was found by its own text alone."""
    sentences: tuple[Sentence, ...]
    """In which it is cited, the nearest to the context first."""
    received: Received

    @property
    def is_reranked(self) -> bool:
        """Whether the score is another one than retrieval's."""
        return self.score != self.retrieved.score


@dataclass(frozen=True)
class ContextRecommendations:
    """What is recommended for one context."""

    context: str
    """As it was read."""
    papers: tuple[Recommendation, ...]
    """The best first."""
    notes: tuple[str, ...] = ()
    """What the author should know."""

    @property
    def table(self) -> pa.Table:
        """A row a paper.

        `rank`, `score`, `id`, `title`, `authors`, `year`, `cited_by`, `importance`, and `sentence`,
        the nearest in which it is cited.
        """
        rows = [
            {
                **{"rank": one.rank, "score": one.score, "id": one.work.id},
                **{"title": one.work.title, "authors": one.work.authors, "year": one.work.year},
                **{"cited_by": one.cited_by, "importance": one.received.importance},
                "sentence": one.sentences[0].text if one.sentences else None,
            }
            for one in self.papers
        ]
        return pa.Table.from_pylist(rows, _COLUMNS)


@dataclass(frozen=True, eq=False)
class Found:
    """Papers for one context, by rows of profiles."""

    context: str
    vector: Vectors
    """(d,) of the context."""
    own: str
    """Id of the paper that asks; empty if it is none of the graph."""
    rows: Rows
    """(k,) the best first."""
    scores: Scores
    """(k,)"""
    retrieved: tuple[Rank, ...]
    """(k,)"""
    notes: tuple[str, ...]


def explain(
    store: GraphStore, run: ProfileRun, found: Sequence[Found], *, sentences: int
) -> list[ContextRecommendations]:
    """Adds the reasons, which are read from the graph for all contexts at once.

    Args:
        store: the graph that the profiles are of.
        run: profiles.
        found: papers for each context.
        sentences: shown of each paper, at most.
    """
    said = [
        find_citing_contexts(run, one.rows, one.vector, most=sentences, own=one.own)
        for one in found
    ]
    known = _Known.read(store, run, said)
    return [
        ContextRecommendations(
            one.context,
            tuple(known.tell(one, place, named) for place, named in enumerate(kept.items())),
            one.notes,
        )
        for one, kept in zip(found, said, strict=True)
    ]


@dataclass(frozen=True)
class _Known:
    """What graph and profiles say of papers."""

    run: ProfileRun
    printed: Mapping[str, Sentence]
    works: Mapping[str, Work]
    received: Mapping[str, Received]

    @classmethod
    def read(
        cls,
        store: GraphStore,
        run: ProfileRun,
        said: Sequence[Mapping[str, Sequence[CitingContext]]],
    ) -> _Known:
        """Of all papers, each once."""
        papers = sorted({id_ for group in said for id_ in group})
        shown = [one for group in said for kept in group.values() for one in kept]
        return cls(
            run,
            read_sentences(store, shown),
            read_works(store, papers),
            read_received(store, papers),
        )

    def tell(
        self, one: Found, place: int, named: tuple[str, Sequence[CitingContext]]
    ) -> Recommendation:
        """The paper in one place of a list, by its id and the contexts that cite it."""
        id_, said = named
        return Recommendation(
            place + 1,
            self.works.get(id_, Work(id_)),
            float(one.scores[place]),
            one.retrieved[place],
            self.run.papers["cited_by"][int(one.rows[place])].as_py(),
            tuple(self.printed[kept.context].near(kept.similarity) for kept in said),
            self.received.get(id_, Received()),
        )
