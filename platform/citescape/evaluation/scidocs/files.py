"""Files of SciDocs: judgements, labels, clicks and how likely each position is clicked."""

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
    """Papers shown beside a query paper, and the clicked one of them."""

    query: str
    clicked: str
    shown: tuple[str, ...]
    """In the order shown; the clicked one is among them."""

    @property
    def position(self) -> int:
        """Of the clicked one, 0 for the first."""
        return self.shown.index(self.clicked)


def read_qrel(path: Path) -> Qrels:
    """Judgements as trec_eval takes them: lines `query 0 paper relevance`.

    Raises:
        SourceError: there is no such file, a line has other fields, or a paper stands twice beside
            a query.
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
        SourceError: there is no such file, nothing is in it, or a line has other columns.
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
        raise SourceError(str(path), "empty", "expected papers with labels; found a header at most")
    whole = all(map(_is_whole, labels))
    values = np.array([int(label) for label in labels]) if whole else np.array(labels)
    return Labelled(pa.array(papers, pa.string()), values, str(path))


def read_clicks(path: Path) -> list[Click]:
    """Clicks: CSV with a header; the papers shown are in one column, separated by commas.

    Raises:
        SourceError: there is no such file, nothing is in it, a line has other columns, or a clicked
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
        raise SourceError(str(path), "empty", f"expected lines {_CLICK}; found a header at most")
    return clicks


def read_propensities(path: Path) -> Floats:
    """(positions,) how likely each is clicked, scaled so that their mean is 1.

    Raises:
        SourceError: there is no such file, or it is not {"scores": [...]} of positive numbers.
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
    """Rows after the header with their line numbers, empty ones left out."""
    rows = csv.reader(iterate_lines(path), strict=True)
    try:
        next(rows, None)
        for row in rows:
            if row:
                yield rows.line_num, row
    except csv.Error as error:
        raise SourceError(
            str(path), "not-csv", f"line {rows.line_num}: no CSV: {error}; it may be cut off"
        ) from error
