"""Files of SciRepEval's tasks: labels, judgements, and what reviewers wrote."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from citescape.core.errors import SourceError
from citescape.core.records import find_id, read_records, to_id
from citescape.evaluation.linear import Labelled
from citescape.metrics.ranked import Qrels

ONE, MANY, NUMBER = "one label", "several labels", "a number"


def read_labelled(folder: Path, split: str, *, kind: str = ONE) -> Labelled:
    """Labels of `train` or `test`: records with `paper_id` and `label`.

    Args:
        folder: with SPLIT.csv, SPLIT.jsonl, SPLIT.parquet or SPLIT-*.parquet.
        split: `train` or `test`.
        kind: `ONE`, a text or whole number each; `MANY`, a list of 0 and 1 each, all as long;
            `NUMBER`, a finite number each.

    Raises:
        SourceError: there is no such file, nothing is in it, or a record is not what it should be.
    """
    paths = find_files(folder, split)
    papers: list[str] = []
    labels: list[Any] = []
    for where, record in read_records(paths, ("paper_id", "label")):
        papers.append(to_id(record["paper_id"], where))
        labels.append(_PARSERS[kind](record["label"], where))
    source = str(paths[0])
    if kind == MANY and len({len(label) for label in labels}) != 1:
        found = sorted({len(label) for label in labels})
        raise SourceError(source, "lengths", f"expected labels of one length; found {found}")
    if kind == ONE and not all(isinstance(label, int) for label in labels):
        labels = [str(label) for label in labels]
    return Labelled(pa.array(papers, pa.string()), np.array(labels), source)


def read_judged(folder: Path) -> Qrels:
    """Judgements: records with `query_id`, `cand_id` and `score`, a whole number.

    Args:
        folder: with test_qrel.jsonl, or test_qrel or test in another format.

    Raises:
        SourceError: there is no such file, nothing is in it, a record is not what it should be, or
            a candidate stands twice beside a query.
    """
    paths = find_files(folder, "test_qrel", "test")
    rows = []
    for where, record in read_records(paths, ("query_id", "cand_id", "score")):
        score = _to_number(record["score"], where)
        if score != int(score):
            raise _error(where, f"{record['score']!r} as score; expected a whole number")
        rows.append((to_id(record["query_id"], where), to_id(record["cand_id"], where), score))
    queries, documents, scores = zip(*rows, strict=True)
    table = pa.table({"query": queries, "document": documents, "relevance": scores})
    return Qrels.from_rows(table, source=str(paths[0]))


def read_reviewers(place: Path) -> dict[str, list[str]]:
    """What reviewers wrote: records with `r_id` and `papers`, a list of ids.

    Args:
        place: the file, or a folder with reviewer_metadata.jsonl, or reviewer_metadata or metadata
            in another format.

    Raises:
        SourceError: there is no such file, nothing is in it, or a record is not what it should be.
    """
    paths = [place] if place.is_file() else find_files(place, "reviewer_metadata", "metadata")
    written: dict[str, list[str]] = {}
    for where, record in read_records(paths, ("r_id", "papers")):
        if not isinstance(record["papers"], list):
            raise _error(where, f"{record['papers']!r} as papers; expected a list of ids")
        reviewer = to_id(record["r_id"], where)
        if reviewer in written:
            raise _error(where, f"{reviewer!r} again; expected each reviewer once")
        written[reviewer] = [to_id(paper, where) for paper in record["papers"]]
    return written


def iterate_texts(place: Path) -> Iterator[tuple[str, object, object]]:
    """Id, title and abstract of records, see `records.find_id`.

    Args:
        place: the file, or a folder with metadata.jsonl, or metadata or evaluation in another
            format.

    Raises:
        SourceError: there is no such file, nothing is in it, or a record has no id.
    """
    paths = [place] if place.is_file() else find_files(place, "metadata", "evaluation")
    for where, record in read_records(paths):
        yield find_id(record, where), record.get("title"), record.get("abstract")


def find_files(folder: Path, *names: str) -> list[Path]:
    """The file of the first of some names that is there; of Parquet there may be several.

    Raises:
        SourceError: there is none.
    """
    for name in names:
        for ending in (".csv", ".jsonl", ".parquet"):
            if (folder / f"{name}{ending}").is_file():
                return [folder / f"{name}{ending}"]
        parts = sorted(folder.glob(f"{name}-*.parquet"))
        if parts:
            return parts
    raise SourceError(
        str(folder),
        "no-file",
        f"expected {' or '.join(names)}.csv, .jsonl or .parquet; found no such file",
    )


def _to_label(value: object, where: str) -> int | str:
    if (isinstance(value, float) and value.is_integer()) or isinstance(value, bool):
        return int(value)
    if not isinstance(value, str | int) or value == "":
        raise _error(where, f"{value!r} as label; expected a text or a whole number")
    try:
        return int(value) if str(int(value)) == str(value) else str(value)
    except ValueError:
        return str(value)


def _to_labels(value: object, where: str) -> list[int]:
    try:
        labels = json.loads(value) if isinstance(value, str) else value  # of CSV
    except ValueError:
        labels = None
    if not isinstance(labels, list) or not labels or any(label not in (0, 1) for label in labels):
        raise _error(where, f"{value!r} as label; expected a list of 0 and 1")
    return [int(label) for label in labels]


def _to_number(value: object, where: str) -> float:
    try:
        number = float(value) if isinstance(value, str | int | float) else math.nan
    except (ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise _error(where, f"{value!r}; expected a finite number")
    return number


def _error(where: str, message: str) -> SourceError:
    return SourceError(where, "not-a-record", f"found {message}")


_PARSERS = {ONE: _to_label, MANY: _to_labels, NUMBER: _to_number}
