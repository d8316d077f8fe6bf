"""Names of the formats, without other imports, so that the command line loads fast."""

from __future__ import annotations

FULL_TEXTS = ("jats", "unarxive", "tei", "s2orc")
"""Formats with sections and in-text citations, the most exact first."""
RECORDS = ("pubmed", "crossref", "openalex", "s2ag", "pmc", "scopus", "wos")
"""Formats of documents without text, the most trusted first; those with printed references last."""
TABLES = ("aan", "csv")
"""Formats of tables; their readers are in `datasets.TABLE_FORMATS`."""
TABLES_TOO = ("s2ag",)
"""Formats of documents that are tables where files of citations or authors are given with them."""
DOCUMENTS = (*FULL_TEXTS, *RECORDS)
"""Formats of documents, each with one paper; their readers are in `document_formats`."""
NO_RECORDS = ("null record", "empty list")
"""What interfaces answer for an unknown id, and for a query that finds nothing."""
FORMATS = ("auto", *DOCUMENTS, *TABLES)
"""`auto` detects the format by the content."""


def format_of(loader: str) -> str:
    """The format of a loader: `jats` of `jats-7`."""
    return loader.rpartition("-")[0]


def has_text(loader: str) -> bool:
    """Whether papers of a loader, of any version, have sections and in-text citations."""
    return format_of(loader) not in (*RECORDS, *TABLES)


def rank_text(loader: str) -> int:
    """Place of a loader in the order of trust in its text; unknown ones first."""
    return _place(loader, (*FULL_TEXTS, *RECORDS, *TABLES))


def rank_metadata(loader: str) -> int:
    """Place of a loader in the order of trust in its metadata.

    Texts of publishers come first, then curated records; what programs read from pages is last.
    """
    return _place(loader, _METADATA)


_METADATA = (
    *("jats", "pubmed", "crossref", "openalex", "scopus", "wos", "s2ag", "pmc", "unarxive"),
    *(*TABLES, "s2orc", "tei"),
)


def _place(loader: str, order: tuple[str, ...]) -> int:
    name = format_of(loader)
    return order.index(name) + 1 if name in order else 0
