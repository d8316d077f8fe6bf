"""Choosing the level of topics by reviews: planted topics and the baseline."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score

from citescape.core.errors import ConfigError, StoreError
from citescape.encoders.documents import EncoderSettings
from citescape.encoders.saved import hash_document_encoder, write_encoder_settings
from citescape.mapping.communities.resolution import (
    BaselineConfig,
    build_baseline,
    choose_level,
)
from citescape.networks.citations import build_citations
from citescape.runs.directory import RunRecord, open_run
from citescape.store.graph_store import GraphStore
from tests.importance.conftest import insert
from tests.mapping.communities.clusterings import keep_clustering
from tests.training.conftest import write_model

SIZES = (40, 20, 10, 5)
"""Papers per community at each level; planted topics have ten."""
IDS = [f"p{k:02d}" for k in range(80)]


def split(size: int) -> list[list[str]]:
    return [IDS[start : start + size] for start in range(0, len(IDS), size)]


LEVELS = {f"l{size}": split(size) for size in SIZES}


def fill(store: GraphStore, *, noise: int = 0) -> GraphStore:
    """Eight reviews, each citing a topic of ten papers and some papers of the next topic."""
    types = ("review-article", "systematic-review")
    reviews = [{"id": f"r{k}", "type": types[k % 2], "fulltext": True} for k in range(8)]
    others = [{"id": "s", "type": "research-article", "fulltext": True}]
    insert(store, "Paper", [*reviews, *others, *({"id": id_} for id_ in IDS)])
    cites = [(f"r{k}", id_) for k, topic in enumerate(split(10)) for id_ in topic]
    cites += [("r0", id_) for id_ in IDS[10 : 10 + noise]]
    cites += [("s", id_) for id_ in IDS]  # not a review
    insert(store, "CITES", [{"from": a, "to": b} for a, b in cites])
    return store


def test_the_level_of_planted_topics_is_chosen(store: GraphStore, tmp_path: Path) -> None:
    run = keep_clustering(tmp_path, LEVELS)
    chosen = choose_level(fill(store), run)
    assert chosen.level == "l10"
    assert chosen.curve["ari"][2].as_py() == 1
    assert (len(chosen.baseline), len(chosen.baseline.reviews)) == (80, 8)
    assert chosen.note == ""
    curve = chosen.curve.to_pylist()
    assert [row["level"] for row in curve] == list(LEVELS)
    assert [row["communities"] for row in curve] == [80 // size for size in SIZES]
    classes = np.repeat(np.arange(8), 10)
    for row, size in zip(curve, SIZES, strict=True):
        labels = np.arange(80) // size
        assert row["ari"] == pytest.approx(adjusted_rand_score(classes, labels))


def test_papers_of_several_reviews_are_left_out(store: GraphStore, tmp_path: Path) -> None:
    chosen = choose_level(fill(store, noise=4), keep_clustering(tmp_path, LEVELS))
    assert chosen.level == "l10"
    assert (len(chosen.baseline), chosen.baseline.shared) == (76, 4)


def test_only_the_core_counts(store: GraphStore, tmp_path: Path) -> None:
    run = keep_clustering(tmp_path, LEVELS, core=IDS[:40])
    assert len(choose_level(fill(store), run).baseline) == 40


def test_a_best_level_at_the_end_of_the_range_is_reported(
    store: GraphStore, tmp_path: Path
) -> None:
    fill(store)
    coarse = keep_clustering(tmp_path, {name: LEVELS[name] for name in ("l10", "l5")})
    assert "l10 is the coarsest level: a coarser level may" in choose_level(store, coarse).note
    fine = keep_clustering(tmp_path, {name: LEVELS[name] for name in ("l40", "l20")})
    assert "l20 is the finest level: a finer level may" in choose_level(store, fine).note


@pytest.mark.parametrize(
    ("config", "vectors", "is_reported"),
    [
        ({"kind": "coupling"}, "", True),
        ({"kind": "knn"}, "embed-1", False),
        ({"kind": "knn"}, "graph-embed-1", True),
        ({"kind": "bm25"}, "", False),
    ],
)
def test_networks_from_reference_lists_are_reported(
    config: dict[str, str], vectors: str, is_reported: bool, store: GraphStore, tmp_path: Path
) -> None:
    with open_run(tmp_path, "network-1") as directory:
        directory.complete(RunRecord("network-1", "network", config, {"vectors": vectors}))
    run = keep_clustering(tmp_path, LEVELS, network="network-1")
    assert ("is built from reference lists" in choose_level(fill(store), run).note) == is_reported


@pytest.mark.parametrize("trained", [True, False])
def test_vectors_of_an_encoder_trained_on_this_store_are_reported(
    trained: bool, store: GraphStore, tmp_path: Path
) -> None:
    """The encoder may have learned from the reference lists that choose the level."""
    with open_run(tmp_path, "train-1") as directory:
        write_model(directory.path)
        write_encoder_settings(directory.path, EncoderSettings("joined", "mean", 32))
        directory.complete(RunRecord("train-1", "train", {}, {}))
    encoder = hash_document_encoder(str(tmp_path / "train-1")) if trained else "another"
    runs = {
        "embed-1": RunRecord("embed-1", "embed", {}, {"encoder": encoder}),
        "network-1": RunRecord("network-1", "network", {"kind": "knn"}, {"vectors": "embed-1"}),
    }
    for run, record in runs.items():
        with open_run(tmp_path, run) as directory:
            directory.complete(record)
    note = choose_level(fill(store), keep_clustering(tmp_path, LEVELS, network="network-1")).note
    warning = "the vectors of the network (knn) are from train-1, which was trained on this store"
    assert (warning in note) == trained
    assert trained or note == ""


rows = st.lists(
    st.tuples(st.sampled_from(["r1", "r2", "r3", "x"]), st.sampled_from("abcdefz")), max_size=20
)


@settings(max_examples=100, deadline=None)
@given(rows.map(lambda found: sorted(set(found))), st.integers(2, 4))
def test_the_baseline_equals_that_of_sets(cites: list[tuple[str, str]], least: int) -> None:
    columns = [pa.array([row[k] for row in cites], pa.string()) for k in range(2)]
    table = pa.table([*columns, np.ones(len(cites))], names=["citing", "cited", "weight"])
    ids, reviews = pa.array(list("abcdef")), pa.array(["r1", "r2", "r3"])
    found = build_baseline(build_citations(table), reviews, ids, least=least)
    lists = {r: {b for a, b in cites if a == r and b in "abcdef"} for r in ("r1", "r2", "r3")}
    large = {r: of for r, of in lists.items() if len(of) >= least}
    times = {id_: sum(id_ in of for of in large.values()) for id_ in "abcdef"}
    own = {r: {id_ for id_ in of if times[id_] == 1} for r, of in large.items()}
    kept = {r: of for r, of in own.items() if len(of) > 1}
    assert found.reviews.to_pylist() == sorted(kept)
    pairs = zip(found.rows, found.classes, strict=True)
    assert {("abcdef"[row], sorted(kept)[c]) for row, c in pairs} == {
        (id_, r) for r, of in kept.items() for id_ in of
    }
    assert found.rows.tolist() == sorted(found.rows.tolist())
    assert found.shared == sum(count > 1 for count in times.values())


def test_missing_data_is_reported(store: GraphStore, tmp_path: Path) -> None:
    run = keep_clustering(tmp_path, LEVELS)
    with pytest.raises(StoreError, match="holds no citations"):
        choose_level(store, run)
    fill(store)
    with pytest.raises(
        ConfigError, match=r"0 of the 8 papers of type .* cite 11 or more of the 80"
    ):
        choose_level(store, run, BaselineConfig(least=11))
    with pytest.raises(ConfigError, match=r"0 of the 0 papers of type editorial"):
        choose_level(store, run, BaselineConfig(types=("editorial",)))
    with pytest.raises(ConfigError, match="has one level; expected at least two"):
        choose_level(store, keep_clustering(tmp_path, {"l10": split(10)}))
    for wrong in ({"least": 1}, {"types": ()}):
        with pytest.raises(
            ConfigError, match="expected at least 2 references and at least one type"
        ):
            BaselineConfig(**wrong)
