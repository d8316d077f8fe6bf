"""The rows of a slice in plain Python, from all rows of a store."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any

from citescape.papers.loading.tables import TABLES
from citescape.store.schema import REL

Row = dict[str, Any]
CITED = (
    *("id", "doi", "pmid", "pmcid", "openalex", "s2", "key", "title", "year", "venue"),
    *("surnames", "givens", "roles"),
    *("notice", "notice_date", "notice_year", "notice_doi", "notice_source"),
)
"""Columns of works that are known from reference lists only, or have a notice."""
TERMS = {
    "PUBLISHED_IN": "Venue",
    "HAS_KEYWORD": "Keyword",
    "HAS_SUBJECT": "Subject",
    "HAS_MESH": "MeshDescriptor",
    "AFFILIATED_WITH": "Institution",
}


def slice_rows(tables: Mapping[str, list[Row]], chosen: Set[str]) -> dict[str, list[Row]]:
    """The rows that a slice of chosen papers has.

    Args:
        tables: all rows of a store.
        chosen: ids of loaded papers.
    """
    result: dict[str, list[Row]] = {}

    def keep(name: str, test: Any) -> set[str]:
        result[name] = [row for row in tables[name] if test(row)]
        return {row["id"] if "id" in row else row["to"] for row in result[name]}

    def of_chosen(id_: str) -> bool:
        return id_.split("#")[0] in chosen

    papers = chosen | {row["to"] for row in tables["CITES"] if row["from"] in chosen}
    result["Paper"] = []
    for row in tables["Paper"]:
        if row["id"] in chosen:
            result["Paper"].append(row)
        elif row["id"] in papers:
            cited = {name: row[name] if name in CITED else None for name in row}
            result["Paper"].append({**cited, "fulltext": False})
    for name in ("Section", "Occurrence", "Reference"):
        keep(name, lambda row: of_chosen(row["id"]))
    for name in ("HAS_SECTION", "SUBSECTION_OF", "CONTAINS", "REFERS_TO", "HAS_REFERENCE"):
        keep(name, lambda row: of_chosen(row["from"]))
    for name in ("MATCHES", "CITES"):
        keep(name, lambda row: of_chosen(row["from"]))
    for name, label in TERMS.items():
        terms = keep(name, lambda row: row["from"] in chosen)
        keep(label, lambda row, terms=terms: row["id"] in terms)
    keep("WROTE", lambda row: row["to"] in papers)
    authors = {row["from"] for row in result["WROTE"]}
    keep("Author", lambda row: row["id"] in authors)
    keep("VERSION_OF", lambda row: {row["from"], row["to"]} <= papers)
    keep("File", lambda row: row["paper"] in chosen)
    keep("DESCRIBES", lambda row: row["to"] in chosen)
    records = {row["from"] for row in result["DESCRIBES"]}
    keep("Record", lambda row: row["id"] in records)
    notices = {row["to"] for row in tables["STATES"] if row["from"] in chosen}
    notices |= {row["from"] for row in tables["CONCERNS"] if row["to"] in papers}
    keep("Notice", lambda row: row["id"] in notices)
    keep("STATES", lambda row: row["from"] in papers and row["to"] in notices)
    for name in ("CONCERNS", "PUBLISHED_AS"):
        keep(name, lambda row: row["from"] in notices and row["to"] in papers)
    assert result.keys() == {*TABLES}
    return result


def missing_ends(tables: Mapping[str, list[Row]]) -> list[tuple[str, str]]:
    """Relationships whose ends are no nodes: table and id."""
    ids = {name: {row["id"] for row in rows} for name, rows in tables.items() if name not in REL}
    return [
        (name, row[end])
        for name, rows in tables.items()
        if name in REL
        for row in rows
        for end, label in (("from", REL[name].source), ("to", REL[name].target))
        if row[end] not in ids[label]
    ]
