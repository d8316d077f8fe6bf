"""Sections of the quality report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from citescape.core.config import store_words
from citescape.core.errors import list_some
from citescape.ingest.quality.conflicts import COMPARED
from citescape.ingest.quality.meanings import LOST, MATCHED, OUTCOMES, REJECTED, SOURCES
from citescape.ingest.quality.pictures import (
    HEADERS,
    draw_completeness,
    draw_references,
    format_share,
    name_row,
    share_of,
)
from citescape.ingest.quality.quality import Quality
from citescape.reports.content import (
    Cell,
    Lines,
    Picture,
    Question,
    ReportBlock,
    ReportSection,
    ReportTable,
)
from citescape.runs.result import plural
from citescape.store.queries import query

if TYPE_CHECKING:
    from citescape.ingest.ingest import IngestResult

_EXAMPLES = 3
"""Papers shown for each field in which sources disagree."""
_REJECTED = 20
"""Rejected documents to name; `--save` lists all."""
_TITLE = 80
"""Characters of a title in a table."""


def show_ingest(result: IngestResult) -> ReportSection:
    """Section on the documents of an ingest: outcomes, reasons of rejection, skipped files."""
    outcomes = [
        (name, Cell(f"{result.status[name]:,}"), meaning)
        for name, meaning in OUTCOMES.items()
        if result.status[name]
    ]
    caption = "Documents of this ingest, by outcome. A file may hold several documents."
    parts: list[ReportBlock] = [
        ReportTable(caption, ("Outcome", "Documents", "Meaning"), outcomes)
        if outcomes
        else "No document was found."
    ]
    if result.rejected:
        parts += _show_rejected(result)
    elif outcomes:
        parts.append("No document was rejected.")
    if result.passed_over:
        kinds = [f"{number:,} {ending}" for ending, number in result.passed_over.most_common()]
        parts.append(
            f"{plural(result.passed_over.total(), 'file')} of other kinds skipped: "
            f"{list_some(kinds, 8)}."
        )
    tables = [
        (table["path"], Cell(f"{table['kept']:,}"), _join_counts(table["lost"]) or "none")
        for table in (*result.citations_read, *result.notices_read)
    ]
    if tables:
        caption = "Tables of citations and notices: rows kept, and rows left out by reason."
        parts.append(ReportTable(caption, ("Table", "Kept", "Left out"), tables))
    if result.notes:
        notes = [(name, Cell(f"{number:,}")) for name, number in result.notes.most_common()]
        caption = f"Oddities in documents loaded now: {plural(result.notes.total(), 'note')}"
        parts.append(ReportTable(caption, ("Note", "Number"), notes, closed=True))
    return ReportSection("ingest", "What happened to each document", parts)


def _show_rejected(result: IngestResult) -> list[ReportBlock]:
    reasons = Counter(result.report["reason"].drop_null().to_pylist())
    rows = [
        (reason, Cell(f"{number:,}"), REJECTED.get(reason, ""))
        for reason, number in reasons.most_common()
    ]
    named = [(path, message) for path, message in result.rejected[:_REJECTED]]
    more = len(result.rejected) - len(named)
    caption = "Rejected documents, each with what was found"
    caption += f"; {more:,} more are listed by --save FILE" if more > 0 else ""
    return [
        ReportTable("Why documents were rejected.", ("Reason", "Documents", "Meaning"), rows),
        ReportTable(caption, ("Document", "Message"), named, closed=True),
    ]


def _join_counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{number:,} {reason}" for reason, number in counts.items())


def show_sources(quality: Quality) -> ReportSection:
    """Section with the papers of each source."""
    rows = [
        (
            row["source"],
            SOURCES.get(row["source"], "named by the user, or a table"),
            *(Cell(f"{row[name]:,}") for name in ("papers", "alone", "with_text", "entries")),
        )
        for row in quality.sources.to_pylist()
    ]
    header = ("Source", "What it is", "Papers", "Only here", "Text from here", "References")
    text = (
        "A paper that several sources have is one paper: each field comes from the most trusted "
        "source that has it, the text from one source, the reference lists from all."
    )
    caption = (
        "Loaded papers by source. Only here: no other source has the paper. Text from here: "
        "sections and in-text citations are of this source. References: entries in its lists."
    )
    parts: list[ReportBlock] = [ReportTable(caption, header, rows)]
    if len(rows) > 1:
        parts.insert(0, text)
    return ReportSection("sources", "Papers by source", parts)


def show_completeness(quality: Quality) -> ReportSection:
    """Section with the share of papers that have each field."""
    text = (
        "The row of a source counts what this source says. All loaded papers have the fields of "
        "all their sources together. Cited works are known from reference lists only, which print "
        "neither abstracts nor types; their rows are by the source of the lists."
    )
    pictures = [draw_completeness(quality.completeness, narrow=narrow) for narrow in (False, True)]
    rows: list[tuple[str | Cell, ...]] = [
        (
            name_row(row),
            Cell(f"{row['papers']:,}"),
            *(_share_cell(row, name) for name in HEADERS),
        )
        for row in quality.completeness.to_pylist()
    ]
    caption = "The same in numbers"
    return ReportSection(
        "completeness",
        "Which fields are filled",
        [
            text,
            Picture(
                "completeness",
                "Share of papers with each field",
                "Orange: less than half have it.",
                *pictures,
            ),
            ReportTable(caption, ("", "Papers", *HEADERS.values()), rows, closed=True),
        ],
    )


def _share_cell(row: Mapping[str, Any], name: str) -> Cell:
    if row[name] is None:
        return Cell("\N{EN DASH}")
    return Cell(f"{row[name]:,}", format_share(share_of(row, name)))


def show_references(quality: Quality, location: str) -> ReportSection:
    """Section on the works that entries of reference lists name, and what joined them."""
    if not quality.entries:
        return ReportSection(
            "references", "References", ["No source of this store has reference lists."]
        )
    pictures = [draw_references(quality.references, narrow=narrow) for narrow in (False, True)]
    matched = Counter[str]()
    for row in quality.references.to_pylist():
        matched[row["matched_by"]] += row["entries"]
    ways = [
        (
            name,
            Cell(f"{matched[name]:,}"),
            Cell(format_share(matched[name] / quality.entries)),
            text,
        )
        for name, text in MATCHED.items()
        if matched[name]
    ]
    parts: list[ReportBlock] = [
        f"{quality.unresolved:,} of {plural(quality.entries, 'entry', 'entries')} "
        f"({format_share(quality.unresolved / quality.entries)}) are unresolved: their work has no "
        "DOI or other id, and is no loaded paper. They still count as citations of that work, but "
        "entries that print the same work in other words may count as several works.",
        Picture(
            "references",
            "Where the entries of reference lists lead",
            "Entries of each source; a paper of several sources may have several lists.",
            *pictures,
        ),
        ReportTable(
            "What joined entries to their works. An entry that agrees with no other one in this "
            "way is the only one of its work.",
            ("Joined by", "Entries", "Share", "Meaning"),
            ways,
        ),
        _show_query("report/references", location),
    ]
    works = [
        (_cut(row["title"] or row["id"]), Cell(f"{row['year'] or ''}"), Cell(f"{row['entries']:,}"))
        for row in quality.unresolved_works.to_pylist()
    ]
    if works:
        caption = "Unresolved works that most entries name. A DOI may be found for them by hand."
        parts.append(ReportTable(caption, ("Work as printed", "Year", "Entries"), works))
        parts.append(_show_query("report/unresolved_works", location))
    return ReportSection("references", "References, and the works they name", parts)


def show_losses(quality: Quality) -> ReportSection:
    """Section on in-text citations: pointers in the texts = citations + losses by reason."""
    if not quality.pointers:
        text = "No text with citations is loaded: in-text citations need full texts."
        return ReportSection("losses", "Citations in the text", [text])
    sources = [
        (
            row["source"],
            Cell(f"{row['pointers']:,}"),
            Cell(f"{row['pointers'] - row['lost']:,}"),
            Cell(f"{row['lost']:,}"),
            Cell(_loss(row["lost"], row["pointers"])),
        )
        for row in quality.sources.to_pylist()
        if row["pointers"]
    ]
    caption = (
        "Pointers in the texts, such as [12] or (Smith 2010), each counted: read as an in-text "
        "citation, or lost with a reason."
    )
    parts: list[ReportBlock] = [
        ReportTable(caption, ("Source of the text", "Pointers", "Read", "Lost", "Share"), sources)
    ]
    reasons = Counter[str]()
    for row in quality.losses.to_pylist():
        reasons[row["reason"]] += row["lost"]
    if not reasons:
        parts.append("No citation was lost.")
    else:
        rows = [
            (reason, Cell(f"{number:,}"), LOST.get(reason, ""))
            for reason, number in reasons.most_common()
        ]
        parts.append(ReportTable("Why they were lost.", ("Reason", "Lost", "Meaning"), rows))
        papers = [
            (row["id"], row["source"], Cell(f"{row['pointers']:,}"), Cell(f"{row['lost']:,}"))
            for row in quality.lossy_papers.to_pylist()
        ]
        caption = "Papers that lost most"
        header = ("Paper", "Source", "Pointers", "Lost")
        parts.append(ReportTable(caption, header, papers, closed=True))
    return ReportSection("losses", "Citations in the text", parts)


def _loss(lost: int, pointers: int) -> str:
    share = lost / pointers
    return "0%" if not share else f"{share:.1%}" if share >= 0.001 else "<0.1%"


def show_conflicts(quality: Quality, location: str) -> ReportSection:
    """Section on papers whose sources disagree."""
    title = "Where sources disagree"
    if not quality.joint:
        text = "No paper has several sources, so there is nothing to compare."
        return ReportSection("conflicts", title, [text])
    rows = [
        (
            row["field"],
            Cell(f"{row['compared']:,}"),
            Cell(f"{row['disagree']:,}"),
            Cell(_loss(row["disagree"], row["compared"])),
        )
        for row in quality.conflicts.to_pylist()
        if row["compared"]
    ]
    parts: list[ReportBlock] = [
        f"{plural(quality.joint, 'paper')} have several sources; for {quality.agreeing:,} of them "
        "all sources agree in all fields below. Case, accents and punctuation do not count. Names "
        "of journals are not compared, because sources abbreviate them.",
        ReportTable(
            "Papers for which two sources or more have the field, and those whose sources "
            "disagree. Records with different DOIs are different papers.",
            ("Field", "Compared", "Disagree", "Share"),
            rows,
        ),
    ]
    examples = _list_examples(quality.values.to_pylist())
    if examples:
        caption = (
            f"The largest differences, up to {_EXAMPLES} papers for each field. The value in the "
            "graph is that of the most trusted source."
        )
        header = ("Field", "Paper", "In the graph", "Other sources")
        parts.append(ReportTable(caption, header, examples))
        store = store_words(location)
        parts.append(
            "To see all of them, save the tables; to see the records of one paper, show its "
            "identity. To correct a value, correct the file of the source and load it again."
        )
        parts.append(
            Lines(
                f"platform status --report quality.html --save quality.xlsx{store}\n"
                f"platform identity show {quality.values['paper'][0].as_py()}{store}"
            )
        )
    return ReportSection("conflicts", title, parts)


def _list_examples(values: Sequence[Mapping[str, Any]]) -> list[tuple[str, ...]]:
    """Field, paper, used value and other values of the papers with the largest differences."""
    rows: list[tuple[str, ...]] = []
    for item in COMPARED:
        papers: dict[str, list[Mapping[str, Any]]] = {}
        for row in values:
            if row["field"] == item.name:
                papers.setdefault(row["paper"], []).append(row)
        largest = sorted(papers.items(), key=lambda pair: (-pair[1][0]["distance"], pair[0]))
        for paper, known in largest[:_EXAMPLES]:
            name = paper if item.name == "title" else f"{_cut(known[0]['title'], 45)} {paper}"
            field = item.name if paper == largest[0][0] else ""
            rows.append((field, name, _join_values(known, True), _join_values(known, False)))
    return rows


def _join_values(rows: Sequence[Mapping[str, Any]], used: bool) -> str:
    """`2019 (jats, tei)`: the values of some sources."""
    sources: dict[str, list[str]] = {}
    for row in rows:
        if row["used"] == used:
            sources.setdefault(row["value"], []).append(row["source"])
    return "; ".join(
        f"{_cut(value, 2 * _TITLE)} ({', '.join(names)})" for value, names in sources.items()
    )


def show_next(location: str) -> ReportSection:
    """Section with commands that look further."""
    store = store_words(location)
    commands = [
        f"platform status --sources{store}",
        f"platform cypher report/completeness{store}",
        f"platform cypher report/unresolved_works --param limit=100{store}",
        f"platform evaluate references{store}",
        f"platform evaluate authors{store}",
    ]
    text = "The two last commands hide ids and measure how well works and people are found."
    return ReportSection("next", "Where to look next", [Lines("\n".join(commands)), text])


def _show_query(name: str, location: str) -> Question:
    """The Cypher of a table, and the command that runs it."""
    command = f"platform cypher {name}{store_words(location)}"
    return Question("The Cypher of this table", query(name).text.strip(), command)


def _cut(text: str, most: int = _TITLE) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"
