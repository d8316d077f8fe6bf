"""Where papers come from: files, folders and archives, streamed one document at a time."""

from __future__ import annotations

import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from citescape.errors import SourceError
from citescape.loaders.xml import MAX_BYTES

ARCHIVES = (".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".tar", ".zip")
DOCUMENTS = (".xml", ".nxml")


@dataclass(frozen=True, slots=True)
class Document:
    """One document to read; `path` names it in messages (a member follows its archive)."""

    path: str
    size: int
    """Bytes, as the file system or the archive states them."""
    file: Path | None
    data: bytes | None
    """The bytes of an archive's member; None for a file, and for one too large to be read."""

    def read(self) -> bytes:
        """The bytes.

        Raises:
            SourceError: the document is over `MAX_BYTES`, or cannot be read.
        """
        from citescape.loaders.xml import too_large

        if self.size > MAX_BYTES:
            raise too_large(self.path, self.size)
        if self.data is not None:
            return self.data
        if self.file is None:
            raise SourceError(self.path, "unreadable", "neither a file nor an archive's member")
        try:
            return self.file.read_bytes()
        except OSError as error:
            raise SourceError(self.path, "unreadable", error.strerror or str(error)) from None


def iter_documents(paths: Sequence[Path]) -> Iterator[Document]:
    """Every document at `paths`, files of a folder in name order.

    A file named directly is taken whatever its ending; in folders and archives, `.xml` and
    `.nxml` are.

    Raises:
        SourceError: a path does not exist, or an archive is damaged; what came before it is whole.
    """
    for path in paths:
        check_exists(path)
    for path in paths:
        if path.is_dir():
            for file in _files(path):
                yield from _archive(file) if file.name.endswith(ARCHIVES) else (_document(file),)
        elif path.name.endswith(ARCHIVES):
            yield from _archive(path)
        else:
            yield _document(path)


def check_exists(path: Path) -> None:
    """Refuses a path that is not there."""
    if not path.exists():
        raise SourceError(
            str(path), "missing", "no such file or folder; expected papers or an archive of papers"
        )


def _files(folder: Path) -> list[Path]:
    endings = DOCUMENTS + ARCHIVES
    return sorted(f for f in folder.rglob("*") if f.name.endswith(endings) and f.is_file())


def _document(file: Path) -> Document:
    return Document(str(file), file.stat().st_size, file, None)


def _archive(path: Path) -> Iterator[Document]:
    with _whole(path):
        yield from _zip(path) if path.name.endswith(".zip") else _tar(path)


def _tar(path: Path) -> Iterator[Document]:
    with tarfile.open(path, "r|*") as archive:
        for member in archive:
            if member.isfile() and member.name.endswith(DOCUMENTS):
                held = archive.extractfile(member) if member.size <= MAX_BYTES else None
                data = held.read() if held else None
                yield Document(f"{path.name}/{member.name}", member.size, None, data)


def _zip(path: Path) -> Iterator[Document]:
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            if not info.is_dir() and info.filename.endswith(DOCUMENTS):
                data, size = _zip_member(archive, info)
                yield Document(f"{path.name}/{info.filename}", size, None, data)


def _zip_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> tuple[bytes | None, int]:
    """The member's bytes and true size; an archive may understate it."""
    if info.file_size > MAX_BYTES:
        return None, info.file_size
    with archive.open(info) as held:
        data = held.read(MAX_BYTES + 1)
    return (data, len(data)) if len(data) <= MAX_BYTES else (None, len(data))


@contextmanager
def _whole(path: Path) -> Iterator[None]:
    """Turns every way an archive can be damaged into one message."""
    try:
        yield
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, lzma.LZMAError, zlib.error) as error:
        raise SourceError(
            str(path),
            "damaged-archive",
            f"the archive is cut off or damaged ({error}); fetch it again and rerun: "
            "papers read before the damage are kept",
        ) from None
    except OSError as error:
        raise SourceError(
            str(path), "damaged-archive", f"the archive cannot be read ({error})"
        ) from None
