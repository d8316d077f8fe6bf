"""How early systems find what contexts cite."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from citescape.core.progress import Progress, silent
from citescape.metrics.evaluated import LIBRARIES, EvaluationRun, find_evaluation, keep_evaluation
from citescape.recommend.encoding import Reading
from citescape.recommend.lcr.benchmark import LcrTask, count_task
from citescape.recommend.lcr.measure import (
    COLD,
    CONDITIONS,
    CUTS,
    LENGTHS,
    WARM,
    WARM_ONLY,
    measure,
)
from citescape.recommend.lcr.prepare import LcrMeasuring, Prepared, find_split, prepare
from citescape.recommend.lcr.results import LcrEvaluation, name_building
from citescape.recommend.lcr.shortlists import Listed
from citescape.recommend.questions import Questions
from citescape.recommend.retriever import Retrieved, describe_retriever, retrieve
from citescape.recommend.texts import read_candidates
from citescape.runs.directory import RunRecord, Stopwatch
from citescape.search.listed import Codes
from citescape.search.ranker import NONE
from citescape.training.reranking.shortlists import reorder

if TYPE_CHECKING:
    from citescape.training.reranking.rerankers import Reranker

BENCHMARK = "lcr"


def evaluate_lcr(
    task: LcrTask,
    config: LcrMeasuring | None = None,
    *,
    runs: Path,
    asked: Mapping[str, Any] | None = None,
    progress: Progress = silent,
) -> LcrEvaluation:
    """Evaluates systems on the contexts of one split; see `measure.measure` for the figures.

    Profiles are made of the training contexts alone.

    Args:
        task: papers, training contexts, and contexts to be completed.
        config: which systems, how.
        runs: folder of run directories.
        asked: options as given, for the run's record.
        progress: told what is being done.

    Raises:
        ConfigError: no such system, encoder or split; a reranker was trained on what another
            system finds; nothing can be written to `runs`.
    """
    config, clock = config or LcrMeasuring(), Stopwatch()
    rerankers = _open_rerankers(config, runs)
    for reranker in rerankers.values():
        reranker.check_retriever(describe_retriever(config.systems[-1], config.share))
    record = _record(task, config, rerankers, asked=asked or {}, runs=runs)
    kept = find_evaluation(record, runs)
    if kept:
        return LcrEvaluation(kept.path, kept.record)
    prepared = prepare(task, config, runs=runs, clock=clock, progress=progress)
    candidates = read_candidates(task.library.documents)
    with clock.timed("questions"):
        asked_for = prepared.posed.ask(prepared.index.lexicon, config.asking)
    lists = _Lists(prepared, asked_for, candidates, config, clock, progress)
    systems = {
        name: measure(papers, prepared.wanted, warm_only=known)
        for name, papers, known in lists.make(rerankers)
    }
    counts = {**_count(task, prepared, config), "systems": list(systems)}
    made = keep_evaluation(
        replace(record, counts=counts),
        systems,
        runs=runs,
        resampling=config.resampling,
        clock=clock,
    )
    return LcrEvaluation(made.path, made.record, unchanged=False)


def _open_rerankers(config: LcrMeasuring, runs: Path) -> dict[str, Reranker]:
    """By name; without any, what they need is not imported."""
    if not config.rerankers:
        return {}
    from citescape.training.reranking.rerankers import open_reranker

    return {name: open_reranker(name, runs) for name in config.rerankers}


@dataclass(frozen=True, eq=False)
class _Lists:
    """The lists of systems, one after the other; each among all candidates and among warm ones.

    Times are those among all candidates. A system builds what it searches by itself, so that its
    times do not depend on those before it.
    """

    prepared: Prepared
    asked: Questions
    candidates: list[str]
    """(papers,) as rerankers read them."""
    config: LcrMeasuring
    clock: Stopwatch
    progress: Progress

    def make(self, rerankers: Mapping[str, Reranker]) -> Iterator[tuple[str, Codes, Codes]]:
        """Names of systems, and both lists (q, k)."""
        for name in self.config.systems:
            found, known = self._retrieve(name)
            yield name, found.papers, known.papers
        for named, reranker in rerankers.items():
            name = f"{self.config.systems[-1]} > {named}"
            deepest = max(self.config.depths)
            with self.clock.timed(_name_depth(name, deepest, self.config)):
                ordered = list(self._rerank(reranker, found))
            with self.clock.timed(WARM_ONLY):
                beside = list(self._rerank(reranker, known))
            for (depth, papers), (_, warm) in zip(ordered, beside, strict=True):
                yield _name_depth(name, depth, self.config), papers, warm

    def _retrieve(self, name: str) -> tuple[Retrieved, Retrieved]:
        """The lists of a retriever; those of warm works are empty where none is asked for."""
        prepared, k, count = self.prepared, self.config.k, len(self.asked)
        search = partial(retrieve, replace(prepared.index), system=name, progress=self.progress)
        with self.clock.timed(name_building(name)):
            search(self.asked.take(np.arange(count)[:1]), k=1)
        with self.clock.timed(name):
            found = search(self.asked, k=k, among=prepared.among)
        with self.clock.timed(WARM_ONLY):
            rows = np.unique(prepared.wanted.among(WARM)[0])
            warm = prepared.among & prepared.index.profiled
            known = search(self.asked.take(rows), k=k, among=warm)
        papers, scores = np.full_like(found.papers, NONE), np.full_like(found.scores, -np.inf)
        papers[rows], scores[rows] = known.papers, known.scores
        return found, Retrieved(papers, scores)

    def _rerank(self, reranker: Reranker, found: Retrieved) -> Iterator[tuple[int, Codes]]:
        """Depths, and lists whose papers down to there are in the order of a reranker.

        What is scored once is ordered for every depth.
        """
        held = self.prepared
        listed = Listed(held.posed, found, held.wanted, held.made).read(
            self.candidates, abstracts=reranker.abstracts
        )
        scores = reranker.score(listed, max(self.config.depths), self.progress)
        for depth in self.config.depths:
            lists, weight = listed.cut(depth), self.config.weight
            ordered = reorder(lists, scores[:, :depth], weight=weight)
            rest: Codes = found.papers[:, depth:]
            yield depth, np.concatenate([ordered.papers, rest], axis=1)


def _name_depth(name: str, depth: int, config: LcrMeasuring) -> str:
    return name if len(config.depths) == 1 else f"{name} @{depth}"


def _record(
    task: LcrTask,
    config: LcrMeasuring,
    rerankers: Mapping[str, Reranker],
    *,
    asked: Mapping[str, Any],
    runs: Path,
) -> RunRecord:
    settings = asdict(config)
    reading = Reading.of(config.profiles.encoder, runs)
    settings["profiles"] = {"weights": settings["profiles"]["weights"], **reading.describe()}
    inductive = task.inductive
    inputs = {
        "library": task.library.hash(),
        "split": task.library.having(find_split(task, config.split)).hash(),
        "protocol": inductive.protocol,
        "candidates": len(inductive.corpus),
        "order": list(config.systems),
        "conditions": list(CONDITIONS),
        "rerankers": {name: reranker.describe() for name, reranker in rerankers.items()},
    }
    return RunRecord.of(
        EvaluationRun.command,
        {"benchmark": BENCHMARK, **settings},
        inputs,
        seed=config.resampling.seed,
        libraries=(*LIBRARIES, "torch", "transformers"),
        asked=asked,
    )


def _count(task: LcrTask, prepared: Prepared, config: LcrMeasuring) -> dict[str, Any]:
    """Sizes; and how many queries have warm works to find, and cold ones."""
    wanted = prepared.wanted
    cold = prepared.among & ~prepared.index.profiled
    return {
        **count_task(task),
        "profiles": prepared.made.run,
        "profiling": dict(prepared.made.record.timings),
        "queries": len(prepared.posed),
        "asking": len(np.unique(wanted.citing)),
        "wordless_queries": prepared.posed.wordless,
        "cold_candidates": int(cold.sum()),
        "cold_candidates_wanted": len(np.unique(wanted.among(COLD)[1])),
        "citations": len(wanted.rows),
        "warm_citations": int(wanted.warm.sum()),
        "warm_queries": len(np.unique(wanted.among(WARM)[0])),
        "cold_queries": len(np.unique(wanted.among(COLD)[0])),
        "cuts": [cut for cut in CUTS if cut <= config.k],
        "lengths": [length for length in LENGTHS if length <= config.k],
    }
