from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from citescape.core.errors import ConfigError
from citescape.evaluation.mdcr.basis import prepare_basis, tune_on_benchmark
from citescape.evaluation.mdcr.build import TEXTS, MdcrRun, build_mdcr
from citescape.evaluation.mdcr.comparison import MdcrComparison, evaluate_mdcr
from citescape.evaluation.mdcr.config import MdcrConfig
from citescape.evaluation.mdcr.evaluate import measure, score
from citescape.evaluation.mdcr.files import read_texts
from citescape.evaluation.tuning import Grid
from citescape.networks.citations import Citations
from citescape.ranking.registry import Basis, open_ranker
from citescape.search.bm25 import Bm25
from citescape.search.dense import Dense
from citescape.search.lexical import weigh_tfidf
from citescape.search.words import count_words
from tests.evaluation.literatures import draw

CONFIG = MdcrConfig(year=2019, queries=12, validation=6, fewest=3, depth=40)
WORLD = draw()


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> MdcrRun:
    rankers = {"bm25": Bm25.from_documents(WORLD.corpus.documents)}
    return build_mdcr(WORLD, rankers, CONFIG, runs=tmp_path_factory.mktemp("runs"))


def read() -> Citations:
    cites = WORLD.cites
    return Citations(WORLD.ids, cites.indptr, cites.ends, np.ones(len(cites.ends)))


def open_basis(run: MdcrRun, split: str) -> Basis:
    basis = Basis(read_texts(run.path / TEXTS[split]), run.path.parent)
    return prepare_basis(basis, run, read, split=split)


def test_queries_of_both_splits_are_held_out(run: MdcrRun) -> None:
    basis = open_basis(run, "test")
    queries = {id_ for split in TEXTS for id_ in run.read(split).table["query"].to_pylist()}
    known = set(basis.ids.to_pylist())
    assert set(basis.ids.take(pa.array(basis.held_out)).to_pylist()) == queries & known
    assert set(run.read().table["query"].to_pylist()) <= queries & known


def test_smoothing_ignores_citations_of_queries(run: MdcrRun) -> None:
    basis = open_basis(run, "test")
    assert basis.citations is not None
    ends = basis.citations()
    own = set(zip(*(basis.ids.take(pa.array(end)).to_pylist() for end in ends), strict=True))
    names = WORLD.ids.to_pylist()
    known = set(basis.ids.to_pylist())
    assert own == {
        (names[citing], names[cited])
        for citing in range(len(WORLD))
        for cited in WORLD.cites[citing]
        if {names[citing], names[cited]} <= known
    }
    ranker = open_ranker("sgc:lsa", basis)[1]
    assert isinstance(ranker, Dense)
    plain = open_ranker("lsa", basis)[1]
    assert isinstance(plain, Dense)
    lonely = np.setdiff1d(basis.held_out, ends[1])  # queries without citations are not linked
    assert len(lonely)
    after, before = (system.vectors.values[lonely] for system in (ranker, plain))
    np.testing.assert_array_equal(after, before)


def test_bm25_is_tuned_on_the_other_split(run: MdcrRun) -> None:
    grid, corpus = Grid((0.4, 1.2), (0.0, 1.0)), read_texts(run.path / TEXTS["val"])
    benchmark = run.read("val")
    own = Bm25.from_documents(read_texts(run.path / TEXTS["test"]).documents)
    found = tune_on_benchmark(own, benchmark=benchmark, corpus=corpus, grid=grid)
    words, ids = Bm25.from_documents(corpus.documents), corpus.papers["id"].combine_chunks()
    for k1, b, figure in found.trials:
        measured = measure(benchmark, score(words.tuned(k1, b), ids, benchmark.pairs()))
        means = [m for m in measured.group_means("map") if not np.isnan(m)]
        assert figure == pytest.approx(sum(means) / len(means))
    assert found.counts is own.counts
    assert len(open_ranker("bm25-tuned", open_basis(run, "test"))[1].traits.trials) == 25
    with pytest.raises(ConfigError, match="needs validation queries"):
        open_ranker("bm25-tuned", open_basis(run, "val"))


def test_records_describe_rankers(run: MdcrRun, tmp_path: Path) -> None:
    basis = open_basis(run, "test")
    (tmp_path / "w.vec").write_text("1 3\nword0x1 1 2 3\n")
    named = ("bm25", "lsa", f"words={tmp_path / 'w.vec'}")
    comparison = MdcrComparison(
        run.read(), basis.corpus, dict(open_ranker(n, basis) for n in named), {}
    )
    counts = evaluate_mdcr(comparison, runs=tmp_path).counts
    assert list(counts["traits"]) == ["bm25", "lsa", "words"]
    dimensions = [own["dimension"] for own in counts["traits"].values()]
    weights = weigh_tfidf(count_words(basis.corpus.documents)[1]).toarray()
    assert dimensions == [0, np.linalg.matrix_rank(weights), 3]
    known = sum("word0x1" in text.title.split() for text in basis.corpus.documents)
    papers = len(basis.corpus.documents)
    assert counts["lacking"] == {"bm25": 0, "lsa": 0, "words": papers - known}
