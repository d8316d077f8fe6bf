from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from citescape.core.errors import ConfigError, SourceError
from citescape.ranking.run_file import RunFile, read_rankings

IDS = pa.array(["a_1", "b_2", "c", "d", "e"])
ROWS = [
    ("a_1", "c", 2.0),
    ("a_1", "b_2", 2.0),
    ("a_1", "a_1", 9.0),
    ("a_1", "d", 3.5),
    ("a_1", "nowhere", 9.0),
    ("c", "d", -1.0),
    ("stranger", "d", 1.0),
]
LINES = "".join(f"{q}\tQ0 {d}  {n} {s} tag\n" for n, (q, d, s) in enumerate(ROWS))


def write(folder: Path, kind: str) -> Path:
    path = folder / f"own.{kind}"
    if kind == "parquet":
        columns = dict(zip(("query", "document", "score"), zip(*ROWS, strict=True), strict=True))
        pq.write_table(pa.table({name: list(values) for name, values in columns.items()}), path)
    else:
        path.write_bytes(gzip.compress(LINES.encode()) if kind == "run.gz" else LINES.encode())
    return path


@pytest.mark.parametrize("kind", ["run", "run.gz", "parquet"])
def test_only_listed_papers_are_found(tmp_path: Path, kind: str) -> None:
    ranker = RunFile.from_rankings("own", read_rankings(write(tmp_path, kind)), IDS)
    assert list(ranker.traits.unknown.values()) == [1, 1]
    assert ranker.lacks(np.arange(5)).tolist() == [False, False, False, False, True]
    whole = ranker.among(np.arange(5))
    found = whole.search(np.array([2, 0, 4]), 4)
    assert found.papers.tolist() == [[3, -1, -1, -1], [3, 1, 2, -1], [-1] * 4]
    assert found.scores[1, :3].tolist() == [3.5, 2, 2]  # equal scores by row
    assert ranker.among(np.array([0, 1, 4])).search(np.array([0]), 2).papers.tolist() == [[1, -1]]
    scores = whole.score(np.array([0, 0, 2, 2]), np.array([3, 4, 3, 0]))
    assert scores.tolist() == [3.5, -np.inf, -1, -np.inf]
    with pytest.raises(ConfigError, match="not in the pool"):
        ranker.among(np.array([1])).score(np.array([0]), np.array([2]))


def test_the_record_depends_on_the_content_not_the_name(tmp_path: Path) -> None:
    rankings = [read_rankings(write(tmp_path, kind)) for kind in ("run", "parquet")]
    first, second = (
        RunFile.from_rankings(name, known, IDS) for name, known in zip("xy", rankings, strict=True)
    )
    assert first.describe() == second.describe()
    changed = tmp_path / "other.run"
    changed.write_text(LINES.replace("3.5", "3.6"))
    assert RunFile.from_rankings("x", read_rankings(changed), IDS).describe() != first.describe()


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("", "expected a run file: lines .*; found none"),
        ("\n\n", "found none"),
        ("a Q0 b 1 2.0\n", "line 1: expected a run file: .* found 'a Q0 b 1 2.0'"),
        ("a Q0 b 1 2 t\nc Q0 d 1 high t\n", "line 2: expected a run file"),
        ("a Q0 b 1 nan t\n", "have no number as score: 'b' of query 'a'"),
        ("a Q0 b 1 1 t\na Q0 b 2 1 t\n", "occur more than once: 'b' of query 'a'"),
        ("x Q0 y 1 1 t\n", "none of 1 pairs has both papers in the corpus"),
    ],
)
def test_invalid_files_are_refused(tmp_path: Path, lines: str, expected: str) -> None:
    path = tmp_path / "own.run"
    path.write_text(lines)
    with pytest.raises(SourceError, match=expected):
        RunFile.from_rankings("own", read_rankings(path), IDS)


def test_invalid_tables_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "own.parquet"
    with pytest.raises(SourceError, match="expected Parquet; found"):
        read_rankings(path)
    pq.write_table(pa.table({"query": ["a"], "score": [1.0]}), path)
    with pytest.raises(SourceError, match="expected columns query, document, score; found query"):
        read_rankings(path)
    pq.write_table(pa.table({"query": ["a"], "document": ["b"], "score": ["high"]}), path)
    with pytest.raises(SourceError, match="expected numbers as score"):
        read_rankings(path)
    pq.write_table(pa.table({"query": ["a"], "document": ["b"], "score": [None]}), path)
    with pytest.raises(SourceError, match="no number as score"):
        read_rankings(path)
    pq.write_table(pa.table({"query": ["a"], "document": [None], "score": [1.0]}), path)
    with pytest.raises(SourceError, match="expected an id as document in each row; found 1"):
        read_rankings(path)


@pytest.mark.parametrize("kind", [pa.int64(), pa.float64()])
def test_ids_may_be_numbers(kind: pa.DataType, tmp_path: Path) -> None:
    path = tmp_path / "own.parquet"
    ids = pa.array([10_000_000_001]).cast(kind)
    pq.write_table(pa.table({"query": ids, "document": ids, "score": [1.0]}), path)
    assert read_rankings(path).queries.to_pylist() == ["10000000001"]
