"""Writes citation intents to the graph, and how many contexts of each a citation has."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.config import quote_command
from citescape.core.errors import StoreError
from citescape.core.progress import Progress, silent
from citescape.ingest.sync import differences
from citescape.runs.directory import record_run
from citescape.runs.result import Part, Result, Summary, Table, plural
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query
from citescape.store.state import read_meta, write_meta
from citescape.text.intents.contexts import INTENTS, Context, Probabilities, predict
from citescape.text.intents.facets import count_changes
from citescape.text.intents.model import NamedModel
from citescape.text.intents.steps import THRESHOLD
from citescape.text.write_back import full_texts, report_batches

_PAPERS = 256
"""Papers of one batch, which is written as a whole or not at all."""
_COLUMNS = tuple(f"intent_{name}" for name in INTENTS)
_WRITTEN = ["id", "intents", *_COLUMNS, "intent_run"]
_SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("intents", pa.list_(pa.string())),
        *((name, pa.float64()) for name in _COLUMNS),
        ("intent_run", pa.string()),
    ]
)
_DECIMALS = 4
AGAIN = "intents_again"
"""Meta row of a labelling anew until it is finished: its run, a blank, the last paper done."""


@dataclass
class LabelledIntents(Result):
    """What a labelling found and did."""

    run: str
    """Of the model."""
    papers: int
    """Full texts of the store."""
    contexts: int = 0
    """In-text citations of theirs."""
    from_sources: int = 0
    """Those whose intents came with the paper; they are left alone."""
    intents: dict[str, int] = field(default_factory=lambda: dict.fromkeys(INTENTS, 0))
    """Contexts with each intent, whatever gave it."""
    without_intent: int = 0
    several_intents: int = 0
    written: int = 0
    """In-text citations whose row changed."""
    pairs_written: int = 0
    """Citing-cited pairs whose counts changed."""
    threshold: float = THRESHOLD
    """Probability from which on a citation has an intent."""

    def add(self, rows: pa.Table) -> None:
        """The in-text citations of a batch, as they are now."""
        numbers = pc.fill_null(pc.list_value_length(rows["intents"]), 0).to_numpy()
        self.contexts += rows.num_rows
        self.from_sources += rows["intent_run"].null_count
        self.without_intent += int((numbers == 0).sum())
        self.several_intents += int((numbers > 1).sum())
        for found in pc.value_counts(pc.list_flatten(rows["intents"])).to_pylist():
            if found["values"] in self.intents:
                self.intents[found["values"]] += found["counts"]

    @property
    def arrow(self) -> pa.Table:
        """A row per intent: citations in the text that have it; none and several."""
        return pa.Table.from_pylist(
            [{"intent": name, "citations": count} for name, count in self._rows()]
        )

    def summarise(self) -> Summary:
        """Citations by intent, and what was written."""
        change = f"{plural(self.written, 'label')} written" if self.written else "no changes"
        parts: list[Part] = [
            f"{plural(self.contexts, 'citation')} in the text of {plural(self.papers, 'paper')}, "
            f"{change}, counts of {plural(self.pairs_written, 'pair')} written ({self.run})",
            "",
            Table(("intent", "citations"), self._rows()),
            "",
        ]
        if self.from_sources:
            sources = plural(self.from_sources, "citation")
            parts += [f"{sources} came with intents, which are kept", ""]
        return Summary(parts, vars(self), [("next", "cypher --name explore/facets")])

    def _rows(self) -> list[tuple[str, int]]:
        none = (f"none above {self.threshold:g}", self.without_intent)
        return [*self.intents.items(), none, ("several", self.several_intents)]


def label(
    store: GraphStore,
    model: NamedModel,
    *,
    threshold: float = THRESHOLD,
    again: bool = False,
    progress: Progress = silent,
) -> LabelledIntents:
    """Labels every in-text citation with its intents: those of p >= threshold, so none or several.

    What the same model has labelled is not judged again, so that an interrupted labelling goes on;
    what came with its intents is left alone. A context without text has no intent. A batch of
    papers is written as a whole, the counts of its pairs with it.

    Args:
        store: the graph to read and to write to.
        model: what `resolve_model` found.
        threshold: smallest probability of an intent that is given.
        again: label anew what the same model has labelled, from the first paper on: the section
            types have changed. If it is interrupted, a labelling without `again` goes on with it.
        progress: told how many papers are done.

    Writes to the graph: a Run node; Occurrence.intents, intent_background, intent_method,
    intent_result, intent_run; CITES.n_background, n_method, n_result; with `again` Meta
    `intents_again`, until it is done.

    Raises:
        StoreError: the store holds no full text.
    """
    papers = full_texts(store)
    if not papers:
        raise StoreError(
            f"{store.location} holds no papers with full text, so no citations in the text: "
            f"load some with {quote_command('ingest PATH', store.location)}"
        )
    result = LabelledIntents(model.record.id, len(papers), threshold=threshold)
    record_run(store, model.record)
    anew_after = _begin(store, model.record.id, again=again)
    for batch in report_batches(papers, _PAPERS, progress):
        anew = anew_after is not None and batch[-1] > anew_after
        _label_batch(store, model, batch, result=result, anew=anew)
    if read_meta(store, AGAIN):
        write_meta(store, AGAIN, "")
    return result


def _begin(store: GraphStore, run: str, *, again: bool) -> str | None:
    """The paper after which the run's labels are to be given anew; None where they stand."""
    if again:
        write_meta(store, AGAIN, f"{run} ")
        return ""
    found, _, last = (read_meta(store, AGAIN) or "").partition(" ")
    return last if found == run else None


def _label_batch(
    store: GraphStore, model: NamedModel, papers: list[str], *, result: LabelledIntents, anew: bool
) -> None:
    """Writes the labels of some papers with the counts of their pairs."""
    rows = store.read(query("text/intents"), papers=papers).sort_by("id")
    wanted = _wanted(rows, model, threshold=result.threshold, anew=anew)
    changes = differences("Occurrence", rows.select(_WRITTEN).cast(_SCHEMA), wanted)
    labelled = rows.select(["citing", "cited"]).append_column("intents", wanted["intents"])
    labelled = labelled.filter(pc.is_valid(labelled["cited"]))
    counts = count_changes(store, papers, labelled)
    store.apply([*changes, *counts], atomic=True)
    if anew:
        write_meta(store, AGAIN, f"{model.record.id} {papers[-1]}")
    result.written += sum(change.rows.num_rows for change in changes)
    result.pairs_written += sum(change.rows.num_rows for change in counts)
    result.add(wanted)


def _wanted(rows: pa.Table, model: NamedModel, *, threshold: float, anew: bool) -> pa.Table:
    """The rows as they should be, in their order.

    What came with the paper stays. What this model has labelled keeps its probabilities, unless it
    is judged anew, but the threshold may be another.
    """
    run = model.record.id
    from_source = pc.and_(pc.is_valid(rows["intents"]), pc.is_null(rows["intent_run"]))
    known = pc.and_(pc.fill_null(pc.equal(rows["intent_run"], run), False), not anew)
    parts = [rows.filter(from_source).select(_WRITTEN).cast(_SCHEMA)]
    left = rows.filter(pc.invert(pc.or_(from_source, known)))
    if left.num_rows:
        judged = predict(model.judge, _contexts(left))
        parts.append(_labelled(left["id"], np.round(judged, _DECIMALS), threshold, run))
    there = rows.filter(known)
    if there.num_rows:
        stored = np.column_stack([there[name].to_numpy() for name in _COLUMNS])
        parts.append(_labelled(there["id"], stored, threshold, run))
    return pa.concat_tables(parts).sort_by("id")


def _labelled(ids: pa.ChunkedArray, found: Probabilities, threshold: float, run: str) -> pa.Table:
    columns: dict[str, Any] = {
        "id": ids,
        "intents": intents_above(found, threshold),
        **{name: found[:, k] for k, name in enumerate(_COLUMNS)},
        "intent_run": pa.repeat(run, len(ids)),
    }
    return pa.table(columns, schema=_SCHEMA)


def intents_above(probabilities: Probabilities, threshold: float) -> pa.ListArray:
    """The intents with p >= threshold of each row (n, 3): none, one or several."""
    given = probabilities >= threshold
    ends = np.cumsum([0, *given.sum(1)], dtype=np.int32)
    names = pa.array(INTENTS, pa.string()).take(pa.array(given.nonzero()[1]))
    return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), names)


def _contexts(rows: pa.Table) -> list[Context]:
    columns = (rows[name].to_pylist() for name in ("context", "title", "section"))
    return [
        Context(text or "", title or "", section or "other")
        for text, title, section in zip(*columns, strict=True)
    ]
