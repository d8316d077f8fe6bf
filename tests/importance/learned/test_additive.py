"""The additive model: exact decomposition, contributions, monotone effects, JSON."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.core.errors import ConfigError
from citescape.importance.learned import additive
from citescape.importance.learned.additive import (
    LEVELS,
    AdditiveModel,
    code,
    find_edges,
    fit,
    logistic,
    read_models,
    score,
)
from citescape.importance.learned.predictors import TABLE

Floats = npt.NDArray[np.float64]
NAMES = ("mentions", "in_methods", "fewest_beside", "words", "title_similarity")


def make_sample(rows: int = 600, seed: int = 0) -> tuple[Floats, Floats]:
    """Values of `NAMES` with gaps in three of them, and labels with an interaction."""
    random = np.random.default_rng(seed)
    mentions = random.geometric(0.5, rows).astype(float)
    methods = random.integers(0, 3, rows) / 2
    beside = random.geometric(0.3, rows) - 1.0
    words = np.round(random.gamma(4, 6, rows))
    similarity = random.random(rows)
    log_odds = mentions - 1.5 * methods * (beside > 2) - 0.3 * beside + 2 * similarity - 2
    labels = (random.random(rows) < logistic(log_odds)).astype(float)
    methods[random.random(rows) < 0.1] = np.nan
    words[random.random(rows) < 0.1] = np.nan
    similarity[random.random(rows) < 0.5] = np.nan
    return np.column_stack([mentions, methods, beside, words, similarity]), labels


@pytest.fixture(scope="module")
def sample() -> tuple[Floats, Floats]:
    return make_sample()


@pytest.fixture(scope="module")
def boosted(sample: tuple[Floats, Floats]) -> AdditiveModel:
    return fit("boosted", *sample, NAMES, seed=0)


@pytest.fixture(scope="module", params=["boosted", "linear"])
def model(request: pytest.FixtureRequest, sample: tuple[Floats, Floats]) -> AdditiveModel:
    return fit(request.param, *sample, NAMES, seed=0)


def test_tables_equal_the_boosted_model_on_all_pairs(
    sample: tuple[Floats, Floats], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: dict[str, Any] = {}
    tabulate = additive._tabulate

    def listen(predict: Any, names: Any, edges: Any, codes: Any) -> AdditiveModel:
        seen.update(expected=predict(codes), model=tabulate(predict, names, edges, codes))
        return seen["model"]

    monkeypatch.setattr(additive, "_tabulate", listen)
    model = fit("boosted", *sample, NAMES, seed=0)
    assert model is seen["model"]
    assert model.interactions
    found = model.base + model.contributions(sample[0]).sum(axis=1)
    assert np.abs(found - seen["expected"]).max() < 1e-9


@settings(max_examples=30)
@given(st.data())
def test_any_function_of_pairs_of_predictors_is_decomposed_exactly(data: st.DataObject) -> None:
    p = data.draw(st.integers(1, 4))
    bounds = data.draw(st.lists(st.integers(0, 4), min_size=p, max_size=p))
    edges = tuple(np.arange(n) + 0.5 for n in bounds)
    random = np.random.default_rng(data.draw(st.integers(0, 99)))
    sizes = [len(e) + 2 for e in edges]
    tables = {(k, j): random.normal(size=(sizes[k], sizes[j])) for k in range(p) for j in range(k)}
    single = [random.normal(size=size) for size in sizes]

    def predict(rows: npt.NDArray[np.int64]) -> Floats:
        total = sum(effect[rows[:, k]] for k, effect in enumerate(single))
        return total + sum(table[rows[:, k], rows[:, j]] for (k, j), table in tables.items())

    codes = np.column_stack([random.integers(0, size, 40) for size in sizes])
    values = np.where(codes == np.array(sizes) - 1, np.nan, codes)
    model = additive._tabulate(predict, NAMES[:p], edges, codes)
    found = model.base + model.contributions(values).sum(axis=1)
    assert found == pytest.approx(predict(codes), abs=1e-9)
    for k, effect in enumerate(model.effects):
        assert effect[codes[:, k]].mean() == pytest.approx(0, abs=1e-9)


def test_base_is_the_average_with_independent_predictors(
    sample: tuple[Floats, Floats], boosted: AdditiveModel
) -> None:
    """Effects have the mean 0 over the pairs, interactions over each predictor alone."""
    codes = code(sample[0], boosted.edges)
    shares = [
        np.bincount(codes[:, k], minlength=len(effect)) / len(codes)
        for k, effect in enumerate(boosted.effects)
    ]
    for k, effect in enumerate(boosted.effects):
        assert shares[k] @ effect == pytest.approx(0, abs=1e-9)
    for (k, other), table in boosted.interactions.items():
        assert np.abs(shares[k] @ table).max() < 1e-9
        assert np.abs(table @ shares[other]).max() < 1e-9


def test_contributions_and_base_are_the_log_odds(
    sample: tuple[Floats, Floats], model: AdditiveModel
) -> None:
    values = sample[0][:50]
    codes = code(values, model.edges)
    expected = np.full(len(values), model.base)
    for k, effect in enumerate(model.effects):
        expected += effect[codes[:, k]]
    for (k, other), table in model.interactions.items():
        expected += table[codes[:, k], codes[:, other]]
    found = model.base + model.contributions(values).sum(axis=1)
    assert found == pytest.approx(expected, abs=1e-12)
    importance, _ = score(model, values)
    assert importance == pytest.approx(logistic(expected), abs=1e-12)


def test_terms_add_up_to_the_probability_bit_for_bit(
    sample: tuple[Floats, Floats], model: AdditiveModel
) -> None:
    importance, added = score(model, sample[0])
    average = float(logistic(np.array([model.base]))[0])
    for probability, row in zip(importance.tolist(), added.tolist(), strict=True):
        assert math.fsum([average, *row]) == probability
        assert 0 <= probability <= 1


def test_scores_of_single_pairs_and_of_blocks_are_the_same_bits(
    sample: tuple[Floats, Floats], model: AdditiveModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = score(model, sample[0])
    monkeypatch.setattr(additive, "_ROWS", 7)
    blocks = score(model, sample[0])
    for one, other in zip(whole, blocks, strict=True):
        assert one.tobytes() == other.tobytes()
    for row in (0, 13, 599):
        importance, added = score(model, sample[0][row : row + 1])
        assert (importance[0], added[0].tolist()) == (whole[0][row], whole[1][row].tolist())


@pytest.mark.parametrize("slope", [1e-12, 1e-6, 1.0, 30.0, 1e4])
def test_terms_add_up_at_any_scale(sample: tuple[Floats, Floats], slope: float) -> None:
    model = fit("boosted", *sample, NAMES, seed=0).scale(slope, 0.1)
    importance, added = score(model, sample[0])
    log_odds = model.base + model.contributions(sample[0]).sum(axis=1)
    assert importance == pytest.approx(logistic(log_odds), abs=1e-9)
    assert np.isfinite(added).all()
    assert added.shape == sample[0].shape


def test_scale_changes_log_odds_linearly(
    sample: tuple[Floats, Floats], boosted: AdditiveModel
) -> None:
    scaled = boosted.scale(0.5, -1.0)
    before = boosted.base + boosted.contributions(sample[0]).sum(axis=1)
    after = scaled.base + scaled.contributions(sample[0]).sum(axis=1)
    assert after == pytest.approx(0.5 * before - 1.0, abs=1e-12)


def grid(model: AdditiveModel, k: int, rest: Floats) -> Floats:
    """Values of predictor k in all its levels, in ascending order, all else as in `rest`."""
    edges = model.edges[k]
    levels = np.concatenate([[edges[0] - 1], edges + 1e-9]) if len(edges) else np.zeros(1)
    rows = np.tile(rest, (len(levels), 1))
    rows[:, k] = levels
    return rows


@settings(max_examples=60)
@given(row=st.integers(0, 599))
def test_monotone_predictors_are_monotone_with_all_else_fixed(
    row: int, sample: tuple[Floats, Floats], boosted: AdditiveModel
) -> None:
    """Effect and interactions together: mentions and similarity raise, works beside lower."""
    for k, name in enumerate(NAMES):
        direction = TABLE[name].direction
        rows = grid(boosted, k, sample[0][row])
        log_odds = boosted.base + boosted.contributions(rows).sum(axis=1)
        importance = score(boosted, rows)[0]
        if direction:
            assert (direction * np.diff(log_odds) >= -1e-12).all(), name
            assert (direction * np.diff(importance) >= -1e-12).all(), name


def test_the_table_of_predictors_has_monotone_ones() -> None:
    assert [TABLE[name].direction for name in NAMES] == [1, 0, -1, 0, 1]


def test_values_that_were_never_missing_say_nothing_when_they_are(
    sample: tuple[Floats, Floats], boosted: AdditiveModel
) -> None:
    for k in (0, 2):
        assert boosted.effects[k][-1] == 0
        values = sample[0][:20].copy()
        values[:, k] = np.nan
        rest = boosted.contributions(values)
        assert (rest[:, k] == 0).all()
        assert score(boosted, values)[1][:, k].tolist() == [0.0] * 20
    assert boosted.effects[1][-1] != 0


def test_missing_values_of_a_linear_model_are_average(sample: tuple[Floats, Floats]) -> None:
    values, labels = sample
    linear = fit("linear", values, labels, NAMES, seed=0)
    assert not linear.interactions
    known = ~np.isnan(values[:, 3])
    effect = linear.contributions(values)[:, 3]
    assert effect[~known] == pytest.approx(effect[known].mean(), abs=1e-9)


@pytest.mark.parametrize("kind", ["boosted", "linear"])
@pytest.mark.parametrize("constant", [1.0, 0.0, np.nan])
def test_a_constant_predictor_adds_nothing(
    kind: str, constant: float, sample: tuple[Floats, Floats]
) -> None:
    values = sample[0].copy()
    values[:, 3] = constant
    model = fit(kind, values, sample[1], NAMES, seed=0)
    assert model.contributions(values)[:, 3] == pytest.approx(0, abs=1e-12)
    assert np.isfinite(score(model, values)[0]).all()


@pytest.mark.parametrize("kind", ["boosted", "linear"])
def test_labels_that_are_separated_perfectly(kind: str) -> None:
    values = np.repeat([[1.0], [5.0]], 40, axis=0)
    labels = (values[:, 0] > 2).astype(float)
    model = fit(kind, values, labels, ("mentions",), seed=0)
    assert np.array_equal(score(model, values)[0] > 0.5, labels > 0)


@pytest.mark.parametrize("label", [0.0, 1.0])
def test_equal_labels_are_refused(label: float, sample: tuple[Floats, Floats]) -> None:
    with pytest.raises(ConfigError, match="all labels are equal; expected important and other"):
        fit("boosted", sample[0], np.full(600, label), NAMES, seed=0)


def test_the_order_of_rows_matters_in_the_last_digits_alone(
    sample: tuple[Floats, Floats], model: AdditiveModel
) -> None:
    """Levels and means are equal. Sums of gradients differ by rounding, and with them tables.

    Where two splits gain the same up to rounding, another one may be chosen: training sorts pairs
    by id, so that files in another order give the same bits.
    """
    kind = "boosted" if model.interactions else "linear"
    order = np.random.default_rng(1).permutation(len(sample[1]))
    mixed = fit(kind, sample[0][order], sample[1][order], NAMES, seed=0)
    for one, other in zip(model.edges, mixed.edges, strict=True):
        assert one.tolist() == other.tolist()
    assert score(mixed, sample[0])[0] == pytest.approx(score(model, sample[0])[0], abs=1e-3)
    again = fit(kind, *sample, NAMES, seed=0)
    assert again.to_json() == model.to_json()


def test_levels_lie_between_few_values() -> None:
    assert find_edges(np.array([3.0, 1.0, np.nan, 1.0, 2.0])).tolist() == [1.5, 2.5]
    assert find_edges(np.array([7.0, 7.0])).tolist() == []
    assert find_edges(np.array([np.nan])).tolist() == []
    assert len(find_edges(np.arange(LEVELS))) == LEVELS - 1


@given(st.lists(st.floats(-1e6, 1e6), min_size=LEVELS + 1, max_size=80))
def test_levels_ascend_and_all_have_values(numbers: list[float]) -> None:
    values = np.array(numbers)
    edges = find_edges(values)
    assert len(edges) < LEVELS + 1
    assert (np.diff(edges) > 0).all()
    codes = code(values[:, None], (edges,))[:, 0]
    assert codes.max() == len(edges)
    assert codes.min() == 0
    order = np.argsort(values)
    assert (np.diff(codes[order]) >= 0).all()


def test_codes_of_missing_and_extreme_values() -> None:
    edges = (np.array([1.0, 2.0]),)
    values = np.array([[-np.inf], [1.0], [1.5], [np.inf], [np.nan]])
    assert code(values, edges)[:, 0].tolist() == [0, 0, 1, 2, 3]


def test_json_and_back(sample: tuple[Floats, Floats], model: AdditiveModel) -> None:
    text = json.dumps([model.to_json()], allow_nan=False)
    (again,) = read_models(text)
    assert again.to_json() == model.to_json()
    assert score(again, sample[0])[0].tobytes() == score(model, sample[0])[0].tobytes()


def damage(content: dict[str, Any], **changes: Any) -> str:
    return json.dumps([{**content, **changes}])


def test_damaged_json_is_refused(boosted: AdditiveModel) -> None:
    content = boosted.to_json()
    effects, edges = content["effects"], content["edges"]
    (k, other, table), *_ = content["interactions"]
    broken = [
        "",
        "{",
        "[]",
        "{}",
        "[1]",
        "null",
        "[" * 100_000,
        json.dumps([content, fit_two(boosted)]),
        damage(content, names=[*NAMES[:4], "gravity"]),
        damage(content, names="mentions"),
        damage(content, names=NAMES[:4]),
        damage(content, base="x"),
        damage(content, base=math.nan),
        damage(content, base=None),
        damage(content, effects=effects[:-1]),
        damage(content, effects=[*effects[:-1], effects[-1][:-1]]),
        damage(content, effects=[*effects[:-1], [*effects[-1][:-1], math.inf]]),
        damage(content, effects=3),
        damage(content, edges=[edges[0][::-1], *edges[1:]]),
        damage(content, interactions=[[k, other, table[:-1]]]),
        damage(content, interactions=[[0, 9, table]]),
        damage(content, interactions=[[-1, other, table]]),
        damage(content, interactions=[[k, k, table]]),
        damage(content, interactions=[[k, other]]),
        damage(content, interactions=None),
        json.dumps([{key: value for key, value in content.items() if key != "base"}]),
    ]
    for text in broken:
        with pytest.raises((KeyError, TypeError, ValueError)):
            read_models(text)


def fit_two(model: AdditiveModel) -> dict[str, Any]:
    """The first two predictors of a model."""
    return AdditiveModel(model.names[:2], model.edges[:2], 0.0, model.effects[:2]).to_json()
