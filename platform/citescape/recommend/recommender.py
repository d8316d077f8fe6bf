"""Papers to cite in a sentence: profiles and an encoder in memory, asked again and again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from citescape.core.errors import ConfigError, invalid_choice
from citescape.core.progress import Progress, silent
from citescape.encoders.documents import DocumentEncoder
from citescape.recommend.asked import (
    Asked,
    Plain,
    Titles,
    encode_asked,
    make_questions,
    note_words,
    read_asked,
)
from citescape.recommend.dates import EVER
from citescape.recommend.fields import Scores
from citescape.recommend.library import read_documents
from citescape.recommend.profiler import ProfileWeights, Vectors, compose_queries
from citescape.recommend.profiles import ProfileRun
from citescape.recommend.questions import Questions
from citescape.recommend.recommendations import Found, Recommended, Standing, explain
from citescape.recommend.retriever import (
    DEFAULT,
    FUSED,
    SYSTEMS,
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
    from citescape.training.reranking.rerankers import Reranker


@dataclass(frozen=True)
class RecommendConfig:
    """How many papers, found how."""

    k: int = 10
    system: str = DEFAULT
    """One of `SYSTEMS`."""
    sentences: int = 1
    """Shown of each paper, at most."""
    gamma: float = ProfileWeights.gamma
    """In queries, of the context (Profiler, Eq. 4)."""
    delta: float = ProfileWeights.delta
    """In queries, of title and abstract."""
    words: float = CandidateIndex.share
    """Share of words in what is fused, 0 to 1."""
    weight: float = 1.0
    """Of a reranker's score beside 1 - weight of the retriever's, each scaled to 0..1."""

    def __post_init__(self) -> None:
        if self.system not in SYSTEMS:
            raise invalid_choice("system", self.system, SYSTEMS)
        if self.k < 1 or self.sentences < 0:
            raise ConfigError(
                f"found {self.k} papers with {self.sentences} sentences each; expected 1 or more "
                "papers, 0 or more sentences"
            )
        for name, share in (("share of words", self.words), ("reranker's weight", self.weight)):
            if not 0 <= share <= 1:
                raise ConfigError(f"the {name} is {share}; expected 0 to 1")
        _ = self.weights  # they are checked

    @property
    def weights(self) -> ProfileWeights:
        """Of queries."""
        return ProfileWeights(gamma=self.gamma, delta=self.delta)

    @property
    def retriever(self) -> dict[str, Any]:
        """As rerankers are told of it."""
        return describe_retriever(self.system, self.words)


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
        asked: Sequence[Asked],
        config: RecommendConfig | None = None,
        *,
        rerank: Reranker | None = None,
        progress: Progress = silent,
    ) -> list[Recommended]:
        """Papers for each context. One with the title of the paper that asks is left out.

        Args:
            store: the graph that the profiles are of; it tells the reasons.
            asked: contexts and their papers.
            config: how many papers, found how.
            rerank: gives the best `DEPTH` candidates, or all k, other scores.
            progress: told what is being done.

        Raises:
            ConfigError: a context has no words, a date is none, no paper is old enough; the
                reranker was trained on what is found otherwise.
        """
        config = config or RecommendConfig()
        if rerank:
            rerank.check_retriever(config.retriever)
        plain = [read_asked(one) for one in asked]
        self._check_dates(plain)
        vectors = encode_asked(plain, self.encoder)
        queries = compose_queries(*vectors, config.weights)
        progress("loading profiles")
        questions = make_questions(plain, queries, titles=self.titles, lexicon=self.index.lexicon)
        progress(f"comparing with {len(self.profiles.ids):,} papers")
        depth = max(config.k, DEPTH)
        k = max(depth, rerank.k) if rerank else config.k
        index = self._prepare(config)
        retrieved = retrieve(index, questions, config.system, k=k)
        chosen = retrieved
        if rerank:
            lists = self._read(plain, vectors, retrieved, abstracts=rerank.abstracts)
            chosen = _rerank(lists, rerank, (depth, config.weight), progress=progress)
        chosen = Retrieved(chosen.papers[:, : config.k], chosen.scores[:, : config.k])
        fused = index.fused if config.system == FUSED else None
        told = self._split(
            plain, vectors[0], questions, retrieved=retrieved, chosen=chosen, fused=fused
        )
        return explain(store, self.profiles, list(told), sentences=config.sentences)

    def _prepare(self, config: RecommendConfig) -> CandidateIndex:
        """What a system computes, once; that of another is forgotten before."""
        if config.system not in self._prepared:
            self._prepared.clear()
            self._prepared[config.system] = replace(self.index)
        index = self._prepared[config.system]
        return index.weigh(config.words) if config.system == FUSED else index

    def _check_dates(self, plain: Sequence[Plain]) -> None:
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
        plain: Sequence[Plain],
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
        plain: Sequence[Plain],
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

    def _note(self, one: Plain, own: int) -> Iterator[str]:
        if note := note_words(one.context, self.index.lexicon):
            yield note
        if own != NONE:
            yield f"the title is that of {self.profiles.ids[own]}, which is not recommended"


def _stand(
    retrieved: tuple[Codes, Scores], rows: Rows, parts: Mapping[str, Scores]
) -> Iterator[Standing]:
    """Where some of a query's papers were found."""
    papers, scores = retrieved
    order = np.argsort(papers)
    places = order[np.searchsorted(papers, rows, sorter=order)]
    for at, place in enumerate(places.tolist()):
        told = {name: float(values[at]) for name, values in parts.items()}
        yield Standing(place + 1, float(scores[place]), told)


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
