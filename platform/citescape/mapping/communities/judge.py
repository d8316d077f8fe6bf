"""Evaluates networks by the agreement of their communities with a criterion; stored as a run."""

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
    AccuracySummary,
    Line,
    read_line,
    summarise,
    to_json,
    to_table,
)
from citescape.mapping.communities.task import AccuracyTask
from citescape.runs import result
from citescape.runs.directory import (
    RunDirectory,
    Stopwatch,
)
from citescape.runs.kept import KeptRun, compute_run
from citescape.runs.result import plural

COMMAND, CURVES, RELATIVE = "accuracy", "curves.parquet", "relative.parquet"
_LIBRARIES = ("citescape", "igraph", "numpy", "scipy", "numba", "matplotlib")
_LINES = "lines.jsonl"


@dataclass(frozen=True)
class AccuracyRun(KeptRun):
    """Accuracy of networks, in a run directory.

    curves.parquet: line, bound, seed, resolution, granularity, accuracy, expected, ...;
    relative.parquet: line, seed, granularity, accuracy, relative; accuracy.svg, accuracy.png.
    Counts: papers judged and not judged by reason; lines as `summary.Line`, marks and notes.
    """

    command = COMMAND
    noun = "judged networks"

    def summarise(self) -> result.Summary:
        """One row per network, the best network first, then bounds; notes; the picture."""
        counts, config = self.counts, self.record.config
        parts: list[result.Part] = [
            f"{counts['judged']:,} of {plural(counts['papers'], 'paper')} judged by "
            f"{config['criterion']}; {counts['without_criterion']:,} without terms, "
            f"{counts['without_relative']:,} share no term with another"
        ]
        if counts.get("labels_without_paper"):
            missing = plural(counts["labels_without_paper"], "label")
            parts.append(f"{missing} of papers not in the store")
        several = config["seeds"] > 1
        spread = (
            f"{config['seeds']} seeds, mean ± deviation" if several else "one seed, no deviation"
        )
        rows = []
        for line in self.lines:
            relative = "excluded" if line.name in counts["left_out"] else ""
            if line.relative is not None:
                deviation = "" if line.spread is None else f" ± {line.spread:.4f}"
                relative = f"{line.relative:.3f}{deviation}"
            rows.append((line.title, line.edges, relative, *line.accuracy))
        marks = [f"at {mark:.2g}" for mark in counts["marks"]]
        header = ("network", "edges", "relative", "accuracy " + marks[0], *marks[1:])
        parts += [
            f"{plural(config['resolutions'], 'resolution')}, {spread}",
            "",
            result.Table(header, rows),
            "",
            *(f"note: {note}" for note in counts["notes"]),
            self.describe(),
            f"picture: {self.path / 'accuracy.png'}",
        ]
        figures = {
            "run": self.run,
            "path": str(self.path),
            "unchanged": self.unchanged,
            "criterion": config["criterion"],
            **counts,
        }
        best, networks = self.lines[0], self.record.inputs["networks"]
        command = f"cluster --network {networks.get(best.name)}"
        steps = [] if best.relative is None else [(f"communities of {best.name}", command)]
        return result.Summary(parts, figures, steps)

    @property
    def arrow(self) -> pa.Table:
        """One row per clustering: line, bound, seed, resolution, granularity, accuracy, ..."""
        return self.read_table(CURVES)

    def tables(self) -> dict[str, pa.Table]:
        """Curves, and relative accuracy by granularity."""
        return {"curves": self.arrow, "relative": self.read_table(RELATIVE)}

    @property
    def lines(self) -> list[Line]:
        """Networks by descending relative accuracy, then excluded networks, then bounds."""
        return [read_line(line) for line in self.counts["lines"]]


def judge(
    task: AccuracyTask,
    config: JudgeConfig | None = None,
    *,
    runs: Path,
    progress: Progress = silent,
) -> AccuracyRun:
    """Judges networks by the accuracy of their communities (CIA, sections 4.1.2 and 5.3).

    Every network is clustered with all its papers at a geometric series of resolutions; then
    accuracy and granularity are computed over the judged papers, the same for all networks. Two
    bounds are not part of any mean: communities of the criterion's own network, and communities of
    a random network with the highest density of the networks.

    Each line is saved as soon as it is computed, so that interrupted work continues. The same
    networks, criterion and settings give the same run, which is computed once.

    Args:
        task: networks and criterion.
        config: settings.
        runs: folder of runs.
        progress: receives the current stage.

    Raises:
        ConfigError: too few papers are judged, igraph or matplotlib is not installed, `runs` is not
            writable.
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
        notes = list(_list_notes(task, config, summary))
        return {**task.criterion.counts, **to_json(summary), "notes": notes}

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


def _list_notes(task: AccuracyTask, config: JudgeConfig, summary: AccuracySummary) -> Iterator[str]:
    """Notes of the task, and on excluded networks and ranges."""
    yield from task.notes
    if not draws_upper_bound(task, config):
        yield (
            f"the network of {task.criterion.name} itself is not drawn: "
            f"{task.criterion.pairs:,} terms are shared by pairs of papers, more than most_pairs"
        )
    low, high = config.within(task.criterion.counts["judged"])
    requested = f"from {low:.2g} to {high:.2g}"
    for name, share in summary.left_out.items():
        yield (
            f"{name} is excluded from the comparison: it covers {share:.0%} of granularities "
            f"{requested} (on a logarithmic scale); expected at least {config.least:.0%}"
        )
    kept = [line for line in summary.lines if not line.bound and line.name not in summary.left_out]
    for line in kept:
        if line.gap:
            low, high = line.gap
            yield (
                f"{line.name} has no communities between granularities {low:.2g} and {high:.2g}; "
                "this range is not compared"
            )
    if len(kept) < 2:
        yield "no relative accuracy: fewer than two networks can be compared"
    elif not summary.compared:
        names = ", ".join(line.name for line in kept)
        yield (
            f"no relative accuracy: {names} have {summary.common:.0%} of granularities "
            f"{requested} in common; expected at least {config.least:.0%}"
        )
