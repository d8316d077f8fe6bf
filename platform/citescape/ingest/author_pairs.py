"""Pairs of signatures that may be one person, and what their papers have in common.

Signatures of one block are compared if their papers share a name or a cited work, cite each other
or are cited together, if full given names are equal, or if the block is small. Blocks are processed
in slices, which bounds memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from citescape.core.csr import count_up
from citescape.ingest.names import Bools, Ints
from citescape.ingest.signatures import Signatures

SMALLEST_POPULATION = 100_000
"""Names are rare relative to the number of papers, but at least to this one: in a small corpus a
name that is printed once looks frequent."""
LONGEST_BY_LINE = 50
"""Longer by-lines give no co-authors: the pairs of names grow with the square of their length."""
_SLICE = 50_000
"""Signatures processed at a time."""
_NEIGHBOURS = 64
"""Pairs of a signature among those with which it shares one thing, the nearest in time. A person
with more papers is joined through them."""
_SMALL_BLOCK = 10
"""In blocks of at most this size all pairs are compared."""
_COAUTHOR, _CITATION, _COUPLING, _COCITATION, _OTHER = range(5)


@dataclass(frozen=True)
class Pairs:
    """Pairs of signatures of one block and different papers; p pairs."""

    left: Ints
    """Signature, (p,)."""
    right: Ints
    """Another signature, (p,)."""
    coauthors: npt.NDArray[np.float64]
    """Sum of -log(frequency) over shared names of co-authors, (p,); in powers of two."""
    citation: Bools
    """Whether one paper cites the other, (p,)."""
    coupling: Ints
    """Number of works that both papers cite, (p,)."""
    cocitation: Ints
    """Number of papers that cite both, (p,)."""


@dataclass(frozen=True)
class _Entries:
    """What signatures have: e entries."""

    holder: Ints
    """Signature within the slice, (e,)."""
    key: Ints
    """What it has, equal only within a block, (e,)."""


@dataclass(frozen=True)
class Citations:
    """Which works papers cite, and which papers cite them; works are numbered, papers first."""

    cites: csr_array
    """(papers, works)."""
    cited_by: csr_array
    """(papers, works)."""

    @property
    def citing(self) -> Bools:
        """(papers,) whether each cites anything."""
        return np.asarray(np.diff(self.cites.indptr) > 0)


def round_count(number: npt.NDArray[np.int64] | int) -> npt.NDArray[np.int64]:
    """The nearest power of two on a logarithmic scale, 0 for 0.

    What is known from the whole store is used in this form, so that another paper seldom changes
    it.
    """
    known = np.maximum(number, 1)
    nearest = np.exp2(np.rint(np.log2(known))).astype(np.int64)
    return np.where(np.asarray(number) > 0, nearest, 0)


def iterate_pairs(s: Signatures, citations: Citations, papers: int) -> Iterator[Pairs]:
    """Pairs of all blocks with active signatures, in slices.

    Args:
        s: signatures.
        citations: citations of their papers.
        papers: number of papers in the store.
    """
    used = np.flatnonzero((s.sizes[s.block] > 1) & ~s.is_group & s.active)
    used = used[np.lexsort((used, s.year[s.paper[used]], s.block[used]))]
    reader = _PairReader(s, citations, papers)
    for begin, end in _slice_blocks(s.block[used]) if len(used) else [(0, 0)]:
        yield reader.read(used[begin:end])


def _slice_blocks(block: Ints) -> Iterator[tuple[int, int]]:
    """Slices of sorted blocks that end where a block ends."""
    ends = np.append(np.flatnonzero(block[1:] != block[:-1]) + 1, len(block))
    begin = 0
    while begin < len(block):
        last = max(int(np.searchsorted(ends, begin + _SLICE, side="right")) - 1, 0)
        end = int(ends[last])
        if end <= begin:
            end = int(ends[np.searchsorted(ends, begin, side="right")])
        yield begin, end
        begin = end


class _PairReader:
    def __init__(self, s: Signatures, citations: Citations, papers: int) -> None:
        self.s = s
        self.cites, self.cited_by = citations.cites, citations.cited_by
        self.sizes = s.sizes
        self.lengths = np.bincount(s.paper, minlength=s.papers)
        self.starts = np.cumsum(self.lengths) - self.lengths
        self.bits = np.log2(round_count(max(papers, SMALLEST_POPULATION)))

    def read(self, part: Ints) -> Pairs:
        """Pairs of the signatures of whole blocks, sorted by block and year."""
        s = self.s
        block = np.unique(s.block[part], return_inverse=True)[1].astype(np.int64)
        paper = s.paper[part]
        parts = [self._coauthors(part, block), *self._citations(paper, block)]
        parts += self._names(part, block)
        left, right = (np.concatenate([found[i] for found in parts]) for i in (0, 1))
        kind = np.repeat([found[2] for found in parts], [len(found[0]) for found in parts])
        weight = np.concatenate([found[3] for found in parts])

        # Each pair once, with the sum of what it shares.
        left, right = np.minimum(left, right), np.maximum(left, right)
        differ = paper[left] != paper[right]
        key = left[differ] * np.int64(len(part)) + right[differ]
        kind, weight = kind[differ], weight[differ]
        unique, pair = np.unique(key, return_inverse=True)
        sums = [
            np.bincount(pair[kind == i], weights=weight[kind == i], minlength=len(unique))
            for i in range(_OTHER)
        ]
        return Pairs(
            left=part[unique // len(part)],
            right=part[unique % len(part)],
            coauthors=sums[_COAUTHOR] * np.log(2),
            citation=sums[_CITATION] > 0,
            coupling=sums[_COUPLING].astype(np.int64),
            cocitation=sums[_COCITATION].astype(np.int64),
        )

    def _coauthors(self, part: Ints, block: Ints) -> _Found:
        """Pairs that share the block of a co-author, with -log of its frequency."""
        s, lengths = self.s, self.lengths[self.s.paper[part]]
        lengths = np.where(lengths <= LONGEST_BY_LINE, lengths, 0)
        holder = np.repeat(np.arange(len(part)), lengths)
        other = self.starts[s.paper[part[holder]]] + count_up(lengths)
        name = s.block[other]
        useful = (name != s.block[part[holder]]) & (self.sizes[name] > 1)
        key = block[holder[useful]] * np.int64(len(self.sizes)) + name[useful]
        # A name twice on a by-line counts once.
        once = np.unique(key * np.int64(len(part)) + holder[useful])
        key, holder = once // len(part), once % len(part)
        left, right = _pair_runs(key)
        size = round_count(self.sizes[key[left] % len(self.sizes)])
        # Whole bits, whose sum is exact in any order.
        bits = np.maximum(self.bits - np.log2(size), 0)
        return holder[left], holder[right], _COAUTHOR, bits

    def _citations(self, paper: Ints, block: Ints) -> list[_Found]:
        """Pairs of papers that cite one work or each other, or are cited together."""
        papers = np.int64(self.cites.shape[1])
        citing = _expand(self.cites, paper)
        own = np.flatnonzero(np.diff(self.cited_by.indptr)[paper])
        holder = np.concatenate([citing[0], own])
        work = np.concatenate([citing[1], paper[own]])
        left, right = _pair_equal(_Entries(holder, block[holder] * papers + work))
        one, two = holder[left], holder[right]
        direct = (paper[one] == work[left]) | (paper[two] == work[left])
        cited = _expand(self.cited_by, paper)
        near = _pair_equal(_Entries(cited[0], block[cited[0]] * papers + cited[1]))
        found = [
            (one[direct], two[direct], _CITATION),
            (one[~direct], two[~direct], _COUPLING),
            (cited[0][near[0]], cited[0][near[1]], _COCITATION),
        ]
        return [(a, b, kind, np.ones(len(a))) for a, b, kind in found]

    def _names(self, part: Ints, block: Ints) -> list[_Found]:
        """Pairs with equal full given names, and all pairs of small blocks."""
        names, given = self.s.names, self.s.given[part]
        full = np.flatnonzero(names.parts[given] > 0)
        key = block[full] * np.int64(names.full.max() + 1) + names.full[given[full]]
        equal = _pair_equal(_Entries(full, key))
        small = np.flatnonzero(self.sizes[self.s.block[part]] <= _SMALL_BLOCK)
        near = _pair_equal(_Entries(small, block[small]))
        pairs = ((full[equal[0]], full[equal[1]]), (small[near[0]], small[near[1]]))
        return [(left, right, _OTHER, np.ones(len(left))) for left, right in pairs]


_Found = tuple[Ints, Ints, int, npt.NDArray[np.float64]]
"""Left and right signatures within the slice, kind, weights."""


def _expand(matrix: csr_array, rows: Ints) -> tuple[Ints, Ints]:
    """Position in `rows` and column of every entry of these rows."""
    lengths = np.diff(matrix.indptr)[rows].astype(np.int64)
    position = np.repeat(np.arange(len(rows)), lengths)
    entry = matrix.indptr[rows][position] + count_up(lengths)
    return position, matrix.indices[entry].astype(np.int64)


def _pair_equal(entries: _Entries) -> tuple[Ints, Ints]:
    """Pairs of entries with equal keys: each with the next ones in the order of signatures."""
    order = np.lexsort((entries.holder, entries.key))
    left, right = _pair_runs(entries.key[order])
    return order[left], order[right]


def _pair_runs(key: Ints) -> tuple[Ints, Ints]:
    """Pairs of positions in runs of equal keys: each with the next ones."""
    starts = np.flatnonzero(np.append(True, key[1:] != key[:-1])) if len(key) else np.zeros(0, int)
    sizes = np.diff(np.append(starts, len(key)))
    following = np.repeat(sizes, sizes) - 1 - count_up(sizes)
    following = np.minimum(following, _NEIGHBOURS)
    left = np.repeat(np.arange(len(key)), following)
    return left, left + 1 + count_up(following)
