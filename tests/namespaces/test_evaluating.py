"""Measuring encoders in Python, on a generated world."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import citescape
from citescape import (
    CitescapeError,
    Corpus,
    FieldPoolConfig,
    MdcrConfig,
    PoolConfig,
    Prefilter,
    RankingConfig,
)
from citescape.demo.jats_writer import write_corpus
from citescape.demo.world import generate_world
from citescape.evaluation.report.provenance import repeat
from tests.evaluation.scidocs.conftest import write_embeddings, write_scidocs

OPEN = Prefilter(0, 0)
SMALL = MdcrConfig(queries=6, validation=3, fewest=2, prefilter=OPEN)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    folder = tmp_path_factory.mktemp("judged")
    write_corpus(generate_world(papers=50, seed=3), folder / "papers")
    with citescape.open(folder / "corpus.lbug") as made:
        made.ingest(folder / "papers")
        yield made


def test_a_benchmark_and_who_is_measured_by_it(corpus: Corpus) -> None:
    judge = corpus.evaluate
    bench = judge.benchmark("bm25", "chance=random", config=SMALL)
    assert judge.benchmark("bm25", "chance=random", config=SMALL).unchanged
    made = judge.mdcr("tfidf", "random", benchmark=bench)
    assert made.counts["systems"] == ["tfidf", "random"]
    assert judge.mdcr("tfidf", "random").run == made.run  # the last benchmark
    scores = Path(bench.path.parent / "scores.json")
    pairs = bench.read("test").pairs().to_pylist()
    told = {f"{row['query']}_{row['candidate']}": float(row["cited"]) for row in pairs}
    scores.write_text(json.dumps(told))
    perfect = judge.mdcr(benchmark=bench.path / "mdcr_test.json", scores={"all known": scores})
    means = {(r["condition"], r["metric"]): r["mean"] for r in perfect.figures.to_pylist()}
    assert means["all", "map"] == pytest.approx(1)
    page = judge.report(made)
    assert page == made.path / "report.html"
    assert "tfidf" in page.read_text()


def test_pools(corpus: Corpus) -> None:
    config = PoolConfig(queries=7, samples=1, prefilter=OPEN)
    whole = corpus.evaluate.pool("bm25", "random", config=config)
    assert whole.differences is not None
    assert whole.counts["queries"] == 7
    fields = FieldPoolConfig(queries=9, fewest=2, prefilter=OPEN)
    parts = corpus.evaluate.pool("bm25", config=fields)
    assert parts.counts["fields"]
    labels = [(row["id"], "all") for row in corpus.cypher("MATCH (p:Paper) RETURN p.id AS id")]
    one = corpus.evaluate.pool("bm25", config=fields, fields="labels", labels=labels)
    assert one.counts["fields"] == ["all"]


def test_one_seed_decides_all_and_the_command_line_would_make_the_same(corpus: Corpus) -> None:
    judge, config = corpus.evaluate, PoolConfig(queries=5, samples=1, prefilter=OPEN, seed=5)
    made = judge.pool("bm25", "random", config=config, ranking=RankingConfig("dot", 16))
    assert made.record.inputs["systems"]["random"]["seed"] == 5
    assert repeat(made) == (
        "platform evaluate pool bm25 random --metric dot --max-tokens 16 --queries 5 --positives 1 "
        "--samples 1 --depth 500 --min-abstract 0 --min-citations 0 --seed 5 "
        f"--store {corpus.store.location}"
    )
    bench = judge.benchmark("bm25", "chance=random", config=replace(SMALL, seed=4))
    assert bench.record.inputs["models"]["chance"]["seed"] == 4
    told = judge.mdcr("random", benchmark=bench, seed=6)
    assert told.record.inputs["systems"]["random"]["seed"] == told.record.seed == 6
    assert told.counts["benchmark"]["run"] == bench.run
    assert sum(made.counts["ids"].values()) == made.counts["papers"]
    assert told.counts["benchmark"]["year"] == bench.counts["year"] > 0


def test_scidocs(corpus: Corpus, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    write_scidocs(tmp_path / "data")
    own = write_embeddings(tmp_path / "own.jsonl")
    made = corpus.evaluate.scidocs(tmp_path / "data", f"own={own}")
    assert made.counts["systems"] == ["own"]
    assert made.figures.num_rows == 13


def test_what_is_not_there(corpus: Corpus) -> None:
    with pytest.raises(CitescapeError, match="no ranker 'nobody'"):
        corpus.evaluate.pool("nobody", config=PoolConfig(prefilter=OPEN))
    with pytest.raises(CitescapeError, match="expected a run of `platform benchmark mdcr`"):
        corpus.evaluate.mdcr("bm25", benchmark="evaluate-000000000000")
