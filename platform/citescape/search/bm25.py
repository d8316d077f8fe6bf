"""BM25: ranks papers by the words that their titles and abstracts share with a paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from citescape.core.errors import ConfigError
from citescape.core.types import Document
from citescape.search.listed import Rows
from citescape.search.traits import Traits
from citescape.search.word_pool import WordPool
from citescape.search.words import ANALYSER, count_words

K1, B = 1.2, 0.75


@dataclass(frozen=True)
class Bm25:
    """Okapi BM25 over words (Robertson et al. 1994; MDCR, appendix A).

    score(q, d) = sum over words t of q, with repetitions, of
    ln(1 + (N - n + .5) / (n + .5)) f (k1 + 1) / (f + k1 (1 - b + b l / m)),
    with f the count of t in d, l the number of words of d and m its mean, n of the N papers of the
    pool with t. Queries and papers are titles and abstracts; for words see `search.terms`.
    """

    counts: csr_array
    """(papers, words) of the corpus."""
    k1: float = K1
    """Saturation of repetitions, 0 or more."""
    b: float = B
    """Penalty of long texts, 0 to 1."""
    threads: int = 0
    """0 for every core this process may use; results do not depend on it."""
    name: str = "bm25"
    trials: tuple[tuple[float, ...], ...] = ()
    """(k1, b, figure) of a grid search, if these were chosen by one."""

    def __post_init__(self) -> None:
        if not (self.k1 >= 0 and 0 <= self.b <= 1):
            raise ConfigError(f"k1 is {self.k1} and b {self.b}; expected k1 >= 0 and 0 <= b <= 1")

    @classmethod
    def from_documents(cls, documents: Sequence[Document], *, k1: float = K1, b: float = B) -> Bm25:
        """Counts the words of a corpus.

        Args:
            documents: titles and abstracts.
            k1: saturation of repetitions, 0 or more.
            b: penalty of long texts, 0 to 1.
        """
        return cls(count_words(documents)[1], k1, b)

    def tuned(self, k1: float, b: float) -> Bm25:
        """The same words with other parameters."""
        return replace(self, k1=k1, b=b)

    @property
    def traits(self) -> Traits:
        """Traits with the trials of a grid search."""
        return Traits(trials=self.trials)

    def describe(self) -> dict[str, str | float]:
        """Parameters, and version of the analyser of words."""
        return {"ranker": "bm25", "k1": self.k1, "b": self.b, "analyser": ANALYSER}

    def lacks(self, rows: Rows) -> npt.NDArray[np.bool_]:
        """(rows,) true for papers without words."""
        empty: npt.NDArray[np.bool_] = np.diff(self.counts.indptr)[rows] == 0
        return empty

    def among(self, pool: Rows) -> WordPool:
        """A pool of papers, ascending and each once; N, n and m are those of the pool."""
        rows = np.asarray(pool, np.int64)
        counts = self.counts if len(rows) == self.counts.shape[0] else self.counts[rows]
        weights = compute_weights(counts, k1=self.k1, b=self.b)
        return WordPool(self.counts, weights, rows, self.threads)


def compute_weights(counts: csr_array, *, k1: float = 1.2, b: float = 0.75) -> csr_array:
    """Weight of each term in each text by Okapi BM25 (Robertson et al. 1994).

    With f the count of a term in a text, l the length of the text in terms and m the mean length,
    n of N texts with the term:
    ln(1 + (N - n + 0.5) / (n + 0.5)) f (k1 + 1) / (f + k1 (1 - b + b l / m)).

    Args:
        counts: (texts, terms) positive.
        k1: saturation of repetitions; with 0 they do not count.
        b: penalty of long texts, 0 to 1.

    Returns:
        (texts, terms) positive where `counts` are.
    """
    size, terms = counts.shape
    document_counts = np.bincount(counts.indices, minlength=terms)
    rarity = np.log1p((size - document_counts + 0.5) / (document_counts + 0.5))
    lengths = np.asarray(counts.sum(axis=1)).ravel()
    relative = lengths * size / (lengths.sum() or 1.0)
    damping = np.repeat(k1 * (1 - b + b * relative), np.diff(counts.indptr))
    weights = rarity[counts.indices] * counts.data * (k1 + 1) / (counts.data + damping)
    return csr_array((weights, counts.indices, counts.indptr), shape=counts.shape)
