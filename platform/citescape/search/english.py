"""Roles of English words in noun phrases, and singulars, by lists and endings, without a model.

Lists are in `english.toml`. Words that are not listed, such as names of genes and species, are
nouns unless their ending shows another role; words of other languages are nouns.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

ENGLISH = "2"
"""Version of lists and rules."""

_VOWELS = "aeiou"
_ADJECTIVE = re.compile(r"(?:[^ao]al|ous|ive|ic|ible|able|ful|less|ary|ory|lar)$")
_GENUS = re.compile(r"^([A-Z])\. ?")
_MARKS = re.compile("[\u0300-\u036f]")
_KNOWN_WORDS = 1 << 18


class Role(IntEnum):
    """Role of a word in a noun phrase."""

    ENDS = 0
    """Ends a phrase, not part of it."""
    MODIFIES = 1
    """Cannot be its last word."""
    PARTICIPLE = 2
    """Cannot be its last word, nor follow a noun: `plants grafted`."""
    NAMES = 3
    """Noun."""


class Word(NamedTuple):
    """A word in normalised form, with its role."""

    key: str
    """Lower case, without accents, singular; hyphens are blanks. Equal for variants of a word."""
    role: Role
    generic: bool
    """Whether it is a noun that is common in abstracts of any topic."""


@dataclass(frozen=True)
class _WordLists:
    stop: frozenset[str]
    ends: frozenset[str]
    """Function words, and forms of verbs."""
    adjectives: frozenset[str]
    compounds: frozenset[str]
    nouns_by_ending: frozenset[str]
    generic: frozenset[str]
    headings: frozenset[str]
    silent: frozenset[str]
    singular: dict[str, str]


@cache
def _lists() -> _WordLists:
    read = tomllib.loads(files(__package__).joinpath("english.toml").read_text(encoding="utf-8"))
    words = {name: text.split() for name, text in read.items() if isinstance(text, str)}
    verbs = {form for verb in words["verbs"] for form in _inflect(verb)}
    verbs |= {form for verb in words["processes"] for form in _inflect(verb)[:2]}
    kept = ("stop", "adjectives", "compounds", "nouns_by_ending", "generic", "headings", "silent")
    return _WordLists(
        ends=frozenset({*words["stop"], *words["forms"], *verbs} - {*words["nouns"]}),
        singular=read["singular"],
        **{name: frozenset(words[name]) for name in kept},
    )


def _inflect(verb: str) -> tuple[str, str, str, str]:
    """A regular verb, its third person, past participle and present participle."""
    if verb.endswith("y") and verb[-2] not in _VOWELS:
        return verb, f"{verb[:-1]}ies", f"{verb[:-1]}ied", f"{verb}ing"
    person = f"{verb}es" if verb.endswith(("ss", "sh", "ch", "x")) else f"{verb}s"
    stem = verb.removesuffix("e")
    return verb, person, f"{stem}ed", f"{stem}ing"


def is_heading(word: str) -> bool:
    """Whether a word, as written, names a part of a structured abstract."""
    return word in _lists().headings


def is_stop_word(word: str) -> bool:
    """Whether a word in lower case is a function word, or praises, compares or counts."""
    return word in _lists().stop


@lru_cache(_KNOWN_WORDS)
def find_word(written: str) -> Word:
    """Normalises a word; `written` as in the text, dashes as hyphens."""
    lower = fold_case(_GENUS.sub(r"\1. ", written))  # O.sativa
    key = lower if written.endswith("S") else find_singular(lower)  # GWAS, ROS
    role = _find_role(lower)
    return Word(" ".join(re.split("[-/]", key)).strip(), role, key in _lists().generic)


def fold_case(word: str) -> str:
    """Lower case, without accents."""
    if word.isascii():
        return word.lower()
    bare = _MARKS.sub("", unicodedata.normalize("NFD", word))
    return unicodedata.normalize("NFKC", bare).casefold()


@lru_cache(_KNOWN_WORDS)
def find_singular(word: str) -> str:
    """The singular of a word in lower case; words that are not plural are unchanged.

    The rules of Harman (1991) for the letter s, and more of them: `-is`, `-ics` and short words
    stay, `-sses` and the like lose both letters, as does `-uses` behind a consonant, e or i, unless
    the singular is listed as ending in e; irregular plurals are listed too.
    """
    lists = _lists()
    if word in lists.singular:
        return lists.singular[word]
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word[:-1] in lists.silent:
        return word[:-1]
    if word.endswith("ics") and word[:-1] not in lists.nouns_by_ending:
        return word
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("sses", "shes", "ches", "xes", "oes")):
        return word[:-2]
    if word.endswith("uses") and not word.endswith(("auses", "ouses")):
        return word[:-2]
    return word[:-1]


def _find_role(word: str) -> Role:
    """Role of a word in lower case; with hyphens by the last part: drought-induced, T-DNA."""
    lists = _lists()
    # a single letter ends a phrase, except in scripts that write words with one character
    is_letter = len(word) == 1 and word < "\u2e80"
    if word in lists.ends or is_letter or not any(map(str.isalpha, word)):
        return Role.ENDS
    if word in lists.adjectives:
        return Role.MODIFIES
    if "-" in word:
        last = word.rpartition("-")[2]
        modifies = last in lists.compounds or _is_participle(last)
        return Role.MODIFIES if modifies or _find_role(last) is Role.MODIFIES else Role.NAMES
    nouns = lists.nouns_by_ending
    if len(word) <= 3 or word in nouns or find_singular(word) in nouns:
        return Role.NAMES
    if word.endswith("ly"):
        return Role.ENDS
    if _is_participle(word):
        return Role.PARTICIPLE
    return Role.MODIFIES if _ADJECTIVE.search(word) else Role.NAMES


def _is_participle(word: str) -> bool:
    """`-ed`, but not seed or weed."""
    return len(word) > 3 and word.endswith("ed") and not word.endswith("eed")
