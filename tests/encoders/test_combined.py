"""Weighted sums of encoders: sums by hand, grid search for weights, and saved encoders."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.core.errors import ConfigError
from citescape.core.types import Document
from citescape.encoders.combined import (
    WeightedSum,
    check_weights,
    combine,
    make_grid,
    search_weights,
)
from citescape.encoders.documents import Adapter, DocumentEncoder, EncoderSettings
from citescape.encoders.pretrained import Encoded
from citescape.encoders.saved import (
    SETTINGS,
    encoder_settings,
    hash_document_encoder,
    load_document_encoder,
    write_adapter,
    write_encoder_settings,
)

PAPERS = [Document("Rice", "Drought."), Document("Wheat")]
SUM = 1e-9


class LetterEncoder:
    """An encoder that counts letters of a text, times a scale."""

    def __init__(self, letters: str, scale: float = 1.0, separator: str = "|") -> None:
        self.letters, self.scale, self.dimensions = letters, scale, len(letters)
        self.tokenizer: Any = SimpleNamespace(sep_token=separator)

    def encode(self, texts: Sequence[str]) -> Encoded:
        counts = [[self.scale * text.count(letter) for letter in self.letters] for text in texts]
        return Encoded(np.array(counts, np.float32), sum(map(len, texts)))


def make_part(
    letters: str, scale: float = 1.0, *, form: str = "joined", separator: str = "|"
) -> Any:
    return DocumentEncoder(LetterEncoder(letters, scale, separator), EncoderSettings(form, "mean"))


def test_a_weighted_sum_by_hand() -> None:
    """.2 * (a, b) + .3 * (b, c) + .5 * (d, e), each letter counted."""
    whole = WeightedSum([make_part("ab"), make_part("bc"), make_part("de")], (0.2, 0.3, 0.5))
    result = whole.encode(["aabbbc", "dee"])
    expected = [
        [0.2 * 2 + 0.3 * 3 + 0.5 * 0, 0.2 * 3 + 0.3 * 1 + 0.5 * 0],
        [0.5 * 1, 0.5 * 2],
    ]
    assert result.vectors.dtype == np.float32
    assert result.vectors == pytest.approx(np.array(expected))
    assert result.tokens == 3 * (6 + 3)
    assert whole.dimensions == 2


def test_vectors_are_not_normalised_before_the_sum() -> None:
    """A part that is a thousand times longer determines the direction of the sum."""
    short, long = make_part("ab"), make_part("cd", 1000.0)
    (result,) = WeightedSum([short, long], (0.5, 0.5)).encode(["aaac"]).vectors
    assert result == pytest.approx([0.5 * 3 + 0.5 * 1000, 0])
    first, second = (np.array([[3.0, 4.0]], np.float32), np.array([[0.0, 7.0]], np.float32))
    scaled = combine([10 * first, second], (0.25, 0.75))
    assert scaled == pytest.approx(0.25 * 10 * first + 0.75 * second)


@given(st.integers(0, 1000), st.integers(2, 4), st.sampled_from([0.1, 0.2, 0.25]))
def test_sums_of_the_grid_equal_those_in_plain_python(seed: int, parts: int, step: float) -> None:
    chance = np.random.default_rng(seed)
    vectors = [chance.normal(size=(3, 4)).astype(np.float32) for _ in range(parts)]
    weights = make_grid(parts, step)[0]
    for row in range(3):
        for column in range(4):
            terms = [w * float(v[row, column]) for w, v in zip(weights, vectors, strict=True)]
            result = combine(vectors, weights)[row, column]
            assert result == pytest.approx(math.fsum(terms), rel=1e-5, abs=1e-6)


def test_incompatible_parts_are_refused() -> None:
    with pytest.raises(ConfigError, match="2, 3 dimensions"):
        WeightedSum([make_part("ab"), make_part("abc")], (0.5, 0.5))
    with pytest.raises(ConfigError, match=r"separate title and abstract by </s> and \[SEP\]"):
        WeightedSum(
            [make_part("ab", form="sep", separator=mark) for mark in ("[SEP]", "</s>")], (0.5, 0.5)
        )
    marks = [make_part("ab", separator=mark) for mark in ("[SEP]", "</s>")]
    assert WeightedSum(marks, (0.5, 0.5)).dimensions == 2, "joined texts have none"


@pytest.mark.parametrize(
    "weights",
    [(0.5, 0.6), (1.0, 0.0), (1.5, -0.5), (1.0,), (0.2, 0.3, 0.5), (math.nan, 1.0), (math.inf, 1)],
)
def test_weights_are_positive_and_sum_to_one(weights: tuple[float, ...]) -> None:
    with pytest.raises(ConfigError, match="expected 2, each more than 0, with the sum 1"):
        check_weights(weights, 2)


@pytest.mark.parametrize(("step", "points"), [(0.1, 36), (0.05, 171)])
def test_the_published_grids(step: float, points: int) -> None:
    """C(9, 2) = 36 and C(19, 2) = 171 (FLeW, 3.4)."""
    grid = make_grid(3, step)
    assert len(grid) == len(set(grid)) == points == math.comb(round(1 / step) - 1, 2)
    assert grid == sorted(grid)
    for weights in grid:
        assert min(weights) >= step - SUM
        assert sum(weights) == pytest.approx(1, abs=SUM)
        check_weights(weights, 3)
    assert max(max(weights) for weights in grid) == pytest.approx(1 - 2 * step)


@given(st.integers(1, 5), st.integers(1, 14))
def test_the_grid_is_every_composition(parts: int, count: int) -> None:
    if count < parts:
        with pytest.raises(ConfigError, match="expected a share that divides 1"):
            make_grid(parts, 1 / count)
        return
    grid = {tuple(round(w * count) for w in weights) for weights in make_grid(parts, 1 / count)}

    def compositions(left: int, places: int) -> set[tuple[int, ...]]:
        if places == 1:
            return {(left,)} if left else set()
        return {(k, *rest) for k in range(1, left) for rest in compositions(left - k, places - 1)}

    assert grid == compositions(count, parts)


@pytest.mark.parametrize("step", [0.0, -0.1, 0.3, 0.5, 1.0, 2.0, math.nan, math.inf])
def test_steps_that_do_not_divide_one_are_refused(step: float) -> None:
    with pytest.raises(ConfigError, match="expected a share that divides 1, at most 1/3"):
        make_grid(3, step)


def test_ties_are_broken_by_the_most_equal_weights() -> None:
    result = search_weights(3, lambda _: 0.5)
    assert result.weights == (0.3, 0.3, 0.4), "then the smallest in order"
    assert (result.tied, result.score, len(result.grid)) == (36, 0.5, 36)
    assert search_weights(2, lambda _: 0.5).weights == (0.5, 0.5)
    assert search_weights(4, lambda _: 0.5, step=0.25).weights == (0.25, 0.25, 0.25, 0.25)


def test_a_higher_score_wins_over_equal_weights() -> None:
    result = search_weights(3, lambda weights: weights[1])
    assert result.weights == (0.1, 0.8, 0.1)
    assert (result.tied, result.score) == (1, 0.8)
    half = search_weights(3, lambda weights: float(weights[0] > 0.55))
    assert half.weights == (0.6, 0.2, 0.2), "of (.6, .1, .3), (.6, .2, .2), (.7, .1, .2), ..."
    assert half.tied == 3 + 2 + 1


@settings(max_examples=30)
@given(st.lists(st.integers(0, 4), min_size=36, max_size=36))
def test_grid_search_equals_a_plain_maximum(values: list[int]) -> None:
    grid = make_grid(3, 0.1)
    score = dict(zip(grid, values, strict=True))
    result = search_weights(3, lambda weights: score[weights])
    best = [weights for weights in grid if score[weights] == max(values)]
    tenths = [tuple(round(10 * w) for w in weights) for weights in best]
    # sum (w - 1/3)^2 is smallest where sum w^2 is: in whole tenths there is no rounding
    chosen = min(tenths, key=lambda w: (sum(k * k for k in w), w))
    assert tuple(round(10 * w) for w in result.weights) == chosen
    assert result.tied == len(best)


def write_part(path: Path, base: Path, seed: int, *, form: str = "sep", width: int = 4) -> Path:
    path.mkdir(parents=True)
    weight = np.random.default_rng(seed).normal(size=(width, 16)).astype(np.float32)
    pooling = "cls" if form == "sep" else "mean"
    settings = EncoderSettings(form, pooling, 32, base=str(base))
    write_adapter(path, Adapter(weight, np.ones(width, np.float32)), settings)
    return path


def write_whole(path: Path, parts: Sequence[Path], weights: tuple[float, ...]) -> Path:
    path.mkdir()
    names = tuple(map(str, parts))
    write_encoder_settings(path, EncoderSettings("sep", "cls", 32, parts=names, weights=weights))
    return path


def test_a_saved_sum_is_loaded_and_encodes(folder: Path, tmp_path: Path) -> None:
    parts = [write_part(tmp_path / f"part-{k}", folder, k) for k in range(2)]
    whole = write_whole(tmp_path / "whole", parts, (0.25, 0.75))
    assert encoder_settings(str(whole)).weights == (0.25, 0.75)
    first, second = (
        load_document_encoder(str(name), precision="float32")(PAPERS) for name in parts
    )
    result = load_document_encoder(str(whole), precision="float32")
    assert result.dimensions == 4
    assert result(PAPERS) == pytest.approx(0.25 * first + 0.75 * second, abs=1e-6)
    for other in ({"form": "joined"}, {"pooling": "mean"}):
        with pytest.raises(ConfigError, match="whole is a weighted sum"):
            load_document_encoder(str(whole), encoder_settings(str(whole), **other))


def test_the_hash_depends_on_parts_and_weights(folder: Path, tmp_path: Path) -> None:
    parts = [write_part(tmp_path / f"part-{k}", folder, k) for k in range(2)]
    wholes = [
        write_whole(tmp_path / name, order, weights)
        for name, order, weights in (
            ("a", parts, (0.25, 0.75)),
            ("b", parts, (0.5, 0.5)),
            ("c", parts[::-1], (0.25, 0.75)),
        )
    ]
    hashes = [hash_document_encoder(str(whole)) for whole in wholes]
    assert len(set(hashes)) == 3
    again = write_whole(tmp_path / "again", parts, (0.25, 0.75))
    assert hash_document_encoder(str(again)) == hashes[0]


def test_parts_of_another_form_or_size_are_refused(folder: Path, tmp_path: Path) -> None:
    first_part = write_part(tmp_path / "one", folder, 1)
    joined = write_part(tmp_path / "joined", folder, 2, form="joined")
    wide = write_part(tmp_path / "wide", folder, 3, width=5)
    mixed = write_whole(tmp_path / "mixed", [first_part, joined], (0.5, 0.5))
    with pytest.raises(ConfigError, match=r"joined reads documents in the form joined; expected"):
        load_document_encoder(str(mixed))
    widths = write_whole(tmp_path / "widths", [first_part, wide], (0.5, 0.5))
    with pytest.raises(ConfigError, match="4, 5 dimensions"):
        load_document_encoder(str(widths))
    nested = write_whole(tmp_path / "nested", [first_part, mixed], (0.5, 0.5))
    with pytest.raises(ConfigError, match="and no weighted sum"):
        load_document_encoder(str(nested))
    uneven = write_whole(tmp_path / "uneven", [first_part, first_part], (0.5, 0.6))
    with pytest.raises(ConfigError, match=r"weights are 0\.5, 0\.6"):
        load_document_encoder(str(uneven))
    (uneven / SETTINGS).write_text('{"form": "sep", "pooling": "cls", "parts": 3}')
    with pytest.raises(ConfigError, match=r"citescape\.json: expected form, pooling"):
        encoder_settings(str(uneven))
