"""Malicious archives: a bad member is rejected alone, without cost of time or memory."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import struct
import tarfile
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from citescape.loaders import archives
from citescape.loaders.documents import SourceDocument
from citescape.loaders.sources import iter_documents
from tests.ingest.papers import jats, write_files
from tests.loaders.test_sources import pack, refusals

COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "tar": bytes,
    "tar.gz": gzip.compress,
    "tar.xz": lzma.compress,
    "tar.bz2": bz2.compress,
}
BLOCK = 512


def header(name: str, size: int, *, kind: bytes = tarfile.REGTYPE) -> bytes:
    """A tar header that declares `size` bytes, of any value, also negative."""
    info = tarfile.TarInfo(name)
    info.type = kind
    raw = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    marked = size % (1 << 88) | (0xFF if size < 0 else 0x80) << 88
    raw[124:136] = marked.to_bytes(12, "big")
    return signed(raw)


def signed(raw: bytearray) -> bytes:
    """The header with a valid checksum."""
    raw[148:156] = b" " * 8
    raw[148:156] = b"%06o\0 " % sum(raw)
    return bytes(raw)


def member(name: str, data: bytes, *, kind: bytes = tarfile.REGTYPE) -> bytes:
    return header(name, len(data), kind=kind) + data + bytes(-len(data) % BLOCK)


def pax(**fields: object) -> bytes:
    """An extended header for the member that follows."""
    records = b""
    for name, value in fields.items():
        text = f" {name.replace('_', '.')}={value}\n"
        length = len(text) + len(str(len(text)))
        length = len(text) + len(str(length))
        records += f"{length}{text}".encode()
    return member("PaxHeader", records, kind=tarfile.XHDTYPE)


def write_tar(path: Path, *parts: bytes) -> Path:
    ending = path.name.partition(".")[2]
    path.write_bytes(COMPRESS[ending](b"".join(parts) + bytes(2 * BLOCK)))
    return path


def names(documents: Sequence[SourceDocument]) -> list[str]:
    """File names of the documents that can be read."""
    return [Path(document.path).name for document in documents if document.error is None]


def peak_memory(path: Path) -> tuple[list[SourceDocument], int]:
    """Documents of an archive, and the peak memory while they were read."""
    tracemalloc.start()
    documents = list(iter_documents([path]))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return documents, peak


@pytest.mark.parametrize("ending", COMPRESS)
@pytest.mark.parametrize("size", [10**12, 10**15, (1 << 62) + 1, 1 << 70])
@pytest.mark.parametrize("name", ["huge.xml", "huge.bin"])
def test_a_member_with_a_huge_declared_size_is_refused(
    tmp_path: Path, ending: str, size: int, name: str
) -> None:
    good, after = member("good.xml", jats(1)), member("after.xml", jats(2))
    path = write_tar(tmp_path / f"a.{ending}", good, header(name, size), after)
    documents = list(iter_documents([path]))

    assert names(documents) == ["good.xml"]
    refused = refusals(documents)
    assert refused[-1] == (str(path), "damaged-archive")
    assert refused[:-1] in ([], [(f"{path}/{name}", "too-large")])
    assert bool(refused[:-1]) == (name == "huge.xml" and size < 1 << 63)


@pytest.mark.parametrize("ending", COMPRESS)
def test_a_truncated_archive_is_read_up_to_the_cut(tmp_path: Path, ending: str) -> None:
    parts = [member("good.xml", jats(1)), header("huge.bin", 9 * 10**9), bytes(5000)]
    path = tmp_path / f"a.{ending}"
    path.write_bytes(COMPRESS[ending](b"".join(parts)))
    documents = list(iter_documents([path]))

    assert names(documents) == ["good.xml"]
    assert refusals(documents) == [(str(path), "damaged-archive")]


def test_a_large_member_is_skipped(tmp_path: Path) -> None:
    path = tmp_path / "a.tar"
    size = 5 * 10**12
    with path.open("wb") as file:  # a sparse file
        file.write(header("huge.bin", size))
        file.seek(size + -size % BLOCK, os.SEEK_CUR)
        file.write(member("good.xml", jats(1)) + bytes(2 * BLOCK))
    documents = list(iter_documents([path]))

    assert names(documents) == ["good.xml"]
    assert refusals(documents) == []


def test_a_compressed_member_is_decompressed_up_to_a_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    big, good = member("big.bin", bytes(100_000)), member("good.xml", jats(1))
    path = write_tar(tmp_path / "a.tar.gz", big, good)
    assert names(list(iter_documents([path]))) == ["good.xml"]
    monkeypatch.setattr(archives, "_LONGEST_SKIP", 99_999)

    assert refusals(iter_documents([path])) == [(str(path), "damaged-archive")]


@pytest.mark.parametrize("size", [-1, -BLOCK, -(10**6)])
@pytest.mark.parametrize("ending", ["tar", "tar.gz"])
@pytest.mark.parametrize("place", ["header", "pax", "long name"])
def test_a_negative_size_does_not_rewind(
    tmp_path: Path, size: int, ending: str, place: str
) -> None:
    kind = tarfile.GNUTYPE_LONGNAME if place == "long name" else tarfile.REGTYPE
    bad = pax(size=size) + header("bad.xml", 0) if place == "pax" else header("bad.xml", size)
    bad = header("bad.xml", size, kind=kind) if place == "long name" else bad
    path = write_tar(tmp_path / f"a.{ending}", member("good.xml", jats(1)), bad)
    documents = list(iter_documents([path]))

    assert names(documents) == ["good.xml"]
    assert refusals(documents) == [(str(path), "damaged-archive")]


@pytest.mark.parametrize("digits", [13, 19, 4000, 5000])
def test_sizes_in_pax_headers_are_checked(tmp_path: Path, digits: int) -> None:
    bad = pax(size="9" * digits) + header("bad.xml", 0)
    path = write_tar(tmp_path / "a.tar", member("good.xml", jats(1)), bad)
    documents = list(iter_documents([path]))

    assert names(documents)[0] == "good.xml"
    assert (f"{path}/bad.xml", "too-large") in refusals(documents) or digits > 13


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME])
@pytest.mark.parametrize("size", [2_000_000, 10**12])
def test_headers_use_little_memory(tmp_path: Path, kind: bytes, size: int) -> None:
    good = member("good.xml", jats(1))
    path = write_tar(tmp_path / "a.tar.gz", good, header("x", size, kind=kind), bytes(3_000_000))
    documents, peak = peak_memory(path)

    assert names(documents) == ["good.xml"]
    assert refusals(documents) == [(str(path), "damaged-archive")]
    assert peak < 5_000_000


def test_nested_headers_end(tmp_path: Path) -> None:
    many = member("x", b"n" * BLOCK, kind=tarfile.GNUTYPE_LONGNAME) * 20_000
    path = write_tar(tmp_path / "a.tar.gz", member("good.xml", jats(1)), many)
    documents, peak = peak_memory(path)

    assert names(documents) == ["good.xml"]
    assert refusals(documents) == [(str(path), "damaged-archive")]
    assert peak < 5_000_000


def sparse(entries: int) -> bytes:
    """A sparse member in GNU's first format, with a chain of maps of its holes."""
    raw = bytearray(header("sparse.xml", 0, kind=tarfile.GNUTYPE_SPARSE))
    raw[483:495] = b"%011o " % 1000  # its size with the holes
    raw[482] = 1
    more = bytearray((b"%011o " % 0) * 42 + bytes(BLOCK - 42 * 12))
    more[504] = 1
    last = bytearray(more)
    last[504] = 0
    return signed(raw) + bytes(more) * entries + bytes(last)


def test_sparse_maps_use_little_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "_LONGEST_HEADER", 100_000)
    good = member("good.xml", jats(1))
    old = write_tar(tmp_path / "old.tar.gz", good, sparse(4_000))
    fields = {"GNU_sparse_major": 1, "GNU_sparse_minor": 0, "GNU_sparse_realsize": 1000}
    holes = b"300000\n" + b"0\n" * 600_000
    new = write_tar(tmp_path / "new.tar.gz", good, pax(**fields), member("s.xml", holes))
    for path in (old, new):
        documents, peak = peak_memory(path)
        assert names(documents) == ["good.xml"]
        assert refusals(documents) == [(str(path), "damaged-archive")]
        assert peak < 1_500_000


def test_a_sparse_member_is_read_with_its_holes(tmp_path: Path) -> None:
    fields = {"GNU_sparse_major": 1, "GNU_sparse_minor": 0, "GNU_sparse_realsize": 2000}
    data = b"1\n500\n9\n".ljust(BLOCK, b"\0") + b"<article>"
    big = fields | {"GNU_sparse_realsize": 10**15}
    path = write_tar(
        tmp_path / "a.tar",
        pax(**fields) + member("some.xml", data),
        pax(**big) + member("huge.xml", data),
        member("good.xml", jats(1)),
    )
    some, huge, good = iter_documents([path])

    assert some.read() == bytes(500) + b"<article>" + bytes(1491)
    assert refusals([huge]) == [(huge.path, "too-large")]
    assert good.read() == jats(1)


def test_devices_links_and_copies_are_reported(tmp_path: Path) -> None:
    kinds = {
        "device": tarfile.CHRTYPE,
        "disk": tarfile.BLKTYPE,
        "pipe": tarfile.FIFOTYPE,
        "link": tarfile.SYMTYPE,
    }
    special = [header(f"{name}.xml", 0, kind=kind) for name, kind in kinds.items()]
    good = member("good.xml", jats(1))
    path = write_tar(tmp_path / "a.tar", *special, good, good)
    documents = list(iter_documents([path]))

    assert names(documents) == ["good.xml"] * 2
    assert refusals(documents) == [(f"{path}/{name}.xml", "unreadable") for name in kinds]


def test_nested_archives_are_skipped(tmp_path: Path) -> None:
    write_files(tmp_path / "in", [jats(1)])
    inner = pack(tmp_path / "in", "tar.gz").read_bytes()
    path = write_tar(tmp_path / "a.tar", member("in.tar.gz", inner), member("b.xml", jats(2)))

    assert names(list(iter_documents([path]))) == ["b.xml"]


def test_concatenated_gzip_members_are_one_archive(tmp_path: Path) -> None:
    """Concatenated gzip members, as `pigz` and `cat a.gz b.gz` make them."""
    raw = member("a.xml", jats(1)) + member("b.xml", jats(2)) + bytes(2 * BLOCK)
    path = tmp_path / "a.tar.gz"
    path.write_bytes(gzip.compress(raw[:700]) + gzip.compress(raw[700:]))

    assert names(list(iter_documents([path]))) == ["a.xml", "b.xml"]


NAMES = {
    b"caf\xe9.xml": r"caf\xe9.xml",
    b"a\nb.xml": r"a\nb.xml",
    b"a\x1b[31mb.xml": r"a\x1b[31mb.xml",
    "café.xml".encode(): "café.xml",
}


@pytest.mark.parametrize("name", NAMES)
def test_any_file_name_is_reported_as_text(tmp_path: Path, name: bytes) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / os.fsdecode(name)).write_bytes(jats(1))
    pax_named = write_tar(
        tmp_path / "pax.tar", member("PaxHeader", record(b"path", name), kind=b"x"),
        member("x.xml", jats(1)),
    )  # fmt: skip
    for path in (tmp_path / "in", pack(tmp_path / "in", "tar"), pax_named):
        (document,) = iter_documents([path])
        assert document.path == f"{path}/{NAMES[name]}"
        assert document.read() == jats(1)


def record(name: bytes, value: bytes) -> bytes:
    """A record of an extended header, of less than 90 bytes."""
    text = b" %s=%s\n" % (name, value)
    return b"%d%s" % (len(text) + 2, text)


@pytest.mark.parametrize("comment", [b"", b"and more"])
def test_zip_names_wrongly_marked_as_utf8_are_read(tmp_path: Path, comment: bytes) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("a.xml", "caf\u00e9.xml", "sch\u00f6n.xml"):
            info = zipfile.ZipInfo(name)
            info.comment = comment
            archive.writestr(info, jats(1))
        archive.comment = comment
    path.write_bytes(path.read_bytes().replace("caf\u00e9".encode(), b"caf\xe9\xff"))
    documents = list(iter_documents([path]))

    assert names(documents) == ["a.xml", r"caf\xe9\xff.xml", "sch\u00f6n.xml"]
    assert {document.read() for document in documents} == {jats(1)}


def test_zip_names_in_old_encodings_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("cafe.xml", jats(1))
    path.write_bytes(path.read_bytes().replace(b"cafe", b"caf\x82"))

    assert names(list(iter_documents([path]))) == ["café.xml"]


def test_zip_members_of_one_name_and_with_a_zero_byte_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("a.xml", "c.xml", "b.xmlZtxt", "inner.zip"):
            archive.writestr(name, jats(1))
    path.write_bytes(path.read_bytes().replace(b"b.xmlZ", b"b.xml\0").replace(b"c.xml", b"a.xml"))
    documents = list(iter_documents([path]))

    assert names(documents) == ["a.xml", "a.xml", "b.xml"]
    assert refusals(documents) == []


@pytest.mark.parametrize(("field", "at"), [("compressed", 20), ("size", 24)])
@pytest.mark.parametrize("size", [90_000_000, 0xFFFF_FFF0])
def test_a_zip_member_with_a_huge_declared_size_is_refused(
    tmp_path: Path, field: str, at: int, size: int
) -> None:
    write_files(tmp_path / "in", [jats(1), jats(2), jats(3)])
    path = pack(tmp_path / "in", "zip")
    data = bytearray(path.read_bytes())
    place = data.index(b"PK\x01\x02", data.index(b"PK\x01\x02") + 1)
    struct.pack_into("<I", data, place + at, size)
    path.write_bytes(data)
    documents = list(iter_documents([path]))

    refused_paths = [path_ for path_, _ in refusals(documents)]
    assert refused_paths == ([] if (field, size) == ("size", 90_000_000) else [f"{path}/01.xml"])
    assert {"00.xml", "02.xml"} <= set(names(documents))


def test_overlapping_zip_members_are_read_once(tmp_path: Path) -> None:
    """Two hundred members in the directory share the same bytes (a bomb of D. Fifield's kind)."""
    bomb = zlib.compressobj(9, zlib.DEFLATED, -15)
    raw = bomb.compress(bytes(5_000_000)) + bomb.flush()
    check = zlib.crc32(bytes(5_000_000))
    fields = (20, 0, 8, 0, 0, check, len(raw), 5_000_000, 5, 0)
    local = b"PK\x03\x04" + struct.pack("<5H3I2H", *fields) + b"a.xml" + raw
    entry = b"PK\x01\x02" + struct.pack("<6H3I5H2I", 20, *fields, 0, 0, 0, 0, 0) + b"a.xml"
    listed = entry * 200
    end = b"PK\x05\x06" + struct.pack("<4H2IH", 0, 0, 200, 200, len(listed), len(local), 0)
    path = tmp_path / "a.zip"
    path.write_bytes(local + listed + end)
    documents = list(iter_documents([path]))

    assert len(documents) == 200
    assert len(names(documents)) <= len(path.read_bytes()) // len(raw)
    assert {reason for _, reason in refusals(documents)} == {"damaged-archive"}


def test_an_unreadable_archive_is_not_reported_as_damaged(tmp_path: Path) -> None:
    path = tmp_path / "a.tar.gz"
    path.symlink_to(path)

    refused = refusals(archives.read_archive(path, archives.Counter()))
    assert refused == [(str(path), "unreadable-archive")]
    assert refusals(iter_documents([tmp_path])) == [(str(path), "unreadable")]
