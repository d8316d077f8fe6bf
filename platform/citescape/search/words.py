"""How often texts have each word, for many texts at once."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence

import numpy as np
from scipy.sparse import csr_array

from citescape.core.types import Document
from citescape.search.terms import ANALYSER, Term, read_word, split_words

__all__ = ["ANALYSER", "count_forms", "count_words"]

_LEFT_OUT = -1
_MANY = 1 << 31


class _Codes(dict[str, int]):
    """Words as written -> code of their key, looked up once each; -1 for those left out."""

    def __init__(self, name: Callable[[Term], str]) -> None:
        super().__init__()
        self.name = name
        self.keys_found: dict[str, int] = {}

    def __missing__(self, written: str) -> int:
        term = read_word(written)
        found = _LEFT_OUT
        if term:
            found = self.keys_found.setdefault(self.name(term), len(self.keys_found))
        self[written] = found
        return found


def count_words(documents: Sequence[Document]) -> tuple[list[str], csr_array]:
    """The words of titles and abstracts as `search.terms.find_words` has them.

    Returns:
        Keys (words,) ascending; counts (documents, words) float32.
    """
    return _count(documents, lambda term: term.key)


def count_forms(documents: Sequence[Document]) -> tuple[list[str], csr_array]:
    """The same words, but each form for itself: in lower case, `genes` beside `gene`.

    Returns:
        Forms (words,) ascending; counts (documents, words) float32.
    """
    return _count(documents, lambda term: term.form)


def _count(
    documents: Sequence[Document], name: Callable[[Term], str]
) -> tuple[list[str], csr_array]:
    codes, found, ends = _Codes(name), array("i"), array("q", [0])
    for document in documents:
        for text in (document.title, document.abstract):
            found.extend(map(codes.__getitem__, split_words(text)))
        ends.append(len(found))
    keys = sorted(codes.keys_found)
    place = np.empty(len(keys) + 1, np.int32)
    place[[codes.keys_found[key] for key in keys]] = np.arange(len(keys), dtype=np.int32)
    place[_LEFT_OUT] = len(keys)  # one column more, dropped below
    columns = place[np.frombuffer(found, np.int32)]
    ones = np.ones(len(columns), np.float32)
    shape = (len(documents), len(keys) + 1)
    width = np.int32 if len(found) < _MANY else np.int64  # columns are widened to that of ends
    counts = csr_array((ones, columns, np.array(ends, width)), shape=shape)
    counts.sum_duplicates()
    return keys, counts[:, : len(keys)].tocsr()
