"""Which papers may be in a benchmark (MDCR, section 3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from citescape.evaluation.config import Prefilter
from citescape.evaluation.literature import NO_YEAR, Literature
from citescape.search.listed import Bools


@dataclass(frozen=True)
class EligiblePapers:
    """Papers that pass, and why others do not."""

    papers: Bools
    """(papers,)"""
    dropped: dict[str, int]
    """Papers by the first thing that they lack."""


def prefilter(literature: Literature, wanted: Prefilter | None = None) -> EligiblePapers:
    """Leaves out papers without a year, without a title, with a short abstract, with few links."""
    wanted = wanted or Prefilter()
    documents = literature.corpus.documents
    links = literature.cites.counts + literature.cited_by.counts
    tests = {
        "no_year": literature.years != NO_YEAR,
        "no_title": np.array([bool(document.title) for document in documents], np.bool_),
        "short_abstract": np.array(
            [len(document.abstract) >= wanted.min_abstract for document in documents], np.bool_
        ),
        "few_citations": links >= wanted.min_citations,
    }
    left, dropped = np.ones(len(literature), np.bool_), {}
    for name, passes in tests.items():
        dropped[name] = int((left & ~passes).sum())
        left &= passes
    return EligiblePapers(left, dropped)
