"""Which papers may be in a benchmark (MDCR, section 3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from citescape.core.errors import ConfigError
from citescape.evaluation.literature import NO_YEAR, Literature
from citescape.search.listed import Bools


@dataclass(frozen=True)
class Prefilter:
    """What a paper must have; the defaults are the paper's."""

    abstract: int = 30
    """Characters, at least; 0 lets in papers without one."""
    citations: int = 3
    """Given and received together, at least. The paper has `citations in S2ORC`, which may mean
    either; new papers, which queries are, are hardly cited yet."""

    def __post_init__(self) -> None:
        if self.abstract < 0 or self.citations < 0:
            raise ConfigError(
                f"abstracts of {self.abstract} characters and {self.citations} citations at least; "
                "expected 0 or more of both"
            )


@dataclass(frozen=True)
class Eligible:
    """Papers that pass, and why others do not."""

    papers: Bools
    """(papers,)"""
    dropped: dict[str, int]
    """Papers by the first thing that they lack."""


def prefilter(literature: Literature, wanted: Prefilter | None = None) -> Eligible:
    """Leaves out papers without a year, without a title, with a short abstract, with few links."""
    wanted = wanted or Prefilter()
    documents = literature.corpus.documents
    links = literature.cites.counts + literature.cited_by.counts
    tests = {
        "no_year": literature.years != NO_YEAR,
        "no_title": np.array([bool(document.title) for document in documents], np.bool_),
        "short_abstract": np.array(
            [len(document.abstract) >= wanted.abstract for document in documents], np.bool_
        ),
        "few_citations": links >= wanted.citations,
    }
    left, dropped = np.ones(len(literature), np.bool_), {}
    for name, passes in tests.items():
        dropped[name] = int((left & ~passes).sum())
        left &= passes
    return Eligible(left, dropped)
