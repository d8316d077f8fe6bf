"""Profiles (Eq. 3) and queries (Eq. 4), compared with their definitions."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.core.errors import ConfigError
from citescape.recommend import profiler
from citescape.recommend.neighbourhoods import InwardNeighbourhoods
from citescape.recommend.profiler import (
    CONTEXTS,
    ProfileWeights,
    build_profiles,
    compose_queries,
)
from tests.recommend.libraries import Pair, define_profile, make_contexts

Vectors = npt.NDArray[np.float32]
PAPERS = [f"p{number}" for number in range(6)]
TEXTS = [f"c{number}" for number in range(8)]
PAIRS = st.lists(
    st.tuples(st.sampled_from([*TEXTS, "wordless"]), *[st.sampled_from(PAPERS)] * 2, st.just("")),
    max_size=25,
)


def draw(rows: int, *, seed: int = 0, width: int = 3) -> Vectors:
    return np.random.default_rng(seed).normal(size=(rows, width)).astype(np.float32)


def link(
    pairs: Sequence[Pair], papers: Sequence[str] = PAPERS, texts: Sequence[str] = TEXTS
) -> InwardNeighbourhoods:
    ids = (pa.array(named, pa.string()) for named in (papers, texts))
    return InwardNeighbourhoods.from_contexts(make_contexts(pairs), *ids)


def profile(
    pairs: Sequence[Pair], base: Vectors, context_vectors: Vectors, **parameters: Any
) -> Vectors:
    weights = ProfileWeights(**{name: parameters.pop(name) for name in ("alpha", "beta", "contexts")
                                if name in parameters})  # fmt: skip
    return build_profiles(base, context_vectors, link(pairs), weights=weights, **parameters)


def pad(*rows: tuple[float, float]) -> Vectors:
    """Vectors of the first papers or contexts; the others are zero."""
    return np.array([*rows, *[(0, 0)] * (8 - len(rows))], np.float32)


def test_the_published_weights() -> None:
    found = dataclasses.asdict(ProfileWeights())
    published = {"alpha": 0.8, "beta": 0.2, "gamma": 0.7, "delta": 0.3, "contexts": "mean"}
    assert found == published


def test_a_profile_computed_by_hand() -> None:
    """(1, 0) + ((.8 (0, 1) + .2 (1, 0)) + (.8 (1, 1) + .2 (0, 2))) / 2 = (1.5, 1)."""
    base, context_vectors = pad((1, 0), (1, 0), (0, 2))[:6], pad((0, 1), (1, 1))
    found = profile([("c0", "p1", "p0", ""), ("c1", "p2", "p0", "")], base, context_vectors)
    assert found[0] == pytest.approx((1.5, 1.0))
    assert (found[1:] == base[1:]).all()  # papers that are not cited keep their own vector


@pytest.mark.parametrize(
    ("contexts", "joined"), [("mean", (2, 1)), ("first", (0, 2)), ("sum", (4, 2))]
)
def test_several_contexts_of_one_citing_paper(contexts: str, joined: tuple[float, float]) -> None:
    """Several contexts of a citing paper count as one; p2 has the single context c2."""
    base, context_vectors = pad((1, 0), (1, 0), (0, 2))[:6], pad((0, 2), (4, 0), (1, 1))
    pairs = [("c0", "p1", "p0", ""), ("c1", "p1", "p0", ""), ("c2", "p2", "p0", "")]
    each = [
        0.8 * np.array(vector) + 0.2 * base[row]
        for vector, row in ((joined, 1), (context_vectors[2], 2))
    ]
    found = profile(pairs, base, context_vectors, contexts=contexts)[0]
    assert found == pytest.approx(base[0] + (each[0] + each[1]) / 2)


def test_a_context_without_words_adds_the_citing_paper_only() -> None:
    base, context_vectors = pad((1, 0), (3, 1))[:6], pad((5, 5))
    alone = profile([("wordless", "p1", "p0", "")], base, context_vectors)
    assert alone[0] == pytest.approx(base[0] + 0.2 * base[1])
    beside = profile([("wordless", "p1", "p0", ""), ("c0", "p1", "p0", "")], base, context_vectors)
    assert beside[0] == pytest.approx(base[0] + 0.8 * context_vectors[0] + 0.2 * base[1])


def test_citing_papers_contribute_their_own_vector_not_their_profile() -> None:
    """In a chain p2 -> p1 -> p0, citations of p1 do not affect p0."""
    base, context_vectors = pad((1, 0), (0, 1), (7, 7))[:6], pad((1, 1), (9, 9))
    first = ("c0", "p1", "p0", "")
    longer = profile([first, ("c1", "p2", "p1", "")], base, context_vectors)
    assert (longer[0] == profile([first], base, context_vectors)[0]).all()
    assert longer[1] == pytest.approx(base[1] + 0.8 * context_vectors[1] + 0.2 * base[2])


@given(PAIRS, st.sampled_from(sorted(CONTEXTS)), st.floats(0, 1), st.floats(0, 1))
def test_profiles_equal_the_definition(
    pairs: list[Pair], several: str, alpha: float, beta: float
) -> None:
    base, context_vectors = draw(6), draw(8, seed=1)
    found = profile(pairs, base, context_vectors, contexts=several, alpha=alpha, beta=beta)
    by_id = [dict(zip(ids, np.float64(rows), strict=True))
             for ids, rows in ((PAPERS, base), (TEXTS, context_vectors))]  # fmt: skip
    wanted = [
        define_profile(paper, *by_id, pairs=pairs, alpha=alpha, beta=beta, several=several)
        for paper in PAPERS
    ]
    assert found == pytest.approx(np.array(wanted), rel=1e-5, abs=1e-6)


@given(PAIRS, st.randoms(use_true_random=False))
def test_the_order_of_pairs_changes_no_bit(pairs: list[Pair], chance: Any) -> None:
    base, context_vectors = draw(6), draw(8, seed=1)
    mixed = [*pairs, *pairs[:3]]  # duplicates
    chance.shuffle(mixed)
    assert (profile(pairs, base, context_vectors) == profile(mixed, base, context_vectors)).all()


@given(PAIRS, st.lists(st.sampled_from(range(6)), max_size=6))
def test_profiles_of_selected_papers_equal_those_of_all(pairs: list[Pair], rows: list[int]) -> None:
    base, context_vectors = draw(6), draw(8, seed=1)
    some = profile(pairs, base, context_vectors, papers=np.array(rows, np.int64))
    assert (some == profile(pairs, base, context_vectors)[rows]).all()


@given(PAIRS, st.sampled_from([0.25, 2.0, 1024.0]))
def test_vectors_are_not_normalised(pairs: list[Pair], factor: float) -> None:
    """Powers of two are exact; if vectors were scaled to length 1, profiles would not change."""
    base, context_vectors, by = draw(6), draw(8, seed=1), np.float32(factor)
    assert (
        profile(pairs, by * base, by * context_vectors)
        == by * profile(pairs, base, context_vectors)
    ).all()


def test_threads_and_blocks_change_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = np.random.default_rng(3)
    papers, texts = ([f"{kind}{k:04d}" for k in range(500)] for kind in "pc")
    ends = chance.integers(0, 500, (3000, 3))
    pairs = [(texts[a], papers[b], papers[c], "") for a, b, c in ends]
    base, context_vectors, cited_by = draw(500), draw(500, seed=1), link(pairs, papers, texts)
    whole = build_profiles(base, context_vectors, cited_by, threads=1)
    for block, threads in ((7, 1), (7, 4), (499, 2)):
        monkeypatch.setattr(profiler, "_BLOCK", block)
        assert (build_profiles(base, context_vectors, cited_by, threads=threads) == whole).all()


def test_vectors_of_two_encoders_are_refused() -> None:
    with pytest.raises(ConfigError, match="papers have vectors of 3 numbers, contexts of 4"):
        build_profiles(draw(6), draw(8, width=4), link([]))


NUMBERS = st.floats(-8, 8, width=32)
ROWS = st.lists(st.tuples(NUMBERS, NUMBERS), min_size=2, max_size=2)


@given(ROWS, ROWS, st.floats(0, 1), st.floats(0.125, 1), NUMBERS)
def test_queries_are_linear(
    contexts: Any, documents: Any, gamma: float, delta: float, factor: float
) -> None:
    context_vectors, own = np.array(contexts, np.float32), np.array(documents, np.float32)
    weights = ProfileWeights(gamma=gamma, delta=delta)
    found = compose_queries(context_vectors, own, weights)
    assert found.dtype == np.float32
    assert found == pytest.approx(
        gamma * np.float64(context_vectors) + delta * own, rel=1e-5, abs=1e-5
    )
    more = compose_queries(context_vectors + factor * own, own + factor * context_vectors, weights)
    other = compose_queries(own, context_vectors, weights)
    assert more == pytest.approx(found + np.float32(factor) * other, rel=1e-3, abs=1e-3)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"contexts": "last"}, "contexts is 'last'; expected one of: first, mean, sum"),
        ({"alpha": 1.5}, "alpha is 1.5; expected 0 to 1"),
        ({"delta": float("nan")}, "delta is nan; expected 0 to 1"),
        ({"gamma": 0, "delta": 0}, "expected a query to have some weight"),
    ],
)
def test_invalid_weights_are_refused(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        ProfileWeights(**parameters)
