"""Measuring encoders in Python, on a generated world."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import citescape
from citescape import CitescapeError, Corpus, FieldPoolConfig, MdcrConfig, PoolConfig, Prefilter
from citescape.demo.jats_writer import write_corpus
from citescape.demo.world import generate_world
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
