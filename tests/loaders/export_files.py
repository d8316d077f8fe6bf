"""Exports of databases as files, and what is read of them."""

from __future__ import annotations

from pathlib import Path

from citescape.core.errors import SourceError
from citescape.core.types import Paper
from citescape.loaders.article_sets import split
from citescape.loaders.document_formats import read_document
from citescape.loaders.documents import SourceDocument, of_file


def documents(folder: Path, data: bytes | str, name: str = "export.txt") -> list[SourceDocument]:
    """The records of a file."""
    file = folder / name
    file.write_bytes(data.encode() if isinstance(data, str) else data)
    return list(split(of_file(file)))


def papers(folder: Path, data: bytes | str) -> list[Paper]:
    """The papers of a file; all records can be read."""
    return [read_document(d.read(), d.path) for d in documents(folder, data)]


def outcomes(folder: Path, data: bytes | str) -> list[str]:
    """Title, or the reason why a record is refused, by its place."""
    found = []
    for document in documents(folder, data):
        try:
            found.append(read_document(document.read(), document.path).title)
        except SourceError as error:
            found.append(error.reason)
    return found
