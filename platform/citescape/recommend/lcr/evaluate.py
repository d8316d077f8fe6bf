"""Evaluation of systems on the contexts of a split."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from citescape.core.progress import Progress, silent
from citescape.metrics.evaluation_run import (
    LIBRARIES,
    EvaluationRun,
    find_evaluation,
    keep_evaluation,
)
from citescape.recommend.encoding import ResolvedEncoder
from citescape.recommend.held_out import choose_on_warm
from citescape.recommend.lcr.benchmark import LcrTask, count_task
from citescape.recommend.lcr.config import VALIDATION
from citescape.recommend.lcr.measure import (
    COLD,
    CONDITIONS,
    CUTS,
    LENGTHS,
    WARM,
    WARM_ONLY,
    measure,
)
from citescape.recommend.lcr.prepare import (
    LcrEvaluationConfig,
    PreparedEvaluation,
    find_split,
    prepare,
)
from citescape.recommend.lcr.results import LcrEvaluation, name_building
from citescape.recommend.lcr.shortlists import make_shortlists
from citescape.recommend.queries import ContextQueries
from citescape.recommend.retriever import FUSED, Retrieved, describe_retriever, retrieve
from citescape.recommend.texts import read_candidates
from citescape.recommend.word_weight import WordWeightChoice
from citescape.runs.directory import RunRecord, Stopwatch
from citescape.search.listed import Codes
from citescape.search.ranker import NONE
from citescape.training.reranking.shortlists import reorder

if TYPE_CHECKING:
    from citescape.training.reranking.rerankers import Reranker

BENCHMARK = "lcr"


def evaluate_lcr(
    task: LcrTask,
    config: LcrEvaluationConfig | None = None,
    *,
    runs: Path,
    options: Mapping[str, Any] | None = None,
    progress: Progress = silent,
) -> LcrEvaluation:
    """Evaluates systems on the contexts of one split; see `measure.measure` for the metrics.

    Profiles are computed from the training contexts alone.

    Args:
        task: the benchmark.
        config: systems, queries and settings.
        runs: folder of run directories.
        options: options of the command as given, for the record of the run.
        progress: called with the name of each stage as it begins.

    Raises:
        ConfigError: no such system, encoder or split; a reranker was trained on the lists of
            another system; `runs` is not writable.
    """
    config, clock = config or LcrEvaluationConfig(), Stopwatch()
    rerankers: dict[str, Reranker] = {}
    if config.rerankers:
        from citescape.training.reranking.rerankers import open_reranker

        rerankers = {name: open_reranker(name, runs) for name in config.rerankers}
    for reranker in rerankers.values():
        reranker.check_retriever(describe_retriever(config.systems[-1], config.word_weight))
    record = _make_record(task, config, rerankers, options=options or {}, runs=runs)
    existing = find_evaluation(record, runs)
    if existing:
        return LcrEvaluation(existing.path, existing.record)

    prepared = prepare(task, config, runs=runs, clock=clock, progress=progress)
    candidates = read_candidates(task.library.documents)
    with clock.timed("compose queries"):
        queries = prepared.queries.compose(prepared.index.lexicon, config.query_weights)
    choice = None
    if config.choose_word_weight:
        choice = _choose_word_weight(task, config, runs=runs, clock=clock, progress=progress)
    lists = _SystemLists(prepared, queries, candidates, config, clock, progress, choice)
    systems = {
        name: measure(papers, prepared.relevant, warm_only=warm)
        for name, papers, warm in lists.make(rerankers)
    }
    counts = {**_make_counts(task, prepared, config), "systems": list(systems)}
    if choice:
        counts["word_weight"] = choice.to_record()
    run = keep_evaluation(
        replace(record, counts=counts),
        systems,
        runs=runs,
        resampling=config.resampling,
        clock=clock,
    )
    return LcrEvaluation(run.path, run.record, unchanged=False)


def _choose_word_weight(
    task: LcrTask,
    config: LcrEvaluationConfig,
    *,
    runs: Path,
    clock: Stopwatch,
    progress: Progress,
) -> WordWeightChoice:
    """The weight of words chosen on all validation contexts, which are in no profile."""
    own = replace(config, split=VALIDATION, queries=0)
    with clock.timed("choose the weight of words"):
        prepared = prepare(task, own, runs=runs, progress=progress)
        queries = prepared.queries.compose(prepared.index.lexicon, config.query_weights)
        return choose_on_warm(
            prepared.index, queries, prepared.relevant, among=prepared.among, progress=progress
        )


@dataclass(frozen=True, eq=False)
class _SystemLists:
    """Lists of all systems, each ranked among all candidates and among warm candidates only.

    Timings are those among all candidates. Each system builds its own index, so that its timings do
    not depend on the systems before it.
    """

    prepared: PreparedEvaluation
    queries: ContextQueries
    candidates: list[str]
    """(papers,) texts as rerankers read them."""
    config: LcrEvaluationConfig
    clock: Stopwatch
    progress: Progress
    choice: WordWeightChoice | None = None
    """Evaluates weights of words in place of systems."""

    def make(self, rerankers: Mapping[str, Reranker]) -> Iterator[tuple[str, Codes, Codes]]:
        """Names of systems, and both lists (q, k)."""
        if self.choice:
            given, chosen = self.config.word_weight, self.choice.word_weight
            for word_weight in dict.fromkeys((given, 0.0, 1.0, chosen)):
                name = f"{FUSED}, word weight {word_weight:g}"
                retrieved, warm = self._retrieve(FUSED, name, word_weight)
                yield name, retrieved.papers, warm.papers
            return
        for name in self.config.systems:
            retrieved, warm = self._retrieve(name, name, self.config.word_weight)
            yield name, retrieved.papers, warm.papers

        several = len(self.config.depths) > 1
        for named, reranker in rerankers.items():
            name = f"{self.config.systems[-1]} > {named}"
            names = [f"{name} @{depth}" if several else name for depth in self.config.depths]
            deepest = names[self.config.depths.index(max(self.config.depths))]
            with self.clock.timed(deepest):
                reranked = list(self._rerank(reranker, retrieved))
            with self.clock.timed(WARM_ONLY):
                reranked_warm = list(self._rerank(reranker, warm))
            yield from zip(names, reranked, reranked_warm, strict=True)

    def _retrieve(self, system: str, name: str, word_weight: float) -> tuple[Retrieved, Retrieved]:
        """Lists of a retriever; those of warm works are empty for queries without one."""
        prepared, k = self.prepared, self.config.k
        index = replace(prepared.index, word_weight=word_weight)
        search = partial(retrieve, index, system=system, progress=self.progress)
        with self.clock.timed(name_building(name)):
            search(self.queries.select_rows(np.arange(len(self.queries))[:1]), k=1)
        with self.clock.timed(name):
            retrieved = search(self.queries, k=k, among=prepared.among)
        with self.clock.timed(WARM_ONLY):
            rows = np.unique(prepared.relevant.among(WARM)[0])
            among = prepared.among & prepared.index.profiled
            warm = search(self.queries.select_rows(rows), k=k, among=among)
        papers = np.full_like(retrieved.papers, NONE)
        scores = np.full_like(retrieved.scores, -np.inf)
        papers[rows], scores[rows] = warm.papers, warm.scores
        return retrieved, Retrieved(papers, scores)

    def _rerank(self, reranker: Reranker, retrieved: Retrieved) -> Iterator[Codes]:
        """Lists (q, k) reranked down to each depth, from one scoring of the deepest."""
        shortlists = make_shortlists(
            self.prepared.queries,
            retrieved,
            self.prepared.relevant,
            run=self.prepared.run,
            candidates=self.candidates,
            abstracts=reranker.abstracts,
        )
        scores = reranker.score(shortlists, max(self.config.depths), self.progress)
        for depth in self.config.depths:
            ordered = reorder(shortlists.cut(depth), scores[:, :depth], weight=self.config.weight)
            rest: Codes = retrieved.papers[:, depth:]
            yield np.concatenate([ordered.papers, rest], axis=1)


def _make_record(
    task: LcrTask,
    config: LcrEvaluationConfig,
    rerankers: Mapping[str, Reranker],
    *,
    options: Mapping[str, Any],
    runs: Path,
) -> RunRecord:
    settings = asdict(config)
    if not config.choose_word_weight:
        del settings["choose_word_weight"]
    encoder = ResolvedEncoder.from_config(config.profiles.encoder, runs)
    settings["profiles"] = {"weights": settings["profiles"]["weights"], **encoder.describe()}
    inductive = task.inductive
    inputs = {
        "library": task.library.hash(),
        "split": task.library.with_contexts(find_split(task, config.split)).hash(),
        "protocol": inductive.protocol,
        "candidates": len(inductive.corpus),
        "order": list(config.systems),
        "conditions": list(CONDITIONS),
        "rerankers": {name: reranker.describe() for name, reranker in rerankers.items()},
    }
    return RunRecord.create(
        EvaluationRun.command,
        {"benchmark": BENCHMARK, **settings},
        inputs,
        seed=config.resampling.seed,
        libraries=(*LIBRARIES, "torch", "transformers"),
        request=options,
    )


def _make_counts(
    task: LcrTask, prepared: PreparedEvaluation, config: LcrEvaluationConfig
) -> dict[str, Any]:
    """Sizes, and numbers of queries with warm and with cold works."""
    relevant = prepared.relevant
    cold = prepared.among & ~prepared.index.profiled
    return {
        **count_task(task),
        "profiles": prepared.run.run,
        "profiling": dict(prepared.run.record.timings),
        "queries": len(prepared.queries),
        "query_papers": len(np.unique(relevant.citing)),
        "wordless_queries": prepared.queries.wordless,
        "cold_candidates": int(cold.sum()),
        "cold_candidates_cited": len(np.unique(relevant.among(COLD)[1])),
        "citations": len(relevant.rows),
        "warm_citations": int(relevant.warm.sum()),
        "warm_queries": len(np.unique(relevant.among(WARM)[0])),
        "cold_queries": len(np.unique(relevant.among(COLD)[0])),
        "cuts": [cut for cut in CUTS if cut <= config.k],
        "lengths": [length for length in LENGTHS if length <= config.k],
    }
