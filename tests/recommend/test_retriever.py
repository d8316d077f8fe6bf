"""The best candidates of queries, against sorting everything."""

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
    """Four numbers of +-1, of length 2: products of units are exact quarters. Some are zeros."""
    chance = np.random.default_rng(seed)
    found = np.zeros((rows, WIDTH), np.float32)
    for row in range(rows):
        if chance.random() > 0.2:
            found[row, chance.permutation(WIDTH)[:4]] = chance.choice([-1, 1], 4)
    return found


def make_index(seed: int, size: int = PAPERS) -> CandidateIndex:
    """Vectors of exact cosines, counts of words, dates."""
    chance = np.random.default_rng(seed)
    own, said = (csr_array(chance.poisson(0.4, (size, 5)).astype(np.float32)) for _ in range(2))
    lexicon = Lexicon(["a", "b", "c", "d", "e"], own, said)
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


def cosine(one: Floats, other: Floats) -> float:
    lengths = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float(one @ other) / lengths if lengths else 0.0


def define(
    index: CandidateIndex, asked: ContextQueries, scores: Any, k: int, among: Any = None
) -> list[list[tuple[int, float]]]:
    """Rows and scores of what may be found, best first, of equal ones the lower row."""
    found = []
    for query in range(len(asked)):
        allowed = [
            row
            for row in range(len(index.latest))
            if (asked.before[query] == EVER or index.latest[row] < asked.before[query])
            and row != asked.citing[query]
            and (among is None or among[row])
        ]
        best = sorted(allowed, key=lambda row: (-scores(query, row), row))[:k]
        found.append([(row, scores(query, row)) for row in best])
    return found


def tell(found: Retrieved) -> list[list[tuple[int, float]]]:
    return [
        [(int(row), float(score)) for row, score in zip(*one, strict=True) if row != NONE]
        for one in zip(found.papers, found.scores, strict=True)
    ]


@given(st.integers(0, 999), st.integers(1, 40), st.integers(1, 9), st.integers(1, 3), st.data())
@settings(max_examples=60)
def test_everything_that_may_be_found_is_sorted(
    seed: int, k: int, block: int, threads: int, data: st.DataObject
) -> None:
    """By base vectors and by profiles (Eq. 5); with ties, dates, own papers, `among`, any block."""
    index = make_index(seed)
    asked = make_queries(seed, index)
    among = data.draw(st.none() | st.just(np.random.default_rng(seed).random(PAPERS) < 0.5))
    for system, vectors in (("dense", index.base), ("profiler", index.profiles)):

        def score(query: int, row: int, held: Floats = vectors) -> float:
            return cosine(asked.vectors[query], held[row])

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(retriever, "_BLOCK_QUERIES", block)
            found = retrieve(index, asked, system, k=k, among=among, threads=threads)
        assert found.papers.shape == found.scores.shape == (QUERIES, k)
        assert tell(found) == define(index, asked, score, k, among)
        assert np.isneginf(found.scores[found.papers == NONE]).all()


@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_every_system_sorts_its_scores(system: str) -> None:
    """With any number of threads."""
    for seed in range(5):
        index = make_index(seed)
        asked = make_queries(seed, index)
        held = SYSTEMS[system][0](index).scorer(asked, slice(0, QUERIES))(slice(0, PAPERS))
        found = retrieve(index, asked, system, k=9)
        wanted = define(index, asked, lambda query, row, held=held: float(held[query, row]), 9)
        assert tell(found) == wanted
        for threads in (1, 3):
            again = retrieve(index, asked, system, k=9, threads=threads)
            assert (again.papers == found.papers).all()
            assert (again.scores == found.scores).all()


def test_a_fused_score_is_a_weighted_sum_of_two_standings() -> None:
    index = replace(make_index(3), share=0.4)
    asked = make_queries(3, index)
    words = retriever.CalibratedField.from_fields(index.words, index.word_profiles, index.profiled)
    scorers = (index.calibrated, words, index.fused)
    *parts, found = (one.scorer(asked, slice(0, QUERIES))(slice(0, PAPERS)) for one in scorers)
    assert found == pytest.approx(0.6 * parts[0] + 0.4 * parts[1], abs=1e-5)


@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_a_query_alone_finds_the_same_bits(system: str) -> None:
    """Its candidates are shared out among threads, and looked at range by range."""
    index = make_index(5, 1500)
    asked = make_queries(5, index, 4)
    vectors = np.random.default_rng(5).normal(size=(1500, WIDTH)).astype(np.float32)
    index = replace(index, base=vectors, profiles=vectors + index.profiles)
    whole = retrieve(index, asked, system, k=40, threads=1)
    for query in range(len(asked)):
        one = ask_alone(asked, query)
        for threads, scores in ((1, 1 << 18), (2, 256), (5, 512), (9, 1)):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(retriever, "_BLOCK_SCORES", scores)
                found = retrieve(index, one, system, k=40, threads=threads)
            assert found.papers[0].tolist() == whole.papers[query].tolist()
            assert found.scores[0].tolist() == whole.scores[query].tolist()


def ask_alone(asked: ContextQueries, query: int) -> ContextQueries:
    rows = slice(query, query + 1)
    return ContextQueries(
        asked.ids[rows], asked.vectors[rows], asked.words[rows], asked.citing[rows],
        asked.before[rows],
    )  # fmt: skip


@given(st.integers(0, 999), st.integers(1, 30), st.sampled_from([1, 5, 60]), st.booleans())
@settings(max_examples=25)
def test_what_is_found_by_bounds_is_what_is_found_without(
    seed: int, k: int, kinds: int, dated: bool
) -> None:
    """The same bits, also where many papers are alike and bounds tell nothing apart."""
    chance = np.random.default_rng(seed)
    index = make_index(seed, 300)
    few = chance.normal(size=(kinds, WIDTH)).astype(np.float32)
    some = few[chance.integers(0, kinds, 300)]
    index = replace(index, base=some, profiles=some + few[0])
    asked = make_queries(seed, index, 4)
    if not dated:
        asked = replace(asked, before=np.full(4, EVER, np.int32))
    for system in SYSTEMS:
        whole = retrieve(index, asked, system, k=k)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(retriever, "_EXTRA_CANDIDATES", 3)
            for query in range(4):
                found = retrieve(index, ask_alone(asked, query), system, k=k, threads=2)
                assert found.papers[0].tolist() == whole.papers[query].tolist()
                assert found.scores[0].tolist() == whole.scores[query].tolist()


def test_bounds_are_enough_where_papers_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 5,000 papers none but the likeliest are looked at closely."""
    index = make_index(1, 5_000)
    vectors = np.random.default_rng(1).normal(size=(5_000, 64)).astype(np.float32)
    index = replace(index, base=vectors, profiles=vectors)
    asked = ContextQueries.from_vectors(vectors[7:8], csr_array((1, 5), dtype=np.float32))
    monkeypatch.setattr(fields, "lay_out", count := Counted(fields.lay_out))
    assert retrieve(index, asked, "dense", k=20, threads=1).papers[0, 0] == 7
    assert 0 < sum(count.rows) < 1_000


@dataclass
class Counted:
    """Laying out, and of how many papers each."""

    call: Callable[..., Floats]
    rows: list[int] = field(default_factory=list)

    def __call__(self, vectors: Any, **options: Any) -> Floats:
        self.rows.append(len(vectors))
        return self.call(vectors, **options)


def find(latest: Sequence[int], before: int, citing: int = NONE) -> list[int]:
    """What a query that all papers answer equally well finds."""
    size = len(latest)
    counts = csr_array((size, 0), dtype=np.float32)
    vectors = np.ones((size, 2), np.float32)
    index = CandidateIndex(
        vectors, vectors, Lexicon([], counts, counts), np.ones(size, np.bool_),
        np.array(latest, np.int32),
    )  # fmt: skip
    asked = ContextQueries(
        pa.array(["q"]), vectors[:1], counts[:1], np.array([citing]), np.array([before], np.int32)
    )
    return [row for row, _ in tell(retrieve(index, asked, "dense", k=size))[0]]


def test_what_is_found_is_surely_older() -> None:
    """Papers of an unknown day are older than none, and found where any time will do."""
    latest = [20010599, 20010507, 20019999, EVER]
    assert find(latest, 20010507) == []
    assert find(latest, 20010508) == [1]
    assert find(latest, 20010600) == [0, 1]
    assert find(latest, 20020000, citing=1) == [0, 2]
    assert find(latest, NEVER) == []
    assert find(latest, EVER) == [0, 1, 2, 3]
    assert find(latest, EVER, citing=0) == [1, 2, 3]


def test_a_paper_without_a_vector_stands_at_cosine_0() -> None:
    """Behind whatever is like the query, before what is the contrary of it."""
    base = np.array([[0, 0], [-1, 0], [2, 2], [0, 1]], np.float32)
    index = replace(make_index(0, 4), base=base, latest=np.zeros(4, np.int32))
    asked = ContextQueries.from_vectors(
        np.array([[3, 0], [0, 0]], np.float32), csr_array((2, 5), dtype="f4")
    )
    found = retrieve(index, asked, "dense", k=4)
    assert found.papers.tolist() == [[2, 0, 3, 1], [0, 1, 2, 3]]
    assert found.scores[0] == pytest.approx([0.5**0.5, 0, 0, -1])
    assert found.scores[1].tolist() == [0] * 4


def test_what_makes_no_sense_is_refused() -> None:
    index = make_index(0)
    asked = make_queries(0, index)
    with pytest.raises(ConfigError, match="system is 'bm26'; expected one of: bm25, bm25-profile"):
        retrieve(index, asked, "bm26")
    with pytest.raises(ConfigError, match="k is 0; expected 1 or more"):
        retrieve(index, asked, k=0)


def test_no_queries_find_nothing() -> None:
    index = make_index(0)
    asked = ContextQueries.from_vectors(
        np.zeros((0, WIDTH), np.float32), csr_array((0, 5), dtype=np.float32)
    )
    for system in SYSTEMS:
        assert retrieve(index, asked, system, k=3).papers.shape == (0, 3)
