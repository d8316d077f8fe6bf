"""How much of what it is measured on a system knows, as its run counted it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

LEAST = 0.5
"""Share below which a figure says what is missing, and not how good a system is."""


def find_coverage(counts: Mapping[str, Any], system: str, condition: str) -> float:
    """Share of the papers, or candidates, of which a system has a vector or a score.

    Args:
        counts: those of the run.
        system: as the run names it.
        condition: a task of a published benchmark, which has papers of its own. A mean of tasks
            covers as much as the one of them that is covered least.

    Returns:
        0 to 1; 1 where the run has no counts of it.
    """
    if "covered" in counts:
        return float(counts["covered"].get(system, 1))
    if "without_score" in counts and counts.get("pairs"):
        return 1 - float(counts["without_score"].get(system, 0)) / float(counts["pairs"])
    papers = counts.get("papers")
    tasks = papers.get(system, {}) if isinstance(papers, Mapping) else {}
    shares = {task: float(told.get("covered", 1)) for task, told in tasks.items()}
    return shares.get(condition, min(shares.values(), default=1))
