"""Writes section types to the graph: those of rules first, then those of the model."""

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

MIN_CONFIDENCE = 0.8
"""Mean probability in a paper below which a third to a half of a model's types are wrong
(docs/benchmarks.md): floras, proceedings, announcements, whose sections are neither introduction
nor methods, results or discussion."""
_PAPERS = 256
"""Number of papers per batch, which is written in one transaction."""
WRITTEN = ("type", "type_source", "type_probability", "type_run")
"""Properties of Section that hold a label."""
_WRITTEN = ["id", *WRITTEN]


@dataclass
class LabelledSections(Result):
    """Result of a labelling."""

    run: str
    """Run of the model; `rules` without a model."""
    papers: int
    """Full texts of the store."""
    sections: int = 0
    """Their body sections."""
    by_source: Counter[str] = field(default_factory=Counter)
    """Sections by the source of their type."""
    labelled: Counter[str] = field(default_factory=Counter)
    """Sections that rules leave open, by their new type."""
    unsure: int = 0
    """Sections that stay `other`, as the model is unsure of their papers (`MIN_CONFIDENCE`)."""
    written: int = 0
    """Sections whose row changed."""
    intents_stale: bool = False
    """Citation intents depend on the earlier section types."""

    def add(self, rows: pa.Table, ruled: Flags) -> None:
        """Counts sections after labelling; `ruled` marks those that rules type."""
        sources = rows["type_source"].to_pylist()
        self.sections += len(sources)
        self.by_source.update(sources)
        types = zip(rows["type"].to_pylist(), ruled.tolist(), strict=True)
        self.labelled.update(
            kind if kind in TYPES else "other" for kind, known in types if not known
        )
        unsure = zip(sources, rows["type_probability"].is_null().to_pylist(), strict=True)
        self.unsure += sum(source == "model" and null for source, null in unsure)

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
        types = ", ".join(f"{count:,} {kind}" for kind, count in sorted(self.labelled.items()))
        parts: list[Part] = [
            f"{plural(self.sections, 'section')} of {plural(self.papers, 'paper')}, {changed}",
            "",
            Table(("source", "sections"), sources),
            "",
            f"sections that rules leave open: {types or 'none'} ({self.run})",
        ]
        if self.unsure:
            unsure = plural(self.unsure, "section")
            parts.append(f"{unsure} of them stay other: the model is unsure of their papers")
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
    the model, which reads the types that rules give to other sections. In papers for which the
    model is unsure on average, open sections stay `other`. Papers that the same model has labelled
    are skipped, so that an interrupted labelling continues.

    Args:
        store: the graph to read and to write to.
        model: a trained model; None removes the types that models gave.
        progress: reports the number of papers.

    Writes to the graph: Section.type, type_source, type_probability, type_run; a Run node. Before
    the first paper is labelled, Meta `importance_run` is emptied: scores are out of date until the
    next scoring.
    """
    papers, run = full_texts(store), model.run if model else RULES
    result = LabelledSections(run, len(papers))
    if model:
        record_run(store, model.record)
    for batch in report_batches(papers, _PAPERS, progress):
        sections = read_sections(store, batch)
        if not len(sections):
            continue
        # papers with a section that rules leave open and this model has not labelled
        unlabelled = np.array([other != run for other in sections.texts("type_run")], bool)
        open_ = ~sections.ruled & unlabelled if model else sections.relabelled
        stale = [k for k, (begin, end) in enumerate(sections.spans) if open_[begin:end].any()]
        present = sections.table.select(_WRITTEN)
        if stale:
            chosen = sections.select_papers(stale)
            labelled = _label(chosen, model)
            if read_meta(store, IMPORTANCE_RUN):
                write_meta(store, IMPORTANCE_RUN, "")
            before = chosen.table.select(_WRITTEN)
            result.written += write_labels(store, "Section", before, expected=labelled)
            rest = sections.select_papers(sorted(set(range(sections.papers)) - set(stale)))
            present = pa.concat_tables([rest.table.select(_WRITTEN), labelled])
            sections = SectionSequences(pa.concat_tables([rest.table, chosen.table]))
        result.add(present, sections.ruled)
    if result.written:
        result.intents_stale = bool(store.read(query("text/has_intents")).num_rows)
    return result


def _label(sections: SectionSequences, model: SectionModel | None) -> pa.Table:
    """Rows to write: types by rules, else by the model; `other` without a model.

    A section that rules type has no run.
    """
    ruled, types, probabilities = (
        sections.ruled,
        sections.rule_types,
        np.full(len(sections), np.nan),
    )
    if model:
        from citescape.text.sections.inputs import SectionInputs
        from citescape.text.sections.network import predict

        inputs = SectionInputs.from_sections(sections, model.encoder, body=model.config.body)
        known = np.eye(len(TYPES), dtype=bool)[sections.rule_types]
        likely, probabilities = predict(model.network, inputs, allowed=known | ~ruled[:, None])
        unsure = find_unsure(sections, probabilities)
        types = np.where(unsure, OTHER, likely)
        probabilities = np.where(ruled | unsure, np.nan, probabilities)
    own = np.array(sections.texts("type_source"), object)
    runs = [model.run if model and not by_rule else None for by_rule in ruled.tolist()]
    sources = np.where(ruled, own, "model" if model else "none").tolist()
    return pa.table(
        {
            "id": sections.table["id"],
            "type": pa.array([TYPES[kind] for kind in types.tolist()], pa.string()),
            "type_source": pa.array(sources, pa.string()),
            "type_probability": pa.array(probabilities, pa.float64(), from_pandas=True),
            "type_run": pa.array(runs, pa.string()),
        }
    )


def find_unsure(sections: SectionSequences, probabilities: Probabilities) -> Flags:
    """(n,) open sections of papers in which their mean probability is below `MIN_CONFIDENCE`.

    `probabilities` (n,) are those of the most probable types.
    """
    unsure = np.zeros(len(sections), bool)
    for begin, end in sections.spans:
        rows = begin + np.flatnonzero(~sections.ruled[begin:end])
        unsure[rows] = len(rows) > 0 and probabilities[rows].mean() < MIN_CONFIDENCE
    return unsure
