"""Title similarity: the cosine of the vectors of two titles (CIA, section 5.2.2).

Stored in steps of 2**-15 (0.00003, below the precision of any encoder): whole numbers have an exact
histogram, and rounding errors of an encoder do not affect the weights.
"""

from __future__ import annotations

import re
import tempfile
import time
import zlib
from collections.abc import Callable
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import ConfigError
from citescape.core.pairs import Codes, Pairs
from citescape.core.progress import Progress, describe_remaining, silent
from citescape.importance import kernel

Vectors = npt.NDArray[np.float32]
Encode = Callable[[list[str]], npt.NDArray[np.floating]]
"""Function of texts (k) to vectors (k, dimensions); the run records its `name`, if it has one."""

_BATCH_TITLES = 4096
_WORD = re.compile(r"\w+")


class HashedWords:
    """Words and their character trigrams, hashed into a fixed number of dimensions.

    Needs no model: it measures shared words and word parts, not meaning. Each feature adds +1 or -1
    (feature hashing: Weinberger et al. 2009) at the position given by its CRC-32.
    """

    def __init__(self, dimensions: int = 512) -> None:
        self.dimensions = dimensions
        self.name = f"hashed-words-{dimensions}"

    def __call__(self, texts: list[str]) -> Vectors:
        """Vectors (len(texts), dimensions); all 0 for a text without words."""
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in enumerate(texts):
            hashes = [h for word in _WORD.findall(text.lower()) for h in _hash_word(word)]
            places = np.array(hashes, np.uint32)
            signs = 1 - 2 * (places >> 31).astype(np.float32)
            np.add.at(vectors[row], places % self.dimensions, signs)
        return vectors


def encoder_name(encode: Encode) -> str:
    """Name of the encoder in the record of a run: its `name`, or that of its function or class."""
    named = getattr(encode, "name", None) or getattr(encode, "__qualname__", None)
    return str(named or type(encode).__qualname__)


def compare_titles(
    pairs: Pairs,
    titles: tuple[Codes, pa.ChunkedArray],
    encode: Encode,
    *,
    among: npt.NDArray[np.bool_] | None = None,
    noun: str = "titles",
    progress: Progress = silent,
) -> npt.NDArray[np.uint16]:
    """Similarities (pairs,) of the two titles of each pair, in steps of 2**-15.

    Args:
        pairs: pairs to compare.
        titles: codes of papers and their titles; other papers have none. Each distinct title of a
            pair with two titles is encoded once, the shortest first: texts of one length need no
            padding.
        encode: function from texts to vectors.
        among: (pairs,) pairs to compare; the similarity of others may be missing. None for all.
        noun: what the texts are, for messages.
        progress: called with the number of encoded texts and the remaining time.

    Returns:
        0..32768 (1.0: the same title); 65535 where one of the titles is missing.
    """
    title_of, distinct = _number_titles(pairs, *titles, among)
    lengths = pc.utf8_length(distinct).to_numpy()
    total, done, begun = int(lengths.sum()), 0, time.monotonic()
    with tempfile.TemporaryFile() as file:
        vectors: Vectors = np.zeros((0, 1), np.float32)
        for start in range(0, len(distinct), _BATCH_TITLES):
            rest = describe_remaining(time.monotonic() - begun, done=done, left=total - done)
            progress(f"encoding {noun}: {start:,} of {len(distinct):,}{rest}")
            encoded = _unit_vectors(distinct.slice(start, _BATCH_TITLES).to_pylist(), encode)
            if start == 0:  # memory-mapped, so that millions of titles fit
                shape = (len(distinct), encoded.shape[1])
                vectors = np.memmap(file, np.float32, "w+", shape=shape)
            vectors[start : start + len(encoded)] = encoded
            done += int(lengths[start : start + _BATCH_TITLES].sum())
        return kernel.compare(pairs.indptr, pairs.cited, title_of, vectors).astype(
            np.uint16, copy=False
        )


def _number_titles(
    pairs: Pairs,
    papers: Codes,
    texts: pa.ChunkedArray,
    among: npt.NDArray[np.bool_] | None,
) -> tuple[npt.NDArray[np.int32], pa.Array]:
    """Number of each paper's title (papers of the pairs,), -1 without one; the distinct titles.

    Titles without another title to compare with are left out.
    """
    texts = pc.utf8_trim_whitespace(texts.cast(pa.string()))
    known = pc.and_kleene(pc.greater(pc.utf8_length(texts), 0), pa.array(papers >= 0))
    known = pc.fill_null(known, False)
    titled = np.zeros(len(pairs.ids), np.bool_)
    titled[papers[known.to_numpy()]] = True
    citing = np.repeat(np.arange(len(pairs.ids)), np.diff(pairs.indptr))
    both = titled[citing] & titled[pairs.cited]
    both = both if among is None else both & among
    compared = np.zeros(len(pairs.ids), np.bool_)
    compared[citing[both]] = compared[pairs.cited[both]] = True
    used = pa.array(known.to_numpy() & compared[papers])
    distinct = pc.unique(texts.filter(used))
    columns = pa.table({"length": pc.utf8_length(distinct), "text": distinct})
    distinct = columns.sort_by([("length", "ascending"), ("text", "ascending")])["text"]
    distinct = distinct.combine_chunks()
    title_of = np.full(len(pairs.ids), -1, np.int32)
    numbers = pc.index_in(texts.filter(used), value_set=distinct)
    title_of[papers[used.to_numpy(zero_copy_only=False)]] = numbers.to_numpy()
    return title_of, distinct


def _unit_vectors(texts: list[str], encode: Encode) -> Vectors:
    vectors = np.asarray(encode(texts), np.float64)
    if vectors.ndim != 2 or len(vectors) != len(texts) or not np.isfinite(vectors).all():
        raise ConfigError(
            f"encoder {encoder_name(encode)} returned {vectors.shape} for {len(texts)} titles; "
            f"expected ({len(texts)}, dimensions), all finite"
        )
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(length == 0, 1, length)).astype(np.float32)


@lru_cache(maxsize=1 << 18)
def _hash_word(word: str) -> tuple[int, ...]:
    padded = f"<{word}>"
    parts = [word, *(padded[k : k + 3] for k in range(len(padded) - 2))]
    return tuple(zlib.crc32(part.encode()) for part in parts)
