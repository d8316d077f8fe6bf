"""Matches all references, in memory for a part of them at a time.

1. Papers and entries go from the store into files (see `index.rows`).
2. Those that share an id or key, directly or through others, are matched together
   (`identity.match_works`), many such groups at a time. Their works are *units*.
3. For many units at a time it is found which one each joins (`similar_works.join_similar`), beside
   the units that share a block of contents with them.
4. The unit at the end of each such chain is the work; then come decisions of users.
5. Works are written many at a time, then what leads to them, by citing papers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from citescape.core.csr import ranges
from citescape.core.hashing import Hashes, hash_texts
from citescape.ingest.batches import PaperWriter
from citescape.ingest.decisions import names_of, read_decisions
from citescape.ingest.entries import read_entries
from citescape.ingest.identity import join_columns, match_works
from citescape.ingest.index.rows import Hashed, IndexedRows, Ints
from citescape.ingest.index.works import (
    ENTRIES,
    ENTRY_SCHEMA,
    IDS,
    PAPER,
    PAPER_SCHEMA,
    PAPERS,
    WORK,
    Blocks,
    Rows,
    WorkIndex,
    as_entries,
)
from citescape.ingest.joining import find_moves, list_records
from citescape.ingest.matching import (
    CITED_WORK,
    apply_decisions,
    as_matches,
    cited_pairs,
    cited_works,
    link_occurrences,
    relation_changes,
    with_works,
)
from citescape.ingest.similar_works import STRAY, Surroundings, apply_joins, compare_contents
from citescape.ingest.stored import read_papers
from citescape.ingest.sync import differences
from citescape.store.graph_store import Change, GraphStore
from citescape.store.lookups import read_run
from citescape.store.queries import Query, query
from citescape.store.schema import REL
from citescape.store.statements import links_text, read_text

Codes = NDArray[np.int32]

_PAPERS = 20_000
"""Number of papers that are read or written at a time: 20,000 full texts have a million entries."""
_ROWS = 200_000
"""Approximate number of entries that are matched at a time."""
_LINKS = 1_000_000
"""Number of relationships of a kind that are written at a time."""
_NO_MOVES = pa.schema([(name, pa.string()) for name in ("paper", "source", "work")]).empty_table()
_MATCH_SCHEMA = pa.schema([(WORK, pa.string()), ("matched_by", pa.string())])


def match_all(store: GraphStore, folder: Path, report: Callable[[str], None]) -> WorkIndex:
    """Matches all references of a store and writes what follows from it.

    Args:
        store: the graph.
        folder: where to keep the index.
        report: called with the name of each step when it begins.

    Writes to the graph: Paper nodes of cited works, MATCHES, REFERS_TO, CITES.
    """
    decisions = read_decisions(store)
    while True:
        report("reading references")
        index = _read_index(store, folder)
        report("matching references")
        units = Units(index, decisions)
        if not units.moves.num_rows:
            break
        report("joining papers of several sources")
        PaperWriter(store, None).move(units.moves)
    units.join_similar()
    units.decide(decisions)
    report("writing cited works")
    _write_works(store, units)
    report("writing citations")
    _write_links(store, units)
    return units.finish(folder)


def _read_index(store: GraphStore, folder: Path) -> WorkIndex:
    """All papers and entries, without works."""
    papers = store.read(query("ingest/full_texts")).sort_by("id")
    ids = papers["id"].to_pylist()
    text = query("ingest/references")
    lists = (as_entries(read_run(store, text, ids[part])) for part in _slices(len(ids), _PAPERS))
    rows = (papers.slice(part.start, _PAPERS) for part in _slices(papers.num_rows, _PAPERS))
    new = uuid4().hex
    return WorkIndex(
        IndexedRows.write(folder / f"entries-{new}", ENTRY_SCHEMA, lists, ENTRIES),
        IndexedRows.write(folder / f"papers-{new}", PAPER_SCHEMA, rows, PAPERS),
    )


def _cut_by_group(groups: Ints | Codes, size: int) -> Iterator[slice]:
    """Cuts sorted rows into parts of about a size, each group of equal ones as a whole."""
    bounds = np.concatenate([[0], np.flatnonzero(np.diff(groups)) + 1, [len(groups)]])
    wanted = np.append(np.arange(0, len(groups), size), len(groups))
    cuts = np.unique(bounds[np.searchsorted(bounds, wanted)]).tolist()
    yield from map(slice, cuts[:-1], cuts[1:])


class Units:
    """The unit, then the work, of each entry."""

    def __init__(self, index: WorkIndex, decisions: pa.Table) -> None:
        """Matches by ids and keys.

        Args:
            index: all papers and entries.
            decisions: see `ingest.decisions`.
        """
        self.index = index
        entries, papers = len(index.entries), len(index.papers)
        self.names = pa.array([], pa.string())
        """Names of units and works; a code is a place among them."""
        self.work: Codes = np.zeros(entries, np.int32)
        """(entries,) code of the unit, then of the work."""
        self._of_paper: Codes = np.zeros(papers, np.int32)
        self._reasons: list[str] = []
        self._reason: Codes = np.zeros(entries, np.int32)
        """(entries,) why an entry has its work: a place in `_reasons`."""
        self.moves = _NO_MOVES
        """Records that belong to other papers."""
        label = _label(index, decisions)
        order = np.argsort(label, kind="stable")
        parts, size = [], 0
        for part in _cut_by_group(label[order], _ROWS):
            rows = np.sort(order[part])
            loaded = rows[(rows >= entries) & (rows < entries + papers)] - entries
            names = self._match(Rows(rows[rows < entries], loaded), decisions, size)
            parts.append(names)
            size += len(names)
        if parts:
            self.names = pa.concat_arrays(parts)

    def _match(self, part: Rows, decisions: pa.Table, size: int) -> pa.Array:
        """Matches rows with all that share ids with them; returns the names of their units."""
        papers, entries = self.index.papers.take(part.papers), self.index.entries.take(part.entries)
        moves = find_moves(list_records(papers), entries, decisions)
        self.moves = pa.concat_tables([self.moves, moves])
        matches = match_works(papers, entries)
        names = join_columns([matches["work"], papers["id"]]).unique()
        self.work[part.entries] = size + _places(matches["work"], names)
        self._of_paper[part.papers] = size + _places(papers["id"], names)
        self._explain(part.entries, matches["matched_by"])
        return names

    def _explain(self, rows: Ints, reasons: pa.ChunkedArray) -> None:
        self._reasons += sorted({*reasons.unique().to_pylist()} - {*self._reasons})
        self._reason[rows] = _places(reasons, pa.array(self._reasons, pa.string()))

    def _named(self, codes: Codes) -> pa.ChunkedArray:
        return pa.chunked_array([self.names.take(pa.array(codes))])

    def matches(self, rows: Ints, entries: pa.Table) -> pa.Table:
        """The works of entries: `id`, `work`, `matched_by`."""
        reasons = pa.array(self._reasons, pa.string()).take(pa.array(self._reason[rows]))
        columns = {"id": entries["id"], "work": self._named(self.work[rows])}
        return pa.table({**columns, "matched_by": reasons})

    def join_similar(self) -> None:
        """Joins units whose entries describe the same publication."""
        members = _Members(self.index, self.work, self._of_paper, len(self.names))
        joins = np.arange(len(self.names), dtype=np.int32)
        """(units,) the unit that each joins."""
        target = self.work.copy()
        """(entries,) the unit that the content of an entry joins."""
        for part in members.parts():
            while len(needed := self._join(part, members, joins, target)):
                part = np.union1d(part, needed)
        while not (joins == (further := joins[joins])).all():
            joins = further
        changed = np.flatnonzero(target != self.work)
        self.work[changed] = joins[target[changed]]
        self._explain(changed, pa.chunked_array([pa.repeat("similar", len(changed))]))

    def _join(self, part: Codes, members: _Members, joins: Codes, target: Codes) -> Codes:
        """Finds what some units, and the entries of these, join.

        Returns:
            Units that must be among these to know it, because a content joins one of theirs that
            contradicts them. Nothing is noted then.
        """
        own = members.rows(part)
        units = np.union1d(part, members.neighbours(own))
        rows = members.rows(units)
        papers, entries = self.index.papers.take(rows.papers), self.index.entries.take(rows.entries)
        matches = self.matches(rows.entries, entries)
        among = np.isin(rows.entries, own.entries)
        contents = read_entries(entries).append_column("work", matches["work"])
        known = pc.if_else(pa.array(among), pa.scalar(None, pa.string()), matches["work"])
        surroundings = Surroundings(known, members.too_large)
        groups = compare_contents(papers, contents, surroundings)
        names = self.names.take(pa.array(units))
        changed = groups.filter(
            pc.and_(pc.is_null(groups["known"]), pc.not_equal(groups["joined"], groups["work"]))
        )
        is_stray = pc.starts_with(changed["joined"], STRAY)
        unknown = pc.utf8_slice_codeunits(changed["joined"].filter(is_stray), len(STRAY))
        if len(unknown):
            return units[_places(unknown, names)]
        whole = changed.filter(pc.invert(changed["stray"]))
        joins[units[_places(whole["work"], names)]] = units[_places(whole["joined"], names)]
        found = apply_joins(
            contents.filter(pa.array(among)), matches.filter(pa.array(among)), groups
        )
        target[own.entries] = units[_places(found["work"], names)]
        return np.zeros(0, np.int32)

    def decide(self, decisions: pa.Table) -> None:
        """Applies decisions of users."""
        if not decisions.num_rows:
            return
        decided = [name for column in ("first", "second") for name in decisions[column].to_pylist()]
        hashes = hash_texts(pa.chunked_array([pa.array(decided, pa.string())]))
        named = self.index.find_rows(IDS, hashes).entries
        rows = np.flatnonzero(np.isin(self.work, self.work[named]))
        entries = self.index.entries.take(rows)
        before = self.matches(rows, entries)
        loaded = self.index.loaded_among({*before["work"].unique().to_pylist(), *decided})
        after = apply_decisions(before, names_of(entries), decisions, loaded)
        names = after["work"].unique()
        new = names.filter(pc.invert(pc.is_in(names, value_set=self.names)))
        self.names = pa.concat_arrays([self.names, new])
        self.work[rows] = _places(after["work"], self.names)
        self._explain(rows, after["matched_by"])

    def finish(self, folder: Path) -> WorkIndex:
        """The index with works."""
        hashes = hash_texts(pa.chunked_array([self.names]))
        found = Hashed(np.arange(len(self.work)), hashes[self.work])
        reasons = pa.array(self._reasons, pa.string())
        parts = (
            pa.table(
                {
                    WORK: self._named(self.work[part]),
                    "matched_by": reasons.take(pa.array(self._reason[part])),
                }
            )
            for part in _slices(len(self.work), _ROWS)
        )
        entries = self.index.entries.add_columns(folder, _MATCH_SCHEMA, parts, found, WORK)
        return WorkIndex(entries, self.index.papers)

    def entries_by_work(self) -> Iterator[tuple[Codes, pa.Table, pa.ChunkedArray]]:
        """Some works, all entries of these, and the loaded papers among them; `_ROWS` at a time."""
        order = np.argsort(self.work, kind="stable")
        for part in _cut_by_group(self.work[order], _ROWS):
            rows = np.sort(order[part])
            entries = self.index.entries.take(rows)
            works = self._named(self.work[rows])
            loaded = self.index.loaded_among(works.unique().to_pylist())
            yield np.unique(self.work[rows]), with_works(entries, works), loaded

    def matches_by_paper(self) -> Iterator[tuple[list[str], pa.Table]]:
        """Ids of `_PAPERS` loaded papers, and the works of their entries with `paper`."""
        entries = self.index.entries
        for part in _slices(len(self.index.papers), _PAPERS):
            ids = self.index.papers.take(np.arange(part.start, part.stop), ["id"])["id"].to_pylist()
            rows = entries.find_equal(PAPER, "paper", ids)
            found = entries.take(rows, ["id", "paper"])
            yield ids, self.matches(rows, found).append_column("paper", found["paper"])


class _Members:
    """The entries and papers of units."""

    def __init__(self, index: WorkIndex, unit: Codes, of_paper: Codes, size: int) -> None:
        self._index, self._unit, self._of_paper = index, unit, of_paper
        self.too_large: Hashes = np.zeros(0, np.uint64)
        """See `index.works.Blocks`."""
        self._by_unit = np.argsort(unit, kind="stable")
        self._starts = np.searchsorted(unit[self._by_unit], np.arange(size + 1))
        self._papers_by_unit = np.argsort(of_paper, kind="stable")
        self._paper_starts = np.searchsorted(of_paper[self._papers_by_unit], np.arange(size + 1))

    def parts(self) -> Iterator[Codes]:
        """All units with entries, those of about `_ROWS` entries at a time."""
        for part in _cut_by_group(self._unit[self._by_unit], _ROWS):
            yield np.unique(self._unit[self._by_unit[part]])

    def rows(self, units: Codes) -> Rows:
        """The rows of units."""
        return Rows(
            np.sort(_rows_of(units, self._by_unit, self._starts)),
            np.sort(_rows_of(units, self._papers_by_unit, self._paper_starts)),
        )

    def neighbours(self, rows: Rows) -> Codes:
        """The units that share a block of contents with rows."""
        blocks = Blocks(self._index, Rows.none(), self.too_large)
        found = blocks.members(rows)
        self.too_large = blocks.too_large
        return np.union1d(self._unit[found.entries], self._of_paper[found.papers])


def _rows_of(units: Codes, order: Ints, starts: Ints) -> Ints:
    """The rows of units, which begin at `starts` in `order`."""
    return order[ranges(starts[units], starts[units + 1] - starts[units])]


def _label(index: WorkIndex, decisions: pa.Table) -> Codes:
    """Number of the group of each entry, paper and decision: these share ids, also by others."""
    entries, papers = index.entries.postings(IDS), index.papers.postings(IDS)
    first, second = (hash_texts(decisions[name]) for name in ("first", "second"))
    size = len(index.entries) + len(index.papers)
    decided = size + np.arange(len(first))
    hashes = np.concatenate([entries[0], papers[0], first, second])
    rows = np.concatenate([entries[1], papers[1] + len(index.entries), decided, decided])
    order = np.argsort(hashes, kind="stable")
    same = np.flatnonzero(hashes[order[1:]] == hashes[order[:-1]])
    ends = rows[order[same]], rows[order[same + 1]]
    size += len(first)
    graph = csr_array((np.ones(len(same), np.int8), ends), shape=(size, size))
    label: Codes = np.asarray(connected_components(graph, directed=False)[1], np.int32)
    return label


def _write_works(store: GraphStore, units: Units) -> None:
    """Writes Paper nodes of cited works."""
    present = store.read(query("ingest/cited_work_ids"))["id"]
    is_in = pc.is_in(units.names, value_set=present.combine_chunks())
    is_present = is_in.to_numpy(zero_copy_only=False)
    """(works,) whether the graph has each."""
    for works, entries, loaded in units.entries_by_work():
        names = units.names.take(pa.array(works[is_present[works]])).to_pylist()
        before = read_papers(store, names, CITED_WORK)
        store.apply(differences("Paper", before, cited_works(entries, loaded)))
    cited = units.names.take(pa.array(np.unique(units.work)))
    gone = present.filter(pc.invert(pc.is_in(present, value_set=cited)))
    store.apply([Change("delete", "Paper", pa.table({"id": gone}))])


def _write_links(store: GraphStore, units: Units) -> None:
    """Writes MATCHES, REFERS_TO and CITES."""
    texts: dict[str, Query | str] = {
        "MATCHES": query("ingest/matches"),
        "REFERS_TO": query("ingest/occurrence_works"),
        "CITES": links_text(REL["CITES"]),
    }
    written = [name for name in texts if store.read(f"{read_text(REL[name], ())} LIMIT 1").num_rows]
    waiting: dict[str, list[pa.Table]] = {name: [] for name in texts}
    """Rows to insert, many at a time: each commit may rewrite adjacency lists of many nodes."""

    def insert(*, all_left: bool = False) -> None:
        for name, tables in waiting.items():
            count = sum(rows.num_rows for rows in tables)
            size = count if all_left else count // _LINKS * _LINKS
            if size:
                rows = pa.concat_tables(tables)
                store.apply([Change("insert", name, rows.slice(0, size))])
                tables[:] = [rows.slice(size)]

    for papers, matches in units.matches_by_paper():
        occurrences = read_run(store, query("ingest/occurrence_references"), papers)
        expected = {
            "MATCHES": as_matches(matches),
            "REFERS_TO": link_occurrences(occurrences, matches),
            "CITES": cited_pairs(matches),
        }
        for name, rows in expected.items():
            nothing = rows.slice(0, 0)
            present = read_run(store, texts[name], papers) if name in written else nothing
            changes = relation_changes(name, rows, present)
            store.apply([change for change in changes if change.action != "insert"])
            waiting[name] += [change.rows for change in changes if change.action == "insert"]
        insert()
    insert(all_left=True)


def _slices(count: int, size: int) -> Iterator[slice]:
    for start in range(0, count, size):
        yield slice(start, min(start + size, count))


def _places(texts: pa.ChunkedArray, names: pa.Array) -> Codes:
    return np.asarray(pc.index_in(texts, value_set=names), np.int32)
