"""Writes citation intents to the graph, and the counts of each pair of papers.

w_x(i, j) = |C_x(i, j)|, the number of contexts in which i cites j with intent x; the edge (i, j) is
in G_x if w_x > 0 (FLeW, Eq. 2 and 3).
"""

from __future__ import annotations

from collections.abc import Sequence
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
from citescape.store.graph_store import Change, GraphStore
from citescape.store.queries import query
from citescape.store.state import read_meta, write_meta
from citescape.text.intents.contexts import INTENTS, CitationContext, Probabilities, predict
from citescape.text.intents.model import NamedModel
from citescape.text.intents.steps import THRESHOLD
from citescape.text.write_back import full_texts, report_batches

_PAPERS = 256
"""Number of papers per batch, which is written in one transaction."""
_COLUMNS = tuple(f"intent_{name}" for name in INTENTS)
WRITTEN = ("intents", *_COLUMNS, "intent_run")
"""Properties of Occurrence that hold intents."""
_WRITTEN = ["id", *WRITTEN]
_SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("intents", pa.list_(pa.string())),
        *((name, pa.float64()) for name in _COLUMNS),
        ("intent_run", pa.string()),
    ]
)
_DECIMALS = 4
COUNTS = tuple(f"n_{name}" for name in INTENTS)
_COUNTED = pa.schema(
    [("from", pa.string()), ("to", pa.string()), *((name, pa.int64()) for name in COUNTS)]
)
AGAIN = "intents_again"
"""Meta row of an unfinished labelling with `again`: its run, a space, the last paper done."""


@dataclass
class LabelledIntents(Result):
    """Result of a labelling."""

    run: str
    """Run of the model."""
    papers: int
    """Full texts of the store."""
    contexts: int = 0
    """Their in-text citations."""
    from_sources: int = 0
    """In-text citations whose intents are from the source of the paper; these are kept."""
    intents: dict[str, int] = field(default_factory=lambda: dict.fromkeys(INTENTS, 0))
    """Contexts with each intent, from any source."""
    without_intent: int = 0
    several_intents: int = 0
    written: int = 0
    """In-text citations whose row changed."""
    pairs_written: int = 0
    """Citing-cited pairs whose counts changed."""
    threshold: float = THRESHOLD
    """Minimum probability of an intent."""

    def add(self, rows: pa.Table) -> None:
        """Counts the in-text citations of a batch after labelling."""
        numbers = pc.fill_null(pc.list_value_length(rows["intents"]), 0).to_numpy()
        self.contexts += rows.num_rows
        self.from_sources += rows["intent_run"].null_count
        self.without_intent += int((numbers == 0).sum())
        self.several_intents += int((numbers > 1).sum())
        for count in pc.value_counts(pc.list_flatten(rows["intents"])).to_pylist():
            if count["values"] in self.intents:
                self.intents[count["values"]] += count["counts"]

    @property
    def arrow(self) -> pa.Table:
        """A row per intent, and for no and several intents: number of in-text citations."""
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
            parts += [f"{sources} with intents from the source of the paper, which are kept", ""]
        return Summary(parts, vars(self), [("next", "cypher explore/facets")])

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
    """Labels every in-text citation with its intents: those of p >= threshold, none or several.

    Labels of the same model are kept, so that an interrupted labelling continues, and so are
    intents from the source of a paper. A context without text has no intent. A batch of papers is
    written in one transaction, with the counts of its pairs.

    Args:
        store: the graph to read and to write to.
        model: result of `resolve_model`.
        threshold: minimum probability of an intent.
        again: replace labels of the same model, from the first paper on, after section types have
            changed. If interrupted, a labelling without `again` continues.
        progress: reports the number of papers.

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
    run = model.record.id
    if again:
        write_meta(store, AGAIN, f"{run} ")
    unfinished, _, last = (read_meta(store, AGAIN) or "").partition(" ")
    for batch in report_batches(papers, _PAPERS, progress):
        anew = unfinished == run and batch[-1] > last
        rows = store.read(query("text/intents"), papers=batch).sort_by("id")
        labelled = _label(rows, model, threshold=threshold, anew=anew)
        changes = differences("Occurrence", rows.select(_WRITTEN).cast(_SCHEMA), labelled)
        pairs = rows.select(["citing", "cited"]).append_column("intents", labelled["intents"])
        counts = find_count_changes(store, batch, pairs.filter(pc.is_valid(pairs["cited"])))
        store.apply([*changes, *counts], atomic=True)
        if anew:
            write_meta(store, AGAIN, f"{run} {batch[-1]}")
        result.written += sum(change.rows.num_rows for change in changes)
        result.pairs_written += sum(change.rows.num_rows for change in counts)
        result.add(labelled)
    if read_meta(store, AGAIN):
        write_meta(store, AGAIN, "")
    return result


def _label(rows: pa.Table, model: NamedModel, *, threshold: float, anew: bool) -> pa.Table:
    """The rows with their new labels, sorted by id.

    Intents from the source of a paper are kept. Labels of this model keep their probabilities,
    unless `anew`, but get the intents of the present threshold.
    """
    run = model.record.id
    from_source = pc.and_(pc.is_valid(rows["intents"]), pc.is_null(rows["intent_run"]))
    known = pc.and_(pc.fill_null(pc.equal(rows["intent_run"], run), False), not anew)
    parts = [rows.filter(from_source).select(_WRITTEN).cast(_SCHEMA)]
    unlabelled = rows.filter(pc.invert(pc.or_(from_source, known)))
    if unlabelled.num_rows:
        columns = (unlabelled[name].to_pylist() for name in ("context", "title", "section"))
        contexts = [
            CitationContext(text or "", title or "", section or "other")
            for text, title, section in zip(*columns, strict=True)
        ]
        probabilities = np.round(predict(model.classify, contexts), _DECIMALS)
        parts.append(_as_rows(unlabelled["id"], probabilities, threshold, run))
    labelled = rows.filter(known)
    if labelled.num_rows:
        stored = np.column_stack([labelled[name].to_numpy() for name in _COLUMNS])
        parts.append(_as_rows(labelled["id"], stored, threshold, run))
    return pa.concat_tables(parts).sort_by("id")


def _as_rows(
    ids: pa.ChunkedArray, probabilities: Probabilities, threshold: float, run: str
) -> pa.Table:
    columns: dict[str, Any] = {
        "id": ids,
        "intents": intents_above(probabilities, threshold),
        **{name: probabilities[:, k] for k, name in enumerate(_COLUMNS)},
        "intent_run": pa.repeat(run, len(ids)),
    }
    return pa.table(columns, schema=_SCHEMA)


def intents_above(probabilities: Probabilities, threshold: float) -> pa.ListArray:
    """The intents with p >= threshold of each row (n, 3): none, one or several."""
    given = probabilities >= threshold
    ends = np.cumsum([0, *given.sum(1)], dtype=np.int32)
    names = pa.array(INTENTS, pa.string()).take(pa.array(given.nonzero()[1]))
    return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), names)


def _key(pairs: pa.Table) -> pa.Array:
    """Both ids of each pair as one text."""
    citing, cited = (pairs[k].cast(pa.string()) for k in (0, 1))
    return pc.binary_join_element_wise(citing, cited, "\n").combine_chunks()


def find_count_changes(
    store: GraphStore,
    papers: Sequence[str],
    labelled: pa.Table,
    mentioned: pa.Table | None = None,
) -> list[Change]:
    """Changes that update n_background, n_method and n_result of the pairs of some citing papers.

    A count is 0 if the pair has labelled contexts, but none with that intent, or if a paper with
    labelled contexts never mentions the work; null if no context is labelled. The store is only
    read.

    Args:
        store: the graph.
        papers: ids of the citing papers.
        labelled: their labelled contexts, with the columns citing, cited, intents.
        mentioned: citing and cited of all their contexts; by default those of the labelled ones.
    """
    lists = labelled["intents"].cast(pa.list_(pa.string()))
    ends = labelled.select(["citing", "cited"]).rename_columns(["from", "to"])
    with_intent = ends.take(pc.list_parent_indices(lists))  # a row per intent of a context
    # Every context has one more row, without an intent, so that its pair has at least zeros.
    empty = pa.repeat("", ends.num_rows)
    intents = pa.chunked_array([*pc.list_flatten(lists).chunks, empty], pa.string())
    rows = pa.concat_tables([with_intent, ends]).cast(pa.schema(list(_COUNTED)[:2]))
    for name, intent in zip(COUNTS, INTENTS, strict=True):
        rows = rows.append_column(name, pc.equal(intents, intent).cast(pa.int64()))
    sums = rows.group_by(["from", "to"]).aggregate([(name, "sum") for name in COUNTS])
    sums = sums.rename_columns({f"{name}_sum": name for name in COUNTS})

    present = store.read(query("text/intent_counts"), papers=list(papers)).cast(_COUNTED)
    expected = present.select(["from", "to"]).join(sums, ["from", "to"])
    others = (labelled if mentioned is None else mentioned).select(["citing", "cited"])
    is_read = pc.is_in(expected["from"], value_set=pc.unique(rows["from"]))
    never = pc.and_(is_read, pc.invert(pc.is_in(_key(expected), value_set=_key(others))))
    for name in COUNTS:
        zeros = pc.if_else(never, 0, pa.scalar(None, pa.int64()))
        filled = pc.coalesce(expected[name], zeros)
        expected = expected.set_column(expected.schema.get_field_index(name), name, filled)
    return differences("CITES", present, expected.select(_COUNTED.names).cast(_COUNTED))
