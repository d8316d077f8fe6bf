"""Clusters: links that are forbidden, ambiguous names, and weak bridges."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from citescape.ingest.author_clusters import THRESHOLD, cluster_signatures
from citescape.ingest.author_scores import ScoredPairs
from tests.ingest.papers import ORCID, OTHER_ORCID
from tests.ingest.test_author_scores import signatures
from tests.ingest.test_authors import Names

STRONG, WEAK = THRESHOLD + 3, THRESHOLD - 1
NOBODY = np.zeros(0, np.int64), np.zeros(0, np.int64)


def people(names: Sequence[tuple[str, ...]], links: dict[tuple[int, int], float]) -> list[int]:
    """The people of names, each on a paper of its own, as first member of their cluster."""
    lines: dict[str, Names] = {f"p{i:03}": [name] for i, name in enumerate(names)}
    ends = np.array(list(links), dtype=np.int64).reshape(-1, 2)
    scores = np.array(list(links.values()), dtype=float)
    pairs = ScoredPairs(ends[:, 0], ends[:, 1], scores, np.zeros(len(links), np.int64))
    person = cluster_signatures(signatures(lines), pairs, NOBODY).person.tolist()
    return [person.index(code) for code in person]


@pytest.mark.parametrize(("score", "expected"), [(STRONG, [0, 0]), (WEAK, [0, 1])])
def test_pairs_above_the_threshold_are_joined(score: float, expected: list[int]) -> None:
    assert people([("Rarity", "A")] * 2, {(0, 1): score}) == expected


def test_orcids_that_differ_are_not_joined_through_others() -> None:
    names = [("Rarity", "A", ORCID), ("Rarity", "A"), ("Rarity", "A", OTHER_ORCID)]
    assert people(names, {(0, 1): STRONG, (1, 2): WEAK}) == [0, 0, 2]
    assert people(names, {(0, 1): STRONG + 2, (1, 2): STRONG}) == [0, 0, 2]


def test_a_name_that_fits_two_people_equally_stays_alone() -> None:
    names = [("Rarity", "A B"), ("Rarity", "A"), ("Rarity", "A C"), ("Rarity", "A C")]
    links = {(0, 1): STRONG, (1, 2): STRONG, (2, 3): STRONG}
    assert people(names, links) == [0, 1, 2, 2]
    assert people(names, links | {(0, 1): STRONG + 1}) == [0, 0, 2, 2]


def test_one_link_does_not_join_two_large_clusters_that_share_nothing_else() -> None:
    def joined(size: int) -> bool:
        one, two = list(range(size)), list(range(size, 2 * size))
        links = {(i, j): STRONG for part in (one, two) for i in part for j in part if i < j}
        links[0, size] = THRESHOLD + 0.1
        return people([("Rarity", "A")] * (2 * size), links)[size] == 0

    assert joined(2)
    assert not joined(10)


def test_identifiers_join_names_that_contradict() -> None:
    lines: dict[str, Names] = {"p": [("Rarity", "A B")], "q": [("Rarity", "A C")]}
    none = ScoredPairs(*NOBODY, np.zeros(0), np.zeros(0, np.int64))
    same = np.array([0]), np.array([1])
    assert len(set(cluster_signatures(signatures(lines), none, same).person.tolist())) == 1
