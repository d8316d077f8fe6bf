from __future__ import annotations

import pytest

from tests.cli.conftest import GeneratedCorpus, Platform

FEW = ("--queries", 6, "--validation", 3, "--fewest", 2, "--min-citations", 0)
OPEN = ("--min-abstract", 0)


def test_a_benchmark_of_the_store_is_evaluated(
    platform: Platform, generated: GeneratedCorpus
) -> None:
    words = ("--store", generated.store, "--runs", "runs")
    built = platform("benchmark", "mdcr", "bm25", "chance=random", *FEW, *OPEN, *words)
    assert built.status == 0, built.err
    assert "papers pass the filter" in built.out
    assert "candidates of: bm25, chance, graph, most_cited, random" in built.out
    assert "platform evaluate mdcr bm25 minilm --benchmark benchmark-mdcr-" in built.out
    assert (
        "first 200 papers of a field (2 fields have fewer), the least cited of which has 2"
        in built.out
    )
    again = platform("benchmark", "mdcr", "bm25", "chance=random", *FEW, *OPEN, *words, "--json")
    assert again.json["unchanged"]
    assert again.json["test"]["newer_candidates"] == 0
    shown = platform("evaluate", "mdcr", "bm25", "random", *words, "--json")
    assert shown.status == 0, shown.err
    means = {
        row["system"]: row["mean"]
        for row in shown.json["figures"]
        if (row["condition"], row["group"], row["metric"]) == ("all", "", "map")
    }
    assert means["bm25"] > means["random"]
    evaluated = platform("evaluate", "mdcr", "tfidf", "sgc:lsa", *words)
    assert evaluated.status == 0, evaluated.err
    assert "ranker   dimension  citations  contrast  importance" in evaluated.out
    failed = platform("evaluate", "mdcr", "sgc:bm25", *words)
    assert failed.status == 1
    assert "sgc smooths vectors, but bm25 has none" in failed.err


def test_a_field_with_too_few_queries_is_refused(
    platform: Platform, generated: GeneratedCorpus
) -> None:
    failed = platform(
        "benchmark", "mdcr", "bm25", *OPEN, "--store", generated.store, "--runs", "runs"
    )
    assert failed.status == 1
    assert "can be queries" in failed.err
    assert "set --fewest 2" in failed.err


def test_a_model_with_a_name_in_use_is_refused(
    platform: Platform, generated: GeneratedCorpus
) -> None:
    words = ("--store", generated.store, "--runs", "runs", *FEW, *OPEN)
    failed = platform("benchmark", "mdcr", "random", *words)
    assert failed.status == 1
    assert "cannot be called 'random'" in failed.err


def test_pools_of_the_store(platform: Platform, generated: GeneratedCorpus) -> None:
    words = ("--store", generated.store, "--runs", "runs", *OPEN, "--min-citations", 0)
    shown = platform("evaluate", "pool", "bm25", "random", *words)
    assert shown.status == 0, shown.err
    assert "MAP found" in shown.out
    assert "difference from bm25, pool of" in shown.out
    result = platform("evaluate", "pool", "sgc:lsa", "lsa", "tfidf", *words, "--json").json
    flags = {name: own["citations"] for name, own in result["traits"].items()}
    assert flags == {"sgc:lsa": True, "lsa": False, "tfidf": False}
    failed = platform("evaluate", "pool", "bm25-tuned", *words)  # all papers are in the test part
    assert failed.status == 1
    assert "lower --queries" in failed.err
    tuned = platform("evaluate", "pool", "bm25-tuned", "--queries", 4, *words)
    assert tuned.status == 0, tuned.err
    assert "the best of 25 settings, MAP" in tuned.out
    failed = platform("evaluate", "pool", "bm25", "--sizes", "2", *words)
    assert failed.status == 1
    assert "a pool of 2 papers; expected" in failed.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--sizes", "many"), "sizes is many; expected numbers of 1 or more"),
        (("--sizes", "0,-3"), "sizes is 0,-3; expected numbers of 1 or more"),
        (("--sizes", "5,0"), "sizes is 5,0; expected numbers of 1 or more"),
        (("--depth", 29), "29 is not in the range x>=30"),
    ],
)
def test_impossible_pools_are_refused(
    platform: Platform, words: tuple[object, ...], message: str
) -> None:
    failed = platform("evaluate", "pool", "bm25", *words)
    assert (failed.status, failed.out) == (2, "")
    assert message in failed.err


def test_pools_of_fields_with_more_citations_than_requested(
    platform: Platform, generated: GeneratedCorpus
) -> None:
    words = ("--store", generated.store, *OPEN, "--min-citations", 0, "--fewest", 2)
    command = ("evaluate", "pool", "bm25", "--fields", "venue", "--sizes", 2, *words)
    pools = platform(*command, "--json").json["pools"]
    assert min(sizes[0] for sizes in pools.values()) > 2
    shown = platform(*command).out
    assert f"pool size 2; {len(pools)} pools are larger" in shown
    output = platform(*command, "--most-fields", 1).out
    assert "mean over fields" not in output
    assert "\npool of " in output
