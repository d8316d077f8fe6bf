"""Contexts as queries: what encoders and BM25 make of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.core.pairs import find_rows
from citescape.core.progress import Progress, silent
from citescape.core.types import Document
from citescape.recommend.contexts import Contexts
from citescape.recommend.dates import EVER, NEVER, Days
from citescape.recommend.encoding import Reading, encode_documents
from citescape.recommend.lexicon import Lexicon, WordWeights
from citescape.recommend.library import Library
from citescape.recommend.profiler import ProfileWeights, Vectors, compose_queries
from citescape.recommend.questions import Questions
from citescape.recommend.texts import read_texts
from citescape.search.ranker import NONE


@dataclass(frozen=True)
class AskConfig:
    """What of a query counts how much."""

    weights: ProfileWeights = field(default_factory=ProfileWeights)
    """Gamma and delta, of vectors."""
    words: WordWeights = field(default_factory=WordWeights)


@dataclass(frozen=True, eq=False)
class EncodedQueries:
    """Contexts and the papers that they stand in, with their vectors, not mixed yet."""

    ids: pa.StringArray
    """(q,) of contexts, ascending."""
    texts: list[str]
    """(q,) of the contexts."""
    documents: list[Document]
    """(q,) of the papers."""
    contexts: Vectors
    """(q, d)"""
    papers: Vectors
    """(q, d)"""
    citing: npt.NDArray[np.int64]
    """(q,) row of the paper among those of the library."""
    before: Days
    """(q,) what is found has appeared before this day; before `NEVER` for a context without words,
    so that nothing is found for it: who recommends refuses such a question."""

    @classmethod
    def of(
        cls,
        contexts: Contexts,
        library: Library,
        base: Vectors,
        *,
        dated: bool,
        reading: Reading,
        runs: Path,
        progress: Progress = silent,
    ) -> EncodedQueries:
        """Reads contexts of papers of a library.

        Args:
            contexts: with texts.
            library: with the papers that they stand in.
            base: (papers, d) vectors of these.
            dated: only what is older than a context's paper is to be found.
            reading: by what they are encoded.
            runs: folder of run directories.
            progress: told how many are encoded.
        """
        ids, texts = _read(contexts)
        first = find_rows(ids, contexts.pairs["context"].combine_chunks())
        papers = contexts.pairs["citing"].take(pa.array(first)).combine_chunks()
        citing, documents = find_rows(papers, library.ids), library.documents
        vectors = encode_documents(
            [Document("", text) for text in texts], reading, runs=runs, progress=progress
        )
        known = np.where((citing != NONE)[:, None], base[citing], np.float32(0))
        days = library.dates.span(papers)[0] if dated else np.full(len(ids), EVER, np.int32)
        days = np.where([*map(bool, texts)], days, np.int32(NEVER))
        own = [documents[row] if row != NONE else Document("") for row in citing.tolist()]
        return cls(ids, texts, own, vectors, known, citing, days)

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def wordless(self) -> int:
        """Contexts that hold nothing but citations."""
        return sum(not text for text in self.texts)

    def take(self, rows: npt.NDArray[np.int64]) -> EncodedQueries:
        """Some of them, ascending."""
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

    def ask(self, lexicon: Lexicon, config: AskConfig | None = None) -> Questions:
        """Ready to be held against papers (Profiler, Eq. 4)."""
        config = config or AskConfig()
        vectors = compose_queries(self.contexts, self.papers, config.weights)
        words = lexicon.ask(self.texts, self.documents, config.words)
        return Questions(self.ids, vectors, words, self.citing, self.before)


def _read(contexts: Contexts) -> tuple[pa.StringArray, list[str]]:
    """All ids, ascending, and texts; empty where there is neither a letter nor a digit."""
    named, said = read_texts(contexts)
    told = dict(zip(named.to_pylist(), said, strict=True))
    texts = (told.get(id_, "") for id_ in contexts.ids.to_pylist())
    return contexts.ids, [text if any(map(str.isalnum, text)) else "" for text in texts]
