"""Calibration of scores on two scales: shifting and scaling changes no rank."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from citescape.recommend import calibration
from citescape.recommend.calibration import FEWEST, TOP_SHARE, CalibratedField
from citescape.recommend.fields import DenseField, LexicalField
from citescape.recommend.queries import ContextQueries

Floats = npt.NDArray[np.float32]
PAPERS, QUERIES, WIDTH = 360, 5, 6
PROFILED = np.arange(PAPERS) % 3 != 0
KINDS = ("vectors", "words")


def draw(kind: str, *shape: int, seed: int = 0) -> Floats:
    """Random rows: vectors of length 0.5, or word counts that are mostly 0."""
    chance = np.random.default_rng(seed)
    if kind == "words":
        return (chance.random(shape) * (chance.random(shape) < 0.4)).astype(np.float32)
    rows = chance.normal(size=shape)
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True) / 2).astype(np.float32)


def make_field(kind: str, rows: Floats, *, stretch: float = 1.0, shift: float = 0.0) -> Any:
    """Make a field whose scores are `stretch` times those of `rows`, plus `shift`.

    The shift comes from one word or dimension that every query has. A dimension that no query
    has completes vectors to length 1.
    """
    columns = np.column_stack([stretch * rows, np.full(len(rows), shift)]).astype(np.float32)
    if kind == "words":
        return LexicalField(csr_array(columns))
    rest = np.sqrt(1 - (columns.astype(np.float64) ** 2).sum(axis=1))
    return DenseField(np.column_stack([columns, rest]).astype(np.float32))


def make_queries(kind: str, rows: Floats) -> ContextQueries:
    columns = np.column_stack([rows, np.ones(len(rows), np.float32)])
    if kind == "words":
        return ContextQueries.from_vectors(np.zeros((len(rows), 1), np.float32), csr_array(columns))
    vectors = np.column_stack([columns, np.zeros(len(columns))]).astype(np.float32)
    return ContextQueries.from_vectors(vectors, csr_array(np.zeros((len(rows), 1), np.float32)))


def score(field: Any, queries: ContextQueries) -> Floats:
    found: Floats = field.scorer(queries, slice(0, len(queries)))(slice(0, PAPERS))
    return found


def calibrate(scores: Floats, among: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """Calibrated scores: 0 is the mean of the selected papers, 1 the end of their top 1 %."""
    calibrated = np.empty(scores.shape)
    for query, row in enumerate(scores.astype(np.float64)):
        few = sorted(row[among], reverse=True)
        middle = sum(few) / len(few)
        top = few[int(np.ceil(TOP_SHARE * len(few))) - 1]
        if top <= middle:  # fewer have a word of the query
            top = few[0]
        calibrated[query] = (row - middle) / (top - middle if top > middle else 1)
    return calibrated


@pytest.mark.parametrize("kind", KINDS)
@given(st.floats(0.1, 1), st.floats(0, 0.5), st.integers(0, 99))
@settings(max_examples=25)
def test_shifted_and_scaled_profiles_get_the_same_calibrated_scores(
    kind: str, stretch: float, shift: float, seed: int
) -> None:
    """The calibrated ranking does not depend on the scale of the profiles."""
    rows, queries = (
        draw(kind, PAPERS, WIDTH, seed=seed),
        make_queries(kind, draw(kind, QUERIES, WIDTH)),
    )
    own = make_field(kind, rows)
    profiles = make_field(kind, rows, stretch=stretch, shift=shift)
    found = score(CalibratedField.from_fields(own, profiles, PROFILED), queries)
    assert found == pytest.approx(calibrate(score(own, queries), PROFILED), abs=2e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_calibration_keeps_ranks_of_cold_papers(kind: str) -> None:
    """For each query a cold paper has the best text score; all profiles score above all texts."""
    query_rows = draw(kind, QUERIES, WIDTH, seed=1) + np.float32(0.05)
    rows = draw(kind, PAPERS, WIDTH)
    best = np.flatnonzero(~PROFILED)[:QUERIES]
    lengths = np.linalg.norm(query_rows, axis=1, keepdims=True)
    rows[best] = query_rows * ((3 if kind == "words" else 0.6) / lengths)
    queries, own = make_queries(kind, query_rows), make_field(kind, rows)
    profiles = make_field(kind, rows, stretch=0.3, shift=9 if kind == "words" else 0.9)

    def ranks(field: Any) -> list[int]:
        return [int((row > row[at]).sum()) + 1
                for row, at in zip(score(field, queries), best, strict=True)]  # fmt: skip

    assert ranks(CalibratedField.from_fields(own, profiles, PROFILED)) == ranks(own)
    assert max(ranks(own)) <= QUERIES
    assert min(ranks(own.mix(profiles, PROFILED))) > PROFILED.sum()


@pytest.mark.parametrize("kind", KINDS)
@given(st.floats(0.1, 0.9), st.floats(0, 0.4))
@settings(max_examples=25)
def test_calibrated_ranking_does_not_depend_on_the_scale_of_profiles(
    kind: str, stretch: float, shift: float
) -> None:
    """Profiles differ from texts: scaling all scores of profiles changes no calibrated score."""
    queries = make_queries(kind, draw(kind, QUERIES, WIDTH))
    own, rows = make_field(kind, draw(kind, PAPERS, WIDTH)), draw(kind, PAPERS, WIDTH, seed=7)
    plain = score(CalibratedField.from_fields(own, make_field(kind, rows), PROFILED), queries)
    other = make_field(kind, rows, stretch=stretch, shift=shift)
    assert score(CalibratedField.from_fields(own, other, PROFILED), queries) == pytest.approx(
        plain, abs=2e-4
    )


@pytest.mark.parametrize("having", [0, 1, 2, 40])
def test_calibration_of_a_rare_word(having: int) -> None:
    """The top 1 % of 240 papers is three: if only one has the word, the third scores 0."""
    rows = np.zeros((PAPERS, 1), np.float32)
    rows[np.flatnonzero(PROFILED)[:having]] = 4
    rows[0] = 2  # cold
    queries = ContextQueries.from_vectors(
        np.zeros((1, 1), np.float32), csr_array(np.ones((1, 1), np.float32))
    )
    own = LexicalField(csr_array(rows))
    found = [
        score(
            CalibratedField.from_fields(own, LexicalField(csr_array(rows * by)), PROFILED), queries
        )
        for by in (np.float32(1), np.float32(8))
    ]
    assert found[1] == pytest.approx(found[0], abs=1e-5)
    assert found[0] == pytest.approx(calibrate(rows.T, PROFILED), abs=1e-5)
    if having:
        assert found[0].max() == pytest.approx(1)


def test_few_profiles_are_calibrated_on_all_papers() -> None:
    own, profiles = (make_field("vectors", draw("vectors", PAPERS, WIDTH, seed=k)) for k in (0, 1))
    queries = make_queries("vectors", draw("vectors", QUERIES, WIDTH))
    all_papers = np.ones(PAPERS, np.bool_)
    for count in (0, 1, FEWEST - 1):
        few = np.arange(PAPERS) < count
        calibrated, mixed = (
            CalibratedField.from_fields(own, profiles, few),
            score(own.mix(profiles, few), queries),
        )
        assert calibrated.own_sample_field is None
        assert score(calibrated, queries) == pytest.approx(calibrate(mixed, all_papers), abs=1e-4)
    enough = CalibratedField.from_fields(own, profiles, np.arange(PAPERS) < FEWEST)
    assert enough.own_sample_field is not None
    assert enough.sample.tolist() == list(range(FEWEST))


def test_sample_depends_on_the_seed_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration, "_SAMPLE", 150)
    own = make_field("vectors", draw("vectors", PAPERS, WIDTH))
    drawn = [
        CalibratedField.from_fields(own, own, PROFILED, seed=seed).sample.tolist()
        for seed in (0, 0, 1)
    ]
    assert drawn[0] == drawn[1] != drawn[2]
    for sample in drawn:
        assert len(sample) == 150
        assert sorted(set(sample)) == sample
        assert PROFILED[sample].all()


@pytest.mark.parametrize("kind", KINDS)
def test_selected_rows_keep_their_scores(kind: str) -> None:
    own, profiles = (make_field(kind, draw(kind, PAPERS, WIDTH, seed=k)) for k in (0, 1))
    queries, rows = make_queries(kind, draw(kind, QUERIES, WIDTH)), np.array([7, 0, 355, 8])
    field = CalibratedField.from_fields(own, profiles, PROFILED)
    found = field.select_rows(rows).scorer(queries, slice(0, QUERIES))(slice(0, len(rows)))
    assert found.tolist() == score(field, queries)[:, rows].tolist()


def test_queries_without_known_words_score_zero() -> None:
    own = make_field("words", draw("words", PAPERS, WIDTH))
    queries = ContextQueries.from_vectors(
        np.zeros((1, 1), np.float32), csr_array((1, WIDTH + 1), dtype=np.float32)
    )
    assert not score(CalibratedField.from_fields(own, own, PROFILED), queries).any()
