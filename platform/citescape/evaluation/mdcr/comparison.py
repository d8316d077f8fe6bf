"""Evaluation of rankers and files of scores on a benchmark."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from citescape.core.errors import ConfigError, SourceError
from citescape.core.pairs import find_rows
from citescape.core.progress import Progress, silent
from citescape.evaluation.mdcr.benchmark import MdcrBenchmark
from citescape.evaluation.mdcr.evaluate import measure_kinds, score
from citescape.evaluation.mdcr.files import read_scores
from citescape.metrics.evaluation_run import (
    LIBRARIES,
    EvaluationRun,
    describe_rankers,
    find_evaluation,
    keep_evaluation,
)
from citescape.metrics.query_figures import QueryFigures
from citescape.metrics.summary import Resampling
from citescape.papers.documents import DocumentCorpus
from citescape.runs.directory import RunRecord, Stopwatch
from citescape.search.ranker import Ranker


@dataclass(frozen=True)
class MdcrComparison:
    """A benchmark and the systems to measure."""

    benchmark: MdcrBenchmark
    corpus: DocumentCorpus
    """Texts of its papers; empty if all systems are files of scores."""
    rankers: Mapping[str, Ranker]
    scores: Mapping[str, Path]
    """System -> file of its scores, see `files.read_scores`."""
    origin: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the benchmark, for records of runs."""
    request: Mapping[str, Any] = field(default_factory=dict)
    """Request for the record of the run, see `RunRecord.request`."""


def evaluate_mdcr(
    comparison: MdcrComparison,
    resampling: Resampling | None = None,
    *,
    runs: Path,
    progress: Progress = silent,
    clock: Stopwatch | None = None,
) -> EvaluationRun:
    """Measures systems by MAP, nDCG and recall at 5, by field and by kind of candidates.

    An existing run with the same benchmark, systems and settings is returned.

    Args:
        comparison: the benchmark and the systems.
        resampling: settings of intervals and tests.
        runs: folder of run directories.
        progress: receives messages.
        clock: started before work such as the encoding of texts.

    Raises:
        ConfigError: no systems, two systems with the same name, or `runs` is not writable.
        SourceError: a file of scores has another format, or a system has no scores.
    """
    resampling, clock = resampling or Resampling(), clock or Stopwatch()
    if not comparison.rankers and not comparison.scores:
        raise ConfigError("expected at least one ranker, or a file of scores")
    repeated = sorted(set(comparison.rankers) & set(comparison.scores))
    if repeated:
        raise ConfigError(f"two systems are called {repeated[0]!r}; expected a name for each")
    record = _record(comparison, resampling)
    existing = find_evaluation(record, runs)
    if existing:
        return existing
    pairs = comparison.benchmark.pairs()
    ids = comparison.corpus.papers["id"].combine_chunks()
    tables = {}
    for name, ranker in comparison.rankers.items():
        progress(f"scoring {len(pairs):,} candidates by {name}")
        tables[name] = score(ranker, ids, pairs)
    tables |= {name: read_scores(path, pairs) for name, path in comparison.scores.items()}

    systems, lacking = {}, {}
    for name, scored in tables.items():
        lacking[name] = scored["score"].null_count
        if lacking[name] == len(scored):
            raise SourceError(
                name,
                "no-scores",
                f"it has no score for any of {len(scored):,} candidates; expected some: leave it "
                "out, or check that it has vectors or scores of these papers",
            )
        systems[name] = measure_kinds(comparison.benchmark, scored)
    counts = _count_data(comparison, next(iter(systems.values())), lacking)
    record = replace(record, counts=counts)
    return keep_evaluation(record, systems, runs=runs, resampling=resampling, clock=clock)


def _record(comparison: MdcrComparison, resampling: Resampling) -> RunRecord:
    rows = "\n".join("\t".join(row.values()) for row in comparison.benchmark.table.to_pylist())
    files = {name: _hash(path.read_bytes()) for name, path in comparison.scores.items()}
    inputs = {
        "benchmark": _hash(rows.encode()),
        "texts": comparison.corpus.hash(),
        "systems": {name: ranker.describe() for name, ranker in comparison.rankers.items()} | files,
        "order": [*comparison.rankers, *files],  # others are compared with the first
    }
    settings = {"benchmark": "mdcr", **asdict(resampling)}
    return RunRecord.create(
        EvaluationRun.command,
        settings,
        inputs,
        seed=resampling.seed,
        libraries=LIBRARIES,
        request=comparison.request,
    )


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _count_data(
    comparison: MdcrComparison, measured: Mapping[str, QueryFigures], lacking: Mapping[str, int]
) -> dict[str, object]:
    benchmark, whole = comparison.benchmark, next(iter(measured.values()))
    rows = find_rows(benchmark.papers, comparison.corpus.papers["id"].combine_chunks())
    pairs, with_text = len(benchmark.pairs()), rows[rows >= 0]
    described = {}
    if comparison.corpus.documents:
        described = {
            "without_text": int((rows < 0).sum()),
            **describe_rankers(comparison.rankers, comparison.corpus),
        }
    return {
        "source": benchmark.source,
        "benchmark": dict(comparison.origin),
        "queries": len(whole),
        "fields": list(whole.groups),
        "kinds": benchmark.kinds,
        "pairs": pairs,
        "queries_without_cited": len(benchmark.without_positives),
        "longest_list": benchmark.longest_list,
        "short_lists": benchmark.short_lists,
        "without_score": dict(lacking),
        "covered": {
            **{name: round(1 - count / pairs, 4) for name, count in lacking.items()},
            **{
                name: round(int((~ranker.lacks(with_text)).sum()) / len(rows), 4)
                for name, ranker in comparison.rankers.items()
            },
        },
        "systems": list(lacking),
        **described,
    }
