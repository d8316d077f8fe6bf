"""Counts by key that can be added to and subtracted from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from citescape.core.hashing import Hashes


@dataclass(frozen=True)
class Counts:
    """How often there is each key."""

    keys: Hashes
    """(k,), sorted."""
    numbers: NDArray[np.int64]
    """(k,), perhaps 0."""

    @classmethod
    def of(cls, keys: Hashes) -> Counts:
        """Number of times that each key is in an array."""
        return cls(*np.unique(keys, return_counts=True))

    def look_up(self, keys: Hashes) -> NDArray[np.int64]:
        """The counts of keys."""
        if not len(self.keys):
            return np.zeros(len(keys), np.int64)
        place = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[place] == keys, self.numbers[place], 0)

    def add(self, other: Counts, times: int = 1) -> Counts:
        """The sum with another one, which may be negative; the time is that of copying."""
        known = np.isin(other.keys, self.keys, assume_unique=True)
        numbers = self.numbers.copy()
        numbers[np.searchsorted(self.keys, other.keys[known])] += times * other.numbers[known]
        place = np.searchsorted(self.keys, other.keys[~known])
        return Counts(
            np.insert(self.keys, place, other.keys[~known]),
            np.insert(numbers, place, times * other.numbers[~known]),
        )
