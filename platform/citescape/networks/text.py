"""The network of papers with similar titles and abstracts, by BM25."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from citescape.core.pairs import find_rows, fingerprint_ids
from citescape.networks.config import NetworkConfig
from citescape.networks.core import read_core
from citescape.networks.kind import BuiltNetwork, NetworkBuilder, Sources
from citescape.networks.network import Floats, build_network
from citescape.networks.products import find_strongest
from citescape.papers.documents import read_corpus
from citescape.search.bm25 import compute_weights
from citescape.search.terms import ANALYSER, count_terms

Ends = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]
_PAIRS = 1 << 14
"""Number of pairs of texts compared at once."""


def prepare_text(sources: Sources, config: NetworkConfig) -> NetworkBuilder:
    """Reads texts of the core, each paper to be linked to its k best matches (CIA, section 4.2).

    Papers without a text have no edges and are counted.

    Raises:
        StoreError: no paper of the core has a title or an abstract.
        ConfigError: no such terms.
    """
    sources.progress("reading titles and abstracts")
    core = read_core(sources.store, config.papers, years=config.years)
    corpus = read_corpus(sources.store, config.papers)
    inputs = {"core": fingerprint_ids(core), "texts": corpus.hash(), "analyser": ANALYSER}

    def build() -> BuiltNetwork:
        size = len(corpus.documents)
        sources.progress(f"reading the terms of {size:,} papers")
        terms = count_terms(corpus.documents, config.terms)
        sources.progress(f"comparing {size:,} papers by {len(terms.keys):,} terms")
        rows = find_rows(corpus.papers["id"], core)
        weights = compute_weights(terms.counts, k1=config.k1, b=config.b)
        ends, scores = link_texts(terms.counts, weights, k=config.k)
        counts = {
            "without_text": len(core) - size,
            "without_terms": int((np.diff(terms.counts.indptr) == 0).sum()),
            "terms": len(terms.keys),
        }
        return BuiltNetwork(build_network(core, (rows[ends[0]], rows[ends[1]]), scores), counts)

    return NetworkBuilder(inputs, build)


def link_texts(counts: csr_array, weights: csr_array, *, k: int = 20) -> tuple[Ends, Floats]:
    """Links pairs of texts of which at least one is among the `k` best matches of the other.

    The query of a text is its terms with their counts; a match scores the sum of the weights of
    these terms; among equal scores the lower row comes first. The score of a pair is the mean of
    both directions, which differ if the lengths of the texts differ.

    Args:
        counts: (texts, terms) counts of terms.
        weights: (texts, terms) weights of `compute_weights`.
        k: number of matches per text.

    Returns:
        Rows of both ends, the lower row first, each pair once, ascending; scores (pairs,) positive.
    """
    size = counts.shape[0]
    matches = find_strongest(counts, weights.T.tocsr(), top=k)
    own = np.repeat(np.arange(size, dtype=np.int64), np.diff(matches.indptr))
    other = matches.indices.astype(np.int64)
    pairs = np.unique(np.minimum(own, other) * size + np.maximum(own, other))
    ends = (pairs // max(size, 1), pairs % max(size, 1))

    scores = np.empty(len(pairs))
    for start in range(0, len(scores), _PAIRS):
        first, second = (end[start : start + _PAIRS] for end in ends)
        forth = (counts[first] * weights[second]).sum(axis=1)
        back = (counts[second] * weights[first]).sum(axis=1)
        scores[start : start + _PAIRS] = (np.asarray(forth) + np.asarray(back)).ravel() / 2
    return ends, scores
