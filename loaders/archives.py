"""Documents in tar and zip archives, streamed; nothing is unpacked to disk.

An archive may be hostile: sizes in its headers are checked against its content before they cost
time or memory.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import struct
import tarfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO, cast

from citescape.core.errors import SourceError
from citescape.core.paths import path_text
from citescape.loaders import xml
from citescape.loaders.documents import SourceDocument, damaged, refused

ARCHIVES = (".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".tar", ".zip")
ARTICLES = (".xml", ".nxml", ".tei", ".grobid-xml", ".xml.gz", ".nxml.gz", ".tei.gz")
RECORDS = (".json", ".jsonl", ".ndjson", ".json.gz", ".jsonl.gz", ".ndjson.gz", ".parquet")
"""Endings of files of records, of which some may be none of papers."""
DOCUMENTS = (*ARTICLES, *RECORDS)
"""Endings, in lower or upper case."""

_ZIP = b"PK\x03\x04"
_COMPRESSED_TARS = (b"\xfd7zXZ\x00", b"BZh")
_TAR, _TAR_AT = b"ustar", 257
_OPENERS: dict[bytes, Callable[[Path], object]] = {
    b"\x1f\x8b": gzip.open,
    b"\xfd7zXZ\x00": lzma.open,
    b"\x5d\x00\x00\x80": lzma.open,
    b"BZh": bz2.open,
}
"""First bytes of a compressed tar archive -> function that opens it."""

_LONGEST_HEADER = 1_000_000
"""Maximum bytes of all headers of a tar member: long names, times, owners, map of a sparse file."""
_LONGEST_SKIP = 10_000_000_000
"""Maximum bytes of a member that are decompressed to reach the next one: ten seconds of work."""
_LARGEST = 1 << 63
"""A size that no file has; sizes in headers may be numbers of any length."""
_BROKEN = (
    tarfile.EmptyHeaderError,  # type: ignore[attr-defined]  # the file ends without an end mark
    tarfile.InvalidHeaderError,  # type: ignore[attr-defined]
    tarfile.TruncatedHeaderError,  # type: ignore[attr-defined]
)
_LISTED, _LISTED_BYTES, _HEADER_BYTES = b"PK\x01\x02", 46, 30
"""Signature of an entry in the list of members of a zip archive; bytes before its name there, and
in the header of the member."""
_UTF8_NAME = 0x800
"""Flag of a member whose name is UTF-8."""


def ends(name: str, endings: tuple[str, ...]) -> bool:
    """Whether a name has one of the endings, in lower or upper case."""
    return name.lower().endswith(endings)


def ending(name: str) -> str:
    """The ending by which a skipped file is counted: `.pdf`, or `without ending`."""
    return path_text(PurePosixPath(name).suffix.lower()) or "without ending"


def is_archive(head: bytes) -> bool:
    """Whether a file with these first bytes, decompressed by gzip, is an archive."""
    return head.startswith((_ZIP, *_COMPRESSED_TARS)) or head[_TAR_AT:].startswith(_TAR)


def read_archive(path: Path, passed_over: Counter[str]) -> Iterator[SourceDocument]:
    """The documents of an archive, in its order; other members are counted by ending."""
    try:
        opened = path.open("rb")
    except OSError as error:
        message = f"{error.strerror}; allow reading it and run again"
        yield refused(SourceError(str(path), "unreadable-archive", message))
        return
    with opened:
        is_zip = opened.read(len(_ZIP)) == _ZIP or ends(path.name, (".zip",))
        try:
            yield from (_zip if is_zip else _tar)(path, passed_over)
        except Exception as error:  # damaged files raise errors of many types
            yield refused(damaged(str(path), error))


class _Header(tarfile.TarInfo):
    """A tar header, read strictly: tarfile takes a broken one for the end of the archive."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> _Header:
        """Reads one header."""
        try:
            return super().frombuf(buf, encoding, errors)
        except _BROKEN as error:
            raise tarfile.ReadError(str(error)) from None


class _Forward:
    """A decompressed tar archive as a forward-only stream for tarfile.

    tarfile trusts the sizes in headers: it reads as many blocks as a member claims, even past the
    end of the file, goes back if a size is negative, and holds headers of any size in memory.
    """

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            head = file.read(8)
        opener = next((_OPENERS[mark] for mark in _OPENERS if head.startswith(mark)), None)
        self._opened = cast(BinaryIO, path.open("rb") if opener is None else opener(path))
        self._end = path.stat().st_size if opener is None else None
        self.header_left: int | None = _LONGEST_HEADER
        """Bytes of headers that may still be read; None while the content of a member is read."""

    def read(self, size: int) -> bytes:
        """The next bytes; fewer at the end."""
        if self.header_left is not None:
            self.header_left -= size
        if size < 0 or (self.header_left is not None and self.header_left < 0):
            raise tarfile.ReadError(f"a header of more than {_LONGEST_HEADER:,} bytes")
        return self._opened.read(size)

    def tell(self) -> int:
        """Position of the next byte."""
        return self._opened.tell()

    def seek(self, place: int) -> None:
        """Skips the bytes before a position.

        Raises:
            ReadError: it is before the next byte, behind the end, or too far to decompress.
        """
        skipped = place - self.tell()
        most = _LONGEST_SKIP if self._end is None else self._end - self.tell()
        if not 0 <= skipped <= most:
            raise tarfile.ReadError(
                f"a member claims {skipped:,} bytes, expected at most {most:,}; if it has as many, "
                "unpack the archive and ingest its folder"
            )
        self._opened.seek(place)

    def close(self) -> None:
        """Releases the file."""
        self._opened.close()


def _tar(path: Path, passed_over: Counter[str]) -> Iterator[SourceDocument]:
    with closing(_Forward(path)) as stream:
        archive = tarfile.TarFile(
            fileobj=cast(IO[bytes], stream), tarinfo=_Header, encoding="utf-8"
        )
        while True:
            stream.header_left = _LONGEST_HEADER
            member = archive.next()
            stream.header_left = None  # from now on the stream returns the content of the member
            archive.members.clear()  # type: ignore[attr-defined]  # otherwise all headers stay in memory
            if member is None:
                return
            if not 0 <= member.size < _LARGEST:
                raise tarfile.ReadError("a member claims a size that no file has")
            if member.isdir():
                continue
            if not ends(member.name, DOCUMENTS):
                passed_over[ending(member.name)] += 1
                continue
            place = path_text(f"{path}/{member.name}")
            if not member.isfile():
                link = path_text(member.linkname)
                message = f"a link to {link}" if link else "not a regular file"
                yield refused(_to_unpack(place, message))
            elif member.size > xml.MAX_BYTES:
                yield refused(xml.too_large(place, member.size))
            else:
                content = archive.extractfile(member)
                data = content.read() if content else b""
                yield SourceDocument(place, len(data), data=data)


class _ZipBytes(io.BufferedReader):
    """A zip archive for zipfile, in which wrong UTF-8 flags of names are removed.

    zipfile refuses the whole archive for such a name. Without the flag it reads the name as code
    page 437, in which every byte is a character.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(io.FileIO(path))
        self._unmarked: set[bytes] = set()

    def read(self, size: int | None = -1, /) -> bytes:
        """The next bytes; headers of members and the list of members are corrected."""
        data = super().read(size)
        if data.startswith(_LISTED):
            return self._unmark_list(data)
        if data.startswith(_ZIP) and len(data) == _HEADER_BYTES:
            (length,) = struct.unpack_from("<H", data, 26)
            name = super().read(length)
            self.seek(-len(name), os.SEEK_CUR)
            return self._unmark(data, 6, name)
        return data

    def name(self, info: zipfile.ZipInfo) -> str:
        """Name of a member; bytes that are not UTF-8 as surrogates."""
        raw = info.filename.encode("cp437", "ignore")
        return raw.decode("utf-8", "surrogateescape") if raw in self._unmarked else info.filename

    def _unmark_list(self, listed: bytes) -> bytes:
        parts, at = [], 0
        while len(listed) - at >= _LISTED_BYTES:
            lengths = struct.unpack_from("<3H", listed, at + 28)  # name, extra field, comment
            end = at + _LISTED_BYTES + sum(lengths)
            name = listed[at + _LISTED_BYTES :][: lengths[0]]
            parts.append(self._unmark(listed[at:end], 8, name))
            at = end
        return b"".join(parts) + listed[at:]

    def _unmark(self, header: bytes, flags_at: int, name: bytes) -> bytes:
        """A header without the flag, if its name is not UTF-8."""
        (flags,) = struct.unpack_from("<H", header, flags_at)
        if not flags & _UTF8_NAME:
            return header
        try:
            name.decode()
            return header
        except UnicodeDecodeError:
            self._unmarked.add(name.partition(b"\0")[0])
        corrected = struct.pack("<H", flags & ~_UTF8_NAME)
        return header[:flags_at] + corrected + header[flags_at + 2 :]


def _zip(path: Path, passed_over: Counter[str]) -> Iterator[SourceDocument]:
    with _ZipBytes(path) as opened, zipfile.ZipFile(opened) as archive:
        left = path.stat().st_size
        for info in archive.infolist():
            if info.is_dir():
                continue
            if not ends(info.filename, DOCUMENTS):
                passed_over[ending(info.filename)] += 1
                continue
            member = path_text(f"{path}/{opened.name(info)}")
            left -= info.compress_size
            if left < 0:  # overlapping members unpack to thousands of times the size of the archive
                left += info.compress_size
                error = zipfile.BadZipFile("members claim more bytes than the archive holds")
                yield refused(damaged(member, error))
            else:
                yield _zip_member(archive, info, member)


def _zip_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: str) -> SourceDocument:
    """A member; the archive may understate its size. Members after a damaged one are still read."""
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
    return SourceDocument(path, len(data), data=data)


def _to_unpack(path: str, message: str) -> SourceError:
    return SourceError(path, "unreadable", f"{message}; unpack the archive and ingest its folder")
