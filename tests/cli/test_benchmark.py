from __future__ import annotations

from tests.cli.conftest import Made, Platform

FEW = ("--queries", 6, "--validation", 3, "--fewest", 2, "--min-citations", 0)
OPEN = ("--min-abstract", 0)


def test_a_benchmark_of_the_store_is_measured(platform: Platform, made: Made) -> None:
    words = ("--store", made.store, "--runs", "runs")
    built = platform("benchmark", "mdcr", "bm25", "chance=random", *FEW, *OPEN, *words)
    assert built.status == 0, built.err
    assert "papers may be in it" in built.out
    assert "candidates of: bm25, chance, graph, most_cited, random" in built.out
    assert "platform evaluate mdcr --compare bm25 minilm --benchmark benchmark-mdcr-" in built.out
    again = platform("benchmark", "mdcr", "bm25", "chance=random", *FEW, *OPEN, *words, "--json")
    assert again.json["unchanged"]
    assert again.json["test"]["newer_candidates"] == 0
    shown = platform("evaluate", "mdcr", "--compare", "bm25", "random", *words, "--json")
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
    assert "sgc smooths vectors and bm25 has none" in failed.err


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
    shown = platform("evaluate", "pool", "--compare", "bm25", "random", *words)
    assert shown.status == 0, shown.err
    assert "MAP found" in shown.out
    assert "less bm25, pool of" in shown.out
    told = platform("evaluate", "pool", "sgc:lsa", "lsa", "tfidf", *words, "--json").json
    flags = {name: own["citations"] for name, own in told["traits"].items()}
    assert flags == {"sgc:lsa": True, "lsa": False, "tfidf": False}
    failed = platform("evaluate", "pool", "bm25-tuned", *words)  # all that can be are in the test
    assert failed.status == 1
    assert "ask for fewer --queries" in failed.err
    tuned = platform("evaluate", "pool", "bm25-tuned", "--queries", 4, *words)
    assert tuned.status == 0, tuned.err
    assert "of 25 tried, MAP" in tuned.out
    failed = platform("evaluate", "pool", "bm25", "--sizes", "2", *words)
    assert failed.status == 1
    assert "a pool of 2 papers; expected" in failed.err
    assert platform("evaluate", "pool", "bm25", "--sizes", "many", *words).status == 2
