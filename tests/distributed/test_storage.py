"""Files in folders and object stores: whole or absent."""

from __future__ import annotations

import pickle
from pathlib import Path

import pyarrow as pa
import pytest

from citescape.core.errors import ConfigError, StoreError
from citescape.distributed.storage import Storage


@pytest.fixture(params=["folder", "memory"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Storage:
    """A folder on disk, and one in the memory of this process."""
    if request.param == "folder":
        return Storage(str(tmp_path / "files"))
    return Storage(f"memory://{tmp_path.name}/files")


def test_files_are_listed_read_and_removed(storage: Storage) -> None:
    assert storage.sizes() == {}
    storage.write("b/two", b"content")
    storage.write("a", b"")
    storage.write_json("b/three/x.json", {"n": [1]})
    assert storage.sizes() == {"a": 0, "b/three/x.json": 18, "b/two": 7}
    assert storage.sizes("b/three") == {"b/three/x.json": 18}
    assert storage.read("b/two") == b"content"
    assert storage.read("b/two", 2, 4) == b"nt"
    assert storage.read_json("b/three/x.json") == {"n": [1]}
    storage.remove("b")
    storage.remove("missing")
    assert storage.sizes() == {"a": 0}


def test_tables_are_read_by_columns(storage: Storage) -> None:
    rows = pa.table({"id": ["x", "y"], "n": [1, 2]})
    assert storage.write_table("t.parquet", rows) == storage.sizes()["t.parquet"]
    assert storage.read_table("t.parquet") == rows
    assert storage.read_table("t.parquet", ["n"]) == rows.select(["n"])


def test_a_file_that_fails_while_it_is_written_is_absent(storage: Storage) -> None:
    storage.write("kept", b"before")

    def fail(name: str) -> None:
        with storage.writing(name) as sink:
            sink.write(b"half")
            raise ZeroDivisionError

    for name in ("kept", "new"):
        with pytest.raises(ZeroDivisionError):
            fail(name)
    assert storage.sizes() == {"kept": 6}
    assert storage.read("kept") == b"before"


def test_missing_and_damaged_files_are_named(storage: Storage) -> None:
    with pytest.raises(StoreError, match="files/none is missing"):
        storage.read("none")
    storage.write("t.parquet", b"PAR1 but not really")
    with pytest.raises(StoreError, match=r"files/t\.parquet is damaged"):
        storage.read_table("t.parquet")
    storage.write("x.json", b"{")
    with pytest.raises(StoreError, match=r"files/x\.json is damaged"):
        storage.read_json("x.json")


def test_a_storage_travels_as_its_address(storage: Storage) -> None:
    storage.write("a", b"1")
    assert pickle.loads(pickle.dumps(storage)) == storage


def test_a_relative_folder_is_that_of_the_process_that_named_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    sent = pickle.dumps(Storage("files"))
    (other := tmp_path / "other").mkdir()
    monkeypatch.chdir(other)
    received = pickle.loads(sent)
    received.write("a", b"1")
    assert (tmp_path / "files" / "a").read_bytes() == b"1"
    assert received.address == "files"


def test_an_address_that_nothing_understands_is_refused() -> None:
    with pytest.raises(ConfigError, match="expected a folder, or an address such as s3"):
        Storage("nothing://x/y").sizes()
