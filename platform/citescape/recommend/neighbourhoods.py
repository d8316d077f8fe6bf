"""Which contexts cite each paper, as arrays: what profiles are made of."""

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
class Neighbourhoods:
    """The inward neighbourhood of each paper: by whom it is cited, and in which contexts.

    A CSR of papers: within a paper its citing papers ascend, within one of these its contexts.
    """

    indptr: Rows
    """(papers + 1,)"""
    citing: Rows
    """(edges,) row of the citing paper; the same one follows itself where it cites repeatedly."""
    contexts: Rows
    """(edges,) row of the context, -1 for one without words."""

    @classmethod
    def of(
        cls, contexts: Contexts, papers: pa.StringArray, texts: pa.StringArray
    ) -> Neighbourhoods:
        """The neighbourhoods of papers.

        Args:
            contexts: in any order.
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
        """(papers,) distinct papers that cite each, |N_in| of Eq. 3."""
        return _count_distinct(self.indptr, self.citing)


def _count_distinct(indptr: Rows, citing: Rows) -> Rows:
    cited = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    first = np.ones(len(citing), np.bool_)
    first[1:] = (citing[1:] != citing[:-1]) | (cited[1:] != cited[:-1])
    return np.bincount(cited[first], minlength=len(indptr) - 1).astype(np.int64)
