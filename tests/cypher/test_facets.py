"""Facet subgraphs on both engines equal a plain-Python reading of FLeW, Eq. 2 and 3."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citescape.store.graph_store import Change, GraphStore
from citescape.store.queries import query
from citescape.store.schema import TABLE
from citescape.text.intents.contexts import INTENTS
from citescape.text.intents.label import label
from citescape.text.intents.model import resolve_model
from tests.ingest import papers
from tests.ingest.papers import small_corpus, write_files
from tests.text.intents.conftest import update_counts

per_store = settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
Pair = tuple[int, int]
Intents = tuple[str, ...] | None


@dataclass(frozen=True)
class Cited:
    """Papers 0 .. papers - 1, their citations, and intents of each context."""

    papers: int
    pairs: tuple[Pair, ...]
    contexts: tuple[tuple[Pair, Intents, bool], ...]
    """Pair, intents (None: not labelled), whether a run of this package labelled it."""

    @property
    def ids(self) -> list[str]:
        return [f"p{k}" for k in range(self.papers)]

    def facet(self, intent: str) -> Counter[Pair]:
        """w_x(e) = |C_x(e)|, for the edges with w_x > 0; self-citations are excluded."""
        return Counter(
            (i, j) for (i, j), intents, _ in self.contexts if i != j and intent in (intents or ())
        )


@st.composite
def cited(draw: st.DrawFn) -> Cited:
    papers = draw(st.integers(2, 6))
    every = [(i, j) for i in range(papers) for j in range(papers) if i != j]
    pairs = draw(st.lists(st.sampled_from(every), min_size=1, max_size=10, unique=True))
    intents = st.none() | st.lists(st.sampled_from(INTENTS), max_size=3, unique=True).map(tuple)
    itself = st.integers(0, papers - 1).map(lambda k: (k, k))
    context = st.tuples(st.sampled_from(pairs) | itself, intents, st.booleans())
    return Cited(papers, tuple(pairs), tuple(draw(st.lists(context, max_size=25))))


def load(store: GraphStore, graph: Cited) -> GraphStore:
    insert(store, "Paper", [{"id": id_, "fulltext": True} for id_ in graph.ids])
    insert(store, "CITES", [{"from": f"p{i}", "to": f"p{j}"} for i, j in graph.pairs])
    insert(store, "Section", [{"id": f"{id_}#s0", "type": "I"} for id_ in graph.ids])
    insert(store, "HAS_SECTION", [{"from": id_, "to": f"{id_}#s0"} for id_ in graph.ids])
    rows = [
        {"id": f"o{k}", "intents": intents, "intent_run": "intents-1" if ours else None}
        for k, (_, intents, ours) in enumerate(graph.contexts)
    ]
    insert(store, "Occurrence", rows)
    places = [(f"o{k}", pair) for k, (pair, _, _) in enumerate(graph.contexts)]
    insert(store, "CONTAINS", [{"from": f"p{i}#s0", "to": o} for o, (i, _) in places])
    insert(store, "REFERS_TO", [{"from": o, "to": f"p{j}"} for o, (_, j) in places])
    return store


def insert(store: GraphStore, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
    schema = TABLE[table].arrow
    full = [{name: row.get(name) for name in schema.names} for row in rows]
    store.apply([Change("insert", table, pa.Table.from_pylist(full, schema))])


def edges(store: GraphStore, intent: str, papers: Sequence[str]) -> Counter[Pair]:
    rows = store.read(query(f"facets/{intent}"), papers=list(papers)).to_pylist()
    return Counter({(int(r["citing"][1:]), int(r["cited"][1:])): r["weight"] for r in rows})


def counts(store: GraphStore, papers: Sequence[str]) -> dict[Pair, tuple[int | None, ...]]:
    rows = store.read(query("text/intent_counts"), papers=list(papers)).to_pylist()
    return {
        (int(row["from"][1:]), int(row["to"][1:])): tuple(row[f"n_{x}"] for x in INTENTS)
        for row in rows
    }


@per_store
@given(graph=cited())
def test_facets_and_pair_counts_equal_the_definition(
    fresh_store: Callable[[], GraphStore], graph: Cited
) -> None:
    """P3-01, P3-02, P3-03, P3-05."""
    store = load(fresh_store(), graph)
    check_facets(store, graph)
    check_counts(store, graph)


def check_facets(store: GraphStore, graph: Cited) -> None:
    vertices = store.read(query("facets/vertices"))["id"].to_pylist()
    assert sorted(vertices) == graph.ids
    weights = 0
    for intent in INTENTS:
        wanted = graph.facet(intent)
        assert edges(store, intent, graph.ids) == wanted
        met = {f"p{k}" for pair in wanted for k in pair}
        alone = store.read(query("facets/isolated"), papers=graph.ids, intent=intent)
        assert sorted(alone["id"].to_pylist()) == sorted(set(graph.ids) - met)
        weights += sum(wanted.values())
    incidences = sum(len(intents or ()) for (i, j), intents, _ in graph.contexts if i != j)
    assert weights == incidences


def check_counts(store: GraphStore, graph: Cited) -> None:
    labelled = {pair for pair, intents, ours in graph.contexts if ours or intents is not None}
    mentioned = {pair for pair, _, _ in graph.contexts}
    changed = update_counts(store, graph.ids)

    result = counts(store, graph.ids)
    assert set(result) == set(graph.pairs)
    for pair, numbers in result.items():
        wanted = tuple(graph.facet(intent)[pair] for intent in INTENTS)
        never = pair not in mentioned and pair[0] in {citing for citing, _ in labelled}
        assert numbers == (wanted if pair in labelled or never else (None,) * 3)
    assert changed == sum(numbers != (None,) * 3 for numbers in result.values())
    assert update_counts(store, graph.ids) == 0, "a second time there is nothing to write"


def test_the_overview_counts_edges_by_number_of_facets(store: GraphStore) -> None:
    b, m, r = INTENTS
    several = (((0, 1), (b, m, r), True), ((0, 2), (b,), True), ((0, 2), (b, r), True))
    graph = Cited(5, ((0, 1), (0, 2), (0, 3), (0, 4)), (*several, ((0, 3), (), True)))
    update_counts(load(store, graph), graph.ids)
    (result,) = store.read(query("explore/facets")).to_pylist()
    assert result == {
        "background_edges": 2,
        "background_contexts": 3,
        "method_edges": 1,
        "method_contexts": 1,
        "result_edges": 2,
        "result_contexts": 2,
        "no_intent": 2,  # (0, 4) is never mentioned, in a paper whose contexts are labelled
        "one_intent": 0,
        "two_intents": 1,
        "three_intents": 1,
        "not_labelled": 0,
    }


def test_removing_labels_updates_counts(store: GraphStore) -> None:
    graph = Cited(2, ((0, 1),), (((0, 1), ("method",), True),))
    load(store, graph)
    assert update_counts(store, graph.ids) == 1
    assert counts(store, graph.ids) == {(0, 1): (0, 1, 0)}
    bare = {"id": ["o0"], "intents": [None], "intent_run": [None]}
    schema = pa.schema(
        [("id", pa.string()), ("intents", pa.list_(pa.string())), ("intent_run", pa.string())]
    )
    store.apply([Change("update", "Occurrence", pa.table(bare, schema))])
    assert update_counts(store, graph.ids) == 1
    assert counts(store, graph.ids) == {(0, 1): (None, None, None)}


def test_reloading_a_paper_removes_its_counts(store: GraphStore, tmp_path: Path) -> None:
    paths = write_files(tmp_path, small_corpus())
    papers.load(store, *paths)
    judge = resolve_model(tmp_path, "rules")
    label(store, judge)
    text = "MATCH (a:Paper)-[c:CITES]->() RETURN a.id AS id, c.n_background AS n ORDER BY id"
    before = store.read(text).to_pylist()
    assert all(row["n"] is not None for row in before)
    corrected = paths[0].read_bytes().replace(b"</article>", b"<!-- corrected --></article>")
    paths[0].write_bytes(corrected)
    papers.load(store, *paths)
    after = store.read(text).to_pylist()
    changed = {row["id"] for row in after if row["n"] is None}
    assert len(changed) == 1
    assert [row for row in after if row["id"] not in changed] == [
        row for row in before if row["id"] not in changed
    ]
    label(store, judge)
    assert store.read(text).to_pylist() == before
