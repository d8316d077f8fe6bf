from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path

from citescape.evaluation.report.provenance import (
    count_losses,
    describe_run,
    describe_settings,
    describe_size,
    describe_source,
    name_source,
    repeat,
)
from citescape.metrics.evaluation_run import EvaluationRun
from citescape.runs.directory import RunRecord

SYSTEMS = {
    "bm25": {"ranker": "bm25", "k1": 1.2},
    "mine": {"vectors": "embed-0123456789ab", "metric": "cosine"},
    "minilm": {"vectors": "encode-0123456789ab", "metric": "cosine"},
    "lsa": {"vectors": "lsa of 300 dimensions", "metric": "cosine"},
    "other": "d41d8cd98f00b204",
    "bm25-tuned": {"ranker": "bm25", "k1": 0.9},
    "words": {"ranker": "bm25", "k1": 1.2},
    "theirs.run": {"ranker": "run file", "listed": "0a"},
}
POOL = {
    "benchmark": "pool",
    "sizes": [2000, 5000],
    "year": 0,
    "queries": 300,
    "min_abstract": 0,
    "min_citations": 1,
    "seed": 7,
}


def record(config: dict[str, object], **counts: object) -> RunRecord:
    return RunRecord(
        "evaluate-0123456789ab", "evaluate", config, {"systems": SYSTEMS}, seed=7, counts=counts
    )


ASKED = {"command": "evaluate pool bm25 mine=embed-0123456789ab 'words and=bm25' --seed 7"}


def made_of(record: RunRecord, runs: Path = Path("runs"), **asked: object) -> EvaluationRun:
    return EvaluationRun(runs / record.id, replace(record, request={**ASKED, **asked}))


def test_the_command_is_that_of_the_record_with_store_and_runs() -> None:
    made = made_of(record(POOL), store="my store.lbug")
    assert repeat(made) == f"platform {ASKED['command']} --store 'my store.lbug'"


def test_the_command_names_a_folder_of_runs_that_is_not_the_usual_one(tmp_path: Path) -> None:
    store = str(tmp_path / "a.lbug")
    config = {"benchmark": "mdcr"}
    assert "--runs" not in repeat(made_of(record(config), tmp_path / "runs", store=store))
    words = shlex.split(repeat(made_of(record(config), tmp_path / "other", store=store)))
    assert words[words.index("--runs") + 1] == str(tmp_path / "other")


def test_a_run_that_does_not_tell_how_it_was_asked_for_has_no_command() -> None:
    assert repeat(EvaluationRun(Path("runs/x"), record(POOL))) == ""


def test_losses_are_told_whatever_a_run_calls_them() -> None:
    counts = {
        "queries": 5,
        "dropped": {"no_year": 4, "few_citations": 0},
        "without_score": {"bm25": 2},
        "queries_without_cited": 1,
        "missing_vectors": {"minilm": 3},
        "absent": ["mag"],
        "notes": 3,
    }
    assert count_losses(record(POOL, **counts)) == [
        ("papers without a year", 4),
        ("candidates without a score, ranked last: bm25", 2),
        ("queries without a cited candidate", 1),
        ("missing vectors, minilm", 3),
        ("missing columns of published tables", 1),
    ]


def test_of_what_there_is_none_only_what_readers_ask_for_is_told_and_once() -> None:
    counts = {
        "without_score": {"bm25": 0, "minilm": 0},
        "without_text": 0,
        "dropped": {"no_year": 0, "few_citations": 0},
        "lacking": {"bm25": 0},
    }
    assert count_losses(record(POOL, **counts)) == [
        ("candidates without a score", 0),
        ("papers without a title or an abstract", 0),
        ("papers without a year", 0),
    ]
    counts["without_score"] = {"bm25": 0, "minilm": 2}
    told = [words for words, _ in count_losses(record(POOL, **counts)) if "score" in words]
    assert told == ["candidates without a score, ranked last: minilm"]


def test_papers_without_an_embedding_are_told_by_task() -> None:
    of = {"mag": {"used": 9, "missing": 2, "missing_others": 0}}
    counts = {"papers": {"{x}": of}, "fields_left_out": {"Art": 3}, "pools": {"missing": [5]}}
    assert count_losses(record(POOL, **counts)) == [
        ("papers without an embedding: {x}, mag", 2),
        ("queries of a field with too few queries: Art", 3),
    ]


def test_what_files_of_systems_do_not_share_is_told() -> None:
    own = {"dimension": 3, "unknown": {"documents that are no papers": 4, "papers": 0}}
    counts = {"traits": {"mine": own}, "lacking": {"mine": 2, "bm25": 0}}
    assert count_losses(record(POOL, **counts)) == [
        ("documents that are no papers: mine", 4),
        ("papers without a vector or score: mine", 2),
    ]


def test_sizes_are_told_with_commas_and_years_without() -> None:
    told = describe_size(
        record(POOL, queries=1200, year=2018, fields=["Art", "Law"], positives=5.5)
    )
    assert told == [
        ("queries", "1,200"),
        ("year of the queries", "2018"),
        ("fields", "2"),
        ("cited papers per query, mean", "5.5"),
    ]


def test_settings_are_flat() -> None:
    told = dict(describe_settings(record(POOL)))
    assert told["min_citations"] == "1"
    assert told["sizes"] == "2000, 5000"
    assert told["systems.bm25.k1"] == "1.2"
    assert told["systems.other"] == "d41d8cd98f00b204"
    assert "by default" not in told["sizes"] + told["year"]
    assert dict(describe_run(record(POOL)))["run"] == "evaluate-0123456789ab"


def test_settings_that_were_left_to_the_run_are_what_they_came_to() -> None:
    left = {**POOL, "sizes": []}
    told = dict(describe_settings(record(left, year=2018, sizes=[20, 300], seed=0)))
    assert told["year"] == "2018 (by default)"
    assert told["sizes"] == "20, 300 (by default)"
    assert told["queries"] == "300"


def test_what_it_was_measured_on() -> None:
    own = {"run": "benchmark-mdcr-0123456789ab", "year": 2018, "min_abstract": 0}
    config = {"benchmark": "mdcr"}
    ids = {"aan": 11247, "doi": 3}
    told = record(config, benchmark=own, ids=ids)
    made = replace(told, request={"store": "a.lbug", "fields": "venue"})
    assert name_source(made) == "benchmark-mdcr-0123456789ab, made of a.lbug"
    assert describe_source(made) == [
        ("papers by id", "aan 11,247, doi 3"),
        ("fields", "venue"),
        ("run", "benchmark-mdcr-0123456789ab"),
        ("year", "2018"),
        ("min_abstract", "0"),
    ]
    published = record(config, source="mine/mdcr_test.json", benchmark={})
    assert name_source(replace(published, request={"store": "a.lbug"})) == "mine/mdcr_test.json"
    assert name_source(replace(record(POOL), request={"store": "a.lbug"})) == "a.lbug"
    assert name_source(record(POOL)) == ""
