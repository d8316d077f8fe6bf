"""What a store says of itself: counts, runs, and what is left to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from citescape.importance.config import Weighting
from citescape.importance.score import current_run, score
from citescape.ingest.overview import read_overview
from citescape.ingest.pending import mark_pending
from citescape.store.graph_store import GraphStore
from citescape.store.schema import SCHEMA_VERSION
from tests.ingest.papers import Cited, jats, load, small_corpus, write_files


def test_it_counts_labels_and_relationships_but_not_its_own_notes(
    store: GraphStore, tmp_path: Path
) -> None:
    load(store, *write_files(tmp_path, small_corpus()))
    found = read_overview(store)
    assert found.labels["Occurrence"] == found.relationships["CONTAINS"] > 0
    assert "Meta" not in found.labels
    assert (found.engine, found.schema_version, found.runs) == (
        store.dialect,
        str(SCHEMA_VERSION),
        [],
    )


def test_it_says_what_is_left_to_do(store: GraphStore, tmp_path: Path) -> None:
    paths = write_files(tmp_path, small_corpus())
    assert "there are no papers yet" in read_overview(store).pending
    load(store, *paths)
    assert f"`platform score --store {store.location}`" in read_overview(store).pending
    mark_pending(store)
    ingest = f"`platform ingest PATH --store {store.location}`"
    assert ingest in read_overview(store).pending


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("sections", "MATCH (s:Section {id: $id}) SET s.type_source = $given, s.type_run = $run"),
        ("intents", "MATCH (o:Occurrence {id: $id}) SET o.intent_run = $run"),
        ("abstracts", "MATCH (p:Paper {id: $id}) SET p.split_run = $run"),
    ],
)
def test_what_is_labelled_in_part_is_told(
    store: GraphStore, tmp_path: Path, command: str, text: str
) -> None:
    load(store, *write_files(tmp_path, small_corpus()))
    label = {"sections": "Section", "intents": "Occurrence", "abstracts": "Paper"}[command]
    bare = "MATCH (s:Section) WHERE s.kind = 'body' SET s.type_source = 'none'"
    store.write(bare)
    store.write("MATCH (p:Paper) WHERE p.fulltext SET p.abstract = 'Rice grows.'")
    assert "platform score" in read_overview(store).pending
    of = {"Section": "x.kind = 'body'", "Paper": "x.fulltext"}.get(label, "x.id IS NOT NULL")
    ids = store.read(f"MATCH (x:{label}) WHERE {of} RETURN x.id AS id ORDER BY id")["id"]
    given = {"given": "model"} if command == "sections" else {}
    store.write(text, id=ids[0].as_py(), run="run-1", **given)
    wanted = f"run `platform text {command} label --store {store.location}`: it was interrupted"
    assert read_overview(store).pending.startswith(wanted)


def test_the_run_of_the_scores_stands_first(store: GraphStore, tmp_path: Path) -> None:
    load(store, *write_files(tmp_path, small_corpus()))
    uniform, runs = Weighting(weights="uniform"), tmp_path / "runs"
    first = score(store, uniform, runs=runs).run
    other = score(store, Weighting(features="I,S", weights="uniform"), runs=runs).run
    marks = [(run["id"], run["current"]) for run in read_overview(store).runs]
    assert marks == [(other, True), (first, False)]
    assert score(store, uniform, runs=runs).run == first
    marks = [(run["id"], run["current"]) for run in read_overview(store).runs]
    assert marks == [(first, True), (other, False)]


def test_new_papers_take_the_scores_out_of_date_and_known_ones_do_not(
    store: GraphStore, tmp_path: Path
) -> None:
    paths = write_files(tmp_path, small_corpus())
    load(store, *paths)
    run = score(store, runs=tmp_path / "runs").run
    load(store, *paths)
    assert (current_run(store), read_overview(store).pending) == (run, "")
    load(store, *write_files(tmp_path / "more", [jats(99, [Cited("New")])]))
    assert current_run(store) is None
    assert "`platform score" in read_overview(store).pending
    again = score(store, runs=tmp_path / "runs")
    assert (current_run(store), read_overview(store).pending) == (again.run, "")
