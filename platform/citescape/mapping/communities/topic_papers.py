"""What topics are described by: the papers of a clustering, their texts, years and weight."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.pairs import find_rows
from citescape.core.types import Document
from citescape.importance.score import current_run
from citescape.networks.citations import Citations, build_citations, read_citations
from citescape.networks.network import Floats
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

IMPORTANCE, CITATIONS, NOTHING = "importance", "citations", "none"
"""What a paper weighs: importance received, or, as long as there is none, citations received."""


@dataclass(frozen=True)
class TopicPapers:
    """Papers in communities, in ascending order of ids, and what is known of them."""

    ids: pa.StringArray
    works: pa.Table
    """`id`, `venue` and `row` of every paper of the store; `row` in `ids`, else -1."""
    documents: list[Document]
    """(papers,) titles and abstracts; both empty where there are none."""
    years: Floats
    """(papers,) NaN where unknown."""
    citations: Citations
    """All of the store."""
    received: Floats
    """(papers,) sum of the importance of all citations a paper gets, or their number."""
    weight: str
    """`IMPORTANCE`, `CITATIONS`, or `NOTHING`: the store has no citations."""

    def fingerprint(self) -> str:
        """SHA-256 of ids, texts and years, and of the journals of all papers."""
        digest = hashlib.sha256(self.years.tobytes())
        digest.update(repr(self.works["venue"].to_pylist()).encode())
        for id_, document in zip(self.ids.to_pylist(), self.documents, strict=True):
            digest.update(repr((id_, document.title, document.abstract)).encode())
        return digest.hexdigest()


def read_topic_papers(store: GraphStore, ids: pa.StringArray) -> TopicPapers:
    """Reads what is known of some papers, and all citations.

    Args:
        store: the graph.
        ids: ascending; of papers that the store does not have any more nothing is known.
    """
    read = store.read(query("communities/papers")).sort_by("id").combine_chunks()
    known = read["id"].combine_chunks().cast(pa.string())
    rows = pa.array(find_rows(known, ids), pa.int64())
    works = pa.table({"id": known, "venue": read["venue"].cast(pa.string()), "row": rows})
    places = pc.index_in(ids, value_set=known)
    own = read.select(["title", "abstract", "year"]).take(places)
    citations, weight = read_weights(store)
    return TopicPapers(
        ids,
        works,
        _documents(own["title"].to_pylist(), own["abstract"].to_pylist()),
        own["year"].cast(pa.float64()).fill_null(np.nan).to_numpy(),
        citations,
        _sum_received(citations, ids),
        weight,
    )


def _documents(titles: Sequence[str | None], abstracts: Sequence[str | None]) -> list[Document]:
    return [
        Document(_plain(title), _plain(abstract))
        for title, abstract in zip(titles, abstracts, strict=True)
    ]


def _plain(text: str | None) -> str:
    return " ".join((text or "").split())


def read_weights(store: GraphStore) -> tuple[Citations, str]:
    """All citations, by importance where all of them have it; else each counts one.

    Returns:
        Citations, none where there are none; and what weighs them: `IMPORTANCE`, `CITATIONS` or
        `NOTHING`.
    """
    counts = store.read(query("communities/weighed")).to_pylist()[0]
    if not counts["citations"]:
        none = pa.array([], pa.string())
        empty = pa.table([none, none, none], names=["citing", "cited", "weight"])
        return build_citations(empty), NOTHING
    scored = current_run(store) is not None and counts["scored"] == counts["citations"]
    weight, name = ("importance", IMPORTANCE) if scored else ("none", CITATIONS)
    return read_citations(store, weight=weight), name


def _sum_received(citations: Citations, ids: pa.StringArray) -> Floats:
    sums = np.bincount(citations.cited, citations.weights, minlength=len(citations.ids))
    return np.append(sums, 0.0)[find_rows(ids, citations.ids)]
