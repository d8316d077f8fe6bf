"""Queries of a split and profiles of the training contexts, ready for retrieval."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from scipy.sparse import csr_array

from citescape.core.errors import ConfigError, invalid_choice
from citescape.core.progress import Progress, silent
from citescape.core.types import Document
from citescape.encoders.saved import check_encoder
from citescape.metrics.summary import Resampling
from citescape.recommend.contexts import Contexts
from citescape.recommend.dates import Days
from citescape.recommend.encoding import ResolvedEncoder
from citescape.recommend.lcr.benchmark import LcrTask
from citescape.recommend.lcr.config import TEST, VALIDATION
from citescape.recommend.lcr.measure import RelevantWorks
from citescape.recommend.lexicon import Lexicon, link
from citescape.recommend.neighbourhoods import InwardNeighbourhoods
from citescape.recommend.profiler import ProfileWeights, Vectors, build_profiles
from citescape.recommend.profiles import ProfileRun
from citescape.recommend.profiling import ProfileConfig, make_profiles
from citescape.recommend.queries import EncodedQueries, QueryWeights
from citescape.recommend.retriever import SYSTEMS, CandidateIndex, Retrieved, retrieve
from citescape.recommend.texts import read_texts
from citescape.runs.directory import Stopwatch
from citescape.runs.step import name_runs
from citescape.training.reranking.config import DEPTH
from citescape.training.reranking.kept import find_reranker

EVALUATED = (TEST, VALIDATION)
"""Splits with queries; the contexts of the training split are part of the profiles."""


@dataclass(frozen=True)
class LcrEvaluationConfig:
    """Systems, queries and settings of an evaluation."""

    systems: tuple[str, ...] = tuple(SYSTEMS)
    """Keys of `SYSTEMS`; others are compared with the first."""
    split: str = TEST
    """One of `EVALUATED`."""
    queries: int = 0
    """Number of contexts, drawn at random; 0 for all."""
    k: int = 300
    """Length of the lists."""
    profiles: ProfileConfig = field(default_factory=ProfileConfig)
    query_weights: QueryWeights = field(default_factory=QueryWeights)
    word_weight: float = CandidateIndex.word_weight
    """Weight of words in fused scores."""
    rerankers: tuple[str, ...] = ()
    """Runs, folders or hub ids; each reranks the lists of the last system."""
    depths: tuple[int, ...] = (DEPTH,)
    """Numbers of papers per list that are reranked; the rest keeps its order."""
    weight: float = 1.0
    """Weight of the score of the reranker, see `shortlists.reorder`."""
    choose_word_weight: bool = False
    """Evaluate `fused` with several weights of words in place of `systems`: `word_weight`, 0, 1,
    and the one chosen on validation contexts."""
    resampling: Resampling = field(default_factory=Resampling)

    def __post_init__(self) -> None:
        for name in self.systems:
            if name not in SYSTEMS:
                raise invalid_choice("system", name, SYSTEMS)
        if self.split not in EVALUATED:
            raise invalid_choice("split", self.split, EVALUATED)
        if not self.systems or len({*self.systems}) < len(self.systems):
            raise ConfigError(
                f"found {', '.join(self.systems) or 'no system'}; expected one or more, each once"
            )
        for given in (self.rerankers, self.depths):
            if len({*given}) < len(given):
                raise ConfigError(f"found {', '.join(map(str, given))}; expected each once")
        if self.k < 1 or self.queries < 0:
            raise ConfigError(f"k is {self.k}, queries {self.queries}; expected 1, 0 or more")
        if min(self.depths, default=0) < 1 or not 0 <= self.weight <= 1:
            depths = ", ".join(map(str, self.depths)) or "empty"
            raise ConfigError(
                f"depth is {depths}, weight {self.weight}; expected 1 or more, and 0 to 1"
            )
        if not 0 <= self.word_weight <= 1:
            raise ConfigError(f"the weight of words is {self.word_weight}; expected 0 to 1")


@dataclass(frozen=True, eq=False)
class ProfileInputs:
    """Vectors and words of papers and contexts, to compute profiles of a part of them.

    A context that is part of a profile easily retrieves the paper of this profile. Queries that
    train a reranker or choose weights must therefore not be part of the profiles. Profiles are not
    learned, so that profiles without some papers take seconds.
    """

    ids: pa.StringArray
    """(papers,) ascending."""
    latest: Days
    contexts: Contexts
    worded: pa.StringArray
    """(contexts,) ids of those with words, ascending."""
    base: Vectors
    vectors: Vectors
    """(contexts, d) vectors of the contexts."""
    lexicon: Lexicon
    counts: csr_array
    """(contexts, words) counts of the words of the lexicon."""

    @classmethod
    def from_run(cls, run: ProfileRun) -> ProfileInputs:
        """Reads everything from a run."""
        worded, texts = read_texts(run.contexts)
        lexicon = run.lexicon
        counts = lexicon.count_words([Document("", text) for text in texts])
        vectors = run.base, run.context_vectors
        return cls(run.ids, run.latest, run.contexts, worded, *vectors, lexicon, counts)

    def build_index_without(
        self, citing: pa.StringArray, weights: ProfileWeights | None = None
    ) -> CandidateIndex:
        """The index without the contexts of some citing papers."""
        kept = pc.invert(pc.is_in(self.contexts.pairs["citing"], value_set=citing))
        cited_by = InwardNeighbourhoods.from_contexts(
            self.contexts.filter(kept), self.ids, self.worded
        )
        profiles = build_profiles(self.base, self.vectors, cited_by, weights=weights)
        words = csr_array(link(cited_by, len(self.worded)) @ self.counts)
        lexicon = Lexicon(self.lexicon.words, self.lexicon.own, words)
        return CandidateIndex(self.base, profiles, lexicon, cited_by.profiled, self.latest)


@dataclass(frozen=True, eq=False)
class PreparedEvaluation:
    """Queries, the works they cite, and the index that is searched."""

    queries: EncodedQueries
    relevant: RelevantWorks
    run: ProfileRun
    index: CandidateIndex
    among: npt.NDArray[np.bool_]
    """(papers,) candidates."""

    @cached_property
    def profile_inputs(self) -> ProfileInputs:
        """Inputs from which profiles without some papers are computed."""
        return ProfileInputs.from_run(self.run)

    def retrieve(
        self, system: str, config: LcrEvaluationConfig, *, progress: Progress
    ) -> Retrieved:
        """(q, k) lists of one system.

        Args:
            system: one of `SYSTEMS`.
            config: weights of queries and length of the lists.
            progress: called with the number of queries done.
        """
        queries = self.queries.compose(self.index.lexicon, config.query_weights)
        return retrieve(
            self.index, queries, system, k=config.k, among=self.among, progress=progress
        )


def check_evaluation(config: LcrEvaluationConfig, runs: Path) -> None:
    """Checks encoder and rerankers before a benchmark is read.

    Raises:
        ConfigError: one does not exist, or is not an encoder or a reranker.
    """
    check_encoder(runs, name_runs(config.profiles.encoder.encoder))
    for named in config.rerankers:
        find_reranker(named, runs)


def prepare(
    task: LcrTask,
    config: LcrEvaluationConfig,
    *,
    runs: Path,
    clock: Stopwatch | None = None,
    progress: Progress = silent,
) -> PreparedEvaluation:
    """Computes profiles of the training contexts, and encodes the queries of a split.

    Args:
        task: the benchmark.
        config: split, number of queries, encoder and weights.
        runs: folder of run directories.
        clock: times the stage `encode queries`.
        progress: called with the name of each stage as it begins.
    """
    clock = clock or Stopwatch()
    split = find_split(task, config.split)
    run = make_profiles(task.library, config.profiles, runs=runs, progress=progress)
    encoder = ResolvedEncoder.from_config(config.profiles.encoder, runs)
    with clock.timed("encode queries"):
        queries = EncodedQueries.encode(
            split,
            task.library,
            run.base,
            dated=task.dated,
            encoder=encoder,
            runs=runs,
            progress=progress,
        )
    if config.queries and config.queries < len(queries):
        rng = np.random.default_rng(config.resampling.seed)
        queries = queries.select_rows(np.sort(rng.permutation(len(queries))[: config.queries]))
    index = replace(run.index, word_weight=config.word_weight)
    relevant = RelevantWorks.from_contexts(split, queries.ids, run.ids, warm=index.profiled)
    among = pc.is_in(run.ids, value_set=task.inductive.corpus).to_numpy(zero_copy_only=False)
    return PreparedEvaluation(queries, relevant, run, index, among)


def find_split(task: LcrTask, name: str) -> Contexts:
    """The contexts of a split.

    Raises:
        ConfigError: there is no split of that name.
    """
    splits = task.inductive.splits
    if name not in splits:
        raise invalid_choice("split", name, splits)
    return splits[name]
