from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
import pytrec_eval

from citescape.core.errors import SourceError
from citescape.evaluation.mdcr.benchmark import ALL, KINDS, TRUE
from citescape.evaluation.mdcr.evaluate import measure, measure_kinds
from citescape.evaluation.mdcr.published import format_published
from citescape.metrics.summary import Resampling, summarise
from tests.evaluation.mdcr.worlds import Contents, draw_scores, make, read, score


def as_published(contents: Contents, scores: dict[str, float]) -> list[str]:
    """Metrics of trec_eval per field, rounded and printed like the published evaluator."""
    names = ("map", "ndcg", "recall_5")
    lines, columns = [], []
    for field, queries in contents.items():
        judged: dict[str, dict[str, int]] = {}
        for query, kinds in queries.items():
            judged[query] = {c: 0 for kind, found in kinds.items() for c in found if kind != TRUE}
            judged[query] |= dict.fromkeys(kinds[TRUE], 1)
        run = {q: {c: scores[f"{q}_{c}"] for c in found} for q, found in judged.items()}
        results = pytrec_eval.RelevanceEvaluator(judged, {"map", "ndcg", "recall"}).evaluate(run)
        means = [np.round(100 * np.mean([r[n] for r in results.values()]), 4) for n in names]
        columns.append(means)
        lines.append("\t".join([field, *(f"{n}: {m}" for n, m in zip(names, means, strict=True))]))
    average = np.round(np.mean(columns, axis=0), 4)
    last = (f"{n}: {m}" for n, m in zip(names, average, strict=True))
    return [*lines, "", "\t".join(["AVG", *last])]


def test_output_equals_that_of_the_published_evaluator(tmp_path: Path) -> None:
    contents = make()
    scores, benchmark = draw_scores(contents), read(contents, tmp_path)
    measured = measure(benchmark, score(benchmark, scores, tmp_path))
    figures = summarise({"own": {ALL: measured}}, Resampling(draws=10))
    assert list(format_published(figures, "own", benchmark.fields)) == as_published(
        contents, scores
    )


def test_output_of_a_single_field(tmp_path: Path) -> None:
    contents = {"Art": make()["Computer Science"]}
    scores, benchmark = draw_scores(contents), read(contents, tmp_path)
    measured = measure(benchmark, score(benchmark, scores, tmp_path))
    figures = summarise({"own": {ALL: measured}}, Resampling(draws=10))
    assert list(format_published(figures, "own", ["Art"])) == as_published(contents, scores)


def test_random_scores_reach_the_published_values(tmp_path: Path) -> None:
    """5 of 65: MAP 13.1, R@5 7.7; with each kind 5 of 15: 44.35 and 33.3."""
    kinds = {kind: [f"{kind}{n}" for n in range(5 if kind == TRUE else 10)] for kind in KINDS}
    benchmark = read({"Art": {f"q{query}": kinds for query in range(3000)}}, tmp_path)
    pairs = benchmark.pairs()
    chance = np.random.default_rng(0).random(len(pairs))
    found = measure_kinds(benchmark, pairs.append_column("score", pa.array(chance)))
    assert list(found) == [ALL, *benchmark.kinds]
    assert 100 * found[ALL].values["map"].mean() == pytest.approx(13.1, abs=0.4)
    assert 100 * found[ALL].values["recall@5"].mean() == pytest.approx(7.7, abs=0.6)
    for kind in benchmark.kinds:
        assert 100 * found[kind].values["map"].mean() == pytest.approx(44.35, abs=1.2)
        assert 100 * found[kind].values["recall@5"].mean() == pytest.approx(33.3, abs=1.2)


def test_a_query_of_two_fields_counts_in_both(tmp_path: Path) -> None:
    contents = make()
    benchmark = read(contents, tmp_path)
    measured = measure(benchmark, score(benchmark, draw_scores(contents), tmp_path))
    assert len(measured.queries) == 60
    assert np.bincount(measured.codes).tolist() == [20, 20, 20]


def test_means_exclude_queries_without_cited_candidates(tmp_path: Path) -> None:
    contents = make()
    contents["Art"]["q_3"][TRUE] = []
    benchmark = read(contents, tmp_path)
    measured = measure(benchmark, score(benchmark, draw_scores(contents), tmp_path))
    assert np.bincount(measured.codes).tolist() == [19, 20, 20]


def test_candidates_without_a_score_come_last(tmp_path: Path) -> None:
    contents = {"Art": make()["Art"]}
    benchmark = read(contents, tmp_path)
    cited = {f"{q}_{c}": 1.0 for q, kinds in contents["Art"].items() for c in kinds[TRUE]}
    measured = measure(benchmark, score(benchmark, cited, tmp_path))
    assert measured.values["recall@5"].tolist() == [1] * 20
    with pytest.raises(SourceError, match=r"none of .* candidates has a score"):
        measure(benchmark, score(benchmark, {}, tmp_path))


def test_a_kind_named_all_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="a kind of candidates is called 'all'"):
        read({"Art": {"q": {TRUE: ["c"], ALL: ["d"]}}}, tmp_path)
