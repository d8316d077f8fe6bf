"""RELATED edges: one network at a time, after interruptions, and changes by an ingest."""

from __future__ import annotations

import shutil
import signal
from pathlib import Path
from typing import Any

import pytest

from citescape.core.errors import SourceError
from citescape.ingest.overview import is_partly_written, read_pending
from citescape.networks import write
from citescape.networks.build import NetworkRun, build
from citescape.networks.config import NetworkConfig
from citescape.networks.files import EDGES
from citescape.networks.write import WrittenEdges, remove_network_edges, write_network_edges
from citescape.store.graph_store import GraphStore, open_store
from citescape.store.queries import query
from citescape.store.schema import REL
from citescape.store.state import NETWORK_RUN, read_meta, write_meta
from citescape.store.statements import read_text
from tests.forks import shared_forks
from tests.importance.conftest import insert
from tests.ingest.papers import Cited, jats, load, write_files
from tests.networks.conftest import fill, listed

Rows = dict[tuple[str, str], tuple[str, str, float]]


def make(store: GraphStore, runs: Path, kind: str, **settings: Any) -> NetworkRun:
    return build(store, NetworkConfig(kind=kind, **settings), runs=runs)


def related(store: GraphStore) -> Rows:
    """Both ends -> run, kind, weight; no two edges between the same ends."""
    rows = store.read(read_text(REL["RELATED"])).to_pylist()
    result = {(r["from"], r["to"]): (r["run"], r["kind"], r["weight"]) for r in rows}
    assert len(result) == len(rows)
    return result


def expected(run: NetworkRun) -> Rows:
    ends = listed(run.read()).items()
    return {(pair[0], pair[1]): (run.run, run.kind, weight) for pair, weight in ends}


def test_edges_are_written_once_from_the_lower_id_to_the_higher(
    toy: GraphStore, runs: Path
) -> None:
    run = make(toy, runs, "coupling")
    assert write_network_edges(toy, run) == WrittenEdges(6, 0, 0)
    assert related(toy) == expected(run)
    assert all(first < second for first, second in related(toy))
    assert read_meta(toy, NETWORK_RUN) == run.run
    (row,) = toy.read("MATCH (r:Run) RETURN r.id AS id, r.command AS command").to_pylist()
    assert row == {"id": run.run, "command": "network"}
    assert write_network_edges(toy, run) == WrittenEdges(0, 0, 0)
    assert related(toy) == expected(run)


def test_edges_outside_the_core_are_written_too(toy: GraphStore, runs: Path) -> None:
    run = make(toy, runs, "extended")
    write_network_edges(toy, run)
    assert {("a", "z"), ("c", "v")} < set(related(toy)) == set(expected(run))


def test_another_network_replaces_the_first(toy: GraphStore, runs: Path) -> None:
    first, second = make(toy, runs, "coupling"), make(toy, runs, "citation")
    write_network_edges(toy, first)
    assert write_network_edges(toy, second) == WrittenEdges(4, 6, 0)
    assert related(toy) == expected(second)
    assert read_meta(toy, NETWORK_RUN) == second.run
    empty = make(toy, runs, "result")
    assert write_network_edges(toy, empty) == WrittenEdges(0, 4, 0)
    assert (related(toy), read_meta(toy, NETWORK_RUN)) == ({}, empty.run)


def test_lost_edges_are_restored(toy: GraphStore, runs: Path) -> None:
    run = make(toy, runs, "coupling")
    write_network_edges(toy, run)
    toy.write("MATCH (:Paper {id: 'b'})-[x:RELATED]->(:Paper) DELETE x")
    assert len(related(toy)) == 4
    assert write_network_edges(toy, run) == WrittenEdges(2, 0, 0)
    assert related(toy) == expected(run)


def test_edges_are_written_in_slices(
    toy: GraphStore, runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write, "_SLICE", 2)
    first, second = make(toy, runs, "coupling"), make(toy, runs, "extended")
    progress: list[str] = []
    for run, removed in ((first, 0), (second, 6), (first, 11)):
        done = write_network_edges(toy, run, progress=progress.append)
        assert done == WrittenEdges(run.counts["edges"], removed, 0)
        assert related(toy) == expected(run)
    assert "writing edges to the graph: 2 of at most 6" in progress
    assert "removing edges of earlier networks: 4 so far" in progress
    assert remove_network_edges(toy) == 6
    assert (related(toy), read_meta(toy, NETWORK_RUN)) == ({}, "")
    assert remove_network_edges(toy) == 0


def test_papers_missing_in_the_graph_are_counted(toy: GraphStore, runs: Path) -> None:
    run = make(toy, runs, "coupling")
    toy.write("MATCH (p:Paper) WHERE p.id = 'c' DETACH DELETE p")
    assert write_network_edges(toy, run) == WrittenEdges(3, 0, 1)
    assert related(toy) == {pair: row for pair, row in expected(run).items() if "c" not in pair}


def test_a_damaged_network_changes_nothing(toy: GraphStore, runs: Path) -> None:
    first, second = make(toy, runs, "coupling"), make(toy, runs, "citation")
    write_network_edges(toy, first)
    (second.path / EDGES).write_bytes(b"PAR1")
    with pytest.raises(SourceError, match="build the network again"):
        write_network_edges(toy, second)
    assert (related(toy), read_meta(toy, NETWORK_RUN)) == (expected(first), first.run)


class StoppingStore:
    """A store that stops before its nth change."""

    def __init__(self, store: GraphStore, changes: int) -> None:
        self._store, self._left = store, changes

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def apply(self, *arguments: Any, **named: Any) -> None:
        self._count()
        self._store.apply(*arguments, **named)

    def write(self, *arguments: Any, **named: Any) -> None:
        self._count()
        self._store.write(*arguments, **named)

    def _count(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise KeyboardInterrupt


def is_consistent(store: GraphStore, runs: list[NetworkRun]) -> bool:
    """The network named in Meta is complete, and no other network is in the graph."""
    named = read_meta(store, NETWORK_RUN)
    return not named or related(store) in [expected(run) for run in runs if run.run == named]


def test_an_interrupted_write_is_completed_by_any_next_write(
    toy: GraphStore, runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stops before each change: Meta emptied, two of six edges removed, ..., two inserted, ..."""
    monkeypatch.setattr(write, "_SLICE", 2)
    both = [make(toy, runs, "coupling"), make(toy, runs, "extended")]
    write_network_edges(toy, both[0])
    for changes in range(1, 99):
        try:
            write_network_edges(StoppingStore(toy, changes), both[1])  # type: ignore[arg-type]
            break
        except KeyboardInterrupt:
            assert is_consistent(toy, both)
            if changes > 1:
                assert read_meta(toy, NETWORK_RUN) == ""
                left = bool(related(toy))
                assert ("interrupted while it wrote edges" in read_pending(toy)) == left
        for then in (changes % 2, 0):  # after an even number of changes, the earlier network
            write_network_edges(toy, both[then])
            assert related(toy) == expected(both[then])
            assert read_meta(toy, NETWORK_RUN) == both[then].run
            assert not is_partly_written(toy, "edges")
    assert changes == 1 + 3 + 6 + 1, "Meta, 6 edges removed and 11 written by twos, Meta"


KILLED = """
import sys
from pathlib import Path
from citescape.store.ladybug.adapter import LadybugStore
from citescape.networks import write
from citescape.networks.build import find_network
from tests.ingest.killed import die_after

path, runs, kind, statements = sys.argv[1:]
write._SLICE = 3
store = LadybugStore.open(path)
die_after(int(statements))
write.write_network_edges(store, find_network(Path(runs), kind))
store.close()
"""


def test_another_write_completes_a_write_after_kill_9(tmp_path: Path) -> None:
    """The process is killed before every 13th statement: within transactions and between them."""
    first, runs = tmp_path / "first.lbug", tmp_path / "runs"
    store = fill(open_store(str(first)))
    both = [make(store, runs, kind) for kind in ("coupling", "extended")]
    write_network_edges(store, both[0])
    store.close()
    killed: list[Path] = []
    for statements in range(2, 1_000, 13):
        path = Path(shutil.copy(first, tmp_path / f"{statements}.lbug"))
        done = shared_forks().run(KILLED, path, runs, "extended", statements)
        if done.returncode != -signal.SIGKILL:
            break
        killed.append(path)
    assert done.returncode == 0, done.stderr
    assert len(killed) > 4
    for path in killed:
        store = open_store(str(path))
        assert is_consistent(store, both)
        write_network_edges(store, both[1])
        assert related(store) == expected(both[1])
        assert read_meta(store, NETWORK_RUN) == both[1].run
        store.close()


def test_edges_stay_for_reloaded_papers_and_vanish_with_removed_papers(
    store: GraphStore, tmp_path: Path
) -> None:
    """Edges are of a run that read the earlier papers; building again gives another run."""
    works = [Cited(f"On work {k}", doi=f"10.9999/{k}") for k in range(3)]
    cited = [works, works[:2], works[1:]]
    write_files(tmp_path / "papers", [jats(k, own) for k, own in enumerate(cited)])
    load(store, tmp_path / "papers")
    run = make(store, tmp_path / "runs", "citation", papers="all")
    write_network_edges(store, run)
    before = related(store)
    assert len(before) == 7
    write_files(tmp_path / "papers", [jats(0, works[:1], title="Another title"), jats(1), jats(2)])
    load(store, tmp_path / "papers")
    papers = set(store.read("MATCH (p:Paper) RETURN p.id AS id")["id"].to_pylist())
    gone = {"doi:10.9999/1", "doi:10.9999/2"}
    assert not papers & gone
    assert related(store) == {pair: row for pair, row in before.items() if not gone & set(pair)}
    assert ("doi:10.1000/1", "doi:10.9999/0") in related(store), "paper 1 cites nothing any more"
    assert read_meta(store, NETWORK_RUN) == run.run
    assert write_network_edges(store, run) == WrittenEdges(0, 0, len(gone))
    anew = make(store, tmp_path / "runs", "citation", papers="all")
    assert anew.run != run.run
    assert write_network_edges(store, anew) == WrittenEdges(1, 2, 0)


def test_a_store_without_the_papers_is_refused(
    store: GraphStore, runs: Path, tmp_path: Path
) -> None:
    other = fill(open_store(str(tmp_path / "other.lbug")))
    run = make(other, runs, "coupling")
    other.close()
    insert(store, "Paper", [{"id": "q"}])
    assert write_network_edges(store, run) == WrittenEdges(0, 0, 6)
    assert read_meta(store, NETWORK_RUN) == run.run


def test_a_library_query_follows_edges_both_ways(toy: GraphStore, runs: Path) -> None:
    """b has weight 2 to c and 1 to a and d; no edges are returned while edges are being written."""
    run = make(toy, runs, "coupling", normalise="none")
    write_network_edges(toy, run)
    result = toy.read(query("explore/related"), paper="b", limit=9).to_pylist()
    assert [(row["id"], row["weight"]) for row in result] == [("c", 2), ("a", 1), ("d", 1)]
    assert {row["kind"] for row in result} == {"coupling"}
    assert [row["title"] for row in result] == ["c", "a", "d"]
    two = toy.read(query("explore/related"), paper="b", limit=2)["id"].to_pylist()
    assert two == ["c", "a"]
    assert not toy.read(query("explore/related"), paper="e", limit=9).num_rows
    write_meta(toy, NETWORK_RUN, "")
    assert not toy.read(query("explore/related"), paper="b", limit=9).num_rows
