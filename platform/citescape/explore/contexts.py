"""The sentences that cite works, the most important citations first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import reduce

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.types import SECTION_TYPES
from citescape.explore.config import CitationFilters
from citescape.papers.identify import PaperName, find_paper
from citescape.runs.result import Part, Result, Summary, Text, plural
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

_COLUMNS = (
    *("cited", "citing", "title", "year", "paper_type", "importance", "self"),
    *("type", "section", "ordinal", "position", "intents", "context"),
)


@dataclass(frozen=True)
class CitingSentences(Result):
    """Sentences that cite a work."""

    paper: PaperName
    table: pa.Table
    """`citing`, `title`, `year`, `paper_type`, `importance`, `self`, `type`, `section`, `ordinal`,
    `position`, `intents`, `context`; by importance of the citation, citing paper, and place in the
    text."""
    sentences: int
    """Number of sentences that pass the filters, of which the table has the first."""
    unfiltered: int
    """Number of sentences without filters."""
    papers: int
    """Number of papers with a sentence that passes."""

    @property
    def arrow(self) -> pa.Table:
        """A row per sentence."""
        return self.table

    def summarise(self) -> Summary:
        """The sentences, each with its paper and section."""
        count = f"{plural(self.sentences, 'sentence')} of {plural(self.papers, 'paper')}"
        if self.sentences < self.unfiltered:
            count += f"; the filters leave out {self.unfiltered - self.sentences:,}"
        more = len(self.table) < self.sentences
        shown = f"; the {len(self.table):,} most important first" if more else ""
        parts: list[Part] = [Text(f"cited  {self.paper.in_full}", rest=" " * 7), count + shown]
        for row in self.table.to_pylist():
            score = "not scored" if row["importance"] is None else f"{row['importance']:.4f}"
            intents = f", {' and '.join(row['intents'])}" if row["intents"] else ""
            own = ", self-citation" if row["self"] else ""
            place = f"[{row['type']}] {row['section'] or 'untitled section'}"
            year = f" ({row['year']})" if row["year"] else ""
            head = f"{score}  {place}{intents}{own}: {row['citing']}{year}"
            parts += ["", Text(head, rest="    "), Text(row["context"], "    ", "    ", quote=True)]
        figures = {
            "paper": asdict(self.paper),
            "sentences": self.sentences,
            "unfiltered": self.unfiltered,
            "papers": self.papers,
            "contexts": self.table.to_pylist(),
        }
        return Summary(parts, figures)


def find_contexts(
    store: GraphStore, paper: str, filters: CitationFilters, *, limit: int
) -> CitingSentences:
    """The sentences that cite a work.

    Section and facet are those of the sentence itself, not of any sentence of the citing paper.

    Args:
        store: the graph.
        paper: any identifier of the work.
        filters: which sentences and citing papers.
        limit: maximum number of sentences.

    Raises:
        ConfigError: no such paper.
    """
    named = find_paper(store, paper)
    every = read_sentences(store, [named.id])
    kept = _select(every, filters).drop_columns("cited")
    papers = pc.count_distinct(kept["citing"]).as_py()
    return CitingSentences(named, kept.slice(0, limit), len(kept), len(every), papers)


def read_sentences(store: GraphStore, papers: Sequence[str]) -> pa.Table:
    """All sentences that cite some works, by importance of the citation, paper and place.

    Citations without a score are last.
    """
    sentences = store.read(query("explorer/citing_sentences"), papers=[*papers])
    sentences = sentences.filter(pc.is_valid(sentences["context"]))
    citations = store.read(query("explorer/citations_of"), papers=[*papers])
    place = pc.index_in(_pair(sentences), value_set=_pair(citations))
    for name in ("importance", "self"):
        sentences = sentences.append_column(name, citations[name].take(place))
    joined = sentences.select(_COLUMNS)
    typed = pc.is_in(joined["type"], value_set=pa.array(SECTION_TYPES, pa.string()))
    joined = joined.set_column(
        joined.schema.get_field_index("type"), "type", pc.if_else(typed, joined["type"], "other")
    )
    keyed = joined.append_column("_score", pc.fill_null(joined["importance"], -1.0))
    keys = [("cited", "ascending"), ("_score", "descending"), ("citing", "ascending")]
    return keyed.sort_by([*keys, ("ordinal", "ascending")]).drop_columns("_score")


def _pair(table: pa.Table) -> pa.Array:
    """Citing and cited paper as one text."""
    ends = (table[name].cast(pa.string()) for name in ("citing", "cited"))
    return pc.binary_join_element_wise(*ends, "\n").combine_chunks()


def _select(sentences: pa.Table, filters: CitationFilters) -> pa.Table:
    tests = []
    if filters.min_importance > 0:
        tests.append(pc.greater_equal(sentences["importance"], filters.min_importance))
    if filters.facet:
        labelled = [filters.facet in (own or ()) for own in sentences["intents"].to_pylist()]
        tests.append(pa.array(labelled, pa.bool_()))
    if filters.section:
        tests.append(pc.equal(sentences["type"], filters.section))
    if filters.self_citations != "include":
        tests.append(pc.equal(sentences["self"], int(filters.self_citations == "only")))
    kept = sentences.filter(reduce(pc.and_kleene, tests)) if tests else sentences
    names = {"type": "section_type", "paper_type": "type"}
    renamed = kept.rename_columns([names.get(name, name) for name in kept.column_names])
    selected = filters.select_papers(renamed)
    back = {new: old for old, new in names.items()}
    return selected.rename_columns([back.get(name, name) for name in selected.column_names])
