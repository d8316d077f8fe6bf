"""Damaged and foreign shards: one clear line, and nothing in the store."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import citescape
from citescape.core.errors import CitescapeError, ConfigError, StoreError
from citescape.distributed.storage import Storage
from citescape.ingest.shards.graph import ShardedGraph
from citescape.papers.loading.read import read_shards
from citescape.store.graph_store import GraphStore
from tests.cli.conftest import Platform, platform
from tests.papers.loading.conftest import Corpus

__all__ = ["platform"]


@pytest.fixture
def folder(corpus: Corpus, tmp_path: Path) -> Path:
    """A copy of the scored shards."""
    return Path(shutil.copytree(corpus.scored_shards.storage.address, tmp_path / "shards"))


def edit(path: Path, **fields: Any) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **fields}))


def replace_rows(folder: Path, table: str, change: Callable[[pa.Table], pa.Table]) -> str:
    """Changes the rows of the first file of a table, and what other files state of it."""
    path = sorted((folder / "graph" / table).iterdir())[0]
    pq.write_table(change(pq.read_table(path, partitioning=None)), path)
    name = str(path.relative_to(folder))
    manifest = json.loads((folder / "graph.json").read_text())
    manifest["files"][name]["bytes"] = path.stat().st_size
    (folder / "graph.json").write_text(json.dumps(manifest))
    edit(folder / "scores.json", graph=ShardedGraph.open(Storage(str(folder))).state)
    return name


def first(folder: Path, table: str) -> Path:
    return sorted((folder / "graph" / table).iterdir())[0]


def end_cut_off(folder: Path) -> None:
    path = first(folder, "Section")
    path.write_bytes(path.read_bytes()[:-100] + bytes(100))


def one_row_less(folder: Path) -> None:
    replace_rows(folder, "CITES", lambda rows: rows.slice(1))


def no_such_column(folder: Path) -> None:
    replace_rows(folder, "Paper", lambda rows: rows.drop_columns(["year"]))


def other_type(folder: Path) -> None:
    def change(rows: pa.Table) -> pa.Table:
        texts = pa.array(["x"] * rows.num_rows, pa.string())
        return rows.set_column(rows.schema.get_field_index("year"), "year", texts)

    replace_rows(folder, "Paper", change)


def dangling(folder: Path) -> None:
    def change(rows: pa.Table) -> pa.Table:
        ends = pa.array(["doi:10.9/none"] * rows.num_rows, pa.string())
        return rows.set_column(1, "to", ends)

    replace_rows(folder, "HAS_SECTION", change)


def twice(folder: Path) -> None:
    replace_rows(folder, "Author", lambda rows: pa.concat_tables([rows.slice(0, 1), rows])[:-1])


DAMAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "no folder": (shutil.rmtree, r"holds no complete graph of shards; expected one that"),
    "no manifest": (lambda f: (f / "graph.json").unlink(), "holds no complete graph of shards"),
    "manifest": (lambda f: (f / "graph.json").write_text("{"), r"graph\.json is damaged"),
    "fields": (lambda f: (f / "graph.json").write_text("{}"), r"is damaged: expected account, "),
    "schema": (lambda f: edit(f / "graph.json", schema=8), "schema version 8; expected version"),
    "file": (lambda f: first(f, "CITES").unlink(), r"lacks graph/CITES/0.*, which graph\.json"),
    "size": (lambda f: first(f, "CITES").write_bytes(b"x"), "differs in size from what graph"),
    "content": (end_cut_off, r"graph/Section/\d+\.parquet is damaged"),
    "rows": (one_row_less, r"graph/CITES/\d+\.parquet has .* rows .*graph\.json states"),
    "column": (no_such_column, r"graph/Paper/\d+\.parquet"),
    "type": (other_type, r"graph/Paper/\d+\.parquet is damaged"),
    "ends": (dangling, r"HAS_SECTION|doi:10\.9/none"),
    "keys": (twice, r"[Dd]uplicate"),
    "scores": (lambda f: (f / "scores.json").write_text("{}"), r"scores\.json is damaged"),
    "state": (lambda f: edit(f / "scores.json", graph="0"), r"scores\.json is of another graph"),
    "run": (lambda f: shutil.rmtree(f / "scores"), r"scores/score-.*/run\.json is missing"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_shards_are_refused_and_nothing_is_loaded(
    folder: Path, platform: Platform, damage: str
) -> None:
    change, message = DAMAGES[damage]
    change(folder)
    done = platform("load", folder, "--store", "new.lbug")
    assert (done.status, done.out) == (1, "")
    (line,) = [text for text in done.err.splitlines() if text.startswith("platform: ")]
    with pytest.raises(CitescapeError, match=message):
        raise CitescapeError(line)
    assert "internal error" not in done.err
    assert not Path("new.lbug").exists()
    assert not [*Path().glob(".*loading*")]


@pytest.mark.parametrize("missing", ["scores of another pair", "no file of scores"])
def test_scores_of_other_citations_are_refused(folder: Path, tmp_path: Path, missing: str) -> None:
    (run,) = (folder / "scores").iterdir()
    path = sorted(run.glob("*.parquet"))[0]
    rows = pq.read_table(path, partitioning=None)
    if missing == "no file of scores":
        path.unlink()
    else:
        other = pa.array(["doi:10.9/none"] * rows.num_rows, pa.string())
        pq.write_table(rows.set_column(0, "from", other), path)
    with (
        citescape.open(tmp_path / "a.lbug", create=True) as graph,
        pytest.raises(StoreError, match=r"has the scores of other citations|is missing"),
    ):
        graph.load(folder)


def test_an_empty_slice_is_refused(corpus: Corpus, platform: Platform) -> None:
    folder = corpus.shards.storage.address
    done = platform("load", folder, "--where", "year > 2090", "--store", "new.lbug")
    assert done.status == 1
    assert "the slice is empty: none of the papers loaded into" in done.err
    assert "nothing was loaded" in done.err
    assert not Path("new.lbug").exists()


def test_a_condition_is_checked_before_the_store_is_opened(
    corpus: Corpus, platform: Platform
) -> None:
    done = platform("load", corpus.shards.storage.address, "--where", "yaer > 2090")
    assert done.status == 1
    assert "no column 'yaer' of Paper; expected one of year" in done.err
    assert [*Path().iterdir()] == []


def test_rows_of_the_shards_are_read(corpus: Corpus, folder: Path, tmp_path: Path) -> None:
    """Also rows that the slice does not have; CITES with the scores."""
    with citescape.open(tmp_path / "a.lbug", create=True) as graph:
        graph.load(folder, where="doi = '10.1000/7'")
        for name in ("Paper", "Section", "CITES", "HAS_SUBJECT"):
            found, expected = graph.arrow(name), corpus.scored_tables[name]
            assert found.schema == expected.schema
            assert sorted(map(repr, found.to_pylist())) == sorted(map(repr, expected.to_pylist()))
        pairs = graph.arrow("CITES", ["importance", "to"])
        assert pairs.column_names == ["importance", "to"]
        assert pairs.num_rows == corpus.tables["CITES"].num_rows
        assert graph.arrow("Paper", ["year"]).num_rows == corpus.tables["Paper"].num_rows
        with pytest.raises(ConfigError, match="table is 'Papers'; expected one of"):
            graph.arrow("Papers")
        with pytest.raises(ConfigError, match="column of Paper is 'name'; expected one of"):
            graph.arrow("Paper", ["name"])
        edit(folder / "graph.json", id="other")
        with pytest.raises(StoreError, match=r"has other papers than when .* was loaded from it"):
            graph.arrow("Paper")
        shutil.rmtree(folder)
        with pytest.raises(StoreError, match="holds no complete graph of shards"):
            graph.arrow("Paper")


def test_a_store_of_other_origin_has_no_shards(store: GraphStore) -> None:
    with pytest.raises(ConfigError, match="was not loaded from shards; expected a store that"):
        read_shards(store, "Paper")


def test_a_relative_folder_is_found_from_elsewhere(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with citescape.open(tmp_path / "a.lbug", create=True) as graph:
        graph.load("shards")
        (tmp_path / "other").mkdir()
        monkeypatch.chdir(tmp_path / "other")
        assert graph.arrow("CITES", ["to"]).num_rows
        assert graph.load(folder).unchanged


def test_the_command_shows_counts_and_the_next_step(folder: Path, platform: Platform) -> None:
    (listed := Path("list.txt")).write_text("10.1000/3\n10.1000/none1\n")
    words = ("load", folder, "--listed", listed, "--store", "a.lbug")
    done = platform(*words, "--json", "--save", "rows.csv")
    assert done.status == 0
    assert done.json["papers"] == 1
    assert (done.json["entries"], done.json["found"]) == (2, 1)
    assert done.json["shards"]["slice"] == "papers listed in list.txt"
    assert done.json["rows"]["CITES"] > 2
    assert "1 of 2 listed entries not found among the loaded papers" in done.err
    assert f"CITES,{done.json['rows']['CITES']}" in Path("rows.csv").read_text().replace('"', "")
    again = platform(*words)
    assert "has this already, nothing was written" in again.out
    assert "1 loaded paper, " in again.out
    listed.write_text("10.1000/4\n")
    other = platform(*words)
    assert other.status == 1
    assert "papers listed in list.txt already; expected a new or an empty store" in other.err
    both = platform("load", folder, "--neo4j-import", "files", "--store", "a.lbug")
    assert both.status == 1
    assert "leave out one of the two" in both.err
