"""Splits the abstracts of a store and writes the parts to it.

A structured abstract is split by its own headings. The splitter labels sentences under headings
that name no facet, and all other abstracts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.config import quote_command
from citescape.core.errors import StoreError
from citescape.core.progress import Progress, silent
from citescape.core.types import FACETS
from citescape.runs.directory import record_run
from citescape.runs.result import Part, Result, Summary, Table, plural
from citescape.store.graph_store import GraphStore
from citescape.store.schema import TABLE
from citescape.text.abstracts.abstract import MainAbstract, abstract_papers, as_abstracts, read_rows
from citescape.text.abstracts.facets import FacetLabels, SlowSplitter, Splitter, join_by_facet
from citescape.text.write_back import batches, write_labels

WRITTEN = (
    "abstract_ends",
    "abstract_facets",
    *(f"abstract_{facet}" for facet in FACETS),
    "split_source",
    "split_run",
)
"""Properties of Paper that hold a split."""
_BATCH = 256
"""Number of abstracts per transaction."""
_READ = 256
"""Number of papers read at a time."""


@dataclass
class SplitResult(Result):
    """Result of a labelling."""

    run: str
    papers: int = 0
    """Papers whose abstract may be split."""
    without_abstract: int = 0
    """Papers without an abstract, or with a blank one."""
    written: int = 0
    """Papers whose split changed."""
    sources: Counter[str] = field(default_factory=Counter)
    """Abstracts by source: headings, model, rules, llm."""
    sentences: Counter[str] = field(default_factory=Counter)
    """Sentences by facet."""
    unmapped: int = 0
    """Sentences of structured abstracts under headings that name no facet."""
    fell_back: int = 0
    """Abstracts that the fallback of an LLM split."""
    splitter: Splitter | None = field(default=None, compare=False, repr=False)

    @property
    def abstracts(self) -> int:
        """Number of abstracts with a split."""
        return sum(self.sources.values())

    @property
    def arrow(self) -> pa.Table:
        """A row per source of splits: number of abstracts."""
        rows = [{"source": name, "abstracts": n} for name, n in self.sources.most_common()]
        return pa.Table.from_pylist(rows)

    def summarise(self) -> Summary:
        """Abstracts by the source of their split, sentences by facet, and the models."""
        change = f"{plural(self.written, 'paper')} written" if self.written else "no changes"
        parts: list[Part] = [
            f"{plural(self.abstracts, 'abstract')} split, {change}; "
            f"{plural(self.without_abstract, 'paper')} without an abstract",
            "",
            Table(("source", "abstracts"), self.sources.most_common()),
            "",
            Table(("facet", "sentences"), self.sentences.most_common()),
        ]
        if self.unmapped:
            sentences = plural(self.unmapped, "sentence")
            parts += [
                "",
                f"{sentences} of structured abstracts under other headings: labelled by the model",
            ]
        figures: dict[str, object] = {
            "run": self.run,
            "papers": self.papers,
            "abstracts": self.abstracts,
            "without_abstract": self.without_abstract,
            "written": self.written,
            "sources": dict(self.sources),
            "sentences": dict(self.sentences),
            "sentences_under_other_headings": self.unmapped,
            "fell_back": self.fell_back,
        }
        if self.splitter:
            lines, details = _describe(self.splitter, self.run)
            parts += lines
            figures |= details
        return Summary(parts, figures)


def _describe(splitter: Splitter, run: str) -> tuple[list[Part], dict[str, object]]:
    """Lines and figures on the model, and on abstracts that an LLM did not split."""
    from citescape.text.abstracts.llm import REASONS, LlmSplitter

    llm = splitter if isinstance(splitter, LlmSplitter) else None
    record = llm.fallback.record if llm else splitter.record
    figures: dict[str, object] = {
        "model": record.id,
        "model_trained": record.started or None,
        "requests": 0,
    }
    trained = f", trained {record.started}" if record.command == "split train" else ""
    model = f"{record.id} ({record.config.get('kind', 'rules')}{trained})"
    if not llm:
        return ["", f"run {run}", f"model: {model}"], figures
    parts: list[Part] = []
    if llm.chat.dropped:
        names = " and ".join(sorted(llm.chat.dropped))
        parts += ["", f"the server does not accept {names}: requests were sent without them"]
    if llm.fell_back:
        parts += [
            "",
            f"{plural(llm.fell_back.total(), 'abstract')} fell back to {record.id}; the same "
            "command sends them again, except those that are too long:",
        ]
        for reason, count in llm.fell_back.most_common():
            message = f" ({llm.messages[reason]})" if reason in llm.messages else ""
            parts.append(f"  {count:,}: {REASONS[reason]}{message}")
    name = llm.record.config["llm"]
    parts += ["", f"run {run}", f"LLM: {name}; fallback: {model}"]
    return parts, {
        **figures,
        "requests": llm.chat.requests,
        "answers": llm.answers,
        "fell_back_by_reason": dict(llm.fell_back),
        "fields_not_accepted": sorted(llm.chat.dropped),
    }


def label(store: GraphStore, splitter: Splitter, *, progress: Progress = silent) -> SplitResult:
    """Splits every abstract of the store.

    An interrupted labelling continues: papers with the run are skipped, and a batch is written in
    one transaction. Answers of an LLM before a final error are written too. An abstract that the
    LLM did not split has the run of the fallback, so that the next labelling sends it again.
    Sentences of structured abstracts under headings without a facet are labelled by the splitter;
    with an LLM by its fallback, whose run the abstract then has, so that another fallback labels
    them again.

    Args:
        store: the graph to read and to write to.
        splitter: rules, a trained model or an LLM.
        progress: reports the number of papers.

    Writes to the graph: Paper.abstract_ends, abstract_facets, abstract_background, abstract_method,
    abstract_result, split_source, split_run; a Run node for each run in split_run, written first.

    Raises:
        StoreError: no paper has an abstract to split.
    """
    result = split_abstracts(store, splitter, progress=progress)
    if not result.abstracts:
        raise no_abstracts(store.location)
    return result


def no_abstracts(location: str) -> StoreError:
    """The error where no paper has an abstract."""
    return StoreError(
        f"{location} holds no abstract; expected papers that have one: "
        f"load some with {quote_command('ingest PATH', location)}"
    )


def split_abstracts(
    store: GraphStore, splitter: Splitter, *, progress: Progress = silent
) -> SplitResult:
    """Splits the abstracts of a store, see `label`; a store without any is no error."""
    papers = abstract_papers(store)
    result = SplitResult(splitter.record.id, len(papers), splitter=splitter)
    work = _Labelling(store, splitter, result)
    for ids in batches(papers, _READ):
        for _ in work.label(ids):
            done = result.abstracts + result.without_abstract
            progress(f"labelling: {done:,} of {len(papers):,} papers")
    return result


class _Labelling:
    """A labelling in progress: its result, and the runs recorded in the graph so far."""

    def __init__(self, store: GraphStore, splitter: Splitter, result: SplitResult) -> None:
        self.store = store
        self.splitter = splitter
        self.slow = splitter if isinstance(splitter, SlowSplitter) else None
        self.gap_splitter = self.slow.fallback if self.slow else splitter
        """Labels sentences of structured abstracts whose heading names no facet."""
        self.result = result
        self.begun = datetime.now(UTC).isoformat(timespec="microseconds")
        self.recorded: set[str] = set()

    def label(self, ids: Sequence[str]) -> Iterator[None]:
        """Labels some papers; yields after each batch."""
        rows = read_rows(self.store, ids)
        abstracts = as_abstracts(rows)
        current_runs = dict(zip(rows["id"].to_pylist(), rows["split_run"].to_pylist(), strict=True))
        pending = [
            abstract
            for abstract in abstracts
            if current_runs[abstract.id] != self._expected_run(abstract)
        ]
        self.result.without_abstract += len(ids) - len(abstracts)
        self.result.unmapped += sum(
            abstract.heading_facets.count(None)
            for abstract in abstracts
            if any(abstract.heading_facets)
        )
        done = {abstract.id for abstract in abstracts} - {abstract.id for abstract in pending}
        _count_labels(
            self.result, rows.filter(pa.array([id_ in done for id_ in current_runs], pa.bool_()))
        )
        if abstracts:
            self._record({self.splitter.record.id, *(current_runs[id_] for id_ in done)})
        for batch in batches(pending, self.slow.batch if self.slow else _BATCH):
            self._split(batch, rows)
            yield
        if not pending:
            yield

    def _expected_run(self, abstract: MainAbstract) -> str:
        """The run that an abstract has once it is labelled."""
        open_ = any(abstract.heading_facets) and None in abstract.heading_facets
        return (self.gap_splitter if open_ else self.splitter).record.id

    def _split(self, abstracts: Sequence[MainAbstract], rows: pa.Table) -> None:
        """Labels a batch and writes it; after an error of a slow splitter, the labels so far."""
        labels: dict[str, FacetLabels] = {}
        headed = [abstract for abstract in abstracts if any(abstract.heading_facets)]
        open_ = [abstract for abstract in headed if None in abstract.heading_facets]
        predictions = _by_id(open_, self.gap_splitter([abstract.sentences for abstract in open_]))
        for abstract in headed:
            known = abstract.heading_facets
            predicted = predictions[abstract.id].facets if abstract.id in predictions else known
            pairs = zip(known, predicted, strict=True)
            facets = tuple(facet for facet in (k or p for k, p in pairs) if facet is not None)
            labels[abstract.id] = FacetLabels(facets, "headings", self._expected_run(abstract))
        others = [abstract for abstract in abstracts if not any(abstract.heading_facets)]
        try:
            other_labels = self.splitter([abstract.sentences for abstract in others])
        except BaseException:
            if self.slow:
                self._write(abstracts, labels | _by_id(others, self.slow.last_labels), rows)
            raise
        self._write(abstracts, labels | _by_id(others, other_labels), rows)

    def _write(
        self, abstracts: Sequence[MainAbstract], by_id: Mapping[str, FacetLabels], rows: pa.Table
    ) -> None:
        """Writes the abstracts that have labels, and counts them."""
        labelled = [abstract for abstract in abstracts if abstract.id in by_id]
        labels = [by_id[abstract.id] for abstract in labelled]
        pairs = zip(labelled, labels, strict=True)
        parts = [
            join_by_facet(abstract.text, abstract.ends, label.facets) for abstract, label in pairs
        ]
        columns: dict[str, list[object]] = {
            "id": [abstract.id for abstract in labelled],
            "abstract_ends": [abstract.ends for abstract in labelled],
            "abstract_facets": [list(label.facets) for label in labels],
            **{f"abstract_{facet}": [part[facet] for part in parts] for facet in FACETS},
            "split_source": [label.source for label in labels],
            "split_run": [label.run for label in labels],
        }
        schema = TABLE["Paper"].arrow
        expected = pa.table({n: pa.array(v, schema.field(n).type) for n, v in columns.items()})
        self._record({label.run for label in by_id.values()})
        present = rows.filter(pc.is_in(rows["id"], value_set=expected["id"])).select(
            ["id", *WRITTEN]
        )
        self.result.written += write_labels(self.store, "Paper", present, expected=expected)
        _count_labels(self.result, expected)

    def _record(self, runs: Collection[str]) -> None:
        """Writes Run nodes before any paper refers to them."""
        for record in (self.splitter.record, self.gap_splitter.record):
            if record.id in runs and record.id not in self.recorded:
                record_run(self.store, replace(record, started=record.started or self.begun))
                self.recorded.add(record.id)


def _by_id(
    abstracts: Sequence[MainAbstract], labels: Sequence[FacetLabels | None]
) -> dict[str, FacetLabels]:
    """Labels by id, without missing ones; the list of labels may be shorter than the abstracts."""
    pairs = zip(abstracts, labels, strict=False)
    return {abstract.id: label for abstract, label in pairs if label is not None}


def _count_labels(result: SplitResult, rows: pa.Table) -> None:
    sources, runs = rows["split_source"].to_pylist(), rows["split_run"].to_pylist()
    result.sources.update(sources)
    result.sentences.update(f for facets in rows["abstract_facets"].to_pylist() for f in facets)
    pairs = zip(sources, runs, strict=True)
    result.fell_back += sum(source != "headings" and run != result.run for source, run in pairs)
