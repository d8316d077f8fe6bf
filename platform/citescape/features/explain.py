"""Why a citation has the importance it has: the summands of Eq. 1 (CIA) and what they count."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

from citescape.errors import ConfigError
from citescape.features.components import TABLE
from citescape.features.identify import PaperName, find_cited, find_paper
from citescape.graph.queries import query
from citescape.graph.store import GraphStore

Row = dict[str, Any]
_NOT_MENTIONED = "the text never mentions this reference: all section counts are 0"
_NOT_SCORED = "not scored yet: run `platform score`"
_INTERRUPTED = "run {run} was interrupted before it was complete: run `platform score` again"
_CHANGED = (
    "the graph changed after run {run}: the terms below no longer add up; run `platform score`"
)


@dataclass(frozen=True)
class Term:
    """One summand of the score: product = weight x value."""

    component: str
    doc: str
    value: float
    weight: float
    product: float


@dataclass(frozen=True)
class Mention:
    """One in-text citation."""

    section: str
    type: str
    """I, M, R, D or other."""
    combined: bool
    """The section joins results with discussion."""
    context: str
    position: float | None
    """Share of the body's characters before it, 0..1; None outside the body."""


@dataclass(frozen=True)
class Explanation:
    """Everything behind one score.

    Invariant: unless a note says otherwise, the exactly rounded sum of the products is the score:
    ``math.fsum(term.product for term in terms) == score``, bit for bit.
    """

    citing: PaperName
    cited: PaperName
    score: float | None
    """None if the pair was never scored."""
    terms: tuple[Term, ...]
    occurrences: tuple[Mention, ...]
    """In reading order."""
    shared_authors: tuple[str, ...]
    run: str | None
    notes: tuple[str, ...]


def explain(store: GraphStore, citing: str, cited: str) -> Explanation:
    """Takes one score apart into its terms, in-text citations and shared authors.

    Args:
        store: the graph; it is only read.
        citing: the citing paper, by any of its identifiers.
        cited: the cited paper, likewise.

    Raises:
        ConfigError: an unknown paper, or a pair that does not exist; says what does.
    """
    one, other = find_paper(store, citing), find_paper(store, cited)
    ends = {"citing": one.id, "cited": other.id}
    rows = store.read(query("features/explain_pair"), **ends).to_pylist()
    if not rows:
        raise ConfigError(_no_pair(store, one, other))
    pair = rows[0]
    found = store.read(query("features/explain_occurrences"), **ends).to_pylist()
    mentions = tuple(_mention(row) for row in found)
    authors = store.read(query("features/explain_authors"), **ends).to_pylist()
    terms, notes = _account(store, pair, mentions)
    return Explanation(
        citing=one,
        cited=other,
        score=pair["importance"],
        terms=terms,
        occurrences=mentions,
        shared_authors=tuple(row["name"] or row["id"] for row in authors),
        run=pair["run"],
        notes=notes if mentions else (*notes, _NOT_MENTIONED),
    )


def _account(
    store: GraphStore, pair: Row, mentions: tuple[Mention, ...]
) -> tuple[tuple[Term, ...], tuple[str, ...]]:
    """The terms of a scored pair, and notes on what keeps them from adding up."""
    if pair["importance"] is None:
        return (), (_NOT_SCORED,)
    runs = store.read(query("features/explain_run"), run=pair["run"]).to_pylist()
    if not runs:
        return (), (_INTERRUPTED.format(run=pair["run"]),)
    config, counts = json.loads(runs[0]["config"]), json.loads(runs[0]["counts"])
    weights = {row["component"]: row["weight"] for row in counts["components"]}
    joined = sum(m.type == "R" and m.combined for m in mentions)
    halves = joined / 2 if config["combined"] == "both" else 0.0
    terms = tuple(_term(name, weights[name], pair, halves=halves) for name in config["components"])
    whole = math.fsum(term.product for term in terms) == pair["importance"]
    fresh = whole and pair["mentions"] == len(mentions)
    return terms, () if fresh else (_CHANGED.format(run=pair["run"]),)


def _term(name: str, weight: float, pair: Row, *, halves: float) -> Term:
    """`halves`: what moves from f_R to f_D, half of the mentions in combined sections."""
    moved = {"R": -halves, "D": halves}.get(name, 0.0)
    value = float(pair[TABLE[name].column] or 0) + moved
    return Term(name, TABLE[name].doc, value, weight, weight * value)


def _mention(row: Row) -> Mention:
    type_ = row["type"] if row["type"] in ("I", "M", "R", "D") else "other"
    return Mention(
        section=row["heading"] or "",
        type=type_,
        combined=bool(row["combined"]),
        context=row["context"] or "",
        position=row["position"],
    )


def _no_pair(store: GraphStore, citing: PaperName, cited: PaperName) -> str:
    works = find_cited(store, citing)
    if citing in find_cited(store, cited):
        return f"{citing} does not cite {cited}, but is cited by it: swap the two"
    if not works:
        return f"{citing} cites nothing in {store.location}: was its full text loaded?"
    some = ", ".join(str(work) for work in works[:3])
    return f"{citing} does not cite {cited}; it cites {len(works)} works, first of all: {some}"
