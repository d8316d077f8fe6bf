from __future__ import annotations

import pytest

from tests.cli.conftest import Made, Platform

FEW = ("--queries", 6, "--validation", 3, "--fewest", 2, "--min-citations", 0)
OPEN = ("--min-abstract", 0)


def test_a_benchmark_of_the_store_is_measured(platform: Platform, made: Made) -> None:
    words = ("--store", made.store, "--runs", "runs")
    built = platform("benchmark", "mdcr", "bm25", "chance=random", *FEW, *OPEN, *words)
    assert built.status == 0, built.err
    assert "papers may be in it" in built.out
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
    told = platform("evaluate", "mdcr", "tfidf", "sgc:lsa", *words)
    assert told.status == 0, told.err
    assert "ranker   dimension  citations  contrast  importance" in told.out
    failed = platform("evaluate", "mdcr", "sgc:bm25", *words)
    assert failed.status == 1
    assert "sgc smooths vectors, but bm25 has none" in failed.err


def test_a_field_with_too_few_queries(platform: Platform, made: Made) -> None:
    failed = platform("benchmark", "mdcr", "bm25", *OPEN, "--store", made.store, "--runs", "runs")
    assert failed.status == 1
    assert "can be queries" in failed.err
    assert "lower --fewest" in failed.err


def test_a_model_of_a_taken_name(platform: Platform, made: Made) -> None:
    words = ("--store", made.store, "--runs", "runs", *FEW, *OPEN)
    failed = platform("benchmark", "mdcr", "random", *words)
    assert failed.status == 1
    assert "cannot be called 'random'" in failed.err


def test_pools_of_the_store(platform: Platform, made: Made) -> None:
    words = ("--store", made.store, "--runs", "runs", *OPEN, "--min-citations", 0)
    shown = platform("evaluate", "pool", "bm25", "random", *words)
    assert shown.status == 0, shown.err
    assert "MAP found" in shown.out
    assert "difference from bm25, pool of" in shown.out
    told = platform("evaluate", "pool", "sgc:lsa", "lsa", "tfidf", *words, "--json").json
    flags = {name: own["citations"] for name, own in told["traits"].items()}
    assert flags == {"sgc:lsa": True, "lsa": False, "tfidf": False}
    failed = platform("evaluate", "pool", "bm25-tuned", *words)  # all that can be are in the test
    assert failed.status == 1
    assert "lower --queries" in failed.err
    tuned = platform("evaluate", "pool", "bm25-tuned", "--queries", 4, *words)
    assert tuned.status == 0, tuned.err
    assert "the best of 25 settings, MAP" in tuned.out
    failed = platform("evaluate", "pool", "bm25", "--sizes", "2", *words)
    assert failed.status == 1
    assert "a pool of 2 papers; expected" in failed.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--sizes", "many"), "sizes is many; expected numbers of 1 or more"),
        (("--sizes", "0,-3"), "sizes is 0,-3; expected numbers of 1 or more"),
        (("--sizes", "5,0"), "sizes is 5,0; expected numbers of 1 or more"),
        (("--depth", 29), "29 is not in the range x>=30"),
    ],
)
def test_pools_that_cannot_be(platform: Platform, words: tuple[object, ...], said: str) -> None:
    failed = platform("evaluate", "pool", "bm25", *words)
    assert (failed.status, failed.out) == (2, "")
    assert said in failed.err


def test_pools_of_a_field_that_cites_more_than_was_asked(platform: Platform, made: Made) -> None:
    words = ("--store", made.store, *OPEN, "--min-citations", 0, "--fewest", 2)
    asked = ("evaluate", "pool", "bm25", "--fields", "venue", "--sizes", 2, *words)
    pools = platform(*asked, "--json").json["pools"]
    assert min(sizes[0] for sizes in pools.values()) > 2
    shown = platform(*asked).out
    assert f"pool size 2; {len(pools)} pools are larger" in shown
    one = platform(*asked, "--most-fields", 1).out
    assert "mean over fields" not in one
    assert "\npool of " in one
