"""A benchmark by name, with its texts: of a run, or of files as published."""

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
"""Rankers to measure if none is named."""


@dataclass(frozen=True)
class BenchmarkSource:
    """The benchmark that is to be opened."""

    benchmark: str = ""
    """Run or folder, the latest one if empty; or a file as published."""
    split: str = TEST
    """Split of a run."""
    texts: Path | None = None
    """Titles and abstracts; by default those that lie beside the benchmark."""


@dataclass(frozen=True)
class LoadedBenchmark:
    """One split, and the run that it is of."""

    benchmark: MdcrBenchmark
    corpus: DocumentCorpus
    """Texts of its papers; none where there is no file of them, which only rankers need."""
    named: BenchmarkSource
    made: MdcrRun | None = None

    def measure(
        self,
        rankers: Sequence[str],
        basis: Basis,
        *,
        scores: Mapping[str, Path] | None = None,
        citations: Callable[[], Citations],
        asked: Mapping[str, object] | None = None,
    ) -> EvaluationRun:
        """Opens rankers and measures them, see `comparison.evaluate_mdcr`.

        Args:
            rankers: names, see `registry.open_ranker`; `DEFAULT` if neither they nor scores are
                given.
            basis: with the texts of this benchmark.
            scores: system -> file of its scores, see `files.read_scores`.
            citations: of the store that a run is from; read if a ranker needs them.
            asked: for the record of the run, see `runs.directory.RunRecord`.

        Raises:
            ConfigError: no such ranker or file; rankers have no texts to read.
            SourceError: a file is not what it should be.
        """
        files, origin = scores or {}, dict[str, Any]()
        basis = replace(basis, clock=Stopwatch())
        if self.made:
            basis = prepare_basis(basis, self.made, citations, split=self.named.split)
            origin = {"run": self.made.run, **self.made.record.config}
            origin |= {name: self.made.counts[name] for name in ("year", "models")}
        rankers = rankers or (() if files else DEFAULT)
        if rankers and not self.corpus.documents:
            path = Path(self.named.benchmark)
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
            asked={"benchmark": self.named.benchmark, **(asked or {})},
        )
        return evaluate_mdcr(
            comparison,
            Resampling(basis.seed),
            runs=basis.runs,
            progress=basis.progress,
            clock=basis.clock,
        )


def make_benchmark(
    named: Sequence[str],
    literature: Literature,
    config: MdcrConfig | None = None,
    *,
    basis: Basis,
) -> MdcrRun:
    """Opens rankers and makes a benchmark of their lists, see `build.build_mdcr`.

    Names and queries are checked first, before hours of encoding.

    Args:
        named: see `registry.open_ranker`; `DEFAULT` if there are none.
        literature: papers, citations, fields.
        config: how.
        basis: with its texts.

    Raises:
        ConfigError: there is no such ranker, its name is taken, or there are no queries.
        SourceError: a ranker's file is not what it should be.
    """
    config, named = config or MdcrConfig(), named or DEFAULT
    check_names(list(name_systems(named)))
    choose_queries(literature, prefilter(literature, config).papers, config)
    basis = replace(basis, clock=Stopwatch())
    rankers, progress = open_rankers(named, basis), basis.progress
    return build_mdcr(
        literature, rankers, config, runs=basis.runs, progress=progress, clock=basis.clock
    )


def open_benchmark(
    runs: Path, named: BenchmarkSource, *, location: str = DEFAULT_STORE
) -> LoadedBenchmark:
    """Reads a benchmark and its texts, if a published file has some.

    Args:
        runs: folder of run directories.
        named: which.
        location: of the store, for messages.

    Raises:
        ConfigError: there is no such run.
        SourceError: a file is not what it should be.
    """
    path = Path(named.benchmark)
    if not path.is_file():
        made = find_kept(MdcrRun, runs, named.benchmark, location=location)
        corpus = read_texts(named.texts or made.path / TEXTS[named.split])
        named = replace(named, benchmark=named.benchmark or made.run)
        return LoadedBenchmark(made.read(named.split), corpus, named, made)
    texts = named.texts or find_texts(path)
    there = named.texts or texts.is_file()
    corpus = read_texts(texts) if there else make_corpus(pa.array([], pa.string()), [])
    return LoadedBenchmark(read_benchmark(path), corpus, named)


def find_texts(path: Path) -> Path:
    """Where the texts of a published file are: `mdcr_test_data.jsonl` beside `mdcr_test.json`."""
    return path.with_name(f"{path.stem}_data.jsonl")
