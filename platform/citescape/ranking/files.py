"""Rankers from files of other tools: embeddings, word vectors, rankings."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from citescape.core.errors import SourceError
from citescape.core.pairs import find_rows
from citescape.embeddings.paper_embeddings import read_paper_embeddings
from citescape.papers.documents import DocumentCorpus
from citescape.ranking.published import UNKNOWN
from citescape.ranking.run_file import RunFile, read_rankings
from citescape.search.dense import Dense
from citescape.search.ranker import Ranker
from citescape.search.traits import Traits
from citescape.search.vectors import slices
from citescape.search.word_vectors import average_words


@dataclass(frozen=True)
class RankerFormat:
    """A file format that a ranker is made from."""

    meaning: str
    open: Callable[..., Ranker]
    """Makes a ranker for the papers of a corpus from (path, corpus, *, name, metric). Raises
    SourceError if the file is missing, has another format, or has no paper of the corpus."""


def open_embeddings(path: Path, corpus: DocumentCorpus, *, name: str, metric: str) -> Dense:
    """Opens vectors of papers; papers outside the corpus are skipped and counted.

    Args:
        path: file or folder, see `paper_embeddings.read_paper_embeddings`.
        corpus: papers to rank.
        name: name of the ranker.
        metric: similarity, one of `search.exact.METRICS`.

    Raises:
        SourceError: the file is damaged, or none of its papers is in the corpus.
    """
    embeddings = read_paper_embeddings(path)
    ids = corpus.papers["id"].combine_chunks()
    rows = find_rows(embeddings.vectors.ids, ids)
    kept = np.flatnonzero(rows >= 0)
    if not len(kept):
        raise SourceError(
            str(path),
            "other-papers",
            f"none of its {len(rows):,} papers, such as {embeddings.vectors.ids[0]}, is in the "
            f"corpus, with papers such as {ids[0]}; expected some: check that the ids are the same",
        )
    vectors = embeddings.vectors.select_rows(kept)
    unknown = {
        "papers of the file that this evaluation does not use": len(rows) - len(kept),
        "papers of the corpus without a vector": len(ids) - len(kept),
    }
    known = Traits(0, UNKNOWN.citations, UNKNOWN.contrast, UNKNOWN.importance, unknown=unknown)
    digest = hashlib.sha256("\n".join(vectors.ids.to_pylist()).encode())
    for part in slices(len(vectors)):
        digest.update(np.ascontiguousarray(vectors.values[part]).tobytes())
    source = f"embeddings {digest.hexdigest()[:16]}"
    return Dense(name, ids, vectors, metric, source, known=known)


def _open_words(path: Path, corpus: DocumentCorpus, *, name: str, metric: str) -> Ranker:
    ids = corpus.papers["id"].combine_chunks()
    return average_words(ids, corpus.documents, path, name=name, metric=metric)


def _open_rankings(path: Path, corpus: DocumentCorpus, *, name: str, metric: str) -> Ranker:
    if path.suffix == ".parquet":
        try:
            columns = set(pq.read_schema(path).names)
        except (OSError, pa.ArrowException):  # read_rankings reports the error
            columns = set()
        if {"id", "vector"} <= columns:
            return open_embeddings(path, corpus, name=name, metric=metric)
    return RunFile.from_rankings(name, read_rankings(path), corpus.papers["id"].combine_chunks())


_WORDS = RankerFormat("means of word vectors: text format of word2vec", _open_words)
_RANKINGS = "rankings of an external system"
FORMATS: Mapping[str, RankerFormat] = {
    ".jsonl": RankerFormat("embeddings: lines with `paper_id` and `embedding`", open_embeddings),
    ".vec": _WORDS,
    ".bin": _WORDS,  # fails with an error that names the text format
    ".run": RankerFormat(f"{_RANKINGS}: `query Q0 document rank score tag`", _open_rankings),
    ".npy": RankerFormat(
        "embeddings: an array beside a .txt file with an id per line", open_embeddings
    ),
    ".parquet": RankerFormat(
        f"embeddings: id, vector; or {_RANKINGS}: query, document, score", _open_rankings
    ),
}
"""Ending, without `.gz` -> format."""
