"""Derives cited works, citations and authors from the loaded papers.

Full texts, sections, occurrences and references are loaded as the sources print them. Cited works,
pairs, links from occurrences to works, and authors are pure functions of all loaded papers. They
are computed again after every ingest, and only differences are written. So the graph does not
depend on the order of loading, and the next run completes an interrupted one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from citescape.ingest.authors import EVIDENCE, AuthorResolver, neighbourhood_authors
from citescape.ingest.batches import PaperWriter
from citescape.ingest.decisions import read_decisions
from citescape.ingest.identity import ID_KINDS, first_rows, fold
from citescape.ingest.index.files import open_index, save_index
from citescape.ingest.index.works import WorkIndex
from citescape.ingest.joining import find_moves, list_records
from citescape.ingest.matching import ConcernedPart, WholeGraph, match_entries, write_matches
from citescape.ingest.notices import write_notices
from citescape.ingest.pending import Changes, mark_resolved
from citescape.ingest.stored import read_papers
from citescape.ingest.sync import differences, unique_rows
from citescape.ingest.terms import write_terms
from citescape.ingest.versions import write_versions
from citescape.store.graph_store import GraphStore
from citescape.store.lookups import read_for
from citescape.store.queries import query
from citescape.store.schema import NODE, REL, TERMS
from citescape.store.statements import prune_text, read_text

_LARGEST_SHARE = 0.2
"""Share of changed papers from which everything is matched again."""


def resolve(
    store: GraphStore,
    changes: Changes | None = None,
    *,
    authors: AuthorResolver = neighbourhood_authors,
    report: Callable[[str], None] = lambda _: None,
) -> None:
    """Matches references to works and names to people, and writes what changed.

    Writes to the graph: Paper nodes of cited works, MATCHES, REFERS_TO, CITES (without scores),
    Author, WROTE, properties of Institution, and what `write_notices` derives from notices. May be
    repeated; writes nothing if nothing changed.

    Args:
        store: the graph.
        changes: what was changed since derived data was written; without it, or if the index of the
            store (see `ingest.index`) does not fit, everything is matched again. The result is the
            same.
        authors: disambiguates authors.
        report: called with the name of each step when it begins.
    """
    report("matching references")
    index = open_index(store, changes.stamp) if changes is not None else None
    if index is not None and changes is not None and _is_small(changes, index):
        _resolve_changes(store, index, changes, report)
    else:
        index = _resolve_all(store, report)

    write_versions(store)

    report("matching notices")
    write_notices(store)

    report("disambiguating authors")
    _write_authors(store, store.read(read_text(REL["CITES"], ())), authors)
    for rel in (*TERMS, REL["HAS_EMBEDDING"]):
        store.write(prune_text(rel))
    write_terms(store)
    mark_resolved(store, save_index(store, index))


def _is_small(changes: Changes, index: WorkIndex) -> bool:
    return len(changes.papers) <= _LARGEST_SHARE * len(index.papers)


def _resolve_all(store: GraphStore, report: Callable[[str], None]) -> WorkIndex:
    """Matches all references; returns the index."""
    papers, references = read_entries_of_papers(store)
    decisions = read_decisions(store)
    moves = find_moves(list_records(papers), references, decisions)
    if moves.num_rows:
        report("joining papers of several sources")
        PaperWriter(store, None).move(moves)
        papers, references = read_entries_of_papers(store)
    matches = match_entries(papers, references, decisions)
    write_matches(store, papers, references, matches, WholeGraph(store), report)
    return WorkIndex.build(papers, references, matches)


def _resolve_changes(
    store: GraphStore, index: WorkIndex, changes: Changes, report: Callable[[str], None]
) -> None:
    """Matches what the changes can concern, and updates the index."""
    decisions = read_decisions(store)
    index.concern([*decisions["first"].to_pylist(), *decisions["second"].to_pylist()])
    index.concern(changes.names)
    changed, deleted = changes.papers, set(changes.deleted)
    while True:
        ids = sorted(changed)
        index.replace(ids, *read_entries_of_papers(store, ids))
        group = index.group()
        moves = find_moves(list_records(group.papers), group.entries, decisions)
        if not moves.num_rows:
            break
        report("joining papers of several sources")
        writer = PaperWriter(store, None)
        writer.move(moves)
        assert writer.changes is not None  # something was moved
        changed, deleted = writer.changes.papers, deleted | writer.changes.deleted
    matches = match_entries(group.papers, group.entries, decisions)
    before = ConcernedPart(store, group, matches, deleted)
    write_matches(store, group.papers, group.entries, matches, before, report)
    index.set_works(group, matches)


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
        papers = read_papers(store, ids, (*_PAPER_COLUMNS, "fulltext"))
        papers = papers.filter(papers["fulltext"]).select(["id", *_PAPER_COLUMNS])
    return papers, read_for(store, query("ingest/references"), papers["id"].to_pylist())


_PAPER_COLUMNS = (
    *ID_KINDS,
    *("key", "sources", "source_ids", "title", "surnames", "year", "venue"),
)


def _write_authors(store: GraphStore, cites: pa.Table, resolver: AuthorResolver) -> None:
    signatures = resolver(read_by_lines(store), cites)
    wrote = signatures.select(["author", "paper", "position", "name", "role", "evidence"])
    expected = unique_rows("WROTE", wrote.rename_columns(["from", "to", *wrote.column_names[2:]]))
    present = store.read(read_text(NODE["Author"]))
    changes = differences("Author", present, _people(signatures))
    removed = [change for change in changes if change.action == "delete"]
    store.apply([change for change in changes if change.action != "delete"])
    present = store.read(read_text(REL["WROTE"]))
    store.apply(differences("WROTE", present, expected))
    store.apply(removed)


def read_by_lines(store: GraphStore) -> pa.Table:
    """By-line, year and venue of every paper, as an `AuthorResolver` takes them."""
    papers = store.read(query("ingest/by_lines"))
    venue = pa.array(
        [fold(name) if name else None for name in papers["venue"].to_pylist()], pa.string()
    )
    return papers.set_column(papers.schema.get_field_index("venue"), "venue", venue)


def _people(signatures: pa.Table) -> pa.Table:
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
