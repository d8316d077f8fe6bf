"""The graph of the papers of a part, but for authors, terms and notices."""

from __future__ import annotations

import json
from collections import Counter

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.hashing import hash_texts
from citescape.distributed.exchange import (
    ExchangeFile,
    Tables,
    part_of,
    read_exchange,
    read_file,
    writing,
)
from citescape.distributed.stages import name_output
from citescape.distributed.storage import Storage
from citescape.ingest.index.works import ENTRY_SCHEMA
from citescape.ingest.matching import (
    as_matches,
    cited_pairs,
    cited_works,
    link_occurrences,
    relation_rows,
)
from citescape.ingest.resolve import BY_LINE, fold_venues
from citescape.ingest.shards.authors import send_names
from citescape.ingest.shards.notices import send_claims
from citescape.ingest.shards.records import read_loaded
from citescape.ingest.terms import shared_columns, term_nodes
from citescape.store.schema import TABLE, TERMS

GRAPH = "graph"
"""Reader of the tables of the graph."""
_MATCHED = pa.schema(
    [(name, pa.string()) for name in ("id", "paper", "work", "matched_by")]
).empty_table()
_ENTRIES = ENTRY_SCHEMA.append(pa.field("work", pa.string())).append(
    pa.field("matched_by", pa.string())
)


def build_part(
    storage: Storage, output: str, merged: str, works: str, parts: int, part: int
) -> None:
    """The papers and cited works of a part, and the relationships that lead to works.

    The file has them for the reader `GRAPH`; for other parts names on by-lines (`authors`), pairs
    by cited paper, links to terms by term; what may be about notices and versions (`notices`).
    """
    tables = read_loaded(storage, merged, part)
    found = read_exchange(storage, works, part)
    matches = found.get("matches", _MATCHED).sort_by("id")
    entries = found.get("entries", _ENTRIES.empty_table()).sort_by("id")
    loaded = tables.get("Paper", TABLE["Paper"].arrow.empty_table())
    cited = cited_works(entries, loaded["id"])
    tables["Paper"] = pa.concat_tables([loaded, cited])
    tables["MATCHES"] = relation_rows("MATCHES", as_matches(matches))
    tables["CITES"] = relation_rows("CITES", cited_pairs(matches))
    if "Occurrence" in tables:
        links = link_occurrences(tables["Occurrence"].select(["id", "reference"]), matches)
        tables["REFERS_TO"] = relation_rows("REFERS_TO", links)
    with writing(storage, output) as file:
        for name, rows in tables.items():
            file.add(name, GRAPH, rows)
        by_lines = fold_venues(tables["Paper"].select(["id", *BY_LINE]))
        file.add("by_lines", "own", by_lines)
        send_names(file, by_lines, parts)
        _send_pairs(file, tables["CITES"], parts)
        _send_terms(file, tables, parts)
        send_claims(file, tables)
        file.facts = {"papers": tables["Paper"].num_rows, **_account(loaded)}


def _account(loaded: pa.Table) -> dict[str, int]:
    """Numbers of loaded papers, of their types, and of citation pointers, kept and lost."""
    facts = Counter(loaded=loaded.num_rows, without_text=loaded["text_source"].null_count)
    facts.update(f"type {name}" for name in loaded["type"].drop_null().to_pylist())
    for text in loaded["losses"].to_pylist():
        account = json.loads(text)
        facts["anchors"] += account["anchors"]
        facts.update({f"lost {reason}": count for reason, count in account["lost"].items()})
    return facts


def _send_pairs(file: ExchangeFile, cites: pa.Table, parts: int) -> None:
    """Sends hashes of citing and cited papers to the parts of the latter."""
    citing, cited = hash_texts(cites["from"]), hash_texts(cites["to"])
    file.add("pairs", "own", pa.table({"from": citing, "to": cited}))
    file.spread("citing", pa.table({"from": citing, "to": cited}), part_of(cited, parts))


def _send_terms(file: ExchangeFile, tables: Tables, parts: int) -> None:
    for rel in TERMS:
        if rel.name in tables:
            columns = ["to", *shared_columns(rel)]
            links = tables[rel.name].select(columns)
            counted = links.group_by(columns).aggregate([([], "count_all")])
            counted = counted.rename_columns([*columns, "times"])
            file.spread(rel.name, counted, part_of(hash_texts(counted["to"]), parts))


def build_terms(storage: Storage, built: str, part: int) -> Tables:
    """The nodes of terms of a part."""
    links = read_exchange(storage, built, part, *(rel.name for rel in TERMS))
    return {rel.target: term_nodes(rel, links[rel.name]) for rel in TERMS if rel.name in links}


def read_built(storage: Storage, built: str, part: int) -> Tables:
    """The tables of a part, result of `build_part`."""
    return read_file(storage, name_output(built, part), GRAPH)


def mark_papers(papers: pa.Table, marks: pa.Table) -> pa.Table:
    """The papers with the properties of those that notices concern."""
    place = pc.index_in(papers["id"], value_set=marks["id"])
    for name in marks.column_names[1:]:
        column = marks[name].take(place)
        papers = papers.set_column(papers.schema.get_field_index(name), name, column)
    return papers
