"""Derives from what papers print which works and people they mean.

Full texts, sections, occurrences and references are loaded as they stand in the sources. Cited
works, pairs, links from occurrences to works, and authors follow from them: pure functions of all
that is loaded, computed anew after every ingest, of which only the differences are written. So
the graph does not depend on the order of loading, and an interrupted run is completed by the next.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from citescape.ingest.authors import EVIDENCE, AuthorResolver, neighbourhood_authors
from citescape.ingest.identity import ID_KINDS, fold, match_works, representative
from citescape.ingest.sync import differences, unique_rows
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query
from citescape.store.schema import NODE, REL, TABLE, TERMS
from citescape.store.state import write_meta
from citescape.store.statements import prune_text, read_text

Report = Callable[[str], None]
"""Called with the name of each step as it begins."""

_SLICE = 4_000
"""Citing papers whose references or citations are read at a time. Each time costs ladybug a look
at all references there are, half a second of a million; 4,000 full texts have some 240,000."""


def resolve(
    store: GraphStore,
    *,
    authors: AuthorResolver = neighbourhood_authors,
    report: Report = lambda _: None,
) -> None:
    """Matches references to works and names to people, and writes what changed.

    Writes to the graph: Paper nodes of cited works, MATCHES, REFERS_TO, CITES (without scores),
    Author, WROTE. May be repeated; does nothing where nothing changed.
    """
    report("matching references")
    papers = store.read(query("ingest/full_texts"))
    references = _matched(papers, _read_by_papers(store, "ingest/references", papers["id"]))
    report("writing cited works")
    _write_works(store, papers, references)
    report("writing citations")
    cites = _write_citations(store, papers, references)
    del references  # not needed below, where most memory is taken
    report("telling authors apart")
    _write_authors(store, cites, authors)
    for rel in (*TERMS, REL["HAS_EMBEDDING"]):
        store.write(prune_text(rel))
    write_meta(store, "resolved", "yes")


def _matched(papers: pa.Table, references: pa.Table) -> pa.Table:
    """The references with the work each means (`work`) and what decided it (`matched_by`)."""
    matches = match_works(papers, references)
    for name in ("work", "matched_by"):
        references = references.append_column(name, matches[name])
    return references


def _read_by_papers(store: GraphStore, name: str, papers: pa.ChunkedArray) -> pa.Table:
    """A query with a parameter `papers`, run over slices of them: an engine's memory is bounded."""
    starts = range(0, max(len(papers), 1), _SLICE)
    slices = (papers.slice(start, _SLICE).to_pylist() for start in starts)
    return pa.concat_tables([store.read(query(name), papers=ids) for ids in slices])


def _write_works(store: GraphStore, papers: pa.Table, references: pa.Table) -> None:
    """Nodes of works known from reference lists only."""
    cited_only = pc.invert(pc.is_in(references["work"], value_set=papers["id"]))
    wanted = _stub_rows(references.filter(cited_only))
    present = store.read(query("ingest/cited_works"))
    store.apply(differences("Paper", present, wanted))


def _stub_rows(references: pa.Table) -> pa.Table:
    """Rows of cited works, told by the reference that tells most."""
    told = references.take(representative(references)["row"])
    columns = {name: told[name] for name in ("title", "year", "surnames", "givens", "roles", "key")}
    columns |= {"id": told["work"], "venue": told["source"]}
    columns |= {kind: _ids_of(kind, told["work"], references) for kind in ID_KINDS}
    columns["fulltext"] = pa.array([False] * told.num_rows)
    columns["title"] = _titles(told)
    return unique_rows("Paper", _filled("Paper", columns, told.num_rows))


def _filled(name: str, columns: dict[str, pa.ChunkedArray], rows: int) -> pa.Table:
    """Rows of a table with all its columns; those not given are null."""
    schema = TABLE[name].arrow
    return pa.table({f.name: columns.get(f.name, pa.nulls(rows, f.type)) for f in schema})


def _titles(told: pa.Table) -> pa.ChunkedArray:
    """The title; of a book or report its source; of an untitled article the whole entry."""
    whole = pc.or_(pc.equal(told["volume"], ""), pc.equal(told["page"], ""))
    book = pc.and_(whole, pc.not_equal(told["source"], ""))
    return pc.case_when(
        pc.make_struct(pc.not_equal(told["title"], ""), book, field_names=("titled", "book")),
        told["title"],
        told["source"],
        told["text"],
    )


def _ids_of(kind: str, works: pa.ChunkedArray, references: pa.Table) -> pa.ChunkedArray:
    """The id of one kind printed most often for each work; of equals the smallest."""
    printed = pa.table({"work": references["work"], "id": references[kind]}).drop_null()
    counted = printed.group_by(["work", "id"]).aggregate([([], "count_all")])
    ordered = counted.sort_by(
        [("work", "ascending"), ("count_all", "descending"), ("id", "ascending")]
    )
    return ordered["id"].take(pc.index_in(works, value_set=ordered["work"]))


def _write_citations(store: GraphStore, papers: pa.Table, references: pa.Table) -> pa.Table:
    """MATCHES, REFERS_TO and CITES; returns the pairs (`from`, `to`)."""
    told = references.select(["id", "work", "matched_by"])
    told = told.rename_columns(["from", "to", "matched_by"])
    _sync_relation(store, "MATCHES", told, compare=["matched_by"])
    found = _read_by_papers(store, "ingest/occurrence_references", papers["id"])
    work = told["to"].take(pc.index_in(found["reference"], value_set=told["from"]))
    _sync_relation(store, "REFERS_TO", pa.table({"from": found["id"], "to": work}).drop_null())
    pairs = pa.table({"from": references["paper"], "to": references["work"]})
    others = pc.not_equal(pairs["from"], pairs["to"])
    pairs = pairs.filter(others).group_by(["from", "to"]).aggregate([])
    _sync_relation(store, "CITES", pairs)
    return pairs


def _sync_relation(
    store: GraphStore, name: str, rows: pa.Table, *, compare: Sequence[str] = ()
) -> None:
    columns = dict(zip(rows.column_names, rows.columns, strict=True))
    wanted = unique_rows(name, _filled(name, columns, rows.num_rows))
    present = store.read(read_text(REL[name], compare))
    store.apply(differences(name, present, wanted))


def _write_authors(store: GraphStore, cites: pa.Table, resolver: AuthorResolver) -> None:
    papers = store.read(query("ingest/by_lines"))
    venue = pa.array(
        [fold(name) if name else None for name in papers["venue"].to_pylist()], pa.string()
    )
    papers = papers.set_column(papers.schema.get_field_index("venue"), "venue", venue)
    found = resolver(papers, cites)
    wrote = found.select(["author", "paper", "position", "name", "role", "evidence"])
    wanted = unique_rows("WROTE", wrote.rename_columns(["from", "to", *wrote.column_names[2:]]))
    people = _people(found)
    present = store.read(read_text(NODE["Author"]))
    changes = differences("Author", present, people)
    removed = [change for change in changes if change.action == "delete"]
    store.apply([change for change in changes if change.action != "delete"])
    present = store.read(read_text(REL["WROTE"]))
    store.apply(differences("WROTE", present, wanted))
    store.apply(removed)


def _people(found: pa.Table) -> pa.Table:
    """One row an author: the longest name printed, the ORCID, the strongest evidence."""
    length = pc.utf8_length(found["name"])
    ordered = found.append_column("length", length).sort_by(
        [("author", "ascending"), ("length", "descending"), ("name", "ascending")]
    )
    firsts = unique_rows_by(ordered, "author")
    rank = pc.index_in(found["evidence"], value_set=pa.array(EVIDENCE))
    ranked = found.append_column("rank", rank)
    orcids = ranked.group_by("author").aggregate([("orcid", "min"), ("rank", "max")])
    where = pc.index_in(firsts["author"], value_set=orcids["author"])
    return pa.table(
        {
            "id": firsts["author"],
            "name": firsts["name"],
            "orcid": orcids["orcid_min"].take(where),
            "kind": pc.if_else(pc.equal(firsts["role"], "group"), "group", "person"),
            "evidence": pa.array(EVIDENCE).take(orcids["rank_max"].take(where)),
        }
    )


def unique_rows_by(table: pa.Table, column: str) -> pa.Table:
    """The first row of each value of a sorted column."""
    values = table[column].combine_chunks()
    if len(values) < 2:
        return table
    changed = pc.not_equal(values[1:], values[:-1])
    return table.filter(pa.concat_arrays([pa.array([True]), changed]))
