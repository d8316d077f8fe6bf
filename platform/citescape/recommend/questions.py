"""What is asked: contexts to be completed, ready to be held against papers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from scipy.sparse import csr_array

from citescape.recommend.dates import EVER, Days
from citescape.recommend.profiler import Vectors
from citescape.search.listed import Rows


@dataclass(frozen=True, eq=False)
class Questions:
    """Queries of one system; whatever stands in a row belongs to one query."""

    ids: pa.StringArray
    """(q,) of the contexts."""
    vectors: Vectors
    """(q, d), see `profiler.compose_queries`."""
    words: csr_array
    """(q, words), see `Lexicon.ask`."""
    citing: Rows
    """(q,) row of the citing paper, which is not found; -1 if it is none of the papers."""
    before: Days
    """(q,) what is found has appeared before this day; `EVER` for whenever."""

    def __len__(self) -> int:
        return len(self.citing)

    def take(self, rows: Rows) -> Questions:
        """Some of them."""
        return Questions(
            self.ids.take(pa.array(rows)),
            self.vectors[rows],
            csr_array(self.words[rows]),
            self.citing[rows],
            self.before[rows],
        )

    @classmethod
    def of(cls, vectors: Vectors, words: csr_array) -> Questions:
        """Of nobody's paper, about papers of any time."""
        count = len(vectors)
        ids = pa.array([f"{place}" for place in range(count)], pa.string())
        return cls(ids, vectors, words, np.full(count, -1), np.full(count, EVER, np.int32))
