"""Papers of a benchmark among the triplets that train an encoder.

An encoder trained on a test paper's neighbours has inflated scores: 40.5% of the 311,860 papers in
SPECTER's training set are papers of the benchmark it was tested on (SciNCL, appendix B).
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
    """Numbers of held-out papers in the triplets."""

    papers: int
    """Distinct papers in the triplets."""
    held_out: int
    """Distinct papers of the list to hold out."""
    leaked: int
    """Held-out papers in the triplets."""
    by_role: dict[str, int]
    """Held-out papers among the anchors, positives and negatives."""
    triplets: int
    """Triplets with a held-out paper."""

    @property
    def share(self) -> float:
        """Leaked papers divided by papers in the triplets, 0..1, as in the published figure."""
        return self.leaked / self.papers if self.papers else 0.0

    @property
    def line(self) -> str:
        """`leakage: none of 320 papers`, or their number."""
        leaked = f"{self.leaked:,}" if self.leaked else "none"
        return f"leakage: {leaked} of {self.held_out:,} papers"


def compute_leakage(triplets: Triplets, held_out: Collection[str]) -> Leakage:
    """Counts the held-out papers in the triplets, by id and role."""
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
