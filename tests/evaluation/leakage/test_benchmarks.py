"""Benchmarks of each kind as lists of papers."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from citescape.core.errors import CitescapeError, ConfigError, SourceError
from citescape.evaluation.leakage.benchmarks import read_benchmark_list
from citescape.evaluation.leakage.papers import PaperList, Place
from citescape.metrics.evaluation_run import QUERIES, EvaluationRun
from citescape.runs.directory import RunRecord, open_run

MDCR = {"Art": {"q": {"true": ["c1", "c2"], "bm25": ["n", "c1"]}}, "Law": {"r": {"true": ["q"]}}}


def places(found: PaperList) -> dict[Place, list[str]]:
    return {place: found.at(place).to_pylist() for place in found.places}


def test_a_published_file_and_its_texts(tmp_path: Path) -> None:
    path = tmp_path / "mdcr_test.json"
    path.write_text(json.dumps(MDCR))
    assert read_benchmark_list(tmp_path, str(path)).titles.num_rows == 0
    texts = tmp_path / "mdcr_test_data.jsonl"
    texts.write_text('{"paper_id": "q", "title": " A  title "}\n{"paper_id": "n", "title": null}\n')
    found = read_benchmark_list(tmp_path, str(path))
    assert places(found) == {
        ("test", "query"): ["q", "r"],
        ("test", "cited"): ["c1", "c2", "q"],
        ("test", "candidate"): ["c1", "n"],
    }
    assert found.queries.to_pylist() == ["q", "r"]
    assert found.titles.to_pylist() == [{"paper": "q", "title": "A title"}]
    pairs = [(row["paper"], row["other"]) for row in found.pairs.to_pylist()]
    assert pairs == [("q", "c1"), ("q", "c2"), ("r", "q")]
    other = tmp_path / "other.csv"
    other.write_text("id,title\nq,Another\n")
    found = read_benchmark_list(tmp_path, str(path), other)
    assert found.titles.to_pylist() == [{"paper": "q", "title": "Another"}]


def test_papers_of_scidocs(tmp_path: Path) -> None:
    for task in ("mag", "cite", "recomm"):
        (tmp_path / task).mkdir()
    (tmp_path / "mag" / "train.csv").write_text("pid,class_label\na,1\n")
    (tmp_path / "mag" / "test.csv").write_text("pid,class_label\nb,1\n")
    (tmp_path / "cite" / "val.qrel").write_text("q 0 c 1\nq 0 d 0\n")
    (tmp_path / "recomm" / "test.csv").write_text('query,clicked,other\ns,t,"t,u"\n')
    (tmp_path / "paper_metadata_mag_mesh.json").write_text('{"a": {"title": "T"}, "b": {}}')
    found = read_benchmark_list(tmp_path, str(tmp_path))
    assert places(found) == {
        ("train", "mag"): ["a"],
        ("test", "mag"): ["b"],
        ("val", "cite query"): ["q"],
        ("val", "cite candidate"): ["c", "d"],
        ("test", "recomm query"): ["s"],
        ("test", "recomm candidate"): ["t", "u"],
    }
    assert found.queries.to_pylist() == ["b", "q", "s"]
    assert found.titles.to_pylist() == [{"paper": "a", "title": "T"}]


def test_papers_of_scirepeval(tmp_path: Path) -> None:
    tasks = [
        {
            "name": "Class",
            "type": "classification",
            "data": {"test": "class", "meta": "class"},
            "metrics": ["f1"],
        },
        {"name": "Near", "type": "proximity", "data": {"test": "near"}, "metrics": ["map"]},
        {
            "name": "Review",
            "type": "proximity",
            "data": {"test": "near", "reviewers": "near"},
            "metrics": ["P_5"],
        },
    ]
    path = tmp_path / "scirepeval_tasks.jsonl"
    path.write_text("\n".join(map(json.dumps, tasks)))
    for folder, file, text in (
        ("class", "train.csv", "paper_id,label\na,1\n"),
        ("class", "test.csv", "paper_id,label\nb,1\n"),
        ("class", "metadata.jsonl", '{"doc_id": "b", "title": "T", "abstract": null}'),
        ("near", "test_qrel.jsonl", '{"query_id": "q", "cand_id": "r", "score": 1}'),
        ("near", "reviewer_metadata.jsonl", '{"r_id": "r", "papers": ["w", "v"]}'),
    ):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / file).write_text(text)
    found = read_benchmark_list(tmp_path, str(path))
    assert places(found) == {
        ("train", "Class"): ["a"],
        ("test", "Class"): ["b"],
        ("test", "Near query"): ["q"],
        ("test", "Near candidate"): ["r"],
        ("test", "Review query"): ["q"],
        ("test", "Review candidate"): ["v", "w"],
    }
    assert found.queries.to_pylist() == ["b", "q"]
    assert found.titles.to_pylist() == [{"paper": "b", "title": "T"}]


def keep(runs: Path, benchmark: str) -> str:
    record = RunRecord("evaluate-0123456789ab", EvaluationRun.command, {"benchmark": benchmark}, {})
    with open_run(runs, record.id) as directory:
        directory.write_parquet(QUERIES, [pa.table({"query": ["b", "a", "b"]})])
        directory.complete(record)
    return record.id


def test_queries_of_a_pool(tmp_path: Path) -> None:
    found = read_benchmark_list(tmp_path, keep(tmp_path, "pool"))
    assert places(found) == {("", "query"): ["a", "b"]}


def test_a_run_without_benchmark_papers_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"evaluate-.* is a run of `platform evaluate`"):
        read_benchmark_list(tmp_path, keep(tmp_path, "mdcr"))


def test_plain_lists_of_ids(tmp_path: Path) -> None:
    (tmp_path / "ids.txt").write_text("# of a test\na\nb # twice\na\n")
    found = read_benchmark_list(tmp_path, str(tmp_path / "ids.txt"))
    assert found.queries.to_pylist() == found.papers.to_pylist() == ["a", "b"]
    (tmp_path / "ids.jsonl").write_text('{"corpusid": 7, "title": "T"}\n')
    found = read_benchmark_list(tmp_path, str(tmp_path / "ids.jsonl"))
    assert (found.papers.to_pylist(), found.titles.num_rows) == (["7"], 1)


def test_integers_saved_as_floats_are_read(tmp_path: Path) -> None:
    path = tmp_path / "train.parquet"
    pq.write_table(pa.table({"corpus_id": [1234.0, 99.0]}), path)
    assert read_benchmark_list(tmp_path, str(path)).papers.to_pylist() == ["1234", "99"]
    pq.write_table(pa.table({"corpus_id": [1234.0, 0.5]}), path)
    with pytest.raises(SourceError, match=r"row 2: found 0\.5 as id; expected a text or a whole"):
        read_benchmark_list(tmp_path, str(path))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("absent.txt", None, "no file or run .*absent.txt'; expected a file of papers"),
        ("empty.txt", "# none\n", "expected a text file with an id per line; found none"),
        ("empty.jsonl", "", "found no records"),
        ("cut.jsonl", '{"id": "a"}\n{"id":', "line 2: found not JSON"),
        (
            "bare.csv",
            "name,title\na,b\n",
            "line 2: found name, title; expected an id as paper_id, ",
        ),
        ("cut.parquet", "PAR1", "expected Parquet; found"),
        ("mdcr.json", "[]", "expected an object of fields; found list"),
        ("none.json", "{}", "expected queries with candidates by field; found none"),
    ],
)
def test_invalid_files_are_refused(
    tmp_path: Path, name: str, text: str | None, message: str
) -> None:
    if text is not None:
        (tmp_path / name).write_text(text)
    with pytest.raises(CitescapeError, match=message):
        read_benchmark_list(tmp_path, str(tmp_path / name))


def test_invalid_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"is a folder .*; expected a run of"):
        read_benchmark_list(tmp_path, str(tmp_path))
    (tmp_path / "cite").mkdir()
    with pytest.raises(SourceError, match="expected papers; found none"):
        read_benchmark_list(tmp_path, str(tmp_path))
