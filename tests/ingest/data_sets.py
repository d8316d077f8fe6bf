"""Small data sets of tables for tests."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

Cells = Mapping[str, str]


def write_table(path: Path, rows: Sequence[Cells], columns: Sequence[str] = ()) -> Path:
    """A CSV file with the columns of all rows."""
    names = list(columns) or list(dict.fromkeys(name for row in rows for name in row))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, names)
        writer.writeheader()
        writer.writerows(rows)
    return path


def write_papers(folder: Path, *rows: Cells) -> Path:
    """`papers.csv`."""
    return write_table(folder / "papers.csv", rows, () if rows else ("id", "title"))


def write_citations(folder: Path, *pairs: tuple[str, str]) -> Path:
    """`citations.csv`."""
    rows = [{"citing": citing, "cited": cited} for citing, cited in pairs]
    return write_table(folder / "citations.csv", rows, ("citing", "cited"))


def titled(*ids: str) -> list[dict[str, str]]:
    """Papers with an id, a title, a year and an author."""
    return [{"id": id_, "title": f"On {id_}", "year": "2001", "authors": "Shull, G"} for id_ in ids]
