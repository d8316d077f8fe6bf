"""Planted retractions and corrections, some citations before them and some after.

Most notices are rows of a table with a year: a citation is earlier, in that year, or later. One
retraction is stated by the retracted paper alone, without a date.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from citescape.demo.citations import PlantedPairs
from citescape.demo.works import GeneratedWork

if TYPE_CHECKING:
    from citescape.demo.world import World

KINDS = ("Retraction", "Retraction", "Expression of concern", "Correction")
"""`RetractionNature` of the rows of the table."""
_STATES = {
    "Retraction": "retracted",
    "Expression of concern": "concern",
    "Correction": "corrected",
}
_LEAST_CITED = 3
"""Minimum number of citing papers of a work with a notice, so that some are on each side."""


@dataclass(frozen=True)
class PlantedNotice:
    """A notice about a work of the world."""

    work: int
    nature: str
    """One of `KINDS`."""
    doi: str
    """DOI of the notice."""
    year: int | None
    """Year of the notice; None for the one that the work states without a date."""

    @property
    def state(self) -> str:
        """`Paper.notice` of the work."""
        return _STATES[self.nature]


def plan_notices(
    works: Sequence[GeneratedWork], pairs: PlantedPairs, rng: np.random.Generator
) -> tuple[PlantedNotice, ...]:
    """Notices about works that are cited in several years; the last one has no date.

    Args:
        works: all works.
        pairs: their citations.
        rng: random generator of this purpose only, so that the rest of the world stays the same.
    """
    years: dict[int, list[int]] = {}
    for citing, cited in zip(pairs.citing.tolist(), pairs.cited.tolist(), strict=True):
        years.setdefault(cited, []).append(works[citing].year)
    often = [
        work
        for work, own in sorted(years.items())
        if works[work].doi and len(own) >= _LEAST_CITED and min(own) < sorted(own)[len(own) // 2]
    ]
    chosen = rng.permutation(often).tolist()
    notices = [
        PlantedNotice(work, nature, _doi(work), sorted(years[work])[len(years[work]) // 2])
        for work, nature in zip(chosen, KINDS, strict=False)
    ]
    taken = {notice.work for notice in notices}
    own = [work for work in chosen if works[work].layout and work not in taken]
    return (*notices, *(PlantedNotice(work, "Retraction", _doi(work), None) for work in own[:1]))


def _doi(work: int) -> str:
    return f"10.5555/notice.{work:05d}"


def write_notices(world: World, path: Path) -> Path:
    """A table of the notices with a date, in the columns of Retraction Watch."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["OriginalPaperDOI", "RetractionDOI", "RetractionDate", "RetractionNature"])
        for notice in world.notices:
            if notice.year is not None:
                doi = world.works[notice.work].doi
                writer.writerow([doi, notice.doi, notice.year, notice.nature])
    return path
