"""An embedded store: features read by row numbers, and all scores written at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citescape.core.errors import StoreError
from citescape.importance import read as reading
from citescape.importance import write
from citescape.importance.config import Weighting
from citescape.importance.read import read_features
from citescape.importance.score import score
from citescape.papers.slices import read_slices
from citescape.store.graph_store import GraphStore, embedded
from citescape.store.ladybug.adapter import LadybugStore
from citescape.store.ladybug.rows import read_links
from citescape.store.queries import query
from citescape.store.state import read_importance_run
from tests.importance.test_score import toy, written

__all__ = ["toy"]
UNIFORM = Weighting(weights="uniform")


@pytest.fixture
def embedded_store(tmp_path: Path) -> Iterator[LadybugStore]:
    store = LadybugStore.open(str(tmp_path / "s.lbug"))
    yield store
    store.close()


def read_both(store: GraphStore, monkeypatch: pytest.MonkeyPatch, sections: str) -> list[Any]:
    """Fingerprints and counts of features by row numbers, and by queries that any engine runs."""
    found = []
    for by_row in (True, False):
        with monkeypatch.context() as patch:
            if not by_row:
                patch.setattr(reading, "embedded", lambda _: None)
            features = read_features(store, read_slices(store), sections=sections)
            found.append((features.fingerprint(), features.relabelled, features.strays))
    return found


@settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_features_by_row_numbers_equal_those_of_queries(
    data: st.DataObject,
    small_graphs: Any,
    load: Any,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = LadybugStore.open(str(tmp_path_factory.mktemp("s") / "s.lbug"))
    load(store, data.draw(small_graphs))
    model = "MATCH (s:Section) WHERE s.ordinal % 2 = 0 SET s.type_run = 'model'"
    store.write(model)
    for sections in ("model", "rules"):
        by_row, by_query = read_both(store, monkeypatch, sections)
        assert by_row == by_query
    store.close()


def test_an_in_text_citation_of_two_works_counts_for_both(
    embedded_store: LadybugStore, load: Any, toy: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(embedded_store, toy)
    more = "MATCH (o:Occurrence {id: 'o0'}), (p:Paper {id: $id}) CREATE (o)-[:REFERS_TO]->(p)"
    embedded_store.write(more, id=toy.id(2))
    by_row, by_query = read_both(embedded_store, monkeypatch, "model")
    assert by_row == by_query
    features = read_features(embedded_store, read_slices(embedded_store))
    ids = [toy.id(paper) for paper in range(3)]
    rows = embedded_store.read(query("features/location"), papers=ids, rules=False)
    assert sum(features.mentions_by_type.values()) == sum(rows["mentions"].to_pylist())
    assert features.mentions_by_type["I"] == sum(rows["f_I"].to_pylist())


@pytest.mark.parametrize("before", [None, "entropy"])
def test_scores_written_at_once_equal_updates(
    before: str | None, load: Any, toy: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = []
    for name, small in (("updated", 2_000), ("at_once", 0)):
        monkeypatch.setattr(write, "_SMALL", small)
        store = load(LadybugStore.open(str(tmp_path / f"{name}.lbug")), toy)
        store.write("MATCH (:Paper)-[c:CITES]->(:Paper) SET c.n_method = 3, c.n_result = 5")
        if before:
            score(store, Weighting(weights=before), runs=tmp_path / name)
        result = score(store, UNIFORM, runs=tmp_path / name)
        intents = "MATCH ()-[c:CITES]->() RETURN sum(c.n_method) AS m, count(c.n_result) AS r"
        results.append(
            (result.run, result.written, written(store), store.read(intents).to_pylist())
        )
        assert read_importance_run(store) == result.run
        assert score(store, UNIFORM, runs=tmp_path / name).unchanged
        store.close()
    assert results[0] == results[1]
    assert results[0][3] == [{"m": 12, "r": 4}]


def test_few_stale_pairs_are_updated(
    embedded_store: LadybugStore,
    load: Any,
    make_graph: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(write, "_SMALL", 0)
    pairs = [(i, j) for i in range(6) for j in range(6) if i != j]
    load(embedded_store, make_graph(6, pairs, [((0, 1), "I", None)]))
    score(embedded_store, UNIFORM, runs=tmp_path)

    def fail(*_: object, **__: object) -> None:
        raise AssertionError

    embedded_store.write("MATCH (:Paper)-[c:CITES {f_I: 1}]->(:Paper) SET c.f_I = 7")
    monkeypatch.setattr(LadybugStore, "overwrite", fail)
    assert score(embedded_store, UNIFORM, runs=tmp_path).written == 1
    with pytest.raises(AssertionError):
        score(embedded_store, Weighting(weights={"I": 1.0, "R": 2.0, "D": 3.0, "S": 4.0}))


@pytest.mark.parametrize("moment", ["reading", "writing"])
def test_a_graph_that_changes_meanwhile_keeps_its_scores(
    moment: str,
    embedded_store: LadybugStore,
    load: Any,
    toy: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(write, "_SMALL", 0)
    score(load(embedded_store, toy), UNIFORM, runs=tmp_path)
    before = written(embedded_store)
    add = "MATCH (a:Paper {id: $a}), (b:Paper {id: $b}) CREATE (a)-[:CITES]->(b)"
    ends = {"a": toy.id(3), "b": toy.id(0)}
    other = {"reading": "WROTE", "writing": "CITES"}[moment]

    def change(store: Any, name: str, columns: Any = (), *, by: Any = "from") -> Any:
        if name == other and (moment == "reading" or "n_method" in columns):
            store.write(add, **ends)
        return read_links(store, name, columns, by=by)

    embedded_store.write("MATCH (:Paper)-[c:CITES]->(:Paper) SET c.n_method = 3")
    monkeypatch.setattr("citescape.store.ladybug.adapter.read_links", change)
    with pytest.raises(StoreError, match="changed while it was read: expected 4 pairs, found 5"):
        score(embedded_store, runs=tmp_path)
    after = written(embedded_store)
    assert {pair: after[pair] for pair in before} == before


def test_a_server_is_not_read_by_row_numbers(store: GraphStore) -> None:
    assert (embedded(store) is not None) == (store.dialect == "ladybug")
