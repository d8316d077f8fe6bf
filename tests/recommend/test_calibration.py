"""Two scales side by side: what is shifted and stretched stands where it stood."""

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
    """What gives scores: directions of length .5, or counts that are mostly 0."""
    chance = np.random.default_rng(seed)
    if kind == "words":
        return (chance.random(shape) * (chance.random(shape) < 0.4)).astype(np.float32)
    rows = chance.normal(size=shape)
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True) / 2).astype(np.float32)


def make_field(kind: str, rows: Floats, *, stretch: float = 1.0, shift: float = 0.0) -> Any:
    """Scores of it are `stretch` times those of `rows` and `shift` more, for every paper.

    One word, or dimension, that every query has gives the shift; another that none has completes
    vectors to length 1.
    """
    told = np.column_stack([stretch * rows, np.full(len(rows), shift)]).astype(np.float32)
    if kind == "words":
        return LexicalField(csr_array(told))
    rest = np.sqrt(1 - (told.astype(np.float64) ** 2).sum(axis=1))
    return DenseField(np.column_stack([told, rest]).astype(np.float32))


def ask(kind: str, rows: Floats) -> ContextQueries:
    told = np.column_stack([rows, np.ones(len(rows), np.float32)])
    if kind == "words":
        return ContextQueries.from_vectors(np.zeros((len(rows), 1), np.float32), csr_array(told))
    vectors = np.column_stack([told, np.zeros(len(told))]).astype(np.float32)
    return ContextQueries.from_vectors(vectors, csr_array(np.zeros((len(rows), 1), np.float32)))


def score(field: Any, asked: ContextQueries) -> Floats:
    found: Floats = field.scorer(asked, slice(0, len(asked)))(slice(0, PAPERS))
    return found


def tell(scores: Floats, among: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """How each score stands among some: 0 for their mean, 1 for the last of the best hundredth."""
    told = np.empty(scores.shape)
    for query, row in enumerate(scores.astype(np.float64)):
        few = sorted(row[among], reverse=True)
        middle = sum(few) / len(few)
        top = few[int(np.ceil(TOP_SHARE * len(few))) - 1]
        if top <= middle:  # fewer have a word of the query
            top = few[0]
        told[query] = (row - middle) / (top - middle if top > middle else 1)
    return told


@pytest.mark.parametrize("kind", KINDS)
@given(st.floats(0.1, 1), st.floats(0, 0.5), st.integers(0, 99))
@settings(max_examples=25)
def test_profiles_that_are_shifted_and_stretched_stand_as_own_texts_do(
    kind: str, stretch: float, shift: float, seed: int
) -> None:
    """So the calibrated ranking is that of one scale, whatever the other one was."""
    rows, asked = draw(kind, PAPERS, WIDTH, seed=seed), ask(kind, draw(kind, QUERIES, WIDTH))
    own = make_field(kind, rows)
    profiles = make_field(kind, rows, stretch=stretch, shift=shift)
    found = score(CalibratedField.from_fields(own, profiles, PROFILED), asked)
    assert found == pytest.approx(tell(score(own, asked), PROFILED), abs=2e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_cold_papers_come_to_the_end_of_raw_scores_only(kind: str) -> None:
    """For each query a cold paper is the best by its text; profiles are shifted above all texts."""
    asked_rows = draw(kind, QUERIES, WIDTH, seed=1) + np.float32(0.05)
    rows = draw(kind, PAPERS, WIDTH)
    best = np.flatnonzero(~PROFILED)[:QUERIES]
    lengths = np.linalg.norm(asked_rows, axis=1, keepdims=True)
    rows[best] = asked_rows * ((3 if kind == "words" else 0.6) / lengths)
    asked, own = ask(kind, asked_rows), make_field(kind, rows)
    profiles = make_field(kind, rows, stretch=0.3, shift=9 if kind == "words" else 0.9)

    def ranks(field: Any) -> list[int]:
        return [int((row > row[at]).sum()) + 1
                for row, at in zip(score(field, asked), best, strict=True)]  # fmt: skip

    assert ranks(CalibratedField.from_fields(own, profiles, PROFILED)) == ranks(own)
    assert max(ranks(own)) <= QUERIES
    assert min(ranks(own.mix(profiles, PROFILED))) > PROFILED.sum()


@pytest.mark.parametrize("kind", KINDS)
@given(st.floats(0.1, 0.9), st.floats(0, 0.4))
@settings(max_examples=25)
def test_any_scale_of_profiles_ranks_them_alike(kind: str, stretch: float, shift: float) -> None:
    """Profiles that are not own texts: what is done to all their scores changes no standing."""
    asked = ask(kind, draw(kind, QUERIES, WIDTH))
    own, rows = make_field(kind, draw(kind, PAPERS, WIDTH)), draw(kind, PAPERS, WIDTH, seed=7)
    plain = score(CalibratedField.from_fields(own, make_field(kind, rows), PROFILED), asked)
    other = make_field(kind, rows, stretch=stretch, shift=shift)
    assert score(CalibratedField.from_fields(own, other, PROFILED), asked) == pytest.approx(
        plain, abs=2e-4
    )


@pytest.mark.parametrize("having", [0, 1, 2, 40])
def test_a_word_that_few_papers_have_keeps_both_scales(having: int) -> None:
    """The best hundredth of 240 papers are three: where one has the word, the third has none."""
    rows = np.zeros((PAPERS, 1), np.float32)
    rows[np.flatnonzero(PROFILED)[:having]] = 4
    rows[0] = 2  # cold
    asked = ContextQueries.from_vectors(
        np.zeros((1, 1), np.float32), csr_array(np.ones((1, 1), np.float32))
    )
    own = LexicalField(csr_array(rows))
    found = [
        score(CalibratedField.from_fields(own, LexicalField(csr_array(rows * by)), PROFILED), asked)
        for by in (np.float32(1), np.float32(8))
    ]
    assert found[1] == pytest.approx(found[0], abs=1e-5)
    assert found[0] == pytest.approx(tell(rows.T, PROFILED), abs=1e-5)
    if having:
        assert found[0].max() == pytest.approx(1)


def test_too_few_profiles_are_told_by_the_scale_of_all() -> None:
    own, profiles = (make_field("vectors", draw("vectors", PAPERS, WIDTH, seed=k)) for k in (0, 1))
    asked = ask("vectors", draw("vectors", QUERIES, WIDTH))
    everybody = np.ones(PAPERS, np.bool_)
    for count in (0, 1, FEWEST - 1):
        few = np.arange(PAPERS) < count
        made, mixed = (
            CalibratedField.from_fields(own, profiles, few),
            score(own.mix(profiles, few), asked),
        )
        assert made.own_sample_field is None
        assert score(made, asked) == pytest.approx(tell(mixed, everybody), abs=1e-4)
    enough = CalibratedField.from_fields(own, profiles, np.arange(PAPERS) < FEWEST)
    assert enough.own_sample_field is not None
    assert enough.sample.tolist() == list(range(FEWEST))


def test_the_sample_is_told_by_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_some_papers_keep_their_standings(kind: str) -> None:
    own, profiles = (make_field(kind, draw(kind, PAPERS, WIDTH, seed=k)) for k in (0, 1))
    asked, rows = ask(kind, draw(kind, QUERIES, WIDTH)), np.array([7, 0, 355, 8])
    made = CalibratedField.from_fields(own, profiles, PROFILED)
    found = made.select_rows(rows).scorer(asked, slice(0, QUERIES))(slice(0, len(rows)))
    assert found.tolist() == score(made, asked)[:, rows].tolist()


def test_queries_that_nothing_answers_leave_all_alike() -> None:
    own = make_field("words", draw("words", PAPERS, WIDTH))
    asked = ContextQueries.from_vectors(
        np.zeros((1, 1), np.float32), csr_array((1, WIDTH + 1), dtype=np.float32)
    )
    assert not score(CalibratedField.from_fields(own, own, PROFILED), asked).any()
