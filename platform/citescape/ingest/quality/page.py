"""Writes the quality report of a store, perhaps after an ingest, as one HTML page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from citescape.core.errors import ConfigError
from citescape.core.files import check_folder, write_files
from citescape.core.redaction import redact
from citescape.ingest.quality.pictures import format_share
from citescape.ingest.quality.quality import Quality, read_quality
from citescape.ingest.quality.sections import (
    show_completeness,
    show_conflicts,
    show_ingest,
    show_losses,
    show_next,
    show_references,
    show_sources,
)
from citescape.reports.content import ReportContent
from citescape.reports.page import write_page
from citescape.runs.context import Context
from citescape.runs.result import plural

if TYPE_CHECKING:
    from citescape.ingest.ingest import IngestResult
    from citescape.ingest.overview import Overview

_ORIGIN = "Quality report made by citescape"


def check_report(out: Path) -> None:
    """Checks before the work that the page can be written; an earlier one is replaced.

    Raises:
        ConfigError: no such folder, or the file exists and is no quality report.
    """
    check_folder(out)
    if out.exists() and not (out.is_file() and _ORIGIN.encode() in out.read_bytes()):
        raise ConfigError(f"{out} exists and is no quality report; name another file")


def report_ingest(
    context: Context, result: IngestResult, out: Path, *, paths: Sequence[Path]
) -> IngestResult:
    """Writes the page of an ingest; returns its result with the figures of the page.

    If nothing could be loaded into a new store, the page has the outcomes of the documents alone.

    Args:
        context: the store.
        result: outcomes of the documents.
        out: HTML file to write.
        paths: files and folders that were given.
    """
    quality = read_quality(context.store, context.progress) if context.exists else None
    context.progress("writing the report")
    _write(make_page(quality, context.location, result=result, paths=paths), out)
    return replace(result, quality=quality, page=out)


def report_store(context: Context, overview: Overview, out: Path) -> Overview:
    """Writes the page of a store as it stands; returns the overview with the figures of the page.

    Args:
        context: the store.
        overview: its counts.
        out: HTML file to write.
    """
    quality = read_quality(context.store, context.progress)
    context.progress("writing the report")
    _write(make_page(quality, context.location), out)
    return replace(overview, quality=quality, page=out)


def _write(report: ReportContent, out: Path) -> None:
    page = write_page(report).encode(errors="backslashreplace")
    write_files({out: lambda file: file.write(page)})


def make_page(
    quality: Quality | None,
    location: str,
    *,
    result: IngestResult | None = None,
    paths: Sequence[Path] = (),
) -> ReportContent:
    """The content of the page.

    Args:
        quality: figures of the store; None if there is no store.
        location: path or address of the store.
        result: outcomes of the documents of an ingest; None for a store as it stands.
        paths: files and folders that were given to the ingest.
    """
    sections = [show_ingest(result)] if result is not None else []
    has_papers = quality is not None and quality.papers > 0
    if quality is not None and has_papers:
        sections += [
            show_sources(quality),
            show_completeness(quality),
            show_references(quality, location),
            show_losses(quality),
            show_conflicts(quality, location),
            show_next(location),
        ]
    place = f"Store: {redact(location)}."
    if paths:
        place = f"Loaded: {', '.join(map(str, paths))}. {place}"
    return ReportContent(
        kicker="citescape \N{MIDDLE DOT} quality report",
        title="How complete the data are" if result is None else "What was loaded",
        finding=_summarise(quality) if quality and has_papers else "No paper is loaded.",
        about=f"{place} Date: {date.today():%Y-%m-%d}.",
        facts=_list_facts(quality, result),
        sections=sections,
        origin=f"{_ORIGIN}; platform status --report makes it again for the store as it stands.",
    )


def _summarise(quality: Quality) -> str:
    """The main figures in two or three sentences."""
    sentences = [
        f"The store has {plural(quality.papers, 'paper')} from "
        f"{plural(quality.sources.num_rows, 'source')}."
    ]
    if quality.pointers:
        read = quality.pointers - quality.lost
        number = f"{read:,} of {quality.pointers:,}" if quality.lost else f"All {read:,}"
        sentences.append(f"{number} citations in their texts were read.")
    if quality.entries:
        known = 1 - quality.unresolved / quality.entries
        sentences.append(
            f"Of the entries in their reference lists, {format_share(known)} lead to a loaded "
            "paper or to a work with a DOI or another id."
        )
    return " ".join(sentences)


def _list_facts(quality: Quality | None, result: IngestResult | None) -> list[tuple[str, str]]:
    facts: list[tuple[str, int]] = []
    if result is not None:
        facts.append(("documents loaded", result.status["loaded"]))
        facts.append(("rejected", len(result.rejected)))
    if quality is not None:
        facts += [
            ("papers in the store", quality.papers),
            *([("sources disagree", quality.joint - quality.agreeing)] if quality.joint else []),
            ("citations lost", quality.lost),
            ("references unresolved", quality.unresolved),
        ]
    return [(name, f"{number:,}") for name, number in facts]
