"""Summary of an ingest, for people and for `--json`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citescape.core.errors import list_some
from citescape.loaders.formats import NO_RECORDS
from citescape.runs.result import Part, Summary, Table, plural

if TYPE_CHECKING:
    from citescape.ingest.ingest import IngestResult
    from citescape.ingest.quality.quality import Quality

_SHOWN = 20
"""Maximum number of rejected documents to name; the table of the result has all."""
_NOTED = {
    "missing": ("cell", "with NaN, NULL or the like: read as empty"),
    "no-title": ("paper", "without title"),
    "bad-year": ("paper", "with a year or date that cannot be read"),
}
"""Notes on rows of tables -> unit and description."""


def summarise(result: IngestResult) -> Summary:
    """Counts of loaded and lost documents, with the rejected ones as remarks."""
    done = ", ".join(f"{n:,} {name}" for name, n in sorted(result.status.items()))
    if notices := sum(table["kept"] for table in result.notices_read):
        done = ", ".join(filter(None, (done, plural(notices, "notice"))))
    full = result.fulltext_papers - result.table_papers
    cited = result.papers - result.fulltext_papers
    kinds = {"with full text": full, "without text": result.table_papers, "cited only": cited}
    lost = f"of {plural(result.anchors, 'pointer')}; lost: {_counts(result.losses) or 'none'}"
    rows = [
        ("papers", result.papers, ", ".join(f"{n:,} {kind}" for kind, n in kinds.items() if n)),
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
        parts += ["", "next, with the Neo4j server stopped and its database empty, run:"]
        parts.append(result.import_command)
    if result.page is not None:
        parts += ["", f"quality report: {result.page}"]
    next_ = [("next", result.next)] if result.next and not result.exit_status else []
    return Summary([] if result.exit_status else parts, figures(result), next_, _remarks(result))


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
        "tables_of_notices": result.notices_read,
        "tables_of_values": result.values_read,
        "without_citations": list(result.without_citations),
        "columns_not_read": result.unread_columns,
        "notes": dict(sorted(result.notes.items())),
        "seconds": round(result.seconds, 2),
        **(imported if result.import_command else {}),
        **report_figures(result.page, result.quality),
    }


def report_figures(page: Path | None, quality: Quality | None) -> dict[str, Any]:
    """Path and figures of a quality report, for `--json`; nothing without a report."""
    if page is None:
        return {}
    return {"report": str(page), "quality": None if quality is None else quality.figures()}


def _remarks(result: IngestResult) -> list[str]:
    """Lines on rejected documents, skipped files, tables of citations, and their rows."""
    # The command ends with the error of a damaged archive, so that is not named here.
    damaged = result.damage.path if result.damage is not None else None
    rejected = [(path, message) for path, message in result.rejected if path != damaged]
    lines = [f"rejected  {path}: {message}" for path, message in rejected[:_SHOWN]]
    if len(rejected) > _SHOWN:
        lines.append(f"rejected  {len(rejected) - _SHOWN:,} more; --save FILE lists them all")
    if others := result.others:
        shown = list_some([Path(path).name for path in others])
        verb = "is not a paper" if len(others) == 1 else "are not papers"
        lines.append(f"{plural(len(others), 'file')} {verb}: {shown}")
    if result.passed_over:
        kinds = list_some([f"{n:,} {ending}" for ending, n in result.passed_over.most_common()])
        unit = "item" if not result.passed_over.keys().isdisjoint(NO_RECORDS) else "file"
        lines.append(f"{plural(result.passed_over.total(), unit)} skipped: {kinds}")
    for table in result.citations_read:
        lost, notes = _counts(table["lost"]), _counts(table["notes"])
        number = table["kept"] + sum(table["lost"].values())
        note = f"; of these {notes}" if notes else ""
        lines.append(
            f"{table['path']}: {plural(number, 'citation')}, {table['kept']:,} kept{note}; "
            f"left out: {lost or 'none'}"
        )
    for table in result.values_read:
        lost, (content,) = _counts(table["lost"]), table["notes"]
        kept = f"{table['kept']:,} {content} kept"
        lines.append(f"{table['path']}: {kept}; left out: {lost or 'none'}")
    for table in result.notices_read:
        lost = _counts(table["lost"])
        notes = "".join(f"; {text}: {n:,}" for text, n in table["notes"].items())
        kept = plural(table["kept"], "notice")
        lines.append(f"{table['path']}: {kept} kept{notes}; left out: {lost or 'none'}")
    if result.absent_types:
        names = ", ".join(result.absent_types)
        lines.append(f"no paper has the type {names}, which --types names")
    lines += [
        f"{path}: loaded without citations, because no table of citations was given"
        for path in result.without_citations
    ]
    lines += [
        f"{path}: {plural(len(columns), 'column')} not read: {list_some(columns)}"
        for path, columns in result.unread_columns.items()
    ]
    if result.page is not None and result.exit_status:  # the summary has no lines then
        lines.append(f"quality report: {result.page}")
    counts = result.notes
    for name, (unit, text) in _NOTED.items():
        if counts[name]:
            lines.append(f"{plural(counts[name], unit)} {text}")
    return lines


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{n:,} {reason}" for reason, n in counts.items())
