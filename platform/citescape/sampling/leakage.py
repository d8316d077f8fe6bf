"""How many papers of a benchmark are in the triplets that an encoder learns from.

An encoder that has seen a test paper's neighbours is judged too well: 40.5% of the 311,860 papers
that SPECTER learned from are papers of the benchmark it was tested on (SciNCL, appendix B).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.sampling.triplets import Triplets

ROLES = ("anchor", "positive", "negative")


@dataclass(frozen=True)
class Leakage:
    """Held-out papers among those of the triplets."""

    papers: int
    """Distinct papers in the triplets."""
    held_out: int
    """Distinct papers that were to be held out."""
    leaked: int
    """Papers that are both."""
    by_role: dict[str, int]
    """Held-out papers that are an anchor, a positive, a negative somewhere."""
    triplets: int
    """Triplets that hold one at least."""

    @property
    def share(self) -> float:
        """Leaked papers over papers of the triplets, 0..1: the published figure's denominator."""
        return self.leaked / self.papers if self.papers else 0.0

    @property
    def line(self) -> str:
        """`leakage: none of 320 papers`, or how many."""
        told = f"{self.leaked:,}" if self.leaked else "none"
        return f"leakage: {told} of {self.held_out:,} papers"


def compute_leakage(triplets: Triplets, held_out: Collection[str]) -> Leakage:
    """Counts by paper id which held-out papers are in the triplets, in which role."""
    listed = pa.array(sorted(set(held_out)), pa.string())
    held = pc.is_in(triplets.ids, value_set=listed).to_numpy(zero_copy_only=False)
    roles = {role: getattr(triplets, role) for role in ROLES}
    touched = np.zeros(len(triplets), np.bool_)
    for codes in roles.values():
        touched |= held[codes]
    used = np.unique(np.concatenate(list(roles.values())))
    return Leakage(
        papers=len(used),
        held_out=len(listed),
        leaked=int(held[used].sum()),
        by_role={role: int(held[np.unique(codes)].sum()) for role, codes in roles.items()},
        triplets=int(touched.sum()),
    )
