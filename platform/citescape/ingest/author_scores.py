"""Log-odds that two signatures of one block are one person.

The model is that of record linkage (Fellegi and Sunter 1969, J. Am. Stat. Assoc. 64, 1183): with c
the mean number of further papers of a person and n the size of the block,

    log-odds = log(c / n) + given names + sum over features of log(P(value | same) / P(value | not))

(of citation, coupling and co-citation only the largest counts, because they come together).

Frequencies are those of the corpus itself, so that they fit its size and its culture of names. Two
names with contradicting initials are not one person: their pairs show what chance gives. What one
person's papers share is found by expectation maximisation (Winkler 1988). In a small corpus, where
pairs are few, both begin from the shares of the crops archive (`SAME` and `DIFFERENT`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from citescape.core.counts import Counts
from citescape.ingest.author_pairs import SMALLEST_POPULATION, Pairs, round_count
from citescape.ingest.author_statistics import Floats, NameCounts, NameOdds, PairCounts, name_odds
from citescape.ingest.names import (
    CONTRADICTION,
    SAME_FIRST,
    SAME_INITIALS,
    SAME_NAME,
    Bools,
    Ints,
)
from citescape.ingest.signatures import Signatures

FEATURES = ("coauthor", "citation", "coupling", "cocitation", "venue", "years")
_COAUTHOR_BOUNDS = (5, 6, 7, 8, 9, 10, 12, 16, 20, 30)
"""Bounds of the sum of -log(frequency) of shared co-authors; a rare name has 11, Y. Wang 5."""
_COUNT_BOUNDS = {"coupling": (1, 2, 3, 5, 9), "cocitation": (1, 2, 3)}
_YEAR_BOUNDS = (1, 2, 4, 7, 11, 21)
_UNKNOWN_YEARS = 5
"""Difference of years that stands for an unknown one; it says least."""
CLASSES = 3
"""Pairs of two works that are only cited, of one and a citing paper, of two citing papers: only
citing papers can share references."""
_RISING = ("coauthor", "citation", "coupling", "cocitation")
"""Features whose log-odds rise with their value; their absence says little, see `_LEAST`."""
_NEAR = ("citation", "coupling", "cocitation")
"""Features that often come together: in one field, papers cite each other and the same works."""
_LEAST = {"coauthor": -1.5, "citation": -0.5, "coupling": -0.5, "cocitation": -0.5}
"""Least log-odds of what is not shared. In the crops archive they are -1.0, -0.1, -0.7 and 0.0,
from pairs of equal rare full names and of contradicting ones. A corpus of closed groups would
estimate less, and then lose people who write with another group."""
_BOUNDS = (-3.0, 6.0)
"""Bounds of the log-odds of one feature: features depend on each other."""
LARGEST_NAME = 6.0
"""Largest log-odds of names that agree."""
REASONS = ("name", "venue", "citation", "coauthor")
"""What may say most for a pair."""
_WEAK = 1.0
"""Log-odds below which what papers share is no reason of its own: the name is."""
_UNSEEN = 2.0
"""Further signatures of a block in a larger corpus: in a small one every name is rare."""
_ITERATIONS = 8
_STEP = 0.25
"""Width of the classes of prior log-odds during estimation."""
_BITS = 12
"""Bits of a class of prior log-odds in the key of a pair."""
_GRID = 2.0**20
"""Scores are multiples of its inverse, so that their sums are exact in any order."""
_PSEUDO_PAIRS = 50.0
"""Weight of the shares of the crops archive, in pairs."""
_PAPERS, _PSEUDO_PAPERS = 3.1, 200.0
"""c in the crops archive and its weight in signatures."""

SAME: Mapping[str, tuple[float, ...]] = {
    "coauthor": (0.23, 0.02, 0.08, 0.05, 0.07, 0.09, 0.08, 0.05, 0.06, 0.09, 0.09, 0.09),
    "citation": (0.54, 0.46),
    "coupling": (0.40, 0.18, 0.07, 0.11, 0.11, 0.13),
    "cocitation": (0.47, 0.50, 0.02, 0.01),
    "venue": (0.90, 0.10),
    "years": (0.10, 0.18, 0.28, 0.23, 0.13, 0.07, 0.01),
}
"""Share of each value among pairs of one person in the crops archive, of the class of pairs that
has the feature most often: what the estimation finds there."""
DIFFERENT: Mapping[str, tuple[float, ...]] = {
    "coauthor": (
        *(0.932, 0.002, 0.03, 0.016, 0.008, 0.003),
        *(0.001, 0.001, 0.003, 0.002, 0.0015, 0.0005),
    ),
    "citation": (0.996, 0.004),
    "coupling": (0.952, 0.034, 0.007, 0.003, 0.003, 0.001),
    "cocitation": (0.9963, 0.0035, 0.00015, 0.00005),
    "venue": (0.991, 0.009),
    "years": (0.05, 0.105, 0.20, 0.235, 0.21, 0.16, 0.04),
}
"""Share of each value among pairs with contradicting initials in the crops archive."""
ARCHIVE: Mapping[str, tuple[tuple[float, ...], ...]] = {
    "coauthor": (
        (-1.14, -1.27, -1.27, 0.11, 2.26, 3.44, 4.02, 4.02, 4.02, 5.33, 5.71, 6.0),
        (-1.4, -0.5, -0.5, 0.06, 1.53, 2.58, 3.66, 3.66, 3.66, 5.31, 5.96, 6.0),
        (-1.24, -0.3, -0.3, 0.08, 1.56, 2.38, 2.66, 3.12, 3.12, 6.0, 6.0, 6.0),
    ),
    "citation": (
        (0.0, 0.0),
        (-0.5, 5.1),
        (-0.17, 6.0),
    ),
    "coupling": (
        (0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        (0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        (-0.5, 1.51, 2.35, 3.68, 3.68, 5.22),
    ),
    "cocitation": (
        (-0.5, 5.01, 5.19, 5.76),
        (-0.05, 3.94, 5.42, 6.0),
        (-0.04, 3.04, 4.34, 4.75),
    ),
    "venue": (
        (-0.1, 2.43),
        (-0.02, 2.29),
        (-0.25, 1.75),
    ),
    "years": (
        (0.57, 0.49, 0.25, -0.08, -0.43, -0.66, -1.39),
        (1.1, 0.62, 0.45, 0.0, -0.6, -0.93, -0.51),
        (0.32, -0.07, -1.73, -2.35, -2.81, -3.0, -3.0),
    ),
}
"""Feature -> log-odds that are estimated in the crops archive, by class of pair and value."""
SHAPE = (CLASSES, *(len(SAME[name]) for name in FEATURES))
"""Number of classes, and of the values of each feature."""
CITING_ONLY: Mapping[str, tuple[int, ...]] = {"citation": (0,), "coupling": (0, 1)}
"""Classes of pairs that cannot have a feature."""


@dataclass(frozen=True)
class ScoredPairs:
    """Pairs that no name contradicts; p pairs, of which there may be tens of millions."""

    left: Ints
    right: Ints
    score: Floats
    """Log-odds that both are one person, (p,)."""
    reason: Ints
    """What says most, (p,): place among `REASONS`."""


@dataclass(frozen=True)
class LinkModel:
    """Estimated log-odds."""

    papers: float
    """c: mean number of further signatures of a person."""
    log_odds: Mapping[str, Floats]
    """Feature -> (classes, values)."""

    def equals(self, other: LinkModel) -> bool:
        """Whether all log-odds are the same."""
        same = (np.array_equal(odds, other.log_odds[name]) for name, odds in self.log_odds.items())
        return self.papers == other.papers and all(same)


class PairScorer:
    """Collects pairs slice by slice, as one number each, then scores them."""

    def __init__(self, s: Signatures, citing: Bools, names: NameCounts, papers: int) -> None:
        """For the active signatures of `s`.

        Args:
            s: signatures.
            citing: (papers,) whether each paper cites anything.
            names: given names of the whole store, see `author_statistics`.
            papers: number of papers in the store.
        """
        self.s = s
        self.citing = citing
        share = int(round_count(papers)) / SMALLEST_POPULATION
        self.unseen = _UNSEEN * max(0.0, 1 - share)
        self.name_odds = name_odds(s.names, names)
        self.chance = no_pairs().chance
        self.parts: list[tuple[Ints, Ints, Ints, Floats]] = []

    def add(self, pairs: Pairs) -> None:
        """Counts pairs with contradicting initials, and keeps those that no name contradicts."""
        s, given = self.s, self.s.given
        cell = np.ravel_multi_index(self._values(pairs), SHAPE)
        compared = s.names.compare(given[pairs.left], given[pairs.right])
        a, b = s.names.initials[given[pairs.left]], s.names.initials[given[pairs.right]]
        contradict = ((a != b) & (a > 0) & (b > 0)).any(axis=1)
        self.chance += np.bincount(cell[contradict], minlength=len(self.chance))
        fit = compared != CONTRADICTION
        left, right = pairs.left[fit], pairs.right[fit]
        odds = _compare_names(s, self.name_odds, left, right, compared[fit])
        numbers = (values.astype(np.int32) for values in (left, right, cell[fit]))
        self.parts.append((*numbers, odds.astype(np.float32)))

    def _values(self, pairs: Pairs) -> tuple[Ints, ...]:
        """Class and value of each feature."""
        one, two = self.s.paper[pairs.left], self.s.paper[pairs.right]
        year, venue = self.s.year, self.s.venue
        known = (year[one] > 0) & (year[two] > 0)
        apart = np.where(known, np.abs(year[one] - year[two]), _UNKNOWN_YEARS)
        strength = np.searchsorted(_COAUTHOR_BOUNDS, pairs.coauthors, side="right") + 1
        return (
            self.citing[one].astype(np.int64) + self.citing[two],
            np.where(pairs.coauthors > 0, strength, 0),
            pairs.citation.astype(np.int64),
            np.searchsorted(_COUNT_BOUNDS["coupling"], pairs.coupling, side="right"),
            np.searchsorted(_COUNT_BOUNDS["cocitation"], pairs.cocitation, side="right"),
            ((venue[one] == venue[two]) & (venue[one] >= 0)).astype(np.int64),
            np.searchsorted(_YEAR_BOUNDS, apart, side="right"),
        )

    def count(self) -> PairCounts:
        """Counts of the pairs of active signatures."""
        cells = np.concatenate([np.zeros(0, np.int32), *(part[2] for part in self.parts)])
        prior = [self._prior(*part[:2], part[3]) for part in self.parts]
        steps = np.rint(np.concatenate([np.zeros(0), *prior]) / _STEP).astype(np.int64)
        keys = (cells.astype(np.int64) << _BITS) + steps + (1 << (_BITS - 1))
        sizes = np.bincount(self.s.block[self.s.active])
        return PairCounts(
            signatures=int(np.maximum(sizes - 1, 0).sum()),
            fitting=Counts.of(keys.astype(np.uint64)),
            chance=self.chance,
            contradictions=count_contradictions(self.s, self.citing),
        )

    def _prior(self, left: Ints, right: Ints, names: Floats) -> Floats:
        return np.asarray(names - np.log(self.s.sizes[self.s.block[left]] + self.unseen))

    def score(self, model: LinkModel) -> ScoredPairs:
        """Log-odds of all pairs that no name contradicts."""
        table = {name: model.log_odds[name] for name in FEATURES}
        scores, reasons = [np.zeros(0)], [np.zeros(0, np.int8)]
        for left, right, cell, names in self.parts:
            kind, *values = np.unravel_index(cell, SHAPE)
            found = {
                name: table[name][kind, value] for name, value in zip(FEATURES, values, strict=True)
            }
            cited = np.maximum(
                np.maximum(found["citation"], found["coupling"]), found["cocitation"]
            )
            name = np.full(len(names), _WEAK)
            stacked = np.stack([name, found["venue"], cited, found["coauthor"]])
            reasons.append(stacked.argmax(axis=0).astype(np.int8))
            prior = self._prior(left, right, names) + np.log(model.papers)
            scores.append(np.rint((prior + _add(found)) * _GRID) / _GRID)
        none = np.zeros(0, np.int32)
        return ScoredPairs(
            left=np.concatenate([none, *(part[0] for part in self.parts)]),
            right=np.concatenate([none, *(part[1] for part in self.parts)]),
            score=np.concatenate(scores),
            reason=np.concatenate(reasons),
        )


def no_pairs() -> PairCounts:
    """The counts of no block."""
    cells, classes = np.zeros(int(np.prod(SHAPE)), np.int64), np.zeros(CLASSES, np.int64)
    return PairCounts(0, Counts.of(np.zeros(0, np.uint64)), cells, classes)


def estimate_model(found: PairCounts) -> LinkModel:
    """The model that fits the pairs of the store best, by expectation maximisation.

    What differs from the log-odds of the crops archive is rounded to whole numbers, so that another
    paper seldom changes the model.
    """
    present = found.fitting.numbers > 0
    keys, pairs = found.fitting.keys[present].astype(np.int64), found.fitting.numbers[present]
    cell = keys >> _BITS
    prior = ((keys & ((1 << _BITS) - 1)) - (1 << (_BITS - 1))) * _STEP
    values = dict(zip(("class", *FEATURES), np.unravel_index(cell, SHAPE), strict=True))
    kind = values.pop("class")
    different = _chance_shares(found)
    same = {name: np.tile(SAME[name], (CLASSES, 1)) for name in FEATURES}
    papers = _PAPERS
    for _ in range(_ITERATIONS):
        log_odds = _compute_log_odds(same, different)
        odds = np.log(papers) + prior
        odds += _add({name: log_odds[name][kind, values[name]] for name in FEATURES})
        expected = pairs / (1 + np.exp(-odds))
        same = {}
        for name in FEATURES:
            size = len(SAME[name])
            where = kind * size + values[name]
            counted = np.bincount(where, weights=expected, minlength=CLASSES * size)
            shares = counted.reshape(CLASSES, size).astype(np.float64)
            same[name] = _smooth(shares, np.array(SAME[name]))
        papers = (2 * expected.sum() + _PAPERS * _PSEUDO_PAPERS) / (
            found.signatures + _PSEUDO_PAPERS
        )
    found_odds = _compute_log_odds(same, different)
    rounded = {name: _round(odds, np.array(ARCHIVE[name])) for name, odds in found_odds.items()}
    number = _round(np.log(np.array(papers)), np.log(np.array(_PAPERS)))
    return LinkModel(float(np.exp(number)), rounded)


def _round(odds: Floats, usual: Floats) -> Floats:
    """The log-odds that differ from the usual ones by a whole number."""
    return np.asarray(usual + np.rint(odds - usual))


def _chance_shares(found: PairCounts) -> dict[str, Floats]:
    """Shares of values among all pairs with contradicting initials."""
    counts = found.chance.reshape(SHAPE)
    shares = {}
    for axis, name in enumerate(FEATURES, 1):
        others = tuple(i for i in range(1, counts.ndim) if i != axis)
        counted = np.asarray(counts.sum(axis=others), dtype=np.float64)
        if name in _RISING:  # pairs that were not compared share nothing
            counted[:, 0] += np.maximum(found.contradictions - counted.sum(axis=1), 0)
        shares[name] = _smooth(counted, np.array(DIFFERENT[name]))
    return shares


def _add(odds: Mapping[str, Floats]) -> Floats:
    """Sum of the log-odds of features; of those for nearness by citations only the largest."""
    near = np.stack([odds[name] for name in _NEAR])
    total = odds["coauthor"] + odds["venue"] + odds["years"]
    return np.asarray(total + np.maximum(near, 0).max(axis=0) + np.minimum(near, 0).sum(axis=0))


def _smooth(counts: Floats, shares: Floats) -> Floats:
    """Shares of (rows, values) with some pseudo-pairs."""
    total = counts.sum(axis=1, keepdims=True) + _PSEUDO_PAIRS
    return np.asarray((counts + _PSEUDO_PAIRS * shares) / total)


def _compute_log_odds(
    same: Mapping[str, Floats], different: Mapping[str, Floats]
) -> dict[str, Floats]:
    odds = {}
    for name in FEATURES:
        ratio = np.log(same[name] / different[name])
        if name in _RISING:
            ratio[:, 0] = np.maximum(ratio[:, 0], _LEAST[name])
            for row, a, b in zip(ratio, same[name], different[name], strict=True):
                row[1:] = np.log(_rising_ratios(a[1:], b[1:]))
        ratio[list(CITING_ONLY.get(name, ()))] = 0
        odds[name] = np.clip(ratio, *_BOUNDS)
    return odds


def _rising_ratios(same: Floats, different: Floats) -> Floats:
    """Ratios of shares that do not fall (pool adjacent violators).

    Neighbours whose ratio would fall are pooled, so that a value which is rare in both has no ratio
    of its own.
    """
    pools: list[tuple[float, float, int]] = []
    for one, other in zip(same.tolist(), different.tolist(), strict=True):
        a, b, size = one, other, 1
        while pools and pools[-1][0] * b >= a * pools[-1][1]:
            a, b, size = a + pools[-1][0], b + pools[-1][1], size + pools[-1][2]
            pools.pop()
        pools.append((a, b, size))
    return np.repeat([a / b for a, b, _ in pools], [size for _, _, size in pools])


def _compare_names(
    s: Signatures, odds: NameOdds, left: Ints, right: Ints, compared: Ints
) -> Floats:
    """Log-odds of given names that agree; 0 where a name has only its first initial."""
    given = s.given[left]
    # Of Anna and Anna Maria: Anna.
    shorter = np.where(s.names.parts[given] > 1, s.given[right], given)
    found = np.zeros(len(left))
    for kind, values in (
        (SAME_INITIALS, odds.second[given]),
        (SAME_FIRST, odds.first[shorter] - 1),
        (SAME_NAME, odds.full[given]),
    ):
        found[compared == kind] = values[compared == kind]
    return np.asarray(np.minimum(found, LARGEST_NAME))


def count_contradictions(s: Signatures, citing: Bools) -> Ints:
    """Number of pairs of a block with contradicting initials, by class of pair, (classes,).

    Of active signatures.

    Initials agree if they are equal or begin the other: with the number of signatures that begin
    with each prefix, no pair needs to be looked at.
    """
    named = s.names.initials[s.given, 0] > 0
    people = np.flatnonzero(~s.is_group & s.active & named)
    block = s.block[people]
    kind = citing[s.paper[people]].astype(np.int64)
    letters = np.unique(s.names.initials, return_inverse=True)[1].reshape(s.names.initials.shape)
    if s.names.initials.min() > 0:
        letters = letters + 1  # 0 is padding
    initials = letters[s.given[people]].astype(np.int64)
    length = (initials > 0).sum(axis=1)
    prefix = block
    begins, equal = np.zeros((2, len(people))), np.zeros((2, len(people)))
    for size in range(1, initials.shape[1] + 1):
        # Prefixes are numbered letter by letter, so that keys stay small.
        key = prefix * np.int64(letters.max() + 1) + initials[:, size - 1]
        prefix = np.unique(key, return_inverse=True)[1]
        reached, ends = length >= size, length == size
        for other in range(2):
            of_kind = kind == other
            for found, counted in ((begins, reached), (equal, ends)):
                counts = np.bincount(prefix[of_kind & counted], minlength=len(people))
                found[other, ends] = counts[prefix[ends]]

    def total(found: Floats, one: int, other: int) -> float:
        return float(found[other, kind == one].sum())

    sizes = [np.bincount(block[kind == i], minlength=len(s.block)).astype(float) for i in range(2)]
    different = []
    for i in range(2):
        n = float(sizes[i].sum())
        agree = total(begins, i, i) - (total(equal, i, i) + n) / 2
        different.append(float((sizes[i] ** 2).sum() - n) / 2 - agree)
    agree = total(begins, 0, 1) + total(begins, 1, 0) - total(equal, 0, 1)
    by_class = (different[0], float(sizes[0] @ sizes[1]) - agree, different[1])
    return np.rint(by_class).astype(np.int64)
