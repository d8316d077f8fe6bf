"""Loads a benchmark and its texts by name, and evaluates rankers on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from citescape.core.config import DEFAULT_STORE
from citescape.core.errors import ConfigError
from citescape.evaluation.literature import Literature
from citescape.evaluation.mdcr.basis import prepare_basis
from citescape.evaluation.mdcr.benchmark import MdcrBenchmark
from citescape.evaluation.mdcr.build import TEXTS, MdcrRun, build_mdcr
from citescape.evaluation.mdcr.comparison import MdcrComparison, evaluate_mdcr
from citescape.evaluation.mdcr.config import MdcrConfig
from citescape.evaluation.mdcr.files import read_benchmark, read_texts
from citescape.evaluation.mdcr.negatives import check_names
from citescape.evaluation.mdcr.queries import TEST, choose_queries
from citescape.evaluation.prefilter import prefilter
from citescape.metrics.evaluation_run import EvaluationRun
from citescape.metrics.summary import Resampling
from citescape.networks.citations import Citations
from citescape.papers.documents import DocumentCorpus, make_corpus
from citescape.ranking.names import name_systems
from citescape.ranking.registry import Basis, open_rankers
from citescape.runs.directory import Stopwatch
from citescape.runs.kept import find_kept

DEFAULT = ("bm25", "minilm")
"""Default rankers."""


@dataclass(frozen=True)
class BenchmarkSource:
    """Location of a benchmark."""

    benchmark: str = ""
    """Run or folder, or a published file; empty for the latest run."""
    split: str = TEST
    """Split of a run."""
    texts: Path | None = None
    """File of titles and abstracts; by default the one beside the benchmark."""


@dataclass(frozen=True)
class LoadedBenchmark:
    """One split of a benchmark, and its run."""

    benchmark: MdcrBenchmark
    corpus: DocumentCorpus
    """Texts of its papers, which rankers need; empty if the file is missing."""
    source: BenchmarkSource
    run: MdcrRun | None = None

    def measure(
        self,
        rankers: Sequence[str],
        basis: Basis,
        *,
        scores: Mapping[str, Path] | None = None,
        citations: Callable[[], Citations],
        request: Mapping[str, object] | None = None,
    ) -> EvaluationRun:
        """Opens rankers and evaluates them, see `comparison.evaluate_mdcr`.

        Args:
            rankers: names, see `registry.open_ranker`; `DEFAULT` without rankers and scores.
            basis: inputs of rankers, with the texts of this benchmark.
            scores: system -> file of its scores, see `files.read_scores`.
            citations: reads the citations of the store; called if a ranker needs them.
            request: request for the record of the run, see `RunRecord.request`.

        Raises:
            ConfigError: no such ranker or file, or texts for rankers are missing.
            SourceError: a file has another format.
        """
        files, origin = scores or {}, dict[str, Any]()
        basis = replace(basis, clock=Stopwatch())
        if self.run:
            basis = prepare_basis(basis, self.run, citations, split=self.source.split)
            origin = {"run": self.run.run, **self.run.record.config}
            origin |= {name: self.run.counts[name] for name in ("year", "models")}
        rankers = rankers or (() if files else DEFAULT)
        if rankers and not self.corpus.documents:
            path = Path(self.source.benchmark)
            raise ConfigError(
                f"{path} needs titles and abstracts for {', '.join(rankers)}; expected "
                f"{find_texts(path)}, or --texts FILE"
            )
        comparison = MdcrComparison(
            self.benchmark,
            self.corpus,
            rankers=open_rankers(rankers, basis),
            scores=files,
            origin=origin,
            request={"benchmark": self.source.benchmark, **(request or {})},
        )
        return evaluate_mdcr(
            comparison,
            Resampling(basis.seed),
            runs=basis.runs,
            progress=basis.progress,
            clock=basis.clock,
        )


def make_benchmark(
    names: Sequence[str],
    literature: Literature,
    config: MdcrConfig | None = None,
    *,
    basis: Basis,
) -> MdcrRun:
    """Opens rankers and builds a benchmark from their lists, see `build.build_mdcr`.

    Names and queries are checked first, before hours of encoding.

    Args:
        names: names of rankers, see `registry.open_ranker`; `DEFAULT` if empty.
        literature: papers, citations, fields.
        config: settings of the benchmark.
        basis: inputs of rankers, with the texts of the literature.

    Raises:
        ConfigError: no such ranker, a reserved name, or no queries.
        SourceError: the file of a ranker has another format.
    """
    config, names = config or MdcrConfig(), names or DEFAULT
    check_names(list(name_systems(names)))
    choose_queries(literature, prefilter(literature, config).papers, config)
    basis = replace(basis, clock=Stopwatch())
    rankers, progress = open_rankers(names, basis), basis.progress
    return build_mdcr(
        literature, rankers, config, runs=basis.runs, progress=progress, clock=basis.clock
    )


def open_benchmark(
    runs: Path, source: BenchmarkSource, *, location: str = DEFAULT_STORE
) -> LoadedBenchmark:
    """Reads a benchmark and its texts. Texts of a published file may be missing.

    Args:
        runs: folder of run directories.
        source: location of the benchmark.
        location: location of the store, for messages.

    Raises:
        ConfigError: no such run.
        SourceError: a file has another format.
    """
    path = Path(source.benchmark)
    if not path.is_file():
        run = find_kept(MdcrRun, runs, source.benchmark, location=location)
        corpus = read_texts(source.texts or run.path / TEXTS[source.split])
        source = replace(source, benchmark=source.benchmark or run.run)
        return LoadedBenchmark(run.read(source.split), corpus, source, run)
    texts = source.texts or find_texts(path)
    exists = source.texts or texts.is_file()
    corpus = read_texts(texts) if exists else make_corpus(pa.array([], pa.string()), [])
    return LoadedBenchmark(read_benchmark(path), corpus, source)


def find_texts(path: Path) -> Path:
    """Path of the texts of a published file: `mdcr_test_data.jsonl` beside `mdcr_test.json`."""
    return path.with_name(f"{path.stem}_data.jsonl")
