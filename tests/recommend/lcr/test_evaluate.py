from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from citescape.core.errors import ConfigError
from citescape.core.progress import silent
from citescape.metrics.summary import Resampling
from citescape.recommend.contexts import Contexts
from citescape.recommend.lcr.benchmark import LcrTask, build_lcr, make_task, open_lcr
from citescape.recommend.lcr.evaluate import evaluate_lcr
from citescape.recommend.lcr.prepare import LcrEvaluationConfig, ProfileInputs, prepare
from citescape.recommend.lcr.split import split_by_year
from citescape.recommend.profiling import make_profiles
from citescape.recommend.retriever import SYSTEMS, retrieve
from citescape.recommend.steps import BenchmarkLcr
from tests.recommend.lcr.libraries import make_library

FEW = Resampling(draws=50)


def means(evaluation: object, system: str, condition: str = "all") -> dict[str, float]:
    rows = evaluation.figures.to_pylist()  # type: ignore[attr-defined]
    wanted = (system, condition)
    return {
        row["metric"]: row["mean"] for row in rows if (row["system"], row["condition"]) == wanted
    }


def test_profiles_find_works_whose_titles_lack_the_words(task: LcrTask, runs: Path) -> None:
    evaluation = evaluate_lcr(task, LcrEvaluationConfig(resampling=FEW, k=5), runs=runs)
    assert evaluation.counts["systems"] == list(SYSTEMS)
    found = {name: means(evaluation, name)["mrr"] for name in SYSTEMS}
    assert found["profiler"] > 2 * found["dense"]
    assert found["bm25-profile"] == 1.0  # words of a use occur only in contexts
    assert found["bm25"] < 0.5


def test_mrr_equals_that_of_a_plain_search(task: LcrTask, runs: Path) -> None:
    config = LcrEvaluationConfig(systems=("profiler",), k=300, resampling=FEW)
    prepared = prepare(task, config, runs=runs)
    queries = prepared.queries.compose(prepared.index.lexicon, config.query_weights)
    profiles, dates = prepared.run.profiles, prepared.run.latest
    ranks = []
    for query in range(len(prepared.queries)):
        own, vector = queries.citing[query], queries.vectors[query]
        cosines = profiles @ vector / np.linalg.norm(profiles, axis=1) / np.linalg.norm(vector)
        cosines[(dates >= queries.before[query]) | (np.arange(len(dates)) == own)] = -2
        cited = prepared.relevant.cited[prepared.relevant.rows == query]
        ranks.append(min(1 + int((cosines > cosines[work] + 1e-6).sum()) for work in cited))
    plain = float(np.mean(1 / np.array(ranks)))
    assert means(evaluate_lcr(task, config, runs=runs), "profiler")["mrr"] == pytest.approx(plain)


def test_warm_only_lists_ignore_cold_works(task: LcrTask, runs: Path) -> None:
    """Lists of warm works equal lists of all candidates without cold works."""
    config = LcrEvaluationConfig(systems=tuple(SYSTEMS), k=300, resampling=FEW)
    evaluation, prepared = evaluate_lcr(task, config, runs=runs), prepare(task, config, runs=runs)
    warm, papers = prepared.index.profiled, len(prepared.among)
    assert 0 < warm.sum() < papers <= config.k  # lists hold all candidates, so nothing is cut off
    assert evaluation.counts["warm_queries"] > 0
    rows, cited = prepared.relevant.among("warm")
    for system in SYSTEMS:
        found = prepared.retrieve(system, config, progress=silent).papers
        ranks = []
        for query in np.unique(rows):
            known = [paper for paper in found[query] if paper >= 0 and warm[paper]]
            cited_papers = {*cited[rows == query].tolist()}
            ranks.append(1 + next(k for k, paper in enumerate(known) if paper in cited_papers))
        mean = float(np.mean([1 / rank for rank in ranks]))
        assert means(evaluation, system, "warm-only")["mrr"] == pytest.approx(mean)
        assert mean >= means(evaluation, system, "warm")["mrr"]


def test_without_warm_works_warm_metrics_are_missing(runs: Path) -> None:
    library = make_library()
    pairs = library.contexts.pairs
    chosen = [citing == "q00" for citing in pairs["citing"].to_pylist()]
    parts = {"train": Contexts(pairs.filter(chosen)), "test": Contexts(pairs.slice(6, 2))}
    known = {*parts["train"].pairs["cited"].to_pylist()}
    assert not known & {*parts["test"].pairs["cited"].to_pylist()}
    evaluation = evaluate_lcr(
        make_task(library, parts, BenchmarkLcr(protocol="train-union")),
        LcrEvaluationConfig(systems=("fused",), resampling=FEW),
        runs=runs,
    )
    assert evaluation.counts["warm_queries"] == 0
    assert means(evaluation, "fused", "warm-only")["mrr"] is None
    assert means(evaluation, "fused", "cold")["mrr"] > 0


def test_a_sentence_without_words_scores_zero(runs: Path) -> None:
    library = make_library()
    texts = library.contexts.pairs["text"].to_pylist()
    changed_row = library.contexts.pairs["citing"].to_pylist().index("q03")
    texts[changed_row] = "[TARGETCIT]."
    column = library.contexts.pairs.column_names.index("text")
    mute = Contexts(library.contexts.pairs.set_column(column, "text", pa.array(texts)))
    config = LcrEvaluationConfig(systems=("dense", "fused"), resampling=FEW)
    figures = {}
    for name, contexts in (("plain", library.contexts), ("mute", mute)):
        _, parts = split_by_year(library.with_contexts(contexts), BenchmarkLcr(validation=0))
        task = make_task(library.with_contexts(contexts), parts, BenchmarkLcr(validation=0))
        evaluation = evaluate_lcr(task, config, runs=runs)
        assert evaluation.counts["wordless"] == {"test": int(name == "mute")}
        assert evaluation.counts["wordless_queries"] == int(name == "mute")
        figures[name] = evaluation
    plain, muted = (figures[name].counts["queries"] for name in ("plain", "mute"))
    assert plain == muted
    read = figures["mute"].path / "queries.parquet"
    values = pq.read_table(read).to_pylist()
    missed = [row["value"] for row in values if row["query"] == "q03#0"]
    assert missed
    assert not any(missed)


def test_building_and_answering_are_timed_separately(task: LcrTask, runs: Path) -> None:
    """The first query of a system is counted as building time."""
    messages, wait = list[str](), 0.05

    def progress(message: str) -> None:
        messages.append(message)
        if message == "searched for 1 queries":
            time.sleep(wait)

    config = LcrEvaluationConfig(systems=("bm25", "fused"), k=7, resampling=FEW)
    evaluation = evaluate_lcr(task, config, runs=runs, progress=progress)
    every, warm = evaluation.counts["queries"], evaluation.counts["warm_queries"]
    searched = [entry.split()[2] for entry in messages if entry.startswith("searched for")]
    assert searched == 2 * ["1", f"{every}", f"{warm}"]
    for name in config.systems:
        assert evaluation.record.timings[f"{name}: building"] >= wait
        assert name in evaluation.record.timings


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_first_query_builds_all_fields_of_a_system(
    task: LcrTask, runs: Path, system: str
) -> None:
    prepared = prepare(task, LcrEvaluationConfig(), runs=runs)
    queries = prepared.queries.compose(prepared.index.lexicon)
    index = replace(prepared.index)
    given = set(vars(index))
    retrieve(index, queries.select_rows(np.arange(1)), system, k=1)
    built = dict(vars(index))
    assert set(built) > given
    retrieve(index, queries, system, k=7)
    assert all(built.get(name) is value for name, value in vars(index).items())
    assert set(vars(replace(index))) == given  # another system starts without these fields


def test_the_same_evaluation_runs_once(task: LcrTask, runs: Path) -> None:
    config = LcrEvaluationConfig(systems=("bm25", "fused"), k=5, resampling=FEW)
    first, again = (evaluate_lcr(task, config, runs=runs) for _ in range(2))
    assert (first.run, again.unchanged) == (again.run, True)
    turned = replace(config, systems=("fused", "bm25"))  # the first system is the baseline
    assert evaluate_lcr(task, turned, runs=runs).run != first.run


def test_profiles_exclude_evaluation_contexts(task: LcrTask, runs: Path) -> None:
    prepared = prepare(task, LcrEvaluationConfig(), runs=runs)
    asking = {id_ for part in task.inductive.splits.values() for id_ in part.citing.to_pylist()}
    assert not asking & set(prepared.run.contexts.citing.to_pylist())


def test_queries_are_sampled_by_the_seed(task: LcrTask, runs: Path) -> None:
    drawn = [
        prepare(
            task, LcrEvaluationConfig(queries=3, resampling=Resampling(seed)), runs=runs
        ).queries.ids
        for seed in (0, 0, 1)
    ]
    assert len(drawn[0]) == 3
    assert drawn[0].equals(drawn[1])
    assert not drawn[0].equals(drawn[2])


def test_excluding_papers_equals_profiles_of_a_smaller_library(task: LcrTask, runs: Path) -> None:
    profile_run = prepare(task, LcrEvaluationConfig(), runs=runs).run
    left_out = task.library.contexts.citing.slice(0, 3)
    index = ProfileInputs.from_run(profile_run).build_index_without(left_out)
    chosen = set(left_out.to_pylist())
    kept = [citing not in chosen for citing in task.library.contexts.pairs["citing"].to_pylist()]
    fewer = make_profiles(task.library.with_contexts(task.library.contexts.filter(kept)), runs=runs)
    assert np.array_equal(index.profiles, fewer.profiles)
    assert np.array_equal(index.profiled, fewer.index.profiled)
    known = [profile_run.lexicon.words.index(word) for word in fewer.lexicon.words]
    assert np.array_equal(
        index.lexicon.contexts.toarray()[:, known], fewer.lexicon.contexts.toarray()
    )


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"systems": ("bm52",)}, "expected one of: bm25, bm25-profile, calibrated"),
        ({"systems": ()}, "no system; expected one or more"),
        ({"systems": ("bm25", "bm25")}, "expected one or more, each once"),
        ({"k": 0}, "expected 1"),
        ({"word_weight": 1.5}, "expected 0 to 1"),
        ({"depths": ()}, "depth is empty"),
        ({"depths": (5, 5)}, "found 5, 5; expected each once"),
        ({"rerankers": ("a", "a")}, "expected each once"),
        ({"weight": -1.0}, "expected 1 or more, and 0 to 1"),
    ],
)
def test_invalid_settings_are_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        LcrEvaluationConfig(**settings)  # type: ignore[arg-type]


def test_an_unknown_split_is_named(task: LcrTask, runs: Path) -> None:
    with pytest.raises(ConfigError, match="expected one of: test, val"):
        LcrEvaluationConfig(split="train")
    alone = replace(task.inductive, splits={"test": task.inductive.splits["test"]})
    with pytest.raises(ConfigError, match=r"expected one of: test$"):
        evaluate_lcr(replace(task, inductive=alone), LcrEvaluationConfig(split="val"), runs=runs)


def test_every_sentence_of_the_test_library_names_a_use() -> None:
    texts = make_library().contexts.pairs["text"].to_pylist()
    assert all(text.count("TARGETCIT") == 1 for text in texts)


def test_weights_of_words_are_compared_on_other_papers_than_they_are_chosen_on(
    runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = BenchmarkLcr(validation=0.5)
    task = open_lcr(build_lcr(make_library(120), parts, runs=runs).path, parts)
    monkeypatch.setattr("citescape.recommend.word_weight.FEWEST", 20)
    config = LcrEvaluationConfig(choose_word_weight=True)
    chosen = evaluate_lcr(task, config, runs=runs, options={"benchmark": "benchmark"})
    choice = chosen.counts["word_weight"]
    validation = set(task.inductive.splits["val"].citing.to_pylist())
    assert choice["papers"] == len(validation)
    assert not validation & set(task.inductive.splits["test"].citing.to_pylist())
    names = [f"fused, word weight {w:g}" for w in (0.2, 0.0, 1.0, choice["word_weight"])]
    assert chosen.counts["systems"] == list(dict.fromkeys(names))
    for given, name in ((0.0, "fused, word weight 0"), (1.0, "fused, word weight 1")):
        plain = evaluate_lcr(task, LcrEvaluationConfig(("fused",), word_weight=given), runs=runs)
        own = [row for row in chosen.figures.to_pylist() if row["system"] == name]
        assert [row["mean"] for row in own] == plain.figures["mean"].to_pylist()
    assert "weight of words: " in str(chosen.summarise().parts)
