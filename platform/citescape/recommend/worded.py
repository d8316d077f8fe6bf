"""Papers and citing sentences by their words alone, in memory: an answer before vectors exist."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa

from citescape.core.pairs import find_rows
from citescape.core.types import Document
from citescape.recommend.contexts import Contexts
from citescape.recommend.fields import Scores
from citescape.recommend.lexicon import Lexicon
from citescape.recommend.library import PAPER_COLUMNS, Library
from citescape.recommend.neighbourhoods import InwardNeighbourhoods
from citescape.recommend.profiler import Vectors
from citescape.recommend.retriever import CandidateIndex
from citescape.recommend.searchable import CitedPapers
from citescape.recommend.texts import read_texts
from citescape.search.listed import Rows


@dataclass(frozen=True, eq=False)
class WordedLibrary(CitedPapers):
    """A library with the words of its papers and contexts; nothing is written to disk."""

    library: Library
    papers: pa.Table
    """`id` ascending, `title`, `abstract`, `date`, `cited_by`: number of distinct citing papers."""
    contexts: Contexts
    """`Contexts.pairs` with `row`, that of the context in `texts`; -1 for one without words."""
    texts: list[str]
    """(contexts with words,) in the order of their ids."""
    lexicon: Lexicon

    @classmethod
    def from_library(cls, library: Library) -> WordedLibrary:
        """Counts the words of a library, as profiles do."""
        worded, texts = read_texts(library.contexts)
        cited_by = InwardNeighbourhoods.from_contexts(library.contexts, library.ids, worded)
        lexicon = Lexicon.from_texts(library.documents, texts, cited_by)
        pairs = library.contexts.pairs.combine_chunks()
        rows = pa.array(find_rows(pairs["context"], worded), pa.int32())
        citing = pa.array(cited_by.count_citing())
        papers = library.papers.select(PAPER_COLUMNS).append_column("cited_by", citing)
        return cls(library, papers, Contexts(pairs.append_column("row", rows)), texts, lexicon)

    @cached_property
    def ids(self) -> pa.StringArray:
        """(papers,) ascending."""
        return self.papers["id"].combine_chunks()

    @property
    def index(self) -> CandidateIndex:
        """Index of all papers, whose vectors have no dimensions."""
        empty = np.empty((len(self.ids), 0), np.float32)
        cited = self.papers["cited_by"].to_numpy() > 0
        return CandidateIndex(empty, empty, self.lexicon, cited, self.latest)

    def count_words(self, texts: list[str]) -> Vectors:
        """(n, words) counts of the words of the lexicon."""
        counts: Vectors = self.lexicon.count_words([Document("", text) for text in texts]).toarray()
        return counts

    def compare(self, contexts: Rows, query: Vectors) -> Scores:
        """(c,) cosines of the word counts of contexts and of a query (words,)."""
        used = np.flatnonzero(query)
        counts = self.lexicon.count_words([Document("", self.texts[row]) for row in contexts])
        lengths = np.sqrt(np.asarray(counts.multiply(counts).sum(axis=1)).ravel())
        lengths *= np.linalg.norm(query)
        products = counts[:, used] @ query[used]
        return (products / np.where(lengths > 0, lengths, 1)).astype(np.float32)
