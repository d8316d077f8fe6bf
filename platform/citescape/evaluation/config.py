"""Settings that benchmarks and evaluations share; imports are light, for fast commands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from citescape.runs.step import Count, Seed, Setting, Settings


@dataclass(frozen=True, kw_only=True)
class Prefilter(Settings):
    """Filter of the papers of a benchmark, with the defaults of MDCR, section 3.

    The section does not say whether `citations in S2ORC` are given or received. Both count here,
    since queries are new papers, which are rarely cited yet.
    """

    min_abstract: Annotated[int, Setting(least=0)] = 30
    """Minimum number of characters of an abstract; 0 includes papers with a title only."""
    min_citations: Annotated[int, Setting(least=0)] = 3
    """Minimum number of citations, given and received together."""


@dataclass(frozen=True, kw_only=True)
class FieldLimits(Settings):
    """Limits of the fields of a benchmark."""

    most_fields: Count = 19
    """Maximum number of fields: those with the most papers that can be queries."""
    fewest: Annotated[int, Setting(least=0)] = 20
    """Minimum number of queries of a field; fields with fewer are left out."""


@dataclass(frozen=True, kw_only=True)
class SciDocsConfig(Settings):
    """Settings of an evaluation on SciDocs."""

    split: Literal["test", "val"] = "test"
    """Split of the data."""
    ranker: Literal["cosine", "features"] = "cosine"
    """Ranker of the recommendations: cosine alone, or trained on features as published."""
    classifier_seed: Annotated[Seed, Setting(expert=True)] = 42
    """Random seed of classifiers; the default is the published one."""
