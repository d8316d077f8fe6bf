"""Derives cited works, citations and authors from the loaded papers.

Full texts, sections, occurrences and references are loaded as the sources print them. Cited works,
pairs, links from occurrences to works, and authors are pure functions of all loaded papers. They
are computed for what a change can concern, or for everything (see `ingest.index`), and only
differences are written. So the graph does not depend on the order of loading, and the next run
completes an interrupted one.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pyarrow.compute as pc

from citescape.ingest.author_updates import View, update_authors
from citescape.ingest.authors import (
    EVIDENCE,
    AuthorResolver,
    neighbourhood_authors,
    resolve_all,
)
from citescape.ingest.batches import PaperWriter
from citescape.ingest.collections import link_collections
from citescape.ingest.decisions import read_decisions
from citescape.ingest.identity import ID_KINDS, all_names, first_rows, fold
from citescape.ingest.index.by_lines import (
    BY_LINES,
    PAPER,
    add_authors,
    without_authors,
)
from citescape.ingest.index.files import StoreIndex, index_folder, open_index, save_index
from citescape.ingest.index.rows import IndexedRows
from citescape.ingest.index.works import PAPER_SCHEMA, WorkIndex
from citescape.ingest.joining import find_moves, list_records
from citescape.ingest.matching import ConcernedPart, match_group, write_matches
from citescape.ingest.notices import notices_depend, write_notices
from citescape.ingest.pending import Changes, mark_resolved
from citescape.ingest.stored import read_papers
from citescape.ingest.sync import differences, unique_rows
from citescape.ingest.terms import update_terms, write_terms
from citescape.ingest.versions import versions_depend, write_versions
from citescape.ingest.whole_matching import match_all
from citescape.store.graph_store import GraphStore
from citescape.store.lookups import read_for
from citescape.store.queries import query
from citescape.store.schema import NODE, REL
from citescape.store.statements import prune_text, read_text

_LARGEST_SHARE = 0.2
"""Share of changed papers, or of the rows of an index, from which everything is matched again."""


def resolve(
    store: GraphStore,
    changes: Changes | None = None,
    *,
    authors: AuthorResolver = neighbourhood_authors,
    report: Callable[[str], None] = lambda _: None,
) -> None:
    """Matches references to works and names to people, and writes what changed.

    Writes to the graph: Paper nodes of cited works, MATCHES, REFERS_TO, CITES (without scores),
    Author, WROTE, VERSION_OF, IN_COLLECTION, nodes that papers share (Venue, Keyword, ...), and
    what `write_notices` derives from notices; removes HAS_EMBEDDING of vectors that are gone. May
    be repeated; writes nothing if nothing changed.

    Args:
        store: the graph.
        changes: what was changed since derived data was written; without it, or if the index of the
            store (see `ingest.index`) does not fit, everything is matched again. The result is the
            same.
        authors: disambiguates authors.
        report: called with the name of each step when it begins.
    """
    index = open_index(store, changes.stamp) if changes is not None else None
    concerned = None
    if index is not None and changes is not None and _is_small(changes, index):
        concerned = _resolve_changes(store, index, changes, report)
    if concerned is None or index is None:
        index = StoreIndex(_match_all(store, report))

    if concerned is None or versions_depend(store, concerned.names):
        write_versions(store)

    report("matching notices")
    if concerned is None or concerned.notices or notices_depend(store, concerned.names):
        write_notices(store)

    report("disambiguating authors")
    if authors is not neighbourhood_authors:
        cites = store.read(read_text(REL["CITES"], ()))
        write_authors(store, authors(read_by_lines(store), cites))
        index.by_lines = None
    elif concerned is None or not _update_authors(store, index, concerned):
        _resolve_all_authors(store, index)
    if concerned is None:
        write_terms(store)
    else:
        update_terms(store, concerned.terms)
    link_collections(store, index.works)
    if store.read(query("ingest/any_embedding")).num_rows:
        store.write(prune_text(REL["HAS_EMBEDDING"]))
    mark_resolved(store, save_index(store, index))


def _is_small(changes: Changes, index: StoreIndex) -> bool:
    """Whether few papers changed now, and few rows of the index since it was written whole."""
    few = len(changes.papers) <= _LARGEST_SHARE * len(index.works.papers)
    return few and all(rows.share_added <= _LARGEST_SHARE for rows in index.tables.values())


def _match_all(store: GraphStore, report: Callable[[str], None]) -> WorkIndex:
    """Matches all references; where the index cannot be written, it is forgotten later."""
    folder = index_folder(store)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return match_all(store, folder, report)
    except OSError:  # a folder that is read-only, or a full disk
        shutil.rmtree(folder, ignore_errors=True)
    with TemporaryDirectory() as other:  # mapped files stay readable
        index = match_all(store, Path(other), report)
    index.entries.base = index.papers.base = ""
    return index


@dataclass(frozen=True)
class _Concerned:
    """What was changed, for all that is derived after works."""

    before: View | None
    """The state before; None if its by-lines are not known."""
    papers: list[str]
    """Papers and cited works that may have changed."""
    citing: list[str]
    """Papers that cite other works than before."""
    deleted: set[str]
    """Papers whose nodes were deleted, perhaps to be written anew."""
    names: pa.Array
    """Ids of these papers and works in the form `doi:10.1/x`, as they were and are."""
    terms: dict[str, set[str]]
    """See `Changes`."""
    notices: bool


def _resolve_changes(
    store: GraphStore, index: StoreIndex, changes: Changes, report: Callable[[str], None]
) -> _Concerned | None:
    """Matches what the changes can concern, and updates the index; None if that may be all."""
    report("matching references")
    works, before = index.works, None
    if index.by_lines is not None:
        before = View(index.by_lines.snapshot(), works.entries.snapshot())
    decisions = read_decisions(store)
    works.concern([*decisions["first"].to_pylist(), *decisions["second"].to_pylist()])
    works.concern(changes.names)
    changed = changes.papers
    while True:
        works.replace(sorted(changed), *read_entries_of_papers(store, sorted(changed)))
        group = works.group()
        moves = find_moves(list_records(group.papers), group.entries, decisions)
        if not moves.num_rows:
            break
        report("joining papers of several sources")
        writer = PaperWriter(store, None)
        writer.move(moves)
        assert writer.changes is not None  # something was moved
        changed = writer.changes.papers
        changes.join(writer.changes)
        if None in (changes.stamp, writer.changes.stamp):  # too many to be remembered
            return None
    part = match_group(works, group, decisions, changes.papers)
    cited = write_matches(store, part, ConcernedPart(store, part, changes.deleted), report)
    works.set_works(part.rows, part.entries, part.matches)
    other = pc.invert(pc.fill_null(pc.equal(part.entries["work"], part.matches["work"]), False))
    citing = {
        *part.entries["paper"].filter(other).to_pylist(),
        *part.removed["paper"].to_pylist(),
    }
    ids = pa.array(sorted(changes.papers), pa.string())
    now = group.papers.filter(pc.is_in(group.papers["id"], value_set=ids))
    columns = ["id", *ID_KINDS]
    named = pa.concat_tables([cited, *(part.select(columns) for part in (group.earlier, now))])
    return _Concerned(
        before,
        papers=sorted({*changes.papers, *cited["id"].to_pylist()}),
        citing=sorted(citing),
        deleted=changes.deleted,
        names=all_names(named),
        terms=changes.terms,
        notices=changes.notices,
    )


def _resolve_all_authors(store: GraphStore, index: StoreIndex) -> None:
    """Finds the authors of all papers."""
    papers = read_by_lines(store).sort_by("id")
    authors, statistics = resolve_all(papers, index.works.cites())
    write_authors(store, authors)
    index.by_lines = IndexedRows.build(add_authors(papers, authors), BY_LINES)
    index.statistics = statistics


def _update_authors(store: GraphStore, index: StoreIndex, concerned: _Concerned) -> bool:
    """Finds the authors of the names that changes concern; False if these may be all."""
    if concerned.before is None or index.by_lines is None or index.statistics is None:
        return False
    ids = concerned.papers
    present = index.by_lines.find_equal(PAPER, "id", ids)
    index.by_lines.replace(present, without_authors(read_by_lines(store, ids)))
    after = View(index.by_lines, index.works.entries)
    update = update_authors(
        concerned.before, after, index.statistics, changed=ids, citing=concerned.citing
    )
    if update is None:
        return False
    gone = pa.array(sorted(concerned.deleted), pa.string())
    write_authors(store, update.after, update.before, gone=gone)
    lines = update.by_lines
    index.by_lines.replace(index.by_lines.find_equal(PAPER, "id", lines["id"].to_pylist()), lines)
    index.statistics = update.statistics
    return True


def read_entries_of_papers(
    store: GraphStore, ids: Sequence[str] | None = None
) -> tuple[pa.Table, pa.Table]:
    """Loaded papers and the entries of their reference lists, as `match_works` takes them.

    Args:
        store: the graph.
        ids: the papers, as far as they are loaded; by default all.
    """
    if ids is None:
        papers = store.read(query("ingest/full_texts"))
    else:
        papers = read_papers(store, ids, (*PAPER_SCHEMA.names, "fulltext"))
        papers = papers.filter(papers["fulltext"]).select(PAPER_SCHEMA.names)
    return papers, read_for(store, query("ingest/references"), papers["id"].to_pylist())


def write_authors(
    store: GraphStore,
    authors: pa.Table,
    before: pa.Table | None = None,
    *,
    gone: pa.Array | None = None,
) -> None:
    """Writes people and their names on by-lines.

    Args:
        store: the graph.
        authors: result of an `AuthorResolver`, of all names or of some.
        before: what the graph has of these names; by default of all.
        gone: papers whose nodes were deleted since.

    Writes to the graph: Author, WROTE.
    """
    if before is None:
        people, wrote = store.read(read_text(NODE["Author"])), store.read(read_text(REL["WROTE"]))
    else:
        people, wrote = list_authors(before), list_wrote(before)
        wrote = wrote.filter(pc.invert(pc.is_in(wrote["to"], value_set=gone)))
    changes = differences("Author", people, list_authors(authors))
    store.apply([change for change in changes if change.action != "delete"])
    store.apply(differences("WROTE", wrote, list_wrote(authors)))
    store.apply([change for change in changes if change.action == "delete"])


def list_wrote(signatures: pa.Table) -> pa.Table:
    """Rows of WROTE: the author of each name on a by-line."""
    names = ["author", "paper", "position", "name", "role", "evidence"]
    rows = signatures.select(names).rename_columns(["from", "to", *names[2:]])
    return unique_rows("WROTE", rows)


def read_by_lines(store: GraphStore, ids: Sequence[str] | None = None) -> pa.Table:
    """By-line, year and venue of papers (by default of all), as an `AuthorResolver` takes them."""
    if ids is None:
        papers = store.read(query("ingest/by_lines"))
    else:
        papers = read_papers(store, ids, BY_LINE)
    return fold_venues(papers)


def fold_venues(papers: pa.Table) -> pa.Table:
    """By-lines with venues in the form in which they are compared."""
    venue = pa.array(
        [fold(name) if name else None for name in papers["venue"].to_pylist()], pa.string()
    )
    return papers.set_column(papers.schema.get_field_index("venue"), "venue", venue)


BY_LINE = ("surnames", "givens", "roles", "orcids", "venue", "year")


def list_authors(signatures: pa.Table) -> pa.Table:
    """One row per author: the longest printed name, the ORCID, the strongest evidence."""
    length = pc.utf8_length(signatures["name"])
    ordered = signatures.append_column("length", length).sort_by(
        [("author", "ascending"), ("length", "descending"), ("name", "ascending")]
    )
    firsts = first_rows(ordered, "author")
    rank = pc.index_in(signatures["evidence"], value_set=pa.array(EVIDENCE))
    ranked = signatures.append_column("rank", rank)
    orcids = ranked.group_by("author").aggregate([("orcid", "min"), ("rank", "max")])
    row = pc.index_in(firsts["author"], value_set=orcids["author"])
    return pa.table(
        {
            "id": firsts["author"],
            "name": firsts["name"],
            "orcid": orcids["orcid_min"].take(row),
            "kind": pc.if_else(pc.equal(firsts["role"], "group"), "group", "person"),
            "evidence": pa.array(EVIDENCE).take(orcids["rank_max"].take(row)),
        }
    )
