"""Filter of the papers of a benchmark (MDCR, section 3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from citescape.evaluation.config import Prefilter
from citescape.evaluation.literature import NO_YEAR, Literature
from citescape.search.listed import Bools


@dataclass(frozen=True)
class EligiblePapers:
    """Papers that pass the filter, and counts of the others."""

    papers: Bools
    """(papers,) true for papers that pass."""
    dropped: dict[str, int]
    """Reason -> number of papers dropped for it; the first reason of a paper counts."""


def prefilter(literature: Literature, config: Prefilter | None = None) -> EligiblePapers:
    """Drops papers without a year or title, with a short abstract or with few citations."""
    config = config or Prefilter()
    documents = literature.corpus.documents
    citations = literature.cites.counts + literature.cited_by.counts
    tests = {
        "no_year": literature.years != NO_YEAR,
        "no_title": np.array([bool(document.title) for document in documents], np.bool_),
        "short_abstract": np.array(
            [len(document.abstract) >= config.min_abstract for document in documents], np.bool_
        ),
        "few_citations": citations >= config.min_citations,
    }
    kept, dropped = np.ones(len(literature), np.bool_), {}
    for name, passes in tests.items():
        dropped[name] = int((kept & ~passes).sum())
        kept &= passes
    return EligiblePapers(kept, dropped)
