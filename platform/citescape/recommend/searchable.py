"""Papers and citing sentences that a recommender searches, with or without vectors."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np
import pyarrow as pa

from citescape.core.pairs import find_rows
from citescape.recommend.contexts import Contexts
from citescape.recommend.dates import Days
from citescape.recommend.fields import Scores
from citescape.recommend.library import read_dates
from citescape.recommend.profiler import Vectors
from citescape.search.listed import Rows

if TYPE_CHECKING:
    from citescape.recommend.retriever import CandidateIndex


class Searchable(Protocol):
    """Papers, and the contexts in which they are cited."""

    @property
    def papers(self) -> pa.Table:
        """A row per paper: `id` ascending, `title`, `abstract`, `date`, `cited_by`."""
        ...

    @property
    def ids(self) -> pa.StringArray:
        """(papers,) ascending."""
        ...

    @property
    def contexts(self) -> Contexts:
        """`Contexts.pairs` with `row`, that of the context's text; -1 for one without words."""
        ...

    @property
    def latest(self) -> Days:
        """(papers,) last possible day of publication."""
        ...

    @property
    def index(self) -> CandidateIndex:
        """Index of all papers."""
        ...

    def find_citing(self, papers: Rows) -> Rows:
        """Rows of `contexts` that cite some papers, given as rows of `papers`."""
        ...

    def compare(self, contexts: Rows, query: Vectors) -> Scores:
        """(c,) cosines of contexts, given as values of `row`, and a query."""
        ...


class CitedPapers:
    """Base of implementations: what follows from `papers`, `ids` and `contexts`."""

    if TYPE_CHECKING:

        @property
        def papers(self) -> pa.Table:
            """See `Searchable`."""

        @property
        def ids(self) -> pa.StringArray:
            """See `Searchable`."""

        @property
        def contexts(self) -> Contexts:
            """See `Searchable`."""

    def find_citing(self, papers: Rows) -> Rows:
        """Rows of `contexts` that cite some papers, given as rows of `papers`."""
        ends, order = self._citing
        parts = [order[ends[paper] : ends[paper + 1]] for paper in papers.tolist()]
        return np.concatenate([np.empty(0, np.int64), *parts])

    @cached_property
    def _citing(self) -> tuple[Rows, Rows]:
        """CSR of (paper, row of `contexts`): a query reads few rows."""
        cited = find_rows(self.contexts.pairs["cited"], self.ids)
        order = np.argsort(cited, kind="stable")
        return np.searchsorted(cited[order], np.arange(len(self.ids) + 1)), order

    @cached_property
    def latest(self) -> Days:
        """(papers,) last possible day of publication."""
        return read_dates(self.papers).span(self.ids)[1]
