"""Clusters of signatures from scored pairs, with links that are forbidden."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from citescape.core.compiled import compiled
from citescape.ingest.author_scores import ScoredPairs
from citescape.ingest.author_statistics import Floats
from citescape.ingest.names import Bools, Ints
from citescape.ingest.signatures import Signatures

THRESHOLD = 1.0
"""Log-odds from which a pair links its signatures. Pairwise precision and recall against the ORCIDs
of the crops archive are the same from 0 to 2; a wrong link costs more than a missed one."""
_AMBIGUOUS = 0.5
"""A signature is left alone if a forbidden link is as strong as its best link, less this."""
_SILENT = 0.1
"""Log-odds against two clusters for each pair of signatures that share nothing."""
_SMALLEST, _LARGEST = -0.3, 4.0
"""Bounds of the log-odds of one pair in the sum over two clusters. Most papers of one person share
little: with a lower bound of -1, fewer names are joined that belong together."""

_FULL, _FIRST, _PARTS, _ORCID, _LETTERS = range(5)
"""Columns of the traits of a signature; the initials begin at the last one."""


@dataclass(frozen=True)
class Clusters:
    """People."""

    person: Ints
    """Code of the person of each signature, (n,)."""
    linked: Bools
    """Whether both ends of a pair above the threshold are one person, (p,)."""


def cluster_signatures(s: Signatures, pairs: ScoredPairs, same: tuple[Ints, Ints]) -> Clusters:
    """Joins signatures in the order of their log-odds.

    Two clusters are joined by a pair above the threshold, unless they have different ORCIDs,
    contradicting given names, or names on one by-line, or the log-odds of all pairs between them
    sum to less than 0. A signature without a second initial that fits two people equally well stays
    alone.

    Args:
        s: signatures.
        pairs: scored pairs.
        same: pairs of signatures that are one person by their identifiers.
    """
    n, names, given = len(s.paper), s.names, s.given
    ends = np.concatenate([pairs.left, pairs.right])
    by_end = np.argsort(ends, kind="stable")
    starts = np.append(0, np.cumsum(np.bincount(ends, minlength=n)))
    neighbours = np.concatenate([pairs.right, pairs.left])[by_end]
    by_end[by_end >= len(pairs.score)] -= len(pairs.score)
    weights = np.clip(pairs.score, _SMALLEST, _LARGEST)[by_end]
    del ends, by_end
    order = np.lexsort((pairs.right, pairs.left, -pairs.score))
    strong = order[pairs.score[order] > THRESHOLD]
    left, right, score = pairs.left[strong], pairs.right[strong], pairs.score[strong]

    columns = (names.full, names.first, names.parts)
    own = [column[given] for column in columns]
    traits = np.column_stack([*own, s.orcid, names.initials[given].astype(np.int64)])

    def join(keep: Bools) -> tuple[Ints, Floats]:
        return _join(
            same[0],
            same[1],
            left[keep],
            right[keep],
            score[keep],
            starts,
            neighbours,
            weights,
            traits,
            s.paper,
            _SILENT,
        )

    person, forbidden = join(np.ones(len(strong), dtype=np.bool_))
    linked = person[left] == person[right]
    best = np.full(n, -np.inf)
    for end in (left, right):
        np.maximum.at(best, end[linked], score[linked])
    ambiguous = np.isfinite(forbidden) & (forbidden >= best - _AMBIGUOUS)
    keep = ~(ambiguous[left] | ambiguous[right])
    person, _ = join(keep)
    result = np.zeros(len(pairs.score), dtype=np.bool_)
    result[strong] = keep & (person[left] == person[right])
    return Clusters(person, result)


@compiled
def _find(root: Ints, i: int) -> int:
    while root[i] != i:
        root[i] = root[root[i]]
        i = root[i]
    return i


@compiled
def _agree(a: Ints, b: Ints) -> bool:
    """Whether the traits of two signatures or clusters do not contradict each other."""
    if a[_ORCID] >= 0 and b[_ORCID] >= 0 and a[_ORCID] != b[_ORCID]:
        return False
    for k in range(_LETTERS, len(a)):
        if a[k] != b[k] and a[k] != 0 and b[k] != 0:
            return False
    if a[_PARTS] == 0 or b[_PARTS] == 0 or a[_FULL] == b[_FULL]:
        return True
    return bool((a[_PARTS] == 1 or b[_PARTS] == 1) and a[_FIRST] == b[_FIRST])


@compiled
def _join(
    same_left: Ints,
    same_right: Ints,
    left: Ints,
    right: Ints,
    score: Floats,
    starts: Ints,
    neighbours: Ints,
    weights: Floats,
    names: Ints,
    paper: Ints,
    silent: float,
) -> tuple[Ints, Floats]:
    """Person of each signature, and the log-odds of its best link that traits forbid.

    A cluster has the traits of its most exactly named signature; where signatures of one identifier
    contradict each other, the trait is unknown. `names` are the traits, (n, 4 + initials).
    """
    n = len(paper)
    root = np.arange(n)
    size = np.ones(n, np.int64)
    following = np.full(n, -1)
    last = np.arange(n)
    own = names
    names = names.copy()
    forbidden = np.full(n, -np.inf)
    stamp = np.full(paper.max() + 1, -1)
    certain = len(same_left)
    for step in range(certain + len(left)):
        link = step - certain
        i = same_left[step] if link < 0 else left[link]
        j = same_right[step] if link < 0 else right[link]
        a, b = _find(root, i), _find(root, j)
        if a == b:
            continue
        if size[a] < size[b]:
            a, b, i, j = b, a, j, i
        agree = _agree(names[a], names[b])
        if link >= 0:
            if not agree:
                # ambiguous is the signature that fits both clusters by itself
                if _agree(own[i], names[b]):
                    forbidden[i] = max(forbidden[i], score[link])
                if _agree(own[j], names[a]):
                    forbidden[j] = max(forbidden[j], score[link])
                continue
            # names on one by-line, and the log-odds of all pairs between both clusters
            member = a
            while member >= 0:
                stamp[paper[member]] = step
                member = following[member]
            apart, total, compared = True, 0.0, 0
            member = b
            while member >= 0:
                apart = apart and stamp[paper[member]] != step
                for k in range(starts[member], starts[member + 1]):
                    if _find(root, neighbours[k]) == a:
                        total += weights[k]
                        compared += 1
                member = following[member]
            if not apart or total < silent * (size[a] * size[b] - compared):
                continue

        for k in range(_LETTERS, names.shape[1]):
            if names[a, k] == 0:
                names[a, k] = names[b, k]
            elif names[a, k] != names[b, k] and names[b, k] != 0:
                names[a, k] = 0
        if not agree:
            names[a, _PARTS] = 0
        elif names[b, _PARTS] > names[a, _PARTS]:
            names[a, :_ORCID] = names[b, :_ORCID]
        names[a, _ORCID] = max(names[a, _ORCID], names[b, _ORCID])
        root[b] = a
        size[a] += size[b]
        following[last[a]] = b
        last[a] = last[b]
    for i in range(n):
        root[i] = _find(root, i)
    return root, forbidden
