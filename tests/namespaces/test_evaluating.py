"""Evaluation of rankers in Python, on a generated world."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from citescape import CitescapeError, Corpus
from citescape.core.errors import ConfigError
from citescape.evaluation.report.provenance import repeat
from tests.evaluation.scidocs.conftest import write_embeddings, write_scidocs
from tests.evaluation.scirepeval.conftest import KNOWN, write_jsonl, write_scirepeval

OPEN = {"min_abstract": 0, "min_citations": 0}
SMALL = {"queries": 6, "validation": 3, "fewest": 2, **OPEN}


def test_a_benchmark_is_built_and_rankers_are_evaluated(corpus: Corpus) -> None:
    judge = corpus.evaluate
    bench = corpus.benchmark.mdcr(("bm25", "chance=random"), **SMALL)
    assert corpus.benchmark.mdcr(["bm25", "chance=random"], **SMALL).unchanged
    assert bench.arrow.num_rows == bench.summarise().figures["test"]["pairs"]
    result = judge.mdcr(("tfidf", "random"), benchmark=bench)
    assert result.counts["systems"] == ["tfidf", "random"]
    assert judge.mdcr(("tfidf", "random")).run == result.run  # the latest benchmark
    assert set(result.tables()) == {"figures", "differences"}
    scores = Path(bench.path.parent / "scores.json")
    pairs = bench.read("test").pairs().to_pylist()
    predicted = {f"{row['query']}_{row['candidate']}": float(row["cited"]) for row in pairs}
    scores.write_text(json.dumps(predicted))
    perfect = judge.mdcr(benchmark=bench.path / "mdcr_test.json", scores={"all known": scores})
    means = {(r["condition"], r["metric"]): r["mean"] for r in perfect.figures.to_pylist()}
    assert means["all", "map"] == pytest.approx(1)
    written = judge.report(result)
    assert written.page == result.path / "report.html"
    assert "tfidf" in written.page.read_text()


def test_pools(corpus: Corpus) -> None:
    whole = corpus.evaluate.pool(("bm25", "random"), queries=7, samples=1, **OPEN)
    assert whole.differences is not None
    assert whole.counts["queries"] == 7
    fields = {"queries": 9, "fewest": 2, **OPEN}
    parts = corpus.evaluate.pool("bm25", fields="venue", **fields)
    assert parts.counts["fields"]
    labels = [(row["id"], "all") for row in corpus.cypher("MATCH (p:Paper) RETURN p.id AS id")]
    labelled = corpus.evaluate.pool("bm25", labels=labels, **fields)
    assert labelled.counts["fields"] == ["all"]
    sized = corpus.evaluate.pool("bm25", sizes=(30, 35), samples=1, min_citations=0)
    assert sized.counts["sizes"] == [30, 35]
    assert "--sizes 30,35" in repeat(sized)


def test_a_seed_decides_the_result_and_the_report_repeats_the_settings(corpus: Corpus) -> None:
    judge = corpus.evaluate
    settings = {"metric": "dot", "max_tokens": 16, "seed": 5, **OPEN}
    pool = judge.pool(("bm25", "random"), queries=5, samples=1, **settings)
    assert pool.record.inputs["systems"]["random"]["seed"] == 5
    words = repeat(pool).split()
    assert words[:5] == ["platform", "evaluate", "pool", "bm25", "random"]
    options = dict(zip(words[5::2], words[6::2], strict=True))
    assert options == {
        **{"--metric": "dot", "--max-tokens": "16", "--queries": "5", "--samples": "1"},
        **{"--min-abstract": "0", "--min-citations": "0", "--seed": "5"},
        "--store": corpus.store.location,
    }
    bench = corpus.benchmark.mdcr(("bm25", "chance=random"), seed=4, **SMALL)
    assert bench.record.inputs["models"]["chance"]["seed"] == 4
    result = judge.mdcr("random", benchmark=bench, seed=6)
    assert result.record.inputs["systems"]["random"]["seed"] == result.record.seed == 6
    assert result.counts["benchmark"]["run"] == bench.run
    assert sum(pool.counts["ids"].values()) == pool.counts["papers"]
    assert result.counts["benchmark"]["year"] == bench.counts["year"] > 0


def test_scidocs(corpus: Corpus, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    write_scidocs(tmp_path / "data")
    own = write_embeddings(tmp_path / "own.jsonl")
    result = corpus.evaluate.scidocs(f"own={own}", data=tmp_path / "data")
    assert result.counts["systems"] == ["own"]
    assert result.arrow.num_rows == 13


def test_scirepeval(corpus: Corpus, tmp_path: Path) -> None:
    write_scirepeval(tmp_path)
    vectors = [{"doc_id": paper, "embedding": vector.tolist()} for paper, vector in KNOWN.items()]
    write_jsonl(tmp_path / "own.jsonl", vectors)
    own = f"own={tmp_path / 'own.jsonl'}"
    result = corpus.evaluate.scirepeval(own, tasks=tmp_path / "tasks.jsonl", task=("near",))
    assert result.counts["tasks"] == ["near"]


def test_rankers(corpus: Corpus) -> None:
    listed = corpus.evaluate.rankers()
    assert {"bm25", "minilm", "RUN"} <= {*listed.arrow["ranker"].to_pylist()}


def test_missing_files_and_names_are_reported(corpus: Corpus, tmp_path: Path) -> None:
    with pytest.raises(CitescapeError, match="no ranker 'nobody'"):
        corpus.evaluate.pool("nobody", **OPEN)
    with pytest.raises(CitescapeError, match="expected a run of `platform benchmark mdcr`"):
        corpus.evaluate.mdcr("bm25", benchmark="evaluate-000000000000")
    for absent in ({"texts": tmp_path / "a"}, {"scores": {"x": tmp_path / "a"}}):
        with pytest.raises(ConfigError):
            corpus.evaluate.mdcr("bm25", **absent)
    with pytest.raises(ConfigError):
        corpus.evaluate.pool("bm25", fields="venue", sizes=(30, 35))
    with pytest.raises(ConfigError):
        corpus.evaluate.scidocs(data=tmp_path / "a")
