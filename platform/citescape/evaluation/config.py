"""Settings that benchmarks and evaluations share. Light: steps are made of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from citescape.runs.step import Count, Seed, Setting, Settings


@dataclass(frozen=True, kw_only=True)
class Prefilter(Settings):
    """Which papers may be in a benchmark (MDCR, section 3); the defaults are the paper's.

    The paper's `citations in S2ORC` may be those given or received: both count, since queries are
    new papers, which are rarely cited yet.
    """

    min_abstract: Annotated[int, Setting(least=0)] = 30
    """Minimum number of characters of an abstract; 0 lets in papers with a title only."""
    min_citations: Annotated[int, Setting(least=0)] = 3
    """Minimum number of citations, given and received together."""


@dataclass(frozen=True, kw_only=True)
class FieldLimits(Settings):
    """Which fields are measured."""

    most_fields: Count = 19
    """Maximum number of fields; those with the most papers that can be queries."""
    fewest: Annotated[int, Setting(least=0)] = 20
    """Minimum number of queries of a field; others are left out."""


@dataclass(frozen=True, kw_only=True)
class SciDocsConfig(Settings):
    """How embeddings are evaluated by SciDocs."""

    split: Literal["test", "val"] = "test"
    """Split of the data."""
    ranker: Literal["cosine", "features"] = "cosine"
    """Ranker of the recommendations: cosine alone, or trained on features as published."""
    classifier_seed: Annotated[Seed, Setting(expert=True)] = 42
    """Random seed of classifiers; the default is the published one."""
