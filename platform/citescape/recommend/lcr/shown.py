"""Texts of the summaries of benchmarks and evaluations."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from citescape.runs.directory import is_run_id
from citescape.runs.kept import KeptRun
from citescape.runs.result import plural

_OVERLAPS = {
    "newer_sentences": "training sentences may be newer than a query paper",
    "newer_profiles": "query sentences cite a work whose profile has a sentence that may be newer",
    "undated": "query sentences are in papers without a date",
    "same_words": "query sentences occur word for word in a training paper",
}
"""Keys of `count_overlaps`."""


def name_benchmark(run: KeptRun, path: Path | str, split: str) -> dict[str, str]:
    """`benchmark`, `protocol` and `split` of a run, for its figures.

    Args:
        run: the result.
        path: run directory or folder of the benchmark.
        split: name of the split.
    """
    name = Path(path).name
    named = name if is_run_id(name) else str(path)
    return {"benchmark": named, "protocol": run.record.inputs["protocol"], "split": split}


def describe_benchmark(named: Mapping[str, str]) -> str:
    """`benchmark-lcr-1ff17e21e6a0 (strict-per-query), test`."""
    return f"{named['benchmark']} ({named['protocol']}), {named['split']}"


def list_overlaps(known: Mapping[str, int]) -> list[str]:
    """A warning for each way in which training data may be newer than queries."""
    return [
        f"warning: temporal overlap: {count:,} {_OVERLAPS[reason]}"
        for reason, count in known.items()
        if count
    ]


def list_warnings(counts: Mapping[str, Any], split: str) -> list[str]:
    """Overlaps of a split with training data, and its sentences without words."""
    lines = list_overlaps(counts["temporal_overlap"][split])
    wordless = counts["wordless"][split]
    if wordless:
        lines.append(f"{plural(wordless, 'sentence')} without words, counted as not found")
    return lines


def list_skipped(counts: Mapping[str, Any]) -> list[str]:
    """Number of records of a folder that were skipped, and messages on the first three."""
    skipped = counts.get("skipped_records", 0)  # missing in runs of older versions
    if not skipped:
        return []
    examples = "; ".join(counts["skipped_examples"][:3])
    return [f"skipped {plural(skipped, 'record')} that cannot be read: {examples}"]
