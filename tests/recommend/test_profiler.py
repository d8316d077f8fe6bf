"""Eq. 3 and 4 against their definitions."""

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


def profile(pairs: Sequence[Pair], base: Vectors, said: Vectors, **asked: Any) -> Vectors:
    weights = ProfileWeights(**{name: asked.pop(name) for name in ("alpha", "beta", "contexts")
                                if name in asked})  # fmt: skip
    return build_profiles(base, said, link(pairs), weights=weights, **asked)


def pad(*rows: tuple[float, float]) -> Vectors:
    """Vectors of the first papers or contexts; the others have none."""
    return np.array([*rows, *[(0, 0)] * (8 - len(rows))], np.float32)


def test_the_published_weights() -> None:
    found = dataclasses.asdict(ProfileWeights())
    published = {"alpha": 0.8, "beta": 0.2, "gamma": 0.7, "delta": 0.3, "contexts": "mean"}
    assert found == published


def test_a_case_by_hand() -> None:
    """(1, 0) + ((.8 (0, 1) + .2 (1, 0)) + (.8 (1, 1) + .2 (0, 2))) / 2 = (1.5, 1)."""
    base, said = pad((1, 0), (1, 0), (0, 2))[:6], pad((0, 1), (1, 1))
    found = profile([("c0", "p1", "p0", ""), ("c1", "p2", "p0", "")], base, said)
    assert found[0] == pytest.approx((1.5, 1.0))
    assert (found[1:] == base[1:]).all()  # what nothing cites is what it says of itself


@pytest.mark.parametrize(
    ("contexts", "joined"), [("mean", (2, 1)), ("first", (0, 2)), ("sum", (4, 2))]
)
def test_several_contexts_of_one_citing_paper(contexts: str, joined: tuple[float, float]) -> None:
    """They are one of the papers that are counted; c2 of p2 stands for itself."""
    base, said = pad((1, 0), (1, 0), (0, 2))[:6], pad((0, 2), (4, 0), (1, 1))
    pairs = [("c0", "p1", "p0", ""), ("c1", "p1", "p0", ""), ("c2", "p2", "p0", "")]
    each = [0.8 * np.array(one) + 0.2 * base[row] for one, row in ((joined, 1), (said[2], 2))]
    found = profile(pairs, base, said, contexts=contexts)[0]
    assert found == pytest.approx(base[0] + (each[0] + each[1]) / 2)


def test_a_context_without_words_adds_the_citing_paper_only() -> None:
    base, said = pad((1, 0), (3, 1))[:6], pad((5, 5))
    alone = profile([("wordless", "p1", "p0", "")], base, said)
    assert alone[0] == pytest.approx(base[0] + 0.2 * base[1])
    beside = profile([("wordless", "p1", "p0", ""), ("c0", "p1", "p0", "")], base, said)
    assert beside[0] == pytest.approx(base[0] + 0.8 * said[0] + 0.2 * base[1])


def test_citing_papers_count_as_they_are_not_as_they_are_profiled() -> None:
    """In a chain p2 -> p1 -> p0, what cites p1 is nothing to p0."""
    base, said = pad((1, 0), (0, 1), (7, 7))[:6], pad((1, 1), (9, 9))
    first = ("c0", "p1", "p0", "")
    longer = profile([first, ("c1", "p2", "p1", "")], base, said)
    assert (longer[0] == profile([first], base, said)[0]).all()
    assert longer[1] == pytest.approx(base[1] + 0.8 * said[1] + 0.2 * base[2])


@given(PAIRS, st.sampled_from(sorted(CONTEXTS)), st.floats(0, 1), st.floats(0, 1))
def test_profiles_are_those_of_the_definition(
    pairs: list[Pair], several: str, alpha: float, beta: float
) -> None:
    base, said = draw(6), draw(8, seed=1)
    found = profile(pairs, base, said, contexts=several, alpha=alpha, beta=beta)
    by_id = [dict(zip(ids, np.float64(rows), strict=True))
             for ids, rows in ((PAPERS, base), (TEXTS, said))]  # fmt: skip
    wanted = [
        define_profile(paper, *by_id, pairs=pairs, alpha=alpha, beta=beta, several=several)
        for paper in PAPERS
    ]
    assert found == pytest.approx(np.array(wanted), rel=1e-5, abs=1e-6)


@given(PAIRS, st.randoms(use_true_random=False))
def test_the_order_of_pairs_changes_no_bit(pairs: list[Pair], chance: Any) -> None:
    base, said = draw(6), draw(8, seed=1)
    mixed = [*pairs, *pairs[:3]]  # told twice is told once
    chance.shuffle(mixed)
    assert (profile(pairs, base, said) == profile(mixed, base, said)).all()


@given(PAIRS, st.lists(st.sampled_from(range(6)), max_size=6))
def test_some_papers_are_those_of_all(pairs: list[Pair], rows: list[int]) -> None:
    base, said = draw(6), draw(8, seed=1)
    some = profile(pairs, base, said, papers=np.array(rows, np.int64))
    assert (some == profile(pairs, base, said)[rows]).all()


@given(PAIRS, st.sampled_from([0.25, 2.0, 1024.0]))
def test_vectors_are_added_as_they_are(pairs: list[Pair], factor: float) -> None:
    """Powers of two are exact; of vectors scaled to length 1 no profile would change."""
    base, said, by = draw(6), draw(8, seed=1), np.float32(factor)
    assert (profile(pairs, by * base, by * said) == by * profile(pairs, base, said)).all()


def test_threads_and_blocks_change_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = np.random.default_rng(3)
    papers, texts = ([f"{kind}{k:04d}" for k in range(500)] for kind in "pc")
    ends = chance.integers(0, 500, (3000, 3))
    pairs = [(texts[a], papers[b], papers[c], "") for a, b, c in ends]
    base, said, cited_by = draw(500), draw(500, seed=1), link(pairs, papers, texts)
    whole = build_profiles(base, said, cited_by, threads=1)
    for block, threads in ((7, 1), (7, 4), (499, 2)):
        monkeypatch.setattr(profiler, "_BLOCK", block)
        assert (build_profiles(base, said, cited_by, threads=threads) == whole).all()


def test_vectors_of_two_encoders_are_refused() -> None:
    with pytest.raises(ConfigError, match="papers have vectors of 3 numbers, contexts of 4"):
        build_profiles(draw(6), draw(8, width=4), link([]))


NUMBERS = st.floats(-8, 8, width=32)
ROWS = st.lists(st.tuples(NUMBERS, NUMBERS), min_size=2, max_size=2)


@given(ROWS, ROWS, st.floats(0, 1), st.floats(0.125, 1), NUMBERS)
def test_queries_are_linear(
    contexts: Any, documents: Any, gamma: float, delta: float, factor: float
) -> None:
    said, own = np.array(contexts, np.float32), np.array(documents, np.float32)
    weights = ProfileWeights(gamma=gamma, delta=delta)
    found = compose_queries(said, own, weights)
    assert found.dtype == np.float32
    assert found == pytest.approx(gamma * np.float64(said) + delta * own, rel=1e-5, abs=1e-5)
    more = compose_queries(said + factor * own, own + factor * said, weights)
    other = compose_queries(own, said, weights)
    assert more == pytest.approx(found + np.float32(factor) * other, rel=1e-3, abs=1e-3)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"contexts": "last"}, "contexts is 'last'; expected one of: first, mean, sum"),
        ({"alpha": 1.5}, "alpha is 1.5; expected 0 to 1"),
        ({"delta": float("nan")}, "delta is nan; expected 0 to 1"),
        ({"gamma": 0, "delta": 0}, "expected a query to have some weight"),
    ],
)
def test_weights_without_a_meaning_are_refused(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        ProfileWeights(**asked)
