"""What the disambiguation of authors takes from the whole store.

All of it are sums over blocks, so that a change of some blocks changes it by their part, and it is
used in rounded form, so that a small change seldom changes the result elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.counts import Counts
from citescape.core.hashing import Hashes, hash_texts
from citescape.ingest.author_pairs import round_count
from citescape.ingest.names import FIRST, FULL, GivenNames, Ints, hash_names

Floats = npt.NDArray[np.float64]

_SECOND = "second"
_ALL = "all"


@dataclass(frozen=True)
class NameCounts:
    """How many different surnames there are with each given name."""

    values: Counts
    """By full name and by first name."""
    sums: Counts
    """Of these by first initial; and second initials of different surnames with two initials."""

    def add(self, other: NameCounts, times: int = 1) -> NameCounts:
        """The sum with those of other blocks, which may be negative."""
        return NameCounts(self.values.add(other.values, times), self.sums.add(other.sums, times))


@dataclass(frozen=True)
class PairCounts:
    """Counts of the pairs of some blocks."""

    signatures: int
    """Signatures beside the first of each block."""
    fitting: Counts
    """Pairs that no name contradicts, by their values and prior log-odds."""
    chance: Ints
    """Pairs with contradicting initials, by their values."""
    contradictions: Ints
    """All pairs with contradicting initials, by class of pair."""

    def add(self, other: PairCounts, times: int = 1) -> PairCounts:
        """The sum with those of other blocks, which may be negative."""
        return PairCounts(
            self.signatures + times * other.signatures,
            self.fitting.add(other.fitting, times),
            self.chance + times * other.chance,
            self.contradictions + times * other.contradictions,
        )


@dataclass(frozen=True)
class Statistics:
    """What is known from the whole store."""

    papers: int
    """Number of papers, also those without authors."""
    names: NameCounts
    pairs: PairCounts


def count_names(names: pa.Table) -> NameCounts:
    """Counts the given names of signatures.

    Args:
        names: result of `signatures.spell_names`.
    """
    people = names.filter(pc.invert(names["group"]))
    values, sums = [np.zeros(0, np.uint64)], [np.zeros(0, np.uint64)]
    for kind in (FULL, FIRST):
        named = people.filter(pc.not_equal(people[kind], ""))
        pairs = named.group_by(["surname", kind]).aggregate([])
        values.append(hash_names(kind, pairs[kind]))
        sums.append(_hash_letters(kind, pc.utf8_slice_codeunits(pairs[kind], 0, 1)))
    two = pc.utf8_slice_codeunits(people["initials"], 0, 2)
    pairs = pa.table({"surname": people["surname"], "two": two})
    pairs = (
        pairs.filter(pc.equal(pc.utf8_length(two), 2)).group_by(["surname", "two"]).aggregate([])
    )
    sums.append(_hash_letters(_SECOND, pc.utf8_slice_codeunits(pairs["two"], 1, 2)))
    sums.append(np.repeat(_hash_letters(_SECOND, _text(_ALL)), pairs.num_rows))
    return NameCounts(Counts.of(np.concatenate(values)), Counts.of(np.concatenate(sums)))


def _hash_letters(kind: str, letters: pa.ChunkedArray) -> Hashes:
    return hash_texts(pc.binary_join_element_wise(kind, letters, "/"))


def _text(text: str) -> pa.ChunkedArray:
    return pa.chunked_array([pa.array([text])])


@dataclass(frozen=True)
class NameOdds:
    """-log of the frequency of given names, (g,) each."""

    full: Floats
    """Of full names: the share of different surnames with it among those with its initial."""
    first: Floats
    """Of first names."""
    second: Floats
    """Of second initials."""


def name_odds(names: GivenNames, counts: NameCounts) -> NameOdds:
    """Frequencies of given names in the store.

    Args:
        names: given names.
        counts: result of `count_names` for the whole store.
    """
    letters = names.initials.view(f"<U{names.initials.shape[1]}").ravel()
    firsts = pa.chunked_array([pa.array([text[:1] for text in letters.tolist()], pa.string())])
    seconds = pa.chunked_array([pa.array([text[1:2] for text in letters.tolist()], pa.string())])

    def odds(kind: str, keys: Hashes, totals: Hashes, smooth: int) -> Floats:
        known = counts.sums if kind == _SECOND else counts.values
        number = round_count(known.look_up(keys))
        total = round_count(counts.sums.look_up(totals))
        return np.asarray(-np.log((number + 1) / (total + smooth)))

    everything = np.repeat(_hash_letters(_SECOND, _text(_ALL)), len(letters))
    return NameOdds(
        full=odds(FULL, names.full_key, _hash_letters(FULL, firsts), 20),
        first=odds(FIRST, names.first_key, _hash_letters(FIRST, firsts), 20),
        second=odds(_SECOND, _hash_letters(_SECOND, seconds), everything, 26),
    )
