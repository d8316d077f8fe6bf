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
    corpus = corpus_of(store.read(query("embeddings/papers"), which=papers))
    if not corpus.documents:
        raise StoreError(
            f"{store.location} holds {corpus.left_out} papers to encode, none with a title or an "
            f"abstract; load some with {quote_command('ingest PATH', store.location)}"
        )
    return corpus


def corpus_of(papers: pa.Table) -> DocumentCorpus:
    """The papers among rows (`id`, `title`, `abstract`) that have a title or an abstract."""
    columns = (papers.sort_by("id")[name].to_pylist() for name in _READ)
    kept = []
    for id_, title, abstract in zip(*columns, strict=True):
        document = Document(_normalise_spaces(title), _normalise_spaces(abstract))
        if document.title or document.abstract:
            kept.append((id_, document))
    ids = pa.array([id_ for id_, _ in kept], pa.string())
    documents = [document for _, document in kept]
    return make_corpus(ids, documents, left_out=papers.num_rows - len(kept))


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
