"""Profiles as they would be had some papers not been written.

A context that a profile is made of finds its paper without effort. What is asked of profiles, to
train a reranker or to choose weights, must not be part of them. As nothing is learned, profiles
without some papers are a matter of seconds.
"""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc
from scipy.sparse import csr_array

from citescape.core.types import Document
from citescape.recommend.contexts import Contexts
from citescape.recommend.dates import Days
from citescape.recommend.lexicon import Lexicon, link
from citescape.recommend.neighbourhoods import Neighbourhoods
from citescape.recommend.profiler import ProfileWeights, Vectors, build_profiles
from citescape.recommend.profiles import ProfileRun
from citescape.recommend.retriever import CandidateIndex
from citescape.recommend.texts import read_texts


@dataclass(frozen=True, eq=False)
class Refit:
    """Vectors and words of papers and contexts, of which profiles are made anew."""

    ids: pa.StringArray
    """(papers,) ascending."""
    latest: Days
    contexts: Contexts
    named: pa.StringArray
    """(contexts,) of those with words, ascending."""
    base: Vectors
    vectors: Vectors
    """(contexts, d)"""
    lexicon: Lexicon
    counts: csr_array
    """(contexts, words)"""

    @classmethod
    def of(cls, made: ProfileRun) -> Refit:
        """All that a run holds."""
        named, texts = read_texts(made.contexts)
        lexicon = made.lexicon
        counts = lexicon.count([Document("", text) for text in texts])
        return cls(
            made.ids,
            made.latest,
            made.contexts,
            named,
            made.base,
            made.context_vectors,
            lexicon,
            counts,
        )

    def without(
        self, citing: pa.StringArray, weights: ProfileWeights | None = None
    ) -> CandidateIndex:
        """An index that knows nothing of how some papers cite.

        Args:
            citing: ids of these papers.
            weights: alpha, beta, and what stands for several contexts of one citing paper.
        """
        kept = pc.invert(pc.is_in(self.contexts.pairs["citing"], value_set=citing))
        cited_by = Neighbourhoods.of(self.contexts.filter(kept), self.ids, self.named)
        profiles = build_profiles(self.base, self.vectors, cited_by, weights=weights)
        said = csr_array(link(cited_by, len(self.named)) @ self.counts)
        lexicon = Lexicon(self.lexicon.words, self.lexicon.own, said)
        return CandidateIndex(self.base, profiles, lexicon, cited_by.profiled, self.latest)
