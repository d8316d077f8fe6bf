"""Rerankers of vectors: states, learning and refused input."""

from __future__ import annotations

import json
import os
import shutil
import signal
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from citescape.core.errors import ConfigError
from citescape.training.reranking.config import RerankConfig
from citescape.training.reranking.kept import RerankerRun, hash_reranker
from citescape.training.reranking.pairs import VectorPairs
from citescape.training.reranking.rerankers import open_reranker
from citescape.training.reranking.scoring import compute_mrr
from citescape.training.reranking.shortlists import reorder
from citescape.training.reranking.train import train_reranker
from citescape.training.reranking.vectors import PairVectors
from tests.training.reranking.conftest import configure_vectors, plant, vectorise

CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> RerankerRun:
    runs = tmp_path_factory.mktemp("vectors")
    lists = vectorise(plant(200, seed=1, missed=5)), vectorise(plant(60, seed=2))
    return train_reranker(*lists, configure_vectors(), runs=runs)


def make(queries: int = 3, papers: int = 4, size: int = 5) -> PairVectors:
    chance = np.random.default_rng(7)
    own = chance.normal(size=(queries, 2, size)).astype(np.float32)
    own[1, 1] = 0  # query paper without text
    return PairVectors(own, chance.normal(size=(papers, size)).astype(np.float32), "e")


def test_a_state_has_products_and_both_vectors() -> None:
    """Vectors have length sqrt(d), so that a product sums to d times the cosine."""
    vectors, rows, papers = make(), np.array([0, 2, 1]), np.array([3, 0, 2])
    result = VectorPairs(vectors).pad(rows, papers, device=CPU).numpy()
    size = vectors.candidates.shape[1]
    assert result.shape == (3, vectors.dimensions) == (3, 5 * size)

    def unit(vector: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
        length = np.linalg.norm(vector)
        return vector / length if length else vector

    for state, row, paper in zip(result, rows, papers, strict=True):
        other = unit(vectors.candidates[paper])
        parts = [unit(vectors.queries[row, part]) for part in (0, 1)]
        expected = [size * part * other for part in parts]
        expected += [np.sqrt(size) * vector_of_pair for vector_of_pair in (*parts, other)]
        np.testing.assert_allclose(state, np.concatenate(expected), rtol=1e-5, atol=1e-6)
        assert state[:size].sum() == pytest.approx(size * parts[0] @ other, rel=1e-4)


def test_training_learns_which_papers_are_cited(trained: RerankerRun) -> None:
    """Learns from vectors alone, but not with shuffled citations."""
    retriever = trained.counts["retriever_mrr"]
    assert trained.after["mrr"] > retriever + 0.3
    shuffled = train_reranker(
        vectorise(plant(200, seed=1, shuffled=True)),
        vectorise(plant(60, seed=2)),
        configure_vectors(),
        runs=trained.path.parent,
    )
    assert shuffled.after["mrr"] < retriever + 0.15
    assert not (trained.path / "model.safetensors").exists()
    counts = trained.counts
    assert (counts["queries"], counts["left_out"], counts["injected"]) == (195, 5, 0)
    assert "tokens" not in counts["throughput"]
    assert counts["throughput"]["pairs_a_second"] > 0
    messages = trained.record.inputs
    assert messages["base"] == "e" * 64
    assert len(messages["training_vectors"]) == 64


def test_a_reranker_scores_as_in_its_last_validation(trained: RerankerRun) -> None:
    held = vectorise(plant(60, seed=2))
    reranker = open_reranker(trained.run, trained.path.parent)
    scores = reranker.score(held)
    assert compute_mrr(reorder(held, scores)) == pytest.approx(trained.after["mrr"], abs=1e-12)
    assert reranker.describe()["kind"] == "vectors"
    np.testing.assert_allclose(reranker.score(held, 3), scores[:, :3], atol=1e-6)
    rows = np.array([31, 2])
    np.testing.assert_allclose(reranker.score(held.select_rows(rows)), scores[rows], atol=1e-6)
    assert len(hash_reranker(str(trained.path))) == 64


def test_selected_rows_keep_their_vectors() -> None:
    lists = vectorise(plant(9))
    mixed = lists.select_rows(np.random.default_rng(0).permutation(9)).sort().vectors
    plain = lists.sort().vectors
    assert mixed
    assert plain
    np.testing.assert_array_equal(mixed.queries, plain.queries)
    np.testing.assert_array_equal(mixed.candidates, plain.candidates)
    assert mixed.sha256 == plain.sha256 != make().sha256


def test_an_interrupted_training_gives_the_same_bytes(tmp_path: Path) -> None:
    lists = vectorise(plant(40, seed=1)), vectorise(plant(6, seed=2))
    config = configure_vectors(epochs=2, dropout=0.3)

    def send_interrupt(text: str) -> None:
        if text.startswith("update 7 of 10"):
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt, match="stopped after update 7 of 10"):
        train_reranker(*lists, config, runs=tmp_path / "a", progress=send_interrupt)
    on, quiet = (train_reranker(*lists, config, runs=tmp_path / name) for name in "ab")
    assert on.resumed_after == 7
    assert hash_reranker(str(on.path)) == hash_reranker(str(quiet.path))


def test_vectors_of_another_encoder_are_refused(trained: RerankerRun, tmp_path: Path) -> None:
    reranker = open_reranker(trained.run, trained.path.parent)
    with pytest.raises(ConfigError, match=r"of the encoder e{12}; found those of f{12}"):
        reranker.score(vectorise(plant(6), "f" * 64))
    with pytest.raises(ConfigError, match="have no vectors"):
        reranker.score(plant(6))
    lists = vectorise(plant(6)), vectorise(plant(6), "f" * 64)
    with pytest.raises(ConfigError, match="expected one encoder"):
        train_reranker(*lists, configure_vectors(), runs=tmp_path)
    with pytest.raises(ConfigError, match="have no vectors"):
        train_reranker(plant(6), plant(6), configure_vectors(), runs=tmp_path)


def test_unused_settings_in_the_file_are_ignored(trained: RerankerRun, tmp_path: Path) -> None:
    """Old trainings saved settings that do not apply to vectors."""
    copied = shutil.copytree(trained.path, tmp_path / "copied")
    messages = json.loads((copied / "reranker.json").read_text())
    messages |= {"max_tokens": 80, "abstracts": True, "decay": 0.5}
    (copied / "reranker.json").write_text(json.dumps(messages))
    lists = vectorise(plant(6))
    copied_reranker, original = (
        open_reranker(str(path), tmp_path) for path in (copied, trained.path)
    )
    np.testing.assert_array_equal(copied_reranker.score(lists), original.score(lists))


def test_truncated_weights_are_refused(trained: RerankerRun, tmp_path: Path) -> None:
    for name in ("reranker.json", "heads.safetensors"):
        (tmp_path / name).write_bytes((trained.path / name).read_bytes())
    (tmp_path / "heads.safetensors").write_bytes(b"\0" * 20)
    with pytest.raises(ConfigError, match="expected the weights of a vectors"):
        open_reranker(str(tmp_path), tmp_path)


def test_default_settings_of_each_kind() -> None:
    """Texts have the published defaults; vectors have their own defaults unless set."""
    usual = RerankConfig(kind="vectors")
    assert (usual.loss, usual.parts.signal, usual.inject, usual.k) == ("softmax", "raw", False, 50)
    assert RerankConfig(kind="vectors", epochs=7) == replace(usual, epochs=7)
    own = RerankConfig(kind="vectors", ablation="none", inject=True)
    assert (own.parts.signal, own.inject, own.epochs) == ("prior", True, usual.epochs)
    assert replace(RerankConfig(), kind="cross-encoder") == RerankConfig(kind="cross-encoder")
