"""Explains the importance of a citation: the terms of Eq. 1 (CIA) and the mentions they count."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.config import quote_command
from citescape.core.errors import ConfigError, list_some
from citescape.core.types import FACETS, SECTION_TYPES
from citescape.importance.components import TABLE, find_question
from citescape.importance.learned.additive import AdditiveModel, logistic, score
from citescape.importance.learned.predictors import TABLE as PREDICTORS
from citescape.importance.learned.predictors import read_pair_predictors
from citescape.papers.identify import PaperName, find_cited, find_paper
from citescape.papers.notices import CitedNotice, describe_use, read_notice
from citescape.runs.result import Part, Result, Summary, Table, Text, plural
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

Row = dict[str, Any]
_NOT_MENTIONED = "the text never mentions this reference: all section counts are 0"
_SELF_ALONE = "the score comes from self-citation alone: no citation in the text counts"
_NOT_SCORED = "not scored yet: run {score}"
_INTERRUPTED = "run {run} was interrupted before it was complete: run {score} again"
_CHANGED = "the graph changed after run {run}, so that the score is out of date: run {score}"
_RELABELLED = (
    "section types changed after run {run}: the citations below are shown as they are now, the "
    "terms are those of the run; run {score}"
)


@dataclass(frozen=True)
class ScoreTerm:
    """One term of the score: product = weight x value."""

    component: str
    doc: str
    value: float | None
    """None for the importance of an average citation, and for missing predictors."""
    weight: float | None
    """None for a learned score, in which `product` is what the predictor adds."""
    product: float


@dataclass(frozen=True)
class Mention:
    """One in-text citation."""

    section: str
    type: str
    """I, M, R, D or other."""
    combined: bool
    """The section combines results and discussion."""
    context: str
    position: float | None
    """Share of the body's characters before it, 0..1; None outside the body."""
    counts_in: tuple[str, ...] = ()
    """Components of the score that count it: R and D, half each, for a combined section if the run
    splits them; empty if the score has no component for the type."""
    type_source: str = "none"
    """Source of the type: `sec-type`, `title`, `parent`, `lead`, `model`; `none` without one."""
    probability: float | None = None
    """Probability of the type, if a model assigned it."""
    intents: tuple[str, ...] | None = None
    """Intents of the citation; None before `platform text intents label`."""


@dataclass(frozen=True)
class Explanation(Result):
    """The terms, mentions and shared authors behind one score.

    Invariant: without a note on changes, the exactly rounded sum of the products is the score:
    ``math.fsum(term.product for term in terms) == score``, bit for bit.
    """

    citing: PaperName
    cited: PaperName
    score: float | None
    """None if the pair was never scored."""
    terms: tuple[ScoreTerm, ...]
    occurrences: tuple[Mention, ...]
    """Mentions in reading order."""
    shared_authors: tuple[str, ...]
    run: str | None
    notes: tuple[str, ...]
    question: str = ""
    """The question that the score answers; empty if its components and weights have no preset."""
    notice: CitedNotice | None = None
    """The retraction or correction of the cited work, and whether this citation is later."""

    @property
    def arrow(self) -> pa.Table:
        """A row per in-text citation: section, type, position, context and more."""
        return pa.Table.from_pylist([asdict(mention) for mention in self.occurrences])

    def summarise(self) -> Summary:
        """Both papers, the terms of the score, shared authors, and every citation in the text."""
        score = "not scored" if self.score is None else f"{self.score:.4f}"
        parts: list[Part] = [
            Text(f"citing      {self.citing.in_full}", rest=" " * 12),
            Text(f"cited       {self.cited.in_full}", rest=" " * 12),
            f"importance  {score}" + (f"  ({self.run})" if self.run else ""),
        ]
        if self.notice:
            doi = self.notice.doi and f"notice {self.notice.doi}"
            texts = filter(None, (self.notice.sentence, doi, self.notice.citation))
            parts.append(Text(f"notice      {'; '.join(texts)}", rest=" " * 12))
        if self.terms:
            terms: list[tuple[object, ...]] = [
                (t.component, _format_value(t.value), t.weight, t.product, t.doc)
                for t in self.terms
            ]
            total = math.fsum(term.product for term in self.terms)
            terms.append(("sum", "", "", total, ""))
            names: tuple[str, ...] = ("term", "value", "weight", "product", "")
            if self.terms[0].weight is None:
                names = ("term", "value", "adds", "")
                terms = [(term, value, added, doc) for term, value, _, added, doc in terms]
            parts += ["", Table(names, terms, optional=1)]
        if self.question:
            parts += ["", Text(f"question: {self.question}", rest="    ")]
        if self.shared_authors:
            authors = list_some(self.shared_authors, 20)
            parts += ["", Text(f"shared authors: {authors}", rest="    ")]
        parts += ["", f"{plural(len(self.occurrences), 'citation')} in the text"]
        for mention in self.occurrences:
            parts += ["", *self._describe(mention)]
        for note in self.notes:
            parts += ["", Text(f"note: {note}", rest="      ")]
        return Summary(parts, asdict(self))

    def _describe(self, mention: Mention) -> list[Part]:
        """Section, position and sentence of one citation."""
        place = "" if mention.position is None else f", at {mention.position:.0%} of the text"
        left_out = ", not counted in this score" if self.terms and not mention.counts_in else ""
        kind = "+".join(mention.counts_in) or mention.type
        typed = (
            "" if mention.probability is None else f", typed by a model ({mention.probability:.0%})"
        )
        intents = f", intent: {', '.join(mention.intents)}" if mention.intents else ""
        section = (
            f"[{kind}] {mention.section or 'untitled section'}{place}{typed}{intents}{left_out}"
        )
        return [Text(section, rest="    "), Text(mention.context, "    ", "    ", quote=True)]


def _format_value(value: float | None) -> float | str:
    """A whole number without decimals."""
    if value is None:
        return ""
    return int(value) if value.is_integer() else value


def explain(store: GraphStore, citing: str, cited: str) -> Explanation:
    """Splits one score into its terms, in-text citations and shared authors.

    Args:
        store: the graph; it is only read.
        citing: the citing paper, by any of its identifiers.
        cited: the cited paper, by any of its identifiers.

    Raises:
        ConfigError: an unknown paper, or a pair that does not exist; the message names pairs that
            do.
    """
    citing_paper = find_paper(store, citing)
    cited_paper = find_paper(store, cited, cited_by=citing_paper)
    ends = {"citing": citing_paper.id, "cited": cited_paper.id}
    pairs = store.read(query("features/explain_pair"), **ends).to_pylist()
    if not pairs:
        raise ConfigError(_no_pair(store, citing_paper, cited_paper))
    pair = pairs[0]
    rows = store.read(query("features/explain_occurrences"), **ends).to_pylist()
    authors = store.read(query("features/explain_authors"), **ends).to_pylist()
    terms, mentions, notes = _explain_terms(store, pair, rows, ends)
    return Explanation(
        citing=citing_paper,
        cited=cited_paper,
        score=pair["importance"],
        terms=tuple(terms),
        occurrences=tuple(mentions),
        shared_authors=tuple(row["name"] or row["id"] for row in authors),
        run=pair["run"],
        notes=tuple(notes if rows else [*notes, _NOT_MENTIONED]),
        question=_find_question(store, pair["run"]) if terms else "",
        notice=_find_notice(pair, mentions),
    )


def _find_question(store: GraphStore, run: str) -> str:
    """The question that the scores of a run answer."""
    (row,) = store.read(query("features/explain_run"), run=run).to_pylist()
    config = json.loads(row["config"])
    return find_question(config["components"], config["weights"])


def _find_notice(pair: Row, mentions: Sequence[Mention]) -> CitedNotice | None:
    """The notice about the cited work, with the use of the work in words."""
    types = Counter(mention.type for mention in mentions)
    sections = {name: types[name] for name in SECTION_TYPES}
    intents = {facet: pair[f"n_{facet}"] or 0 for facet in FACETS}
    date = pair["date"] or (str(pair["year"]) if pair["year"] else None)
    return read_notice(pair, date, describe_use(sections, intents))


def _explain_terms(
    store: GraphStore, pair: Row, rows: list[Row], ends: Mapping[str, str]
) -> tuple[list[ScoreTerm], list[Mention], list[str]]:
    """The terms of a pair, its mentions with the components that count them, and notes."""
    mentions = [
        Mention(
            section=row["heading"] or "",
            type=row["type"] if row["type"] in ("I", "M", "R", "D") else "other",
            combined=bool(row["combined"]),
            type_source=row["type_source"] or "none",
            probability=row["type_probability"],
            context=row["context"] or "",
            position=row["position"],
            intents=None if row["intents"] is None else tuple(row["intents"]),
        )
        for row in rows
    ]
    placeholders = {"run": pair["run"], "score": quote_command("score", store.location)}
    if pair["importance"] is None:
        return [], mentions, [_NOT_SCORED.format(**placeholders)]
    runs = store.read(query("features/explain_run"), run=pair["run"]).to_pylist()
    if not runs:
        return [], mentions, [_INTERRUPTED.format(**placeholders)]
    config, counts = json.loads(runs[0]["config"]), json.loads(runs[0]["counts"])
    if "model" in config:
        learned = _learned_terms(
            read_pair_predictors(store, ends["citing"], ends["cited"]), config["model"]
        )
        now = _count_now(store, ends, rules=False)
        notes = [note.format(**placeholders) for note in _find_changes(pair, learned, now)]
        every = [replace(mention, counts_in=(mention.type,)) for mention in mentions]
        return learned, every, notes
    if config.get("sections") == "rules":  # sections that a model typed count as `other`
        mentions = [
            mention
            if row["type_run"] is None
            else replace(mention, type="other", type_source="none", probability=None)
            for mention, row in zip(mentions, rows, strict=True)
        ]

    # Mentions in combined sections move half a count from f_R to f_D.
    halved = [config["combined"] == "both" and m.type == "R" and m.combined for m in mentions]
    moved = {"R": -sum(halved) / 2, "D": sum(halved) / 2}
    weights = {row["component"]: row["weight"] for row in counts["components"]}
    terms = []
    for name in config["components"]:
        value = float(pair[TABLE[name].column] or 0) + moved.get(name, 0.0)
        terms.append(ScoreTerm(name, TABLE[name].doc, value, weights[name], weights[name] * value))
    now = _count_now(store, ends, rules=config.get("sections") == "rules")
    notes = [note.format(**placeholders) for note in _find_changes(pair, terms, now)]
    if terms and pair["importance"] and not any(t.product for t in terms if t.component != "S"):
        notes.append(_SELF_ALONE)
    counted = []
    for mention, is_halved in zip(mentions, halved, strict=True):
        types = ("R", "D") if is_halved else (mention.type,)
        counts_in = tuple(name for name in types if name in config["components"])
        counted.append(replace(mention, counts_in=counts_in))
    return terms, counted, notes


def _learned_terms(predictors: Mapping[str, float], content: Row) -> list[ScoreTerm]:
    """The importance of an average citation, then what each predictor adds, the largest first."""
    model = AdditiveModel.from_json(content)
    values = np.array([[predictors[name] for name in model.names]])
    average = float(logistic(np.array([model.base]))[0])
    terms = [
        ScoreTerm(name, PREDICTORS[name].doc, None if math.isnan(value) else value, None, added)
        for name, value, added in zip(
            model.names, values[0].tolist(), score(model, values)[1][0].tolist(), strict=True
        )
    ]
    terms.sort(key=lambda term: (-abs(term.product), term.component))
    return [
        ScoreTerm("average", "importance of an average citation", None, None, average),
        *terms,
    ]


def _count_now(store: GraphStore, ends: Mapping[str, str], *, rules: bool) -> Row:
    """The values of a pair by their definitions: mentions, f_I, f_M, f_R, f_D, f_other, self."""
    papers = [ends["citing"]]
    counts = store.read(query("features/location"), papers=papers, rules=rules)
    shared = store.read(query("features/self_citation"), papers=papers)
    now: Row = counts.filter(pc.equal(counts["cited"], ends["cited"])).to_pylist()[0]
    return now | {"self": int(ends["cited"] in shared["cited"].to_pylist())}


def _find_changes(pair: Row, terms: Sequence[ScoreTerm], now: Row) -> list[str]:
    """The note on changes of the graph since the run, if any."""
    adds_up = math.fsum(term.product for term in terms) == pair["importance"]
    if not adds_up or any(pair[name] != now[name] for name in ("mentions", "self")):
        return [_CHANGED]
    same = all(now[f"f_{name}"] == (pair[f"f_{name}"] or 0) for name in SECTION_TYPES)
    return [] if same else [_RELABELLED]


def _no_pair(store: GraphStore, citing: PaperName, cited: PaperName) -> str:
    works = find_cited(store, citing)
    if citing in find_cited(store, cited):
        return f"{citing} does not cite {cited}, but is cited by it: swap the two papers"
    if not works:
        return f"{citing} cites nothing in {store.location}: check that its full text is loaded"
    some = ", ".join(str(work) for work in works[:3])
    count = "1 work" if len(works) == 1 else f"{len(works):,} works"
    return f"{citing} does not cite {cited}; it cites {count}, first of all: {some}"
