"""Why a paper is recommended: what others say where they cite it, how often, and how."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from citescape.recommend.masking.mask import strip_placeholders
from citescape.recommend.profiler import Vectors
from citescape.recommend.profiles import ProfileRun
from citescape.recommend.tiles import scale
from citescape.search.listed import Rows
from citescape.search.ranker import NONE
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

INTENTS = ("background", "method", "result")
SECTIONS = ("I", "M", "R", "D", "other")
_MEMBER = "member"


@dataclass(frozen=True)
class Work:
    """By what a work is known."""

    id: str
    title: str = ""
    year: int | None = None
    authors: str = ""
    """`Smith`, `Smith & Xu`, `Smith et al.`; empty if unknown."""


@dataclass(frozen=True)
class Sentence:
    """In which a paper is cited."""

    text: str
    """As printed."""
    similarity: float
    """Cosine of its vector and the context's."""
    citing: Work
    section: str
    """Its title; empty where it has none."""

    def near(self, similarity: float) -> Sentence:
        """The same beside another context."""
        return replace(self, similarity=similarity)


@dataclass(frozen=True)
class Received:
    """The citations of a paper in the graph."""

    citing: int = 0
    """Papers whose reference lists have it."""
    importance: float | None = None
    """Mean of these citations; None before they are scored."""
    intents: Mapping[str, int] | None = None
    """In-text citations for each of `INTENTS`; None before they are labelled."""
    sections: Mapping[str, int] | None = None
    """In-text citations in sections of each of `SECTIONS`; None before they are counted."""


@dataclass(frozen=True)
class CitingContext:
    """A context that cites a paper."""

    context: str
    """Its id, as those below."""
    citing: str
    text: str
    """With its citations masked."""
    similarity: float


def find_citing_contexts(
    run: ProfileRun, papers: Rows, asked: Vectors, *, most: int, own: str = ""
) -> dict[str, list[CitingContext]]:
    """The contexts that cite papers and lie nearest to that of a query, the nearest first.

    Of each citing paper one; of equal ones the lower id.

    Args:
        run: profiles.
        papers: rows of profiles.
        asked: (d,) the vector of the query's context.
        most: contexts of each paper.
        own: the paper that asks, whose contexts are not shown.

    Returns:
        Id of each paper -> its contexts.
    """
    pairs = run.contexts.pairs.take(pa.array(run.find_citing(papers)))
    worded, others = pc.not_equal(pairs["row"], NONE), pc.not_equal(pairs["citing"], own)
    pairs = pairs.filter(pc.and_(worded, others))
    near = scale(run.context_vectors[pairs["row"].to_numpy()]) @ scale(asked[None])[0]
    columns = (pairs[name].to_pylist() for name in ("cited", "context", "citing", "text"))
    rows = sorted(zip(near.tolist(), *columns, strict=True), key=lambda row: (-row[0], *row[1:]))
    found: dict[str, list[CitingContext]] = {id_: [] for id_ in run.ids.take(papers).to_pylist()}
    for similarity, cited, context, citing, text in rows:
        kept = found[cited]
        if len(kept) < most and all(said.citing != citing for said in kept):
            kept.append(CitingContext(context, citing, text, similarity))
    return found


def read_sentences(store: GraphStore, said: Sequence[CitingContext]) -> dict[str, Sentence]:
    """Contexts by id, as they are printed.

    One that is not in the graph any more is shown as it was read, without its citations.
    """
    printed = {one.context: _occurrence(one.context) for one in said}
    found = _read(store, "sentences", occurrences=printed.values())
    works = read_works(store, [one.citing for one in said])
    sentences = {}
    for one in said:
        row = found.get(
            printed[one.context],
            {
                "text": strip_placeholders(pa.array([one.text]))[0].as_py(),
                "section": "",
                "type": "",
            },
        )
        citing = works.get(one.citing, Work(one.citing))
        sentences[one.context] = Sentence(row["text"], one.similarity, citing, row["section"] or "")
    return sentences


def read_works(store: GraphStore, papers: Iterable[str]) -> dict[str, Work]:
    """Papers by id; those that are not in the graph are left out."""
    return {
        id_: Work(id_, row["title"] or "", row["year"], _name(row))
        for id_, row in _read(store, "works", papers=papers).items()
    }


def read_received(store: GraphStore, papers: Iterable[str]) -> dict[str, Received]:
    """The citations of papers by id; those that are not in the graph are left out."""
    return {
        id_: Received(
            row["citing"],
            row["importance"],
            {name: row[name] for name in INTENTS} if row["labelled"] else None,
            {name: row[name] for name in SECTIONS} if row["counted"] else None,
        )
        for id_, row in _read(store, "received", papers=papers).items()
    }


def _read(store: GraphStore, name: str, **ids: Iterable[str]) -> dict[str, Any]:
    """Rows of a query by id, which it takes one list of."""
    params = {param: sorted(set(values)) for param, values in ids.items()}
    rows = store.read(query(f"recommend/{name}"), **params).to_pylist()
    return {row["id"]: row for row in rows}


def _occurrence(context: str) -> str:
    """Id of the first citation of a context."""
    citing, _, ordinal = context.rpartition("#")
    return f"{citing}#o{ordinal}"


def _name(row: Mapping[str, Any]) -> str:
    people = row["surnames"] or []
    roles = row["roles"] or [""] * len(people)
    names = [name for name, role in zip(people, roles, strict=False) if name and role != _MEMBER]
    return " & ".join(names) if len(names) <= 2 else f"{names[0]} et al."
