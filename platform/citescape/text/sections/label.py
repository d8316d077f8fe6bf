"""Writes section types to the graph: what rules tell first, then what the model says."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from citescape.core.progress import Progress, silent
from citescape.runs.directory import record_run
from citescape.runs.result import Part, Result, Summary, Table, plural
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query
from citescape.store.state import IMPORTANCE_RUN, read_meta, write_meta
from citescape.text.labeller import RULES
from citescape.text.sections.model import SectionModel
from citescape.text.sections.sequences import (
    OTHER,
    TYPES,
    Flags,
    Probabilities,
    SectionSequences,
    read_sections,
)
from citescape.text.write_back import full_texts, report_batches, write_labels

SURE = 0.8
"""Mean probability in a paper below which a third to a half of a model's types are wrong
(docs/benchmarks.md): floras, proceedings, announcements, whose sections are neither introduction
nor methods, results or discussion."""
_PAPERS = 256
"""Papers of one batch, which is written as a whole or not at all."""
_WRITTEN = ["id", "type", "type_source", "type_probability", "type_run"]


@dataclass
class LabelledSections(Result):
    """What a labelling found and did."""

    run: str
    """Of the model; `rules` for none."""
    papers: int
    """Full texts of the store."""
    sections: int = 0
    """Body sections of theirs."""
    by_source: Counter[str] = field(default_factory=Counter)
    """Sections by what tells their type."""
    labelled: Counter[str] = field(default_factory=Counter)
    """Sections that rules leave open, by the type they have now."""
    unsure: int = 0
    """Those of them that stay `other` as the model is unsure of their papers (`SURE`)."""
    written: int = 0
    """Sections whose row changed."""
    intents_stale: bool = False
    """Citation intents were labelled by the section types before."""

    @property
    def arrow(self) -> pa.Table:
        """A row per source of types: number of sections."""
        return pa.table(
            {"source": list(self.by_source), "sections": list(self.by_source.values())},
            pa.schema([("source", pa.string()), ("sections", pa.int64())]),
        )

    def summarise(self) -> Summary:
        """Sections by the source of their type, and the types of those that rules leave open."""
        changed = f"{plural(self.written, 'section')} written" if self.written else "no changes"
        sources = sorted(self.by_source.items(), key=lambda item: (-item[1], item[0]))
        found = ", ".join(f"{count:,} {kind}" for kind, count in sorted(self.labelled.items()))
        parts: list[Part] = [
            f"{plural(self.sections, 'section')} of {plural(self.papers, 'paper')}, {changed}",
            "",
            Table(("source", "sections"), sources),
            "",
            f"sections that rules leave open: {found or 'none'} ({self.run})",
        ]
        if self.unsure:
            unsure = plural(self.unsure, "section")
            parts.append(f"{unsure} of them are other: the model is unsure of their papers")
        following = [("next", "score")] if self.written else []
        if self.written and self.intents_stale:
            following.append(
                ("intents depend on section types, label them again", "text intents label --again")
            )
        return Summary(parts, vars(self), following)


def label(
    store: GraphStore, model: SectionModel | None, *, progress: Progress = silent
) -> LabelledSections:
    """Types the sections that rules leave open.

    A section has its type from a rule; else from the section above if a rule types that; else from
    the model, which knows what the rules say of the others; `other` in papers of which the model is
    unsure on the whole. Papers that the same model has labelled are left as they are, so that an
    interrupted labelling goes on.

    Args:
        store: the graph to read and to write to.
        model: a trained model; None takes back what models said.
        progress: told how many papers are done.

    Writes to the graph: Section.type, type_source, type_probability, type_run; a Run node. Before
    the first paper is labelled anew, Meta `importance_run` is emptied: scores are out of date until
    the next scoring.
    """
    papers = full_texts(store)
    result = LabelledSections(model.run if model else RULES, len(papers))
    if model:
        record_run(store, model.record)
    for batch in report_batches(papers, _PAPERS, progress):
        sections = read_sections(store, batch)
        if len(sections):
            _label_batch(store, sections, model, result=result)
    if result.written:
        result.intents_stale = bool(store.read(query("text/has_intents")).num_rows)
    return result


def _label_batch(
    store: GraphStore,
    sections: SectionSequences,
    model: SectionModel | None,
    *,
    result: LabelledSections,
) -> None:
    """Labels the papers that need it, and counts the sections of all."""
    present = sections.table.select(_WRITTEN)
    stale = _stale_papers(sections, model.run if model else None)
    if stale:
        chosen = sections.take_papers(stale)
        wanted = _wanted(chosen, model)
        if read_meta(store, IMPORTANCE_RUN):
            write_meta(store, IMPORTANCE_RUN, "")
        before = chosen.table.select(_WRITTEN)
        result.written += write_labels(store, "Section", before, wanted=wanted)
        rest = sections.take_papers(sorted(set(range(sections.papers)) - set(stale)))
        present = pa.concat_tables([rest.table.select(_WRITTEN), wanted])
        sections = SectionSequences(pa.concat_tables([rest.table, chosen.table]))
    sources, ruled = present["type_source"].to_pylist(), sections.ruled.tolist()
    result.sections += len(sources)
    result.by_source.update(sources)
    types = zip(present["type"].to_pylist(), ruled, strict=True)
    result.labelled.update(kind if kind in TYPES else "other" for kind, known in types if not known)
    unknown = present["type_probability"].is_null().to_pylist()
    pairs = zip(sources, unknown, strict=True)
    result.unsure += sum(source == "model" and open_ for source, open_ in pairs)


def _stale_papers(sections: SectionSequences, run: str | None) -> list[int]:
    """Numbers of the papers with a section that rules leave open and `run` has not labelled."""
    ours = np.array([(found or None) == run for found in sections.texts("type_run")], bool)
    open_ = ~sections.ruled & ~ours if run else sections.relabelled
    return [k for k, (begin, end) in enumerate(sections.spans) if open_[begin:end].any()]


def _wanted(sections: SectionSequences, model: SectionModel | None) -> pa.Table:
    """Rows to write: types by rules, and by the model where they leave them open.

    Without a model, what one labelled is open again. A section that rules type keeps no run.
    """
    ruled, types, sure = sections.ruled, sections.rule_types, np.full(len(sections), np.nan)
    if model:
        from citescape.text.sections.inputs import SectionInputs
        from citescape.text.sections.network import predict

        inputs = SectionInputs.of(sections, model.encoder, body=model.config.body)
        one = np.eye(len(TYPES), dtype=bool)[sections.rule_types]
        likely, sure = predict(model.network, inputs, allowed=one | ~ruled[:, None])
        unsure = too_unsure(sections, sure)
        types = np.where(unsure, OTHER, likely)
        sure = np.where(ruled | unsure, np.nan, sure)
    told = np.array(sections.texts("type_source"), object)
    runs = [model.run if model and not known else None for known in ruled.tolist()]
    sources = np.where(ruled, told, "model" if model else "none").tolist()
    return pa.table(
        {
            "id": sections.table["id"],
            "type": pa.array([TYPES[kind] for kind in types.tolist()], pa.string()),
            "type_source": pa.array(sources, pa.string()),
            "type_probability": pa.array(sure, pa.float64(), from_pandas=True),
            "type_run": pa.array(runs, pa.string()),
        }
    )


def too_unsure(sections: SectionSequences, sure: Probabilities) -> Flags:
    """(n,) what rules leave open in papers of which the model is less sure than `SURE` on average.

    Args:
        sections: n sections.
        sure: (n,) probability of the type that the model finds most probable.
    """
    found = np.zeros(len(sections), bool)
    for begin, end in sections.spans:
        left = begin + np.flatnonzero(~sections.ruled[begin:end])
        found[left] = len(left) > 0 and sure[left].mean() < SURE
    return found
