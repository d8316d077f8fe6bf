"""A benchmark of citation contexts built from a graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.config import DEFAULT_STORE
from citescape.core.errors import ConfigError
from citescape.core.progress import Progress, silent
from citescape.papers.types import find_of_types, hash_mask
from citescape.recommend.contexts import Contexts
from citescape.recommend.files import (
    is_library_folder,
    read_library_folder,
    write_library_folder,
)
from citescape.recommend.graph_contexts import read_library, read_years
from citescape.recommend.lcr.config import ALL, TRAIN, TRAINING
from citescape.recommend.lcr.shown import list_warnings
from citescape.recommend.lcr.split import check_year, count_others, count_parts, split_by_year
from citescape.recommend.library import Library
from citescape.recommend.overlaps import count_overlaps
from citescape.recommend.protocol import TRAIN_UNION, Inductive, apply_protocol
from citescape.recommend.steps import BenchmarkLcr
from citescape.recommend.texts import join_sentences, list_sentences
from citescape.runs.directory import RunDirectory, Stopwatch, read_command
from citescape.runs.kept import KeptRun, compute_run, find_kept
from citescape.runs.result import Part, Summary, Table, plural
from citescape.store.graph_store import GraphStore

_LIBRARIES = ("citescape", "numpy", "pyarrow")
_DROPPED = {
    "cited_not_in_corpus": "cite no candidate",
    "citing_without_date": "are in a paper without a date",
    "cited_not_older": "cite only works that may be newer",
    "evaluation_papers": "are query papers",
    "without_date": "have no date",
    "not_older": "may be newer than a query paper",
}
_UNUSED = {
    "no_sentence": "cite no known work in a sentence",
    "no_date": "have no date",
    "later": "are from later years",
    "other_types": "are of other types than query papers (--types)",
}


@dataclass(frozen=True)
class LcrRun(KeptRun):
    """A benchmark in its run directory, in the format of HAtten.

    papers.json; contexts.json; train.json, val.json and test.json: see `files`.
    """

    command = "benchmark-lcr"
    noun = "benchmarks of sentences"
    required = ("counts.temporal_overlap",)

    @property
    def arrow(self) -> pa.Table:
        """A row per split: `split`, `papers`, `sentences`, `queries`, `cited`."""
        rows = [
            {
                "split": name,
                "papers": part["papers"],
                "sentences": part["contexts"],
                "queries": self.counts["splits"].get(name),
                "cited": part["cited"],
            }
            for name, part in self.counts["parts"].items()
        ]
        return pa.Table.from_pylist(rows)

    def summarise(self) -> Summary:
        """Sizes of the splits, what was left out, leaks and temporal overlap."""
        counts = self.counts
        parts: list[Part] = [
            f"query papers of {counts['year']}; {counts['candidates']:,} of "
            f"{plural(counts['papers'], 'work')} are candidates ({self.record.config['protocol']})",
            "",
            Table(
                ("", "papers", "sentences", "queries", "works cited"),
                [tuple(row.values()) for row in self.arrow.to_pylist()],
            ),
            "",
        ]
        for name, lost in counts["dropped"].items():
            reasons = [f"{n:,} {_DROPPED.get(reason, reason)}" for reason, n in lost.items() if n]
            parts += [f"left out of {name}: {', '.join(reasons)}"] if reasons else []
        unused = counts.get("others", {})  # missing in runs of older versions
        reasons = [f"{n:,} {_UNUSED[reason]}" for reason, n in unused.items() if n]
        parts += [f"full texts in no split: {', '.join(reasons)}"] if reasons else []
        parts.append(f"leaked sentences, papers or works: {sum(counts['leaks'].values()):,}")
        for name, lost in counts["works_dropped"].items():
            lines = list_warnings(counts, name)
            if lost:
                lines.append(f"{plural(lost, 'work')} left out of the remaining sentences")
            parts += [f"{name}: {line}" for line in lines]
        figures = {"run": self.run, "path": str(self.path), "unchanged": self.unchanged, **counts}
        return Summary(
            [*parts, "", self.describe()],
            figures,
            [("evaluate systems", "evaluate lcr"), ("train a reranker", "train reranker")],
        )


@dataclass(frozen=True, eq=False)
class LcrTask:
    """Training data and evaluation contexts of a benchmark."""

    library: Library
    """All papers, and the training contexts, which profiles may contain."""
    inductive: Inductive
    dated: bool
    """Whether only papers older than a query are its candidates."""

    def join_contexts(self, split: str) -> LcrTask:
        """The same task with the contexts of a sentence joined in one split, see `join_sentences`.

        For training of rerankers: other works that the sentence cites are not negatives.
        Evaluations do not join the contexts of the files, see `open_lcr`.
        """
        splits = dict(self.inductive.splits)
        splits[split] = join_sentences(splits[split])
        return replace(self, inductive=replace(self.inductive, splits=splits))


def build_from_graph(
    store: GraphStore,
    config: BenchmarkLcr | None = None,
    *,
    runs: Path,
    progress: Progress = silent,
) -> LcrRun:
    """Builds a benchmark from the papers and sentences of a graph, see `build_lcr`.

    Args:
        store: the graph; it is only read.
        config: year, protocol and candidates.
        runs: folder of run directories.
        progress: called with the name of each stage as it begins.

    Raises:
        ConfigError: no papers of that year or none before; no citing paper has the types; or see
            `build_lcr`.
        StoreError: no sentence cites a known work.
    """
    config = config or BenchmarkLcr()
    check_year(config, read_years(store))
    library = read_library(store, progress=progress)
    citing = library.contexts.citing
    queries = find_of_types(
        store, citing, config.types, among=np.ones(len(citing), np.bool_), noun="citing papers"
    )
    return build_lcr(library, config, queries=queries, runs=runs, progress=progress)


def build_lcr(
    library: Library,
    config: BenchmarkLcr | None = None,
    *,
    queries: npt.NDArray[np.bool_] | None = None,
    runs: Path,
    progress: Progress = silent,
) -> LcrRun:
    """Builds a benchmark: query contexts of one year, training contexts of earlier years.

    Args:
        library: papers and contexts.
        config: year, protocol and candidates.
        queries: (citing papers,) true for papers that may be query papers; None for all.
        runs: folder of run directories.
        progress: called with the name of each stage as it begins.

    Raises:
        ConfigError: no papers of that year or none before; all earlier papers are for validation;
            no cited work is a candidate; `runs` is not writable.
    """
    config = config or BenchmarkLcr()

    def fill(directory: RunDirectory, _: Stopwatch) -> dict[str, Any]:
        year, parts = split_by_year(library, config, queries)
        task = make_task(library, parts, config)
        progress("writing papers and contexts")
        written = {TRAIN: parts[TRAIN], **task.inductive.splits}
        write_library_folder(directory.path, library, written)
        counts = {"parts": count_parts(parts), "others": count_others(library, parts, year)}
        return {"year": year, **counts, **count_task(task)}

    return compute_run(
        LcrRun,
        runs,
        asdict(config),
        {"library": library.hash(), "queries": "" if queries is None else hash_mask(queries)},
        fill=fill,
        seed=config.seed,
        libraries=_LIBRARIES,
    )


def find_lcr(
    runs: Path,
    named: str = "",
    *,
    location: str = DEFAULT_STORE,
    changes: Mapping[str, Any] | None = None,
) -> tuple[Path, LcrTask]:
    """A benchmark by its run, or a folder in the format of HAtten.

    A run has the protocol and candidates with which it was built. A folder that is not a run has
    those of published files: `train-union`, and the papers of the training contexts.

    Args:
        runs: folder of run directories.
        named: run or folder; by default the latest run.
        location: the store, for messages.
        changes: settings of `BenchmarkLcr` that are replaced.

    Raises:
        ConfigError: no such run or folder; or see `apply_protocol`.
        SourceError: the folder does not have the format.
    """
    folder = Path(named)
    if named and is_library_folder(folder) and not read_command(folder):
        published = {"protocol": TRAIN_UNION, "candidates": TRAINING, **(changes or {})}
        return folder, open_lcr(folder, BenchmarkLcr(**published))
    run = find_kept(LcrRun, runs, named, location=location)
    return run.path, open_lcr(run.path, BenchmarkLcr(**{**run.record.config, **(changes or {})}))


def open_lcr(path: Path, config: BenchmarkLcr) -> LcrTask:
    """The task of a folder in the format of HAtten, such as that of a run.

    Contexts of val and test are queries as the files list them. Published files list one for each
    work that a sentence cites, and published figures count the other works of the sentence as
    wrong; a run lists a sentence once with all its works.

    Raises:
        SourceError: the folder does not have the format.
        ConfigError: it has no training contexts, or see `apply_protocol`.
    """
    library, splits = read_library_folder(path)
    return make_task(library, splits, config)


def make_task(library: Library, parts: dict[str, Contexts], config: BenchmarkLcr) -> LcrTask:
    """Applies a protocol to the splits of a library.

    Args:
        library: papers; its contexts are replaced by the training contexts.
        parts: name of a split, one of them `train` -> its contexts.
        config: protocol and candidates.

    Raises:
        ConfigError: there are no training contexts; or see `apply_protocol`.
    """
    splits = {name: part for name, part in parts.items() if len(part)}
    training = splits.pop(TRAIN, None)
    if training is None:
        raise ConfigError(
            f"found contexts of {', '.join(splits) or 'no split'} only; expected training "
            f"contexts: a {TRAIN}.json, or a smaller share of papers for validation"
        )
    inductive = apply_protocol(
        config.protocol,
        training,
        splits,
        dates=library.dates,
        candidates=library.ids if config.candidates == ALL else None,
    )
    return LcrTask(library.with_contexts(training), inductive, dated=config.protocol != TRAIN_UNION)


def count_task(task: LcrTask) -> dict[str, Any]:
    """Sizes, contexts and works left out, leaks, and temporal overlap with the training data.

    `wordless` contexts consist of citations only: their lists are empty, and they count as not
    found. For skipped records see `Library.count_skipped`.
    """
    inductive, splits, dates = task.inductive, task.inductive.splits, task.library.dates
    return {
        "papers": task.library.papers.num_rows,
        **task.library.count_skipped(),
        "candidates": len(inductive.corpus),
        "training": len(inductive.training),
        "splits": {name: len(split) for name, split in splits.items()},
        "dropped": {name: dict(lost) for name, lost in inductive.dropped.items()},
        "works_dropped": dict(inductive.works_dropped),
        "wordless": {
            name: len(split) - pc.count_distinct(list_sentences(split)["context"]).as_py()
            for name, split in splits.items()
        },
        "temporal_overlap": count_overlaps(inductive, dates),
        "leaks": inductive.find_leaks(dates),
    }
