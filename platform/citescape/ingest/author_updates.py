"""Authors of the names that a change can concern.

Authors are found block by block (see `ingest.signatures`), and what is taken from the whole store
is rounded (see `ingest.author_statistics`). So a change concerns the blocks of names

- on by-lines that changed, and that share an ORCID with these,
- beside names whose frequency changed, and with given names whose frequency changed,
- of papers that cite other works than before, and that are on two of the works they cite.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from scipy.sparse import csr_array

from citescape.core.counts import Counts
from citescape.core.hashing import Hashes, hash_texts
from citescape.ingest.author_pairs import LONGEST_BY_LINE, Citations, round_count
from citescape.ingest.author_scores import LinkModel, PairScorer, estimate_model, no_pairs
from citescape.ingest.author_statistics import NameCounts, PairCounts, Statistics, count_names
from citescape.ingest.authors import assign_people, collect_pairs, list_people, list_signatures
from citescape.ingest.index.by_lines import BLOCK, ORCID, PAPER
from citescape.ingest.index.rows import IndexedRows
from citescape.ingest.index.works import PAPER as OF_PAPER
from citescape.ingest.index.works import WORK
from citescape.ingest.names import FIRST, FULL, Bools, hash_names
from citescape.ingest.signatures import (
    flatten,
    hash_blocks,
    name_capitals,
    read_signatures,
    spell_names,
)

_LARGEST_SHARE = 0.3
"""Share of concerned names from which all are resolved again."""


@dataclass(frozen=True)
class View:
    """A state of the store."""

    by_lines: IndexedRows
    entries: IndexedRows

    def read_by_lines(self, ids: Sequence[str]) -> pa.Table:
        """The by-lines of papers."""
        return self.by_lines.take(self.by_lines.find_equal(PAPER, "id", ids))

    def find_by_lines(self, kind: str, hashes: Hashes) -> pa.Table:
        """The by-lines with any of these hashes, perhaps some more, sorted by paper."""
        rows = np.unique(self.by_lines.find(kind, hashes))
        return self.by_lines.take(rows).sort_by("id")

    def read_pairs(self, kind: str, ids: Sequence[str]) -> pa.Table:
        """The pairs (`from`, `to`) whose citing (`OF_PAPER`) or cited paper is one of these."""
        rows = self.entries.find_equal(kind, kind, ids)
        found = self.entries.take(rows, ["paper", "work"]).rename_columns(["from", "to"])
        others = pc.fill_null(pc.not_equal(found["from"], found["to"]), False)
        return found.filter(others).group_by(["from", "to"]).aggregate([])


@dataclass(frozen=True)
class Signed:
    """Signatures of some by-lines and their blocks."""

    papers: pa.Table
    flat: pa.Table
    names: pa.Table
    blocks: Hashes

    @classmethod
    def read(cls, papers: pa.Table) -> Signed:
        """The signatures of by-lines."""
        flat = flatten(papers)
        names = spell_names(flat)
        return cls(papers, flat, names, hash_blocks(names))


@dataclass(frozen=True)
class AuthorUpdate:
    """Authors of the concerned names."""

    before: pa.Table
    """As they were, see `authors.neighbourhood_authors`."""
    after: pa.Table
    by_lines: pa.Table
    """By-lines with concerned names, with `author` and `evidence`."""
    statistics: Statistics


def update_authors(
    before: View,
    after: View,
    statistics: Statistics,
    *,
    changed: Sequence[str],
    citing: Sequence[str],
) -> AuthorUpdate | None:
    """The authors of the names that a change can concern; None if it may concern all names.

    Args:
        before: the state for which authors are known.
        after: the present state; its new by-lines have no authors yet.
        statistics: those of the state before.
        changed: papers whose by-line, year or venue changed, which are new or gone.
        citing: papers that cite other works than before.
    """
    old, new = (Signed.read(view.read_by_lines(changed)) for view in (before, after))
    touched = np.unique(np.concatenate([old.blocks, new.blocks]))
    papers = statistics.papers + new.papers.num_rows - old.papers.num_rows
    gone, added = (_count_names(view, touched) for view in (before, after))
    names = statistics.names.add(gone, -1).add(added)
    sums = np.union1d(gone.sums.keys, added.sums.keys)
    if len(_shifted(sums, statistics.names.sums, names.sums)):
        return None
    if round_count(papers) != round_count(statistics.papers):
        return None

    values = np.union1d(gone.values.keys, added.values.keys)
    rarer = _shifted(values, statistics.names.values, names.values)
    parts = [touched, _with_given_names(after, rarer), _beside(before, after, touched)]
    parts.append(_cited_together(before, after, citing))
    blocks = _with_orcids(before, after, np.unique(np.concatenate(parts)))
    if after.by_lines.count(BLOCK, blocks).sum() > _LARGEST_SHARE * len(after.by_lines):
        return None

    was = _collect(before, blocks, statistics.names, statistics.papers)
    now = _collect(after, blocks, names, papers)
    pairs = statistics.pairs.add(was.count(), -1).add(now.count())
    model = estimate_model(pairs)
    if not model.equals(estimate_model(statistics.pairs)):
        return None
    authors = now.assign(model)
    return AuthorUpdate(
        before=was.present(),
        after=authors,
        by_lines=now.with_authors(authors),
        statistics=Statistics(papers, names, pairs),
    )


@dataclass(frozen=True)
class _Collected:
    """By-lines with concerned names, and the pairs of these."""

    signed: Signed
    active: Bools
    scorer: PairScorer | None
    """None without any name."""

    def count(self) -> PairCounts:
        """Counts of the pairs of these names."""
        return self.scorer.count() if self.scorer is not None else no_pairs()

    def assign(self, model: LinkModel) -> pa.Table:
        """The authors of the concerned names."""
        if self.scorer is None:
            return list_people(self.signed.flat, *np.zeros((2, 0), np.int64))
        return assign_people(self.signed.flat, self.scorer, model)

    def _listed(self, name: str) -> NDArray[np.object_]:
        """The values of a list over names, None where there is none yet."""
        lists = self.signed.papers[name]
        values = np.full(self.signed.flat.num_rows, None, object)
        known = pc.is_valid(lists).to_numpy()[self.signed.flat["row"].to_numpy()]
        values[known] = pc.list_flatten(lists).to_numpy(zero_copy_only=False)
        return values

    def present(self) -> pa.Table:
        """The concerned names with the authors that are known of them."""
        rows = list_signatures(self.signed.flat)
        for name in ("author", "evidence"):
            rows = rows.append_column(name, pa.array(self._listed(name), pa.string()))
        return rows.filter(pa.array(self.active))

    def with_authors(self, authors: pa.Table) -> pa.Table:
        """The by-lines with new authors of the concerned names."""
        papers = self.signed.papers
        counts = np.bincount(self.signed.flat["row"].to_numpy(), minlength=papers.num_rows)
        offsets = pa.array(np.append(0, np.cumsum(counts)), pa.int32())
        for name in ("author", "evidence"):
            values = self._listed(name)
            values[self.active] = authors[name].to_numpy()
            lists = pa.ListArray.from_arrays(offsets, pa.array(values, pa.string()))
            papers = papers.set_column(papers.schema.get_field_index(name), name, lists)
        return papers


def _collect(view: View, blocks: Hashes, names: NameCounts, papers: int) -> _Collected:
    """The names in some blocks, and their pairs.

    Args:
        view: the state.
        blocks: hashes of blocks.
        names: given names of the store in this state.
        papers: number of papers of the store in this state.
    """
    signed = Signed.read(view.find_by_lines(BLOCK, blocks))
    active = np.isin(signed.blocks, blocks)
    if not active.any():
        nobody = Signed.read(signed.papers.slice(0, 0))
        return _Collected(nobody, active[:0], None)
    known, place = np.unique(signed.blocks, return_inverse=True)
    sizes = view.by_lines.count_exact(BLOCK, known)[place]
    signatures = read_signatures(signed.flat, signed.papers, active=active, sizes=sizes)
    return _Collected(
        signed,
        active,
        collect_pairs(signatures, _read_citations(view, signed.papers["id"]), names, papers),
    )


def _read_citations(view: View, papers: pa.ChunkedArray) -> Citations:
    """Works that papers cite, and papers that cite them."""
    ids = papers.to_pylist()
    cites, cited_by = view.read_pairs(OF_PAPER, ids), view.read_pairs(WORK, ids)
    ends = pa.chunked_array([*papers.chunks, *cites["to"].chunks, *cited_by["from"].chunks])
    works = ends.unique()  # the papers first
    matrices = []
    for pairs, own, other in ((cites, "from", "to"), (cited_by, "to", "from")):
        place = (
            pc.index_in(pairs[own], value_set=papers.combine_chunks()).to_numpy(),
            pc.index_in(pairs[other], value_set=works).to_numpy(),
        )
        shape = (len(papers), len(works))
        matrices.append(csr_array((np.ones(pairs.num_rows, np.int32), place), shape=shape))
    return Citations(*matrices)


def _count_names(view: View, blocks: Hashes) -> NameCounts:
    """The given names in some blocks."""
    signed = Signed.read(view.find_by_lines(BLOCK, blocks))
    return count_names(signed.names.filter(pa.array(np.isin(signed.blocks, blocks))))


def _shifted(keys: Hashes, before: Counts, after: Counts) -> Hashes:
    """The keys whose counts round to another number."""
    shifted = round_count(before.look_up(keys)) != round_count(after.look_up(keys))
    return np.asarray(keys[shifted])


def _with_given_names(view: View, keys: Hashes) -> Hashes:
    """Blocks of signatures with given names."""
    found = [np.zeros(0, np.uint64)]
    for kind in (FULL, FIRST):
        signed = Signed.read(view.find_by_lines(kind, keys))
        for names in (signed.names, spell_names(name_capitals(signed.flat))):
            found.append(signed.blocks[np.isin(hash_names(kind, names[kind]), keys)])
    return np.concatenate(found)


def _beside(before: View, after: View, blocks: Hashes) -> Hashes:
    """Blocks of the names on one by-line with a name whose frequency changed."""
    sizes = (round_count(view.by_lines.count_exact(BLOCK, blocks)) for view in (before, after))
    shifted = blocks[np.not_equal(*sizes)]
    found = [np.zeros(0, np.uint64)]
    for view in (before, after):
        papers = view.find_by_lines(BLOCK, shifted)
        short = pc.less_equal(pc.list_value_length(papers["surnames"]), LONGEST_BY_LINE)
        found.append(Signed.read(papers.filter(short)).blocks)
    return np.concatenate(found)


def _cited_together(before: View, after: View, citing: Sequence[str]) -> Hashes:
    """Blocks of citing papers, and those on two of the works that one of them cites."""
    own = Signed.read(after.read_by_lines(citing)).blocks
    parts = [view.read_pairs(OF_PAPER, citing) for view in (before, after)]
    pairs = pa.concat_tables(parts).group_by(["from", "to"]).aggregate([])
    works = Signed.read(after.read_by_lines(pairs["to"].unique().to_pylist()))
    held = pa.table({"to": works.flat["paper"], "block": works.blocks})
    both = pairs.join(held.group_by(["to", "block"]).aggregate([]), "to", join_type="inner")
    counted = both.group_by(["from", "block"]).aggregate([([], "count_all")])
    several = counted.filter(pc.greater(counted["count_all"], 1))
    return np.append(own, several["block"].to_numpy())


def _with_orcids(before: View, after: View, blocks: Hashes) -> Hashes:
    """The blocks and those that share an ORCID with one of them, directly or through others."""
    left = blocks
    while len(left):
        found = [np.zeros(0, np.uint64)]
        for view in (before, after):
            signed = Signed.read(view.find_by_lines(BLOCK, left))
            orcids = signed.flat["orcid"].filter(pa.array(np.isin(signed.blocks, left)))
            orcids = orcids.drop_null().unique()
            others = Signed.read(view.find_by_lines(ORCID, hash_texts(pa.chunked_array([orcids]))))
            same = pc.is_in(others.flat["orcid"], value_set=orcids, skip_nulls=True)
            found.append(others.blocks[same.to_numpy()])
        left = np.setdiff1d(np.concatenate(found), blocks)
        blocks = np.union1d(blocks, left)
    return blocks
