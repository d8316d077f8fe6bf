"""Splits the abstracts of a store and writes the parts to it.

A structured abstract is split by its own headings; sentences under headings that name no facet, and
all other abstracts, are the splitter's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc

from citescape.config import quote_command
from citescape.errors import StoreError
from citescape.graph.schema import TABLE
from citescape.graph.store import GraphStore
from citescape.runs import record_run
from citescape.text.abstracts.abstract import Abstract, abstract_papers, as_abstracts, read_rows
from citescape.text.abstracts.facets import FACETS, Labels, Splitter, parts_of
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
"""Papers of one transaction."""


@dataclass
class SplitResult:
    """What a labelling found and did."""

    run: str
    papers: int = 0
    """Those whose abstract may be split."""
    without: int = 0
    """Of them those that have no abstract, or one of blanks."""
    written: int = 0
    """Papers whose split changed."""
    sources: Counter[str] = field(default_factory=Counter)
    """Abstracts by what split them: headings, model, rules, llm."""
    sentences: Counter[str] = field(default_factory=Counter)
    """By facet."""
    unmapped: int = 0
    """Sentences of structured abstracts under headings that name no facet; the splitter's."""
    fell_back: int = 0
    """Abstracts that an LLM did not split, so that another splitter did."""

    @property
    def abstracts(self) -> int:
        """How many have a split now."""
        return sum(self.sources.values())


def label(
    store: GraphStore,
    splitter: Splitter,
    *,
    filler: Splitter | None = None,
    batch: int = _BATCH,
    progress: Callable[[str], None] = lambda _: None,
) -> SplitResult:
    """Splits every abstract of the store.

    May be killed and run again: papers that carry the run are passed over, and a batch is written
    whole or not at all. An abstract that an LLM did not split carries the run of what did, so the
    next labelling asks again.

    Args:
        store: the graph to read and to write to.
        splitter: rules, a trained model or an LLM.
        filler: decides what a structured abstract's headings leave open; the splitter by default.
        batch: papers of one transaction.
        progress: told how far it is.

    Writes to the graph: Paper.abstract_ends, abstract_facets, abstract_background, abstract_method,
    abstract_result, split_source, split_run; a Run node.

    Raises:
        StoreError: no paper has an abstract to split.
    """
    papers = abstract_papers(store)
    result = SplitResult(splitter.record.id, len(papers))
    for ids in batches(papers, batch):
        _label_batch(store, ids, result=result, by=(splitter, filler or splitter))
        done = result.abstracts + result.without
        progress(f"labelling: {done:,} of {len(papers):,} papers")
    if not result.abstracts:
        raise StoreError(
            f"{store.location} holds no abstract; expected papers that have one: "
            f"load some with {quote_command('ingest PATH', store.location)}"
        )
    record_run(store, splitter.record)
    return result


def split(abstracts: Sequence[Abstract], splitter: Splitter, filler: Splitter) -> list[Labels]:
    """A facet for each sentence: by the headings where there are any, else by the splitter."""
    headed = [one for one in abstracts if any(one.known)]
    open_ = [one for one in headed if None in one.known]
    others = [one for one in abstracts if not any(one.known)]
    filled = dict(zip([o.id for o in open_], filler([o.sentences for o in open_]), strict=True))
    found = dict(zip([o.id for o in others], splitter([o.sentences for o in others]), strict=True))
    for one in headed:
        guesses = filled[one.id].facets if one.id in filled else one.known
        facets = [a or b for a, b in zip(one.known, guesses, strict=True)]
        found[one.id] = Labels(tuple(map(str, facets)), "headings", splitter.record.id)
    return [found[one.id] for one in abstracts]


def _label_batch(
    store: GraphStore,
    ids: Sequence[str],
    *,
    result: SplitResult,
    by: tuple[Splitter, Splitter],
) -> None:
    rows = read_rows(store, ids)
    abstracts = as_abstracts(rows)
    done = pc.fill_null(pc.equal(rows["split_run"], result.run), False)
    carried = set(rows.filter(done)["id"].to_pylist())
    left = [one for one in abstracts if one.id not in carried]
    wanted = _table(left, split(left, *by))
    present = rows.filter(pc.is_in(rows["id"], value_set=wanted["id"])).select(["id", *WRITTEN])
    result.written += write_labels(store, "Paper", present, wanted=wanted)
    result.without += len(ids) - len(abstracts)
    columns = ["split_source", "split_run", "abstract_facets"]
    _count(result, pa.concat_tables([rows.filter(done).select(columns), wanted.select(columns)]))
    result.unmapped += sum(one.known.count(None) for one in abstracts if any(one.known))


def _table(abstracts: Sequence[Abstract], labels: Sequence[Labels]) -> pa.Table:
    """The rows to write."""
    both = list(zip(abstracts, labels, strict=True))
    parts = [parts_of(one.text, one.ends, found.facets) for one, found in both]
    columns: dict[str, list[object]] = {
        "id": [one.id for one in abstracts],
        "abstract_ends": [one.ends for one in abstracts],
        "abstract_facets": [list(found.facets) for found in labels],
        **{f"abstract_{facet}": [part[facet] for part in parts] for facet in FACETS},
        "split_source": [found.source for found in labels],
        "split_run": [found.run for found in labels],
    }
    schema = TABLE["Paper"].arrow
    return pa.table({n: pa.array(v, schema.field(n).type) for n, v in columns.items()})


def _count(result: SplitResult, rows: pa.Table) -> None:
    result.sources.update(rows["split_source"].to_pylist())
    result.sentences.update(f for facets in rows["abstract_facets"].to_pylist() for f in facets)
    result.fell_back += sum(run != result.run for run in rows["split_run"].to_pylist())
