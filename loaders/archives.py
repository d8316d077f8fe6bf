"""Documents in tar and zip archives, streamed; nothing is unpacked to disk."""

from __future__ import annotations

import tarfile
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from citescape.errors import SourceError
from citescape.loaders import xml
from citescape.loaders.documents import Document, damaged, refused

ARCHIVES = (".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".tar", ".zip")
DOCUMENTS = (".xml", ".nxml", ".xml.gz", ".nxml.gz")
"""Endings, in any case."""

_ZIP = b"PK\x03\x04"
_COMPRESSED_TARS = (b"\xfd7zXZ\x00", b"BZh")
_TAR, _TAR_AT = b"ustar", 257

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


def ends(name: str, endings: tuple[str, ...]) -> bool:
    """Whether a name ends so, in any case."""
    return name.lower().endswith(endings)


def ending(name: str) -> str:
    """What a file that is passed over is counted by: `.pdf`, or `without ending`."""
    return PurePosixPath(name).suffix.lower() or "without ending"


def is_archive(head: bytes) -> bool:
    """Whether a file that begins so, decompressed by gzip, is an archive, whatever its ending."""
    return head.startswith((_ZIP, *_COMPRESSED_TARS)) or head[_TAR_AT:].startswith(_TAR)


def read_archive(path: Path, passed_over: Counter[str]) -> Iterator[Document]:
    """The documents of an archive, in its order; other members are counted by ending."""
    try:
        with path.open("rb") as opened:
            is_zip = opened.read(len(_ZIP)) == _ZIP
        is_zip = is_zip or ends(path.name, (".zip",))
        yield from (_zip if is_zip else _tar)(path, passed_over)
    except Exception as error:  # damage makes tarfile, zipfile and decompressors raise anything
        yield refused(damaged(str(path), error))


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


def _tar(path: Path, passed_over: Counter[str]) -> Iterator[Document]:
    with tarfile.open(path, "r|*", tarinfo=_Header) as archive:
        while (member := archive.next()) is not None:
            archive.members.clear()  # type: ignore[attr-defined]  # else all headers are kept
            if member.isdir():
                continue
            if ends(member.name, DOCUMENTS):
                yield _tar_member(archive, member, f"{path}/{member.name}")
            else:
                passed_over[ending(member.name)] += 1


def _tar_member(archive: tarfile.TarFile, member: tarfile.TarInfo, path: str) -> Document:
    if not member.isfile():
        message = f"a link to {member.linkname}" if member.linkname else "not a regular file"
        return refused(_to_unpack(path, message))
    if member.size > xml.MAX_BYTES:
        return refused(xml.too_large(path, member.size))
    held = archive.extractfile(member)
    data = held.read() if held else b""
    return Document(path, len(data), data=data)


def _zip(path: Path, passed_over: Counter[str]) -> Iterator[Document]:
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            if info.is_dir():
                continue
            if ends(info.filename, DOCUMENTS):
                yield _zip_member(archive, info, f"{path}/{info.filename}")
            else:
                passed_over[ending(info.filename)] += 1


def _zip_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: str) -> Document:
    """A member; the archive may understate its size. Behind a damaged one others can be read."""
    if info.file_size > xml.MAX_BYTES:
        return refused(xml.too_large(path, info.file_size))
    try:
        with archive.open(info) as held:
            data = held.read(xml.MAX_BYTES + 1)
    except (RuntimeError, NotImplementedError) as error:  # encrypted; an unknown compression
        return refused(_to_unpack(path, str(error)))
    except Exception as error:
        return refused(damaged(path, error))
    if len(data) > xml.MAX_BYTES:
        return refused(xml.too_large(path, len(data)))
    return Document(path, len(data), data=data)


def _to_unpack(path: str, message: str) -> SourceError:
    return SourceError(path, "unreadable", f"{message}; unpack the archive and ingest its folder")
