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


REQUEST = {"command": "evaluate pool bm25 mine=embed-0123456789ab 'words and=bm25' --seed 7"}


def make_evaluation(
    record: RunRecord, runs: Path = Path("runs"), **request: object
) -> EvaluationRun:
    return EvaluationRun(runs / record.id, replace(record, request={**REQUEST, **request}))


def test_the_repeat_command_names_the_store() -> None:
    evaluation = make_evaluation(record(POOL), store="my store.lbug")
    assert repeat(evaluation) == f"platform {REQUEST['command']} --store 'my store.lbug'"


def test_the_repeat_command_names_a_custom_runs_folder(tmp_path: Path) -> None:
    store = str(tmp_path / "a.lbug")
    config = {"benchmark": "mdcr"}
    assert "--runs" not in repeat(make_evaluation(record(config), tmp_path / "runs", store=store))
    words = shlex.split(repeat(make_evaluation(record(config), tmp_path / "other", store=store)))
    assert words[words.index("--runs") + 1] == str(tmp_path / "other")


def test_a_run_without_a_request_has_no_repeat_command() -> None:
    assert repeat(EvaluationRun(Path("runs/x"), record(POOL))) == ""


def test_losses_of_all_kinds_of_counts_are_listed() -> None:
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


def test_zero_counts_are_listed_once_for_selected_losses() -> None:
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
    losses = [words for words, _ in count_losses(record(POOL, **counts)) if "score" in words]
    assert losses == ["candidates without a score, ranked last: minilm"]


def test_papers_without_an_embedding_are_listed_by_task() -> None:
    of = {"mag": {"used": 9, "missing": 2, "missing_others": 0}}
    counts = {"papers": {"{x}": of}, "fields_left_out": {"Art": 3}, "pools": {"missing": [5]}}
    assert count_losses(record(POOL, **counts)) == [
        ("papers without an embedding: {x}, mag", 2),
        ("queries of a field with too few queries: Art", 3),
    ]


def test_unknown_papers_in_files_of_systems_are_listed() -> None:
    own = {"dimension": 3, "unknown": {"documents that are no papers": 4, "papers": 0}}
    counts = {"traits": {"mine": own}, "lacking": {"mine": 2, "bm25": 0}}
    assert count_losses(record(POOL, **counts)) == [
        ("documents that are no papers: mine", 4),
        ("papers without a vector or score: mine", 2),
    ]


def test_sizes_have_thousands_separators_and_years_none() -> None:
    sizes = describe_size(
        record(POOL, queries=1200, year=2018, fields=["Art", "Law"], positives=5.5)
    )
    assert sizes == [
        ("queries", "1,200"),
        ("year of the queries", "2018"),
        ("fields", "2"),
        ("cited papers per query, mean", "5.5"),
    ]


def test_nested_settings_are_flattened() -> None:
    settings = dict(describe_settings(record(POOL)))
    assert settings["min_citations"] == "1"
    assert settings["sizes"] == "2000, 5000"
    assert settings["systems.bm25.k1"] == "1.2"
    assert settings["systems.other"] == "d41d8cd98f00b204"
    assert "by default" not in settings["sizes"] + settings["year"]
    assert dict(describe_run(record(POOL)))["run"] == "evaluate-0123456789ab"


def test_default_settings_show_their_values() -> None:
    left = {**POOL, "sizes": []}
    settings = dict(describe_settings(record(left, year=2018, sizes=[20, 300], seed=0)))
    assert settings["year"] == "2018 (by default)"
    assert settings["sizes"] == "20, 300 (by default)"
    assert settings["queries"] == "300"


def test_the_source_of_an_evaluation() -> None:
    own = {"run": "benchmark-mdcr-0123456789ab", "year": 2018, "min_abstract": 0}
    config = {"benchmark": "mdcr"}
    ids = {"aan": 11247, "doi": 3}
    run_record = record(config, benchmark=own, ids=ids)
    evaluation = replace(run_record, request={"store": "a.lbug", "fields": "venue"})
    assert name_source(evaluation) == "benchmark-mdcr-0123456789ab, made from a.lbug"
    assert describe_source(evaluation) == [
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
