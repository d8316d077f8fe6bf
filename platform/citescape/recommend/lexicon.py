"""Words of papers, of the contexts that cite them, and of queries."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from citescape.core.errors import ConfigError
from citescape.core.types import Document
from citescape.recommend.neighbourhoods import InwardNeighbourhoods
from citescape.search.listed import Rows
from citescape.search.ranker import NONE
from citescape.search.words import count_words


@dataclass(frozen=True)
class WordWeights:
    """Weights of the words of a query by their place, 0 to 1."""

    context: float = 1.0
    title: float = 0.3
    abstract: float = 0.1

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not 0 <= value <= 1:
                raise ConfigError(f"the weight of words of the {name} is {value}; expected 0 to 1")


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Word counts of papers (Profiler with words in place of vectors)."""

    words: Sequence[str]
    """(w,) ascending."""
    own: csr_array
    """(papers, w) counts in titles and abstracts."""
    contexts: csr_array
    """(papers, w) counts in all contexts that cite a paper; empty rows for uncited papers."""

    @classmethod
    def from_texts(
        cls, documents: Sequence[Document], contexts: Sequence[str], cited_by: InwardNeighbourhoods
    ) -> Lexicon:
        """Counts the words of papers and contexts.

        Args:
            documents: (papers,) titles and abstracts.
            contexts: (contexts,) texts.
            cited_by: contexts that cite each paper.
        """
        texts = [*documents, *(Document("", context) for context in contexts)]
        words, counts = count_words(texts)
        cited_in = link(cited_by, len(contexts)) @ counts[len(documents) :]
        return cls(words, counts[: len(documents)].tocsr(), csr_array(cited_in))

    @property
    def profiles(self) -> csr_array:
        """(papers, w) counts in titles, abstracts and contexts together."""
        return csr_array(self.own + self.contexts)

    def weigh_queries(
        self,
        contexts: Sequence[str],
        documents: Sequence[Document],
        weights: WordWeights | None = None,
    ) -> csr_array:
        """(q, w) weight of each word of the lexicon in each query.

        Args:
            contexts: (q,) texts.
            documents: (q,) title and abstract of the citing paper.
            weights: weights by place.
        """
        weights = weights or WordWeights()
        parts = (
            (weights.context, [Document("", context) for context in contexts]),
            (weights.title, [Document(document.title) for document in documents]),
            (weights.abstract, [Document("", document.abstract) for document in documents]),
        )
        queries = csr_array((len(contexts), len(self.words)), dtype=np.float32)
        for weight, texts in parts:
            if weight:
                queries = queries + np.float32(weight) * self.count_words(texts)
        return csr_array(queries)

    def count_words(self, documents: Sequence[Document]) -> csr_array:
        """(n, w) counts of the words of the lexicon in texts.

        Queries have few words: they are looked up by bisection, without hashing the vocabulary.
        """
        words, counts = count_words(documents)
        places = np.full(len(words), NONE, np.int64)
        for number, word in enumerate(words):
            place = bisect_left(self.words, word)
            if place < len(self.words) and self.words[place] == word:
                places[number] = place
        kept = counts[:, places != NONE].tocsr()
        columns = places[places != NONE].astype(kept.indices.dtype)[kept.indices]
        shape = (len(documents), len(self.words))
        return csr_array((kept.data, columns, kept.indptr), shape=shape)


def link(cited_by: InwardNeighbourhoods, contexts: int) -> csr_array:
    """(papers, contexts) sparse: 1 where a paper is cited in a context."""
    has_words = cited_by.contexts != NONE
    cited: Rows = np.repeat(np.arange(len(cited_by)), np.diff(cited_by.indptr))[has_words]
    ones = np.ones(int(has_words.sum()), np.float32)
    return csr_array((ones, (cited, cited_by.contexts[has_words])), shape=(len(cited_by), contexts))
