"""Labels in the graph: what is written, what is left alone, what an interruption leaves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from citescape.errors import ConfigError, StoreError
from citescape.graph.ingest import IngestConfig, ingest
from citescape.graph.queries import query
from citescape.graph.store import Change, GraphStore
from citescape.graph.tables import paper_tables
from citescape.loaders.jats import read_jats
from citescape.text.intents import label as labelling
from citescape.text.intents.contexts import INTENTS, Context, Probabilities, predict
from citescape.text.intents.facets import read_facet
from citescape.text.intents.label import label
from citescape.text.intents.model import RULES, NamedModel, resolve_model
from citescape.text.write_back import full_texts

Rows = list[dict[str, Any]]


@pytest.fixture
def rules(tmp_path: Path) -> NamedModel:
    return resolve_model(tmp_path, RULES)


@pytest.fixture
def loaded(store: GraphStore, papers: Path) -> GraphStore:
    ingest(store, [papers], IngestConfig(workers=1))
    return store


def occurrences(store: GraphStore) -> Rows:
    rows = store.read(query("text/intents"), papers=full_texts(store)).sort_by("id")
    found: Rows = rows.to_pylist()
    return found


def pair_counts(store: GraphStore) -> dict[tuple[str, str], tuple[int | None, ...]]:
    rows = store.read(query("text/intent_counts"), papers=full_texts(store)).to_pylist()
    return {(row["from"], row["to"]): tuple(row[f"n_{x}"] for x in INTENTS) for row in rows}


def counted(store: GraphStore) -> dict[tuple[str, str], Counter[str]]:
    """Intents of every pair with a labelled context, in plain Python."""
    rows = store.read(query("text/intents_of_pairs"), papers=full_texts(store)).to_pylist()
    found: dict[tuple[str, str], Counter[str]] = {}
    for row in rows:
        found.setdefault((row["citing"], row["cited"]), Counter()).update(row["intents"] or [])
    return found


def give(store: GraphStore, id_: str, intents: Sequence[str]) -> None:
    """What a source that brings intents would have written."""
    row = pa.table({"id": [id_], "intents": pa.array([list(intents)], pa.list_(pa.string()))})
    store.apply([Change("update", "Occurrence", row)])


def test_every_context_gets_its_probabilities_and_intents(
    loaded: GraphStore, rules: NamedModel
) -> None:
    told: list[str] = []
    done = label(loaded, rules, progress=told.append)
    rows = occurrences(loaded)
    assert done.contexts == done.written == len(rows) > 100
    assert told[0] == "labelling: 0 of 8 papers"
    contexts = [Context(row["context"], row["title"], row["section"]) for row in rows]
    wanted = np.round(predict(rules.judge, contexts), 4)
    for row, p in zip(rows, wanted.tolist(), strict=True):
        assert [row[f"intent_{x}"] for x in INTENTS] == p
        assert (row["intents"] or []) == [x for x, q in zip(INTENTS, p, strict=True) if q >= 0.5]
        assert row["intent_run"] == rules.record.id
    numbers = Counter(x for row in rows for x in row["intents"] or [])
    assert {name: n for name, n in done.intents.items() if n} == numbers
    runs = loaded.read("MATCH (r:Run) RETURN r.id AS id")["id"].to_pylist()
    assert rules.record.id in runs


def test_counts_of_pairs_and_facets_follow(loaded: GraphStore, rules: NamedModel) -> None:
    done = label(loaded, rules)
    numbers, wanted = pair_counts(loaded), counted(loaded)
    for pair, found in numbers.items():
        expected = tuple(wanted[pair][x] for x in INTENTS) if pair in wanted else (None,) * 3
        assert found == expected
    assert done.pairs_written == len(wanted)
    for k, intent in enumerate(INTENTS):
        edges = read_facet(loaded, intent, full_texts(loaded)).to_pylist()
        facet = {(row["citing"], row["cited"]): row["weight"] for row in edges}
        assert facet == {pair: n[k] for pair, n in numbers.items() if n[k]}


def test_a_second_run_writes_nothing(loaded: GraphStore, rules: NamedModel) -> None:
    first = label(loaded, rules)
    judged: list[Context] = []
    second = label(loaded, replace(rules, judge=_recording(rules, judged)))
    assert (second.written, second.pairs_written, judged) == (0, 0, [])
    assert second.intents == first.intents
    again = label(loaded, rules, again=True)
    assert (again.written, again.pairs_written) == (0, 0)


def _recording(model: NamedModel, seen: list[Context]) -> Callable[..., Probabilities]:
    def judge(contexts: Sequence[Context]) -> Probabilities:
        seen.extend(contexts)
        return model.judge(contexts)

    return judge


def test_another_threshold_needs_no_model(loaded: GraphStore, rules: NamedModel) -> None:
    label(loaded, rules)
    judged: list[Context] = []
    label(loaded, replace(rules, judge=_recording(rules, judged)), threshold=0.9)
    assert judged == []
    for row in occurrences(loaded):
        assert (row["intents"] or []) == [x for x in INTENTS if row[f"intent_{x}"] >= 0.9]


def test_what_a_source_says_is_left_alone(loaded: GraphStore, rules: NamedModel) -> None:
    first, second, *_ = occurrences(loaded)
    give(loaded, first["id"], ["method", "result"])
    give(loaded, second["id"], [])
    done = label(loaded, rules, again=True)
    rows = {row["id"]: row for row in occurrences(loaded)}
    assert rows[first["id"]] == {**first, "intents": ["method", "result"]}
    assert rows[second["id"]] == {**second, "intents": []}
    assert done.from_sources == 2
    assert done.written == done.contexts - 2
    assert pair_counts(loaded).keys() >= counted(loaded).keys()


def test_an_interrupted_labelling_goes_on(
    loaded: GraphStore, rules: NamedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(labelling, "_PAPERS", 3)
    calls = 0

    def dies(contexts: Sequence[Context]) -> Probabilities:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise KeyboardInterrupt
        return rules.judge(contexts)

    with pytest.raises(KeyboardInterrupt):
        label(loaded, replace(rules, judge=dies))
    done_before = sum(row["intent_run"] is not None for row in occurrences(loaded))
    assert 0 < done_before < len(occurrences(loaded))
    done = label(loaded, rules)
    assert done.written == done.contexts - done_before
    assert {row["intent_run"] for row in occurrences(loaded)} == {rules.record.id}
    assert pair_counts(loaded).keys() >= counted(loaded).keys()


def test_another_model_replaces_what_the_first_said(loaded: GraphStore, rules: NamedModel) -> None:
    label(loaded, rules)

    def all_method(contexts: Sequence[Context]) -> Probabilities:
        return np.tile([0.0, 0.9, 0.0], (len(contexts), 1))

    other = NamedModel("x", replace(rules.record, id="intents-x"), all_method)
    done = label(loaded, other)
    assert done.intents == {"background": 0, "method": done.contexts, "result": 0}
    assert {n[0] for n in pair_counts(loaded).values()} <= {0, None}
    nothing = NamedModel("x", replace(rules.record, id="intents-y"), all_method)
    empty = label(loaded, nothing, threshold=0.95)
    assert empty.without_intent == empty.contexts
    assert set(pair_counts(loaded).values()) <= {(0, 0, 0), (None, None, None)}


def test_stores_and_thresholds_that_make_no_sense(store: GraphStore, rules: NamedModel) -> None:
    with pytest.raises(StoreError, match="holds no citations in the text; expected papers"):
        label(store, rules)
    with pytest.raises(ConfigError, match=r"threshold is 1\.5; expected more than 0"):
        label(store, rules, threshold=1.5)


def test_intents_of_a_source_reach_the_graph(papers: Path) -> None:
    path = sorted(papers.rglob("*.*ml"))[0]
    paper = read_jats(path.read_bytes(), path.name)
    first, *others = paper.occurrences
    brought = replace(paper, occurrences=(first._replace(intents=("method",)), *others))
    column = paper_tables([brought], loader="test")["Occurrence"]["intents"].to_pylist()
    assert column == [["method"], *[None] * len(others)]
