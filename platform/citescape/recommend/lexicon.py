"""The words of papers, of what is said where they are cited, and of queries."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from citescape.core.errors import ConfigError
from citescape.core.types import Document
from citescape.recommend.neighbourhoods import Neighbourhoods
from citescape.search.listed import Rows
from citescape.search.ranker import NONE
from citescape.search.words import count_words


@dataclass(frozen=True)
class WordWeights:
    """What a word of a query counts by where it stands, 0 to 1."""

    context: float = 1.0
    title: float = 0.3
    abstract: float = 0.1

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not 0 <= value <= 1:
                raise ConfigError(f"the weight of words of the {name} is {value}; expected 0 to 1")


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Counts of words (Profiler with words in place of vectors)."""

    words: Sequence[str]
    """(w,) ascending."""
    own: csr_array
    """(papers, w) of titles and abstracts."""
    said: csr_array
    """(papers, w) of all contexts that cite a paper; empty rows for papers that nothing cites."""

    @classmethod
    def of(
        cls, documents: Sequence[Document], contexts: Sequence[str], cited_by: Neighbourhoods
    ) -> Lexicon:
        """Reads papers and contexts.

        Args:
            documents: (papers,)
            contexts: (contexts,) what the neighbourhoods name.
            cited_by: in which contexts each paper is cited.
        """
        texts = [*documents, *(Document("", context) for context in contexts)]
        words, counts = count_words(texts)
        said = link(cited_by, len(contexts)) @ counts[len(documents) :]
        return cls(words, counts[: len(documents)].tocsr(), csr_array(said))

    @property
    def profiles(self) -> csr_array:
        """(papers, w) of titles, abstracts and contexts together."""
        return csr_array(self.own + self.said)

    def ask(
        self,
        contexts: Sequence[str],
        documents: Sequence[Document],
        weights: WordWeights | None = None,
    ) -> csr_array:
        """(q, w) what each query gives each word that the lexicon knows."""
        weights = weights or WordWeights()
        parts = (
            (weights.context, [Document("", context) for context in contexts]),
            (weights.title, [Document(document.title) for document in documents]),
            (weights.abstract, [Document("", document.abstract) for document in documents]),
        )
        asked = csr_array((len(contexts), len(self.words)), dtype=np.float32)
        for weight, texts in parts:
            if weight:
                asked = asked + np.float32(weight) * self.count(texts)
        return csr_array(asked)

    def count(self, documents: Sequence[Document]) -> csr_array:
        """(n, w) how often texts have the words that the lexicon knows."""
        found, counts = count_words(documents)
        places = np.array([self._place(word) for word in found], np.int64)
        kept = counts[:, places != NONE].tocsr()
        columns = places[places != NONE].astype(kept.indices.dtype)[kept.indices]
        shape = (len(documents), len(self.words))
        return csr_array((kept.data, columns, kept.indptr), shape=shape)

    def _place(self, word: str) -> int:
        """Where a word stands, -1 if nowhere: a question has few, and so many are not hashed."""
        place = bisect_left(self.words, word)
        return place if place < len(self.words) and self.words[place] == word else NONE


def link(cited_by: Neighbourhoods, contexts: int) -> csr_array:
    """(papers, contexts) sparse: 1 where a paper is cited in a context."""
    has_words = cited_by.contexts != NONE
    cited: Rows = np.repeat(np.arange(len(cited_by)), np.diff(cited_by.indptr))[has_words]
    ones = np.ones(int(has_words.sum()), np.float32)
    return csr_array((ones, (cited, cited_by.contexts[has_words])), shape=(len(cited_by), contexts))
