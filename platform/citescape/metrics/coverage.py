"""Share of the data of an evaluation for which a system has a vector or a score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MIN_COVERAGE = 0.5
"""Minimum coverage: below it, a figure reflects missing papers rather than quality."""


def find_coverage(counts: Mapping[str, Any], system: str, condition: str) -> float:
    """Share of the papers, or candidates, for which a system has a vector or a score.

    Args:
        counts: counts of the run.
        system: name of the system in the run.
        condition: task of a published benchmark. A mean of tasks has the lowest coverage of any
            task.

    Returns:
        0 to 1; 1 if the run has no counts of the system.
    """
    if "covered" in counts:
        return float(counts["covered"].get(system, 1))
    if "without_score" in counts and counts.get("pairs"):
        return 1 - float(counts["without_score"].get(system, 0)) / float(counts["pairs"])
    papers = counts.get("papers")
    tasks = papers.get(system, {}) if isinstance(papers, Mapping) else {}
    shares = {task: float(own.get("covered", 1)) for task, own in tasks.items()}
    return shares.get(condition, min(shares.values(), default=1))
