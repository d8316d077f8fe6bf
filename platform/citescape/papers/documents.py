"""Titles and abstracts of the papers of a store, for encoders."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from citescape.core.config import quote_command
from citescape.core.errors import StoreError, invalid_choice
from citescape.core.types import Document
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

PAPERS = ("all", "fulltext")
"""All papers, also those known from reference lists only; or those whose full text is loaded."""
WHOLE, TITLE, ABSTRACT = "title+abstract", "title", "abstract"


@dataclass(frozen=True)
class DocumentCorpus:
    """Papers with a title or an abstract, in ascending order of ids."""

    papers: pa.Table
    """`id`, and `text`: `title+abstract`, `title` or `abstract`."""
    documents: list[Document]
    left_out: int
    """Number of papers without title and abstract."""

    def count_texts(self, text: str) -> int:
        """Number of papers with this kind of text."""
        return int(self.papers["text"].to_pylist().count(text))

    def hash(self) -> str:
        """16 hex digits of all ids and texts."""
        digest = hashlib.blake2b(digest_size=8)
        for id_, document in zip(self.papers["id"].to_pylist(), self.documents, strict=True):
            digest.update(repr((id_, document.title, document.abstract)).encode())
        return digest.hexdigest()


def read_corpus(store: GraphStore, papers: str = "all") -> DocumentCorpus:
    """Titles and abstracts of the papers of a store.

    Args:
        store: the graph.
        papers: one of `PAPERS`.

    Raises:
        ConfigError: no such choice of papers.
        StoreError: no papers, or none with a title or an abstract.
    """
    if papers not in PAPERS:
        raise invalid_choice("papers", papers, PAPERS)
    rows = store.read(query("embeddings/papers"), which=papers).sort_by("id")
    documents = [
        (id_, Document(_normalise_spaces(title), _normalise_spaces(abstract)))
        for id_, title, abstract in zip(*(rows[name].to_pylist() for name in _READ), strict=True)
    ]
    kept = [(id_, document) for id_, document in documents if document.title or document.abstract]
    if not kept:
        raise StoreError(
            f"{store.location} holds {len(documents)} papers to encode, none with a title or an "
            f"abstract; load some with {quote_command('ingest PATH', store.location)}"
        )
    ids = pa.array([id_ for id_, _ in kept], pa.string())
    return make_corpus(ids, [document for _, document in kept], left_out=len(documents) - len(kept))


def make_corpus(
    ids: pa.StringArray, documents: Sequence[Document], *, left_out: int = 0
) -> DocumentCorpus:
    """A corpus of given documents.

    Args:
        ids: (n,) ascending.
        documents: (n,) titles and abstracts, not both empty.
        left_out: number of papers without either.
    """
    texts = []
    for document in documents:
        both = document.title and document.abstract
        texts.append(WHOLE if both else TITLE if document.title else ABSTRACT)
    papers = pa.table({"id": ids, "text": pa.array(texts, pa.string())})
    return DocumentCorpus(papers, list(documents), left_out)


_READ = ("id", "title", "abstract")


def _normalise_spaces(text: str | None) -> str:
    return " ".join((text or "").split())
