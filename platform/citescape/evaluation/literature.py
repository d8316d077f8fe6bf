"""Papers with citations, years and fields, as the input of benchmarks."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.core import csr
from citescape.core.config import quote_command
from citescape.core.draws import hash_ids
from citescape.core.errors import StoreError
from citescape.core.pairs import find_rows
from citescape.core.types import Document
from citescape.mapping.communities.fields import Fields, read_fields
from citescape.networks.citations import read_citations
from citescape.papers.documents import DocumentCorpus, make_corpus
from citescape.search.listed import Bools, Codes, Rows
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

NO_YEAR = 0


@dataclass(frozen=True)
class Adjacency:
    """Citing or cited papers of each paper, in CSR order."""

    indptr: Rows
    ends: Codes
    """Ascending for each paper."""

    def __getitem__(self, paper: int) -> Codes:
        """Citing or cited papers of one paper, ascending."""
        return self.ends[self.indptr[paper] : self.indptr[paper + 1]]

    @property
    def counts(self) -> Rows:
        """(papers,) number of citations per paper."""
        return np.diff(self.indptr)


@dataclass(frozen=True)
class Literature:
    """Papers with a text in ascending order of ids, and the citations between them."""

    corpus: DocumentCorpus
    years: Codes
    """(papers,) years of publication; 0 if unknown."""
    types: pa.StringArray
    """(papers,) types; empty if unknown."""
    cites: Adjacency
    fields: Fields
    left_out: dict[str, int] = field(default_factory=dict)
    """Reason -> number of skipped citations."""

    @property
    def ids(self) -> pa.StringArray:
        """(papers,) ascending."""
        ids: pa.StringArray = self.corpus.papers["id"].combine_chunks()
        return ids

    def __len__(self) -> int:
        return len(self.years)

    @cached_property
    def keys(self) -> npt.NDArray[np.uint64]:
        """(papers,) hashes of ids for random draws, see `core.draws.hash_ids`."""
        keys: npt.NDArray[np.uint64] = hash_ids(self.ids)
        return keys

    @cached_property
    def cited_by(self) -> Adjacency:
        """Citing papers of each paper."""
        citing = np.repeat(np.arange(len(self), dtype=np.int32), self.cites.counts)
        return Adjacency(*csr.group(self.cites.ends, citing, len(self)))

    def in_field(self, code: int) -> Bools:
        """(papers,) true for papers of one field."""
        members = np.zeros(len(self), np.bool_)
        members[self.fields.shares[:, [code]].tocoo().row] = True
        return members

    def fingerprint(self) -> str:
        """SHA-256 of texts, years, types, citations and fields."""
        digest = hashlib.sha256(self.corpus.hash().encode() + self.fields.fingerprint().encode())
        for part in (self.years, self.cites.indptr, self.cites.ends):
            digest.update(np.ascontiguousarray(part).tobytes())
        digest.update("\n".join(self.types.to_pylist()).encode())
        return digest.hexdigest()


def read_literature(
    store: GraphStore, *, fields: str = "venue", labels: Sequence[tuple[str, str]] = ()
) -> Literature:
    """All papers with a title or an abstract, and their citations.

    Args:
        store: the graph.
        fields: kind of fields, see `communities.fields.FIELDS`.
        labels: identifier and field of papers, for fields `labels`.

    Raises:
        StoreError: no such papers, or no citations between them.
        ConfigError: no such kind of fields.
    """
    rows = store.read(query("evaluation/papers")).sort_by("id").combine_chunks()
    texts = [
        Document(*(" ".join((text or "").split()) for text in pair))
        for pair in zip(*(rows[name].to_pylist() for name in ("title", "abstract")), strict=True)
    ]
    kept = np.array([bool(text.title or text.abstract) for text in texts], np.bool_)
    works = rows.filter(pa.array(kept))
    ids = works["id"].cast(pa.string()).combine_chunks()
    documents = [text for text, keep in zip(texts, kept, strict=True) if keep]
    corpus = make_corpus(ids, documents, left_out=int((~kept).sum()))
    citations = read_citations(store, weight="none")
    places = find_rows(citations.ids, ids)
    citing, cited = places[citations.citing], places[citations.cited]
    both = (citing >= 0) & (cited >= 0)
    ends = (citing[both].astype(np.int32), cited[both].astype(np.int32))
    cites, lost = Adjacency(*csr.group(*ends, len(ids))), int((~both).sum())
    if not len(cites.ends):
        raise StoreError(
            f"{store.location} has no citations between papers with a title or an abstract; load "
            f"papers that cite each other with {quote_command('ingest PATH', store.location)}"
        )
    years = works["year"].fill_null(NO_YEAR).to_numpy().astype(np.int32)
    types = works["type"].cast(pa.string()).fill_null("")
    venues = works.select(["id", "venue"])
    known = read_fields(store, fields, venues, ids=ids, labels=labels)
    return Literature(corpus, years, types, cites, known, {"citations_without_text": lost})
