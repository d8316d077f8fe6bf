"""Sources of papers: files, folders and archives, streamed one document at a time."""

from __future__ import annotations

import os
import re
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from pathlib import Path

from citescape.core.errors import SourceError
from citescape.core.paths import absolute_path
from citescape.loaders.archives import (
    ARCHIVES,
    DOCUMENTS,
    RECORDS,
    ending,
    ends,
    is_archive,
    read_archive,
)
from citescape.loaders.article_sets import split
from citescape.loaders.documents import SourceDocument, of_file
from citescape.loaders.exports import is_export_file

_ADDRESS = re.compile(r"([a-z0-9]+):/+(?=\w)")


def iter_documents(
    paths: Sequence[Path],
    *,
    tables: Set[Path] = frozenset(),
    passed_over: Counter[str] | None = None,
) -> Iterator[SourceDocument]:
    """Every document at `paths`, files of a folder in name order.

    A file named directly may have any ending; in folders and archives only files with endings of
    documents are read (`.xml`, `.nxml`, also with `.gz`), and in folders exports of Scopus and Web
    of Science. Each article of a file of several articles is a document. An unreadable file is a
    document with an error; the next ones are still read.

    Args:
        paths: files, folders, archives.
        tables: absolute paths of files in the folders that are read as tables.
        passed_over: counts the other files of folders and archives by ending, and lists of deleted
            records in files.

    Raises:
        SourceError: a path does not exist; nothing is read then.
    """
    passed_over = Counter() if passed_over is None else passed_over
    for path in paths:
        check_exists(path)
    for path in paths:
        for file in iter_files(path, passed_over, tables):
            yield from read_file(file, passed_over, in_folder=path.is_dir())


def read_file(
    file: Path, passed_over: Counter[str], *, in_folder: bool
) -> Iterator[SourceDocument]:
    """The documents in a file or archive.

    Args:
        file: the file.
        passed_over: counts what is no document.
        in_folder: whether the file was found in a folder, so that it may be something else.
    """
    document = of_file(file)
    if in_folder and ends(file.name, RECORDS):
        document = replace(document, may_be_other=True)
    if document.error is None and _is_archive_file(file, document):
        for member in read_archive(file, passed_over):
            other = ends(member.path, RECORDS)
            yield from split(replace(member, may_be_other=other), passed_over)
    else:
        yield from split(document, passed_over)


def _is_archive_file(file: Path, document: SourceDocument) -> bool:
    """Whether a file is an archive, by its name or its first bytes."""
    if ends(file.name, ARCHIVES):
        return True
    return not ends(file.name, DOCUMENTS) and is_archive(document.head())


def count_documents(paths: Sequence[Path]) -> int | None:
    """The number of documents at `paths`; None if unknown before reading, as for tar archives.

    A file of several articles counts as one, so there may be more. A zip archive has a list of
    members at its end; None if that is damaged; reading reports the error.
    """
    total = 0
    for path in paths:
        for file in iter_files(path, Counter()):
            if ends(file.name, DOCUMENTS):
                total += 1
                continue
            if not ends(file.name, (".zip",)):
                return None
            try:
                with zipfile.ZipFile(file) as archive:
                    total += sum(ends(name, DOCUMENTS) for name in archive.namelist())
            except (OSError, ValueError, zipfile.BadZipFile, NotImplementedError):
                return None
    return total


def check_exists(path: Path) -> None:
    """Refuses a path that does not exist."""
    if path.exists():
        return
    if _ADDRESS.match(str(path)):
        message = "an address; files are not downloaded: download it and give the file"
        raise SourceError(_ADDRESS.sub(r"\1://", str(path), count=1), "missing", message)
    message = "no such file or folder; expected papers or an archive of papers"
    raise SourceError(str(path), "missing", message)


def iter_files(
    path: Path, passed_over: Counter[str], tables: Set[Path] = frozenset()
) -> Iterator[Path]:
    """A file itself, or the documents and archives in a folder at any depth.

    A folder that cannot be listed is itself an item, so that reading it reports the error. Links to
    folders are not followed, because they may form cycles; they and other files are counted.
    """
    if not path.is_dir():
        yield path
        return
    for file, is_folder in sorted(walk(path)):
        if is_folder and file.is_symlink():
            passed_over["linked folder"] += 1
        elif tables and absolute_path(file) in tables:
            continue
        elif is_folder or ends(file.name, DOCUMENTS + ARCHIVES) or is_export_file(file):
            yield file
        else:
            passed_over[ending(file.name)] += 1


def walk(folder: Path) -> Iterator[tuple[Path, bool]]:
    """Files of a folder at any depth, with False; links to folders and unlistable ones, with True.

    Links are not followed.
    """
    unlistable: list[Path] = []
    found = os.walk(folder, onerror=lambda error: unlistable.append(Path(error.filename)))
    for here, folders, files in found:
        yield from ((Path(here, name), False) for name in files)
        linked = (Path(here, name) for name in folders)
        yield from ((link, True) for link in linked if link.is_symlink())
    yield from ((folder, True) for folder in unlistable)
