"""Reads papers of a clustering with texts, years and weights, for the description of topics."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.pairs import find_rows
from citescape.core.types import Document
from citescape.networks.citations import Citations, build_citations, read_citations
from citescape.networks.network import Floats
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query
from citescape.store.state import read_importance_run

IMPORTANCE, CITATIONS, NOTHING = "importance", "citations", "none"
"""Weight of a paper: importance received; citations received if not all are scored; or none."""


@dataclass(frozen=True)
class TopicPapers:
    """Papers of a clustering, in ascending order of ids."""

    ids: pa.StringArray
    works: pa.Table
    """`id`, `venue` and `row` of every paper of the store; `row` in `ids`, else -1."""
    documents: list[Document]
    """(papers,) titles and abstracts; empty if missing."""
    years: Floats
    """(papers,) NaN if unknown."""
    citations: Citations
    """All citations of the store."""
    received: Floats
    """(papers,) sum of the importance of all citations a paper receives, or their number."""
    weight: str
    """`IMPORTANCE`, `CITATIONS`, or `NOTHING` if the store has no citations."""

    def fingerprint(self) -> str:
        """SHA-256 of ids, texts and years, and of the journals of all papers."""
        digest = hashlib.sha256(self.years.tobytes())
        digest.update(repr(self.works["venue"].to_pylist()).encode())
        for id_, document in zip(self.ids.to_pylist(), self.documents, strict=True):
            digest.update(repr((id_, document.title, document.abstract)).encode())
        return digest.hexdigest()


def read_topic_papers(store: GraphStore, ids: pa.StringArray) -> TopicPapers:
    """Reads the attributes of some papers, and all citations.

    `ids` ascend; papers that are no longer in the store have empty values.
    """
    table = store.read(query("communities/papers")).sort_by("id").combine_chunks()
    known = table["id"].combine_chunks().cast(pa.string())
    rows = pa.array(find_rows(known, ids), pa.int64())
    works = pa.table({"id": known, "venue": table["venue"].cast(pa.string()), "row": rows})
    own = table.select(["title", "abstract", "year"]).take(pc.index_in(ids, value_set=known))
    texts = (
        [" ".join((text or "").split()) for text in own[name].to_pylist()]
        for name in ("title", "abstract")
    )
    citations, weight = read_weights(store)
    sums = np.bincount(citations.cited, citations.weights, minlength=len(citations.ids))
    return TopicPapers(
        ids,
        works,
        [Document(title, abstract) for title, abstract in zip(*texts, strict=True)],
        own["year"].cast(pa.float64()).fill_null(np.nan).to_numpy(),
        citations,
        np.append(sums, 0.0)[find_rows(ids, citations.ids)],
        weight,
    )


def read_weights(store: GraphStore) -> tuple[Citations, str]:
    """Reads all citations, weighted by importance if all are scored, else by 1.

    Returns:
        Citations, possibly empty; and their weight: `IMPORTANCE`, `CITATIONS` or `NOTHING`.
    """
    counts = store.read(query("communities/weighed")).to_pylist()[0]
    if not counts["citations"]:
        column = pa.array([], pa.string())
        empty = pa.table([column] * 3, names=["citing", "cited", "weight"])
        return build_citations(empty), NOTHING
    scored = read_importance_run(store) is not None and counts["scored"] == counts["citations"]
    weight, name = ("importance", IMPORTANCE) if scored else ("none", CITATIONS)
    return read_citations(store, weight=weight), name
