"""Files appear complete or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pyarrow as pa
import pytest

from citescape.core.errors import ConfigError
from citescape.core.files import check_absent, check_folder, find_strays, name_files, write_files
from citescape.mapping.exports.attributed import AttributedNetwork
from citescape.mapping.exports.formats import FORMATS
from citescape.networks.network import build_network
from tests.disk import small_disk

_NONE = np.array([], int)
_IDS = pa.array(["a"])
CONTENT = AttributedNetwork(
    build_network(_IDS, (_NONE, _NONE), np.array([])),
    pa.table({"id": _IDS, "title": _IDS, "authors": _IDS, "year": [2000]}),
    pa.table({}),
    "knn",
)


Write = Callable[[BinaryIO], object]


def text(words: bytes) -> Write:
    return lambda sink: sink.write(words)


def fail(sink: BinaryIO) -> None:
    sink.write(b"half")
    raise RuntimeError("in the middle")


def stop(sink: BinaryIO) -> None:
    sink.write(b"half")
    raise KeyboardInterrupt


@pytest.mark.parametrize("name", ["crops", "crops.net", "crops-year.vec", "crops.vec"])
def test_any_suffix_of_the_format_is_accepted(name: str) -> None:
    parts = {".net": text(b""), "-year.vec": text(b"")}
    assert list(name_files(Path("a.b") / name, parts)) == [
        Path("a.b/crops.net"),
        Path("a.b/crops-year.vec"),
    ]


@pytest.mark.parametrize("form", FORMATS)
def test_the_first_file_has_the_suffix_of_the_format(form: str) -> None:
    for name in ("my.crops", f"my.crops{FORMATS[form].suffix}"):
        first, *_ = name_files(Path(name), FORMATS[form].parts(CONTENT))
        assert first.name == f"my.crops{FORMATS[form].suffix}"


def test_files_are_replaced_atomically(tmp_path: Path) -> None:
    (tmp_path / "b").write_bytes(b"old")
    parts = {tmp_path / "a": text(b"one"), tmp_path / "b": text(b"three")}
    assert write_files(parts) == {tmp_path / "a": 3, tmp_path / "b": 5}
    assert (tmp_path / "b").read_bytes() == b"three"
    assert sorted(os.listdir(tmp_path)) == ["a", "b"]


@pytest.mark.parametrize(("part", "error"), [(fail, RuntimeError), (stop, KeyboardInterrupt)])
def test_existing_files_stay_when_writing_fails(
    tmp_path: Path, part: Write, error: type[BaseException]
) -> None:
    (tmp_path / "a").write_bytes(b"old")
    with pytest.raises(error):
        write_files({tmp_path / "a": text(b"new"), tmp_path / "b": part})
    assert os.listdir(tmp_path) == ["a"]
    assert (tmp_path / "a").read_bytes() == b"old"


@pytest.mark.parametrize("form", FORMATS)
def test_a_full_disk_leaves_no_files(tmp_path: Path, form: str) -> None:
    files = name_files(tmp_path / "crops", FORMATS[form].parts(CONTENT))
    with (
        small_disk(10),
        pytest.raises(ConfigError, match=r"cannot be written: .*; nothing was left"),
    ):
        write_files({path: partial(part, CONTENT) for path, part in files.items()})
    assert os.listdir(tmp_path) == []


def test_a_folder_at_the_path_of_a_file_is_refused(tmp_path: Path) -> None:
    """The error is raised before any file is replaced."""
    (tmp_path / "a").write_bytes(b"old")
    (tmp_path / "b").mkdir()
    with pytest.raises(ConfigError, match=r"b cannot be written: it exists and is not a regular"):
        write_files({tmp_path / "a": text(b"new"), tmp_path / "b": text(b"new")})
    assert sorted(os.listdir(tmp_path)) == ["a", "b"]
    assert (tmp_path / "a").read_bytes() == b"old"


def test_a_partial_replacement_names_the_replaced_files(tmp_path: Path) -> None:
    """A folder of the same name appears while files are written."""
    (tmp_path / "a").write_bytes(b"old")

    def meanwhile(sink: BinaryIO) -> None:
        sink.write(b"new")
        (tmp_path / "b").mkdir()

    with pytest.raises(ConfigError, match=r"b cannot be written: .*; a written, the others not: "):
        write_files({tmp_path / "a": text(b"new"), tmp_path / "b": meanwhile})
    assert sorted(os.listdir(tmp_path)) == ["a", "b"]
    assert (tmp_path / "a").read_bytes() == b"new"


def test_stray_files_of_the_same_stem_are_found(tmp_path: Path) -> None:
    for name in ("my.crops-fine.clu", "my.crops-year.vec", "my.crops-a.txt", "crops-b.clu"):
        (tmp_path / name).touch()
    written = [tmp_path / "my.crops.net", tmp_path / "my.crops-year.vec"]
    assert find_strays(written, ".net", (".clu", ".vec")) == [tmp_path / "my.crops-fine.clu"]
    assert find_strays(written, ".net", ()) == []


def test_invalid_output_paths_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"is a folder; expected the name of a file"):
        check_folder(tmp_path)
    with pytest.raises(ConfigError, match=r"no folder .*absent for x\.gexf; create it, or name"):
        check_folder(tmp_path / "absent" / "x.gexf")
    check_folder(tmp_path / "x.gexf")


def test_a_read_only_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The superuser may write anywhere, so the system's error is simulated."""
    monkeypatch.setattr(os, "access", lambda path, _: Path(path) != tmp_path)
    with pytest.raises(ConfigError, match="cannot write in"):
        check_folder(tmp_path / "x.gexf")


def test_existing_files_are_replaced_only_with_force(tmp_path: Path) -> None:
    check_absent([tmp_path / "a"])
    (tmp_path / "a").touch()
    with pytest.raises(ConfigError, match=r"a exists; name another file, or add --force"):
        check_absent([tmp_path / "b", tmp_path / "a"])
