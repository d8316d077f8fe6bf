"""Overview of a store: counts, runs and remaining steps."""

from __future__ import annotations

from pathlib import Path

from citescape.importance.config import Weighting
from citescape.importance.score import score
from citescape.ingest.overview import read_overview
from citescape.ingest.pending import mark_pending
from citescape.store.graph_store import GraphStore
from citescape.store.schema import SCHEMA_VERSION
from citescape.store.state import read_importance_run
from tests.ingest.papers import Cited, jats, load, small_corpus, write_files


def test_overview_counts_the_graph_and_lists_remaining_steps(
    store: GraphStore, tmp_path: Path
) -> None:
    """Nodes of `Meta` are not counted."""
    assert "there are no papers yet" in read_overview(store).pending
    load(store, *write_files(tmp_path, small_corpus()))
    overview = read_overview(store)
    assert overview.labels["Occurrence"] == overview.relationships["CONTAINS"] > 0
    assert "Meta" not in overview.labels
    assert (overview.engine, overview.schema_version, overview.runs) == (
        store.dialect,
        str(SCHEMA_VERSION),
        [],
    )
    assert f"`platform score --store {store.location}`" in overview.pending
    mark_pending(store)
    ingest = f"`platform ingest PATH --store {store.location}`"
    assert ingest in read_overview(store).pending


LABELLINGS = {
    "sections": ("Section", "x.kind = 'body'", "type_run"),
    "intents": ("Occurrence", "x.id IS NOT NULL", "intent_run"),
    "abstracts": ("Paper", "x.fulltext", "split_run"),
}
"""Command -> label of the nodes, condition on them, property that names the run."""


def test_an_interrupted_labelling_is_a_remaining_step(store: GraphStore, tmp_path: Path) -> None:
    load(store, *write_files(tmp_path, small_corpus()))
    store.write("MATCH (s:Section) WHERE s.kind = 'body' SET s.type_source = 'none'")
    store.write("MATCH (p:Paper) WHERE p.fulltext SET p.abstract = 'Rice grows.'")
    for command, (label, subset, run) in LABELLINGS.items():
        assert "platform score" in read_overview(store).pending
        ids = store.read(f"MATCH (x:{label}) WHERE {subset} RETURN x.id AS id ORDER BY id")["id"]
        store.write(f"MATCH (x:{label} {{id: $id}}) SET x.{run} = 'run-1'", id=ids[0].as_py())
        if command == "sections":
            source = "MATCH (x:Section {id: $id}) SET x.type_source = $source"
            store.write(source, id=ids[0].as_py(), source="model")
        line = f"run `platform text {command} label --store {store.location}`: it was interrupted"
        assert read_overview(store).pending.startswith(line)
        store.write(f"MATCH (x:{label}) SET x.{run} = NULL")
        if command == "sections":
            store.write(source, id=ids[0].as_py(), source="none")


def test_the_run_of_the_scores_is_first(store: GraphStore, tmp_path: Path) -> None:
    load(store, *write_files(tmp_path, small_corpus()))
    uniform, runs = Weighting(weights="uniform"), tmp_path / "runs"
    first = score(store, uniform, runs=runs).run
    other = score(store, Weighting(features="I,S", weights="uniform"), runs=runs).run
    marks = [(run["id"], run["current"]) for run in read_overview(store).runs]
    assert marks == [(other, True), (first, False)]
    assert score(store, uniform, runs=runs).run == first
    marks = [(run["id"], run["current"]) for run in read_overview(store).runs]
    assert marks == [(first, True), (other, False)]


def test_new_papers_make_scores_out_of_date_and_known_papers_do_not(
    store: GraphStore, tmp_path: Path
) -> None:
    paths = write_files(tmp_path, small_corpus())
    load(store, *paths)
    run = score(store, runs=tmp_path / "runs").run
    load(store, *paths)
    assert (read_importance_run(store), read_overview(store).pending) == (run, "")
    load(store, *write_files(tmp_path / "more", [jats(99, [Cited("New")])]))
    assert read_importance_run(store) is None
    assert "`platform score" in read_overview(store).pending
    again = score(store, runs=tmp_path / "runs")
    assert (read_importance_run(store), read_overview(store).pending) == (again.run, "")
