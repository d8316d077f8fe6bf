"""The list of stored runs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from citescape.core.redaction import redact_values
from citescape.runs.directory import RunRecord, command_words, is_run_id, list_runs
from citescape.runs.result import Result, Summary, Table, minute

if TYPE_CHECKING:
    import pyarrow as pa

_TELLING = {
    "sample": ("sampler",),
    "train": ("base", "tune"),
    "combine": ("parts",),
    "sweep": ("samplers",),
    "embed": ("encoder", "max_tokens"),
    "graph-embed": ("method",),
    "score": ("components", "weights"),
    "network": ("kind", "papers", "years", "vectors", "k", "top", "normalise"),
    "cluster": (
        "kind",
        "network",
        "resolutions",
        "communities",
        "sizes",
        "quality",
        "seed",
        "seeds",
    ),
    "accuracy": ("criterion",),
    "benchmark-mdcr": ("order", "year"),
    "evaluate": ("benchmark", "source", "order"),
    "encode": ("encoder", "max_tokens"),
    "base-vectors": ("encoder", "max_tokens"),
    "tokens": ("encoder", "max_tokens"),
    "leakage": ("training", "benchmark"),
    "topics": ("clustering", "level", "fields"),
    "map": ("clustering", "level", "source", "seed"),
    "sections train": ("encoder",),
    "intents train": ("kind",),
    "split train": ("kind",),
}
"""Command -> the settings and inputs that distinguish its runs."""
_WIDEST = 60


@dataclass(frozen=True)
class RunList(Result):
    """Runs with their folders, the latest last."""

    folder: Path
    command: str
    """Command of the runs; empty for all commands."""
    runs: tuple[tuple[RunRecord, Path], ...]

    def __len__(self) -> int:
        return len(self.runs)

    @property
    def arrow(self) -> pa.Table:
        """A row per run: run, command, started, seconds, settings, path."""
        import pyarrow as pa

        rows = [
            {
                "run": record.id,
                "command": record.command,
                "started": record.started,
                "seconds": record.seconds,
                "settings": _describe(record),
                "path": str(path),
            }
            for record, path in self.runs
        ]
        return pa.Table.from_pylist(rows)

    def summarise(self) -> Summary:
        """A row per run, with the settings by which runs of its command differ."""
        runs = [
            {
                "run": record.id,
                "command": record.command,
                "path": str(path),
                "started": record.started,
                "seconds": record.seconds,
                "config": redact_values(record.config),  # older versions stored secrets
                "inputs": redact_values(record.inputs),
            }
            for record, path in self.runs
        ]
        figures = {"folder": str(self.folder), "runs": runs}
        if not self.runs:
            return Summary([self._explain_empty()], figures)
        rows = [
            (record.id, minute(record.started), f"{record.seconds:,.1f}", _describe(record))
            for record, _ in self.runs
        ]
        return Summary([Table(("run", "started (UTC)", "seconds", "settings"), rows)], figures)

    def _explain_empty(self) -> str:
        if not self.folder.exists():
            return f"no runs: the folder {self.folder} does not exist"
        if not self.command:
            return f"no runs in {self.folder}"
        known = sorted({command_words(record.command) for record, _ in list_runs(self.folder, "")})
        text = f"no runs of `platform {command_words(self.command)}` in {self.folder}"
        return f"{text}; it has runs of: {', '.join(known)}" if known else text


def list_kept_runs(folder: Path, command: str = "") -> RunList:
    """The runs in a folder, or those of one command, by its words or its name in records."""
    runs = [
        (record, path)
        for record, path in list_runs(folder, "")
        if command in ("", record.command, command_words(record.command))
    ]
    return RunList(folder, command, tuple(runs))


def _describe(record: RunRecord) -> str:
    """The settings that distinguish a run from others of its command, cut to one line."""
    order = record.counts.get("systems") or record.counts.get("models")  # of older versions
    counts = {"source": record.counts.get("source"), "order": order}
    known = redact_values({**counts, **record.inputs, **record.config})
    named = {name: known.get(name) for name in _TELLING.get(record.command, ())}
    text = ", ".join(_text(name, value) for name, value in named.items() if value)
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"


def _text(name: str, value: object) -> str:
    """A number or list with its name, rankers without; numbers by name; the last part of a path.

    A file in a run has the name of the run.
    """
    if isinstance(value, int | float):
        return f"{name} {value}"
    if isinstance(value, list):
        return " ".join(([] if name == "order" else [name]) + [str(one) for one in value])
    if isinstance(value, dict) and all(isinstance(one, int | float) for one in value.values()):
        return " ".join(f"{key} {number:.3g}" for key, number in value.items())
    path = Path(str(value.get("name", "") if isinstance(value, dict) else value))
    return path.parent.name if is_run_id(path.parent.name) else path.name
