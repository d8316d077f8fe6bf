"""Profiles without the contexts of some citing papers.

A context that is part of a profile retrieves its paper without effort. Queries that train a
reranker or choose weights must not be part of the profiles. Profiles are not learned, so that
profiles without some papers take seconds.
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
    """Vectors and words of papers and contexts, to compute profiles of a part of them."""

    ids: pa.StringArray
    """(papers,) ascending."""
    latest: Days
    contexts: Contexts
    worded: pa.StringArray
    """(contexts,) ids of those with words, ascending."""
    base: Vectors
    vectors: Vectors
    """(contexts, d)"""
    lexicon: Lexicon
    counts: csr_array
    """(contexts, words)"""

    @classmethod
    def of(cls, run: ProfileRun) -> Refit:
        """Reads everything from a run."""
        worded, texts = read_texts(run.contexts)
        lexicon = run.lexicon
        counts = lexicon.count([Document("", text) for text in texts])
        vectors = run.base, run.context_vectors
        return cls(run.ids, run.latest, run.contexts, worded, *vectors, lexicon, counts)

    def without(
        self, citing: pa.StringArray, weights: ProfileWeights | None = None
    ) -> CandidateIndex:
        """The index without the contexts of some citing papers.

        Args:
            citing: ids of these papers.
            weights: alpha, beta, and how several contexts of one citing paper are combined.
        """
        kept = pc.invert(pc.is_in(self.contexts.pairs["citing"], value_set=citing))
        cited_by = Neighbourhoods.of(self.contexts.filter(kept), self.ids, self.worded)
        profiles = build_profiles(self.base, self.vectors, cited_by, weights=weights)
        words = csr_array(link(cited_by, len(self.worded)) @ self.counts)
        lexicon = Lexicon(self.lexicon.words, self.lexicon.own, words)
        return CandidateIndex(self.base, profiles, lexicon, cited_by.profiled, self.latest)
