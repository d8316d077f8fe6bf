from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from citescape.core.errors import SourceError
from citescape.core.types import Document
from citescape.search.word_vectors import average_words, read_word_vectors

IDS = pa.array(["a", "b", "c"])
TEXTS = [Document("Rice blast.", "The rice genes of DNA"), Document("Blast"), Document("galaxies")]
VECTORS = {
    "rice": [3.0, 4.0],
    "Rice": [0.0, 9.0],
    "the": [7.0, 7.0],
    "genes": [1.0, 0.0],
    "gene": [0.0, 5.0],
    "DNA": [0.0, -2.0],
    "Dna": [8.0, 8.0],
    "blast": [0.0, 0.0],
}


def write(path: Path, lines: list[str]) -> Path:
    text = "".join(f"{line}\n" for line in lines).encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    return path


def lines(count: int = len(VECTORS)) -> list[str]:
    """Lines in the format of fastText, with a trailing blank."""
    vector_lines = [f"{word} {' '.join(map(str, numbers))} " for word, numbers in VECTORS.items()]
    return [f"{count} 2", *vector_lines]


@pytest.mark.parametrize("name", ["words.vec", "words.vec.gz"])
def test_means_of_unit_vectors(tmp_path: Path, name: str) -> None:
    """Computed word by word: stop words and case are ignored, plurals are words."""
    ranker = average_words(IDS, TEXTS, write(tmp_path / name, lines()), name="glove")
    units = [np.array(VECTORS[w]) / np.linalg.norm(VECTORS[w]) for w in ("rice", "genes", "DNA")]
    expected = (2 * units[0] + units[1] + units[2]) / 4  # `blast` has a zero vector
    assert ranker.vectors.values[0] == pytest.approx(expected, rel=1e-6)
    assert ranker.lacks(np.arange(3)).tolist() == [False, True, True]
    assert ranker.traits.dimension == 2
    assert ranker.traits.unknown == {
        "words without a vector, of 5": 2,
        "occurrences of these, of 7": 3,
    }


def test_lower_case_forms_are_preferred_at_any_position(tmp_path: Path) -> None:
    backwards = [lines()[0], *reversed(lines()[1:])]
    found = read_word_vectors(write(tmp_path / "w.vec", backwards), ["dna", "rice", "wheat"])
    assert found.known.tolist() == [True, True, False]
    assert found.values.tolist() == [[8, 8], [3, 4], [0, 0]]  # the first of `Dna` and `DNA`


def test_another_file_is_another_ranker(tmp_path: Path) -> None:
    """Records depend on the content of the file, not on its name."""
    description = average_words(IDS, TEXTS, write(tmp_path / "w.vec", lines()), name="w").describe()
    assert average_words(IDS, TEXTS, tmp_path / "w.vec", name="v").describe() == description
    changed = [line.replace("3.0", "2.0") for line in lines()]
    other = average_words(IDS, TEXTS, write(tmp_path / "w.vec", changed), name="w").describe()
    assert other != description


@pytest.mark.parametrize(
    ("file_lines", "expected"),
    [
        (["rice 1 2"], "expected word vectors as text: a line `count dimension`"),
        ([], "a line `count dimension`"),
        (["1 0", "rice"], "a line `count dimension`"),
        (["1 2", "rice 1"], "line 2: expected 2 finite numbers after 'rice'; found '1'"),
        (["1 2", "rice 1 nan"], "line 2: expected 2 finite numbers"),
        (["1 2", "rice 1 x"], "line 2: expected 2 finite numbers"),
        (["1 2", "rice 1 2 3"], "line 2: expected 2 finite numbers"),
        (["3 2", "rice 1 2"], "3 words expected; found 1: it is cut short"),
        (["1 2", "wheat 1 2"], "found none of its 5"),
        (["1 2", "rice 0 0"], "found none of its 5"),
    ],
)
def test_invalid_files_are_refused(tmp_path: Path, file_lines: list[str], expected: str) -> None:
    with pytest.raises(SourceError, match=expected):
        average_words(IDS, TEXTS, write(tmp_path / "w.vec", file_lines), name="w")


def test_a_binary_model_is_refused(tmp_path: Path) -> None:
    (tmp_path / "cc.en.bin").write_bytes(b"\xba\x16\x4f\x2f\x00\x0c\n")
    with pytest.raises(SourceError, match=r"found a binary model: name its \.vec"):
        average_words(IDS, TEXTS, tmp_path / "cc.en.bin", name="w")
