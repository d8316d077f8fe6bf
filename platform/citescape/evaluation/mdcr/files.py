"""Published files of a benchmark: candidates, texts, scores."""

from __future__ import annotations

import json
import math
from contextlib import suppress
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import SourceError
from citescape.core.records import find_id, read_json, read_records
from citescape.evaluation.mdcr.benchmark import MdcrBenchmark, iterate_candidates
from citescape.evaluation.texts import gather
from citescape.papers.documents import DocumentCorpus
from citescape.ranking.run_file import read_scored

_PAIR = ["query", "candidate"]
_COLUMNS = ("field", "query", "kind", "candidate")


def read_benchmark(path: Path) -> MdcrBenchmark:
    """Reads `mdcr_test.json` or a file like it: {field: {query: {kind: [candidate, ...]}}}.

    Raises:
        SourceError: the file is not JSON or has another structure.
    """
    rows = list(iterate_candidates(read_json(path), str(path)))
    columns = list(zip(*rows, strict=True)) or [()] * len(_COLUMNS)
    arrays = [pa.array(column, pa.string()) for column in columns]
    return MdcrBenchmark(pa.table(arrays, list(_COLUMNS)), str(path))


def write_benchmark(path: Path, benchmark: MdcrBenchmark) -> None:
    """Writes the published format, see `read_benchmark`."""
    fields: dict[str, dict[str, dict[str, list[str]]]] = {}
    for row in benchmark.table.to_pylist():
        kinds = fields.setdefault(row["field"], {}).setdefault(row["query"], {})
        kinds.setdefault(row["kind"], []).append(row["candidate"])
    path.write_text(json.dumps(fields, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def read_texts(path: Path) -> DocumentCorpus:
    """Reads titles and abstracts: JSON Lines with an id, `title` and `abstract` in each.

    See `records.find_id` and `texts.gather`.

    Raises:
        SourceError: a line is not such an object.
    """
    return gather(
        (find_id(record, where), record.get("title"), record.get("abstract"))
        for where, record in read_records([path])
    )


def write_texts(path: Path, corpus: DocumentCorpus) -> None:
    """Writes the format that `read_texts` reads."""
    with path.open("w", encoding="utf-8") as file:
        for id_, document in zip(corpus.papers["id"].to_pylist(), corpus.documents, strict=True):
            paper = {"paper_id": id_, "title": document.title, "abstract": document.abstract}
            file.write(json.dumps(paper, ensure_ascii=False) + "\n")


def read_scores(path: Path, pairs: pa.Table) -> pa.Table:
    """Reads scores of candidates; higher is better.

    Args:
        path: JSON `{"query_candidate": score}`, as published; or Parquet with columns query,
            candidate, score.
        pairs: pairs of `MdcrBenchmark.pairs`. Keys are never split, so that ids may contain `_`.

    Returns:
        The pairs with `score`, null if it is missing.

    Raises:
        SourceError: the file has another format, a score is not a number, or a key matches several
            pairs.
    """
    source = str(path)
    if path.suffix == ".parquet":
        table = read_scored(path, (*_PAIR, "score"))
        if table.group_by(_PAIR).aggregate([]).num_rows < table.num_rows:
            raise SourceError(
                source, "repeated", "a pair has several scores; expected one for each"
            )
        if pc.any(pc.is_nan(table["score"])).as_py():
            raise SourceError(
                source, "no-number", "a score is NaN; expected numbers, or null if it is missing"
            )
        return pairs.join(table, _PAIR, join_type="left outer")

    parsed = read_json(path)
    if not isinstance(parsed, dict):
        raise SourceError(
            source, "not-scores", f"expected an object of scores; found {type(parsed).__name__}"
        )
    # two pairs may have one key: `a_b` with `c`, and `a` with `b_c`
    keys = pc.binary_join_element_wise(pairs["query"], pairs["candidate"], "_")
    own = pairs.select(_PAIR).append_column("key", keys).group_by(["key", *_PAIR]).aggregate([])
    counted = own.group_by("key").aggregate([([], "count_all")])
    repeated = counted.filter(pc.greater(counted["count_all"], 1))["key"]
    if len(repeated):
        raise SourceError(
            source,
            "ambiguous",
            f"{repeated[0].as_py()!r} matches several pairs of query and candidate; expected "
            "unambiguous keys: give the scores as Parquet with columns query, candidate, score",
        )
    scores = [_read_score(parsed.get(key), key, source) for key in keys.to_pylist()]
    return pairs.append_column("score", pa.array(scores))


def _read_score(score: object, key: str, source: str) -> float | None:
    number = math.nan
    if score is None:
        return None
    if isinstance(score, int | float) and not isinstance(score, bool):
        with suppress(OverflowError):
            number = float(score)
    if math.isnan(number):
        raise SourceError(
            source, "no-number", f"the score of {key!r} is {repr(score)[:40]}; expected a number"
        )
    return number
