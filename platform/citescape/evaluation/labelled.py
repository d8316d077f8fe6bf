"""Papers with what is to be predicted of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from citescape.evaluation.linear import Labels


@dataclass(frozen=True, eq=False)
class Labelled:
    """Papers with what is to be predicted, in the order of the file, on which folds depend."""

    papers: pa.StringArray
    """(n,)"""
    labels: Labels
    """(n,) classes (whole numbers where all are, else texts) or numbers; or (n, labels) of 0, 1."""
    source: str

    def __len__(self) -> int:
        return len(self.papers)

    def take(self, kept: np.ndarray[Any, np.dtype[Any]]) -> Labelled:
        """Some of them."""
        return Labelled(self.papers.take(pa.array(kept)), self.labels[kept], self.source)
