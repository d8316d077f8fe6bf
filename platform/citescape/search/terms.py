"""Texts as counts of terms: words, or noun phrases.

Words: letters, digits and hyphens in lower case, singular, without stop words, numbers and single
letters. Phrases: adjectives and nouns that end in a noun, up to four words, and every such phrase
within a longer one: `rice blast resistance` contains `rice blast`, `blast resistance`, `rice`,
`blast` and `resistance`. Variants of a term (plural, capitals, accents, hyphens) count as one.
Lists and rules are for English; in other languages phrases end at punctuation only.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from citescape.core.errors import invalid_choice
from citescape.core.types import Document
from citescape.search.english import ENGLISH, Role, Word, find_word, is_heading, is_stop_word

ANALYSER = f"1.{ENGLISH}"
"""Version of this module: raise it when the same text gives other terms."""
MOST_WORDS = 4
"""Maximum words of a phrase."""
_COMMON = 0.25
"""Minimum frequency of a shown form, as a share of that of the most frequent form."""

_TOKEN = re.compile(
    r"\b[A-Z]\. ?[a-z]{4,}"  # O. sativa
    r"|[^\W_]+(?:(?:-|(?<=[A-Z0-9])/(?=[A-Z])|(?<=\d)[.,](?=\d))[^\W_]+)*"  # T-DNA, MS/MS, 0.05
    r"|[^\w\s]|_"
)
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_DASHES = re.compile("[\u2010-\u2013\u2212\ufe63\uff0d]")
_APOSTROPHES = re.compile("['\u2019\u2018`](?:s\\b)?")


class Term(NamedTuple):
    """An occurrence of a term."""

    key: str
    """Equal for variants."""
    form: str
    """As written."""


@dataclass(frozen=True)
class TermCounts:
    """Counts of terms in texts."""

    names: list[str]
    """(terms,) shown form: of the common forms that with the fewest capitals, since titles have
    many; of these the most frequent, ties alphabetically."""
    keys: list[str]
    """(terms,) ascending."""
    counts: csr_array
    """(texts, terms) float64, positive."""


def count_terms(documents: Sequence[Document], terms: str = "phrases") -> TermCounts:
    """Counts the terms of titles and abstracts.

    Raises:
        ConfigError: no such kind of terms.
    """
    if terms not in ANALYSERS:
        raise invalid_choice("terms", terms, ANALYSERS)
    find, codes = ANALYSERS[terms], dict[str, int]()
    forms: Counter[tuple[int, str]] = Counter()
    occurrences, ends = array("q"), array("q", [0])
    for document in documents:
        for term in (*find(document.title), *find(document.abstract)):
            code = codes.setdefault(term.key, len(codes))
            occurrences.append(code)
            forms[code, term.form] += 1
        ends.append(len(occurrences))
    shape = (len(documents), len(codes))
    ones, places = np.ones(len(occurrences)), np.array(occurrences, np.int64)
    counts = csr_array((ones, places, np.array(ends, np.int64)), shape=shape)
    counts.sum_duplicates()
    return _arrange(counts, codes, forms)


def find_words(text: str) -> Iterator[Term]:
    """The words of a text, in order."""
    return filter(None, map(read_word, split_words(text)))


def split_words(text: str) -> list[str]:
    """The words of a text as written, with stop words."""
    words: list[str] = _WORD.findall(_tidy(text))
    return words


def read_word(written: str) -> Term | None:
    """A word as a term; None for stop words, numbers and single letters."""
    key = find_word(written).key
    is_letter = len(key) == 1 and key < "\u2e80"
    if is_stop_word(written.lower()) or is_letter or not any(map(str.isalpha, key)):
        return None
    return Term(key, written.lower())


def find_phrases(text: str) -> Iterator[Term]:
    """The noun phrases of a text and those within them, in the order of their last words.

    Phrases that consist of generic words are skipped.
    """
    for longest in _find_longest(text):
        for end in range(1, len(longest) + 1):
            if longest[end - 1][1].role is not Role.NAMES:
                continue
            for start in range(max(0, end - MOST_WORDS), end):
                phrase = longest[start:end]
                key = " ".join(word.key for _, word in phrase)
                if any(map(str.isalpha, key)) and not all(word.generic for _, word in phrase):
                    yield Term(key, " ".join(written for written, _ in phrase))


ANALYSERS: Mapping[str, Callable[[str], Iterator[Term]]] = {
    "phrases": find_phrases,
    "words": find_words,
}

_Phrase = list[tuple[str, Word]]


def _tidy(text: str) -> str:
    """Removes possessives; dashes become hyphens; several words in capitals become lower case."""
    if not text.isascii():
        text = _DASHES.sub("-", unicodedata.normalize("NFKC", text))
    text = _APOSTROPHES.sub("", text)
    return text.lower() if " " in text and text.isupper() else text


def _find_longest(text: str) -> Iterator[_Phrase]:
    """Sequences of words without punctuation or words of other roles between them."""
    phrase: _Phrase = []
    for written in _TOKEN.findall(_tidy(text)):
        word = find_word(written) if written[0].isalnum() and not is_heading(written) else None
        if word is None or word.role is Role.ENDS:
            yield phrase
            phrase = []
            continue
        if word.role is Role.PARTICIPLE and phrase and phrase[-1][1].role is Role.NAMES:
            yield phrase
            phrase = []
        phrase.append((written, word))
    yield phrase


def _arrange(
    counts: csr_array, codes: Mapping[str, int], forms: Mapping[tuple[int, str], int]
) -> TermCounts:
    """Terms in the order of their keys, independent of the order of texts."""
    most = np.zeros(len(codes), np.int64)
    for (code, _), number in forms.items():
        most[code] = max(most[code], number)
    names: dict[int, tuple[int, int, str]] = {}
    for (code, form), number in forms.items():
        rank = (sum(map(str.isupper, form)), -number, form)
        if number >= _COMMON * most[code] and rank < names.get(code, (len(form) + 1,)):
            names[code] = rank
    keys = sorted(codes)
    order = np.array([codes[key] for key in keys], np.int64)
    arranged = counts[:, order].tocsr() if keys else counts
    arranged.sort_indices()
    return TermCounts([names[code][2] for code in order], keys, arranged)
