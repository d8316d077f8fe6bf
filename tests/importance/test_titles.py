"""Title similarity: cosines on a grid, missing titles, and the model-free encoder."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.core.errors import ConfigError
from citescape.core.pairs import build_pairs
from citescape.importance import kernel
from citescape.importance.counts import PairFeatures, tally
from citescape.importance.titles import HashedWords, compare_titles, encoder_name

STEP = 2.0**-15
PAIRS = build_pairs(
    pa.array(["a", "b", "c"]), np.array([0, 0, 1], np.int32), np.array([1, 2, 2], np.int32)
)
ANGLES = {"east": (2.0, 0.0), "north-east": (1.0, 1.0), "north": (0.0, 3.0), "west": (-1.0, 0.0)}


def compass(texts: list[str]) -> np.ndarray:
    return np.array([ANGLES[text] for text in texts])


def compare(*titles: str | None) -> list[float | None]:
    """Similarities of the pairs (a, b), (a, c), (b, c)."""
    codes = np.arange(3, dtype=np.int32)
    steps = compare_titles(PAIRS, (codes, pa.chunked_array([titles], pa.string())), compass)
    return [None if step == kernel.MISSING else step * STEP for step in steps.tolist()]


def test_similarity_is_the_cosine_to_half_a_step() -> None:
    result = compare("east", "north-east", "north")
    cosines = [1 / np.sqrt(2), 0.0, 1 / np.sqrt(2)]
    assert result == pytest.approx(cosines, abs=STEP / 2)


def test_equal_titles_are_exactly_one_and_opposite_ones_zero() -> None:
    assert compare("east", "east", "west") == [1.0, 0.0, 0.0]
    assert compare("east", " east ", "west") == [1.0, 0.0, 0.0]


@pytest.mark.parametrize("nothing", [None, "", "  "])
def test_a_missing_title_gives_no_similarity(nothing: str | None) -> None:
    assert compare("east", nothing, "east") == [None, 1.0, None]
    assert compare(nothing, nothing, nothing) == [None, None, None]


def test_papers_outside_the_pairs_do_not_matter() -> None:
    codes = np.array([-1, 0, 2, 1], np.int32)
    titles = pa.chunked_array([["of a paper in no pair", "east"], ["east", "north"]])
    assert compare_titles(PAIRS, (codes, titles), compass).tolist() == [0, 32768, 0]


class Listener:
    """Keeps the texts that it encodes."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []

    def __call__(self, texts: list[str]) -> np.ndarray:
        self.batches.append(texts)
        return compass(texts)


def test_titles_are_encoded_once_each_the_shortest_first() -> None:
    listen = Listener()
    titles = pa.chunked_array([["west", "north-east", "east"]])
    codes = np.arange(3, dtype=np.int32)
    compare_titles(PAIRS, (codes, titles), listen)
    assert listen.batches == [["east", "west", "north-east"]]
    listen = Listener()
    compare_titles(PAIRS, (codes, pa.chunked_array([["west", "east", "west"]])), listen)
    assert listen.batches == [["east", "west"]]


def test_only_titles_that_are_compared_are_encoded() -> None:
    codes = np.arange(3, dtype=np.int32)
    listen = Listener()
    titles = pa.chunked_array([["east", "north", "west"]])
    only_ab = np.array([True, False, False])
    steps = compare_titles(PAIRS, (codes, titles), listen, among=only_ab)
    assert listen.batches == [["east", "north"]]
    assert steps[0] == 0
    listen = Listener()
    lone = pa.chunked_array([["east", None, None]], pa.string())
    assert compare_titles(PAIRS, (codes, lone), listen).tolist() == [kernel.MISSING] * 3
    assert listen.batches == []


def test_progress_states_the_texts_and_the_remaining_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("citescape.importance.titles._BATCH_TITLES", 1)
    messages: list[str] = []
    titles = pa.chunked_array([["west", "north-east", "east"]])
    codes = np.arange(3, dtype=np.int32)
    batched = compare_titles(PAIRS, (codes, titles), compass, progress=messages.append)
    assert messages[0] == "encoding titles: 0 of 3"
    assert messages[2].startswith("encoding titles: 2 of 3, about ")
    monkeypatch.undo()
    assert batched.tolist() == compare_titles(PAIRS, (codes, titles), compass).tolist()


@pytest.mark.parametrize("wrong", [np.ones(3), np.ones((1, 3)), np.full((2, 3), np.nan)])
def test_invalid_output_of_an_encoder_is_refused(wrong: np.ndarray) -> None:
    titles = pa.chunked_array([["x", "y", None]], pa.string())
    with pytest.raises(ConfigError, match=r"for 2 titles; expected \(2, dimensions\), all finite"):
        compare_titles(PAIRS, (np.arange(3, dtype=np.int32), titles), lambda texts: wrong)


def test_a_missing_similarity_counts_as_zero_in_the_histogram() -> None:
    steps = np.array([kernel.MISSING, 0, 32768], np.uint16)
    counts = np.zeros((3, 6), np.uint8)
    result = tally(PairFeatures(PAIRS, counts, np.zeros(3, np.uint8), steps, 0), "R")["T"]
    assert (result.bins, result.unit) == (((0, 2), (32768, 1)), STEP)


@settings(deadline=None)
@given(st.lists(st.text(max_size=20), min_size=1, max_size=5))
def test_hashed_words_do_not_depend_on_other_titles(texts: list[str]) -> None:
    encode = HashedWords(64)
    assert np.array_equal(encode(texts), np.vstack([encode([text]) for text in texts]))


def test_hashed_words_see_words_and_parts_of_words() -> None:
    encode = HashedWords()
    a, b, c, d = encode(
        ["Stripe rust of wheat", "Wheat stripe rust", "Striped rusts of wheats", "Graph theory"]
    )

    def cosine(x: np.ndarray, y: np.ndarray) -> float:
        return float(x @ y / np.sqrt((x @ x) * (y @ y)))

    assert cosine(a, b) > cosine(a, c) > cosine(a, d)
    assert not encode(["?!"]).any()


def test_encoders_are_named_in_the_record() -> None:
    assert encoder_name(HashedWords(64)) == "hashed-words-64"
    assert encoder_name(compass) == "compass"
