"""Files, folders and archives hold the same papers; a cut archive keeps what came before."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from citescape.errors import SourceError
from citescape.graph.store import GraphStore, open_store
from citescape.loaders.sources import iter_documents
from tests.graph.papers import jats, load, small_corpus, snapshot, write_files

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


def test_archives_of_any_kind_hold_what_the_folder_holds(
    fresh_store: Callable[[], GraphStore], tmp_path: Path
):
    folder = tmp_path / "in"
    write_files(folder, small_corpus(3))
    store = fresh_store()
    load(store, folder)
    wanted = snapshot(store, without=["path"])
    for kind in ("tar.xz", "zip"):
        store = fresh_store()
        load(store, pack(folder, kind))
        assert snapshot(store, without=["path"]) == wanted


@pytest.mark.parametrize("kind", KINDS)
def test_members_come_in_order_and_others_are_passed_over(tmp_path: Path, kind: str):
    paths = write_files(tmp_path / "in", [jats(1), jats(2)])
    (tmp_path / "in" / "readme.txt").write_text("not a paper")
    archive = pack(tmp_path / "in", kind)
    found = list(iter_documents([archive]))
    assert [document.path for document in found] == [f"{archive.name}/{p.name}" for p in paths]
    assert [document.read() for document in found] == [p.read_bytes() for p in paths]


def test_folders_are_searched_in_name_order_archives_inside_too(tmp_path: Path):
    write_files(tmp_path / "in" / "b", [jats(1)])
    write_files(tmp_path / "x", [jats(2)])
    pack(tmp_path / "x", "tar.gz").rename(tmp_path / "in" / "a.tar.gz")
    (tmp_path / "in" / "c.nxml").write_bytes(jats(3))
    names = [Path(document.path).name for document in iter_documents([tmp_path / "in"])]
    assert names == ["00.xml", "00.xml", "c.nxml"]


def test_a_missing_path_stops_before_anything_is_read(tmp_path: Path):
    (path,) = write_files(tmp_path, [jats(1)])
    with pytest.raises(SourceError, match="no such file") as caught:
        next(iter_documents([path, tmp_path / "nowhere"]))
    assert caught.value.reason == "missing"


@pytest.mark.parametrize("kind", ["tar.gz", "tar.xz", "zip"])
def test_a_cut_archive_is_told_in_one_line(tmp_path: Path, kind: str):
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
    # A zip's list of members stands at its end: what is cut off cannot be read at all.
    assert result.fulltext_papers == 0 if kind == "zip" else 0 < result.fulltext_papers < 8


def _noise(seed: int) -> str:
    """Text that does not compress away."""
    import random

    rng = random.Random(seed)
    return "".join(rng.choice("abcdefghij ") for _ in range(200_000))


def test_an_archive_that_is_none_is_told(tmp_path: Path):
    path = tmp_path / "a.tar.gz"
    path.write_bytes(io.BytesIO(b"garbage" * 100).getvalue())
    (told,) = iter_documents([path])
    with pytest.raises(SourceError, match="cut off or damaged"):
        told.read()
