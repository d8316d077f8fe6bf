"""References of a file or a list, in one table, whatever their format."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import pyarrow as pa

from citescape.core.identifiers import (
    normalise_doi,
    normalise_pmcid,
    normalise_pmid,
    normalise_year,
    pmcid_in_link,
    pmcid_in_text,
    pmid_in_link,
    pmid_in_text,
)

_TAG_ENDS = re.compile(r"[;,\n]")
_AND = re.compile(r"\s+and\s+", re.IGNORECASE)
REFERENCES = pa.schema(
    {
        "file": pa.string(),
        "line": pa.int64(),
        "key": pa.string(),
        "title": pa.string(),
        "year": pa.int64(),
        "surname": pa.string(),
        "doi": pa.string(),
        "pmid": pa.string(),
        "pmcid": pa.string(),
        "name": pa.string(),
        "tags": pa.list_(pa.string()),
    }
)
"""`key`: citation key, or the text of a list; `surname`: of the first author; `name`: what may be
an id of the store; `tags`: keywords. Texts are empty if unknown; year and identifiers are null."""


class ListedReference(NamedTuple):
    """A reference as a file gives it, with the columns of `REFERENCES`."""

    file: str
    line: int
    key: str
    title: str = ""
    year: int | None = None
    surname: str = ""
    doi: str | None = None
    pmid: str | None = None
    pmcid: str | None = None
    name: str = ""
    tags: tuple[str, ...] = ()


@dataclass
class ReferenceList:
    """References of one or more files, and how a manuscript cites them."""

    references: list[ListedReference] = field(default_factory=list)
    mentions: dict[str, dict[str, int]] | None = None
    """Citation key -> type of section (I, M, R, D, other) -> number of citations; None without a
    manuscript."""
    notes: list[str] = field(default_factory=list)
    """What could not be read."""

    @property
    def table(self) -> pa.Table:
        """A row per reference, with the columns of `REFERENCES`."""
        columns = zip(*self.references, strict=True) if self.references else ((),) * len(REFERENCES)
        return pa.table([*map(list, columns)], schema=REFERENCES)


def make_reference(
    file: str, line: int, key: str, fields: Mapping[str, str], authors: Iterable[str] = ()
) -> ListedReference:
    """A reference from the fields of an entry.

    Args:
        file: name of the file.
        line: first line of the entry, from 1.
        key: citation key.
        fields: `title`, `year`, `doi`, `pmid`, `pmcid`, `url`, `note`, `tags`, as plain text.
        authors: names, `Surname, Given` or `Given Surname`.
    """
    url, note = fields.get("url", ""), fields.get("note", "")
    doi = normalise_doi(fields.get("doi"), whole=True)
    if doi is None and ("doi" in url or "doi" in note):
        doi = normalise_doi(url) or normalise_doi(note)
    return ListedReference(
        file,
        line,
        key,
        " ".join(fields.get("title", "").split()),
        normalise_year(fields.get("year")),
        first_surname(authors),
        doi,
        normalise_pmid(fields.get("pmid")) or pmid_in_link(url) or pmid_in_text(note),
        normalise_pmcid(fields.get("pmcid")) or pmcid_in_link(url) or pmcid_in_text(note),
        key,
        split_tags(fields.get("tags", "")),
    )


def split_tags(text: str) -> tuple[str, ...]:
    """The keywords of a field, each once: `rice; yield`, `rice, yield`."""
    tags = (" ".join(tag.split()) for tag in _TAG_ENDS.split(text))
    return tuple(dict.fromkeys(tag for tag in tags if tag))


def split_authors(text: str) -> list[str]:
    """The names of a field of BibTeX: `Li, Lei and Olsen, K.`."""
    return _AND.split(text.strip()) if text.strip() else []


def first_surname(authors: Iterable[str]) -> str:
    """The surname of the first author: `Li` of `Li, Lei` and of `Lei Li`; empty without one."""
    first = next(iter(authors), "").strip()
    if "," in first:
        return first.partition(",")[0].strip()
    return first.rpartition(" ")[2]
