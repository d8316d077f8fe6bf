"""Entries of reference lists and loaded papers, and which of them a change can concern.

`identity.match_works` joins entries by ids and keys into *units*; the unit of an entry depends on
those that share an id or key with it, directly or through others. `similar_works.join_similar` lets
a unit join another one, and from there the work that this one leads to. Which one it joins depends
on the units that share a block of contents with it, and not on which these join. So a change
concerns the units of what was changed (1), the units that share a block with these (2), and all
that lead to a work of either (3), since they may have joined it through them. Of everything else,
the work is as it was; units that share a block with one of these three are read as it, with the
work that they have (4).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.hashing import Hashes, hash_texts
from citescape.ingest.contents import LARGEST_BLOCK
from citescape.ingest.entries import read_entries, read_titles
from citescape.ingest.identity import ID_KINDS
from citescape.ingest.index.hashes import (
    hash_column,
    hash_contents,
    hash_ids,
    hash_paper_ids,
)
from citescape.ingest.index.rows import Hashed, Hasher, IndexedRows, Ints
from citescape.store.schema import TABLE

IDS, BLOCKS, CONTENT, PAPER, WORK = "ids", "blocks", "content", "paper", "work"
"""Kinds of hashes. Entries have all of them, papers the first four."""
_NONE: Hashes = np.zeros(0, np.uint64)
_NO_ROWS: Ints = np.zeros(0, np.int64)
_SOME = 16 * LARGEST_BLOCK
"""Rows of a block that are looked at first: most often they show that it is too large."""


PAPER_SCHEMA = pa.schema(
    [
        TABLE["Paper"].arrow.field(name)
        for name in (
            *("id", *ID_KINDS, "key", "sources", "source_ids"),
            *("title", "surnames", "year", "venue"),
        )
    ]
)
"""What the index has of loaded papers."""
ENTRY_SCHEMA = pa.schema(
    [
        ("paper", pa.string()),
        *(
            TABLE["Reference"].arrow.field(name)
            for name in (
                *("id", *ID_KINDS, "key", "title", "source", "volume", "page", "year"),
                *("surnames", "givens", "roles", "et_al", "text"),
            )
        ),
    ]
)
"""What it has of entries, besides `work` and `matched_by`."""


def _hash_entries(rows: pa.Table) -> dict[str, Hashed]:
    found = _hash_contents(read_entries(rows))
    own = {PAPER: hash_column(rows["paper"]), WORK: hash_column(rows["work"])}
    return {**found, **own, IDS: hash_ids(rows)}


def _hash_papers(rows: pa.Table) -> dict[str, Hashed]:
    found = _hash_contents(read_titles(rows))
    return {**found, PAPER: hash_column(rows["id"]), IDS: hash_paper_ids(rows)}


def _hash_contents(entries: pa.Table) -> dict[str, Hashed]:
    return dict(zip((BLOCKS, CONTENT), hash_contents(entries), strict=True))


ENTRIES = Hasher((IDS, BLOCKS, CONTENT, PAPER, WORK), _hash_entries)
PAPERS = Hasher((IDS, BLOCKS, CONTENT, PAPER), _hash_papers)


class Rows(NamedTuple):
    """Sorted numbers of entries and papers in the index."""

    entries: Ints
    papers: Ints

    @classmethod
    def none(cls) -> Rows:
        """No rows."""
        return cls(_NO_ROWS, _NO_ROWS)

    def union(self, other: Rows) -> Rows:
        """The rows of either."""
        return Rows(np.union1d(self.entries, other.entries), np.union1d(self.papers, other.papers))

    def without(self, other: Rows) -> Rows:
        """The rows that the other does not have."""
        return Rows(
            np.setdiff1d(self.entries, other.entries), np.setdiff1d(self.papers, other.papers)
        )


@dataclass(frozen=True)
class Group:
    """Entries and papers that changes can concern, with all that they depend on."""

    papers: pa.Table
    entries: pa.Table
    """With `work` and `matched_by` as they were; null for new ones."""
    rows: Ints
    """(entries,) their numbers in the index."""
    settled: pa.Array
    """(entries,) whether the work of an entry cannot change."""
    too_large: Hashes
    """Blocks of contents that are not compared, whose entries are not all in the group."""
    removed: pa.Table
    """Entries that are gone, with their last works."""
    earlier: pa.Table
    """Changed papers as they were."""


def as_entries(references: pa.Table) -> pa.Table:
    """Rows of the index from entries whose works are not known yet."""
    for name in (WORK, "matched_by"):
        references = references.append_column(name, pa.nulls(references.num_rows, pa.string()))
    return references


class WorkIndex:
    """All entries of reference lists and all loaded papers."""

    def __init__(self, entries: IndexedRows, papers: IndexedRows) -> None:
        self.entries, self.papers = entries, papers
        self._forget()

    def _forget(self) -> None:
        self._removed = [self.entries.take(np.zeros(0, np.int64))]
        self._earlier = [self.papers.take(np.zeros(0, np.int64))]
        """Changed papers as they were."""
        self._changed: set[str] = set()
        """Papers that were loaded anew, corrected or removed."""
        self._seeds: dict[str, list[Hashes]] = {IDS: [], BLOCKS: []}
        """Hashes of what was changed."""

    def concern(self, names: Sequence[str]) -> None:
        """Counts what has these names (see `ingest.decisions`) as changed."""
        self._seeds[IDS].append(hash_texts(pa.chunked_array([pa.array(names, pa.string())])))

    def replace(self, ids: Sequence[str], papers: pa.Table, references: pa.Table) -> None:
        """Replaces papers and their entries.

        Args:
            ids: papers that were loaded anew, corrected or removed.
            papers: those of them that are loaded now.
            references: their entries.
        """
        self._changed.update(ids)
        entry_rows, paper_rows = self._rows_of(ids)
        self._removed.append(self.entries.take(entry_rows))
        self._earlier.append(self.papers.take(paper_rows))
        self._remember(entry_rows, paper_rows)
        self.entries.replace(entry_rows, as_entries(references))
        self.papers.replace(paper_rows, papers)
        self._remember(*self._rows_of(ids))

    def _rows_of(self, ids: Sequence[str]) -> tuple[Ints, Ints]:
        """Numbers of the entries of papers, and of the papers."""
        entries = self.entries.find_equal(PAPER, "paper", ids)
        return entries, self.papers.find_equal(PAPER, "id", ids)

    def _remember(self, entries: Ints, papers: Ints) -> None:
        for kind, seeds in self._seeds.items():
            seeds.append(self.entries.hashes_of(kind, entries).hashes)
            seeds.append(self.papers.hashes_of(kind, papers).hashes)

    def group(self, also: Ints = _NO_ROWS) -> Group:
        """All that the changes can concern.

        Args:
            also: numbers of further entries whose units they concern.
        """
        changed = Rows(*self._rows_of(sorted(self._changed)))
        seeds = {kind: np.unique(np.concatenate(found)) for kind, found in self._seeds.items()}
        blocks = Blocks(self, changed)
        units = self._close(changed.union(self.find_rows(IDS, seeds[IDS])))
        near = self._close(units.union(blocks.members(units, seeds[BLOCKS])))
        removed = pa.concat_tables(self._removed)
        removed = removed.filter(pc.is_valid(removed[WORK]))
        works = {
            *self.entries.take(near.entries, [WORK])[WORK].drop_null().unique().to_pylist(),
            *removed[WORK].unique().to_pylist(),
        }
        same_work = self.entries.find_equal(WORK, WORK, sorted(works))
        concerned = self._close(near.union(Rows(np.union1d(same_work, also), _NO_ROWS)))
        every = self._close(concerned.union(blocks.members(concerned)))
        return Group(
            papers=self.papers.take(every.papers),
            entries=self.entries.take(every.entries),
            rows=every.entries,
            settled=pa.array(~np.isin(every.entries, concerned.entries)),
            too_large=blocks.too_large,
            removed=removed,
            earlier=pa.concat_tables(self._earlier),
        )

    def find_rows(self, kind: str, hashes: Hashes) -> Rows:
        """Entries and papers with any of these hashes."""
        found = (np.unique(rows.find(kind, hashes)) for rows in (self.entries, self.papers))
        return Rows(*found)

    def hashes_of(self, kind: str, rows: Rows) -> Hashes:
        """Distinct hashes of entries and papers."""
        entries = self.entries.hashes_of(kind, rows.entries).hashes
        return np.unique(np.append(entries, self.papers.hashes_of(kind, rows.papers).hashes))

    def _close(self, rows: Rows) -> Rows:
        """The rows, and what shares an id or key with them, directly or through others."""
        more, seen = rows, _NONE
        while len(more.entries) or len(more.papers):
            left = np.setdiff1d(self.hashes_of(IDS, more), seen)
            seen = np.union1d(seen, left)
            more = self.find_rows(IDS, left).without(rows)
            rows = rows.union(more)
        return rows

    def cites(self) -> pa.Table:
        """Citing paper and work (`from`, `to`) of all entries, pairs of one paper included."""
        return self.entries.whole([PAPER, WORK]).rename_columns(["from", "to"])

    def entries_of(self, works: Sequence[str]) -> tuple[Ints, pa.Table]:
        """Numbers of the entries that lead to works, and these entries."""
        rows = self.entries.find_equal(WORK, WORK, works)
        return rows, self.entries.take(rows)

    def loaded_among(self, ids: Collection[str]) -> pa.ChunkedArray:
        """The loaded papers among ids."""
        return self.papers.take(self.papers.find_equal(PAPER, "id", sorted(ids)), ["id"])["id"]

    def set_works(self, rows: Ints, entries: pa.Table, matches: pa.Table) -> None:
        """Notes the works of entries, and forgets what was changed.

        Args:
            rows: (n,) numbers of entries.
            entries: (n,) these entries, with their works as they were.
            matches: (n,) their works.
        """
        other = differing(entries, matches)
        new = entries.filter(other)
        for name in (WORK, "matched_by"):
            place = new.schema.get_field_index(name)
            new = new.set_column(place, name, matches[name].filter(other))
        self.entries.replace(rows[other.to_numpy()], new)
        self._forget()


def differing(entries: pa.Table, matches: pa.Table) -> pa.ChunkedArray:
    """Whether each entry has another work than before, or has it for another reason."""
    equal = [
        pc.fill_null(pc.equal(entries[name], matches[name]), False) for name in (WORK, "matched_by")
    ]
    return pc.invert(pc.and_(*equal))


class Blocks:
    """Which blocks of contents are compared."""

    def __init__(self, index: WorkIndex, changed: Rows, too_large: Hashes = _NONE) -> None:
        self._index, self._changed = index, changed
        self._known = self.too_large = too_large
        """Blocks, among those that were asked for, that are too large to be compared."""

    def members(self, rows: Rows, more: Hashes = _NONE) -> Rows:
        """What shares a block with entries or papers, or is in one of `more` blocks."""
        hashes = np.union1d(self._index.hashes_of(BLOCKS, rows), more)
        new = np.setdiff1d(hashes, self._known)
        self._known = np.union1d(self._known, new)
        self.too_large = np.union1d(self.too_large, self._find_large(new))
        return self._index.find_rows(BLOCKS, np.setdiff1d(hashes, self.too_large))

    def _find_large(self, hashes: Hashes) -> Hashes:
        """The blocks with too many contents apart from those that changed.

        Such a block was and is too large; any other was or is perhaps compared.
        """
        index = self._index
        counts = index.entries.count(BLOCKS, hashes) + index.papers.count(BLOCKS, hashes)
        found = [_NONE]
        for place in np.flatnonzero(counts > LARGEST_BLOCK):
            block = hashes[place : place + 1]
            entries, papers = index.find_rows(BLOCKS, block).without(self._changed)
            for limit in (_SOME, None):  # a few rows show it, but of popular works
                part = Rows(entries[:limit], papers[:limit])
                if len(index.hashes_of(CONTENT, part)) > LARGEST_BLOCK:
                    found.append(block)
                    break
        return np.concatenate(found)
