"""A logistic regression for each intent on n-grams, section type and cue phrases.

tf-idf(t, d) = (1 + ln tf) (ln((1 + n) / (1 + df)) + 1), each kind of n-gram scaled to length 1:
one to three words, two to five characters inside words, two to four characters of the heading. The
vocabulary is part of the model, so that its weights can be inspected.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from citescape.core.extras import require
from citescape.core.progress import Progress, silent
from citescape.loaders.section_types import clean_title
from citescape.text.intents.contexts import CitationContext, normalise
from citescape.text.intents.members import Arrays, FittedMember, Margins, divide_in_folds, targets
from citescape.text.intents.rules import find_cues, one_hot_sections
from citescape.text.intents.scicite import Example
from citescape.text.intents.steps import IntentConfig
from citescape.text.model_run import pack_texts, unpack_texts

_CHUNK = 4096
"""Number of contexts whose features are in memory at a time: some 50 MB."""
_CACHE_SIZE = 1 << 16
"""Number of words whose n-grams of characters are cached: some 15 MB per kind of n-gram."""
_WORD = re.compile(r"\w+")


def word_ngrams(text: str) -> list[str]:
    """Sequences of one, two and three words."""
    words = _WORD.findall(text)
    return [" ".join(words[k : k + n]) for n in (1, 2, 3) for k in range(len(words) - n + 1)]


def character_ngrams(word: str, least: int, most: int) -> list[str]:
    """Character n-grams of a word with a space at both ends.

    Args:
        word: a word without white space.
        least: length of the shortest n-grams.
        most: length of the longest n-grams.
    """
    padded = f" {word} "
    return [padded[k : k + n] for n in range(least, most + 1) for k in range(len(padded) - n + 1)]


class View(NamedTuple):
    """A kind of n-gram: functions from a text to pieces, and from a piece to n-grams."""

    split: Callable[[str], list[str]]
    grams: Callable[[str], list[str]]
    least: int
    """Minimum number of texts with an n-gram."""
    cached: bool
    """Cache the n-grams of a piece."""


VIEWS = {
    "words": View(word_ngrams, lambda ngram: [ngram], 2, cached=False),
    "characters": View(str.split, partial(character_ngrams, least=2, most=5), 3, cached=True),
    "heading": View(str.split, partial(character_ngrams, least=2, most=4), 3, cached=True),
}


class NgramVocabulary:
    """N-grams of one kind, and the IDF of each."""

    def __init__(self, view: View, terms: list[str], idf: npt.NDArray[np.float32]) -> None:
        self.view = view
        self.terms = terms
        self.idf = idf
        place = {term: k for k, term in enumerate(terms)}

        def columns(piece: str) -> list[int]:
            return [place[gram] for gram in view.grams(piece) if gram in place]

        # Most words of a text are frequent: one look-up instead of one for each of their n-grams.
        self._columns = lru_cache(maxsize=_CACHE_SIZE)(columns) if view.cached else columns

    @classmethod
    def from_texts(cls, view: View, texts: Sequence[str]) -> NgramVocabulary:
        """The n-grams of at least `view.least` texts, in alphabetical order."""
        frequencies: Counter[str] = Counter()
        for text in texts:
            frequencies.update(
                {gram for piece in set(view.split(text)) for gram in view.grams(piece)}
            )
        terms = sorted(gram for gram, count in frequencies.items() if count >= view.least)
        documents = np.array([frequencies[term] for term in terms], np.float64)
        idf = np.log((1 + len(texts)) / (1 + documents)) + 1
        return cls(view, terms, idf.astype(np.float32))

    def transform(self, texts: Sequence[str]) -> sp.csr_array:
        """TF-IDF (len(texts), terms), rows of length 1, or 0 for texts without known n-grams."""
        rows = [list(chain(*map(self._columns, self.view.split(text)))) for text in texts]
        starts = np.cumsum([0, *map(len, rows)], dtype=np.int32)
        columns = np.fromiter(chain(*rows), np.int32, count=int(starts[-1]))
        ones = np.ones(len(columns), np.float32)
        counts = sp.csr_array((ones, columns, starts), shape=(len(texts), len(self.terms)))
        counts.sum_duplicates()
        counts.data = (1 + np.log(counts.data)) * self.idf[counts.indices]
        squares = sp.csr_array((counts.data**2, counts.indices, counts.indptr), counts.shape)
        lengths = np.sqrt(squares.sum(1)).clip(min=1e-9)
        scale = np.repeat(1 / lengths, np.diff(counts.indptr))
        counts.data = (counts.data * scale).astype(np.float32)
        return counts


class NgramFeatures:
    """Contexts to a sparse matrix: three kinds of n-gram, section type, cue phrases."""

    def __init__(self, views: Mapping[str, NgramVocabulary]) -> None:
        self.views = views

    @classmethod
    def from_contexts(cls, contexts: Sequence[CitationContext]) -> NgramFeatures:
        """Features with the vocabularies of training data."""
        texts = _texts(contexts)
        return cls(
            {name: NgramVocabulary.from_texts(view, texts[name]) for name, view in VIEWS.items()}
        )

    def __call__(self, contexts: Sequence[CitationContext]) -> sp.csr_array:
        """(n, features) float32."""
        texts = _texts(contexts)
        blocks = [vocabulary.transform(texts[name]) for name, vocabulary in self.views.items()]
        dense = np.hstack([one_hot_sections(contexts), find_cues(contexts)]).astype(np.float32)
        matrix = sp.csr_array(sp.hstack([*blocks, sp.csr_array(dense)]))
        matrix.indices = matrix.indices.astype(np.int32)  # scikit-learn expects 32 bits
        matrix.indptr = matrix.indptr.astype(np.int32)
        return matrix

    def tensors(self) -> dict[str, npt.NDArray[Any]]:
        """Arrays to save."""
        tensors: dict[str, npt.NDArray[Any]] = {}
        for name, vocabulary in self.views.items():
            tensors[f"{name}.terms"] = pack_texts(vocabulary.terms)
            tensors[f"{name}.idf"] = vocabulary.idf
        return tensors

    @classmethod
    def from_tensors(cls, tensors: Arrays) -> NgramFeatures:
        """The inverse of `tensors`."""
        views = {}
        for name, view in VIEWS.items():
            terms = unpack_texts(tensors[f"{name}.terms"])
            views[name] = NgramVocabulary(view, terms, tensors[f"{name}.idf"])
        return cls(views)


def _texts(contexts: Sequence[CitationContext]) -> dict[str, list[str]]:
    """The texts of each kind of n-gram."""
    texts = [normalise(context.text).lower() for context in contexts]
    headings = [clean_title(context.title[:200]).lower() for context in contexts]
    return {"words": texts, "characters": texts, "heading": headings}


@dataclass(frozen=True)
class LinearMember:
    """Margins by weights (features, 3) and bias (3,). Prediction does not need scikit-learn."""

    features: NgramFeatures
    weights: npt.NDArray[np.float32]
    bias: npt.NDArray[np.float32]

    def __call__(self, contexts: Sequence[CitationContext]) -> Margins:
        """Margins (n, 3)."""
        margins = np.empty((len(contexts), len(self.bias)))
        for start in range(0, len(contexts), _CHUNK):
            rows = self.features(contexts[start : start + _CHUNK])
            margins[start : start + _CHUNK] = rows @ self.weights + self.bias
        return margins

    def tensors(self) -> dict[str, npt.NDArray[Any]]:
        """Arrays to save: vocabularies, weights, bias."""
        return {**self.features.tensors(), "weights": self.weights, "bias": self.bias}

    def save(self, folder: Path) -> None:
        """Writes nothing: the tensors are the whole model."""

    @classmethod
    def load(cls, tensors: Arrays, folder: Path, config: IntentConfig) -> LinearMember:
        """The inverse of `tensors`.

        Args:
            tensors: result of `tensors`.
            folder: not used.
            config: not used.
        """
        return cls(NgramFeatures.from_tensors(tensors), tensors["weights"], tensors["bias"])


def fit_linear(
    examples: Sequence[Example], config: IntentConfig, progress: Progress = silent
) -> FittedMember:
    """A model of all examples, and margins of each fold by a model of the other folds.

    Args:
        examples: labelled citations.
        config: regularisation, folds and seed.
        progress: reports the folds.

    Raises:
        ConfigError: scikit-learn is not installed, or too few papers have an intent.
    """
    require("sklearn")
    fold = divide_in_folds(examples, config)
    progress("training: n-grams")
    contexts = [example.context for example in examples]
    features, truth = NgramFeatures.from_contexts(contexts), targets(examples)
    rows = features(contexts)
    held_out = np.full(truth.shape, np.nan)
    for k in range(config.folds):
        progress(f"training: linear model, fold {k + 1} of {config.folds}")
        others = np.flatnonzero(fold != k)
        weights, bias = _fit(rows[others], truth[others], config)
        held_out[fold == k] = rows[np.flatnonzero(fold == k)] @ weights + bias
    progress("training: linear model")
    return FittedMember(LinearMember(features, *_fit(rows, truth, config)), held_out)


def _fit(
    rows: sp.csr_array, truth: Margins, config: IntentConfig
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Weights (features, 3) and bias (3,) of a logistic regression for each column of `truth`."""
    from sklearn.linear_model import LogisticRegression

    options = {"C": config.strength, "solver": "liblinear", "tol": 1e-3, "max_iter": 200}
    models = [LogisticRegression(**options).fit(rows, column) for column in truth.T]
    weights = np.array([model.coef_[0] for model in models], np.float32)
    bias = np.array([model.intercept_[0] for model in models], np.float32)
    return weights.T.copy(), bias
