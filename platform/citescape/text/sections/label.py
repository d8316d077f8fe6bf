"""Writes section types to the graph: what rules tell first, then what the model says."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
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
    Ints,
    Probabilities,
    SectionSequences,
    read_sections,
)
from citescape.text.write_back import batches, full_texts, write_labels

SURE = 0.8
"""Mean probability in a paper below which a third to a half of a model's types are wrong
(docs/benchmarks.md): floras, proceedings, announcements, whose sections are neither introduction
nor methods, results or discussion."""
_PAPERS = 256
"""Papers of one batch, which is written as a whole or not at all."""
_WRITTEN = ["id", "type", "type_source", "type_probability", "type_run"]


@dataclass(frozen=True)
class LabelledSections(Result):
    """What a labelling found and did."""

    run: str
    """Of the model; `rules` for none."""
    papers: int
    """Full texts of the store."""
    sections: int
    """Body sections of theirs."""
    by_source: dict[str, int]
    """Sections by what tells their type."""
    labelled: dict[str, int]
    """Sections that rules leave open, by the type they have now."""
    unsure: int
    """Those of them that stay `other` as the model is unsure of their papers (`SURE`)."""
    written: int
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
        return Summary(parts, asdict(self), following)


@dataclass(frozen=True)
class _Types:
    """Of n sections."""

    types: Ints
    sources: npt.NDArray[np.object_]
    probabilities: Probabilities
    """NaN where no model told the type, or is too unsure of the paper."""


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
    tally, done = _Tally(), 0
    if model:
        record_run(store, model.saved.record)
    for batch in batches(papers, _PAPERS):
        progress(f"labelling: {done:,} of {len(papers):,} papers")
        sections = read_sections(store, batch)
        if len(sections):
            _label_batch(store, sections, model, tally=tally)
        done += len(batch)
    run = model.saved.run if model else RULES
    return LabelledSections(
        run,
        len(papers),
        tally.sections,
        tally.by_source,
        tally.labelled,
        tally.unsure,
        tally.written,
        intents_stale=bool(tally.written) and has_intents(store),
    )


class _Tally:
    """Counts while batches come in."""

    def __init__(self) -> None:
        self.sections = self.unsure = self.written = 0
        self.by_source: dict[str, int] = {}
        self.labelled: dict[str, int] = {}

    def add(self, sources: npt.NDArray[np.object_], types: Ints, left: Flags) -> None:
        """The sections of a batch; `left` are those that rules leave open."""
        self.sections += len(sources)
        for source in sources.tolist():
            self.by_source[source] = self.by_source.get(source, 0) + 1
        for kind in types[left].tolist():
            self.labelled[TYPES[kind]] = self.labelled.get(TYPES[kind], 0) + 1


def _label_batch(
    store: GraphStore, sections: SectionSequences, model: SectionModel | None, *, tally: _Tally
) -> None:
    run = model.saved.run if model else None
    present = sections.table.select(_WRITTEN)
    stale = _stale_papers(sections, run)
    if stale:
        chosen = sections.take_papers(stale)
        wanted = _rows(chosen, _predict(chosen, model) if model else _by_rules(chosen), run)
        if read_meta(store, IMPORTANCE_RUN):
            write_meta(store, IMPORTANCE_RUN, "")
        before = chosen.table.select(_WRITTEN)
        tally.written += write_labels(store, "Section", before, wanted=wanted)
        rest = sections.take_papers(sorted(set(range(sections.papers)) - set(stale)))
        present = pa.concat_tables([rest.table.select(_WRITTEN), wanted])
        sections = SectionSequences(pa.concat_tables([rest.table, chosen.table]))
    now = [TYPES.index(kind) if kind in TYPES else OTHER for kind in present["type"].to_pylist()]
    sources = np.array(present["type_source"].to_pylist(), object)
    tally.add(sources, np.array(now, np.int64), ~sections.ruled)
    unknown = present["type_probability"].is_null().to_numpy(zero_copy_only=False)
    tally.unsure += int((unknown & (sources == "model")).sum())


def _stale_papers(sections: SectionSequences, run: str | None) -> list[int]:
    """Numbers of the papers with a section that rules leave open and `run` has not labelled."""
    ours = np.array([(found or None) == run for found in sections.texts("type_run")], bool)
    open_ = ~sections.ruled & ~ours if run else sections.relabelled
    return [k for k, (begin, end) in enumerate(sections.spans) if open_[begin:end].any()]


def _predict(sections: SectionSequences, model: SectionModel) -> _Types:
    """Types by rules, and by the model where they leave them open."""
    from citescape.text.sections.inputs import SectionInputs
    from citescape.text.sections.predict import anything, predict

    inputs = SectionInputs.of(sections, model.encoder, body=model.config.body)
    one = np.eye(len(TYPES), dtype=bool)[sections.rule_types]
    allowed = np.where(sections.ruled[:, None], one, anything(len(sections)))
    likely, sure = predict(model.network, inputs, allowed=allowed)
    unsure = too_unsure(sections, sure)
    told = np.array(sections.texts("type_source"), object)
    return _Types(
        np.where(unsure, OTHER, likely),
        np.where(sections.ruled, told, "model").astype(object),
        np.where(sections.ruled | unsure, np.nan, sure),
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


def _by_rules(sections: SectionSequences) -> _Types:
    """Types without any model: what it labelled is open again."""
    told = np.array(sections.texts("type_source"), object)
    sources = np.where(sections.ruled, told, "none").astype(object)
    return _Types(sections.rule_types, sources, np.full(len(sections), np.nan))


def _rows(sections: SectionSequences, found: _Types, run: str | None) -> pa.Table:
    """Rows to write; a section that rules type keeps no run."""
    runs = [None if ruled else run for ruled in sections.ruled.tolist()]
    return pa.table(
        {
            "id": sections.table["id"],
            "type": pa.array([TYPES[kind] for kind in found.types.tolist()], pa.string()),
            "type_source": pa.array(found.sources.tolist(), pa.string()),
            "type_probability": pa.array(found.probabilities, pa.float64(), from_pandas=True),
            "type_run": pa.array(runs, pa.string()),
        }
    )


def has_intents(store: GraphStore) -> bool:
    """Whether citations were judged for their intents, which depend on the types of sections."""
    return bool(store.read(query("text/has_intents")).num_rows)


def resolve_model(runs: Path, named: str) -> SectionModel | None:
    """The model that a command line names: `rules`, a path or run id, or the last one trained."""
    from citescape.text.saved_model import find_model
    from citescape.text.sections.model import COMMAND, load

    return None if named == RULES else load(find_model(runs, COMMAND, named))
