"""What several sources say of one paper, and the paper that they give together.

A *record* is all that one source says of a paper, as rows of the graph. A paper has each field from
the first source that has it (`formats.rank_metadata`), sections and in-text citations from the
source with the most exact text (`formats.rank_text`), and the reference lists of all sources.
Affiliations are those of the source that knows most: ids of institutions, else countries.
Records of papers with several sources are kept as they were loaded. So the paper does not depend on
the order of loading, and a source can be corrected or removed.
"""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import orjson
import pyarrow as pa
import pyarrow.compute as pc

from citescape.ingest import institutions
from citescape.ingest.identity import ID_KINDS, first_rows
from citescape.loaders.formats import rank_metadata, rank_text
from citescape.store.schema import ONCE_LISTS, REL, TABLE, TERMS
from citescape.store.statements import key_columns

Tables = dict[str, pa.Table]
"""Rows by label or relationship type."""

TEXT_PARTS = ("Section", "HAS_SECTION", "SUBSECTION_OF", "Occurrence", "CONTAINS")
"""Parts of one source: that with the most exact text."""
LISTS = {"Reference": "HAS_REFERENCE", "Notice": "STATES"}
"""Parts of all sources, and the relationship of each to the paper."""
OWNED = ("Paper", *TEXT_PARTS, *LISTS, *LISTS.values(), *(rel.name for rel in TERMS))
"""Tables with the rows of records; each row belongs to one paper."""
_TOGETHER = (
    *((kind,) for kind in ID_KINDS),
    ("title", "key"),
    ("abstract", "abstract_labels", "abstract_parts"),
    ("other_abstracts", "other_abstract_kinds"),
    ("year", "date"),
    ("type",),
    ("language",),
    ("versions",),
    ("venue",),
    ("surnames", "givens", "roles", "orcids"),
)
"""Columns of a paper that come from one source: the first that has the first of them."""
_OF_TEXT = ("path", "sha256", "loader", "losses")
"""Columns of the source with the text; without text of the first source."""
_OF_SOURCES = (
    "sources",
    "source_paths",
    "source_sha256",
    "source_loaders",
    "source_ids",
    "source_editions",
)
_PAPER = ["from", "source"]
_SHARED = frozenset(rel.target for rel in TERMS)
_PART = r"#[sorn]\d+(@.*)?$"
_LEVEL = 6  # of zlib


class Content(NamedTuple):
    """Identity of the content of a record."""

    sha256: str
    loader: str
    edition: int

    def is_copy_of(self, held: Content) -> bool:
        """Whether it is left out beside an earlier record of the same paper and source.

        Of several records the highest edition counts, of equal ones the last.
        """
        return self.edition < held.edition or self == held


def list_contents(papers: pa.Table) -> Iterator[Content]:
    """The content of each record."""
    editions = pc.list_element(papers["source_editions"], 0)
    columns = (papers["sha256"], papers["loader"], editions)
    yield from map(Content._make, zip(*(column.to_pylist() for column in columns), strict=True))


class LatestRecords:
    """Which records of papers count, of those that were added so far."""

    def __init__(self) -> None:
        self._held: dict[tuple[str, str], Content] = {}

    def add(self, source: str, papers: pa.Table) -> tuple[list[str], list[str]]:
        """Adds records of a source, at most one for each paper.

        Returns:
            Ids of papers whose new record is left out, and of those whose earlier one is replaced.
        """
        copies, replaced = [], []
        for id_, content in zip(papers["id"].to_pylist(), list_contents(papers), strict=True):
            held = self._held.get((source, id_))
            if held is not None and content.is_copy_of(held):
                copies.append(id_)
                continue
            if held is not None:
                replaced.append(id_)
            self._held[source, id_] = content
        return copies, replaced


def owners(name: str, rows: pa.Table) -> pa.ChunkedArray:
    """The paper of each row of a table of records."""
    return pc.replace_substring_regex(rows["from" if name in REL else "id"], _PART, "")


def concat(parts: Sequence[Tables]) -> Tables:
    """All rows by table."""
    names = dict.fromkeys(name for tables in parts for name in tables)
    joined = {
        name: pa.concat_tables([tables[name] for tables in parts if name in tables])
        for name in names
    }
    return {name: rows for name, rows in joined.items() if rows.num_rows}


def without_papers(tables: Tables, ids: Sequence[str]) -> Tables:
    """The tables without the rows of some papers."""
    return _select(tables, ids, keep=False) if ids else tables


def only_papers(tables: Tables, ids: Sequence[str]) -> Tables:
    """The tables with the rows of some papers only."""
    return _select(tables, ids, keep=True)


def _select(tables: Tables, ids: Sequence[str], *, keep: bool) -> Tables:
    papers = pa.array(ids, pa.string())
    selected = {}
    for name, rows in tables.items():
        among = pc.is_in(owners(name, rows), value_set=papers)
        selected[name] = rows.filter(among if keep else pc.invert(among))
    return selected


def merge_records(records: Mapping[str, Tables]) -> Tables:
    """The rows of papers from their records.

    Args:
        records: source -> its records of any of these papers, at most one for each paper.

    Returns:
        Rows by table; they do not depend on the order of sources or rows.
    """
    ranked = pa.concat_tables(
        [_ranked(source, tables["Paper"]) for source, tables in records.items()]
    ).sort_by([("id", "ascending"), ("metadata", "ascending"), ("source", "ascending")])
    with_text = ranked.filter(pc.is_valid(ranked["text_source"]))
    text = first_rows(
        with_text.sort_by([("id", "ascending"), ("text", "ascending"), ("source", "ascending")]),
        "id",
    )
    merged = {"Paper": _merge_papers(ranked, text)}
    for name in TEXT_PARTS:
        chosen = (_of(name, tables, _papers_of(text, s)) for s, tables in records.items())
        merged[name] = _concat(name, chosen)
    counted = ranked["id"].value_counts()
    single = counted.filter(pc.equal(counted.field("counts"), 1)).field("values")
    for name, link in LISTS.items():
        for table in (name, link):
            lists = (
                _named(table, tables, s, [_papers_of(text, s), single])
                for s, tables in records.items()
            )
            merged[table] = _concat(table, lists)
    for rel in TERMS:
        merged[rel.name] = _merge_terms(rel.name, records, ranked, merged["Paper"])
    return {name: rows for name, rows in merged.items() if rows.num_rows}


def _ranked(source: str, papers: pa.Table) -> pa.Table:
    """Rows of papers with `source` and its places in both orders."""
    loaders = papers["loader"].to_pylist()
    for name, rank in (("metadata", rank_metadata), ("text", rank_text)):
        papers = papers.append_column(name, pa.array([rank(loader) for loader in loaders]))
    return papers.append_column("source", pa.repeat(source, papers.num_rows))


def _merge_papers(ranked: pa.Table, text: pa.Table) -> pa.Table:
    """One row for each paper, in the order of ids."""
    merged = first_rows(ranked, "id").select(TABLE["Paper"].arrow.names)
    for together in _TOGETHER:
        known = first_rows(ranked.filter(_is_filled(ranked[together[0]])), "id")
        merged = _take(merged, together, known)
    merged = _take(merged, (*_OF_TEXT, "text_source"), text)
    columns = ["id", "source", "path", "sha256", "loader"]
    single = ranked.select(columns)
    for name in ("source_ids", "source_editions"):
        single = single.append_column(name, pc.list_element(ranked[name], 0))
    lists = pa.TableGroupBy(single, "id", use_threads=False).aggregate(
        [(name, "list") for name in single.column_names[1:]]
    )
    sources = lists.rename_columns(["id", *_OF_SOURCES])
    return _take(merged, _OF_SOURCES, sources)


def _is_filled(column: pa.ChunkedArray) -> pa.ChunkedArray:
    if pa.types.is_list(column.type):
        return pc.greater(pc.fill_null(pc.list_value_length(column), 0), 0)
    if pa.types.is_string(column.type):
        return pc.not_equal(pc.fill_null(column, ""), "")
    return pc.is_valid(column)


def _take(merged: pa.Table, columns: Iterable[str], found: pa.Table) -> pa.Table:
    """The papers with the columns of the rows in `found` that have the same id."""
    where = pc.index_in(merged["id"], value_set=found["id"])
    for name in columns:
        column = pc.if_else(pc.is_valid(where), found[name].take(where), merged[name])
        merged = merged.set_column(merged.schema.get_field_index(name), name, column)
    return merged


def _papers_of(chosen: pa.Table, source: str) -> pa.ChunkedArray:
    return chosen["id"].filter(pc.equal(chosen["source"], source))


def _of(name: str, tables: Tables, papers: pa.ChunkedArray) -> pa.Table | None:
    """The rows of these papers."""
    rows = tables.get(name)
    return rows and rows.filter(pc.is_in(owners(name, rows), value_set=papers))


def _named(
    name: str, tables: Tables, source: str, main: Sequence[pa.Array | pa.ChunkedArray]
) -> pa.Table | None:
    """Rows with the source in their ids, except of papers whose text or only record it is."""
    rows = tables.get(name)
    if rows is None:
        return None
    column = "to" if name in REL else "id"
    papers = owners(name, rows)
    own = pc.or_(*(pc.is_in(papers, value_set=ids) for ids in main))
    named = pc.binary_join_element_wise(rows[column], source, "@")
    ids = pc.if_else(own, rows[column], named)
    return rows.set_column(rows.schema.get_field_index(column), column, ids)


def _merge_terms(
    name: str, records: Mapping[str, Tables], ranked: pa.Table, merged: pa.Table
) -> pa.Table:
    """The terms of each paper from the first source that has any.

    For affiliations an id of an institution comes before a country, and both before the order of
    sources; positions become those of the merged by-line.
    """
    links = _concat(
        name,
        (
            tables[name].append_column("source", pa.repeat(source, tables[name].num_rows))
            for source, tables in records.items()
            if name in tables
        ),
    )
    if not links.num_rows:
        return links
    of_institutions = name == institutions.LINK
    trust = institutions.trust(links) if of_institutions else pa.repeat(0, links.num_rows)
    sources = links.select(["from", "source"]).append_column("trust", trust)
    sources = sources.join(ranked.select(["id", "source", "metadata"]), _PAPER, ["id", "source"])
    order = [(column, "ascending") for column in ("from", "trust", "metadata", "source")]
    first = first_rows(sources.sort_by(order), "from")
    chosen = first["source"].take(pc.index_in(links["from"], value_set=first["from"]))
    links = links.filter(pc.equal(links["source"], chosen))
    if of_institutions:
        own = {
            (id_, source): names
            for id_, source, names in zip(
                *(ranked[column].to_pylist() for column in ("id", "source", "surnames")),
                strict=True,
            )
        }
        both = zip(merged["id"].to_pylist(), merged["surnames"].to_pylist(), strict=True)
        links = institutions.place_on_by_line(links, own, dict(both))
    return links.select(TABLE[name].arrow.names)


def _concat(name: str, parts: Iterable[pa.Table | None]) -> pa.Table:
    present = [part for part in parts if part is not None and part.num_rows]
    return pa.concat_tables(present) if present else TABLE[name].arrow.empty_table()


def record_rows(source: str, tables: Tables) -> Tables:
    """`Record` nodes that keep the records of a source as loaded, and their DESCRIBES."""
    packed: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for name in OWNED:
        if name in tables:
            rows = tables[name]
            for owner, row in zip(owners(name, rows).to_pylist(), rows.to_pylist(), strict=True):
                known = {key: value for key, value in row.items() if value is not None}
                packed.setdefault(owner, {}).setdefault(name, []).append(known)
    ids = [f"{owner}@{source}" for owner in packed]
    texts = [_pack(record) for record in packed.values()]
    columns = {
        "Record": {"id": ids, "source": [source] * len(ids), "rows": texts},
        "DESCRIBES": {"from": ids, "to": list(packed)},
    }
    return {name: pa.Table.from_pydict(c, TABLE[name].arrow) for name, c in columns.items()}


def read_record_rows(records: pa.Table) -> dict[str, Tables]:
    """The records in `Record` nodes (`source`, `rows`), by source."""
    rows: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for source, text in zip(
        records["source"].to_pylist(), records["rows"].to_pylist(), strict=True
    ):
        for name, part in orjson.loads(zlib.decompress(base64.b64decode(text))).items():
            rows.setdefault(source, {}).setdefault(name, []).extend(part)
    for tables in rows.values():
        for name, (column, separator) in ONCE_LISTS.items():
            for row in tables.get(name, ()):
                if isinstance(row.get(column), list):
                    row[column] = separator.join(map(str, row[column]))
    return {
        source: {
            name: pa.Table.from_pylist(part, TABLE[name].arrow) for name, part in tables.items()
        }
        for source, tables in rows.items()
    }


def read_paper_rows(records: pa.Table) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """What each `Record` node (`paper`, `source`, `rows`) says of the paper itself.

    Yields:
        Id of the paper, source, and the known columns of its row of `Paper`.
    """
    columns = (records[name].to_pylist() for name in ("paper", "source", "rows"))
    for paper, source, text in zip(*columns, strict=True):
        (row,) = orjson.loads(zlib.decompress(base64.b64decode(text)))["Paper"]
        yield paper, source, row


def _pack(record: Mapping[str, list[dict[str, Any]]]) -> str:
    """The rows as text, the same for any order of rows."""
    ordered = {
        name: sorted(rows, key=lambda row: [row[key] for key in key_columns(TABLE[name])])
        for name, rows in record.items()
    }
    data = orjson.dumps(ordered, option=orjson.OPT_SORT_KEYS)
    return base64.b64encode(zlib.compress(data, _LEVEL)).decode("ascii")


def rename_papers(tables: Tables, names: Mapping[str, str]) -> Tables:
    """The records under other ids of their papers.

    Args:
        tables: rows of records.
        names: id -> new id, of some papers.
    """
    renamed = {}
    for name, rows in tables.items():
        if name in OWNED:
            for column in ("id", "from", "to", "parent", "reference"):
                is_term = column == "to" and name in REL and REL[name].target in _SHARED
                if column in rows.column_names and not is_term:
                    ids = pa.array([_rename(id_, names) for id_ in rows[column].to_pylist()])
                    place = rows.schema.get_field_index(column)
                    rows = rows.set_column(place, rows.schema.field(place), ids.cast(pa.string()))
        renamed[name] = rows
    return renamed


def _rename(id_: str | None, names: Mapping[str, str]) -> str | None:
    if id_ is None:
        return None
    part = re.search(_PART, id_)
    owner, rest = (id_, "") if part is None else (id_[: part.start()], part[0])
    return names.get(owner, owner) + rest
