"""Files of SciRepEval: labels, judgements, and papers of reviewers."""

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
    """Labels of a part of the data: records with `paper_id` and `label`.

    Args:
        folder: folder with SPLIT.csv, SPLIT.jsonl, SPLIT.parquet or SPLIT-*.parquet.
        split: part of the data, such as `train` or `test`.
        kind: `ONE`, a string or integer per paper; `MANY`, lists of 0 and 1 of equal length;
            `NUMBER`, a finite number per paper.

    Raises:
        SourceError: the file is missing or empty, or a record is invalid.
    """
    paths = find_files(folder, split)
    papers: list[str] = []
    labels: list[Any] = []
    for where, record in read_records(paths, ("paper_id", "label")):
        papers.append(to_id(record["paper_id"], where))
        labels.append(_PARSERS[kind](record["label"], where))
    source = str(paths[0])
    if kind == MANY and len({len(label) for label in labels}) != 1:
        lengths = sorted({len(label) for label in labels})
        raise SourceError(source, "lengths", f"expected labels of one length; found {lengths}")
    if kind == ONE and not all(isinstance(label, int) for label in labels):
        labels = [str(label) for label in labels]
    return Labelled(pa.array(papers, pa.string()), np.array(labels), source)


def read_judged(folder: Path, split: str = "test") -> Qrels:
    """Judgements: records with `query_id`, `cand_id` and `score`, a whole number.

    Args:
        folder: folder with SPLIT_qrel.jsonl, or SPLIT_qrel or SPLIT in another format.
        split: part of the data.

    Raises:
        SourceError: the file is missing or empty, a record is invalid, or a candidate is listed
            twice for a query.
    """
    paths = find_files(folder, f"{split}_qrel", split)
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
    """Papers of reviewers: records with `r_id` and `papers`, a list of ids.

    Args:
        place: file, or folder with reviewer_metadata.jsonl, or reviewer_metadata or metadata
            in another format.

    Raises:
        SourceError: the file is missing or empty, or a record is invalid.
    """
    paths = [place] if place.is_file() else find_files(place, "reviewer_metadata", "metadata")
    by_reviewer: dict[str, list[str]] = {}
    for where, record in read_records(paths, ("r_id", "papers")):
        if not isinstance(record["papers"], list):
            raise _error(where, f"{record['papers']!r} as papers; expected a list of ids")
        reviewer = to_id(record["r_id"], where)
        if reviewer in by_reviewer:
            raise _error(where, f"{reviewer!r} twice; expected each reviewer once")
        by_reviewer[reviewer] = [to_id(paper, where) for paper in record["papers"]]
    return by_reviewer


def iterate_texts(place: Path) -> Iterator[tuple[str, object, object]]:
    """Id, title and abstract of records, see `records.find_id`.

    Args:
        place: file, or folder with metadata.jsonl, or metadata or evaluation in another
            format.

    Raises:
        SourceError: the file is missing or empty, or a record has no id.
    """
    paths = [place] if place.is_file() else find_files(place, "metadata", "evaluation")
    for where, record in read_records(paths):
        yield find_id(record, where), record.get("title"), record.get("abstract")


def find_files(folder: Path, *names: str) -> list[Path]:
    """The file with the first name that exists; Parquet may have several parts.

    Raises:
        SourceError: no such file.
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
        raise _error(where, f"{value!r} as label; expected a string or an integer")
    try:
        return int(value) if str(int(value)) == str(value) else str(value)
    except ValueError:
        return str(value)


def _to_labels(value: object, where: str) -> list[int]:
    try:
        labels = json.loads(value) if isinstance(value, str) else value  # in CSV
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
