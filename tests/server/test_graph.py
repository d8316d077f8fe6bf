"""Snapshots of a store that others write to."""

from __future__ import annotations

import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from citescape.core.errors import ConfigError, StoreError
from citescape.corpus import open_corpus
from citescape.server.graph import ServedGraph, copy_store
from citescape.store.graph_store import open_store

COUNT = "MATCH (p:Paper) RETURN count(*) AS n"


@pytest.fixture
def store_path(store_file: Path, tmp_path: Path) -> Path:
    """A store of its own, to write to."""
    return Path(shutil.copy(store_file, tmp_path / "papers.lbug"))


def add_paper(path: Path, number: int) -> None:
    with open_corpus(path) as corpus:
        corpus.cypher(f"CREATE (:Paper {{id: 'doi:10.1/{number}', title: 'Zygote'}})", write=True)


def count_matches(graph: ServedGraph) -> int:
    return int(json.loads(graph.call("find", {"text": "zygote"}))["matches"])


def test_others_write_while_the_snapshot_is_read(store_path: Path) -> None:
    with ServedGraph(str(store_path)) as graph:
        before = count_matches(graph)
        assert not graph.describe()["changed"]
        add_paper(store_path, 1)
        assert count_matches(graph) == before
        assert graph.describe()["changed"]
        graph.refresh()
        assert count_matches(graph) == before + 1
        assert not graph.describe()["changed"]


def test_a_writer_prevents_a_new_snapshot_and_the_old_one_stays(store_path: Path) -> None:
    with ServedGraph(str(store_path)) as graph, closing(open_store(str(store_path))) as writer:
        writer.run("CREATE (:Keyword {id: 'k'})")
        with pytest.raises(StoreError):
            graph.refresh()
        assert count_matches(graph) == 0


def test_a_store_that_is_gone_is_still_served(store_path: Path) -> None:
    with ServedGraph(str(store_path)) as graph:
        store_path.unlink()
        assert count_matches(graph) == 0
        assert graph.describe()["gone"]
        with pytest.raises(StoreError, match="no store"):
            graph.refresh()
        assert count_matches(graph) == 0


def test_copies_are_deleted(store_path: Path, tmp_path: Path) -> None:
    with ServedGraph(str(store_path)) as graph:
        folder = graph._folder
        graph.refresh()
        assert len(list(folder.iterdir())) == 1
    assert not folder.exists()


def test_errors_name_the_store_and_not_its_copy(store_path: Path) -> None:
    with ServedGraph(str(store_path)) as graph:
        with pytest.raises(ConfigError, match="no paper 'nobody'") as raised:
            graph.call("explain", {"citing": "nobody", "cited": "nobody"})
        assert str(graph._folder) not in str(raised.value)


def test_threads_get_the_answers_of_one(store_path: Path) -> None:
    with ServedGraph(str(store_path)) as graph:
        texts = ["a", "the", "of", "and"] * 5
        alone = [graph.call("find", {"text": text}) for text in texts[:4]]
        graph._snapshot.answers.clear()
        with ThreadPoolExecutor(8) as pool:
            together = list(pool.map(lambda text: graph.call("find", {"text": text}), texts))
    assert together == alone * 5


def test_readers_keep_the_earlier_snapshot(store_path: Path) -> None:
    with ServedGraph(str(store_path)) as graph:
        with graph.use() as corpus:
            earlier = Path(graph.reading)
            before = corpus.cypher(COUNT).to_dicts()
            add_paper(store_path, 1)
            graph.refresh()
            assert corpus.cypher(COUNT).to_dicts() == before
            assert earlier.exists()
        assert not earlier.exists()
        with graph.use() as corpus:
            assert corpus.cypher(COUNT).to_dicts() != before


def test_requests_that_wait_during_a_refresh_are_answered(store_path: Path) -> None:
    """Both readers are in use, a third request waits for one, and a new snapshot is taken."""
    with ServedGraph(str(store_path)) as graph, ThreadPoolExecutor(4) as pool:
        with graph.use(), graph.use():
            waiting = [pool.submit(graph.call, "find", {"text": "a"}) for _ in range(3)]
            graph.refresh()
        answers = {future.result(30) for future in waiting}
        assert answers == {graph.call("find", {"text": "a"})}


def test_a_failed_snapshot_leaves_nothing(
    store_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ServedGraph(str(store_path)) as graph:
        before = sorted(graph._folder.iterdir())

        def fail(*_: object, **__: object) -> None:
            raise StoreError("no space")

        monkeypatch.setattr("citescape.server.graph.open_store", fail)
        with pytest.raises(StoreError, match="no space"):
            graph.refresh()
        assert sorted(graph._folder.iterdir()) == before


def test_a_copy_has_what_is_only_in_the_log(store_path: Path, tmp_path: Path) -> None:
    with closing(open_store(str(store_path))) as store:
        store.run("CREATE (:Paper {id: 'doi:10.1/log'})")
        expected = store.read(COUNT)["n"][0].as_py()
    (tmp_path / "copy").mkdir()
    snapshot = copy_store(str(store_path), tmp_path / "copy")
    with closing(open_store(snapshot.location, read_only=True)) as copy:
        assert copy.read(COUNT)["n"][0].as_py() == expected


def test_the_cache_forgets_the_oldest(store_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ServedGraph(str(store_path)) as graph:
        graph.call("find", {"text": "zygote"})
        size = graph._snapshot.used
        monkeypatch.setattr("citescape.server.graph.CACHE_BYTES", size * 2)
        for text in ("zygote", "zygot", "zygo"):
            graph.call("find", {"text": text})
        kept = [json.loads(key)[1]["text"] for key in graph._snapshot.answers]
        assert kept == ["zygot", "zygo"]


def test_chosen_weights_become_a_run_of_the_store(store_path: Path) -> None:
    with ServedGraph(str(store_path)) as graph:
        run = graph.score({"I": 0.25, "D": 0.5})["run"]
        edges = json.loads(graph.call("neighbours", {"papers": [find_citing(store_path)]}))
    assert (edges["run"], edges["weights"]) == (run, {"I": 0.25, "D": 0.5})
    for edge in edges["citations"]:
        assert edge["importance"] == 0.25 * edge["f_I"] + 0.5 * edge["f_D"]


def find_citing(path: Path) -> str:
    with open_corpus(path, read_only=True) as corpus:
        rows = corpus.cypher("MATCH (p:Paper)-[:CITES]->() RETURN p.id AS id LIMIT 1")
    return str(rows.arrow["id"][0])


@pytest.mark.parametrize("weights", [{}, {"X": 1}, {"I": "much"}, {"I": -1}, {"I": float("nan")}])
def test_weights_that_mean_nothing_are_refused(store_path: Path, weights: dict[str, float]) -> None:
    with ServedGraph(str(store_path)) as graph, pytest.raises(ConfigError):
        graph.score(weights)


def test_a_writer_prevents_saving(store_path: Path) -> None:
    with ServedGraph(str(store_path)) as graph, closing(open_store(str(store_path))) as writer:
        writer.run("CREATE (:Keyword {id: 'k'})")
        with pytest.raises(StoreError):
            graph.score({"I": 1.0})
