"""Where papers come from: files, folders and archives, streamed one document at a time."""

from __future__ import annotations

import tarfile
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from citescape.errors import SourceError
from citescape.loaders.xml import MAX_BYTES, too_large

ARCHIVES = (".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".tar", ".zip")
DOCUMENTS = (".xml", ".nxml")
"""Endings, in any case."""

_LONGEST_HEADER = 1_000_000
"""Bytes of a tar archive's extended header, which tarfile reads whole: names, times, owners."""
_EXTENDED = (
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
)
_BROKEN = (
    tarfile.EmptyHeaderError,  # type: ignore[attr-defined]  # the file ends, but no mark says so
    tarfile.InvalidHeaderError,  # type: ignore[attr-defined]
    tarfile.TruncatedHeaderError,  # type: ignore[attr-defined]
)


@dataclass(frozen=True, slots=True)
class Document:
    """One document to read; `path` names it in messages (a member follows its archive)."""

    path: str
    size: int
    """Bytes, as the file system states them; 0 where there is nothing to read."""
    file: Path | None = None
    data: bytes | None = None
    """The bytes of an archive's member."""
    error: SourceError | None = None
    """Why it cannot be read. A damaged archive is such a document itself."""

    def read(self) -> bytes:
        """The bytes.

        Raises:
            SourceError: the document is over `MAX_BYTES`, or cannot be read.
        """
        if self.error is not None:
            raise self.error
        if self.file is None:
            return self.data or b""
        try:
            with self.file.open("rb") as opened:
                data = opened.read(min(self.size, MAX_BYTES) + 1)
                if len(data) > self.size:  # a device or a growing file, which may never end
                    data += opened.read(MAX_BYTES + 1 - len(data))
        except OSError as error:
            raise _unreadable(self.path, error.strerror or str(error)) from None
        if len(data) > MAX_BYTES:
            raise too_large(self.path, max(self.size, len(data)))
        return data


def iter_documents(paths: Sequence[Path]) -> Iterator[Document]:
    """Every document at `paths`, files of a folder in name order.

    A file named directly is taken whatever its ending; in folders and archives, `.xml` and
    `.nxml` are. What cannot be read is a document that says so, and what follows it is still read.

    Raises:
        SourceError: a path does not exist; nothing is read then.
    """
    for path in paths:
        check_exists(path)
    for path in paths:
        for file in _files(path) if path.is_dir() else (path,):
            if _ends(file.name, ARCHIVES):
                yield from _archive(file)
            else:
                yield _document(file)


def check_exists(path: Path) -> None:
    """Refuses a path that is not there."""
    if not path.exists():
        raise SourceError(
            str(path), "missing", "no such file or folder; expected papers or an archive of papers"
        )


def _ends(name: str, endings: tuple[str, ...]) -> bool:
    return name.lower().endswith(endings)


def _files(folder: Path) -> list[Path]:
    endings = DOCUMENTS + ARCHIVES
    return sorted(f for f in folder.rglob("*") if _ends(f.name, endings) and f.is_file())


def _document(file: Path) -> Document:
    try:
        return Document(str(file), file.stat().st_size, file)
    except OSError as error:
        return _refused(_unreadable(str(file), error.strerror or str(error)))


def _refused(error: SourceError) -> Document:
    return Document(error.path, 0, error=error)


def _unreadable(path: str, message: str) -> SourceError:
    return SourceError(path, "unreadable", message)


def _archive(path: Path) -> Iterator[Document]:
    try:
        yield from _zip(path) if _ends(path.name, (".zip",)) else _tar(path)
    except Exception as error:  # damage makes tarfile, zipfile and decompressors raise anything
        yield _refused(_damaged(str(path), error))


def _damaged(path: str, error: Exception) -> SourceError:
    detail = " ".join(str(error).split()) or type(error).__name__
    message = (
        f"the archive is cut off or damaged ({detail}); papers before the damage are read: "
        "fetch it again and rerun"
    )
    return SourceError(path, "damaged-archive", message)


class _Header(tarfile.TarInfo):
    """A tar header read strictly: tarfile takes a broken or missing one for the archive's end."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> _Header:
        """Reads one header."""
        try:
            header = super().frombuf(buf, encoding, errors)
        except _BROKEN as error:
            raise tarfile.ReadError(str(error)) from None
        if header.type in _EXTENDED and header.size > _LONGEST_HEADER:
            raise tarfile.ReadError(f"an extended header of {header.size:,} bytes")
        return header


def _tar(path: Path) -> Iterator[Document]:
    with tarfile.open(path, "r|*", tarinfo=_Header) as archive:
        while (member := archive.next()) is not None:
            archive.members.clear()  # type: ignore[attr-defined]  # else all headers are kept
            if _ends(member.name, DOCUMENTS) and not member.isdir():
                yield _tar_member(archive, member, f"{path.name}/{member.name}")


def _tar_member(archive: tarfile.TarFile, member: tarfile.TarInfo, path: str) -> Document:
    if not member.isfile():
        message = f"a link to {member.linkname}" if member.linkname else "not a regular file"
        return _refused(_unreadable(path, f"{message}; unpack the archive and ingest its folder"))
    if member.size > MAX_BYTES:
        return _refused(too_large(path, member.size))
    held = archive.extractfile(member)
    data = held.read() if held else b""
    return Document(path, len(data), data=data)


def _zip(path: Path) -> Iterator[Document]:
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            if _ends(info.filename, DOCUMENTS) and not info.is_dir():
                yield _zip_member(archive, info, f"{path.name}/{info.filename}")


def _zip_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: str) -> Document:
    """A member; the archive may understate its size. Behind a damaged one others can be read."""
    if info.file_size > MAX_BYTES:
        return _refused(too_large(path, info.file_size))
    try:
        with archive.open(info) as held:
            data = held.read(MAX_BYTES + 1)
    except (RuntimeError, NotImplementedError) as error:  # encrypted; an unknown compression
        return _refused(_unreadable(path, f"{error}; unpack the archive and ingest its folder"))
    except Exception as error:
        return _refused(_damaged(path, error))
    if len(data) > MAX_BYTES:
        return _refused(too_large(path, len(data)))
    return Document(path, len(data), data=data)
