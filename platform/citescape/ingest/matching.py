"""Which work each entry of a reference list leads to, and what follows from it in the graph."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.ingest.decisions import decide, names_of
from citescape.ingest.identity import ID_KINDS, join_columns, match_works, representative
from citescape.ingest.index.rows import Ints
from citescape.ingest.index.works import Group, WorkIndex, differing
from citescape.ingest.similar_works import STRAY, Surroundings, join_similar
from citescape.ingest.stored import read_papers
from citescape.ingest.sync import differences, unique_rows
from citescape.store.graph_store import Change, GraphStore
from citescape.store.lookups import read_for
from citescape.store.queries import query
from citescape.store.schema import TABLE

CITED_WORK = (*ID_KINDS, "key", "title", "year", "venue", "surnames", "givens", "roles")
"""Properties of works that are known from reference lists only."""


def apply_decisions(
    matches: pa.Table, names: pa.ChunkedArray, decisions: pa.Table, loaded: pa.ChunkedArray
) -> pa.Table:
    """The matches after decisions of users.

    Args:
        matches: (n,) `id` (entry), `work`, `matched_by`.
        names: (n,) of the entries, see `names_of`.
        decisions: see `ingest.decisions`.
        loaded: ids of loaded papers, at least of those among works and decided names.
    """
    if not decisions.num_rows:
        return matches
    work = decide(names, matches["work"], decisions, loaded=frozenset(loaded.to_pylist()))
    changed = pc.not_equal(work, matches["work"])
    how = pc.if_else(changed, "decision", matches["matched_by"])
    return pa.table({"id": matches["id"], "work": work, "matched_by": how})


@dataclass(frozen=True)
class Matched:
    """All entries of works that changed."""

    rows: Ints
    """(n,) their numbers in the index."""
    entries: pa.Table
    """(n,) with `work` and `matched_by` as they were; null for new ones."""
    matches: pa.Table
    """(n,) `id` (entry), `work`, `matched_by`."""
    removed: pa.Table
    """Entries that are gone, with their last works."""
    loaded: pa.ChunkedArray
    """Ids of loaded papers, these works among them."""


def match_group(
    index: WorkIndex, group: Group, decisions: pa.Table, changed: Collection[str]
) -> Matched:
    """Matches what changes concern.

    Args:
        index: all entries and loaded papers.
        group: what the changes concern.
        decisions: see `ingest.decisions`.
        changed: ids of papers that were loaded, corrected or removed.

    Returns:
        All entries of the works whose entries changed, or which are such a paper.
    """
    also = np.zeros(0, np.int64)
    while True:
        units = match_works(group.papers, group.entries)
        known = pc.if_else(group.settled, group.entries["work"], pa.scalar(None, pa.string()))
        surroundings = Surroundings(known, group.too_large)
        found = join_similar(group.papers, group.entries, units, surroundings)
        unknown = found["work"].filter(pc.is_null(known))
        unknown = unknown.filter(pc.starts_with(unknown, STRAY))
        if not len(unknown):
            break
        needed = pc.utf8_slice_codeunits(unknown, len(STRAY))
        also = np.union1d(also, group.rows[pc.is_in(units["work"], value_set=needed).to_numpy()])
        group = index.group(also)
    rows, entries = group.rows, group.entries
    work, reason = (
        pc.if_else(group.settled, entries[name], found[name]) for name in ("work", "matched_by")
    )
    found = pa.table({"id": found["id"], "work": work, "matched_by": reason})
    decided = [name for column in ("first", "second") for name in decisions[column].to_pylist()]
    seen: set[str] = set()
    while True:
        loaded = index.loaded_among({*found["work"].unique().to_pylist(), *decided, *changed})
        matches = apply_decisions(found, names_of(entries), decisions, loaded)
        other = differing(entries, matches)
        before, after = entries["work"], matches["work"]
        changing = (before.filter(other), after.filter(other), group.removed["work"])
        works = {work for column in changing for work in column.unique().to_pylist()} | {*changed}
        if works <= seen:
            break
        # Other entries of these works keep their work, unless a decision joins them.
        more, of_more = index.entries_of(sorted(works - seen - {None}))
        new = ~np.isin(more, rows)
        of_more = of_more.filter(pa.array(new))
        rows, entries = np.append(rows, more[new]), pa.concat_tables([entries, of_more])
        found = pa.concat_tables([found, of_more.select(found.column_names)])
        seen |= works
    names = pa.array(sorted(works - {None}), pa.string())
    among = pc.or_(pc.is_in(before, value_set=names), pc.is_in(after, value_set=names))
    return Matched(
        rows=rows[among.to_numpy()],
        entries=entries.filter(among),
        matches=matches.filter(among),
        removed=group.removed,
        loaded=loaded,
    )


class ConcernedPart:
    """What changes can concern."""

    def __init__(self, store: GraphStore, part: Matched, deleted: Collection[str]) -> None:
        self._store, self._part = store, part
        self._deleted = pa.array(sorted(deleted), pa.string())
        self._after = part.matches["work"]

    def _is_left(self, works: pa.ChunkedArray) -> pa.ChunkedArray:
        return pc.and_(pc.is_valid(works), pc.invert(pc.is_in(works, value_set=self._deleted)))

    def works(self) -> pa.Table:
        """Works known from reference lists only."""
        ids = join_columns((self._after, self._part.entries["work"], self._part.removed["work"]))
        names = sorted(ids.drop_null().unique().to_pylist())
        found = read_papers(self._store, names, (*CITED_WORK, "fulltext"))
        return found.filter(pc.invert(found["fulltext"])).select(["id", *CITED_WORK])

    def matches(self) -> pa.Table:
        """MATCHES."""
        entries = self._part.entries
        rows = entries.select(["id", "work", "matched_by"]).rename_columns(
            ["from", "to", "matched_by"]
        )
        return rows.filter(self._is_left(rows["to"]))

    def occurrences(self) -> pa.Table:
        """In-text citations whose links may change."""
        entries = self._part.entries
        same = pc.fill_null(pc.equal(entries["work"], self._after), False)
        other = pc.invert(pc.and_(same, self._is_left(entries["work"])))
        papers = sorted(entries["paper"].filter(other).unique().to_pylist())
        found = read_for(self._store, query("ingest/occurrence_references"), papers)
        return found.filter(pc.is_in(found["reference"], value_set=entries["id"].filter(other)))

    def links(self, occurrences: pa.Table) -> pa.Table:
        """REFERS_TO."""
        entries = self._part.entries
        row = pc.index_in(occurrences["reference"], value_set=entries["id"])
        links = pa.table({"from": occurrences["id"], "to": entries["work"].take(row)})
        return links.filter(self._is_left(links["to"]))

    def cites(self) -> pa.Table:
        """CITES."""
        parts = (self._part.entries, self._part.removed)
        pairs = cited_pairs(pa.concat_tables([part.select(["paper", "work"]) for part in parts]))
        return pairs.filter(pc.and_(self._is_left(pairs["from"]), self._is_left(pairs["to"])))


def write_matches(
    store: GraphStore, part: Matched, before: ConcernedPart, report: Callable[[str], None]
) -> pa.Table:
    """Writes cited works and the relationships that lead to works.

    Args:
        store: the graph.
        part: all entries of some works.
        before: what the graph has of them.
        report: called with the name of each step when it begins.

    Returns:
        `id` and the ids of cited works that were added, changed or removed, as they were and are.

    Writes to the graph: Paper nodes of cited works, MATCHES, REFERS_TO, CITES.
    """
    report("writing cited works")
    references = with_works(part.entries, part.matches["work"])
    expected = cited_works(references, part.loaded)
    present = before.works()
    changes = differences("Paper", present, expected)
    store.apply(changes)
    changed = pa.chunked_array([c.rows["id"].combine_chunks() for c in changes], pa.string())
    works = pa.concat_tables([part.select(["id", *ID_KINDS]) for part in (present, expected)])

    report("writing citations")
    occurrences = before.occurrences()
    links = link_occurrences(occurrences, part.matches)
    store.apply(relation_changes("MATCHES", as_matches(part.matches), before.matches()))
    store.apply(relation_changes("REFERS_TO", links, before.links(occurrences)))
    store.apply(relation_changes("CITES", cited_pairs(references), before.cites()))
    return works.filter(pc.is_in(works["id"], value_set=changed.combine_chunks()))


def with_works(entries: pa.Table, works: pa.ChunkedArray) -> pa.Table:
    """The entries with other works."""
    kept = [name for name in entries.column_names if name != "work"]
    return entries.select(kept).append_column("work", works)


def as_matches(matches: pa.Table) -> pa.Table:
    """Rows of MATCHES."""
    return matches.select(["id", "work", "matched_by"]).rename_columns(["from", "to", "matched_by"])


def link_occurrences(occurrences: pa.Table, matches: pa.Table) -> pa.Table:
    """Rows of REFERS_TO: the works of the entries of in-text citations."""
    row = pc.index_in(occurrences["reference"], value_set=matches["id"])
    links = pa.table({"from": occurrences["id"], "to": matches["work"].take(row)})
    return links.drop_null()


def cited_pairs(entries: pa.Table) -> pa.Table:
    """Citing paper and another work that it cites, each once."""
    pairs = pa.table({"from": entries["paper"], "to": entries["work"]}).drop_null()
    others = pc.not_equal(pairs["from"], pairs["to"])
    return pairs.filter(others).group_by(["from", "to"]).aggregate([])


def cited_works(references: pa.Table, loaded: pa.ChunkedArray) -> pa.Table:
    """Rows of works that are not loaded, from the most complete reference of each.

    Args:
        references: all entries of the works, with `work`.
        loaded: ids of loaded papers, at least of those among the works.
    """
    references = references.filter(pc.invert(pc.is_in(references["work"], value_set=loaded)))
    best = references.take(representative(references)["row"])
    columns = {name: best[name] for name in ("year", "surnames", "givens", "roles", "key")}
    columns |= {"id": best["work"], "venue": best["source"]}
    columns["fulltext"] = pa.array([False] * best.num_rows)

    # A book or report has its source as title; an untitled article the whole entry.
    whole = pc.or_(pc.equal(best["volume"], ""), pc.equal(best["page"], ""))
    book = pc.and_(whole, pc.not_equal(best["source"], ""))
    columns["title"] = pc.case_when(
        pc.make_struct(pc.not_equal(best["title"], ""), book, field_names=("titled", "book")),
        best["title"],
        best["source"],
        best["text"],
    )

    # Of each kind the id that is printed most often, in ties the smallest.
    for kind in ID_KINDS:
        printed = pa.table({"work": references["work"], "id": references[kind]}).drop_null()
        counted = printed.group_by(["work", "id"]).aggregate([([], "count_all")])
        ordered = counted.sort_by(
            [("work", "ascending"), ("count_all", "descending"), ("id", "ascending")]
        )
        columns[kind] = ordered["id"].take(pc.index_in(best["work"], value_set=ordered["work"]))
    return unique_rows("Paper", _filled("Paper", columns, best.num_rows))


def _filled(name: str, columns: dict[str, pa.ChunkedArray], rows: int) -> pa.Table:
    """Rows of a table with all its columns; those not given are null."""
    schema = TABLE[name].arrow
    return pa.table({f.name: columns.get(f.name, pa.nulls(rows, f.type)) for f in schema})


def relation_rows(name: str, rows: pa.Table) -> pa.Table:
    """Rows of a relationship type with all its columns, each pair of ends once."""
    columns = dict(zip(rows.column_names, rows.columns, strict=True))
    return unique_rows(name, _filled(name, columns, rows.num_rows))


def relation_changes(name: str, rows: pa.Table, present: pa.Table) -> list[Change]:
    """What to write of relationships of one kind where they differ from those that are present."""
    return differences(name, present, relation_rows(name, rows))
