"""Features of a sentence for trained splitters: its words and its position."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from citescape.core.errors import ConfigError
from citescape.text.model_run import Tensors, pack_texts, unpack_texts

Floats = npt.NDArray[np.float32]
Rows = Any
"""A sparse matrix; the stubs of scipy do not know how two of them are stacked."""
BINS = 10
POSITION_COLUMNS = 7 + BINS
"""Number of columns of `describe_position`."""
FEATURES_VERSION = 1
"""Version of the features: models of another version cannot be loaded."""
_MAX_WORDS = 200_000
"""Maximum number of words and pairs, the most frequent ones. The 187 training abstracts of the
crops corpus have 11,138 in more than one sentence; those of millions of abstracts would not fit in
memory."""
_RARE_FROM = 100
"""Number of sentences from which on words in a single sentence are dropped."""


def bins(sentences: int) -> npt.NDArray[np.int64]:
    """(n,) tenth of the abstract with each sentence, 0 .. BINS - 1."""
    middles = (np.arange(sentences) + 0.5) / max(sentences, 1)
    return (BINS * middles).astype(np.int64)


def describe_position(sentences: int) -> Floats:
    """(n, POSITION_COLUMNS) position of each sentence from both ends, and its tenth."""
    order = np.arange(sentences)
    share = order / max(sentences - 1, 1)
    columns = (
        share,
        1 - share,
        order == 0,
        order == sentences - 1,
        np.minimum(order, 5) / 5,
        np.minimum(sentences - 1 - order, 5) / 5,
        np.full(sentences, np.log1p(sentences) / 4),
    )
    position = np.stack([np.asarray(column, np.float32) for column in columns], 1)
    return np.concatenate([position, np.eye(BINS, dtype=np.float32)[bins(sentences)]], 1)


class Words:
    """TF-IDF of words and pairs of words: (n, size) sparse rows of length 1."""

    def __init__(self, vocabulary: Sequence[str], idf: npt.NDArray[np.float64]) -> None:
        self.vocabulary = list(vocabulary)
        self.idf = idf
        self._vectorizer = _vectorizer(vocabulary=self.vocabulary)
        self._vectorizer.idf_ = idf

    @classmethod
    def fit(cls, sentences: Sequence[str]) -> Words:
        """The vocabulary of training sentences.

        Raises:
            ConfigError: the sentences hold no word.
        """
        for least in (1,) if len(sentences) < _RARE_FROM else (2, 1):
            with suppress(ValueError):  # no word is in that many sentences
                fitted = _vectorizer(min_df=least, max_features=_MAX_WORDS).fit(sentences)
                return cls(fitted.get_feature_names_out().tolist(), fitted.idf_)
        raise ConfigError(f"{len(sentences)} sentences to train on hold no word; expected text")

    @property
    def size(self) -> int:
        """Number of words and pairs."""
        return len(self.vocabulary)

    def __call__(self, sentences: Sequence[str]) -> Rows:
        """(n, size), a row per sentence."""
        if not sentences:
            return zero_rows(0, self.size)
        return csr_array(self._vectorizer.transform(sentences).astype(np.float32))

    def tensors(self) -> dict[str, npt.NDArray[Any]]:
        """Arrays to save."""
        return {"vocabulary": pack_texts(self.vocabulary), "idf": self.idf}

    @classmethod
    def from_tensors(cls, tensors: Tensors) -> Words:
        """The inverse of `tensors`."""
        return cls(unpack_texts(tensors["vocabulary"]), tensors["idf"])


def zero_rows(rows: int, columns: int) -> Rows:
    """A sparse matrix of zeros."""
    return csr_array((rows, columns), dtype=np.float32)


def _vectorizer(**options: Any) -> Any:
    from sklearn.feature_extraction.text import TfidfVectorizer

    # words of one character and percent signs count too, unlike in the default pattern
    pattern = r"(?u)\b\w+\b|%"
    return TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, token_pattern=pattern, **options)
