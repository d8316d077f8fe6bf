"""Files, folders and archives hold the same papers; truncated archives keep complete members."""

from __future__ import annotations

import gzip
import io
import os
import tarfile
import tracemalloc
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from citescape.core.errors import SourceError
from citescape.loaders import xml
from citescape.loaders.documents import SourceDocument
from citescape.loaders.sources import count_documents, iter_documents
from citescape.store.graph_store import GraphStore, open_store
from tests.ingest.papers import jats, load, small_corpus, snapshot, write_files
from tests.loaders.articles import article

KINDS = ("tar.gz", "tar.xz", "tar.bz2", "tar", "zip")


def pack(folder: Path, kind: str) -> Path:
    """All files of a folder in an archive beside it."""
    path = folder.with_name(f"{folder.name}.{kind}")
    files = sorted(folder.iterdir())
    if kind == "zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in files:
                archive.write(file, file.name)
        return path
    mode = "w:" + kind.removeprefix("tar").removeprefix(".")
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for file in files:
            archive.add(file, file.name)
    return path


def test_archives_of_any_kind_give_the_papers_of_the_folder(
    fresh_store: Callable[[], GraphStore], tmp_path: Path
):
    folder = tmp_path / "in"
    write_files(folder, small_corpus(3))
    store = fresh_store()
    load(store, folder)
    wanted = snapshot(store, without=["path", "source_paths"])
    for kind in ("tar.xz", "zip"):
        store = fresh_store()
        load(store, pack(folder, kind))
        assert snapshot(store, without=["path", "source_paths"]) == wanted


@pytest.mark.parametrize("kind", KINDS)
def test_members_are_read_in_order_and_other_files_skipped(tmp_path: Path, kind: str):
    paths = write_files(tmp_path / "in", [jats(1), jats(2)])
    (tmp_path / "in" / "readme.txt").write_text("not a paper")
    archive = pack(tmp_path / "in", kind)
    result = list(iter_documents([archive]))
    assert [document.path for document in result] == [f"{archive}/{p.name}" for p in paths]
    assert [document.read() for document in result] == [p.read_bytes() for p in paths]


def test_folders_are_searched_in_name_order_including_archives(tmp_path: Path):
    write_files(tmp_path / "in" / "b", [jats(1)])
    write_files(tmp_path / "x", [jats(2)])
    pack(tmp_path / "x", "tar.gz").rename(tmp_path / "in" / "a.tar.gz")
    (tmp_path / "in" / "c.nxml").write_bytes(jats(3))
    names = [Path(document.path).name for document in iter_documents([tmp_path / "in"])]
    assert names == ["00.xml", "00.xml", "c.nxml"]


def test_a_missing_path_is_an_error_before_reading(tmp_path: Path):
    (path,) = write_files(tmp_path, [jats(1)])
    with pytest.raises(SourceError, match="no such file") as caught:
        next(iter_documents([path, tmp_path / "nowhere"]))
    assert caught.value.reason == "missing"


@pytest.mark.parametrize("kind", ["tar.gz", "tar.xz", "zip"])
def test_a_truncated_archive_is_reported_in_one_line(tmp_path: Path, kind: str):
    write_files(tmp_path / "in", [jats(i, text=_noise(i)) for i in range(8)])
    whole = pack(tmp_path / "in", kind).read_bytes()
    cut = tmp_path / f"cut.{kind}"
    cut.write_bytes(whole[: len(whole) * 3 // 4])
    store = open_store(str(tmp_path / "s.lbug"))
    result = load(store, cut)
    store.close()
    assert result.damage is not None
    assert result.damage.reason == "damaged-archive"
    assert "\n" not in str(result.damage)
    assert str(cut) in str(result.damage)
    # The directory of a zip archive is at its end: a truncated archive cannot be read at all.
    assert result.fulltext_papers == 0 if kind == "zip" else 0 < result.fulltext_papers < 8


def _noise(seed: int) -> str:
    """Text that does not compress."""
    import random

    rng = random.Random(seed)
    return "".join(rng.choices("abcdefghij ", k=20_000))


def test_a_file_that_is_not_an_archive_is_reported(tmp_path: Path):
    path = tmp_path / "a.tar.gz"
    path.write_bytes(b"garbage" * 100)
    (document,) = iter_documents([path])

    assert refusals([document]) == [(str(path), "damaged-archive")]


def refusals(documents: Iterable[SourceDocument]) -> list[tuple[str, str]]:
    """Path and reason of every unreadable document; each message is one line."""
    refused, messages = [], []
    for document in documents:
        try:
            document.read()
        except SourceError as error:
            refused.append((document.path, error.reason))
            messages.append(str(error))
    assert not any("\n" in message for message in messages)
    return refused


def test_files_after_a_damaged_archive_are_read(tmp_path: Path):
    write_files(tmp_path / "a", [jats(1)])
    whole = pack(tmp_path / "a", "tar.gz")
    whole.write_bytes(whole.read_bytes()[:-40])
    pack(tmp_path / "a", "zip").write_bytes(b"PK")
    (last,) = write_files(tmp_path / "b", [jats(2)])
    store = open_store(str(tmp_path / "s.lbug"))
    for loaded in (1, 0):
        result = load(store, whole, tmp_path / "a.zip", last)
        assert result.status["loaded"] == loaded
        assert result.status["rejected"] == 2
        assert [path for path, _ in result.rejected] == [str(whole), str(tmp_path / "a.zip")]
        assert result.damage is not None
        assert result.damage.path == str(whole)
    with pytest.raises(SourceError, match="strict"):
        load(store, whole, last, strict=True)
    store.close()


def test_a_damaged_zip_member_does_not_affect_others(tmp_path: Path):
    write_files(tmp_path / "in", [jats(i, text=_noise(i)) for i in range(3)])
    path = pack(tmp_path / "in", "zip")
    with zipfile.ZipFile(path) as archive:
        at = archive.getinfo("01.xml").header_offset + 5000
    data = bytearray(path.read_bytes())
    data[at : at + 20] = bytes(20)
    path.write_bytes(data)
    documents = list(iter_documents([path]))

    assert len(documents) == 3
    assert refusals(documents) == [(f"{path}/01.xml", "damaged-archive")]


@pytest.mark.parametrize(("field", "value"), [("flags", 1), ("compression", 99)])
def test_encrypted_and_unsupported_members_are_reported(tmp_path: Path, field: str, value: int):
    write_files(tmp_path / "in", [jats(1), jats(2)])
    path = pack(tmp_path / "in", "zip")
    data = bytearray(path.read_bytes())
    for signature, start in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.index(signature) + start + (2 if field == "compression" else 0)
        data[at] = value
    path.write_bytes(data)

    assert refusals(iter_documents([path])) == [(f"{path}/00.xml", "unreadable")]


def test_a_damaged_header_does_not_end_the_archive(tmp_path: Path):
    write_files(tmp_path / "in", [jats(i) for i in range(3)])
    path = pack(tmp_path / "in", "tar")
    with tarfile.open(path) as archive:
        at = archive.getmembers()[1].offset
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)
    documents = list(iter_documents([path]))

    assert len(documents) == 2
    assert refusals(documents) == [(str(path), "damaged-archive")]


def test_an_archive_cut_between_two_members_is_damaged(tmp_path: Path):
    write_files(tmp_path / "in", [jats(i) for i in range(3)])
    path = pack(tmp_path / "in", "tar")
    with tarfile.open(path) as archive:
        at = archive.getmembers()[1].offset
    path.write_bytes(path.read_bytes()[:at])

    assert refusals(iter_documents([path])) == [(str(path), "damaged-archive")]


@pytest.mark.parametrize("form", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT])
def test_a_huge_header_is_refused_before_it_is_read(tmp_path: Path, form: int):
    path = tmp_path / "bomb.tar.gz"
    with tarfile.open(path, "w:gz", format=form) as archive:
        archive.addfile(tarfile.TarInfo("n" * 20_000_000 + ".xml"))
    tracemalloc.start()
    documents = list(iter_documents([path]))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert refusals(documents) == [(str(path), "damaged-archive")]
    assert peak < 5_000_000


def test_long_names_are_read(tmp_path: Path):
    path = tmp_path / "a.tar"
    data = jats(1)
    for form in (tarfile.PAX_FORMAT, tarfile.GNU_FORMAT):
        member = tarfile.TarInfo("n" * 3000 + ".xml")
        member.size = len(data)
        with tarfile.open(path, "w", format=form) as archive:
            archive.addfile(member, io.BytesIO(data))
        (result,) = iter_documents([path])
        assert result.path == f"{path}/{member.name}"
        assert result.read() == data


def test_links_in_an_archive_are_reported(tmp_path: Path):
    write_files(tmp_path / "in", [jats(1)])
    path = tmp_path / "in.tar"
    with tarfile.open(path, "w") as archive:
        archive.add(tmp_path / "in" / "00.xml", "a.xml")
        for name, kind in (("hard.xml", tarfile.LNKTYPE), ("soft.xml", tarfile.SYMTYPE)):
            link = tarfile.TarInfo(name)
            link.type, link.linkname = kind, "a.xml"
            archive.addfile(link)
    documents = list(iter_documents([path]))

    assert len(documents) == 3
    expected = [(f"{path}/{name}.xml", "unreadable") for name in ("hard", "soft")]
    assert refusals(documents) == expected


def test_file_extensions_in_any_case(tmp_path: Path):
    (file,) = write_files(tmp_path / "in", [jats(1)])
    file.rename(file.with_name("A.XML"))
    pack(tmp_path / "in", "tar.gz").rename(tmp_path / "in" / "B.TAR.GZ")
    pack(tmp_path / "in", "zip").rename(tmp_path / "in" / "C.Zip")
    names = [Path(document.path).name for document in iter_documents([tmp_path / "in"])]

    assert names == ["A.XML"] * 3


def test_reading_stops_at_the_size_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    write_files(tmp_path / "in", [b"<a/>" * 100])
    for kind in ("tar", "zip"):
        pack(tmp_path / "in", kind)
    monkeypatch.setattr(xml, "MAX_BYTES", 399)
    documents = list(iter_documents([tmp_path / "in", tmp_path / "in.tar", tmp_path / "in.zip"]))

    assert [
        reason for _, reason in refusals([*documents, SourceDocument("z", 0, Path("/dev/zero"))])
    ] == ["too-large"] * 4


def test_compressed_documents_are_read_with_any_extension(tmp_path: Path):
    folder = tmp_path / "in"
    folder.mkdir()
    for name in ("a.xml.gz", "b.NXML.GZ", "c.xml"):
        (folder / name).write_bytes(gzip.compress(jats(1)))
    for kind in ("tar", "zip"):
        pack(folder, kind)
    result = list(iter_documents([folder, tmp_path / "in.tar", tmp_path / "in.zip"]))

    assert len(result) == 9
    assert {document.read() for document in result} == {jats(1)}


def test_compressed_documents_are_bounded_and_damage_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(xml, "MAX_BYTES", 10_000)
    (tmp_path / "a.xml.gz").write_bytes(gzip.compress(b" " * 1_000_000))
    (tmp_path / "b.xml.gz").write_bytes(gzip.compress(jats(1))[:-20])

    reasons = [reason for _, reason in refusals(iter_documents([tmp_path]))]
    assert reasons == ["too-large", "damaged-archive"]


def test_unread_files_are_counted(tmp_path: Path):
    folder = tmp_path / "in"
    write_files(folder, [jats(1)])
    for name in ("a.pdf", "b.PDF", "c.json", "README", "d.zip"):
        (folder / name).write_bytes(b"")
    for kind in ("tar", "zip"):
        passed: Counter[str] = Counter()
        list(iter_documents([pack(folder, kind)], passed_over=passed))
        assert passed == {".pdf": 2, "without ending": 1, ".zip": 1}
    passed = Counter()
    (folder / "ring").symlink_to(folder)
    list(iter_documents([folder], passed_over=passed))

    assert passed == {".pdf": 2, "without ending": 1, "linked folder": 1}


def test_archives_are_recognised_by_their_first_bytes(tmp_path: Path):
    write_files(tmp_path / "in", [jats(1)])
    for kind in KINDS:
        path = pack(tmp_path / "in", kind).rename(tmp_path / "in.dat")
        (result,) = iter_documents([path])
        assert result.read() == jats(1), kind


def test_a_pipe_is_refused(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    os.mkfifo(tmp_path / "pipe.xml")
    documents = list(iter_documents([tmp_path / "pipe", tmp_path]))

    assert [reason for _, reason in refusals(documents)] == ["unreadable"] * 2


def test_a_broken_link_in_a_folder_is_reported(tmp_path: Path):
    (tmp_path / "a.xml").symlink_to(tmp_path / "gone.xml")

    assert refusals(iter_documents([tmp_path])) == [(str(tmp_path / "a.xml"), "unreadable")]


def test_addresses_are_distinguished_from_missing_files():
    with pytest.raises(SourceError, match="files are not downloaded") as caught:
        list(iter_documents([Path("https://example.org/a.xml")]))
    assert caught.value.path == "https://example.org/a.xml"


def test_a_growing_file_is_read_completely(tmp_path: Path):
    (path,) = write_files(tmp_path, [jats(1)])
    (document,) = iter_documents([path])
    path.write_bytes(jats(1, text="longer"))

    assert document.read() == jats(1, text="longer")


def test_a_deleted_file_is_reported(tmp_path: Path):
    (path,) = write_files(tmp_path, [jats(1)])
    documents = list(iter_documents([path]))
    path.unlink()

    assert refusals(documents) == [(str(path), "unreadable")]


def test_folders_and_zip_archives_are_counted(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "one.xml").write_bytes(article("<p>One.</p>"))
    (tmp_path / "two.NXML").write_bytes(article("<p>Two.</p>"))
    (tmp_path / "three.pdf").touch()
    with zipfile.ZipFile(tmp_path / "more.zip", "w") as archive:
        archive.write(tmp_path / "two.NXML", "a/two.nxml")
        archive.write(tmp_path / "three.pdf", "three.pdf")
    assert count_documents([tmp_path]) == 3 == len(list(iter_documents([tmp_path])))
    assert count_documents([tmp_path, tmp_path / "two.NXML"]) == 4


def test_documents_that_cannot_be_counted_without_reading(tmp_path: Path) -> None:
    (tmp_path / "one.xml").write_bytes(article("<p>One.</p>"))
    with tarfile.open(tmp_path / "papers.tar", "w") as archive:
        archive.add(tmp_path / "one.xml", "one.xml")
    assert count_documents([tmp_path]) is None
    (tmp_path / "cut.zip").write_bytes(b"PK")
    assert count_documents([tmp_path / "cut.zip"]) is None
