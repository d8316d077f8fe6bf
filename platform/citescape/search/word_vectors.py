"""Averages of word vectors: the baseline of fastText, from files of word2vec's text format."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from scipy.sparse import csr_array

from citescape.core.errors import SourceError
from citescape.core.types import Document
from citescape.search.dense import Dense
from citescape.search.lines import open_lines
from citescape.search.traits import Traits
from citescape.search.vectors import Vectors
from citescape.search.words import ANALYSER, count_forms

Values = npt.NDArray[np.float32]
_EXPECTED = "word vectors as text: a line `count dimension`, then `word number number ...`"
_BINARY = b"\x00"
_HEADER = 2


@dataclass(frozen=True)
class WordVectors:
    """Vectors of those of some words that a file has."""

    known: npt.NDArray[np.bool_]
    """(words,)"""
    values: Values
    """(words, d) zeros where none is known."""


def read_word_vectors(path: Path, words: Sequence[str]) -> WordVectors:
    """Reads the vectors of some words; of the others only the line is looked at.

    Args:
        path: a `.vec` of fastText or word2vec, compressed by gzip or not.
        words: in lower case. Case does not tell words apart here: a word has the vector of its
            lower-case form; if the file lacks that, of the form that comes first, which is the most
            frequent in files of fastText.

    Raises:
        SourceError: there is no such file, it is not of this format (as a `.bin` is), is cut short,
            or a vector has another length, or holds NaN or infinity; the message says which line.
    """
    with open_lines(path, _EXPECTED) as lines:
        count, dimension = _read_header(path, lines.readline())
        gathered = _Gathered(str(path), {word: k for k, word in enumerate(words)}, dimension)
        number = 1
        for number, line in enumerate(lines, 2):
            gathered.add(number, line)
    if number - 1 < count:
        raise SourceError(
            str(path), "damaged", f"{count:,} words expected; found {number - 1:,}: it is cut short"
        )
    return WordVectors(gathered.rank < _NONE, gathered.values)


_EXACT, _OTHER_CASE, _NONE = range(3)


@dataclass
class _Gathered:
    """What was found so far."""

    source: str
    codes: dict[str, int]
    dimension: int
    rank: npt.NDArray[np.int8] = field(init=False)
    """(words,) how well the form fits whose vector is held."""
    values: Values = field(init=False)

    def __post_init__(self) -> None:
        self.rank = np.full(len(self.codes), _NONE, np.int8)
        self.values = np.zeros((len(self.codes), self.dimension), np.float32)

    def add(self, number: int, line: bytes) -> None:
        """One line; of two that fit equally well the first counts."""
        written, _, told = line.partition(b" ")
        word = written.decode("utf-8", "replace")
        code = self.codes.get(word.lower())
        if code is None:
            return
        fit = _EXACT if word == word.lower() else _OTHER_CASE
        if fit < self.rank[code]:
            self.values[code], self.rank[code] = self._parse(number, word, told), fit

    def _parse(self, number: int, word: str, told: bytes) -> Values:
        try:
            found = np.array(told.split(), np.float32)
        except ValueError:
            found = np.empty(0, np.float32)
        if len(found) != self.dimension or not np.isfinite(found).all():
            raise SourceError(
                self.source,
                "no-vector",
                f"line {number}: expected {self.dimension} finite numbers after {word!r}; found "
                f"{told[:40].decode('utf-8', 'replace').strip()!r}",
            )
        return found


def _read_header(path: Path, line: bytes) -> tuple[int, int]:
    parts = line.split()
    if len(parts) == _HEADER and all(part.isdigit() for part in parts) and int(parts[1]):
        return int(parts[0]), int(parts[1])
    binary = path.suffix == ".bin" or _BINARY in line
    found = (
        "a binary model: name its .vec" if binary else repr(line[:40].decode("utf-8", "replace"))
    )
    raise SourceError(str(path), "not-vec", f"expected {_EXPECTED}; found {found}")


def average_words(
    ids: pa.StringArray,
    documents: Sequence[Document],
    path: Path,
    *,
    name: str,
    metric: str = "cosine",
) -> Dense:
    """Means of the vectors of a paper's words, as `fasttext print-sentence-vectors` has them.

    v(d) = 1/|d| sum over words w of d, as often as it has them, of v_w / |v_w|, over words with a
    vector other than zero. Words are those that BM25 counts, without stop words, but not made
    singular: a file has vectors of both. Papers without such a word have no vector.

    Args:
        ids: (papers,) ascending.
        documents: (papers,).
        path: see `read_word_vectors`.
        name: of the ranker.
        metric: how means are compared.

    Raises:
        SourceError: the file is no such file, or has none of the words.
    """
    words, counts = count_forms(documents)
    found = read_word_vectors(path, words)
    norms = np.linalg.norm(found.values, axis=1)
    if not (norms > 0).any():
        raise SourceError(
            str(path), "no-words", f"expected words of the corpus; found none of its {len(words):,}"
        )
    scale = np.divide(1, norms, out=np.zeros_like(norms), where=norms > 0)
    means = _average(counts, found.values * scale[:, None], norms > 0)
    digest = hashlib.sha256(found.values.tobytes()).hexdigest()[:16]
    unknown = {
        f"words without a vector, of {len(words):,}": int((norms == 0).sum()),
        f"occurrences of these, of {int(counts.sum()):,}": int(counts[:, norms == 0].sum()),
    }
    told = f"means of {path.name} {digest}, words {ANALYSER}"
    vectors = Vectors(pa.table({"id": ids}), means)
    return Dense(name, ids, vectors, metric, told, known=Traits(unknown=unknown))


def _average(counts: csr_array, units: Values, known: npt.NDArray[np.bool_]) -> Values:
    """(papers, d) zeros where no word is known."""
    sums = counts @ units
    many = counts @ known.astype(np.float32)
    means: Values = np.divide(sums, many[:, None], out=np.zeros_like(sums), where=many[:, None] > 0)
    return means
