"""Networks judged by how well their communities agree with a criterion, in a run directory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import pyarrow as pa

from citescape.core.extras import require
from citescape.core.progress import Progress, silent
from citescape.mapping.communities.accuracy_picture import PICTURES, draw_accuracy
from citescape.mapping.communities.config import JudgeConfig
from citescape.mapping.communities.lines import draws_upper_bound, trace_lines
from citescape.mapping.communities.summary import (
    Line,
    Summary,
    read_line,
    summarise,
    to_json,
    to_table,
)
from citescape.mapping.communities.task import Task
from citescape.runs import result
from citescape.runs.directory import (
    RunDirectory,
    Stopwatch,
)
from citescape.runs.kept import KeptRun, compute_run

COMMAND, CURVES, RELATIVE = "accuracy", "curves.parquet", "relative.parquet"
_LIBRARIES = ("citescape", "igraph", "numpy", "scipy", "numba", "matplotlib")
_LINES = "lines.jsonl"


@dataclass(frozen=True, repr=False)
class AccuracyRun(KeptRun):
    """Judged networks in their run directory.

    curves.parquet: line, bound, seed, resolution, granularity, accuracy, expected, ...;
    relative.parquet: line, seed, granularity, accuracy, relative; accuracy.svg, accuracy.png. Its
    counts are of papers by whether they are judged; lines as `summary.Line`, marks and notes are
    among them.
    """

    command = COMMAND
    what = "judged networks"

    def summarise(self) -> result.Summary:
        """Accuracy and relative accuracy of each network, bounds, and notes."""
        from citescape.mapping.communities.accuracy_summary import summarise_accuracy

        return summarise_accuracy(self)

    @property
    def arrow(self) -> pa.Table:
        """A row a clustering: line, bound, seed, resolution, granularity, accuracy, ..."""
        return self.read_table(CURVES)

    def tables(self) -> dict[str, pa.Table]:
        """Curves, and relative accuracy by granularity."""
        return {"curves": self.arrow, "relative": self.read_table(RELATIVE)}

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
    config = config or JudgeConfig()
    require("matplotlib")
    within = config.within(task.criterion.counts["judged"])

    def fill(directory: RunDirectory, clock: Stopwatch) -> dict[str, Any]:
        with clock.timed("judge"):
            traced = trace_lines(task, config, directory.unfinished / _LINES, progress=progress)
        summary = summarise(traced, within=within, least=config.least)
        with clock.timed("write"):
            directory.write_parquet(CURVES, [to_table(traced)])
            directory.write_parquet(RELATIVE, [summary.table])
            for name in PICTURES:
                picture = directory.path / name
                draw_accuracy(traced, summary, picture, criterion=task.criterion.name)
        return _count(task, config, summary)

    inputs = {
        "networks": {name: network.run for name, network in task.networks.items()},
        "criterion": task.criterion.fingerprint(),
    }
    settings = {field.name: getattr(config, field.name) for field in fields(JudgeConfig)}
    return compute_run(
        AccuracyRun,
        runs,
        {"criterion": task.criterion.name, **settings},
        inputs,
        fill=fill,
        seed=config.seed,
        libraries=_LIBRARIES,
        resumes=True,
    )


def _count(task: Task, config: JudgeConfig, summary: Summary) -> dict[str, Any]:
    notes = list(task.notes)
    if not draws_upper_bound(task, config):
        notes.append(
            f"the network of {task.criterion.name} itself is not drawn: "
            f"{task.criterion.pairs:,} terms are shared by two papers, more than most_pairs"
        )
    within = config.within(task.criterion.counts["judged"])
    notes += _tell_compared(summary, config, asked=f"from {within[0]:.2g} to {within[1]:.2g}")
    return {**task.criterion.counts, **to_json(summary), "notes": notes}


def _tell_compared(summary: Summary, config: JudgeConfig, *, asked: str) -> Iterator[str]:
    """What was not compared, and why."""
    for name, share in summary.left_out.items():
        yield (
            f"{name} is left out of the comparison: of granularities {asked} (on a logarithmic "
            f"scale) it has {share:.0%}, and {config.least:.0%} are expected"
        )
    kept = [one for one in summary.lines if not one.bound and one.name not in summary.left_out]
    for line in kept:
        if line.gap:
            low, high = line.gap
            yield (
                f"{line.name} has no communities between granularities {low:.2g} and {high:.2g}; "
                "nothing is compared between them"
            )
    if len(kept) < 2:
        yield "no relative accuracy: fewer than two networks are to be compared"
    elif not summary.compared:
        names = ", ".join(line.name for line in kept)
        yield (
            f"no relative accuracy: of granularities {asked} {names} have {summary.common:.0%} in "
            f"common, and {config.least:.0%} are expected"
        )
