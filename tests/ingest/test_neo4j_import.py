"""Files for the offline importer: the printed command runs with the real importer."""

from __future__ import annotations

import fcntl
import os
import shlex
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from citescape.core.errors import StoreError
from citescape.ingest.config import IngestConfig
from citescape.ingest.ingest import IngestProgress
from citescape.ingest.neo4j_import import prepare_import, tables_of, write_import_files
from citescape.store.graph_store import Change, GraphStore, open_store
from citescape.store.schema import NODES, TABLE
from citescape.store.statements import read_text
from tests.ingest.awkward import awkward_tables, by_key
from tests.ingest.papers import load, small_corpus, snapshot, write_files
from tests.neo4j.server import RELEASES, Neo4jServer, Release, admin_command, why_unavailable
from tests.required import skip_outside_ci


@pytest.fixture
def embedded(tmp_path: Path) -> Iterator[GraphStore]:
    store = open_store(str(tmp_path / "s.lbug"))
    yield store
    store.close()


@pytest.fixture(params=RELEASES.values(), ids=lambda release: f"neo4j-{release.name}")
def release(request: pytest.FixtureRequest) -> Release:
    """Each tested release of Neo4j."""
    release: Release = request.param
    if (reason := why_unavailable(release)) is not None:
        skip_outside_ci(f"no Neo4j: {reason}")
    return release


@pytest.fixture
def imported(release: Release, tmp_path: Path) -> Callable[[str], Path]:
    """Runs a printed command as a user would, with `neo4j-admin` on the PATH.

    Returns the server's home.
    """
    home, tools = tmp_path / "home", tmp_path / "bin"
    home.mkdir()
    tools.mkdir()
    admin = tools / "neo4j-admin"
    admin.write_text(f'#!/bin/sh\nexec {shlex.join(admin_command(release))} "$@"\n')
    admin.chmod(0o755)
    environment = os.environ | {
        "NEO4J_HOME": str(home),
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
    }

    def run(command: str) -> Path:
        done = subprocess.run(
            command, shell=True, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return home

    return run


def test_an_imported_graph_equals_the_loaded_graph(
    embedded: GraphStore, release: Release, imported: Callable[[str], Path], tmp_path: Path
) -> None:
    """A corpus and all awkward values are imported; then the server is used like other stores."""
    load(embedded, *write_files(tmp_path / "papers", small_corpus()))
    tables = awkward_tables()
    embedded.apply([Change("insert", name, rows) for name, rows in tables.items()])
    command = write_import_files(tables_of(embedded), tmp_path / "files of 'ours'")
    assert "--multiline-fields=true" in command
    with Neo4jServer(imported(command), release=release) as server:
        with pytest.raises(StoreError, match=r"comes from the offline importer .* `platform score"):
            open_store(server.uri, read_only=True)
        store = open_store(server.uri)
        open_store(server.uri, read_only=True).close()
        content, wanted = snapshot(store), snapshot(embedded)
        for name in TABLE:
            if name != "Meta":
                assert content[name] == wanted[name], name
        assert set(wanted["Meta"]) < set(content["Meta"])
        constraints = store.read("SHOW CONSTRAINTS YIELD labelsOrTypes AS l RETURN l[0] AS label")
        assert sorted(constraints["label"].to_pylist()) == sorted(table.name for table in NODES)
        store.apply([Change("delete", "Keyword", tables["Keyword"])])
        store.apply([Change("insert", "Keyword", tables["Keyword"])])
        assert snapshot(store)["Keyword"] == wanted["Keyword"]
        store.close()
        again = open_store(server.uri)
        assert snapshot(again)["Paper"] == wanted["Paper"]
        types = (
            "MATCH (p:Paper {year: 2010}) RETURN valueType(p.year) AS y, valueType(p.fulltext) AS f"
        )
        assert again.read(f"{types} LIMIT 1").to_pylist() == [
            {"y": "INTEGER NOT NULL", "f": "BOOLEAN NOT NULL"}
        ]
        again.close()


def test_papers_are_written_to_files_without_leftovers(tmp_path: Path) -> None:
    papers = write_files(tmp_path / "papers", [*small_corpus(4), b"not xml"])
    steps: list[IngestProgress] = []
    folder = tmp_path / "files"
    result = prepare_import(papers, folder, config=IngestConfig(workers=1), progress=steps.append)
    assert result.fulltext_papers == 4
    assert [path for path, _ in result.rejected] == [str(papers[4])]
    assert steps[-1].step == "writing import files"
    names = {path.name for path in folder.iterdir()}
    used = {
        word.rpartition("=./")[2] for word in shlex.split(result.import_command) if ".csv" in word
    }
    assert names == used
    assert {"Paper.csv", "CITES.csv", "Meta.csv"} < names
    assert "HAS_MESH.csv" not in names  # empty tables have no file
    assert result.import_command.startswith(
        f"cd {folder} && neo4j-admin database import full neo4j "
    )


def test_files_of_an_earlier_import_are_removed(embedded: GraphStore, tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "HAS_MESH.csv").write_text("old")
    load(embedded, *write_files(tmp_path / "papers", small_corpus(2)))
    write_import_files(tables_of(embedded), tmp_path / "files")
    assert not (tmp_path / "files" / "HAS_MESH.csv").exists()


def test_a_killed_export_leaves_no_files(embedded: GraphStore, tmp_path: Path) -> None:
    folder = tmp_path / "files"
    left = folder / ".unfinished"
    left.mkdir(parents=True)
    (left / "papers.lbug").write_text("half a store")
    load(embedded, *write_files(tmp_path / "papers", small_corpus(2)))
    write_import_files(tables_of(embedded), folder)
    assert {path.suffix for path in folder.iterdir()} == {".csv"}


def test_earlier_files_stay_complete_if_writing_fails(embedded: GraphStore, tmp_path: Path) -> None:
    folder = tmp_path / "files"
    load(embedded, *write_files(tmp_path / "papers", small_corpus(2)))
    write_import_files(tables_of(embedded), folder)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    embedded.write("MATCH (p:Paper) SET p.surnames = $names", names=["\x1d"])
    with pytest.raises(StoreError, match=r"Paper\.surnames holds one of the control characters"):
        write_import_files(tables_of(embedded), folder)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_files_are_written_by_one_process_at_a_time(embedded: GraphStore, tmp_path: Path) -> None:
    descriptor = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    with pytest.raises(StoreError, match=r"another process is writing import files to .*; wait"):
        write_import_files(tables_of(embedded), tmp_path)
    os.close(descriptor)
    write_import_files(tables_of(embedded), tmp_path)


def test_reserved_characters_are_refused(embedded: GraphStore, tmp_path: Path) -> None:
    rows = awkward_tables()["Paper"].slice(0, 1)
    names = pa.array([["a\x1fb"]], pa.list_(pa.string()))
    rows = rows.set_column(rows.schema.get_field_index("surnames"), "surnames", names)
    embedded.apply([Change("insert", "Paper", rows)])
    with pytest.raises(StoreError, match=r"Paper\.surnames holds one of the control characters"):
        write_import_files(tables_of(embedded), tmp_path / "files")


def test_the_marker_of_empty_number_lists_is_refused(embedded: GraphStore, tmp_path: Path) -> None:
    rows = awkward_tables()["Paper"].slice(0, 1)
    ends = pa.array([[-(2**63)]], pa.list_(pa.int64()))
    rows = rows.set_column(rows.schema.get_field_index("abstract_ends"), "abstract_ends", ends)
    embedded.apply([Change("insert", "Paper", rows)])
    with pytest.raises(
        StoreError, match=r"Paper\.abstract_ends holds a list of -9223372036854775808"
    ):
        write_import_files(tables_of(embedded), tmp_path / "files")


def test_headers_hold_names_types_and_ends(embedded: GraphStore, tmp_path: Path) -> None:
    tables = awkward_tables()
    embedded.apply([Change("insert", name, rows) for name, rows in tables.items()])
    write_import_files(tables_of(embedded), tmp_path)
    for name, header in {
        "Venue": "id:ID(Venue),title:string,issn:string",
        "HAS_MESH": ":START_ID(Paper),:END_ID(MeshDescriptor),major:boolean,qualifiers:string",
    }.items():
        assert (tmp_path / f"{name}.csv").read_text().splitlines()[0] == header
    assert by_key(embedded.read(read_text(TABLE["Venue"])), "Venue") == by_key(
        tables["Venue"], "Venue"
    )
