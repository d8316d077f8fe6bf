"""Importance by Cypher in the database equals that of the bulk kernel, to the last bit."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citescape.core.errors import ConfigError, StoreError
from citescape.core.types import FACETS
from citescape.importance.config import Weighting
from citescape.importance.explain import explain
from citescape.importance.in_database import score_in_database
from citescape.importance.score import ScoreResult, score
from citescape.runs.directory import read_run
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query
from citescape.store.state import read_importance_run
from citescape.text.intents.label import COUNTS, find_count_changes
from tests.importance.test_score import TOY_MENTIONS, TOY_PAIRS, TOY_WROTE, written

per_store = settings(
    max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
WEIGHTS = {"I": 0.1, "M": 0.7, "R": 0.2, "D": 1e-9, "other": 12.3, "S": 1 / 3}


@pytest.fixture
def toy(make_graph: Any) -> Any:
    return make_graph(4, TOY_PAIRS, TOY_MENTIONS, TOY_WROTE)


def without_run(store: GraphStore) -> dict[tuple[str, str], dict[str, Any]]:
    return {pair: row | {"run": None} for pair, row in written(store).items()}


def figures(result: ScoreResult) -> tuple[object, ...]:
    return (
        result.statistics,
        result.pairs,
        result.unmentioned,
        result.mentions,
        result.strays,
        result.relabelled,
        result.weighed,
    )


@per_store
@given(
    data=st.data(),
    combined=st.sampled_from(["R", "both"]),
    sections=st.sampled_from(["model", "rules"]),
    components=st.sampled_from(["I,R,D,S", "M,other", "I,M,R,D,other,S"]),
    weights=st.sampled_from(["uniform", "given"]),
)
def test_scores_equal_those_of_the_kernel(
    data: st.DataObject,
    combined: Any,
    sections: Any,
    components: str,
    weights: str,
    small_graphs: Any,
    load: Any,
    fresh_store: Callable[[], GraphStore],
    tmp_path: Path,
) -> None:
    names = components.split(",")
    chosen = {name: WEIGHTS[name] for name in names} if weights == "given" else weights
    config = Weighting(components, chosen, combined=combined, sections=sections)
    store = load(fresh_store(), data.draw(small_graphs))
    store.write("MATCH (s:Section) WHERE s.title <> 'Section 0' SET s.type_run = 'some-model'")
    expected = score(store, config, runs=tmp_path / "kernel")
    rows = without_run(store)
    assert not score_in_database(store, config, runs=tmp_path / "kept").unchanged
    assert without_run(store) == rows
    store.write("MATCH ()-[c:CITES]->() SET c.f_M = 7, c.mentions = NULL, c.self = 1 - c.self")
    result = score_in_database(store, config, runs=tmp_path / "cypher")
    assert without_run(store) == rows
    assert figures(result) == figures(expected)


@pytest.mark.parametrize(
    "weights", [(0.1, 0.2, 0.3, 0.0), (0.7, 0.1, 0.3, 1e-17), (1e-16, 2e-16, 3e-16, 0.0)]
)
def test_the_sum_is_rounded_once(
    weights: tuple[float, ...], store: GraphStore, load: Any, make_graph: Any, tmp_path: Path
) -> None:
    """Additions one after the other would round three times: 0.1 + 0.2 + 0.3 > 0.6."""
    mentions = tuple(((0, 1), kind, None) for kind in "IRD")
    graph = make_graph(2, ((0, 1),), mentions, ((0, 0), (0, 1)))
    config = Weighting(weights=dict(zip("IRDS", weights, strict=True)))
    score_in_database(load(store, graph), config, runs=tmp_path)
    (row,) = written(store).values()
    assert row["importance"] == math.fsum(weights)


def test_a_second_run_changes_nothing(
    store: GraphStore, load: Any, toy: Any, tmp_path: Path
) -> None:
    load(store, toy)
    first = score_in_database(store, runs=tmp_path)
    assert not first.unchanged
    assert first.written == len(TOY_PAIRS)
    assert read_importance_run(store) == first.run
    second = score_in_database(store, runs=tmp_path)
    assert second.unchanged
    assert (second.run, second.written) == (first.run, 0)
    assert sorted(path.name for path in first.path.iterdir()) == ["run.json"]
    assert read_run(first.path).config["method"] == "cypher"
    terms = explain(store, toy.id(0), toy.id(1)).terms
    assert [term.value for term in terms] == [1, 0, 2, 1]


def test_switching_configurations_back_and_forth(
    store: GraphStore, load: Any, toy: Any, tmp_path: Path
) -> None:
    load(store, toy)
    runs = [
        score_in_database(store, Weighting(weights=weights), runs=tmp_path).run
        for weights in ("entropy", "uniform", "entropy")
    ]
    assert runs[0] == runs[2] != runs[1]


def test_added_citations_get_another_run(
    store: GraphStore, load: Any, toy: Any, make_graph: Any, tmp_path: Path
) -> None:
    load(store, toy)
    first = score_in_database(store, runs=tmp_path)
    store.write(
        "MATCH (a:Paper {id: $citing}), (b:Paper {id: $cited}) CREATE (a)-[:CITES]->(b)",
        citing=toy.id(3),
        cited=toy.id(0),
    )
    second = score_in_database(store, runs=tmp_path)
    assert second.run != first.run
    assert second.written == len(TOY_PAIRS) + 1
    assert {row["run"] for row in written(store).values()} == {second.run}


@pytest.mark.parametrize("cited", [2, 3])
def test_a_mention_of_another_work_gets_another_run(
    cited: int, store: GraphStore, load: Any, make_graph: Any, tmp_path: Path
) -> None:
    """Sums by citing paper and the histogram of values stay the same; the kernel's id changes."""
    pairs = ((0, 1), (0, 2), (0, 3))
    mentions = (((0, 1), "I", None), ((0, 1), "I", None), ((0, 2), "I", None))
    load(store, make_graph(4, pairs, mentions))
    config = Weighting("I", "uniform")
    first = score_in_database(store, config, runs=tmp_path)
    store.write("MATCH (o:Occurrence)-[r:REFERS_TO]->(:Paper {id: 'doi:10.1234/p1'}) DELETE r")
    store.write(
        "MATCH (:Paper)-[:HAS_SECTION]->(:Section)-[:CONTAINS]->(o:Occurrence) "
        "WHERE NOT EXISTS { MATCH (o)-[:REFERS_TO]->(:Paper) } "
        "MATCH (p:Paper {id: $id}) CREATE (o)-[:REFERS_TO]->(p)",
        id=f"doi:10.1234/p{cited}",
    )
    second = score_in_database(store, config, runs=tmp_path)
    assert second.run != first.run
    assert score_in_database(store, config, runs=tmp_path).unchanged


def test_an_error_before_the_first_change_leaves_scores_valid(
    store: GraphStore, load: Any, make_graph: Any, tmp_path: Path
) -> None:
    mentions = (((0, 1), "I", None),)
    load(store, make_graph(3, ((0, 1), (0, 2)), mentions))
    run = score_in_database(store, runs=tmp_path).run
    for config in (Weighting(weights="from:nope"), Weighting("M", "entropy")):
        with pytest.raises(ConfigError):
            score_in_database(store, config, runs=tmp_path)
        assert read_importance_run(store) == run


def test_citations_that_are_added_meanwhile_are_noticed(
    store: GraphStore, load: Any, toy: Any, tmp_path: Path
) -> None:
    load(store, toy)

    def add(stage: str) -> None:
        if stage == "computing weights":
            store.write(
                "MATCH (a:Paper {id: $citing}), (b:Paper {id: $cited}) CREATE (a)-[:CITES]->(b)",
                citing=toy.id(3),
                cited=toy.id(0),
            )

    with pytest.raises(StoreError, match="changed while it was read"):
        score_in_database(store, runs=tmp_path, progress=add)
    assert read_importance_run(store) is None
    assert score_in_database(store, runs=tmp_path).pairs == len(TOY_PAIRS) + 1


def test_weights_come_from_the_types_of_papers(
    store: GraphStore, load: Any, toy: Any, tmp_path: Path
) -> None:
    load(store, toy)
    store.write("MATCH (p:Paper {id: $id}) SET p.type = 'review-article'", id=toy.id(0))
    for types in (("research", "unknown"), ("review",), ("all",)):
        config = Weighting(weights="uniform", types=types)
        expected = score(store, config, runs=tmp_path / "kernel")
        result = score_in_database(store, config, runs=tmp_path)
        assert figures(result) == figures(expected)
    for types in (("editorial",), ("research-article",)):
        messages = []
        for method in (score, score_in_database):
            with pytest.raises(ConfigError) as error:
                method(store, Weighting(types=types), runs=tmp_path)
            messages.append(str(error.value))
        assert messages[0] == messages[1]


def test_counts_by_intent_are_those_of_the_labeller(
    store: GraphStore, load: Any, toy: Any, tmp_path: Path
) -> None:
    """0 where a paper with labelled contexts never mentions a work; null where none is labelled."""
    load(store, toy)
    names = sorted(store.read("MATCH (o:Occurrence) RETURN o.id AS id")["id"].to_pylist())
    for k, name in enumerate(names[::2]):
        intents = [FACETS[j] for j in range(3) if k + 1 >> j & 1]
        store.write("MATCH (o:Occurrence {id: $id}) SET o.intents = $i", id=name, i=intents)
    score_in_database(store, runs=tmp_path)
    papers = [toy.id(k) for k in range(toy.papers)]
    contexts = store.read(
        "MATCH (a:Paper)-[:HAS_SECTION]->()-[:CONTAINS]->(o:Occurrence)-[:REFERS_TO]->(b:Paper) "
        "RETURN a.id AS citing, b.id AS cited, o.intents AS intents"
    )
    labelled = contexts.filter(pa.compute.is_valid(contexts["intents"]))
    assert find_count_changes(store, papers, labelled, contexts) == []
    counts = store.read(query("text/intent_counts"), papers=papers)
    assert sum(pa.compute.sum(counts[name]).as_py() for name in COUNTS) > 0


def test_an_interrupted_scoring_is_completed(
    store: GraphStore, load: Any, toy: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(store, toy)
    expected = score_in_database(store, runs=tmp_path / "whole")
    rows = without_run(store)
    score_in_database(store, Weighting(weights="uniform"), runs=tmp_path)
    original = type(store).run

    def stop(self: GraphStore, text: Any, /, **params: object) -> pa.Table:
        rows = original(self, text, **params)
        if getattr(text, "name", "") == "features/write_scores":
            raise KeyboardInterrupt
        return rows

    with monkeypatch.context() as patch:
        patch.setattr(type(store), "run", stop)
        with pytest.raises(KeyboardInterrupt):
            score_in_database(store, runs=tmp_path)
    assert read_importance_run(store) is None
    again = score_in_database(store, runs=tmp_path)
    assert again.statistics == expected.statistics
    assert read_importance_run(store) == again.run
    assert without_run(store) == rows


def test_what_needs_python_is_refused(store: GraphStore, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="T, the similarity of titles, cannot be computed in C"):
        score_in_database(store, Weighting("I,T"), runs=tmp_path)
    with pytest.raises(ConfigError, match="learned importance cannot be computed in Cypher"):
        score_in_database(store, Weighting(weights="learned:train-1"), runs=tmp_path)
    with pytest.raises(StoreError, match="holds no citation pairs"):
        score_in_database(store, runs=tmp_path)


def test_tables_without_texts_are_refused_before_writing(
    store: GraphStore, load: Any, make_graph: Any, tmp_path: Path
) -> None:
    load(store, make_graph(2, ((0, 1),), ()))
    store.write("MATCH (p:Paper) SET p.loader = 'csv-2'")
    with pytest.raises(StoreError, match="has 1 citations but none in a text"):
        score_in_database(store, runs=tmp_path)
    assert {json.dumps(row["mentions"]) for row in written(store).values()} == {"null"}
