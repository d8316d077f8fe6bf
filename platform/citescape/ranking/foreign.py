"""Rankers from files that other tools wrote: embeddings, word vectors, rankings."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from citescape.core.errors import SourceError
from citescape.core.pairs import find_rows
from citescape.embeddings.encoded import read_encoded
from citescape.papers.documents import Corpus
from citescape.ranking.published import UNKNOWN
from citescape.ranking.run_file import RunFile, read_rankings
from citescape.search.dense import Dense
from citescape.search.ranker import Ranker
from citescape.search.traits import Traits
from citescape.search.vectors import Vectors, slices
from citescape.search.word_vectors import average_words


class Opener(Protocol):
    """Makes a ranker of a file."""

    def __call__(self, path: Path, corpus: Corpus, *, name: str, metric: str) -> Ranker:
        """For the papers of a corpus.

        Raises:
            SourceError: there is no such file, it is not what its name says, or says nothing of
                papers of the corpus.
        """
        ...


@dataclass(frozen=True)
class Format:
    """What files with some ending are."""

    meaning: str
    open: Opener


def open_embeddings(path: Path, corpus: Corpus, *, name: str, metric: str) -> Dense:
    """Vectors of papers; those of papers outside the corpus are left out, and counted.

    Args:
        path: see `embeddings.encoded.read_encoded`.
        corpus: papers.
        name: of the ranker.
        metric: how vectors are compared.

    Raises:
        SourceError: the file is damaged, or none of its papers is in the corpus.
    """
    encoded = read_encoded(path)
    ids = corpus.papers["id"].combine_chunks()
    rows = find_rows(encoded.vectors.ids, ids)
    kept = np.flatnonzero(rows >= 0)
    if not len(kept):
        raise SourceError(
            str(path),
            "other-papers",
            f"none of its {len(rows):,} papers, such as {encoded.vectors.ids[0]}, is among those "
            f"measured, such as {ids[0]}; expected some: are the ids the same?",
        )
    vectors = encoded.vectors.take(kept)
    unknown = {
        "papers that are not among those measured": len(rows) - len(kept),
        "papers measured that have no vector": len(ids) - len(kept),
    }
    known = Traits(0, UNKNOWN.citations, UNKNOWN.contrast, UNKNOWN.importance, unknown=unknown)
    return Dense(name, ids, vectors, metric, f"embeddings {_hash(vectors)}", known=known)


def _hash(vectors: Vectors) -> str:
    """16 digits of ids and numbers."""
    digest = hashlib.sha256("\n".join(vectors.ids.to_pylist()).encode())
    for part in slices(len(vectors)):
        digest.update(np.ascontiguousarray(vectors.values[part]).tobytes())
    return digest.hexdigest()[:16]


def _open_words(path: Path, corpus: Corpus, *, name: str, metric: str) -> Ranker:
    ids = corpus.papers["id"].combine_chunks()
    return average_words(ids, corpus.documents, path, name=name, metric=metric)


def _open_rankings(path: Path, corpus: Corpus, *, name: str, metric: str) -> Ranker:
    if path.suffix == ".parquet" and _has_vectors(path):
        return open_embeddings(path, corpus, name=name, metric=metric)
    return RunFile.of(name, read_rankings(path), corpus.papers["id"].combine_chunks())


def _has_vectors(path: Path) -> bool:
    """Whether a Parquet file has the columns of vectors; what cannot be read has not."""
    try:
        return {"id", "vector"} <= set(pq.read_schema(path).names)
    except (OSError, pa.ArrowException):
        return False


_WORDS = Format("means of word vectors, word2vec's text format", _open_words)
_RANKINGS = "rankings of what ran elsewhere"
FORMATS: Mapping[str, Format] = {
    ".jsonl": Format("embeddings: lines with `paper_id` and `embedding`", open_embeddings),
    ".vec": _WORDS,
    ".bin": _WORDS,  # which says that the text format is expected
    ".run": Format(f"{_RANKINGS}: `query Q0 document rank score tag`", _open_rankings),
    ".npy": Format("embeddings: an array beside a .txt file with an id per line", open_embeddings),
    ".parquet": Format(
        f"embeddings: id, vector; or {_RANKINGS}: query, document, score", _open_rankings
    ),
}
"""Ending, before `.gz` -> what the file is."""
