"""Reasons for a recommendation: citing sentences, number and intents of citations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.types import FACETS, SECTION_TYPES
from citescape.papers.notices import name_notice
from citescape.recommend.masking.mask import strip_placeholders
from citescape.recommend.profiler import Vectors
from citescape.recommend.searchable import Searchable
from citescape.search.listed import Rows
from citescape.search.ranker import NONE
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

_MEMBER = "member"


@dataclass(frozen=True)
class WorkDescription:
    """Identity of a work."""

    id: str
    title: str = ""
    year: int | None = None
    authors: str = ""
    """`Smith`, `Smith & Xu`, `Smith et al.`; empty if unknown."""
    notice: str | None = None
    """A notice about the work, such as `retracted`; None without one."""
    notice_year: int | None = None

    @property
    def named_notice(self) -> str | None:
        """The notice with its year, such as `retracted 2017`; None without one."""
        return name_notice(self.notice, self.notice_year)


@dataclass(frozen=True)
class CitingSentence:
    """A sentence that cites a paper."""

    text: str
    """The sentence as printed."""
    similarity: float
    """Cosine of its vector and that of the context; of their word counts without vectors."""
    citing: WorkDescription
    section: str
    """Title of the section; empty without one."""


@dataclass(frozen=True)
class ReceivedCitations:
    """The citations of a paper in the graph."""

    citing: int = 0
    """Number of papers whose reference lists contain it."""
    importance: float | None = None
    """Mean importance of these citations; None before they are scored."""
    intents: Mapping[str, int] | None = None
    """In-text citations for each of `FACETS`; None before they are labelled."""
    sections: Mapping[str, int] | None = None
    """In-text citations in sections of each of `SECTION_TYPES`; None before they are counted."""


@dataclass(frozen=True)
class CitingContext:
    """A context that cites a paper."""

    context: str
    """Id of the context."""
    citing: str
    """Id of the citing paper."""
    text: str
    """The sentence, with masked citations."""
    similarity: float


def find_citing_contexts(
    library: Searchable, papers: Rows, vector: Vectors, *, most: int, own: str = ""
) -> dict[str, list[CitingContext]]:
    """The contexts that cite papers and are nearest to the context of a query, the nearest first.

    At most one for each citing paper; ties: the lower id.

    Args:
        library: papers and contexts.
        papers: rows of papers.
        vector: context of the query, as `library.compare` expects it.
        most: maximum number of contexts per paper.
        own: the citing paper of the query, whose contexts are not shown.

    Returns:
        Id of each paper -> its contexts.
    """
    pairs = library.contexts.pairs.take(pa.array(library.find_citing(papers)))
    worded, others = pc.not_equal(pairs["row"], NONE), pc.not_equal(pairs["citing"], own)
    pairs = pairs.filter(pc.and_(worded, others))
    cosines = library.compare(pairs["row"].to_numpy(), vector)
    columns = (pairs[name].to_pylist() for name in ("cited", "context", "citing", "text"))
    rows = sorted(zip(cosines.tolist(), *columns, strict=True), key=lambda row: (-row[0], *row[1:]))
    contexts: dict[str, list[CitingContext]] = {
        id_: [] for id_ in library.ids.take(papers).to_pylist()
    }
    for similarity, cited, context, citing, text in rows:
        kept = contexts[cited]
        if len(kept) < most and all(other.citing != citing for other in kept):
            kept.append(CitingContext(context, citing, text, similarity))
    return contexts


def read_sentences(
    store: GraphStore, contexts: Sequence[CitingContext]
) -> dict[str, CitingSentence]:
    """Contexts by id, as they are printed.

    A context that is no longer in the graph is shown without its citations.
    """
    occurrences = {}  # id of a context -> id of its first in-text citation
    for context in contexts:
        paper, _, ordinal = context.context.rpartition("#")
        occurrences[context.context] = f"{paper}#o{ordinal}"
    rows = _read_by_id(store, "sentences", occurrences=occurrences.values())
    works = read_works(store, [context.citing for context in contexts])
    sentences = {}
    for context in contexts:
        row = rows.get(occurrences[context.context])
        if row is None:
            text, section = strip_placeholders(pa.array([context.text]))[0].as_py(), ""
        else:
            text, section = row["text"], row["section"] or ""
        citing = works.get(context.citing, WorkDescription(context.citing))
        sentences[context.context] = CitingSentence(text, context.similarity, citing, section)
    return sentences


def read_works(store: GraphStore, papers: Iterable[str]) -> dict[str, WorkDescription]:
    """Papers by id; those that are not in the graph are left out."""
    works = {}
    for id_, row in _read_by_id(store, "works", papers=papers).items():
        surnames = row["surnames"] or []
        roles = row["roles"] or [""] * len(surnames)
        authors = zip(surnames, roles, strict=False)
        names = [name for name, role in authors if name and role != _MEMBER]
        shown = " & ".join(names) if len(names) <= 2 else f"{names[0]} et al."
        noted = row["notice"], row["notice_year"]
        works[id_] = WorkDescription(id_, row["title"] or "", row["year"], shown, *noted)
    return works


def read_received(store: GraphStore, papers: Iterable[str]) -> dict[str, ReceivedCitations]:
    """The citations of papers by id; those that are not in the graph are left out."""
    return {
        id_: ReceivedCitations(
            row["citing"],
            row["importance"],
            {name: row[name] for name in FACETS} if row["labelled"] else None,
            {name: row[name] for name in SECTION_TYPES} if row["counted"] else None,
        )
        for id_, row in _read_by_id(store, "received", papers=papers).items()
    }


def _read_by_id(store: GraphStore, name: str, **ids: Iterable[str]) -> dict[str, Any]:
    """Rows of a query by id; the query has one parameter, a list of ids."""
    params = {param: sorted(set(values)) for param, values in ids.items()}
    rows = store.read(query(f"recommend/{name}"), **params).to_pylist()
    return {row["id"]: row for row in rows}
