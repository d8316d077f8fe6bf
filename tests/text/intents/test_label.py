"""Labels in the graph: written values, kept values, and continued runs."""

from __future__ import annotations

import json
import shutil
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from citescape.core.errors import ConfigError, StoreError
from citescape.corpus import IntentSteps
from citescape.ingest.tables import paper_tables
from citescape.loaders.jats import read_jats
from citescape.runs import context as runs_context
from citescape.store.graph_store import Change, GraphStore, open_store
from citescape.store.queries import query
from citescape.store.schema import TABLE
from citescape.store.state import read_meta
from citescape.text.intents import label as labelling
from citescape.text.intents.contexts import INTENTS, CitationContext, Probabilities, predict
from citescape.text.intents.label import AGAIN, intents_above, label
from citescape.text.intents.model import RULES, NamedModel, resolve_model
from citescape.text.intents.steps import LabelIntents
from citescape.text.write_back import full_texts
from tests.copies import ingest_file, open_copy
from tests.forks import shared_forks
from tests.text.intents.conftest import EVERY_CONTEXT, OF_PAIRS, update_counts

Rows = list[dict[str, Any]]


@pytest.fixture
def rules(tmp_path: Path) -> NamedModel:
    return resolve_model(tmp_path, RULES)


@pytest.fixture(scope="module")
def unlabelled_file(tmp_path_factory: pytest.TempPathFactory, papers: Path) -> Path:
    return ingest_file(papers, tmp_path_factory.mktemp("file") / "s.lbug")


@pytest.fixture
def loaded(store: GraphStore, unlabelled_file: Path, tmp_path: Path) -> Iterator[GraphStore]:
    """The papers on each engine, without labels."""
    with open_copy(store, unlabelled_file, tmp_path) as copy:
        yield copy


def occurrences(store: GraphStore) -> Rows:
    rows = store.read(query("text/intents"), papers=full_texts(store)).sort_by("id")
    result: Rows = rows.to_pylist()
    return result


def pair_counts(store: GraphStore) -> dict[tuple[str, str], tuple[int | None, ...]]:
    rows = store.read(query("text/intent_counts"), papers=full_texts(store)).to_pylist()
    return {(row["from"], row["to"]): tuple(row[f"n_{x}"] for x in INTENTS) for row in rows}


def count_intents(store: GraphStore) -> dict[tuple[str, str], Counter[str]]:
    """Intents of every pair with a labelled context, in plain Python."""
    rows = store.read(OF_PAIRS, papers=full_texts(store)).to_pylist()
    result: dict[tuple[str, str], Counter[str]] = {}
    for row in rows:
        result.setdefault((row["citing"], row["cited"]), Counter()).update(row["intents"] or [])
    return result


def counts_follow(store: GraphStore) -> bool:
    """Whether every pair has the counts of its contexts: null without a labelled context, but 0 for
    works that a paper with labelled contexts never mentions."""
    wanted = count_intents(store)
    read = {citing for citing, _ in wanted}
    every = store.read(EVERY_CONTEXT, papers=full_texts(store)).to_pylist()
    mentioned = {(row["citing"], row["cited"]) for row in every}

    def expect(pair: tuple[str, str]) -> tuple[int | None, ...]:
        if pair in wanted:
            return tuple(wanted[pair][x] for x in INTENTS)
        return (0, 0, 0) if pair[0] in read and pair not in mentioned else (None, None, None)

    return pair_counts(store) == {pair: expect(pair) for pair in pair_counts(store)}


def write_intents(store: GraphStore, id_: str, intents: Sequence[str]) -> None:
    """Writes intents as a source with intents does."""
    row = pa.table({"id": [id_], "intents": pa.array([list(intents)], pa.list_(pa.string()))})
    store.apply([Change("update", "Occurrence", row)])


def test_every_context_gets_its_probabilities_and_intents(
    loaded: GraphStore, rules: NamedModel
) -> None:
    progress: list[str] = []
    done = label(loaded, rules, progress=progress.append)
    rows = occurrences(loaded)
    assert done.contexts == done.written == len(rows) > 100
    assert progress[0] == "labelling: 0 of 8 papers"
    contexts = [CitationContext(row["context"], row["title"], row["section"]) for row in rows]
    wanted = np.round(predict(rules.classify, contexts), 4)
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
    numbers = pair_counts(loaded)
    assert counts_follow(loaded)
    counted = sum(None not in numbers_of for numbers_of in numbers.values())
    assert done.pairs_written == counted >= len(count_intents(loaded)) > 50
    for k, intent in enumerate(INTENTS):
        edges = loaded.read(query(f"facets/{intent}"), papers=full_texts(loaded)).to_pylist()
        facet = {(row["citing"], row["cited"]): row["weight"] for row in edges}
        assert facet == {pair: n[k] for pair, n in numbers.items() if n[k]}


def test_a_second_run_writes_nothing(loaded: GraphStore, rules: NamedModel) -> None:
    first = label(loaded, rules)
    judged: list[CitationContext] = []
    second = label(loaded, replace(rules, classify=_recording(rules, judged)))
    assert (second.written, second.pairs_written, judged) == (0, 0, [])
    assert second.intents == first.intents
    again = label(loaded, rules, again=True)
    assert (again.written, again.pairs_written) == (0, 0)


def _recording(model: NamedModel, seen: list[CitationContext]) -> Callable[..., Probabilities]:
    def classify(contexts: Sequence[CitationContext]) -> Probabilities:
        seen.extend(contexts)
        return model.classify(contexts)

    return classify


def test_another_threshold_needs_no_model(loaded: GraphStore, rules: NamedModel) -> None:
    label(loaded, rules)
    judged: list[CitationContext] = []
    label(loaded, replace(rules, classify=_recording(rules, judged)), threshold=0.9)
    assert judged == []
    for row in occurrences(loaded):
        assert (row["intents"] or []) == [x for x in INTENTS if row[f"intent_{x}"] >= 0.9]


def test_intents_of_a_source_are_kept(loaded: GraphStore, rules: NamedModel) -> None:
    first, second, *_ = occurrences(loaded)
    write_intents(loaded, first["id"], ["method", "result"])
    write_intents(loaded, second["id"], [])
    done = label(loaded, rules, again=True)
    rows = {row["id"]: row for row in occurrences(loaded)}
    assert rows[first["id"]] == {**first, "intents": ["method", "result"]}
    assert rows[second["id"]] == {**second, "intents": []}
    assert done.from_sources == 2
    assert done.written == done.contexts - 2
    assert counts_follow(loaded)


def test_an_interrupted_labelling_continues(
    loaded: GraphStore, rules: NamedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(labelling, "_PAPERS", 3)
    calls = 0

    def interrupt(contexts: Sequence[CitationContext]) -> Probabilities:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise KeyboardInterrupt
        return rules.classify(contexts)

    with pytest.raises(KeyboardInterrupt):
        label(loaded, replace(rules, classify=interrupt))
    assert counts_follow(loaded), "a batch is there with its counts"
    nodes = loaded.read("MATCH (r:Run) RETURN r.id AS id")["id"].to_pylist()
    assert rules.record.id in nodes, "no label names a run that is not there"
    done_before = sum(row["intent_run"] is not None for row in occurrences(loaded))
    assert 0 < done_before < len(occurrences(loaded))
    done = label(loaded, rules)
    assert done.written == done.contexts - done_before
    assert {row["intent_run"] for row in occurrences(loaded)} == {rules.record.id}
    assert counts_follow(loaded)


def test_another_model_replaces_labels_of_the_first(loaded: GraphStore, rules: NamedModel) -> None:
    label(loaded, rules)

    def all_method(contexts: Sequence[CitationContext]) -> Probabilities:
        return np.tile([0.0, 0.9, 0.0], (len(contexts), 1))

    other = NamedModel("x", replace(rules.record, id="intents-x"), all_method)
    done = label(loaded, other)
    assert done.intents == {"background": 0, "method": done.contexts, "result": 0}
    assert {n[0] for n in pair_counts(loaded).values()} <= {0, None}
    nothing = NamedModel("x", replace(rules.record, id="intents-y"), all_method)
    empty = label(loaded, nothing, threshold=0.95)
    assert empty.without_intent == empty.contexts
    assert set(pair_counts(loaded).values()) <= {(0, 0, 0), (None, None, None)}


def test_emptied_counts_are_restored(loaded: GraphStore, rules: NamedModel) -> None:
    """Reloading a paper empties the counts of its citations in the same way."""
    label(loaded, rules)
    before = pair_counts(loaded)
    lost = [pair for pair, numbers in before.items() if numbers[0] is not None][:7]
    rows: dict[str, Any] = {"from": [i for i, _ in lost], "to": [j for _, j in lost]}
    empty = {f"n_{x}": pa.nulls(len(lost), pa.int64()) for x in INTENTS}
    loaded.apply([Change("update", "CITES", pa.table({**rows, **empty}))])
    assert pair_counts(loaded) != before
    done = label(loaded, rules)
    assert (done.written, done.pairs_written) == (0, len(lost))
    assert pair_counts(loaded) == before


def test_relabelling_continues_after_an_interruption(
    loaded: GraphStore, rules: NamedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(labelling, "_PAPERS", 3)
    label(loaded, rules)
    retype(loaded, "M")
    calls = 0

    def interrupt(contexts: Sequence[CitationContext]) -> Probabilities:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise KeyboardInterrupt
        return rules.classify(contexts)

    with pytest.raises(KeyboardInterrupt):
        label(loaded, replace(rules, classify=interrupt), again=True)
    rest = label(loaded, rules)
    assert 0 < rest.written < rest.contexts, "what was done anew is not done once more"
    assert read_meta(loaded, AGAIN) == ""
    rows = occurrences(loaded)
    wanted = predict(rules.classify, [CitationContext(r["context"], r["title"], "M") for r in rows])
    assert [r["intent_method"] for r in rows] == np.round(wanted[:, 1], 4).tolist()
    assert counts_follow(loaded)
    assert label(loaded, rules, again=True).written == 0


def retype(store: GraphStore, type_: str) -> None:
    """Writes a section type, as labelling of sections does."""
    ids = store.read("MATCH (s:Section) RETURN s.id AS id")["id"]
    types = pa.repeat(type_, len(ids))
    store.apply([Change("update", "Section", pa.table({"id": ids, "type": types}))])


def test_unusual_contexts_are_labelled(loaded: GraphStore, rules: NamedModel) -> None:
    first, second, third, *_ = occurrences(loaded)
    texts = {first["id"]: "We used (zinc, " * 7_000, second["id"]: "", third["id"]: "\x00漢" * 9}
    rows = pa.table({"id": list(texts), "context": list(texts.values())})
    loaded.apply([Change("update", "Occurrence", rows)])
    sections = loaded.read("MATCH (s:Section) RETURN s.id AS id")["id"]
    untitled = pa.table({"id": sections, "title": pa.nulls(len(sections), pa.string())})
    loaded.apply([Change("update", "Section", untitled)])
    done = label(loaded, rules)
    assert done.written == done.contexts
    result = {row["id"]: row for row in occurrences(loaded)}
    assert result[second["id"]]["intent_background"] == 0
    assert not result[second["id"]]["intents"]
    assert result[second["id"]]["intent_run"] == rules.record.id
    assert label(loaded, rules).written == 0


def test_a_store_without_labels(loaded: GraphStore) -> None:
    assert set(pair_counts(loaded).values()) == {(None, None, None)}
    assert update_counts(loaded, full_texts(loaded)) == 0
    for intent in INTENTS:
        assert loaded.read(query(f"facets/{intent}"), papers=full_texts(loaded)).num_rows == 0


def test_python_accepts_the_arguments_of_the_command(
    loaded: GraphStore, rules: NamedModel, tmp_path: Path
) -> None:
    context = runs_context.Context(loaded.location, tmp_path)
    context.use(loaded)
    intents = IntentSteps(context)
    done = intents.label("rules", threshold=0.9)
    assert done == replace(label(loaded, rules, threshold=0.9), written=done.written,
                           pairs_written=done.pairs_written)  # fmt: skip
    retype(loaded, "M")
    assert intents.label("rules", threshold=0.9).written == 0
    assert intents.label("rules", threshold=0.9, again=True).written > 0
    file = tmp_path / "a.jsonl"
    line = {"string": "We measured zinc as described [1].", "label": "background"}
    file.write_text(json.dumps(line), encoding="utf-8")
    (result,) = intents.evaluate([file], models=("rules",), threshold=1.0).models.values()
    assert (result.without_intent, len(result.errors)) == (1, 1)
    (result,) = intents.evaluate([file], models=("rules",), cases=0).models.values()
    assert result.errors == ()


def test_full_texts_without_citations_are_not_an_error(
    store: GraphStore, rules: NamedModel
) -> None:
    row = dict.fromkeys(TABLE["Paper"].arrow.names) | {"id": "p1", "fulltext": True}
    store.apply([Change("insert", "Paper", pa.Table.from_pylist([row], TABLE["Paper"].arrow))])
    done = label(store, rules)
    assert (done.papers, done.contexts, done.written, done.pairs_written) == (1, 0, 0, 0)
    assert done.intents == {"background": 0, "method": 0, "result": 0}


def test_invalid_stores_and_thresholds_are_refused(store: GraphStore, rules: NamedModel) -> None:
    with pytest.raises(StoreError, match=r"holds no papers with full text.*platform ingest PATH"):
        label(store, rules)
    with pytest.raises(ConfigError, match=r"threshold is 1\.5; expected more than 0"):
        LabelIntents(threshold=1.5)


def test_zero_one_or_several_intents() -> None:
    p = np.array([[0.2, 0.49, 0.1], [0.2, 0.5, 0.1], [0.9, 0.1, 0.6]])
    result = intents_above(p, 0.5).to_pylist()
    assert result == [[], ["method"], ["background", "result"]]
    assert intents_above(p[:0], 0.5).to_pylist() == []


KILLED = """
import sys
from pathlib import Path
from citescape.store.ladybug.adapter import LadybugStore
from citescape.text.intents import label
from citescape.text.intents.model import resolve_model
from tests.ingest.killed import die_after

path, statements = sys.argv[1:]
label._PAPERS = 4
done = die_after(int(statements))
label.label(LadybugStore.open(path), resolve_model(Path("runs"), "rules"))
print(done())
"""
"""Labels a store until its nth statement; prints the number of statements."""


def test_another_run_completes_a_labelling_after_kill_9(
    unlabelled_file: Path, rules: NamedModel, tmp_path: Path
) -> None:
    """The labelling is killed before every third statement: within, between and after batches."""
    whole = Path(shutil.copy(unlabelled_file, tmp_path / "whole.lbug"))
    done = shared_forks().run(KILLED, whole, 1_000)
    assert done.returncode == 0, done.stderr
    wanted = everything(whole)
    for n in range(2, int(done.stdout), 3):
        path = Path(shutil.copy(unlabelled_file, tmp_path / f"{n}.lbug"))
        done = shared_forks().run(KILLED, path, n)
        assert done.returncode == -signal.SIGKILL, done.stderr
        store = open_store(str(path))
        assert counts_follow(store), "counts stand where their labels stand"
        label(store, rules)
        store.close()
        assert everything(path) == wanted


def everything(path: Path) -> tuple[Rows, dict[tuple[str, str], tuple[int | None, ...]]]:
    """All values that labelling writes."""
    store = open_store(str(path), read_only=True)
    try:
        return occurrences(store), pair_counts(store)
    finally:
        store.close()


def test_intents_of_a_source_reach_the_graph(papers: Path) -> None:
    path = sorted(papers.rglob("*.*ml"))[0]
    paper = read_jats(path.read_bytes(), path.name)
    first, *others = paper.occurrences
    brought = replace(paper, occurrences=(first._replace(intents=("method",)), *others))
    column = paper_tables([brought])["Occurrence"]["intents"].to_pylist()
    assert column == [["method"], *[None] * len(others)]
