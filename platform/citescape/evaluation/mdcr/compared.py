"""Rankers and files of scores side by side on a benchmark."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from citescape.embeddings.documents import Corpus
from citescape.errors import ConfigError, SourceError
from citescape.evaluation.evaluated import (
    LIBRARIES,
    EvaluationRun,
    describe_rankers,
    find_evaluation,
    keep_evaluation,
)
from citescape.evaluation.mdcr.benchmark import Benchmark
from citescape.evaluation.mdcr.evaluate import measure_kinds, score
from citescape.evaluation.mdcr.files import read_scores
from citescape.evaluation.measured import Measured
from citescape.evaluation.summary import Sureness
from citescape.features.pairs import find_rows
from citescape.progress import Progress, silent
from citescape.ranking.ranker import Ranker
from citescape.runs import RunRecord, Stopwatch


@dataclass(frozen=True)
class Contest:
    """A benchmark, and who is measured by it."""

    benchmark: Benchmark
    corpus: Corpus
    """Texts of its papers."""
    rankers: Mapping[str, Ranker]
    scores: Mapping[str, Path]
    """System -> file of its scores, see `files.read_scores`."""
    origin: Mapping[str, Any] = field(default_factory=dict)
    """How the benchmark was made, for records of runs."""
    asked: Mapping[str, Any] = field(default_factory=dict)
    """See `runs.RunRecord`."""


def evaluate_mdcr(
    contest: Contest,
    sureness: Sureness | None = None,
    *,
    runs: Path,
    progress: Progress = silent,
    clock: Stopwatch | None = None,
) -> EvaluationRun:
    """Measures systems by MAP, nDCG and recall at 5, by field and by kind of candidates.

    The same benchmark, systems and settings give the same run; it is not made twice.

    Raises:
        ConfigError: no systems, two of one name, nothing can be written to `runs`.
        SourceError: a file of scores is not what it should be; a system has no scores.
    """
    sureness, clock = sureness or Sureness(), clock or Stopwatch()
    if not contest.rankers and not contest.scores:
        raise ConfigError("expected at least one ranker, or a file of scores")
    twice = sorted(set(contest.rankers) & set(contest.scores))
    if twice:
        raise ConfigError(f"two systems are called {twice[0]!r}; expected a name for each")
    record = _record(contest, sureness)
    kept = find_evaluation(record, runs)
    if kept:
        return kept
    systems, lacking = {}, {}
    for name, scored in _score(contest, progress=progress):
        lacking[name] = scored["score"].null_count
        if lacking[name] == len(scored):
            raise SourceError(
                name,
                "no-scores",
                f"it has scores for none of {len(scored):,} candidates; expected some: leave it "
                "out, or see whether it knows these papers",
            )
        systems[name] = measure_kinds(contest.benchmark, scored)
    first = next(iter(systems.values()))
    counts = _count(contest, first, lacking)
    told = replace(record, counts=counts)
    return keep_evaluation(told, systems, runs=runs, sureness=sureness, clock=clock)


def _score(contest: Contest, *, progress: Progress) -> list[tuple[str, pa.Table]]:
    pairs = contest.benchmark.pairs()
    ids = contest.corpus.papers["id"].combine_chunks()
    found = []
    for name, ranker in contest.rankers.items():
        progress(f"scoring {len(pairs):,} candidates by {name}")
        found.append((name, score(ranker, ids, pairs)))
    found += [(name, read_scores(path, pairs)) for name, path in contest.scores.items()]
    return found


def _record(contest: Contest, sureness: Sureness) -> RunRecord:
    rows = "\n".join("\t".join(row.values()) for row in contest.benchmark.table.to_pylist())
    files = {name: _hash(path.read_bytes()) for name, path in contest.scores.items()}
    inputs = {
        "benchmark": _hash(rows.encode()),
        "texts": contest.corpus.hash(),
        "systems": {name: ranker.describe() for name, ranker in contest.rankers.items()} | files,
        "order": [*contest.rankers, *files],  # others are compared with the first
    }
    settings = {"benchmark": "mdcr", **asdict(sureness)}
    return RunRecord.of(
        EvaluationRun.command,
        settings,
        inputs,
        seed=sureness.seed,
        libraries=LIBRARIES,
        asked=contest.asked,
    )


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _count(
    contest: Contest, measured: Mapping[str, Measured], lacking: Mapping[str, int]
) -> dict[str, object]:
    benchmark, whole = contest.benchmark, next(iter(measured.values()))
    ids = contest.corpus.papers["id"].combine_chunks()
    return {
        "source": benchmark.source,
        "benchmark": dict(contest.origin),
        "queries": len(whole),
        "fields": list(whole.groups),
        "kinds": benchmark.kinds,
        "pairs": len(benchmark.pairs()),
        "queries_without_cited": len(benchmark.without_positives),
        "without_text": int((find_rows(benchmark.papers, ids) < 0).sum()),
        "without_score": dict(lacking),
        "systems": list(lacking),
        **describe_rankers(contest.rankers, ids),
    }
