"""Queries: citation contexts with the vectors and words by which papers are scored."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
from scipy.sparse import csr_array

from citescape.core.pairs import find_rows
from citescape.core.progress import Progress, silent
from citescape.core.types import Document
from citescape.recommend.contexts import Contexts
from citescape.recommend.dates import EVER, NEVER, Days
from citescape.recommend.encoding import ResolvedEncoder, encode_documents
from citescape.recommend.lexicon import Lexicon, WordWeights
from citescape.recommend.library import Library
from citescape.recommend.profiler import ProfileWeights, Vectors, compose_queries
from citescape.recommend.texts import read_texts
from citescape.search.listed import Rows
from citescape.search.ranker import NONE


@dataclass(frozen=True, eq=False)
class ContextQueries:
    """Queries of one system; each row of an array belongs to one query."""

    ids: pa.StringArray
    """(q,) ids of the contexts."""
    vectors: Vectors
    """(q, d), see `profiler.compose_queries`."""
    words: csr_array
    """(q, words), see `Lexicon.weigh_queries`."""
    citing: Rows
    """(q,) row of the citing paper, which is not recommended; -1 if it is not in the index."""
    before: Days
    """(q,) only papers older than this day are recommended; `EVER` for any date."""

    def __len__(self) -> int:
        return len(self.citing)

    def select_rows(self, rows: Rows) -> ContextQueries:
        """The queries in some rows."""
        return ContextQueries(
            self.ids.take(pa.array(rows)),
            self.vectors[rows],
            csr_array(self.words[rows]),
            self.citing[rows],
            self.before[rows],
        )

    @classmethod
    def from_vectors(cls, vectors: Vectors, words: csr_array) -> ContextQueries:
        """Queries without a citing paper, for papers of any date."""
        count = len(vectors)
        ids = pa.array([f"{place}" for place in range(count)], pa.string())
        return cls(ids, vectors, words, np.full(count, -1), np.full(count, EVER, np.int32))


@dataclass(frozen=True)
class QueryWeights:
    """Weights of the parts of a query."""

    weights: ProfileWeights = field(default_factory=ProfileWeights)
    """Gamma and delta, for vectors."""
    words: WordWeights = field(default_factory=WordWeights)


@dataclass(frozen=True, eq=False)
class EncodedQueries:
    """Contexts and their citing papers, encoded but not yet combined."""

    ids: pa.StringArray
    """(q,) ids of the contexts, ascending."""
    texts: list[str]
    """(q,) texts of the contexts; empty without a letter or digit."""
    documents: list[Document]
    """(q,) titles and abstracts of the citing papers."""
    contexts: Vectors
    """(q, d) vectors of the contexts."""
    papers: Vectors
    """(q, d) vectors of the citing papers."""
    citing: Rows
    """(q,) row of the citing paper in the library, -1 if missing."""
    before: Days
    """(q,) see `ContextQueries.before`. `NEVER` for a context without words, whose list is empty;
    the step `recommend` rejects such a request."""

    @classmethod
    def encode(
        cls,
        contexts: Contexts,
        library: Library,
        base: Vectors,
        *,
        dated: bool,
        encoder: ResolvedEncoder,
        runs: Path,
        progress: Progress = silent,
    ) -> EncodedQueries:
        """Encodes contexts of papers of a library.

        Args:
            contexts: contexts of the queries.
            library: papers.
            base: (papers, d) vectors of the papers.
            dated: whether only papers older than the citing paper are candidates.
            encoder: encoder and its settings.
            runs: folder of run directories.
            progress: called with the number of encoded texts.
        """
        ids, (named, worded) = contexts.ids, read_texts(contexts)
        text_of = dict(zip(named.to_pylist(), worded, strict=True))
        texts = [text_of.get(id_, "") for id_ in ids.to_pylist()]
        texts = [text if any(map(str.isalnum, text)) else "" for text in texts]
        vectors = encode_documents(
            [Document("", text) for text in texts], encoder, runs=runs, progress=progress
        )

        first = find_rows(ids, contexts.pairs["context"].combine_chunks())
        papers = contexts.pairs["citing"].take(pa.array(first)).combine_chunks()
        citing, documents = find_rows(papers, library.ids), library.documents
        known = np.where((citing != NONE)[:, None], base[citing], np.float32(0))
        own = [documents[row] if row != NONE else Document("") for row in citing.tolist()]

        days = library.dates.span(papers)[0] if dated else np.full(len(ids), EVER, np.int32)
        days = np.where([*map(bool, texts)], days, np.int32(NEVER))
        return cls(ids, texts, own, vectors, known, citing, days)

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def wordless(self) -> int:
        """Number of contexts that consist of citations only."""
        return sum(not text for text in self.texts)

    def select_rows(self, rows: Rows) -> EncodedQueries:
        """The queries in some rows, ascending."""
        chosen = rows.tolist()
        return EncodedQueries(
            self.ids.take(pa.array(rows)),
            [self.texts[row] for row in chosen],
            [self.documents[row] for row in chosen],
            self.contexts[rows],
            self.papers[rows],
            self.citing[rows],
            self.before[rows],
        )

    def compose(self, lexicon: Lexicon, weights: QueryWeights | None = None) -> ContextQueries:
        """Combines contexts and citing papers into queries (Profiler, Eq. 4)."""
        weights = weights or QueryWeights()
        vectors = compose_queries(self.contexts, self.papers, weights.weights)
        words = lexicon.weigh_queries(self.texts, self.documents, weights.words)
        return ContextQueries(self.ids, vectors, words, self.citing, self.before)
