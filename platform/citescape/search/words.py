"""Counts of words in many texts."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence

import numpy as np
from scipy.sparse import csr_array

from citescape.core.types import Document
from citescape.search.terms import ANALYSER, Term, read_word, split_words

__all__ = ["ANALYSER", "count_forms", "count_words"]

_SKIPPED = -1
_MANY = 1 << 31


class _WordCodes(dict[str, int]):
    """Words as written -> code of their key, computed once each; -1 for skipped words."""

    def __init__(self, key: Callable[[Term], str]) -> None:
        super().__init__()
        self.key = key
        self.known_keys: dict[str, int] = {}

    def __missing__(self, written: str) -> int:
        term = read_word(written)
        code = _SKIPPED
        if term:
            code = self.known_keys.setdefault(self.key(term), len(self.known_keys))
        self[written] = code
        return code


def count_words(documents: Sequence[Document]) -> tuple[list[str], csr_array]:
    """Counts the words of titles and abstracts, see `search.terms.find_words`.

    Returns:
        Keys (words,) ascending; counts (documents, words) float32.
    """
    return _count_terms(documents, lambda term: term.key)


def count_forms(documents: Sequence[Document]) -> tuple[list[str], csr_array]:
    """Counts the same words by form, in lower case: `genes` and `gene` differ.

    Returns:
        Forms (words,) ascending; counts (documents, words) float32.
    """
    return _count_terms(documents, lambda term: term.form)


def _count_terms(
    documents: Sequence[Document], key: Callable[[Term], str]
) -> tuple[list[str], csr_array]:
    codes, occurrences, ends = _WordCodes(key), array("i"), array("q", [0])
    for document in documents:
        for text in (document.title, document.abstract):
            occurrences.extend(map(codes.__getitem__, split_words(text)))
        ends.append(len(occurrences))
    keys = sorted(codes.known_keys)
    place = np.empty(len(keys) + 1, np.int32)
    place[[codes.known_keys[key] for key in keys]] = np.arange(len(keys), dtype=np.int32)
    place[_SKIPPED] = len(keys)  # an extra column, dropped below
    columns = place[np.frombuffer(occurrences, np.int32)]
    ones = np.ones(len(columns), np.float32)
    shape = (len(documents), len(keys) + 1)
    width = np.int32 if len(occurrences) < _MANY else np.int64  # columns take the type of ends
    counts = csr_array((ones, columns, np.array(ends, width)), shape=shape)
    counts.sum_duplicates()
    return keys, counts[:, : len(keys)].tocsr()
