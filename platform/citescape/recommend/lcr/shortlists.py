"""DAVINCI over Profiler: shortlists of a graph's contexts to train rerankers on, and to rerank.

The reranker itself is `training.reranking`. Its training contexts are asked of profiles that are
made without the papers they stand in, fold by fold: a paper's own words would else bring what it
cites to the top of every list, as they never do for a paper that is new.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import ConfigError, invalid_choice
from citescape.core.pairs import find_rows
from citescape.core.progress import Progress, silent
from citescape.recommend.asking import EncodedQueries
from citescape.recommend.contexts import Contexts
from citescape.recommend.encoding import Reading
from citescape.recommend.foreknowledge import count_fold_foreknowledge
from citescape.recommend.lcr.benchmark import LcrTask
from citescape.recommend.lcr.config import TRAIN, VALIDATION
from citescape.recommend.lcr.measure import Wanted
from citescape.recommend.lcr.prepare import LcrMeasuring, Prepared, check_measuring, prepare
from citescape.recommend.profiles import ProfileRun
from citescape.recommend.protocol import STRICT_PER_QUERY, TRAIN_UNION, apply_protocol
from citescape.recommend.retriever import DEFAULT, SYSTEMS, Retrieved, describe_retriever
from citescape.recommend.texts import join_sentences, read_candidates, read_queries
from citescape.search.ranker import NONE
from citescape.training.reranking.config import RerankConfig
from citescape.training.reranking.kept import RerankerRun
from citescape.training.reranking.shortlists import Shortlists
from citescape.training.reranking.vectors import PairVectors


@dataclass(frozen=True)
class ShortlistConfig:
    """Which contexts are retrieved for, and what of them is read."""

    system: str = DEFAULT
    """One of `SYSTEMS`."""
    k: int = 300
    queries: int = 8000
    """Training contexts, drawn at random; 0 for all."""
    validation: int = 2000
    """Validation contexts, at most."""
    folds: int = 5
    """Parts of the training papers; profiles for one are made of the others."""
    seed: int = 0

    @classmethod
    def usual(cls, config: RerankConfig, **given: Any) -> ShortlistConfig:
        """What suits a training, but for settings that are given.

        Pairs of vectors are so soon learned from that all contexts are.
        """
        own = {"k": config.k, "seed": config.seed}
        every = {"queries": 0} if config.kind == "vectors" else {}
        return cls(**{**own, **every, **given})

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


@dataclass(frozen=True, eq=False)
class Listed:
    """Queries with what was retrieved for them, and what they cite."""

    posed: EncodedQueries
    found: Retrieved
    wanted: Wanted
    made: ProfileRun
    """That it was retrieved from."""

    def read(self, candidates: list[str], *, abstracts: bool = False) -> Shortlists:
        """As rerankers read it.

        Args:
            candidates: (papers,) their texts.
            abstracts: whether those of citing papers are read.
        """
        wanted, filled = self.wanted, self.found.papers != NONE
        counts = np.bincount(wanted.rows, minlength=len(self.posed))
        return Shortlists(
            read_queries(self.posed.texts, self.posed.documents, abstracts=abstracts),
            candidates,
            self.found.papers,
            np.where(filled, self.found.scores, np.float32(0)),
            wanted.cited.astype(np.int32),
            np.append(0, np.cumsum(counts)).astype(np.int64),
            self._vectors,
        )

    @property
    def _vectors(self) -> PairVectors:
        own = np.stack([self.posed.contexts, self.posed.papers], 1)
        return PairVectors(own, self.made.base, self.made.encoder)


def train_on_benchmark(
    task: LcrTask,
    config: RerankConfig | None = None,
    *,
    lists: ShortlistConfig | None = None,
    measuring: LcrMeasuring | None = None,
    runs: Path,
    checkpoint_seconds: float = 300.0,
    progress: Progress = silent,
) -> RerankerRun:
    """Trains a reranker on what is retrieved for training contexts; its run tells from what.

    Args:
        task: papers and contexts.
        config: encoder, model, loss, schedule.
        lists: which contexts, and what is retrieved for them.
        measuring: encoder and weights of the retriever.
        runs: folder of run directories.
        checkpoint_seconds: from one checkpoint to the next.
        progress: told where the training is.

    Raises:
        ConfigError: see `make_training_lists` and `train_on_lists`.
    """
    from citescape.training.reranking.train import train_on_lists

    config = config or RerankConfig(kind="vectors")
    lists = lists or ShortlistConfig.usual(config)
    measuring = measuring or LcrMeasuring()
    make = partial(make_training_lists, task, measuring, lists, runs=runs, progress=progress)
    return train_on_lists(
        lambda: (
            *make(abstracts=config.abstracts),
            {"known_before": _count_known(task, lists), **task.library.count_skipped()},
        ),
        config,
        runs=runs,
        inputs=_tell_inputs(task, lists, measuring),
        retriever=_tell_retriever(measuring, lists.system, runs),
        checkpoint_seconds=checkpoint_seconds,
        progress=progress,
    )


def check_training(config: RerankConfig, measuring: LcrMeasuring, runs: Path) -> None:
    """Before a benchmark is read: whether there is what a training begins with.

    Raises:
        ConfigError: no such encoder, or no such transformer.
    """
    from citescape.training.reranking.material import find_reader

    check_measuring(measuring, runs)
    find_reader(config, runs)


def _tell_inputs(task: LcrTask, lists: ShortlistConfig, measuring: LcrMeasuring) -> dict[str, str]:
    """All that training lists follow from, but for the retriever."""
    inductive, library = task.inductive, task.library
    drawn = {**asdict(lists), "validation_seed": measuring.resampling.seed}
    corpus = "\0".join(inductive.corpus.to_pylist()).encode()
    return {
        "library": library.hash(),
        "validation": library.having(_find_validation(task)).hash(),
        "protocol": inductive.protocol,
        "candidates": hashlib.sha256(corpus).hexdigest(),
        "lists": json.dumps(drawn, sort_keys=True),
    }


def _tell_retriever(measuring: LcrMeasuring, system: str, runs: Path) -> dict[str, Any]:
    """What queries are held against by what."""
    profiles, asking = measuring.profiles, measuring.asking
    return {
        **describe_retriever(system, measuring.share),
        **{name: getattr(profiles.weights, name) for name in ("alpha", "beta", "contexts")},
        **{name: getattr(asking.weights, name) for name in ("gamma", "delta")},
        "query_words": asdict(asking.words),
        **Reading.of(profiles.encoder, runs).describe(),
    }


def make_training_lists(
    task: LcrTask,
    measuring: LcrMeasuring,
    config: ShortlistConfig | None = None,
    *,
    abstracts: bool = False,
    runs: Path,
    progress: Progress = silent,
) -> tuple[Shortlists, Shortlists]:
    """What is retrieved for training contexts and for those of validation.

    Args:
        task: papers and contexts.
        measuring: encoder and weights of the retriever.
        config: which contexts.
        abstracts: those of citing papers are read too.
        runs: folder of run directories.
        progress: told what is being done.

    Raises:
        ConfigError: there is no validation split, no such system or encoder.
    """
    config = config or ShortlistConfig()
    _find_validation(task)
    asked = replace(
        measuring, split=VALIDATION, queries=config.validation, k=config.k, systems=(config.system,)
    )
    prepared = prepare(task.joining(VALIDATION), asked, runs=runs, progress=progress)
    found = prepared.retrieve(config.system, asked, progress=progress)
    held = Listed(prepared.posed, found, prepared.wanted, prepared.made)
    parts = [
        _ask_fold(task, prepared, fold, config=config, asked=asked, runs=runs, progress=progress)
        for fold in _draw_folds(task, config)
    ]
    candidates = read_candidates(task.library.documents)
    read = [part.read(candidates, abstracts=abstracts) for part in (*parts, held)]
    return join_shortlists(read[:-1]), read[-1]


def _find_validation(task: LcrTask) -> Contexts:
    if VALIDATION not in task.inductive.splits:
        raise ConfigError(
            "the benchmark has no validation contexts; expected some to tell when to stop by: make "
            "one with --validation .1"
        )
    return task.inductive.splits[VALIDATION]


def join_shortlists(parts: Sequence[Shortlists]) -> Shortlists:
    """Several lists of one set of candidates, one after another."""
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
    """Training contexts that are asked, those of one paper in one fold."""
    training = join_sentences(task.inductive.training)
    findable = apply_protocol(
        STRICT_PER_QUERY if task.dated else TRAIN_UNION,  # no paper of a fold is one of all of them
        training,
        {TRAIN: training},
        dates=task.library.dates if task.dated else None,
        candidates=task.inductive.corpus,
    ).splits[TRAIN]
    chance = np.random.default_rng(config.seed)
    ids, citing = findable.ids, findable.citing
    drawn = ids.take(pa.array(np.sort(chance.permutation(len(ids))[: config.queries or None])))
    kept = findable.filter(pc.is_in(findable.pairs["context"], value_set=drawn))
    of = chance.permutation(len(citing)) % config.folds
    folds = of[find_rows(kept.pairs["citing"], citing)]
    return [kept.filter(pa.array(folds == fold)) for fold in range(config.folds)]


def _count_known(task: LcrTask, config: ShortlistConfig) -> dict[str, int]:
    """Folds are drawn from all years, so their profiles quote papers newer than those that ask."""
    training, dates = task.inductive.training, task.library.dates
    return count_fold_foreknowledge(_draw_folds(task, config), training, dates)


def _ask_fold(
    task: LcrTask,
    prepared: Prepared,
    fold: Contexts,
    *,
    config: ShortlistConfig,
    asked: LcrMeasuring,
    runs: Path,
    progress: Progress,
) -> Listed:
    """Asks contexts of profiles that are made without the papers they stand in."""
    made, refit = prepared.made, prepared.refit
    index = refit.without(fold.citing, asked.profiles.weights)
    posed = EncodedQueries.of(
        fold,
        task.library,
        made.base,
        dated=task.dated,
        reading=Reading.of(asked.profiles.encoder, runs),
        runs=runs,
        progress=progress,
    )
    own = replace(prepared, posed=posed, index=replace(index, share=asked.share))
    found = own.retrieve(config.system, asked, progress=progress)
    wanted = Wanted.of(fold, posed.ids, made.ids, warm=index.profiled)
    return Listed(posed, found, wanted, made)
