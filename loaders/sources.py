"""Where papers come from: files, folders and archives, streamed one document at a time."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from citescape.core.errors import SourceError
from citescape.loaders.archives import (
    ARCHIVES,
    DOCUMENTS,
    ending,
    ends,
    is_archive,
    read_archive,
)
from citescape.loaders.article_sets import split
from citescape.loaders.documents import Document, of_file

_ADDRESS = re.compile(r"([a-z0-9]+):/+(?=\w)")


def iter_documents(
    paths: Sequence[Path], *, passed_over: Counter[str] | None = None
) -> Iterator[Document]:
    """Every document at `paths`, files of a folder in name order.

    A file named directly is taken whatever its ending; in folders and archives, those that end
    as documents do (`.xml`, `.nxml`, perhaps `.gz`). A file of several articles is as many
    documents. What cannot be read is a document that says so, and what follows it is still read.

    Args:
        paths: files, folders, archives.
        passed_over: where other files of folders and archives are counted, by ending.

    Raises:
        SourceError: a path does not exist; nothing is read then.
    """
    passed_over = Counter() if passed_over is None else passed_over
    for path in paths:
        check_exists(path)
    for path in paths:
        for file in iter_files(path, passed_over):
            for document in _documents(file, passed_over):
                yield from split(document)


def check_exists(path: Path) -> None:
    """Refuses a path that is not there."""
    if path.exists():
        return
    if _ADDRESS.match(str(path)):
        message = "an address; nothing is fetched: download it and give the file"
        raise SourceError(_ADDRESS.sub(r"\1://", str(path), count=1), "missing", message)
    message = "no such file or folder; expected papers or an archive of papers"
    raise SourceError(str(path), "missing", message)


def iter_files(path: Path, passed_over: Counter[str]) -> Iterator[Path]:
    """A file itself, or the documents and archives that a folder holds at any depth.

    A folder that cannot be listed is given itself, so that reading it says so. Links to folders are
    not followed, they may be rings; they and other files are counted.
    """
    if not path.is_dir():
        yield path
        return
    for file, is_folder in sorted(walk(path)):
        if is_folder and file.is_symlink():
            passed_over["linked folder"] += 1
        elif is_folder or ends(file.name, DOCUMENTS + ARCHIVES):
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


def _documents(file: Path, passed_over: Counter[str]) -> Iterator[Document]:
    document = of_file(file)
    named = ends(file.name, ARCHIVES)
    unnamed = not named and not ends(file.name, DOCUMENTS)
    if document.error is None and (named or (unnamed and is_archive(document.head()))):
        yield from read_archive(file, passed_over)
    else:
        yield document
