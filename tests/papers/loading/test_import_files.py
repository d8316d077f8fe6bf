"""Files for Neo4j's offline importer, made of shards: the real importer reads them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from citescape.core.errors import StoreError
from citescape.ingest.shards.origin import read_origin
from citescape.papers.loading import tables
from citescape.papers.loading.load import LoadResult
from citescape.papers.steps import Load
from citescape.runs.context import Context, run
from citescape.store.graph_store import open_store
from citescape.store.state import read_importance_run
from tests.copies import read_tables
from tests.ingest.test_neo4j_import import imported, release
from tests.neo4j.server import Neo4jServer, Release
from tests.papers.loading.conftest import Corpus
from tests.papers.loading.shards import sorted_rows

__all__ = ["imported", "release"]  # fixtures


def write(corpus: Corpus, folder: Path, where: str = "") -> LoadResult:
    shards = corpus.scored_shards.storage.address
    return run(Load(shards, neo4j_import=folder, where=where), Context.open())


def test_neo4j_imports_a_whole_graph_with_scores(
    corpus: Corpus,
    release: Release,
    imported: Callable[[str], Path],
    tmp_path: Path,
) -> None:
    result = write(corpus, tmp_path / "files")
    assert (result.papers, result.next) == (len(corpus.loaded), "")
    assert result.rows == {name: corpus.tables[name].num_rows for name in tables.LOADED}
    assert result.import_command in str(result)
    with Neo4jServer(imported(result.import_command), release=release) as server:
        with closing(open_store(server.uri)) as store:
            assert sorted_rows(read_tables(store)) == sorted_rows(corpus.scored_tables)
            assert read_importance_run(store) == corpus.run
            assert read_origin(store) == result.origin
        shards = corpus.scored_shards.storage.address
        assert run(Load(shards), Context.open(server.uri)).unchanged


def test_files_hold_a_slice_only(corpus: Corpus, tmp_path: Path) -> None:
    result = write(corpus, tmp_path / "files", where="doi = '10.1000/7'")
    lines = (tmp_path / "files" / "CITES.csv").read_text().splitlines()
    citing = {line.split(",")[0] for line in lines[1:]}
    assert citing == {'"doi:10.1000/7"'}
    assert len(lines) == 1 + result.rows["CITES"]
    assert not (tmp_path / "files" / "HAS_MESH.csv").exists()


def test_earlier_files_stay_if_shards_are_damaged(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "files"
    write(corpus, folder)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}

    def damaged(self: tables.WholeGraph, name: str, columns: object = None) -> None:
        raise StoreError(f"{name} is damaged")

    monkeypatch.setattr(tables.WholeGraph, "read", damaged)
    with pytest.raises(StoreError, match="is damaged"):
        write(corpus, folder)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
