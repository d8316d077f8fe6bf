from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from citescape.core.errors import SourceError
from citescape.core.types import Document
from citescape.evaluation.mdcr.compared import Comparison, evaluate_mdcr
from citescape.papers.documents import make_corpus
from citescape.ranking.random import Random
from citescape.search.dense import Dense
from citescape.search.vectors import Vectors
from tests.evaluation.mdcr.worlds import make, read, write


def test_a_system_without_scores_is_named(tmp_path: Path) -> None:
    benchmark = read(make(), tmp_path)
    ids = benchmark.papers
    corpus = make_corpus(ids, [Document("A title")] * len(ids))
    empty = Dense("no", ids, Vectors(pa.table({"id": ids}), np.zeros((len(ids), 1), np.float32)))
    scores = write({"other": 1.0}, tmp_path, "scores.json")
    for name, comparison in {
        "own": Comparison(benchmark, corpus, {"random": Random(0), "own": empty}, {}),
        "file": Comparison(benchmark, corpus, {"random": Random(0)}, {"file": scores}),
    }.items():
        with pytest.raises(SourceError, match=f"^{name}: it has scores for none of"):
            evaluate_mdcr(comparison, runs=tmp_path / "runs")
    assert not (tmp_path / "runs").exists() or not list((tmp_path / "runs").iterdir())
