"""Benchmarks of sentences in Python, as methods of `corpus.benchmark` and `corpus.evaluate`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from citescape.core.progress import Progress, silent
from citescape.runs.methods import Group
from citescape.runs.step import name_runs

if TYPE_CHECKING:
    from citescape.metrics.evaluated import EvaluationRun
    from citescape.namespaces.learning import Run
    from citescape.recommend.lcr.benchmark import LcrRun
    from citescape.recommend.lcr.config import LcrConfig
    from citescape.recommend.lcr.prepare import LcrMeasuring


class LcrBenchmarking(Group):
    """Makes benchmarks of sentences."""

    def lcr(self, config: LcrConfig | None = None, *, progress: Progress = silent) -> LcrRun:
        """Makes a benchmark of sentences to be completed, as `platform benchmark lcr` does.

        Args:
            config: papers that ask, papers that teach, papers that may be found.
            progress: takes lines on what is being done.
        """
        from citescape.recommend.lcr.benchmark import build_from_graph

        context = self.context
        return build_from_graph(context.store, config, runs=context.runs, progress=progress)


class LcrEvaluating(Group):
    """Evaluates by benchmarks of sentences."""

    def lcr(
        self,
        *systems: str,
        benchmark: Run = "",
        rerank: Sequence[Run] = (),
        config: LcrMeasuring | None = None,
        protocol: LcrConfig | None = None,
        progress: Progress = silent,
    ) -> EvaluationRun:
        """Measures how early works come that sentences cite, as `platform evaluate lcr` does.

        Args:
            systems: of `retriever.SYSTEMS`; those of `config` if none is named.
            benchmark: run, or a folder in the format of HAtten; the latest if none.
            rerank: rerankers of what the last system finds: runs, folders, hub ids.
            config: encoder, weights, length of lists.
            protocol: how the benchmark is read; by default as it was made, and a folder as
                published.
            progress: takes lines on what is being done.
        """
        from dataclasses import replace

        from citescape.recommend.lcr.benchmark import find_lcr
        from citescape.recommend.lcr.evaluate import evaluate_lcr
        from citescape.recommend.lcr.prepare import LcrMeasuring, check_measuring

        context, config = self.context, config or LcrMeasuring()
        config = replace(config, systems=systems) if systems else config
        config = replace(config, rerankers=name_runs(tuple(rerank))) if rerank else config
        check_measuring(config, context.runs)
        path, task = find_lcr(
            context.runs, name_runs(benchmark), location=context.location, config=protocol
        )
        asked = {"": [*systems], "benchmark": str(path), "store": context.location}
        return evaluate_lcr(task, config, runs=context.runs, asked=asked, progress=progress)
