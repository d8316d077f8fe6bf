"""Means of word vectors: the baseline of fastText, from files in the text format of word2vec."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

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
_EXACT, _OTHER_CASE, _NONE = range(3)
"""Form of a word in the file, the best first."""


@dataclass(frozen=True)
class WordVectors:
    """Vectors of words."""

    known: npt.NDArray[np.bool_]
    """(words,)"""
    values: Values
    """(words, d) zeros for unknown words."""


def read_word_vectors(path: Path, words: Sequence[str]) -> WordVectors:
    """Reads the vectors of some words; of other words the numbers are not parsed.

    Args:
        path: a `.vec` of fastText or word2vec, compressed by gzip or not.
        words: words in lower case. A word has the vector of its lower-case form; if the file lacks
            that, of the form that comes first, which is the most frequent in files of fastText.

    Raises:
        SourceError: there is no such file, it does not have this format (as a `.bin`), is
            truncated, or a vector has another length, or contains NaN or infinity; the message
            names the line.
    """
    codes = {word: code for code, word in enumerate(words)}
    with open_lines(path, _EXPECTED) as lines:
        count, dimension = _read_header(path, lines.readline())
        forms = np.full(len(words), _NONE, np.int8)  # (words,) whose vector is kept
        values = np.zeros((len(words), dimension), np.float32)
        number = 1
        for number, line in enumerate(lines, 2):
            written, _, numbers = line.partition(b" ")
            word = written.decode("utf-8", "replace")
            code = codes.get(word.lower())
            if code is None:
                continue
            form = _EXACT if word == word.lower() else _OTHER_CASE
            if form >= forms[code]:
                continue
            try:
                vector = np.array(numbers.split(), np.float32)
            except ValueError:
                vector = np.empty(0, np.float32)
            if len(vector) != dimension or not np.isfinite(vector).all():
                raise SourceError(
                    str(path),
                    "no-vector",
                    f"line {number}: expected {dimension} finite numbers after {word!r}; found "
                    f"{numbers[:40].decode('utf-8', 'replace').strip()!r}",
                )
            values[code], forms[code] = vector, form
    if number - 1 < count:
        raise SourceError(
            str(path), "damaged", f"{count:,} words expected; found {number - 1:,}: it is cut short"
        )
    return WordVectors(forms < _NONE, values)


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

    v(d) = 1/|d| sum over words w of d, with repetitions, of v_w / |v_w|, over words with a vector
    other than zero. Words are those of BM25, without stop words, but not in the singular: a file
    has vectors of both numbers. Papers without such a word have no vector.

    Args:
        ids: (papers,) ascending.
        documents: (papers,) titles and abstracts.
        path: word vectors, see `read_word_vectors`.
        name: name of the ranker in tables.
        metric: `cosine`, `dot` or `l2`.

    Raises:
        SourceError: the file does not have the format, or contains no word of the corpus.
    """
    words, counts = count_forms(documents)
    word_vectors = read_word_vectors(path, words)
    norms = np.linalg.norm(word_vectors.values, axis=1)
    if not (norms > 0).any():
        raise SourceError(
            str(path), "no-words", f"expected words of the corpus; found none of its {len(words):,}"
        )
    scale = np.divide(1, norms, out=np.zeros_like(norms), where=norms > 0)
    sums = counts @ (word_vectors.values * scale[:, None])
    known = counts @ (norms > 0).astype(np.float32)
    means = np.divide(sums, known[:, None], out=np.zeros_like(sums), where=known[:, None] > 0)
    digest = hashlib.sha256(word_vectors.values.tobytes()).hexdigest()[:16]
    unknown = {
        f"words without a vector, of {len(words):,}": int((norms == 0).sum()),
        f"occurrences of these, of {int(counts.sum()):,}": int(counts[:, norms == 0].sum()),
    }
    source = f"means of {path.name} {digest}, words {ANALYSER}"
    vectors = Vectors(pa.table({"id": ids}), means)
    return Dense(name, ids, vectors, metric, source, known=Traits(unknown=unknown))
