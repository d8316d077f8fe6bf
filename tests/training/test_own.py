"""Own encoders and losses."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_model

from citescape.core.errors import ConfigError
from citescape.corpus import Corpus
from citescape.encoders.own import OWN, hash_object, name_object
from citescape.runs.directory import read_run, unfinished_folder
from citescape.training.checkpoint import STATE
from citescape.training.steps import Train
from tests.training.conftest import Training

SETTINGS: dict[str, Any] = {"batch": 16, "learning_rate": 1e-2, "precision": "float32"}


class Bag(torch.nn.Module):
    """An own encoder: the mean of the vectors of the letters of a text."""

    def __init__(self, *, named: bool = False) -> None:
        super().__init__()
        self.named = named
        with torch.random.fork_rng():
            torch.manual_seed(1)
            self.letters = torch.nn.Embedding(128, 8)
            self.dropout = torch.nn.Dropout(0.1)

    def tokenize(self, texts: list[str]) -> dict[str, torch.Tensor]:
        width = max(map(len, texts))
        rows = [[min(ord(c), 127) for c in text.ljust(width, chr(0))] for text in texts]
        return {"input_ids": torch.tensor(rows)}

    def forward(self, features: dict[str, torch.Tensor]) -> Any:
        vectors = self.dropout(self.letters(features["input_ids"])).mean(1)
        return {"sentence_embedding": vectors} if self.named else vectors


def squared(anchor: Any, positive: Any, negative: Any, margin: float = 1.0) -> torch.Tensor:
    """The triplet loss over squared distances."""
    near, far = ((anchor - other).square().sum(1) for other in (positive, negative))
    return torch.relu(near - far + margin).mean()


def weights(encoder: torch.nn.Module) -> np.ndarray:
    result: np.ndarray = encoder.state_dict()["letters.weight"].numpy().copy()
    return result


@pytest.mark.parametrize("named", [False, True])
def test_an_encoder_object_is_trained_in_place(
    named: bool, corpus: Corpus, training: Training
) -> None:
    encoder = Bag(named=named)
    before = weights(encoder)
    (trained,) = corpus.train(str(training.file), encoder=encoder, loss=squared, **SETTINGS)
    assert trained.after["loss"] < trained.before["loss"]
    assert (weights(encoder) != before).any()
    loaded = Bag()
    load_model(loaded, str(trained.path / OWN))
    np.testing.assert_array_equal(weights(loaded), weights(encoder))
    config = read_run(trained.path).config
    assert config["base"] == name_object(Bag()) == f"{Bag.__module__}.Bag"
    assert config["loss"] == f"{squared.__module__}.squared"
    assert config["loss_sha256"] == hash_object(squared)


def test_an_equal_object_gets_the_trained_weights(corpus: Corpus, training: Training) -> None:
    first, second = Bag(), Bag()
    (trained,) = corpus.train(str(training.file), encoder=first, **SETTINGS)
    (again,) = corpus.train(str(training.file), encoder=second, **SETTINGS)
    assert (again.run, again.unchanged) == (trained.run, True)
    np.testing.assert_array_equal(weights(second), weights(first))
    (further,) = corpus.train(str(training.file), encoder=second, **SETTINGS)
    assert further.run != trained.run, "it begins with other weights"


def test_seeds_start_with_the_same_weights(corpus: Corpus, training: Training) -> None:
    trained = corpus.train(str(training.file), encoder=Bag(), seeds=2, **SETTINGS)
    assert trained[0].before == trained[1].before
    assert trained[0].after != trained[1].after


def test_an_interrupted_training_is_resumed(corpus: Corpus, training: Training) -> None:
    whole, cut, fresh = Bag(), Bag(), Bag()
    (expected,) = corpus.train(str(training.file), encoder=whole, loss=squared, **SETTINGS)
    corpus.context.runs = training.runs.with_name("other")

    def stop(text: str) -> None:
        if text.startswith("update 6 of"):
            raise KeyboardInterrupt

    corpus.context.progress = stop
    settings = {**SETTINGS, "checkpoint_seconds": 0.0}
    with pytest.raises(KeyboardInterrupt):
        corpus.train(str(training.file), encoder=cut, loss=squared, **settings)
    assert (unfinished_folder(corpus.context.runs, expected.run) / STATE).is_file()
    corpus.context.progress = lambda _: None
    (trained,) = corpus.train(str(training.file), encoder=fresh, loss=squared, **settings)
    assert (trained.run, trained.resumed_after) == (expected.run, 5)
    np.testing.assert_array_equal(weights(fresh), weights(whole))


def test_an_own_encoder_cannot_be_loaded_by_name(corpus: Corpus, training: Training) -> None:
    (trained,) = corpus.train(str(training.file), encoder=Bag(), **SETTINGS)
    with pytest.raises(ConfigError, match="load_model"):
        corpus.embed(encoder=trained.run, write=False)


def test_invalid_encoders_and_losses_are_refused(corpus: Corpus, training: Training) -> None:
    file = str(training.file)
    given: list[dict[str, Any]] = [
        {"base": str(training.model)},
        {"tune": "adapter"},
        {"pooling": "cls"},
    ]
    for settings in given:
        with pytest.raises(ConfigError, match="does not apply to an encoder object"):
            corpus.train(file, encoder=Bag(), **settings)
    linear: Any = torch.nn.Linear(2, 2)
    with pytest.raises(ConfigError, match="tokenize"):
        corpus.train(file, encoder=linear)
    with pytest.raises(ConfigError, match="scalar"):
        corpus.train(file, encoder=Bag(), loss=lambda a, p, n: a - p + n, **SETTINGS)
    with pytest.raises(ConfigError, match="loss is 'hinge'"):
        Train(file, loss="hinge")


def test_an_own_loss_with_the_same_formula_gives_the_same_weights(
    corpus: Corpus, training: Training
) -> None:
    losses = ("triplet", torch.nn.TripletMarginLoss(margin=1.0, eps=0.0))
    settings = {**SETTINGS, "base": str(training.still), "learning_rate": 1e-3, "epochs": 1}
    first, second = (corpus.train(str(training.file), loss=loss, **settings)[0] for loss in losses)
    assert first.run != second.run
    for name, value in first.after.items():
        assert second.after[name] == pytest.approx(value, rel=1e-3)


def test_the_hash_depends_on_source_and_state() -> None:
    margin = 1.0

    def captured(a: Any, p: Any, n: Any) -> Any:
        return squared(a, p, n, margin)

    first = hash_object(captured)
    margin = 2.0
    assert hash_object(captured) != first
    assert hash_object(squared) == hash_object(squared)
    half_margin, double_margin = partial(squared, margin=0.5), partial(squared, margin=2.0)
    assert len({hash_object(squared), hash_object(half_margin), hash_object(double_margin)}) == 3
    hashes = [hash_object(torch.nn.TripletMarginLoss(margin=m)) for m in (0.5, 0.5, 2.0)]
    assert hashes[0] == hashes[1] != hashes[2]
    encoder, other = Bag(), Bag()
    assert hash_object(encoder) == hash_object(other)
    with torch.no_grad():
        other.letters.weight[0, 0] += 1
    assert hash_object(encoder) != hash_object(other)

    class Unpicklable:
        def __call__(self, a: Any, p: Any, n: Any) -> Any:
            return a

    assert hash_object(Unpicklable()) != hash_object(Unpicklable())
