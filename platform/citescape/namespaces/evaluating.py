"""Measuring encoders, in Python: `corpus.evaluate` makes benchmarks and runs evaluations.

From the graph to a table of systems with intervals:

    judge = citescape.open("corpus.lbug").evaluate
    benchmark = judge.benchmark("bm25", "minilm")
    judge.mdcr("bm25", "minilm", "train-b942f4be8151", benchmark=benchmark).figures
    judge.pool("bm25", "minilm").differences

Each step is kept as a run and found again when it is asked for with the same settings. Where a run
is to be named, its id will do, or what the step that made it returned. Rankers are named as on the
command line: `platform evaluate rankers` lists them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from citescape.core.progress import Progress, silent
from citescape.namespaces.learning import Run, name_run
from citescape.recommend.steps import BenchmarkLcr, EvaluateLcr
from citescape.runs.context import Context
from citescape.runs.directory import Stopwatch, default_runs
from citescape.runs.methods import method
from citescape.store.graph_store import GraphStore

if TYPE_CHECKING:
    from citescape.evaluation.leakage.report import LeakageRun
    from citescape.evaluation.literature import Literature
    from citescape.evaluation.mdcr.build import MdcrRun
    from citescape.evaluation.mdcr.config import MdcrConfig
    from citescape.evaluation.pool.config import FieldPoolConfig, PoolConfig
    from citescape.evaluation.scidocs.run import SciDocsConfig
    from citescape.metrics.evaluated import EvaluationRun
    from citescape.papers.documents import Corpus as Texts
    from citescape.ranking.registry import Basis

Labels = Iterable[tuple[str, str]]


@dataclass(frozen=True)
class RankingConfig:
    """How rankers compare vectors, and how much encoders read."""

    metric: str = "cosine"
    """`cosine`, `dot` or `l2`."""
    max_tokens: int = 0
    """Of a text; 0 for the encoder's own."""


class Evaluating:
    """Benchmarks and evaluations of one store. `runs` is where results are kept."""

    benchmark_lcr = method(BenchmarkLcr)
    lcr = method(EvaluateLcr)

    def __init__(self, store: GraphStore, runs: Path | None = None) -> None:
        self.store = store
        self.runs = runs or default_runs(store.location)
        self.context = Context(store.location, self.runs)
        self.context.use(store)

    def benchmark(
        self,
        *rankers: Run,
        config: MdcrConfig | None = None,
        fields: str = "venue",
        labels: Labels = (),
        ranking: RankingConfig | None = None,
        progress: Progress = silent,
    ) -> MdcrRun:
        """Makes a benchmark of the papers and citations here, as `platform benchmark mdcr` does.

        Args:
            rankers: whose lists candidates are taken from; bm25 and minilm if none is named.
            config: years, numbers of queries and candidates, which papers may be in it, seed.
            fields: `venue`, `subjects`, or `labels`.
            labels: for `labels`: pairs of a paper's identifier and its field.
            ranking: how rankers read.
            progress: told what is being done.
        """
        from citescape.evaluation.mdcr.opened import make_benchmark

        literature = self._read(fields, labels)
        basis = self._basis(
            literature.corpus, ranking, seed=config.seed if config else 0, progress=progress
        )
        return make_benchmark(_names(rankers), literature, config, basis=basis)

    def mdcr(
        self,
        *rankers: Run,
        benchmark: Run = "",
        split: str = "test",
        scores: Mapping[str, str | Path] | None = None,
        ranking: RankingConfig | None = None,
        seed: int = 0,
        progress: Progress = silent,
    ) -> EvaluationRun:
        """Measures rankers by such a benchmark, as `platform evaluate mdcr` does.

        Args:
            rankers: bm25 and minilm if neither they nor scores are given; others are compared with
                the first.
            benchmark: run, or a file as published with its texts beside it; the last made if none.
            split: `test` or `val`, of a run.
            scores: system -> file of its scores.
            ranking: how rankers read.
            seed: of intervals and tests, and of rankers that draw.
            progress: told what is being done.
        """
        from citescape.evaluation.mdcr.opened import Named, open_benchmark
        from citescape.networks.citations import read_citations

        named = Named(name_run(benchmark), split)
        opened = open_benchmark(self.runs, named, location=self.store.location)
        return opened.measure(
            _names(rankers),
            self._basis(opened.corpus, ranking, seed=seed, progress=progress),
            scores=[f"{name}={path}" for name, path in (scores or {}).items()],
            citations=lambda: read_citations(self.store, weight="none"),
        )

    def pool(
        self,
        *rankers: Run,
        config: PoolConfig | FieldPoolConfig | None = None,
        fields: str = "venue",
        labels: Labels = (),
        ranking: RankingConfig | None = None,
        progress: Progress = silent,
    ) -> EvaluationRun:
        """Ranks whole pools of papers, as `platform evaluate pool` does.

        Args:
            rankers: bm25 and minilm if none is named; others are compared with the first.
            config: `PoolConfig()`, pools of several sizes; `FieldPoolConfig()`, pools of fields.
            fields: for pools of fields: `venue`, `subjects`, or `labels`.
            labels: for `labels`: pairs of a paper's identifier and its field.
            ranking: how rankers read.
            progress: told what is being done.
        """
        from citescape.evaluation.mdcr.opened import DEFAULT
        from citescape.evaluation.pool.basis import search_pools
        from citescape.evaluation.pool.config import PoolConfig

        literature, config = self._read(fields, labels), config or PoolConfig()
        basis = self._basis(literature.corpus, ranking, seed=config.seed, progress=progress)
        known = {"labels": "FILE"} if fields == "labels" else {"fields": fields}
        asked = {} if isinstance(config, PoolConfig) else known
        asked["store"] = self.store.location
        return search_pools(
            _names(rankers) or DEFAULT, literature, config, basis=basis, asked=asked
        )

    def scidocs(
        self,
        data: str | Path,
        *systems: Run,
        config: SciDocsConfig | None = None,
        ranking: RankingConfig | None = None,
        progress: Progress = silent,
    ) -> EvaluationRun:
        """Evaluates embeddings by SciDocs, as `platform evaluate scidocs` does.

        Args:
            data: folder as published.
            systems: files or folders of embeddings, runs, encoders; or NAME=SYSTEM.
            config: split, ranker of recommendations, seed.
            ranking: how encoders read.
            progress: told what is being done.
        """
        from citescape.evaluation.scidocs.run import find_systems, measure_scidocs

        tokens, clock = (ranking or RankingConfig()).max_tokens, Stopwatch()
        named, folder, runs = _names(systems), Path(data), self.runs
        found = find_systems(named, folder, runs, max_tokens=tokens, progress=progress, clock=clock)
        asked = {"": named, "max-tokens": tokens, "data": str(folder)}
        return measure_scidocs(
            folder, found, config, asked=asked, runs=runs, progress=progress, clock=clock
        )

    def leakage(self, trained: Run, benchmark: Run) -> LeakageRun:
        """Papers of a benchmark that a model has learned from, as `platform evaluate leakage`.

        Args:
            trained: run of `train`, `combine` or `sample`, or a file.
            benchmark: run of `benchmark mdcr` or `evaluate pool`, or files.
        """
        from citescape.evaluation.leakage.benchmarks import read_benchmark_list
        from citescape.evaluation.leakage.report import report_leakage
        from citescape.evaluation.leakage.trained import read_trained

        learned = read_trained(self.runs, name_run(trained))
        asked = read_benchmark_list(self.runs, name_run(benchmark))
        return report_leakage(learned, asked, self.store, runs=self.runs)

    def report(self, run: Run = "", folder: str | Path | None = None) -> Path:
        """Writes an evaluation as a page, text, pictures and tables; returns the page.

        Args:
            run: which; the last one if none is named.
            folder: where to; the run's own by default.
        """
        from citescape.evaluation.export import write_report
        from citescape.metrics.evaluated import EvaluationRun
        from citescape.runs.kept import find_kept

        made = find_kept(EvaluationRun, self.runs, name_run(run), location=self.store.location)
        page: Path = write_report(made, Path(folder) if folder is not None else None)[0]
        return page

    def _read(self, fields: str, labels: Labels) -> Literature:
        from citescape.evaluation.literature import read_literature

        return read_literature(self.store, fields=fields, labels=tuple(labels))

    def _basis(
        self, corpus: Texts, ranking: RankingConfig | None, *, seed: int, progress: Progress
    ) -> Basis:
        from citescape.ranking.registry import Basis

        how = ranking or RankingConfig()
        return Basis(
            corpus,
            self.runs,
            metric=how.metric,
            max_tokens=how.max_tokens,
            seed=seed,
            progress=progress,
        )


def _names(runs: Sequence[Run]) -> tuple[str, ...]:
    return tuple(name_run(run) for run in runs)
