from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from citescape.core.errors import ConfigError
from citescape.metrics.summary import Resampling
from citescape.recommend.contexts import Contexts
from citescape.recommend.lcr.benchmark import LcrTask, build_lcr, make_task, open_lcr
from citescape.recommend.lcr.evaluate import evaluate_lcr
from citescape.recommend.lcr.prepare import LcrEvaluationConfig
from citescape.recommend.lcr.shortlists import (
    ShortlistConfig,
    join_shortlists,
    make_training_lists,
    train_on_benchmark,
)
from citescape.recommend.lexicon import WordWeights
from citescape.recommend.library import Library
from citescape.recommend.profiler import ProfileWeights
from citescape.recommend.queries import QueryWeights
from citescape.recommend.steps import BenchmarkLcr
from citescape.training.reranking.config import RerankConfig
from tests.recommend.lcr.libraries import make_library
from tests.training.reranking.conftest import write_model

SIX = ShortlistConfig(k=6)


@pytest.fixture(scope="session")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small transformer for pairs of texts."""
    return write_model(tmp_path_factory.mktemp("base") / "pairs")


def test_profiles_for_a_query_exclude_its_paper(task: LcrTask, runs: Path) -> None:
    """With one fold no contexts are left for profiles: works are found by title only."""
    config = ShortlistConfig("profiler", k=6, queries=0, folds=2)
    training, held = make_training_lists(task, LcrEvaluationConfig(), config, runs=runs)
    expected = task.inductive.training
    assert len(training) == len(expected)
    own = {
        text.replace(" [TARGETCIT]", "").replace("TARGETCIT", "")
        for text in expected.pairs["text"].to_pylist()
    }
    assert all(any(query.startswith(text[:20]) for text in own) for query in training.queries)
    assert len(held) == len(task.inductive.splits["val"])


def test_folds_and_queries_depend_on_the_seed(task: LcrTask, runs: Path) -> None:
    lists = [
        make_training_lists(
            task,
            LcrEvaluationConfig(),
            ShortlistConfig(k=6, queries=9, folds=3, seed=seed),
            runs=runs,
        )[0]
        for seed in (0, 0, 1)
    ]
    assert len(lists[0]) == 9
    assert lists[0].sha256 == lists[1].sha256
    assert lists[0].sort().sha256 != lists[2].sort().sha256


def test_a_query_may_include_the_abstract(task: LcrTask, runs: Path) -> None:
    lists, _ = make_training_lists(task, LcrEvaluationConfig(), SIX, runs=runs)
    assert all("We rely on" in query and "Experiments of group" in query for query in lists.queries)
    assert not any("TARGETCIT" in query for query in lists.queries)
    papers = task.library.papers
    abstracts = pa.array([f"Of {id_}." for id_ in papers["id"].to_pylist()])
    library = Library(
        papers.set_column(papers.column_names.index("abstract"), "abstract", abstracts),
        task.library.contexts,
    )
    longer, _ = make_training_lists(
        replace(task, library=library), LcrEvaluationConfig(), SIX, abstracts=True, runs=runs
    )
    shorter, _ = make_training_lists(
        replace(task, library=library), LcrEvaluationConfig(), SIX, runs=runs
    )
    for long, short in zip(longer.queries, shorter.queries, strict=True):
        assert re.fullmatch(re.escape(short) + r" Of \w+\.", long)


def test_joined_lists_keep_cited_works(task: LcrTask, runs: Path) -> None:
    lists, held = make_training_lists(task, LcrEvaluationConfig(), SIX, runs=runs)
    both = join_shortlists([lists, held])
    assert both.queries == [*lists.queries, *held.queries]
    assert np.array_equal(
        both.select_rows(np.arange(len(lists), len(both))).is_relevant, held.is_relevant
    )


def test_reranking_keeps_the_retrieved_papers(task: LcrTask, runs: Path, pairs: Path) -> None:
    config = RerankConfig(base=str(pairs), epochs=1, max_tokens=32, negatives=2, k=6)
    reranker = train_on_benchmark(task, config, lists=SIX, runs=runs)
    lists_config = json.loads(reranker.record.inputs["lists"])
    assert (lists_config["system"], lists_config["k"], lists_config["folds"]) == ("fused", 6, 5)
    evaluation = LcrEvaluationConfig(
        ("fused",), k=6, rerankers=(reranker.run,), depths=(3, 6), resampling=Resampling(draws=10)
    )
    found = evaluate_lcr(task, evaluation, runs=runs)
    names = ["fused", f"fused > {reranker.run} @3", f"fused > {reranker.run} @6"]
    assert found.counts["systems"] == names
    table = found.read_table("queries.parquet", "system", "query", "metric", "value").to_pylist()
    reached = {
        name: {
            row["query"]
            for row in table
            if row["system"] == name and row["metric"] == "mrr" and row["value"] > 0
        }
        for name in names
    }
    assert reached[names[0]] == reached[names[1]] == reached[names[2]]
    with pytest.raises(ConfigError, match="a retriever with --system fused; found bm25"):
        evaluate_lcr(task, replace(evaluation, systems=("fused", "bm25")), runs=runs)


def test_a_finished_training_needs_no_retrieval(task: LcrTask, runs: Path) -> None:
    """Other query weights or other contexts give another run."""
    config = RerankConfig(kind="vectors", epochs=1, k=6)
    messages: list[str] = []
    train = partial(
        train_on_benchmark, config=config, lists=SIX, runs=runs, progress=messages.append
    )
    first = train(task)
    assert any("searched for" in text for text in messages)
    messages.clear()
    again = train(task)
    assert (again.run, again.unchanged) == (first.run, True)
    assert not any("searched for" in text for text in messages)
    asking = QueryWeights(ProfileWeights(gamma=0.4, delta=0.6), WordWeights(title=0.5))
    other = train(task, evaluation=LcrEvaluationConfig(query_weights=asking))
    written = json.loads((other.path / "reranker.json").read_text())["retriever"]
    assert json.loads(other.record.inputs["retriever"]) == written
    assert (written["system"], written["word_weight"], written["gamma"]) == ("fused", 0.2, 0.4)
    assert written["query_words"] == {"context": 1.0, "title": 0.5, "abstract": 0.1}
    splits = task.inductive.splits
    fewer = splits["val"].filter(pc.not_equal(splits["val"].pairs["context"], splits["val"].ids[0]))
    inductive = replace(task.inductive, splits={**splits, "val": fewer})
    assert len({first.run, other.run, train(replace(task, inductive=inductive)).run}) == 3


@pytest.mark.parametrize(
    "settings", [{"system": "none"}, {"folds": 1}, {"k": 0}, {"validation": 0}, {"queries": -1}]
)
def test_invalid_settings_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match="expected"):
        ShortlistConfig(**settings)  # type: ignore[arg-type]


def test_training_without_validation_contexts_is_refused(tmp_path: Path) -> None:
    config = BenchmarkLcr(validation=0)
    bare = open_lcr(build_lcr(make_library(), config, runs=tmp_path).path, config)
    with pytest.raises(ConfigError, match="no validation contexts"):
        make_training_lists(bare, LcrEvaluationConfig(), runs=tmp_path)


def test_a_training_counts_temporal_overlap(task: LcrTask, runs: Path, pairs: Path) -> None:
    """Queries of a fold use profiles of the other folds, which may be newer."""
    config = RerankConfig(base=str(pairs), epochs=1, max_tokens=32, negatives=2, k=6)
    known = train_on_benchmark(task, config, lists=SIX, runs=runs).counts["temporal_overlap"]
    assert 0 < known["newer_profiles"] <= len(task.inductive.training)
    assert known["undated"] == 0
    bare = replace(
        task,
        library=Library(
            task.library.papers.set_column(3, "date", pa.array([""] * len(task.library.ids))),
            task.library.contexts,
        ),
        dated=False,
    )
    known = train_on_benchmark(bare, config, lists=SIX, runs=runs).counts["temporal_overlap"]
    assert (known["newer_profiles"], known["undated"]) == (0, len(task.inductive.training))


def test_works_of_the_same_sentence_are_no_negatives(task: LcrTask, runs: Path) -> None:
    """Published files have a context for each work of a sentence; training joins them.

    Evaluation does not: it uses the contexts of the files.
    """
    parts = {"train": task.inductive.training, **task.inductive.splits}
    doubled = {}
    for name, part in parts.items():
        rows = part.pairs.select(["context", "citing", "cited", "text"]).to_pylist()
        other = {"w00": "w01", "w01": "w00"}
        rows += [
            {**row, "context": f"{row['context']}'", "cited": other[row["cited"]]}
            for row in rows
            if row["cited"] in other
        ]
        doubled[name] = Contexts(pa.Table.from_pylist(rows))
    config = BenchmarkLcr(protocol="train-union")
    apart = make_task(task.library, doubled, config)
    lists = make_training_lists(
        apart, LcrEvaluationConfig(), ShortlistConfig(k=6, queries=0), runs=runs
    )
    for found, name in zip(lists, ("train", "val"), strict=True):
        assert len(found) == len(parts[name])
        works = sorted(np.diff(found.offsets).tolist())
        twice = len(doubled[name]) - len(parts[name])
        assert works == [1] * (len(found) - twice) + [2] * twice
    evaluation = LcrEvaluationConfig(("bm25",), split="val", resampling=Resampling(draws=10))
    assert evaluate_lcr(apart, evaluation, runs=runs).counts["queries"] == len(doubled["val"])
