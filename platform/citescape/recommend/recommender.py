"""Papers to cite in a sentence: profiles and an encoder in memory, asked again and again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from citescape.core.errors import ConfigError
from citescape.core.progress import Progress, silent
from citescape.encoders.documents import DocumentEncoder
from citescape.recommend.dates import EVER
from citescape.recommend.fields import Scores
from citescape.recommend.library import read_documents
from citescape.recommend.profiler import ProfileWeights, Vectors, compose_queries
from citescape.recommend.profiles import ProfileRun
from citescape.recommend.questions import Questions
from citescape.recommend.recommendations import ContextRecommendations, Found, Rank, explain
from citescape.recommend.requests import (
    CleanedRequest,
    RecommendationRequest,
    Titles,
    clean_request,
    encode_requests,
    make_questions,
    note_words,
)
from citescape.recommend.retriever import (
    FUSED,
    CandidateIndex,
    Fused,
    Retrieved,
    describe_retriever,
    retrieve,
)
from citescape.recommend.texts import read_candidates, read_queries
from citescape.search.listed import Codes, Rows
from citescape.search.ranker import NONE
from citescape.store.graph_store import GraphStore
from citescape.training.reranking.config import DEPTH
from citescape.training.reranking.shortlists import Shortlists, reorder
from citescape.training.reranking.vectors import PairVectors

if TYPE_CHECKING:
    from citescape.recommend.steps import Recommend
    from citescape.training.reranking.rerankers import Reranker


@dataclass(frozen=True, eq=False)
class Recommender:
    """Profiles and the encoder that they are of."""

    profiles: ProfileRun
    encoder: DocumentEncoder

    @cached_property
    def index(self) -> CandidateIndex:
        """As it is kept; what a system computes of it is `_prepare`d."""
        return self.profiles.index

    @cached_property
    def _prepared(self) -> dict[str, CandidateIndex]:
        """The last system asked."""
        return {}

    @cached_property
    def titles(self) -> Titles:
        """By which a paper that asks is known."""
        return Titles.of(self.profiles.papers["title"])

    def recommend(
        self,
        store: GraphStore,
        requests: Sequence[RecommendationRequest],
        settings: Recommend,
        *,
        rerank: Reranker | None = None,
        progress: Progress = silent,
    ) -> list[ContextRecommendations]:
        """Papers for each context. One with the title of the paper that asks is left out.

        Args:
            store: the graph that the profiles are of; it tells the reasons.
            requests: sentences and their papers.
            settings: number of papers, retrieval system, weights of queries.
            rerank: gives the best `DEPTH` candidates, or all k, other scores.
            progress: told what is being done.

        Raises:
            ConfigError: a context has no words, a date is none, no paper is old enough; the
                reranker was trained on what is found otherwise.
        """
        if rerank:
            rerank.check_retriever(describe_retriever(settings.system, settings.words))
        plain = [clean_request(request) for request in requests]
        self._check_dates(plain)
        vectors = encode_requests(plain, self.encoder)
        queries = compose_queries(
            *vectors, ProfileWeights(gamma=settings.gamma, delta=settings.delta)
        )
        progress("loading profiles")
        questions = make_questions(plain, queries, titles=self.titles, lexicon=self.index.lexicon)
        progress(f"comparing with {len(self.profiles.ids):,} papers")
        depth = max(settings.k, DEPTH)
        k = max(depth, rerank.k) if rerank else settings.k
        index = self._prepare(settings)
        retrieved = retrieve(index, questions, settings.system, k=k)
        chosen = retrieved
        if rerank:
            lists = self._read(plain, vectors, retrieved, abstracts=rerank.abstracts)
            chosen = _rerank(lists, rerank, (depth, settings.weight), progress=progress)
        chosen = Retrieved(chosen.papers[:, : settings.k], chosen.scores[:, : settings.k])
        fused = index.fused if settings.system == FUSED else None
        told = self._split(
            plain, vectors[0], questions, retrieved=retrieved, chosen=chosen, fused=fused
        )
        return explain(store, self.profiles, list(told), sentences=settings.sentences)

    def _prepare(self, settings: Recommend) -> CandidateIndex:
        """What a system computes, once; that of another is forgotten before."""
        if settings.system not in self._prepared:
            self._prepared.clear()
            self._prepared[settings.system] = replace(self.index)
        index = self._prepared[settings.system]
        return index.weigh(settings.words) if settings.system == FUSED else index

    def _check_dates(self, plain: Sequence[CleanedRequest]) -> None:
        """Of works without a date nobody knows whether they are older."""
        latest = self.profiles.latest
        oldest = int(latest.min(initial=EVER))
        known = f"the oldest paper is of {oldest // 10_000}" if oldest < EVER else "none has a date"
        for one in plain:
            if one.before != EVER and not (latest < one.before).any():
                raise ConfigError(
                    f"no paper here is surely older than {one.before // 10_000}; expected a later "
                    f"date, or none: {known}"
                )

    def _read(
        self,
        plain: Sequence[CleanedRequest],
        vectors: tuple[Vectors, Vectors],
        found: Retrieved,
        *,
        abstracts: bool,
    ) -> _Lists:
        """What was found as rerankers read it, with the texts and vectors of these papers only."""
        there = found.papers != NONE
        used = np.unique(found.papers[there])
        shortlists = Shortlists(
            read_queries(
                [one.context for one in plain],
                [one.document for one in plain],
                abstracts=abstracts,
            ),
            read_candidates(read_documents(self.profiles.papers.take(used))),
            np.where(there, np.searchsorted(used, found.papers), NONE).astype(np.int32),
            np.where(there, found.scores, np.float32(0)),
            vectors=PairVectors(np.stack(vectors, 1), self.index.base[used], self.profiles.encoder),
        )
        return _Lists(shortlists, used)

    def _split(
        self,
        plain: Sequence[CleanedRequest],
        contexts: Vectors,
        questions: Questions,
        *,
        retrieved: Retrieved,
        chosen: Retrieved,
        fused: Fused | None,
    ) -> Iterator[Found]:
        """What was found, query by query."""
        for row, one in enumerate(plain):
            there = chosen.papers[row] != NONE
            rows = chosen.papers[row][there].astype(np.int64)
            parts = fused.tell(questions, row, rows) if fused else {}
            own = int(questions.citing[row])
            yield Found(
                one.context,
                contexts[row],
                self.profiles.ids[own].as_py() if own != NONE else "",
                rows,
                chosen.scores[row][there],
                tuple(_stand((retrieved.papers[row], retrieved.scores[row]), rows, parts)),
                (*one.notes, *self._note(one, own)),
            )

    def _note(self, one: CleanedRequest, own: int) -> Iterator[str]:
        if note := note_words(one.context, self.index.lexicon):
            yield note
        if own != NONE:
            yield f"the title is that of {self.profiles.ids[own]}, which is not recommended"


def _stand(
    retrieved: tuple[Codes, Scores], rows: Rows, parts: Mapping[str, Scores]
) -> Iterator[Rank]:
    """Where some of a query's papers were found."""
    papers, scores = retrieved
    order = np.argsort(papers)
    places = order[np.searchsorted(papers, rows, sorter=order)]
    for at, place in enumerate(places.tolist()):
        told = {name: float(values[at]) for name, values in parts.items()}
        yield Rank(place + 1, float(scores[place]), told)


class _Lists(NamedTuple):
    shortlists: Shortlists
    used: Rows
    """(candidates,) their papers."""


def _rerank(
    lists: _Lists, rerank: Reranker, how: tuple[int, float], *, progress: Progress
) -> Retrieved:
    """The first of what was found in the order of a reranker, which reads as it learned to."""
    depth, weight = how
    scores = rerank.score(lists.shortlists, depth, progress)
    ordered = reorder(lists.shortlists.cut(depth), scores, weight=weight)
    return Retrieved(np.append(lists.used, NONE)[ordered.papers], ordered.scores)
