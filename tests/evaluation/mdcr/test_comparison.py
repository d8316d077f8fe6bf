from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from citescape.core.errors import SourceError
from citescape.core.types import Document
from citescape.evaluation.mdcr.benchmark import MdcrBenchmark
from citescape.evaluation.mdcr.comparison import MdcrComparison, evaluate_mdcr
from citescape.papers.documents import make_corpus
from citescape.ranking.random import Random
from citescape.search.dense import Dense
from citescape.search.vectors import Vectors
from tests.evaluation.mdcr.worlds import make, read, write


def test_coverage_is_of_papers_and_of_scored_candidates(tmp_path: Path) -> None:
    contents = make()
    benchmark = read(contents, tmp_path)
    ids, pairs = benchmark.papers, benchmark.pairs()
    corpus = make_corpus(ids, [Document("A title")] * len(ids))
    values = np.zeros((len(ids), 1), np.float32)
    values[::3] = 1
    some = Dense("some", ids, Vectors(pa.table({"id": ids}), values))
    keys = [f"{row['query']}_{row['candidate']}" for row in pairs.to_pylist()]
    known = dict.fromkeys(keys[::4], 1.0)
    named = {"random": Random(0), "some": some}
    files = {"file": write(known, tmp_path, "scores.json")}
    evaluation = evaluate_mdcr(
        MdcrComparison(benchmark, corpus, named, files), runs=tmp_path / "runs"
    )
    assert evaluation.counts["covered"] == {
        "random": 1,
        "some": pytest.approx(len(values[::3]) / len(ids), abs=1e-4),
        "file": pytest.approx(sum(key in known for key in keys) / len(keys), abs=1e-4),
    }


def test_queries_with_few_negatives_are_counted(tmp_path: Path) -> None:
    contents = make()
    whole = read(contents, tmp_path)
    assert whole.short_lists == {}
    kind = whole.kinds[0]
    of_kind = pc.equal(whole.table["kind"], kind)
    first = int(np.flatnonzero(of_kind.to_numpy())[0])
    rest = MdcrBenchmark(whole.table.take([n for n in range(len(whole.table)) if n != first]))
    assert (rest.longest_list, rest.short_lists) == (whole.longest_list, {kind: 1})


def test_a_system_without_scores_is_refused(tmp_path: Path) -> None:
    benchmark = read(make(), tmp_path)
    ids = benchmark.papers
    corpus = make_corpus(ids, [Document("A title")] * len(ids))
    empty = Dense("no", ids, Vectors(pa.table({"id": ids}), np.zeros((len(ids), 1), np.float32)))
    scores = write({"other": 1.0}, tmp_path, "scores.json")
    for name, comparison in {
        "own": MdcrComparison(benchmark, corpus, {"random": Random(0), "own": empty}, {}),
        "file": MdcrComparison(benchmark, corpus, {"random": Random(0)}, {"file": scores}),
    }.items():
        with pytest.raises(SourceError, match=f"^{name}: ") as e:
            evaluate_mdcr(comparison, runs=tmp_path / "runs")
        assert e.value.reason == "no-scores"
    assert not (tmp_path / "runs").exists() or not list((tmp_path / "runs").iterdir())
