"""Reports of evaluations as files: page, text, pictures, and figures as CSV."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import BinaryIO

import pyarrow.csv

from citescape.core.errors import ConfigError
from citescape.core.files import write_files
from citescape.core.spreadsheets import disarm
from citescape.evaluation.report.build import build_report
from citescape.evaluation.report.markdown import write_markdown
from citescape.evaluation.report.pictures import PICTURES
from citescape.metrics.evaluation_run import EvaluationRun
from citescape.reports.content import Picture
from citescape.reports.page import write_drawing, write_page

PAGE, TEXT = "report.html", "report.md"
FIGURES, DIFFERENCES = "figures.csv", "differences.csv"
_VARYING = (DIFFERENCES, *(f"{name}.svg" for name in PICTURES))
"""Files that only some reports have."""
_ORIGIN = re.compile(r"^Made (?:of|from) evaluate-[0-9a-f]{12}\. All figures", re.MULTILINE)
"""The line by which the text of a report is recognised."""


def write_report(run: EvaluationRun, folder: Path | None = None) -> list[Path]:
    """Writes report.html, report.md, pictures as SVG, figures.csv and differences.csv.

    All files are written or none, see `files.write_files`. Files of an older report are removed.

    Args:
        run: a complete run.
        folder: created if it does not exist; None for the folder of the run. Files of an older
            report are replaced, or removed if the new report lacks them.

    Returns:
        The files, the page first.

    Raises:
        SourceError: a file of the run is missing or damaged.
        ConfigError: the folder is not writable, or an old file cannot be removed.
    """
    out = folder or run.path
    tables = {FIGURES: run.figures, DIFFERENCES: run.differences}
    files = {out / name: partial(_write_text, text) for name, text in make_pages(run).items()}
    files |= {
        out / name: partial(pyarrow.csv.write_csv, disarm(table))
        for name, table in tables.items()
        if table is not None
    }
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(
            f"cannot create the folder {out}: {error.strerror}; name another with --out"
        ) from error

    # the text of an older report names its files
    path = out / TEXT
    text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    varying = {name for name in _VARYING if f"({name})" in text or f" and {name} beside" in text}
    older = {out / name for name in varying if _ORIGIN.search(text)} - files.keys()
    written = list(write_files(files))
    for path in sorted(older):
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise ConfigError(
                f"the report is written, but {path} of an older report cannot be removed: "
                f"{error.strerror}; remove it"
            ) from error
    return written


def _write_text(text: str, sink: BinaryIO) -> None:
    sink.write(text.encode())


def make_pages(run: EvaluationRun) -> dict[str, str]:
    """Name -> content of the files: report.html, report.md, an SVG for each picture.

    The page needs no other file and no network. The same run gives the same bytes.

    Raises:
        SourceError: a file of the run is missing or damaged.
    """
    report = build_report(run)
    parts = [part for section in report.sections for part in section.parts]
    pictures = [part for part in parts if isinstance(part, Picture)]
    drawings = {f"{picture.name}.svg": write_drawing(picture.wide) for picture in pictures}
    return {PAGE: write_page(report), TEXT: write_markdown(report), **drawings}
