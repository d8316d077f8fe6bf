"""Entries of reference lists and loaded papers, and which of them a change can concern.

Which work an entry leads to depends on the entries and papers that share an id, a key or a block of
contents with it, on those that share one with these, and so on. Such groups are small, so a change
is matched with its group alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.hashing import Hashes, hash_texts
from citescape.ingest.contents import LARGEST_BLOCK
from citescape.ingest.entries import FIELDS, read_entries, read_titles
from citescape.ingest.index.hashes import (
    hash_blocks,
    hash_column,
    hash_ids,
    hash_paper_ids,
)
from citescape.ingest.index.rows import Hashed, Hasher, IndexedRows, Ints

IDS, BLOCKS, PAPER, WORK = "ids", "blocks", "paper", "work"
"""Kinds of hashes. Entries have all of them, papers the first three."""


def _hash_entries(rows: pa.Table) -> dict[str, Hashed]:
    return {
        IDS: hash_ids(rows),
        BLOCKS: hash_blocks(read_entries(rows)),
        PAPER: hash_column(rows["paper"]),
        WORK: hash_column(rows["work"]),
    }


def _hash_papers(rows: pa.Table) -> dict[str, Hashed]:
    return {
        IDS: hash_paper_ids(rows),
        BLOCKS: hash_blocks(read_titles(rows)),
        PAPER: hash_column(rows["id"]),
    }


ENTRIES = Hasher((IDS, BLOCKS, PAPER, WORK), _hash_entries)
PAPERS = Hasher((IDS, BLOCKS, PAPER), _hash_papers)


@dataclass(frozen=True)
class Group:
    """Entries and papers that changes can concern, with all that they depend on."""

    papers: pa.Table
    entries: pa.Table
    """With `work` and `matched_by` as they were; null for new ones."""
    rows: Ints
    """(entries,) their numbers in the index."""
    removed: pa.Table
    """Entries that are gone, with their last works."""
    earlier: pa.Table
    """Changed papers as they were."""


def as_entries(references: pa.Table, matches: pa.Table | None = None) -> pa.Table:
    """Rows of the index from entries and the works that they lead to.

    Args:
        references: entries, see `resolve.read_entries_of_papers`.
        matches: result of `match_works` for the same rows; None if they are not matched yet.
    """
    for name in (WORK, "matched_by"):
        none = pa.nulls(references.num_rows, pa.string())
        references = references.append_column(name, none if matches is None else matches[name])
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

    @classmethod
    def build(cls, papers: pa.Table, references: pa.Table, matches: pa.Table) -> WorkIndex:
        """The index of a whole store.

        Args:
            papers: loaded papers, see `resolve.read_entries_of_papers`.
            references: their entries.
            matches: the work of each.
        """
        entries = IndexedRows.build(as_entries(references, matches), ENTRIES)
        return cls(entries, IndexedRows.build(papers, PAPERS))

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

    def group(self) -> Group:
        """All that the changes can concern."""
        new_entries, new_papers = self._rows_of(sorted(self._changed))
        entries, papers = new_entries, new_papers
        seen: dict[str, Hashes] = {kind: np.zeros(0, np.uint64) for kind in self._seeds}
        left = {kind: np.unique(np.concatenate(seeds)) for kind, seeds in self._seeds.items()}
        while any(len(hashes) for hashes in left.values()):
            found_entries, found_papers = [entries], [papers]
            for kind, hashes in left.items():
                seen[kind] = np.union1d(seen[kind], hashes)
                if kind == BLOCKS:
                    hashes = self._usable(hashes, new_entries, new_papers)
                found_entries.append(self.entries.find(kind, hashes))
                found_papers.append(self.papers.find(kind, hashes))
            more_entries = np.setdiff1d(np.concatenate(found_entries), entries)
            more_papers = np.setdiff1d(np.concatenate(found_papers), papers)
            entries = np.union1d(entries, more_entries)
            papers = np.union1d(papers, more_papers)
            for kind in left:
                of_entries = self.entries.hashes_of(kind, more_entries).hashes
                of_papers = self.papers.hashes_of(kind, more_papers).hashes
                left[kind] = np.setdiff1d(np.append(of_entries, of_papers), seen[kind])
        removed = pa.concat_tables(self._removed)
        return Group(
            papers=self.papers.take(papers),
            entries=self.entries.take(entries),
            rows=entries,
            removed=removed.filter(pc.is_valid(removed[WORK])),
            earlier=pa.concat_tables(self._earlier),
        )

    def _usable(self, hashes: Hashes, new_entries: Ints, new_papers: Ints) -> Hashes:
        """The blocks that were or are small enough to be compared.

        A block with too many contents apart from those that changed was and is too large.
        """
        counts = self.entries.count(BLOCKS, hashes) + self.papers.count(BLOCKS, hashes)
        large = counts > LARGEST_BLOCK
        kept = [hashes[~large]]
        for place in np.flatnonzero(large):
            one = hashes[place : place + 1]
            entries = np.setdiff1d(self.entries.find(BLOCKS, one), new_entries)
            papers = np.setdiff1d(self.papers.find(BLOCKS, one), new_papers)
            found = (
                read_entries(self.entries.take(entries)).select(FIELDS),
                read_titles(self.papers.take(papers)).select(FIELDS),
            )
            contents = pa.concat_tables(found).group_by(FIELDS).aggregate([])
            if contents.num_rows <= LARGEST_BLOCK:
                kept.append(one)
        return np.concatenate(kept)

    def set_works(self, group: Group, matches: pa.Table) -> None:
        """Notes the works of the entries of a group, and forgets what was changed."""
        same = pc.and_(
            pc.fill_null(pc.equal(group.entries[WORK], matches["work"]), False),
            pc.fill_null(pc.equal(group.entries["matched_by"], matches["matched_by"]), False),
        )
        other = pc.invert(same)
        rows = group.entries.filter(other)
        for name in (WORK, "matched_by"):
            place = rows.schema.get_field_index(name)
            rows = rows.set_column(place, name, matches[name].filter(other))
        self.entries.replace(group.rows[other.to_numpy()], rows)
        self._forget()
