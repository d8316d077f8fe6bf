from __future__ import annotations

import shlex

import pytest

from citescape.evaluation.report.provenance import (
    repeat,
    tell_losses,
    tell_run,
    tell_settings,
    tell_size,
)
from citescape.runs import RunRecord

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
    "prefilter": {"abstract": 0, "citations": 1},
    "seed": 7,
}


def record(config: dict[str, object], **counts: object) -> RunRecord:
    return RunRecord(
        "evaluate-0123456789ab", "evaluate", config, {"systems": SYSTEMS}, seed=7, counts=counts
    )


def test_the_command_names_systems_and_settings() -> None:
    told = shlex.split(repeat(record(POOL), "my store.lbug"))
    expected = (
        "platform evaluate pool bm25 mine=embed-0123456789ab minilm lsa --scores other=FILE "
        "bm25-tuned words=bm25 theirs.run"
    )
    assert told[:12] == expected.split()
    told = told[3:]
    assert told[9:15] == ["--sizes", "2000,5000", "--queries", "300", "--min-abstract", "0"]
    assert told[15:] == ["--min-citations", "1", "--seed", "7", "--store", "my store.lbug"]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("runs/benchmark-mdcr-0123456789ab/mdcr_val.json", ["benchmark-mdcr-0123456789ab"]),
        ("mine/mdcr_test.json", ["mine/mdcr_test.json"]),
    ],
)
def test_the_command_names_the_benchmark(source: str, words: list[str]) -> None:
    told = shlex.split(repeat(record({"benchmark": "mdcr"}, source=source)))
    after = told[told.index("--benchmark") + 1 :]
    split = ["--split", "val"] if "val" in source else []
    assert after == [*words, *split, "--seed", "7"]


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
    assert tell_losses(record(POOL, **counts)) == [
        ("papers without a year", 4),
        ("papers with few citations", 0),
        ("candidates without a score, which come last: bm25", 2),
        ("queries without a cited candidate", 1),
        ("missing vectors, minilm", 3),
        ("columns of published tables", 1),
    ]


def test_papers_without_an_embedding_are_told_by_task() -> None:
    of = {"mag": {"used": 9, "missing": 2, "missing_others": 0}}
    counts = {"papers": {"{x}": of}, "fields_left_out": {"Art": 3}, "pools": {"missing": [5]}}
    assert tell_losses(record(POOL, **counts)) == [
        ("papers without an embedding: {x}, mag", 2),
        ("queries of a field that has too few: Art", 3),
    ]


def test_what_files_of_systems_do_not_share_is_told() -> None:
    own = {"dimension": 3, "unknown": {"documents that are no papers": 4, "papers": 0}}
    counts = {"traits": {"mine": own}, "lacking": {"mine": 2, "bm25": 0}}
    assert tell_losses(record(POOL, **counts)) == [
        ("documents that are no papers: mine", 4),
        ("papers of which it knows nothing: mine", 2),
        ("papers of which it knows nothing: bm25", 0),
    ]


def test_embeddings_are_named_by_their_files() -> None:
    systems = {
        "mine.jsonl": {"mine.jsonl": "0a"},
        "two": {"two.jsonl": "0b"},
        "scincl": {"cls.jsonl": "0c", "recomm.jsonl": "0d"},
        "minilm": {"run": "encode-0123456789ab"},
        "e": {"run": "embed-0123456789ab"},
    }
    config = {"benchmark": "scidocs", "split": "val", "ranker": "cosine", "seed": 42}
    made = RunRecord("evaluate-0123456789ab", "evaluate", config, {"systems": systems}, seed=0)
    assert repeat(made, "my.lbug") == (
        "platform evaluate scidocs mine.jsonl two=two.jsonl scincl minilm e=embed-0123456789ab "
        "--data FOLDER --split val --ranker cosine"
    )


def test_sizes_are_told_with_commas_and_years_without() -> None:
    told = tell_size(record(POOL, queries=1200, year=2018, fields=["Art", "Law"], positives=5.5))
    assert told == [
        ("queries", "1,200"),
        ("year of the queries", "2018"),
        ("fields", "2"),
        ("cited papers of a query, mean", "5.5"),
    ]


def test_settings_are_flat() -> None:
    told = dict(tell_settings(record(POOL)))
    assert told["prefilter.citations"] == "1"
    assert told["sizes"] == "2000, 5000"
    assert told["systems.bm25.k1"] == "1.2"
    assert told["systems.other"] == "d41d8cd98f00b204"
    assert dict(tell_run(record(POOL)))["run"] == "evaluate-0123456789ab"
