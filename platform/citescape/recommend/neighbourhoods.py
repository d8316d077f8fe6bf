"""Contexts and papers that cite each paper, as arrays: the input of profiles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.core.pairs import find_rows
from citescape.recommend.contexts import Contexts
from citescape.search.listed import Rows
from citescape.search.ranker import NONE


@dataclass(frozen=True, eq=False)
class InwardNeighbourhoods:
    """The inward neighbourhood of each paper: the papers and the contexts that cite it.

    CSR by cited paper; the citing papers ascend, and the contexts ascend within a citing paper.
    """

    indptr: Rows
    """(papers + 1,) start of the edges of each paper."""
    citing: Rows
    """(edges,) row of the citing paper, once for each of its contexts."""
    contexts: Rows
    """(edges,) row of the context, -1 for one without words."""

    @classmethod
    def from_contexts(
        cls, contexts: Contexts, papers: pa.StringArray, texts: pa.StringArray
    ) -> InwardNeighbourhoods:
        """The neighbourhoods of papers.

        Args:
            contexts: contexts in any order.
            papers: (papers,) ids, ascending.
            texts: ids of contexts that have words, ascending; rows are positions among them.
        """
        pairs = contexts.pairs
        cited, citing = (find_rows(pairs[name], papers) for name in ("cited", "citing"))
        own = find_rows(pairs["context"], texts)
        known = (cited != NONE) & (citing != NONE)
        edges = np.unique(np.stack([cited, citing, own], axis=1)[known], axis=0)
        counts = np.bincount(edges[:, 0], minlength=len(papers))
        return cls(np.append(0, np.cumsum(counts)), edges[:, 1].copy(), edges[:, 2].copy())

    def __len__(self) -> int:
        return len(self.indptr) - 1

    @property
    def profiled(self) -> npt.NDArray[np.bool_]:
        """(papers,) whether anything cites the paper."""
        return np.diff(self.indptr) > 0

    def count_citing(self) -> Rows:
        """(papers,) number of distinct papers that cite each, |N_in| of Eq. 3."""
        cited = np.repeat(np.arange(len(self)), np.diff(self.indptr))
        first = np.ones(len(cited), np.bool_)
        first[1:] = (self.citing[1:] != self.citing[:-1]) | (cited[1:] != cited[:-1])
        return np.bincount(cited[first], minlength=len(self)).astype(np.int64)
