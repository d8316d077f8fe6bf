"""A graph from the sentences of labelled citations: so that they are scored as full texts are.

Each citing paper becomes a full text with the headings, sentences and cited works that the file
has; what the file lacks (most of the text) is missing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.types import Author, Identifiers, Losses, Occurrence, Paper, Reference, Section
from citescape.ingest.batches import PaperWriter
from citescape.ingest.identity import NAMED
from citescape.ingest.parse import REPORT, Parsed, report_row
from citescape.ingest.resolve import resolve
from citescape.ingest.tables import paper_tables
from citescape.loaders.citation_labels import CitationLabel, LabelledWork
from citescape.loaders.section_types import type_section
from citescape.store.graph_store import GraphStore
from citescape.store.schema import TABLE

LOADER = "labelled-contexts-1"
_BATCH = 2_000
"""Citing papers that are turned into tables at once."""


def load_contexts(store: GraphStore, labels: Iterable[CitationLabel]) -> None:
    """Loads the sentences of labelled citations into an empty store.

    Args:
        store: the graph to fill.
        labels: labelled citations, in any order, which does not matter; those without a sentence
            add a reference alone. Their ids become those of the nodes.

    Writes to the graph: what `ingest` writes for full texts.
    """
    by_paper: dict[str, list[CitationLabel]] = {}
    for label in sorted(labels, key=lambda label: repr(label._replace(place=""))):
        by_paper.setdefault(label.citing.id, []).append(label)
    papers = [_make_paper(own) for own in by_paper.values()]
    writer = PaperWriter(store, None)
    for start in range(0, len(papers), _BATCH):
        batch = papers[start : start + _BATCH]
        tables = paper_tables(batch)
        tables["Paper"] = _named(tables["Paper"], "id", "Paper")
        tables["Reference"] = _named(tables["Reference"], "source_id", "Reference")
        report = [report_row(paper, paper.own_id) for paper in batch]
        writer.add(Parsed(tables, pa.Table.from_pylist(report, REPORT)))
        if writer.is_full:
            writer.flush()
    writer.finish()
    resolve(store)


def _named(rows: pa.Table, id_: str, name: str) -> pa.Table:
    """The rows with keys that name the node: works have no other identity in such files."""
    key = pc.binary_join_element_wise(NAMED, rows[id_], "")
    place = TABLE[name].arrow.get_field_index("key")
    return rows.set_column(place, TABLE[name].arrow.field("key"), key)


def _make_paper(labels: Sequence[CitationLabel]) -> Paper:
    """One citing paper with all its labelled citations."""
    citing = labels[0].citing
    sections: dict[str, int] = {}
    works: dict[str, LabelledWork] = {}
    occurrences: list[Occurrence] = []
    for label in labels:
        works.setdefault(label.cited.id, label.cited)
        reference = list(works).index(label.cited.id)
        for context in label.contexts:
            if not context.text:
                continue
            section = sections.setdefault(context.section, len(sections))
            occurrences.append(
                Occurrence(
                    section,
                    reference,
                    context.text,
                    context.marker,
                    context.position,
                    context.intents,
                )
            )
    text = f"{citing.id}\n" + "\n".join(occurrence.context for occurrence in occurrences)
    return Paper(
        path=labels[0].place,
        sha256=hashlib.sha256(text.encode()).hexdigest(),
        ids=Identifiers(),
        title=citing.title,
        abstract=citing.abstract,
        year=citing.year,
        date=str(citing.year or ""),
        authors=_authors(citing),
        sections=tuple(map(_make_section, sections)),
        references=tuple(_make_reference(work) for work in works.values()),
        occurrences=tuple(occurrences),
        losses=Losses(len(occurrences), 0),
        own_id=citing.id,
        loader=LOADER,
    )


def _make_section(title: str) -> Section:
    found = type_section("", title, None)
    return Section(title, "body", 1, None, "", 0, "", found.type, found.source, found.combined)


def _make_reference(work: LabelledWork) -> Reference:
    return Reference(
        source_id=work.id,
        label="",
        ids=Identifiers(),
        title=work.title,
        source="",
        year=work.year,
        volume="",
        page="",
        authors=_authors(work),
        et_al=False,
        text="",
    )


def _authors(work: LabelledWork) -> tuple[Author, ...]:
    """By-line of a work: the surname is before the comma of a name, or its last word."""
    authors = []
    for name in work.authors:
        surname, comma, given = (part.strip() for part in name.partition(","))
        if not comma:
            given, _, surname = name.rpartition(" ")
        authors.append(Author(surname, given))
    return tuple(authors)
