"""What people and programs are told of an ingest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from citescape.core.errors import list_some
from citescape.runs.result import Part, Summary, Table, plural

if TYPE_CHECKING:
    from citescape.ingest.ingest import IngestResult

_SHOWN = 20
"""Rejected documents that are named; the table of the result has all."""
_NOTED = {
    "missing": ("cell", "that a table fills with NaN, NULL or the like: read as empty"),
    "no-title": ("paper", "without title"),
    "bad-year": ("paper", "with a year or date that cannot be read"),
}
"""Notes on rows of tables -> unit, and what is odd about it."""


def summarise(result: IngestResult) -> Summary:
    """Counts of what was loaded and lost, with what was rejected as remarks."""
    done = ", ".join(f"{n:,} {name}" for name, n in sorted(result.status.items()))
    lost = f"of {plural(result.anchors, 'pointer')}; lost: {_counts(result.losses) or 'none'}"
    rows = [
        ("papers", result.papers, _loaded(result)),
        ("authors", result.authors, ""),
        ("sections", result.sections, ""),
        ("citations in the text", result.occurrences, lost),
        ("citing-cited pairs", result.citations, ""),
    ]
    parts: list[Part] = [
        f"{done or 'no documents'} in {result.seconds:.1f} s; {result.place}",
        "",
        Table(("", "count", ""), rows),
    ]
    if result.import_command:
        parts += ["", "next, with the Neo4j server stopped and its database empty:"]
        parts.append(result.import_command)
    next_ = [("next", result.next)] if result.next else []
    return Summary(
        [] if result.exit_status else parts,
        figures(result),
        next_,
        [*_rejected(result), *_passed_over(result), *_citations(result), *_notes(result)],
    )


def figures(result: IngestResult) -> dict[str, Any]:
    """The figures of an ingest, as `--json` gives them."""
    imported = {"folder": result.import_folder, "command": result.import_command}
    return {
        "papers": result.papers,
        "fulltext_papers": result.fulltext_papers,
        "table_papers": result.table_papers,
        "authors": result.authors,
        "sections": result.sections,
        "occurrences": result.occurrences,
        "citations": result.citations,
        "anchors": result.anchors,
        "losses": result.losses,
        "rejected_files": len(result.rejected),
        "rejected": [{"path": path, "message": message} for path, message in result.rejected],
        "documents": dict(sorted(result.status.items())),
        "tables_of_citations": result.citations_read,
        "notes": dict(sorted(result.notes.items())),
        "seconds": round(result.seconds, 2),
        **(imported if result.import_command else {}),
    }


def _rejected(result: IngestResult) -> list[str]:
    """Names rejected documents, but for the damaged archive that the command ends with."""
    ended = result.damage.path if result.damage is not None else None
    named = [(path, message) for path, message in result.rejected if path != ended]
    lines = [f"rejected  {path}: {message}" for path, message in named[:_SHOWN]]
    if len(named) > _SHOWN:
        lines.append(f"rejected  {len(named) - _SHOWN:,} more; --save FILE lists them all")
    return lines


def _passed_over(result: IngestResult) -> list[str]:
    """One line on the files in folders and archives that are no papers."""
    if not result.passed_over:
        return []
    kinds = list_some([f"{n:,} {ending}" for ending, n in result.passed_over.most_common()])
    return [f"{plural(result.passed_over.total(), 'file')} passed over: {kinds}"]


def _citations(result: IngestResult) -> list[str]:
    """A line for each table of citations: its lines, and why some were left out."""
    lines = []
    for table in result.citations_read:
        lost, notes = _counts(table["lost"]), _counts(table["notes"])
        number = table["kept"] + sum(table["lost"].values())
        note = f"; of these {notes}" if notes else ""
        lines.append(
            f"{table['path']}: {plural(number, 'citation')}, {table['kept']:,} kept{note}; "
            f"left out: {lost or 'none'}"
        )
    return lines


def _notes(result: IngestResult) -> list[str]:
    """A line for each thing that is odd about papers of tables."""
    found = result.notes
    return [
        f"{plural(found[note], unit)} {text}"
        for note, (unit, text) in _NOTED.items()
        if found[note]
    ]


def _counts(found: Mapping[str, int]) -> str:
    return ", ".join(f"{n:,} {reason}" for reason, n in found.items())


def _loaded(result: IngestResult) -> str:
    """How many papers are not known from reference lists only; tables have no text."""
    full = result.fulltext_papers - result.table_papers
    counts = {"with full text": full, "from tables": result.table_papers}
    return ", ".join(f"{n:,} {kind}" for kind, n in counts.items() if n)
