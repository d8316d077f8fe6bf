"""Reports of evaluations as files: page, text, pictures, and their figures for spreadsheets."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import BinaryIO

import pyarrow.csv

from citescape.config import DEFAULT_STORE
from citescape.errors import ConfigError
from citescape.evaluation.evaluated import EvaluationRun
from citescape.evaluation.report.pages import make_pages
from citescape.exports.files import write_files
from citescape.exports.spreadsheets import disarm


def write_report(
    made: EvaluationRun, folder: Path | None = None, *, location: str = DEFAULT_STORE
) -> list[Path]:
    """Writes report.html, report.md, pictures as SVG, figures.csv and differences.csv.

    All of them or none: see `files.write_files`.

    Args:
        made: a whole run.
        folder: created if need be; None for the run's own. Older files of these names are replaced.
        location: of the store, for the command that repeats the run.

    Returns:
        The files, the page first.

    Raises:
        SourceError: a file of the run is missing or damaged.
        ConfigError: nothing can be written there.
    """
    out = folder or made.path
    pages = make_pages(made, location)
    tables = {"figures.csv": made.figures, "differences.csv": made.differences}
    files = {out / name: partial(_write_text, text) for name, text in pages.items()}
    files |= {
        out / name: partial(pyarrow.csv.write_csv, disarm(table))
        for name, table in tables.items()
        if table is not None
    }
    _make(out)
    return list(write_files(files))


def _write_text(text: str, sink: BinaryIO) -> None:
    sink.write(text.encode())


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(
            f"the folder {folder} cannot be made: {error.strerror}; name another with --out"
        ) from error
