from __future__ import annotations

import json
import math
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from citescape.core.errors import SourceError
from citescape.evaluation.mdcr.benchmark import KINDS, TRUE
from citescape.evaluation.mdcr.files import (
    read_benchmark,
    read_scores,
    read_texts,
    write_benchmark,
    write_texts,
)
from tests.evaluation.mdcr.worlds import FIELDS, draw_scores, make, read, score


def test_duplicate_candidates_count_once_and_as_cited(tmp_path: Path) -> None:
    pairs = read(make(), tmp_path).pairs()
    rows = pairs.select(["field", "query", "candidate"]).to_pylist()
    assert len({tuple(row.values()) for row in rows}) == len(rows) < len(FIELDS) * 20 * 65
    by_query = pairs.group_by("key").aggregate([("cited", "sum")])
    assert pc.unique(by_query["cited_sum"]).to_pylist() == [5]


def test_writing_and_reading_gives_the_same_benchmark(tmp_path: Path) -> None:
    benchmark = read(make(), tmp_path)
    write_benchmark(tmp_path / "again.json", benchmark)
    again = read_benchmark(tmp_path / "again.json")
    columns = [(name, "ascending") for name in again.table.column_names]
    assert again.table.sort_by(columns).equals(benchmark.table.sort_by(columns))
    assert again.fields == list(FIELDS)
    assert again.kinds == [kind for kind in KINDS if kind != TRUE]


def test_queries_without_cited_candidates_are_reported(tmp_path: Path) -> None:
    contents = make()
    contents["Art"]["q_3"][TRUE] = []
    assert read(contents, tmp_path).without_positives == ["q_3"]


def test_scores_from_a_table_equal_those_from_json(tmp_path: Path) -> None:
    contents = make()
    benchmark = read(contents, tmp_path)
    scored = score(benchmark, draw_scores(contents), tmp_path)
    path = tmp_path / "scores.parquet"
    once = scored.group_by(["query", "candidate"]).aggregate([("score", "max")])
    pq.write_table(once.rename_columns(["query", "candidate", "score"]), path)
    again = read_scores(path, benchmark.pairs())
    order = [("key", "ascending"), ("candidate", "ascending")]
    assert again.sort_by(order)["score"].equals(scored.sort_by(order)["score"])


def test_ids_with_underscores_may_be_ambiguous(tmp_path: Path) -> None:
    fields = {"Art": {"a": {TRUE: ["b_c"], "random": ["d"]}, "a_b": {TRUE: ["c"], "random": ["d"]}}}
    with pytest.raises(SourceError, match="'a_b_c'") as e:
        score(read(fields, tmp_path), {"a_b_c": 1.0}, tmp_path)
    assert e.value.reason == "ambiguous"


BROKEN = {
    "[]": "expected an object of fields; found list",
    '{"Art": []}': "expected an object of queries of field 'Art'; found list",
    '{"Art": {"q": {"true": "c"}}}': "expected a list of true papers of query 'q'; found str",
    "{}": "expected queries with candidates by field; found none",
    '{"Art"': "expected JSON; found it cut off",
    '{"Art": {"q": {"true": [null]}}}': "true papers of query 'q': found None as id",
    '{"Art": {"q": {"true": [{}]}}}': "true papers of query 'q': found {} as id",
    "[" * 200_000: "expected JSON; found it cut off or damaged: maximum recursion",
}


@pytest.mark.parametrize("text", BROKEN)
def test_invalid_benchmarks_are_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    path.write_text(text)
    with pytest.raises(SourceError, match=BROKEN[text]):
        read_benchmark(path)


@pytest.mark.parametrize("value", ['"high"', "true", "NaN", "[1]", "1" + "0" * 400])
def test_invalid_scores_are_refused(value: str, tmp_path: Path) -> None:
    pairs = read(make(), tmp_path).pairs()
    path = tmp_path / "scores.json"
    path.write_text(f'{{"{pairs["query"][0]}_{pairs["candidate"][0]}": {value}}}')
    with pytest.raises(SourceError, match=f"{pairs['query'][0]}_{pairs['candidate'][0]}") as e:
        read_scores(path, pairs)
    assert e.value.reason == "no-number"


@pytest.mark.parametrize("kind", [pa.int64(), pa.float64(), pa.large_string()])
def test_scores_by_ids_of_any_type(kind: pa.DataType, tmp_path: Path) -> None:
    pairs = read({"Art": {"12": {TRUE: [345], "random": ["6"]}}}, tmp_path).pairs()
    path = tmp_path / "scores.parquet"
    ids = {"query": pa.array([12, 12]).cast(kind), "candidate": pa.array([345, 6]).cast(kind)}
    pq.write_table(pa.table(ids | {"score": ["0.5", "2"]}), path)
    found = read_scores(path, pairs)
    assert sorted(zip(*found.select(["candidate", "score"]).to_pydict().values(), strict=True)) == [
        ("345", 0.5),
        ("6", 2.0),
    ]


BAD_TABLES = {
    "expected columns query, candidate, score; found query": {"query": ["a"]},
    "a pair has several scores": {"query": [1, 1], "candidate": [2, 2], "score": [0, 1]},
    "expected numbers as score": {"query": ["a"], "candidate": ["b"], "score": ["high"]},
    "a score is NaN": {"query": ["a"], "candidate": ["b"], "score": [math.nan]},
    "expected an id as candidate in each row; found 1 without": {
        "query": ["a"],
        "candidate": [None],
        "score": [1],
    },
    "expected an id as query in each row; found .* truncated": {
        "query": [1.5],
        "candidate": ["b"],
        "score": [1],
    },
}


@pytest.mark.parametrize("message", BAD_TABLES)
def test_invalid_tables_of_scores_are_refused(message: str, tmp_path: Path) -> None:
    path = tmp_path / "scores.parquet"
    pq.write_table(pa.table(BAD_TABLES[message]), path)
    with pytest.raises(SourceError, match=message):
        read_scores(path, read(make(), tmp_path).pairs())
    path.write_text("no table")
    with pytest.raises(SourceError, match="expected Parquet; found"):
        read_scores(path, read(make(), tmp_path).pairs())


def test_scores_must_be_an_object(tmp_path: Path) -> None:
    pairs = read(make(), tmp_path).pairs()
    path = tmp_path / "scores.json"
    path.write_text("[1]")
    with pytest.raises(SourceError, match="expected an object of scores; found list"):
        read_scores(path, pairs)


def test_texts_are_read(tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    lines = [
        {"paper_id": 7, "title": "Rice", "abstract": None},
        {"paper_id": "2", "title": "", "abstract": "Of  millet."},
        {"paper_id": "2", "title": "again", "abstract": ""},
        {"paper_id": "9", "title": "", "abstract": ""},
    ]
    path.write_text("\n".join(map(json.dumps, lines)) + "\n\n")
    corpus = read_texts(path)
    assert corpus.papers["id"].to_pylist() == ["2", "7"]
    assert [document.abstract for document in corpus.documents] == ["Of millet.", ""]
    assert corpus.left_out == 1
    write_texts(tmp_path / "again.jsonl", corpus)
    assert read_texts(tmp_path / "again.jsonl").documents == corpus.documents


def test_invalid_texts_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    path.write_text('{"title": "x"}\n')
    with pytest.raises(SourceError, match="line 1: found title; expected an id as paper_id"):
        read_texts(path)
    path.write_text('{"paper_id": 1}\n{"pap')
    with pytest.raises(SourceError, match="line 2: found not JSON"):
        read_texts(path)
    path.write_text('{"paper_id": null, "title": "x"}\n')
    with pytest.raises(SourceError, match="line 1: found paper_id, title; expected an id"):
        read_texts(path)
    path.write_text('{"paper_id": 1, "title": ' + "[" * 200_000)
    with pytest.raises(SourceError, match="line 1: found not JSON: maximum recursion"):
        read_texts(path)
