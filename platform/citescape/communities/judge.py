"""Networks judged by how well their communities agree with a criterion, in a run directory."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from citescape.communities.accuracy_picture import PICTURES, check_drawing, draw_accuracy
from citescape.communities.lines import draws_upper_bound, trace_lines
from citescape.communities.summary import (
    RANDOM,
    Line,
    Summary,
    Traced,
    read_line,
    summarise,
    to_json,
    to_table,
)
from citescape.communities.task import JudgeConfig, Task
from citescape.kept import KeptRun
from citescape.progress import Progress, silent
from citescape.runs import (
    RunRecord,
    Stopwatch,
    alone,
    check_writable,
    find_finished,
    library_versions,
    open_run,
    read_run,
    run_id,
    unfinished_folder,
)

COMMAND, CURVES, RELATIVE = "accuracy", "curves.parquet", "relative.parquet"
_LIBRARIES = ("citescape", "igraph", "numpy", "scipy", "numba", "matplotlib")
_LINES = "lines.jsonl"


@dataclass(frozen=True)
class AccuracyRun(KeptRun):
    """Judged networks in their run directory.

    curves.parquet: line, bound, seed, resolution, granularity, accuracy, expected, ...;
    relative.parquet: line, seed, granularity, accuracy, relative; accuracy.svg, accuracy.png. Its
    counts are of papers by whether they are judged; lines as `summary.Line`, marks and notes are
    among them.
    """

    command = COMMAND
    what = "judged networks"

    @property
    def lines(self) -> list[Line]:
        """Networks by falling relative accuracy, then those left out, then bounds."""
        return [read_line(told) for told in self.counts["lines"]]


def judge(
    task: Task,
    config: JudgeConfig | None = None,
    *,
    runs: Path,
    progress: Progress = silent,
) -> AccuracyRun:
    """Judges networks by the accuracy of their communities (CIA, sections 4.1.2 and 5.3).

    Every network is clustered as it is, papers that are not judged included, at a geometric series
    of resolutions; then accuracy and granularity are computed over the papers that are judged, the
    same ones for all. Two lines bound them and are in no mean: communities of the criterion's own
    network, and those of a random network as dense as the densest of the others.

    Each line is kept as soon as it is there: work that was cut off goes on where it was. The same
    networks, criterion and settings give the same run; it is not made twice.

    Args:
        task: of `task.read_task`.
        config: how.
        runs: folder of run directories.
        progress: told what is going on.

    Raises:
        ConfigError: too few papers are judged, igraph or matplotlib is not installed, nothing can
            be written to `runs`.
    """
    config, clock = config or JudgeConfig(), Stopwatch()
    check_drawing()
    within = config.within(task.criterion.counts["judged"])
    check_writable(runs)
    record = _record(task, config)
    kept = find_finished(runs, record.id)
    if kept:
        return AccuracyRun(kept, read_run(kept))
    folder = unfinished_folder(runs, record.id)
    with clock.timed("judge"), alone(folder):
        traced = trace_lines(task, config, folder / _LINES, progress=progress)
    summary = summarise(traced, within=within, least=config.least)
    record = replace(record, counts=_count(task, config, summary))
    path = _keep(traced, summary, record, runs=runs, clock=clock)
    shutil.rmtree(folder)
    return AccuracyRun(path, read_run(path), unchanged=False)


def _record(task: Task, config: JudgeConfig) -> RunRecord:
    inputs = {
        "networks": {name: network.run for name, network in task.networks.items()},
        "criterion": task.criterion.fingerprint(),
    }
    settings = {"criterion": task.criterion.name, **asdict(config)}
    return RunRecord(
        run_id(COMMAND, settings, inputs),
        COMMAND,
        config=settings,
        inputs=inputs,
        seed=config.seed,
        versions=library_versions(*_LIBRARIES),
    )


def _count(task: Task, config: JudgeConfig, summary: Summary) -> dict[str, Any]:
    notes = list(task.notes)
    if not draws_upper_bound(task, config):
        notes.append(
            f"the network of {task.criterion.name} itself is not drawn: "
            f"{task.criterion.pairs:,} terms are shared by two papers, more than most_pairs"
        )
    within = config.within(task.criterion.counts["judged"])
    notes += [
        f"{line.name} is left out of the comparison: its communities are no coarser than "
        f"{line.reach[0]:.2g}, and {within[0]:.2g} to {within[1]:.2g} are asked for"
        for line in summary.lines
        if line.name in summary.left_out
    ]
    notes += [
        f"{line.title} has no communities between granularities {line.gap[0]:.2g} and "
        f"{line.gap[1]:.2g}; nothing is compared between them"
        for line in summary.lines
        if line.gap and line.name not in (*summary.left_out, RANDOM)
    ]
    if summary.overlap is None:
        notes.append("no relative accuracy: fewer than two networks reach the same granularities")
    return {**task.criterion.counts, **to_json(summary), "notes": notes}


def _keep(
    traced: Sequence[Traced],
    summary: Summary,
    record: RunRecord,
    *,
    runs: Path,
    clock: Stopwatch,
) -> Path:
    with open_run(runs, record.id) as directory:
        with clock.timed("write"):
            directory.write_parquet(CURVES, [to_table(traced)])
            directory.write_parquet(RELATIVE, [summary.table])
            for name in PICTURES:
                draw_accuracy(traced, summary, directory.path / name)
        return directory.complete(clock.stop(record))
