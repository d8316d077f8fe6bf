"""Scoring a store: written values, repeated runs, and crashes."""

from __future__ import annotations

import json
import math
import signal
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from citescape.core.errors import ConfigError, StoreError
from citescape.importance.components import COUNTED
from citescape.importance.config import Weighting
from citescape.importance.score import ScoreResult, score
from citescape.importance.text_encoder import HASHED
from citescape.importance.titles import HashedWords
from citescape.runs.directory import read_run
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query
from citescape.store.state import read_importance_run
from tests.forks import shared_forks

TOY_PAIRS = ((0, 1), (0, 2), (1, 2), (2, 3))
TOY_MENTIONS = (
    *[((0, 1), t, None) for t in "IDDM"],
    *[((0, 2), t, None) for t in "IIR"],
    *[((1, 2), t, None) for t in "RD"],
    ((2, 3), "I", None),
)
TOY_WROTE = ((0, 0), (0, 1), (1, 2), (1, 3))
per_store = settings(
    max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
Rows = dict[tuple[str, str], dict[str, Any]]


@pytest.fixture
def toy(make_graph: Any) -> Any:
    """Four pairs with (I, R, D, S) = (1,0,2,1), (2,1,0,0), (0,1,1,0), (1,0,0,1)."""
    return make_graph(4, TOY_PAIRS, TOY_MENTIONS, TOY_WROTE, dict.fromkeys(range(3), "Title"))


def written(store: GraphStore) -> Rows:
    rows = store.read(query("features/scores"), first="", last="~").to_pylist()
    return {(row.pop("citing"), row.pop("cited")): row for row in rows}


def test_the_worked_example(store: GraphStore, load: Any, toy: Any, tmp_path: Path) -> None:
    result = score(load(store, toy), runs=tmp_path)
    w = {row.component: row.weight for row in result.statistics}
    rows = written(store)
    expected = {
        (0, 1): w["I"] + 2 * w["D"] + w["S"],
        (0, 2): 2 * w["I"] + w["R"],
        (1, 2): w["R"] + w["D"],
        (2, 3): w["I"] + w["S"],
    }
    scores = {pair: rows[toy.id(pair[0]), toy.id(pair[1])] for pair in TOY_PAIRS}
    assert {p: row["importance"] for p, row in scores.items()} == pytest.approx(expected, abs=1e-15)
    published = [1.022812, 0.558393, 0.581205, 0.418795]
    assert [scores[pair]["importance"] for pair in TOY_PAIRS] == pytest.approx(published, abs=1e-6)
    assert [scores[0, 1][name] for name in ("mentions", *COUNTED, "self")] == [4, 1, 1, 0, 2, 0, 1]
    assert {row["run"] for row in rows.values()} == {result.run} == {read_importance_run(store)}
    assert {row["title_similarity"] for row in rows.values()} == {None}
    assert (result.pairs, result.written, result.unchanged) == (4, 4, False)


def test_the_method_section_counts_only_on_request(
    store: GraphStore, load: Any, toy: Any, tmp_path: Path
) -> None:
    load(store, toy)
    score(store, Weighting(weights="uniform"), runs=tmp_path)
    without = written(store)[toy.id(0), toy.id(1)]["importance"]
    score(store, Weighting(weights="uniform", features=("I", "M", "R", "D", "S")), runs=tmp_path)
    assert without == (1 + 0 + 2 + 1) / 4
    assert written(store)[toy.id(0), toy.id(1)]["importance"] == pytest.approx((1 + 1 + 2 + 1) / 5)


def test_a_second_run_changes_nothing(
    store: GraphStore, load: Any, toy: Any, tmp_path: Path
) -> None:
    first = score(load(store, toy), runs=tmp_path)
    before, files = written(store), snapshot(tmp_path)
    again = score(store, runs=tmp_path)
    assert (again.run, again.written, again.unchanged) == (first.run, 0, True)
    assert (written(store), snapshot(tmp_path)) == (before, files)
    assert store.read("MATCH (r:Run) RETURN r.id AS id")["id"].to_pylist() == [first.run]


def snapshot(folder: Path) -> dict[str, tuple[bytes, int]]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


def test_switching_configurations_back_and_forth(
    store: GraphStore, load: Any, toy: Any, tmp_path: Path
) -> None:
    first = score(load(store, toy), runs=tmp_path)
    before = written(store)
    second = score(store, Weighting(weights="uniform"), runs=tmp_path)
    assert second.run != first.run
    assert second.written == 4
    third = score(store, runs=tmp_path)
    assert (third.run, third.written, third.unchanged) == (first.run, 4, False)
    assert (written(store), read_importance_run(store)) == (before, first.run)
    assert store.read("MATCH (r:Run) RETURN count(r) AS n")["n"].to_pylist() == [2]


def test_the_run_directory_holds_result_and_record(
    store: GraphStore, load: Any, toy: Any, tmp_path: Path
) -> None:
    result = score(load(store, toy), runs=tmp_path / "runs")
    record = read_run(result.path)
    assert [p.name for p in (tmp_path / "runs").iterdir()] == [result.run]
    assert record.config == {
        "components": ["I", "R", "D", "S"],
        "weights": "entropy",
        "combined": "R",
        "sections": "model",
        "title_encoder": None,
        "types": ["research", "unknown"],
    }
    assert record.counts["pairs"] == 4
    assert [row["component"] for row in record.counts["components"]] == ["I", "R", "D", "S"]
    assert {"read", "weigh", "write", "export"} <= set(record.timings)
    rows = {(row.pop("citing"), row.pop("cited")): row for row in table_rows(result)}
    for pair, stored in written(store).items():
        assert rows[pair] == {**{k: stored[k] for k in rows[pair] if k in stored}, "f_combined": 0}
    node = store.read("MATCH (r:Run) RETURN r.config AS config, r.counts AS counts").to_pylist()[0]
    assert json.loads(node["config"]) == record.config
    assert json.loads(node["counts"]) == record.counts


def table_rows(result: ScoreResult) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pq.read_table(result.path / "pairs.parquet").to_pylist()
    return rows


@per_store
@given(data=st.data(), halves=st.booleans())
def test_scores_do_not_depend_on_the_order_of_rows(
    data: st.DataObject,
    halves: bool,
    small_graphs: Any,
    make_graph: Any,
    load: Any,
    fresh_store: Callable[[], GraphStore],
    tmp_path: Path,
) -> None:
    graph = data.draw(small_graphs)
    mixed = [
        data.draw(st.permutations(part)) for part in (graph.pairs, graph.mentions, graph.wrote)
    ]
    files = []
    for graph_ in (graph, make_graph(graph.papers, *mixed, graph.titles)):
        store = load(fresh_store(), graph_)
        try:
            combined = "both" if halves else "R"
            config = Weighting(combined=combined, features="I,R,D,S,T", title_encoder=HASHED)
            result = score(store, config, runs=tmp_path)
        except ConfigError as error:
            assume("varies" not in str(error))
            raise
        scores = {pair: row["importance"].hex() for pair, row in written(store).items()}
        files.append((result.run, result.statistics, scores))
    assert files[0] == files[1]


@per_store
@given(data=st.data())
def test_rescoring_after_an_added_pair_equals_a_new_scoring(
    data: st.DataObject,
    small_graphs: Any,
    make_graph: Any,
    load: Any,
    fresh_store: Callable[[], GraphStore],
    tmp_path: Path,
) -> None:
    graph = data.draw(small_graphs.filter(lambda graph: len(graph.pairs) > 1))
    *pairs, last = graph.pairs
    kept = tuple(mention for mention in graph.mentions if mention[0] != last)
    uniform = Weighting(weights="uniform")
    whole = load(fresh_store(), make_graph(graph.papers, graph.pairs, kept, graph.wrote))
    score(whole, uniform, runs=tmp_path)
    expected = written(whole)
    store = load(fresh_store(), make_graph(graph.papers, tuple(pairs), kept, graph.wrote))
    score(store, uniform, runs=tmp_path)
    text = "MATCH (a:Paper {id: $a}), (b:Paper {id: $b}) CREATE (a)-[:CITES]->(b)"
    store.write(text, a=graph.id(last[0]), b=graph.id(last[1]))
    score(store, uniform, runs=tmp_path)
    assert written(store) == expected


def test_only_the_columns_that_differ_are_written(
    store: GraphStore, load: Any, toy: Any, tmp_path: Path
) -> None:
    score(load(store, toy), runs=tmp_path)
    recorder = Recorder(store)
    score(recorder, Weighting(weights="uniform"), runs=tmp_path)
    assert recorder.columns == [["from", "to", "importance", "run"]]
    store.write("MATCH (:Paper)-[c:CITES {f_M: 1}]->(:Paper) SET c.f_M = 7")
    recorder.columns.clear()
    result = score(recorder, Weighting(weights="uniform"), runs=tmp_path)
    assert (recorder.columns, result.written) == ([["from", "to", "f_M"]], 1)


class Recorder:
    """A store that records the columns of each update, and may stop before the n-th."""

    def __init__(self, store: GraphStore, stop_before: int | None = None) -> None:
        self._store, self._stop = store, stop_before
        self.columns: list[list[str]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def apply(self, changes: Any, *, atomic: bool = False) -> None:
        if len(self.columns) == self._stop:
            raise KeyboardInterrupt
        self.columns += [change.rows.column_names for change in changes]
        self._store.apply(changes, atomic=atomic)


class ForgetfulStore(Recorder):
    """A store that accepts updates and loses them."""

    def apply(self, changes: Any, *, atomic: bool = False) -> None:
        """Does nothing."""


def test_lost_scores_are_detected(store: GraphStore, load: Any, toy: Any, tmp_path: Path) -> None:
    load(store, toy)
    with pytest.raises(StoreError, match="did not take 4 of 4 scores"):
        score(ForgetfulStore(store), runs=tmp_path)
    assert read_importance_run(store) is None


def test_an_interrupted_scoring_is_reported_and_can_be_completed(
    store: GraphStore, load: Any, toy: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citescape.importance.write._BATCH_ROWS", 1)
    score(load(store, toy), Weighting(weights="uniform"), runs=tmp_path)
    with pytest.raises(KeyboardInterrupt):
        score(Recorder(store, stop_before=2), runs=tmp_path)
    assert read_importance_run(store) is None
    assert len({row["run"] for row in written(store).values()}) == 2
    result = score(store, runs=tmp_path)
    assert (result.written, result.unchanged) == (2, False)
    assert (
        {row["run"] for row in written(store).values()}
        == {result.run}
        == {read_importance_run(store)}
    )


KILLED = """
    import os, signal, sys
    from pathlib import Path
    import citescape.importance.write as write
    from citescape.importance.score import score
    from citescape.store.ladybug.adapter import LadybugStore

    class Dying(LadybugStore):
        batches = 0
        def apply(self, changes, *, atomic=False):
            super().apply(changes, atomic=atomic)
            self.batches += 1
            if self.batches == int(sys.argv[3]):
                os.kill(os.getpid(), signal.SIGKILL)

    write._BATCH_ROWS = 1
    score(Dying.open(sys.argv[1]), runs=Path(sys.argv[2]))
"""


@pytest.mark.parametrize("batches", [1, 3])
def test_kill_9_while_writing_loses_nothing(
    batches: int, load: Any, toy: Any, tmp_path: Path
) -> None:
    from citescape.store.ladybug.adapter import LadybugStore

    place, runs = str(tmp_path / "killed.lbug"), tmp_path / "runs"
    load(store := LadybugStore.open(place), toy).close()
    code = textwrap.dedent(KILLED)
    done = shared_forks().run(code, place, runs, batches)
    assert done.returncode == -signal.SIGKILL
    store = LadybugStore.open(place)
    assert sum(row["run"] is not None for row in written(store).values()) == batches
    assert read_importance_run(store) is None
    result = score(store, runs=runs)
    assert result.written == len(TOY_PAIRS) - batches
    assert (
        {row["run"] for row in written(store).values()}
        == {result.run}
        == {read_importance_run(store)}
    )
    assert [path.name for path in runs.iterdir()] == [result.run]
    store.close()


def test_a_lost_run_directory_is_written_again(
    store: GraphStore, load: Any, toy: Any, tmp_path: Path
) -> None:
    first = score(load(store, toy), runs=tmp_path / "one")
    again = score(store, runs=tmp_path / "two")
    assert (again.run, again.written, again.unchanged) == (first.run, 0, False)
    assert table_rows(first) == table_rows(again)


def test_combined_sections_count_half_in_each(
    store: GraphStore, load: Any, make_graph: Any, tmp_path: Path
) -> None:
    mentions = (*[((0, 1), "R", True)] * 3, ((0, 1), "D", None), ((1, 0), "R", False))
    load(store, make_graph(2, ((0, 1), (1, 0)), mentions))
    result = score(
        store,
        Weighting(combined="both", weights={"R": 1.0, "D": 10.0}, features="R,D"),
        runs=tmp_path,
    )
    rows = written(store)
    importance = {row["f_R"]: row["importance"] for row in rows.values()}
    assert importance == {3: 3 / 2 * 1.0 + (1 + 3 / 2) * 10.0, 1: 1.0}
    means = {row.component: row.mean for row in result.statistics}
    assert means == {"R": (1.5 + 1) / 2, "D": 2.5 / 2}
    assert {row["f_combined"] for row in table_rows(result)} == {0, 3}


def test_halves_may_exceed_twice_the_largest_count(
    store: GraphStore, load: Any, make_graph: Any, tmp_path: Path
) -> None:
    mentions = (*[((0, 1), "R", True)] * 2, *[((0, 1), "D", False)] * 2)
    load(store, make_graph(2, ((0, 1), (1, 0)), mentions))
    result = score(store, Weighting(combined="both", features="R,D"), runs=tmp_path)
    assert {row.component: row.mean for row in result.statistics} == {"R": 1 / 2, "D": 3 / 2}


def test_title_similarity_is_written_and_missing_titles_are_counted(
    store: GraphStore, load: Any, toy: Any, tmp_path: Path
) -> None:
    config = Weighting(features="I,R,D,S,T", weights="uniform", title_encoder=HASHED)
    result = score(load(store, toy), config, runs=tmp_path)
    rows = written(store)
    assert rows[toy.id(0), toy.id(1)]["title_similarity"] == 1.0
    assert rows[toy.id(0), toy.id(1)]["importance"] == (1 + 0 + 2 + 1 + 1) / 5
    assert rows[toy.id(2), toy.id(3)]["title_similarity"] is None
    assert rows[toy.id(2), toy.id(3)]["importance"] == pytest.approx((1 + 0 + 0 + 1 + 0) / 5)
    assert result.untitled == 1
    assert read_run(result.path).config["title_encoder"] == HashedWords().name
    assert score(store, config, runs=tmp_path).unchanged


def test_a_custom_encoder_of_titles(store: GraphStore, load: Any, toy: Any, tmp_path: Path) -> None:
    def ones(texts: list[str]) -> np.ndarray:
        return np.ones((len(texts), 2))

    result = score(load(store, toy), Weighting(features="I,T"), runs=tmp_path, encode=ones)
    assert read_run(result.path).config["title_encoder"].endswith("ones")


def test_the_sum_is_rounded_once(store: GraphStore, load: Any, toy: Any, tmp_path: Path) -> None:
    weights = {"I": 0.1, "R": 0.7, "D": 0.3, "S": 1e-17}
    score(load(store, toy), Weighting(weights=weights), runs=tmp_path)
    terms = [0.1 * 1.0, 0.7 * 0.0, 0.3 * 2.0, 1e-17 * 1.0]
    assert written(store)[toy.id(0), toy.id(1)]["importance"] == math.fsum(terms)


def test_an_empty_store(store: GraphStore, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"no citation pairs; .* `platform ingest PATH --store"):
        score(store, runs=tmp_path)


def test_settings_are_checked_before_reading() -> None:
    with pytest.raises(ConfigError, match="combined is 'D'; expected one of: R, both"):
        Weighting(combined="D")
    with pytest.raises(
        ConfigError, match="weights is 'x'; expected one of: entropy, from:RUN, learned:RUN"
    ):
        Weighting(weights="x")
    with pytest.raises(ConfigError, match=r"weights are I=1; expected .* for each of: I, R, D, S"):
        Weighting(weights={"I": 1})


def test_an_unwritable_runs_folder_is_reported_before_writing_to_the_graph(
    store: GraphStore, load: Any, toy: Any, tmp_path: Path
) -> None:
    (tmp_path / "runs").write_text("a file")
    with pytest.raises(ConfigError, match="name a folder you may write to"):
        score(load(store, toy), runs=tmp_path / "runs")
    assert {row["importance"] for row in written(store).values()} == {None}
