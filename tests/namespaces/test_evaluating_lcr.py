"""Benchmarks of contexts through `corpus.evaluate`."""

from __future__ import annotations

from pathlib import Path

import pytest

import citescape
from citescape.core.errors import ConfigError
from citescape.demo.jats_writer import write_corpus
from citescape.demo.world import generate_world
from citescape.recommend.lcr.config import LcrConfig
from citescape.recommend.lcr.prepare import LcrMeasuring
from citescape.training.reranking.config import RerankConfig


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> citescape.Corpus:
    folder = tmp_path_factory.mktemp("corpus")
    write_corpus(generate_world(papers=50, seed=3), folder / "papers")
    made = citescape.open(folder / "corpus.lbug")
    made.ingest(folder / "papers")
    return made


def test_a_benchmark_is_made_and_measured_by(corpus: citescape.Corpus) -> None:
    judge = corpus.evaluate
    benchmark = corpus.benchmark.lcr(LcrConfig(validation=0.2))
    made = judge.lcr("bm25", "bm25-profile", benchmark=benchmark)
    assert made.counts["systems"] == ["bm25", "bm25-profile"]
    assert judge.lcr("bm25", "bm25-profile").unchanged  # the last benchmark made
    assert judge.report(made).page.name == "report.html"


def test_settings_go_on_to_the_evaluation(corpus: citescape.Corpus) -> None:
    corpus.benchmark.lcr(LcrConfig(validation=0.2))
    made = corpus.evaluate.lcr(config=LcrMeasuring(("bm25",), k=7))
    assert made.counts["cuts"] == [5]
    union = LcrConfig(protocol="train-union", candidates="training")
    fewer = corpus.evaluate.lcr("bm25", protocol=union)
    assert fewer.counts["candidates"] < made.counts["candidates"]


def test_what_is_no_benchmark_is_told(corpus: citescape.Corpus, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="benchmark lcr"):
        corpus.evaluate.lcr("bm25", benchmark=tmp_path)
    with pytest.raises(ConfigError, match="no/such is no model"):
        corpus.evaluate.lcr("bm25", benchmark=tmp_path, rerank=["no/such"])
    with pytest.raises(ConfigError, match="no pretrained encoder"):
        corpus.recommend.train_reranker(
            RerankConfig(kind="davinci", base="no/such"), benchmark=tmp_path
        )
