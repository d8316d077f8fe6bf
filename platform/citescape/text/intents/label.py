"""Writes citation intents to the graph, and how many contexts of each a citation has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.config import quote_command
from citescape.errors import ConfigError, StoreError
from citescape.graph.queries import query
from citescape.graph.store import GraphStore
from citescape.runs import record_run
from citescape.text.intents.contexts import INTENTS, Context, Probabilities, intents_above, predict
from citescape.text.intents.evaluate import THRESHOLD
from citescape.text.intents.facets import update_counts
from citescape.text.intents.members import Progress
from citescape.text.intents.model import NamedModel
from citescape.text.write_back import batches, full_texts, write_labels

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


@dataclass(frozen=True)
class LabelledIntents:
    """What a labelling found and did."""

    run: str
    """Of the model."""
    papers: int
    """Full texts of the store."""
    contexts: int
    """In-text citations of theirs."""
    from_sources: int
    """Those whose intents came with the paper; they are left alone."""
    intents: dict[str, int]
    """Contexts with each intent, whatever gave it."""
    without_intent: int
    several_intents: int
    written: int
    """In-text citations whose row changed."""
    pairs_written: int
    """Citing-cited pairs whose counts changed."""


def label(
    store: GraphStore,
    model: NamedModel,
    *,
    threshold: float = THRESHOLD,
    again: bool = False,
    progress: Progress = lambda _: None,
) -> LabelledIntents:
    """Labels every in-text citation with its intents: those of p >= threshold, so none or several.

    What the same model has labelled is not judged again, so that an interrupted labelling goes on;
    what came with its intents is left alone. A context without text has no intent.

    Args:
        store: the graph to read and to write to.
        model: what `resolve_model` found.
        threshold: smallest probability of an intent that is given.
        again: label anew what the same model has labelled: the section types have changed.
        progress: told how many papers are done.

    Writes to the graph: Occurrence.intents, intent_background, intent_method, intent_result,
    intent_run; when all are written, a Run node; CITES.n_background, n_method, n_result.

    Raises:
        ConfigError: a threshold outside 0..1.
        StoreError: the store holds no in-text citations.
    """
    if not 0 < threshold <= 1:
        raise ConfigError(f"threshold is {threshold}; expected more than 0 and at most 1")
    papers, tally, done = full_texts(store), _Tally(), 0
    work = _Work(store, model, threshold, again)
    for batch in batches(papers, _PAPERS):
        progress(f"labelling: {done:,} of {len(papers):,} papers")
        _label_batch(work, batch, tally)
        done += len(batch)
    if not tally.contexts:
        raise StoreError(
            f"{store.location} holds no citations in the text; expected papers with full text: "
            f"load some with {quote_command('ingest PATH', store.location)}"
        )
    record_run(store, model.record)
    pairs = update_counts(store, papers, progress=progress)
    return LabelledIntents(
        run=model.record.id, papers=len(papers), pairs_written=pairs, **vars(tally)
    )


class _Tally:
    """Counts while batches come in."""

    def __init__(self) -> None:
        self.contexts = self.from_sources = self.written = 0
        self.without_intent = self.several_intents = 0
        self.intents = dict.fromkeys(INTENTS, 0)

    def add(self, rows: pa.Table) -> None:
        """The in-text citations of a batch, as they are now."""
        lists = [intents or [] for intents in rows["intents"].to_pylist()]
        self.contexts += len(lists)
        self.without_intent += sum(not found for found in lists)
        self.several_intents += sum(len(found) > 1 for found in lists)
        for name in INTENTS:
            self.intents[name] += sum(name in found for found in lists)


@dataclass(frozen=True)
class _Work:
    store: GraphStore
    model: NamedModel
    threshold: float
    again: bool


def _label_batch(work: _Work, papers: list[str], tally: _Tally) -> None:
    rows = work.store.read(query("text/intents"), papers=papers).sort_by("id")
    from_source = pc.and_(pc.is_valid(rows["intents"]), pc.is_null(rows["intent_run"]))
    ours = pc.fill_null(pc.equal(rows["intent_run"], work.model.record.id), False)
    left = pc.invert(from_source if work.again else pc.or_(from_source, ours))
    told = rows.filter(from_source).select(_WRITTEN).cast(_SCHEMA)
    known = rows.filter(pc.invert(pc.or_(from_source, left)))
    open_, kept = rows.filter(left), [told]
    # What is known already keeps its probabilities, but the threshold may be another.
    for part, found in ((open_, _judge(open_, work)), (known, _stored(known))):
        if part.num_rows:
            wanted = _wanted(part, found, work)
            present = part.select(_WRITTEN).cast(_SCHEMA)
            tally.written += write_labels(work.store, "Occurrence", present, wanted=wanted)
            kept.append(wanted)
    tally.from_sources += int(pc.sum(from_source).as_py() or 0)
    tally.add(pa.concat_tables(kept))


def _judge(rows: pa.Table, work: _Work) -> Probabilities:
    """Probabilities (n, 3) with four decimals."""
    found: Probabilities = np.round(predict(work.model.judge, _contexts(rows)), _DECIMALS)
    return found


def _stored(rows: pa.Table) -> Probabilities:
    """Probabilities (n, 3) that stand in the graph."""
    return np.column_stack([rows[name].to_numpy() for name in _COLUMNS])


def _wanted(rows: pa.Table, found: Probabilities, work: _Work) -> pa.Table:
    """The rows as they should be."""
    columns: dict[str, Any] = {
        "id": rows["id"],
        "intents": _lists(found, work.threshold),
        **{name: found[:, k] for k, name in enumerate(_COLUMNS)},
        "intent_run": pa.repeat(work.model.record.id, rows.num_rows),
    }
    return pa.table(columns, schema=_SCHEMA)


def _contexts(rows: pa.Table) -> list[Context]:
    columns = (rows[name].to_pylist() for name in ("context", "title", "section"))
    return [
        Context(text or "", title or "", section or "other")
        for text, title, section in zip(*columns, strict=True)
    ]


def _lists(probabilities: Probabilities, threshold: float) -> list[tuple[str, ...]]:
    return [intents_above(row, threshold) for row in probabilities.tolist()]
