"""Papers to cite in a sentence, from profiles and an encoder, or words, that stay in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from citescape.core.errors import ConfigError
from citescape.core.progress import Progress, silent
from citescape.encoders.documents import DocumentEncoder
from citescape.recommend.dates import EVER
from citescape.recommend.fields import Scores
from citescape.recommend.library import read_documents
from citescape.recommend.profiler import ProfileWeights, Vectors, compose_queries
from citescape.recommend.profiles import ProfileRun
from citescape.recommend.recommendations import (
    ContextMatches,
    ContextRecommendations,
    Rank,
    explain,
)
from citescape.recommend.requests import (
    CleanedRequest,
    RecommendationRequest,
    Titles,
    clean_request,
    encode_requests,
    make_queries,
    note_words,
)
from citescape.recommend.retriever import (
    DEFAULT,
    DEFAULT_WORDS,
    FUSED,
    WORD_SYSTEMS,
    CandidateIndex,
    Retrieved,
    describe_retriever,
    retrieve,
)
from citescape.recommend.texts import read_candidates, read_queries
from citescape.recommend.worded import WordedLibrary
from citescape.search.listed import Codes, Rows
from citescape.search.ranker import NONE
from citescape.store.graph_store import GraphStore
from citescape.training.reranking.config import DEPTH
from citescape.training.reranking.shortlists import Shortlists, reorder
from citescape.training.reranking.vectors import PairVectors

if TYPE_CHECKING:
    from citescape.recommend.steps import Recommend, System
    from citescape.training.reranking.rerankers import Reranker


@dataclass(frozen=True, eq=False)
class Recommender:
    """Profiles and their encoder, or words alone, in memory."""

    profiles: ProfileRun | WordedLibrary
    encoder: DocumentEncoder | None
    """None without vectors."""

    def choose_system(self, system: System | None) -> System:
        """The system that answers: without vectors one that needs none."""
        if self.encoder is None:
            return system if system in WORD_SYSTEMS else DEFAULT_WORDS
        return system or DEFAULT

    def find_word_weight(self, given: float | None, rerank: Reranker | None = None) -> float:
        """The weight of words: as given, of the reranker's lists, of the profiles, or default."""
        if given is not None:
            return given
        if rerank and rerank.retriever.get("word_weight") is not None:
            return float(rerank.retriever["word_weight"])
        chosen = self.run.word_weight_choice if self.run else None
        return chosen.word_weight if chosen else CandidateIndex.word_weight

    @property
    def run(self) -> ProfileRun | None:
        """Run of the profiles; None without vectors."""
        return self.profiles if isinstance(self.profiles, ProfileRun) else None

    @cached_property
    def index(self) -> CandidateIndex:
        """The index as stored; the fields of a system are computed in `_prepared`."""
        return self.profiles.index

    @cached_property
    def _prepared(self) -> dict[str, CandidateIndex]:
        """The index with the fields of the system used last."""
        return {}

    @cached_property
    def titles(self) -> Titles:
        """Titles of all papers, to find the citing paper of a request."""
        return Titles.from_column(self.profiles.papers["title"])

    def recommend(
        self,
        store: GraphStore,
        requests: Sequence[RecommendationRequest],
        settings: Recommend,
        *,
        rerank: Reranker | None = None,
        progress: Progress = silent,
    ) -> list[ContextRecommendations]:
        """Papers for each context; a paper with the title of the citing paper is left out.

        Args:
            store: the graph, for titles and reasons.
            requests: contexts with the title and abstract of their paper.
            settings: system, weights and number of papers.
            rerank: reorders the best `DEPTH` candidates, or k if that is more; None for no
                reranker.
            progress: called with the name of each stage as it begins.

        Raises:
            ConfigError: a context has no words, a date is not valid, no paper is old enough; the
                reranker was trained on the lists of another retriever.
        """
        system = self.choose_system(settings.system)
        word_weight = self.find_word_weight(settings.word_weight, rerank)
        if rerank:
            rerank.check_retriever(describe_retriever(system, word_weight))
        cleaned = [clean_request(request) for request in requests]
        self._check_dates(cleaned)
        vectors, compared = self._encode(cleaned)
        weights = ProfileWeights(gamma=settings.gamma, delta=settings.delta)
        composed = compose_queries(*vectors, weights)
        progress("loading profiles")
        queries = make_queries(cleaned, composed, titles=self.titles, lexicon=self.index.lexicon)
        progress(f"comparing with {len(self.profiles.ids):,} papers")

        if system not in self._prepared:
            self._prepared.clear()  # frees the memory before other fields are computed
            self._prepared[system] = replace(self.index)
        index = self._prepared[system]
        if system == FUSED:
            index = index.weigh(word_weight)
        depth = max(settings.k, DEPTH)
        k = max(depth, rerank.k) if rerank else settings.k
        retrieved = ordered = retrieve(index, queries, system, k=k)
        if rerank:
            lists, candidates = self._read_lists(
                cleaned, vectors, retrieved, abstracts=rerank.abstracts
            )
            scores = rerank.score(lists, depth, progress)
            reranked = reorder(lists.cut(depth), scores, weight=settings.weight)
            papers = np.append(candidates, NONE)[reranked.papers]
            ordered = Retrieved(papers, reranked.scores)

        matches = []
        for row, request in enumerate(cleaned):
            filled = ordered.papers[row, : settings.k] != NONE
            rows = ordered.papers[row, : settings.k][filled].astype(np.int64)
            parts = index.fused.split_scores(queries, row, rows) if system == FUSED else {}
            ranks = _find_ranks(retrieved.papers[row], retrieved.scores[row], rows, parts=parts)
            scores = ordered.scores[row, : settings.k][filled]
            paper, notes = self._describe_request(request, int(queries.citing[row]))
            matches.append(
                ContextMatches(
                    request.context, compared[row], paper, rows, scores, ranks, notes, request.part
                )
            )
        return explain(store, self.profiles, matches, sentences=settings.sentences)

    def _encode(self, requests: list[CleanedRequest]) -> tuple[tuple[Vectors, Vectors], Vectors]:
        """Vectors of contexts and of their papers, and contexts for `Searchable.compare`."""
        if self.encoder:
            vectors = encode_requests(requests, self.encoder)
            return vectors, vectors[0]
        assert isinstance(self.profiles, WordedLibrary)
        empty = np.empty((len(requests), 0), np.float32)
        texts = [request.part or request.context for request in requests]
        return (empty, empty), self.profiles.count_words(texts)

    def _describe_request(
        self, request: CleanedRequest, citing: int
    ) -> tuple[str, tuple[str, ...]]:
        """Id of the citing paper, empty if it is not in the library, and notes for the user."""
        notes = [*request.notes, note_words(request.context, self.index.lexicon)]
        paper = self.profiles.ids[citing].as_py() if citing != NONE else ""
        if paper:
            notes.append(f"the title is that of {paper}, which is not recommended")
        return paper, tuple(filter(None, notes))

    def _check_dates(self, requests: Sequence[CleanedRequest]) -> None:
        """Raises an error if a date leaves no candidates; works without a date are not older."""
        latest = self.profiles.latest
        oldest = int(latest.min(initial=EVER))
        dated = oldest < EVER
        known = f"the oldest paper is from {oldest // 10_000}" if dated else "no paper has a date"
        for request in requests:
            if request.before != EVER and not (latest < request.before).any():
                raise ConfigError(
                    f"no paper is certainly older than {request.before // 10_000}; expected a "
                    f"later date, or no date: {known}"
                )

    def _read_lists(
        self,
        requests: Sequence[CleanedRequest],
        vectors: tuple[Vectors, Vectors],
        retrieved: Retrieved,
        *,
        abstracts: bool,
    ) -> tuple[Shortlists, Rows]:
        """Shortlists with texts and vectors of the retrieved papers; rows of these papers."""
        assert isinstance(self.profiles, ProfileRun)
        filled = retrieved.papers != NONE
        papers = np.unique(retrieved.papers[filled])
        texts = [request.context for request in requests]
        documents = [request.document for request in requests]
        lists = Shortlists(
            read_queries(texts, documents, abstracts=abstracts),
            read_candidates(read_documents(self.profiles.papers.take(papers))),
            np.where(filled, np.searchsorted(papers, retrieved.papers), NONE).astype(np.int32),
            np.where(filled, retrieved.scores, np.float32(0)),
            vectors=PairVectors(
                np.stack(vectors, 1), self.index.base[papers], self.profiles.encoder
            ),
        )
        return lists, papers


def _find_ranks(
    papers: Codes, scores: Scores, rows: Rows, *, parts: Mapping[str, Scores]
) -> tuple[Rank, ...]:
    """Ranks of some papers in the retriever's list (k,) of a query."""
    order = np.argsort(papers)
    places = order[np.searchsorted(papers, rows, sorter=order)]
    return tuple(
        Rank(
            place + 1,
            float(scores[place]),
            {name: float(values[at]) for name, values in parts.items()},
        )
        for at, place in enumerate(places.tolist())
    )
