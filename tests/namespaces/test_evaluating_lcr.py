"""Benchmarks of sentences, evaluation and rerankers in Python."""

from __future__ import annotations

from pathlib import Path

import pytest

import citescape
from citescape.core.errors import ConfigError


def test_a_benchmark_is_built_and_systems_are_evaluated(corpus: citescape.Corpus) -> None:
    judge = corpus.evaluate
    benchmark = corpus.benchmark.lcr(validation=0.2)
    assert benchmark.arrow["split"].to_pylist() == ["train", "val", "test"]
    result = judge.lcr(("bm25", "bm25-profile"), benchmark=benchmark)
    assert result.counts["systems"] == ["bm25", "bm25-profile"]
    assert [*result.tables()] == ["figures", "differences"]
    assert judge.lcr(("bm25", "bm25-profile")).unchanged  # the latest benchmark
    assert judge.report(result).page.name == "report.html"


def test_settings_reach_the_evaluation(corpus: citescape.Corpus) -> None:
    corpus.benchmark.lcr(validation=0.2)
    result = corpus.evaluate.lcr(("bm25",), k=7)
    assert result.counts["cuts"] == [5]
    fewer = corpus.evaluate.lcr(("bm25",), protocol="train-union", candidates="training")
    assert fewer.counts["candidates"] < result.counts["candidates"]
    assert corpus.evaluate.lcr(("bm25",), sweep=True).counts["lengths"][-1] == 1000


def test_invalid_names_are_refused(corpus: citescape.Corpus, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="benchmark lcr"):
        corpus.evaluate.lcr(("bm25",), benchmark=tmp_path)
    with pytest.raises(ConfigError, match="no/such is no model"):
        corpus.evaluate.lcr(("bm25",), benchmark=tmp_path, rerank=("no/such",))
    with pytest.raises(ConfigError, match="no pretrained encoder"):
        corpus.train.reranker(kind="davinci", base="no/such", benchmark=tmp_path)
