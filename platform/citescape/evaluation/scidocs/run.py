"""Evaluation of systems on SciDocs, stored as a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from citescape.core.errors import SourceError
from citescape.core.progress import Progress, prefix, silent
from citescape.core.records import read_json
from citescape.embeddings.paper_embeddings import read_paper_embeddings
from citescape.evaluation.config import SciDocsConfig
from citescape.evaluation.scidocs.evaluate import (
    TASKS,
    SciDocsResult,
    evaluate_scidocs,
    find_groups,
    read_groups,
)
from citescape.evaluation.scidocs.recommendation import METADATA
from citescape.evaluation.systems import (
    EmbeddingSet,
    EmbeddingSystem,
    SystemSources,
    hash_files,
    open_systems,
)
from citescape.evaluation.texts import gather
from citescape.metrics.evaluation_run import LIBRARIES, EvaluationRun, find_evaluation, keep_tasks
from citescape.metrics.summary import Resampling
from citescape.metrics.task_summary import AVERAGE, TaskFigures
from citescape.papers.documents import DocumentCorpus
from citescape.runs.directory import RunRecord, Stopwatch
from citescape.search.vectors import VECTORS

TEXTS = "paper_metadata_*.json"


def measure_scidocs(
    folder: Path,
    systems: Sequence[EmbeddingSystem],
    config: SciDocsConfig | None = None,
    *,
    resampling: Resampling | None = None,
    request: Mapping[str, Any] | None = None,
    runs: Path,
    cores: int = 1,
    progress: Progress = silent,
    clock: Stopwatch | None = None,
) -> EvaluationRun:
    """Evaluates systems, see `evaluate.evaluate_scidocs`, and stores their figures as a run.

    Conditions of the figures are tasks. An existing run with the same data, systems and settings is
    returned.

    Args:
        folder: folder of SciDocs.
        systems: systems; others are compared with the first.
        config: split, ranker and seed.
        resampling: settings of intervals and tests.
        request: request for the record of the run, see `RunRecord.request`.
        runs: folder of run directories.
        cores: number of processes that fit classifiers.
        progress: receives messages.
        clock: started before work such as the encoding of texts.

    Raises:
        ConfigError: no such split or ranker, no task in the folder, or `runs` is not writable.
        SourceError: a file is missing or has another format.
    """
    config, resampling = config or SciDocsConfig(), resampling or Resampling()
    clock = clock or Stopwatch()
    files = [path for task in TASKS for path in sorted((folder / task).glob("*")) if path.is_file()]
    files += [path for path in [folder / METADATA] if path.is_file() and config.ranker != "cosine"]
    record = RunRecord.create(
        EvaluationRun.command,
        {"benchmark": "scidocs", **asdict(config), "resampling": asdict(resampling)},
        {
            "data": hash_files(files, folder),
            "systems": {system.name: dict(system.origin) for system in systems},
            "order": [system.name for system in systems],
        },
        seed=resampling.seed,
        libraries=(*LIBRARIES, "scikit-learn"),
        request=request or {},
    )
    existing = find_evaluation(record, runs)
    if existing:
        return existing
    results: dict[str, SciDocsResult] = {}
    for system in systems:
        progress(f"reading embeddings of {system.name}")
        results[system.name] = evaluate_scidocs(
            folder,
            system.read(),
            split=config.split,
            ranker=config.ranker,
            seed=config.classifier_seed,
            cores=cores,
            progress=prefix(progress, system.name),
        )
    first = next(iter(results.values()))
    figures_by_system = {
        name: TaskFigures(result.figures, {AVERAGE: result.average})
        for name, result in results.items()
    }
    counts = {
        "systems": list(results),
        "tasks": list(dict.fromkeys(figure.task for figure in first.figures)),
        "absent": [" ".join(key) for key in first.absent],
        "mean_of_present": {
            name: round(result.mean_of_present, 4) for name, result in results.items()
        },
        "papers": {name: figures.count_papers() for name, figures in figures_by_system.items()},
    }
    record = replace(record, counts=counts)
    return keep_tasks(record, figures_by_system, runs=runs, resampling=resampling, clock=clock)


def find_systems(
    names: Sequence[str],
    folder: Path,
    runs: Path,
    *,
    max_tokens: int = 0,
    progress: Progress = silent,
    clock: Stopwatch | None = None,
) -> list[EmbeddingSystem]:
    """Opens systems, see `systems.open_systems`; encoders read the texts of a folder.

    Args:
        names: names of systems.
        folder: folder of SciDocs.
        runs: folder of run directories.
        max_tokens: maximum tokens per text; 0 for the limit of the encoder.
        progress: receives messages.
        clock: times the encoding of texts.

    Raises:
        ConfigError: no such system.
        SourceError: the texts cannot be read.
    """
    sources = SystemSources(
        runs,
        lambda: read_texts(folder),
        open_embeddings,
        is_embeddings,
        max_tokens=max_tokens,
        progress=progress,
        clock=clock or Stopwatch(),
    )
    return open_systems(names, sources)


def open_embeddings(path: Path) -> EmbeddingSet:
    """Reads a file of embeddings, a folder of vectors, or files by group of tasks."""
    return (
        read_paper_embeddings(path)
        if path.is_file() or (path / VECTORS).exists()
        else read_groups(path)
    )


def is_embeddings(path: Path) -> bool:
    """Whether a path contains embeddings; other folders are encoders."""
    return path.is_file() or (path / VECTORS).exists() or bool(find_groups(path))


def read_texts(folder: Path) -> DocumentCorpus:
    """Titles and abstracts of all papers in paper_metadata_*.json.

    Raises:
        SourceError: no such file, or another format.
    """
    paths = sorted(folder.glob(TEXTS))
    if not paths:
        raise SourceError(
            str(folder),
            "no-texts",
            f"expected {TEXTS}, whose titles and abstracts encoders read; found none: add them, or "
            "use files of embeddings",
        )
    return gather(row for path in paths for row in iterate_texts(path))


def iterate_texts(path: Path) -> Iterator[tuple[str, object, object]]:
    """Id, title and abstract of the papers of a file of metadata.

    Raises:
        SourceError: not an object of papers.
    """
    papers = read_json(path)
    if not isinstance(papers, dict) or not all(
        isinstance(paper, dict) for paper in papers.values()
    ):
        raise SourceError(str(path), "not-papers", "expected an object of papers by id")
    for id_, paper in papers.items():
        yield id_, paper.get("title"), paper.get("abstract")
