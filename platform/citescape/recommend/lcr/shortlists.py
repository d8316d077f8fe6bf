"""DAVINCI over Profiler: shortlists of a benchmark's contexts, to train rerankers and to rerank.

The reranker itself is `training.reranking`. Training queries search profiles without the papers of
their fold: otherwise the words of a paper itself would put the works it cites at the top of every
list, which never happens for a new paper.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import ConfigError, invalid_choice
from citescape.core.pairs import find_rows
from citescape.core.progress import Progress, silent
from citescape.recommend.contexts import Contexts
from citescape.recommend.encoding import ResolvedEncoder
from citescape.recommend.lcr.benchmark import LcrTask
from citescape.recommend.lcr.config import TRAIN, VALIDATION
from citescape.recommend.lcr.measure import RelevantWorks
from citescape.recommend.lcr.prepare import (
    LcrEvaluationConfig,
    PreparedEvaluation,
    check_evaluation,
    prepare,
)
from citescape.recommend.overlaps import count_fold_overlaps
from citescape.recommend.profiles import ProfileRun
from citescape.recommend.protocol import STRICT_PER_QUERY, TRAIN_UNION, apply_protocol
from citescape.recommend.queries import EncodedQueries
from citescape.recommend.retriever import DEFAULT, SYSTEMS, Retrieved, describe_retriever
from citescape.recommend.texts import join_sentences, read_candidates, read_queries
from citescape.search.ranker import NONE
from citescape.training.reranking.config import RerankConfig
from citescape.training.reranking.kept import RerankerRun
from citescape.training.reranking.shortlists import Shortlists
from citescape.training.reranking.vectors import PairVectors


@dataclass(frozen=True)
class ShortlistConfig:
    """Contexts and lists to train a reranker on."""

    system: str = DEFAULT
    """One of `SYSTEMS`."""
    k: int = 300
    queries: int = 8000
    """Number of training contexts, drawn at random; 0 for all."""
    validation: int = 2000
    """Maximum number of validation contexts."""
    folds: int = 5
    """Number of folds of the training papers; profiles for a fold are computed from the others."""
    seed: int = 0

    @classmethod
    def usual(cls, config: RerankConfig, **given: Any) -> ShortlistConfig:
        """Defaults for a kind of reranker, with given settings.

        Training on pairs of vectors is so fast that all contexts are used.
        """
        own = {"k": config.k, "seed": config.seed}
        all_queries = {"queries": 0} if config.kind == "vectors" else {}
        return cls(**{**own, **all_queries, **given})

    def __post_init__(self) -> None:
        if self.system not in SYSTEMS:
            raise invalid_choice("system", self.system, SYSTEMS)
        if self.folds < 2:
            raise ConfigError(f"folds is {self.folds}; expected 2 or more")
        for name in ("k", "validation"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} is {getattr(self, name)}; expected 1 or more")
        if self.queries < 0:
            raise ConfigError(f"queries is {self.queries}; expected 0 or more")


def make_shortlists(
    queries: EncodedQueries,
    retrieved: Retrieved,
    relevant: RelevantWorks,
    *,
    run: ProfileRun,
    candidates: list[str],
    abstracts: bool = False,
) -> Shortlists:
    """Shortlists as rerankers read them.

    Args:
        queries: q contexts with their vectors.
        retrieved: (q, k) papers and scores of the retriever.
        relevant: works that the queries cite.
        run: profiles, with the vectors of the papers.
        candidates: (papers,) texts.
        abstracts: whether queries contain the abstract of the citing paper.
    """
    filled = retrieved.papers != NONE
    counts = np.bincount(relevant.rows, minlength=len(queries))
    vectors = np.stack([queries.contexts, queries.papers], 1)
    return Shortlists(
        read_queries(queries.texts, queries.documents, abstracts=abstracts),
        candidates,
        retrieved.papers,
        np.where(filled, retrieved.scores, np.float32(0)),
        relevant.cited.astype(np.int32),
        np.append(0, np.cumsum(counts)).astype(np.int64),
        PairVectors(vectors, run.base, run.encoder),
    )


def train_on_benchmark(
    task: LcrTask,
    config: RerankConfig | None = None,
    *,
    lists: ShortlistConfig | None = None,
    evaluation: LcrEvaluationConfig | None = None,
    runs: Path,
    checkpoint_seconds: float = 300.0,
    progress: Progress = silent,
) -> RerankerRun:
    """Trains a reranker on the lists of training contexts.

    Args:
        task: the benchmark.
        config: kind and hyperparameters of the reranker.
        lists: contexts and lists to train on; by default those usual for the kind.
        evaluation: encoder and weights of the retriever.
        runs: folder of run directories.
        checkpoint_seconds: time between checkpoints.
        progress: called with the name of each stage as it begins.

    Raises:
        ConfigError: see `make_training_lists` and `train_on_lists`.
    """
    from citescape.training.reranking.train import train_on_lists

    config = config or RerankConfig(kind="vectors")
    lists = lists or ShortlistConfig.usual(config)
    evaluation = evaluation or LcrEvaluationConfig()
    inductive, library, weights = task.inductive, task.library, evaluation.profiles.weights

    def make() -> tuple[Shortlists, Shortlists, dict[str, object]]:
        training, validation = make_training_lists(
            task, evaluation, lists, abstracts=config.abstracts, runs=runs, progress=progress
        )
        # folds are drawn from all years, so their profiles contain papers newer than the queries
        overlaps = count_fold_overlaps(_draw_folds(task, lists), inductive.training, library.dates)
        return training, validation, {"temporal_overlap": overlaps, **library.count_skipped()}

    drawn = {**asdict(lists), "validation_seed": evaluation.resampling.seed}
    corpus = "\0".join(inductive.corpus.to_pylist()).encode()
    return train_on_lists(
        make,
        config,
        runs=runs,
        inputs={
            "library": library.hash(),
            "validation": library.with_contexts(_find_validation(task)).hash(),
            "protocol": inductive.protocol,
            "candidates": hashlib.sha256(corpus).hexdigest(),
            "lists": json.dumps(drawn, sort_keys=True),
        },
        retriever={
            **describe_retriever(lists.system, evaluation.word_weight),
            **{name: getattr(weights, name) for name in ("alpha", "beta", "contexts")},
            **{
                name: getattr(evaluation.query_weights.weights, name) for name in ("gamma", "delta")
            },
            "query_words": asdict(evaluation.query_weights.words),
            **ResolvedEncoder.from_config(evaluation.profiles.encoder, runs).describe(),
        },
        checkpoint_seconds=checkpoint_seconds,
        progress=progress,
    )


def check_training(config: RerankConfig, evaluation: LcrEvaluationConfig, runs: Path) -> None:
    """Checks encoder and transformer before a benchmark is read.

    Args:
        config: transformer of the reranker.
        evaluation: encoder of the retriever.
        runs: folder of run directories.

    Raises:
        ConfigError: no such encoder, or no such transformer.
    """
    from citescape.training.reranking.data import find_reader

    check_evaluation(evaluation, runs)
    find_reader(config, runs)


def make_training_lists(
    task: LcrTask,
    evaluation: LcrEvaluationConfig,
    config: ShortlistConfig | None = None,
    *,
    abstracts: bool = False,
    runs: Path,
    progress: Progress = silent,
) -> tuple[Shortlists, Shortlists]:
    """Lists retrieved for training contexts, and for validation contexts.

    Args:
        task: the benchmark.
        evaluation: encoder and weights of the retriever.
        config: system, number of queries, length of the lists and folds.
        abstracts: whether queries contain the abstract of the citing paper.
        runs: folder of run directories.
        progress: called with the name of each stage as it begins.

    Raises:
        ConfigError: there is no validation split, no such system or encoder.
    """
    config = config or ShortlistConfig()
    _find_validation(task)
    evaluation = replace(
        evaluation,
        split=VALIDATION,
        queries=config.validation,
        k=config.k,
        systems=(config.system,),
    )
    prepared = prepare(task.join_contexts(VALIDATION), evaluation, runs=runs, progress=progress)
    run, encoder = prepared.run, ResolvedEncoder.from_config(evaluation.profiles.encoder, runs)
    candidates = read_candidates(task.library.documents)

    def make(own: PreparedEvaluation) -> Shortlists:
        retrieved = own.retrieve(config.system, evaluation, progress=progress)
        return make_shortlists(
            own.queries,
            retrieved,
            own.relevant,
            run=run,
            candidates=candidates,
            abstracts=abstracts,
        )

    validation, folds = make(prepared), []
    for fold in _draw_folds(task, config):
        index = prepared.profile_inputs.build_index_without(
            fold.citing, evaluation.profiles.weights
        )
        queries = EncodedQueries.encode(
            fold,
            task.library,
            run.base,
            dated=task.dated,
            encoder=encoder,
            runs=runs,
            progress=progress,
        )
        relevant = RelevantWorks.from_contexts(fold, queries.ids, run.ids, warm=index.profiled)
        index = replace(index, word_weight=evaluation.word_weight)
        folds.append(make(replace(prepared, queries=queries, relevant=relevant, index=index)))
    return join_shortlists(folds), validation


def _find_validation(task: LcrTask) -> Contexts:
    if VALIDATION not in task.inductive.splits:
        raise ConfigError(
            "the benchmark has no validation contexts, which decide when training stops; build one "
            "with --validation .1"
        )
    return task.inductive.splits[VALIDATION]


def join_shortlists(parts: Sequence[Shortlists]) -> Shortlists:
    """Concatenates lists of one set of candidates."""
    counts = np.concatenate([np.diff(part.offsets) for part in parts])
    vectors = [part.vectors for part in parts if part.vectors]
    return Shortlists(
        [query for part in parts for query in part.queries],
        parts[0].candidates,
        np.concatenate([part.papers for part in parts]),
        np.concatenate([part.scores for part in parts]),
        np.concatenate([part.relevant for part in parts]),
        np.append(0, np.cumsum(counts)).astype(np.int64),
        PairVectors.join(vectors) if len(vectors) == len(parts) else None,
    )


def _draw_folds(task: LcrTask, config: ShortlistConfig) -> list[Contexts]:
    """Training queries by fold; all queries of a paper are in one fold."""
    training = join_sentences(task.inductive.training)
    findable = apply_protocol(
        STRICT_PER_QUERY if task.dated else TRAIN_UNION,  # strict-global leaves no candidates
        training,
        {TRAIN: training},
        dates=task.library.dates if task.dated else None,
        candidates=task.inductive.corpus,
    ).splits[TRAIN]
    rng = np.random.default_rng(config.seed)
    ids, citing = findable.ids, findable.citing
    drawn = ids.take(pa.array(np.sort(rng.permutation(len(ids))[: config.queries or None])))
    kept = findable.filter(pc.is_in(findable.pairs["context"], value_set=drawn))
    fold_of_paper = rng.permutation(len(citing)) % config.folds
    folds = fold_of_paper[find_rows(kept.pairs["citing"], citing)]
    return [kept.filter(pa.array(folds == fold)) for fold in range(config.folds)]
