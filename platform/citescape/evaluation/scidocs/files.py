"""Files of SciDocs: judgements, labels, clicks and propensities of positions."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from citescape.core.errors import SourceError
from citescape.core.records import iterate_lines, read_json
from citescape.evaluation.linear import Labelled
from citescape.metrics.ranked import Qrels
from citescape.search.listed import Floats

_CLICK = 'query_id,clicked_id,"other,ids"'


@dataclass(frozen=True)
class Click:
    """Papers shown for a query paper, and the clicked one."""

    query: str
    clicked: str
    shown: tuple[str, ...]
    """Papers in the order shown, including the clicked one."""

    @property
    def position(self) -> int:
        """Position of the clicked paper, from 0."""
        return self.shown.index(self.clicked)


def read_qrel(path: Path) -> Qrels:
    """Judgements in the format of trec_eval: lines `query 0 paper relevance`.

    Raises:
        SourceError: the file is missing, a line has other fields, or a paper is listed twice for a
            query.
    """
    rows = []
    for number, line in enumerate(iterate_lines(path), 1):
        fields = line.split()
        if not fields:
            continue
        if len(fields) != 4 or not _is_whole(fields[3]):
            raise SourceError(
                str(path),
                "not-a-qrel",
                f"line {number}: found {line.strip()!r}; expected `query 0 paper relevance`, "
                "relevance a whole number, and no spaces in ids",
            )
        rows.append((fields[0], fields[2], int(fields[3])))
    if not rows:
        raise SourceError(
            str(path), "empty", "expected lines `query 0 paper relevance`; found none"
        )
    queries, papers, relevance = zip(*rows, strict=True)
    table = pa.table({"query": queries, "document": papers, "relevance": relevance})
    return Qrels.from_rows(table, source=str(path))


def read_labelled(path: Path) -> Labelled:
    """Class labels: CSV with a header, ids in the first column and labels in the second.

    Raises:
        SourceError: the file is missing or empty, or a line has other columns.
    """
    papers, labels = [], []
    for number, row in _rows(path):
        if len(row) != 2 or not all(row):
            raise SourceError(
                str(path), "not-labels", f"line {number}: found {row}; expected an id and a label"
            )
        papers.append(row[0])
        labels.append(row[1])
    if not papers:
        raise SourceError(
            str(path), "empty", "expected papers with labels; found no row after the header"
        )
    whole = all(map(_is_whole, labels))
    values = np.array([int(label) for label in labels]) if whole else np.array(labels)
    return Labelled(pa.array(papers, pa.string()), values, str(path))


def read_clicks(path: Path) -> list[Click]:
    """Clicks: CSV with a header; the papers shown are in one column, separated by commas.

    Raises:
        SourceError: the file is missing or empty, a line has other columns, or a clicked
            paper is not among those shown.
    """
    clicks = []
    for number, row in _rows(path):
        shown = tuple(row[2].strip().split(",")) if len(row) == 3 else ()
        if len(row) != 3 or row[1] not in shown:
            raise SourceError(
                str(path),
                "not-a-click",
                f"line {number}: found {row}; expected {_CLICK}, the clicked one among them",
            )
        clicks.append(Click(row[0], row[1], shown))
    if not clicks:
        raise SourceError(
            str(path), "empty", f"expected lines {_CLICK}; found no row after the header"
        )
    return clicks


def read_propensities(path: Path) -> Floats:
    """(positions,) click propensities, scaled to a mean of 1.

    Raises:
        SourceError: the file is missing, or is not {"scores": [...]} of positive numbers.
    """
    content = read_json(path)
    scores = content.get("scores") if isinstance(content, dict) else None
    numbers = isinstance(scores, list) and all(
        isinstance(score, int | float) and not isinstance(score, bool) and 0 < score < float("inf")
        for score in scores
    )
    if not scores or not numbers:
        raise SourceError(
            str(path), "not-scores", 'expected {"scores": [...]} of positive numbers; found others'
        )
    values = np.array(scores, np.float64)
    scaled: Floats = values * len(values) / values.sum()
    return scaled


def _is_whole(text: str) -> bool:
    try:
        return str(int(text)) == text.strip().removeprefix("+")
    except ValueError:
        return False


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Line numbers and rows after the header, without empty rows."""
    rows = csv.reader(iterate_lines(path), strict=True)
    try:
        next(rows, None)
        for row in rows:
            if row:
                yield rows.line_num, row
    except csv.Error as error:
        raise SourceError(
            str(path),
            "not-csv",
            f"line {rows.line_num}: invalid CSV: {error}; the file may be truncated",
        ) from error
