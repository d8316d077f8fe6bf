"""The best candidates of queries, compared with sorting all papers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from citescape.core.errors import ConfigError
from citescape.recommend import fields, retriever
from citescape.recommend.dates import EVER, NEVER, Dates
from citescape.recommend.lexicon import Lexicon
from citescape.recommend.queries import ContextQueries
from citescape.recommend.retriever import SYSTEMS, CandidateIndex, Retrieved, retrieve
from citescape.search.ranker import NONE

Floats = npt.NDArray[np.float32]
PAPERS, QUERIES, WIDTH = 23, 6, 8
DATES = ("2001", "2001-05", "2001-05-07", "2002", "")


def draw_exact(rows: int, seed: int) -> Floats:
    """Vectors with four entries +-1: cosines are exact quarters. Some vectors are zero."""
    chance = np.random.default_rng(seed)
    found = np.zeros((rows, WIDTH), np.float32)
    for row in range(rows):
        if chance.random() > 0.2:
            found[row, chance.permutation(WIDTH)[:4]] = chance.choice([-1, 1], 4)
    return found


def make_index(seed: int, size: int = PAPERS) -> CandidateIndex:
    """Index with vectors of exact cosines, word counts and dates."""
    chance = np.random.default_rng(seed)
    own, context_counts = (
        csr_array(chance.poisson(0.4, (size, 5)).astype(np.float32)) for _ in range(2)
    )
    lexicon = Lexicon(["a", "b", "c", "d", "e"], own, context_counts)
    dates = {f"p{row:03d}": str(chance.choice(DATES)) for row in range(size)}
    latest = Dates.from_iso(dates).latest
    vectors = (draw_exact(size, seed + k) for k in (1, 2))
    return CandidateIndex(*vectors, lexicon, chance.random(size) < 0.7, latest)


def make_queries(seed: int, index: CandidateIndex, size: int = QUERIES) -> ContextQueries:
    chance = np.random.default_rng(seed + 50)
    words = csr_array(chance.poisson(0.5, (size, 5)).astype(np.float32))
    citing = chance.integers(NONE, len(index.latest), size)
    before = chance.choice([EVER, NEVER, 20010507, 20010600, 20020000], size).astype(np.int32)
    return replace(
        ContextQueries.from_vectors(draw_exact(size, seed + 60), words),
        citing=citing,
        before=before,
    )


def cosine(first: Floats, second: Floats) -> float:
    lengths = float(np.linalg.norm(first) * np.linalg.norm(second))
    return float(first @ second) / lengths if lengths else 0.0


def define(
    index: CandidateIndex, queries: ContextQueries, scores: Any, k: int, among: Any = None
) -> list[list[tuple[int, float]]]:
    """Rows and scores of allowed papers, best first; equal scores by row."""
    found = []
    for query in range(len(queries)):
        allowed = [
            row
            for row in range(len(index.latest))
            if (queries.before[query] == EVER or index.latest[row] < queries.before[query])
            and row != queries.citing[query]
            and (among is None or among[row])
        ]
        best = sorted(allowed, key=lambda row: (-scores(query, row), row))[:k]
        found.append([(row, scores(query, row)) for row in best])
    return found


def list_results(found: Retrieved) -> list[list[tuple[int, float]]]:
    return [
        [(int(row), float(score)) for row, score in zip(*pair, strict=True) if row != NONE]
        for pair in zip(found.papers, found.scores, strict=True)
    ]


@given(st.integers(0, 999), st.integers(1, 40), st.integers(1, 9), st.integers(1, 3), st.data())
@settings(max_examples=60)
def test_retrieval_equals_sorting_all_allowed_papers(
    seed: int, k: int, block: int, threads: int, data: st.DataObject
) -> None:
    """Base vectors and profiles (Eq. 5), with ties, dates, own papers, `among` and any block."""
    index = make_index(seed)
    queries = make_queries(seed, index)
    among = data.draw(st.none() | st.just(np.random.default_rng(seed).random(PAPERS) < 0.5))
    for system, vectors in (("dense", index.base), ("profiler", index.profiles)):

        def score(query: int, row: int, held: Floats = vectors) -> float:
            return cosine(queries.vectors[query], held[row])

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(retriever, "_BLOCK_QUERIES", block)
            found = retrieve(index, queries, system, k=k, among=among, threads=threads)
        assert found.papers.shape == found.scores.shape == (QUERIES, k)
        assert list_results(found) == define(index, queries, score, k, among)
        assert np.isneginf(found.scores[found.papers == NONE]).all()


@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_every_system_sorts_its_scores(system: str) -> None:
    """For any number of threads."""
    for seed in range(5):
        index = make_index(seed)
        queries = make_queries(seed, index)
        held = SYSTEMS[system][0](index).scorer(queries, slice(0, QUERIES))(slice(0, PAPERS))
        found = retrieve(index, queries, system, k=9)
        wanted = define(index, queries, lambda query, row, held=held: float(held[query, row]), 9)
        assert list_results(found) == wanted
        for threads in (1, 3):
            again = retrieve(index, queries, system, k=9, threads=threads)
            assert (again.papers == found.papers).all()
            assert (again.scores == found.scores).all()


def test_a_fused_score_is_a_weighted_sum_of_calibrated_scores() -> None:
    index = replace(make_index(3), word_weight=0.4)
    queries = make_queries(3, index)
    words = retriever.CalibratedField.from_fields(index.words, index.word_profiles, index.profiled)
    scorers = (index.calibrated, words, index.fused)
    *parts, found = (
        scorer.scorer(queries, slice(0, QUERIES))(slice(0, PAPERS)) for scorer in scorers
    )
    assert found == pytest.approx(0.6 * parts[0] + 0.4 * parts[1], abs=1e-5)


@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_a_single_query_gives_the_same_bits_as_a_batch(system: str) -> None:
    """For a single query, candidates are divided among threads and searched by ranges."""
    index = make_index(5, 1500)
    queries = make_queries(5, index, 4)
    vectors = np.random.default_rng(5).normal(size=(1500, WIDTH)).astype(np.float32)
    index = replace(index, base=vectors, profiles=vectors + index.profiles)
    whole = retrieve(index, queries, system, k=40, threads=1)
    for query in range(len(queries)):
        single = select_query(queries, query)
        for threads, scores in ((1, 1 << 18), (2, 256), (5, 512), (9, 1)):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(retriever, "_BLOCK_SCORES", scores)
                found = retrieve(index, single, system, k=40, threads=threads)
            assert found.papers[0].tolist() == whole.papers[query].tolist()
            assert found.scores[0].tolist() == whole.scores[query].tolist()


def select_query(queries: ContextQueries, query: int) -> ContextQueries:
    rows = slice(query, query + 1)
    return ContextQueries(
        queries.ids[rows], queries.vectors[rows], queries.words[rows], queries.citing[rows],
        queries.before[rows],
    )  # fmt: skip


@given(st.integers(0, 999), st.integers(1, 30), st.sampled_from([1, 5, 60]), st.booleans())
@settings(max_examples=25)
def test_bounds_do_not_change_results(seed: int, k: int, kinds: int, dated: bool) -> None:
    """Same bits, including many similar papers for which bounds exclude nothing."""
    chance = np.random.default_rng(seed)
    index = make_index(seed, 300)
    few = chance.normal(size=(kinds, WIDTH)).astype(np.float32)
    some = few[chance.integers(0, kinds, 300)]
    index = replace(index, base=some, profiles=some + few[0])
    queries = make_queries(seed, index, 4)
    if not dated:
        queries = replace(queries, before=np.full(4, EVER, np.int32))
    for system in SYSTEMS:
        whole = retrieve(index, queries, system, k=k)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(retriever, "_EXTRA_CANDIDATES", 3)
            for query in range(4):
                found = retrieve(index, select_query(queries, query), system, k=k, threads=2)
                assert found.papers[0].tolist() == whole.papers[query].tolist()
                assert found.scores[0].tolist() == whole.scores[query].tolist()


def test_bounds_exclude_most_papers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 5,000 papers only the most likely are scored exactly."""
    index = make_index(1, 5_000)
    vectors = np.random.default_rng(1).normal(size=(5_000, 64)).astype(np.float32)
    index = replace(index, base=vectors, profiles=vectors)
    queries = ContextQueries.from_vectors(vectors[7:8], csr_array((1, 5), dtype=np.float32))
    monkeypatch.setattr(fields, "lay_out", count := Counted(fields.lay_out))
    assert retrieve(index, queries, "dense", k=20, threads=1).papers[0, 0] == 7
    assert 0 < sum(count.rows) < 1_000


@dataclass
class Counted:
    """Wraps `lay_out` and counts the papers of each call."""

    call: Callable[..., Floats]
    rows: list[int] = field(default_factory=list)

    def __call__(self, vectors: Any, **options: Any) -> Floats:
        self.rows.append(len(vectors))
        return self.call(vectors, **options)


def find(latest: Sequence[int], before: int, citing: int = NONE) -> list[int]:
    """Result of a query for which all papers have the same score."""
    size = len(latest)
    counts = csr_array((size, 0), dtype=np.float32)
    vectors = np.ones((size, 2), np.float32)
    index = CandidateIndex(
        vectors, vectors, Lexicon([], counts, counts), np.ones(size, np.bool_),
        np.array(latest, np.int32),
    )  # fmt: skip
    queries = ContextQueries(
        pa.array(["q"]), vectors[:1], counts[:1], np.array([citing]), np.array([before], np.int32)
    )
    return [row for row, _ in list_results(retrieve(index, queries, "dense", k=size))[0]]


def test_results_are_older_than_the_query() -> None:
    """Papers with an unknown day are found only without a date limit."""
    latest = [20010599, 20010507, 20019999, EVER]
    assert find(latest, 20010507) == []
    assert find(latest, 20010508) == [1]
    assert find(latest, 20010600) == [0, 1]
    assert find(latest, 20020000, citing=1) == [0, 2]
    assert find(latest, NEVER) == []
    assert find(latest, EVER) == [0, 1, 2, 3]
    assert find(latest, EVER, citing=0) == [1, 2, 3]


def test_a_paper_without_a_vector_has_cosine_0() -> None:
    """It ranks below positive and above negative cosines."""
    base = np.array([[0, 0], [-1, 0], [2, 2], [0, 1]], np.float32)
    index = replace(make_index(0, 4), base=base, latest=np.zeros(4, np.int32))
    queries = ContextQueries.from_vectors(
        np.array([[3, 0], [0, 0]], np.float32), csr_array((2, 5), dtype="f4")
    )
    found = retrieve(index, queries, "dense", k=4)
    assert found.papers.tolist() == [[2, 0, 3, 1], [0, 1, 2, 3]]
    assert found.scores[0] == pytest.approx([0.5**0.5, 0, 0, -1])
    assert found.scores[1].tolist() == [0] * 4


def test_invalid_settings_are_refused() -> None:
    index = make_index(0)
    queries = make_queries(0, index)
    with pytest.raises(ConfigError, match="system is 'bm26'; expected one of: bm25, bm25-profile"):
        retrieve(index, queries, "bm26")
    with pytest.raises(ConfigError, match="k is 0; expected 1 or more"):
        retrieve(index, queries, k=0)


def test_no_queries_give_no_results() -> None:
    index = make_index(0)
    queries = ContextQueries.from_vectors(
        np.zeros((0, WIDTH), np.float32), csr_array((0, 5), dtype=np.float32)
    )
    for system in SYSTEMS:
        assert retrieve(index, queries, system, k=3).papers.shape == (0, 3)
