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
from citescape.ingest.decisions import decide, names_of, read_decisions
from citescape.ingest.identity import ID_KINDS, first_rows, fold, match_works, representative
from citescape.ingest.joining import find_moves, list_records
from citescape.ingest.notices import write_notices
from citescape.ingest.similar_works import join_similar
from citescape.ingest.sync import differences, unique_rows
from citescape.ingest.terms import write_terms
from citescape.ingest.versions import write_versions
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query
from citescape.store.schema import NODE, REL, TABLE, TERMS
from citescape.store.state import write_meta
from citescape.store.statements import prune_text, read_text

_SLICE = 4_000
"""Citing papers whose references or citations are read at a time. Each read makes ladybug scan all
references, half a second per million; 4,000 full texts have some 240,000."""


def resolve(
    store: GraphStore,
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
        authors: disambiguates authors.
        report: called with the name of each step when it begins.
    """
    report("matching references")
    papers, references = read_entries_of_papers(store)
    decisions = read_decisions(store)
    moves = find_moves(list_records(papers), references, decisions)
    if moves.num_rows:
        report("joining papers of several sources")
        PaperWriter(store, None).move(moves)
        papers, references = read_entries_of_papers(store)
    matches = join_similar(papers, references, match_works(papers, references))
    matches = _decide(papers, references, matches, decisions)
    for name in ("work", "matched_by"):
        references = references.append_column(name, matches[name])

    report("writing cited works")
    _write_cited_works(store, papers, references)

    report("writing citations")
    cites = _write_citations(store, papers, references)
    del references, matches  # frees memory before the step that needs most

    write_versions(store)

    report("matching notices")
    write_notices(store)

    report("disambiguating authors")
    _write_authors(store, cites, authors)
    for rel in (*TERMS, REL["HAS_EMBEDDING"]):
        store.write(prune_text(rel))
    write_terms(store)
    write_meta(store, "resolved", "yes")


def read_entries_of_papers(store: GraphStore) -> tuple[pa.Table, pa.Table]:
    """Loaded papers and the entries of their reference lists, as `match_works` takes them."""
    papers = store.read(query("ingest/full_texts"))
    return papers, _read_by_papers(store, "ingest/references", papers["id"])


def _decide(
    papers: pa.Table, references: pa.Table, matches: pa.Table, decisions: pa.Table
) -> pa.Table:
    """The matches after the decisions of users."""
    if not decisions.num_rows:
        return matches
    loaded = frozenset(papers["id"].to_pylist())
    work = decide(names_of(references), matches["work"], decisions, loaded=loaded)
    changed = pc.not_equal(work, matches["work"])
    how = pc.if_else(changed, "decision", matches["matched_by"])
    return pa.table({"id": matches["id"], "work": work, "matched_by": how})


def _read_by_papers(store: GraphStore, name: str, papers: pa.ChunkedArray) -> pa.Table:
    """Runs a query with a parameter `papers` over slices of them, which bounds memory."""
    starts = range(0, max(len(papers), 1), _SLICE)
    slices = (papers.slice(start, _SLICE).to_pylist() for start in starts)
    return pa.concat_tables([store.read(query(name), papers=ids) for ids in slices])


def _write_cited_works(store: GraphStore, papers: pa.Table, references: pa.Table) -> None:
    """Paper nodes of works without full text."""
    cited_only = pc.invert(pc.is_in(references["work"], value_set=papers["id"]))
    expected = _cited_works(references.filter(cited_only))
    store.apply(differences("Paper", store.read(query("ingest/cited_works")), expected))


def _cited_works(references: pa.Table) -> pa.Table:
    """Rows of cited works, from the most complete reference of each."""
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


def _write_citations(store: GraphStore, papers: pa.Table, references: pa.Table) -> pa.Table:
    """MATCHES, REFERS_TO and CITES; returns the pairs (`from`, `to`)."""
    matches = references.select(["id", "work", "matched_by"])
    matches = matches.rename_columns(["from", "to", "matched_by"])
    _sync_relation(store, "MATCHES", matches, compare=["matched_by"])
    occurrences = _read_by_papers(store, "ingest/occurrence_references", papers["id"])
    row = pc.index_in(occurrences["reference"], value_set=matches["from"])
    links = pa.table({"from": occurrences["id"], "to": matches["to"].take(row)})
    _sync_relation(store, "REFERS_TO", links.drop_null())
    pairs = pa.table({"from": references["paper"], "to": references["work"]})
    others = pc.not_equal(pairs["from"], pairs["to"])
    pairs = pairs.filter(others).group_by(["from", "to"]).aggregate([])
    _sync_relation(store, "CITES", pairs)
    return pairs


def _sync_relation(
    store: GraphStore, name: str, rows: pa.Table, *, compare: Sequence[str] = ()
) -> None:
    columns = dict(zip(rows.column_names, rows.columns, strict=True))
    expected = unique_rows(name, _filled(name, columns, rows.num_rows))
    present = store.read(read_text(REL[name], compare))
    store.apply(differences(name, present, expected))


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
