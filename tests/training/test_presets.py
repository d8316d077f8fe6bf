"""Published settings of trainings."""

from __future__ import annotations

from typing import Any

import pytest

from citescape.core.errors import ConfigError
from citescape.corpus import Corpus
from citescape.training.config import PRESETS, TrainConfig
from tests.training.conftest import Training

COMMON = {"epochs": 2, "warmup": 0.1, "margin": 1.0, "max_tokens": 512, "loss": "triplet"}


@pytest.mark.parametrize(
    ("preset", "form", "tune", "batch", "rate"),
    [
        ("cia", "joined", "all", 8 * 4, 2e-5),
        ("scincl", "sep", "all", 8 * 4, 2e-5),
        ("bitfit", "sep", "bias", 8 * 4, 1e-4),
        ("flew", "sep", "all", 10, 2e-5),
    ],
)
def test_presets_are_the_published_settings(
    preset: str, form: str, tune: str, batch: int, rate: float
) -> None:
    """CIA and SciNCL, section 4.3; BitFit: SciNCL, section 7.2; FLeW, section 4.1."""
    config = TrainConfig(**PRESETS[preset].settings)
    assert (config.form, config.tune, config.batch, config.rate) == (form, tune, batch, rate)
    assert {name: getattr(config, name) for name in COMMON} == COMMON


def test_a_preset_trains_as_its_settings_do(corpus: Corpus, training: Training) -> None:
    few: dict[str, Any] = {"base": str(training.model), "epochs": 1, "max_tokens": 16}
    (trained,) = corpus.train(str(training.file), preset="flew", **few)
    config = trained.record.config
    assert (config["form"], config["pooling"], config["batch"]) == ("sep", "cls", 10)
    (same,) = corpus.train(str(training.file), form="sep", batch=10, **few)
    assert same.unchanged and same.run == trained.run


def test_a_preset_starts_from_scibert_unless_a_base_is_named(
    corpus: Corpus, training: Training
) -> None:
    with pytest.raises(ConfigError, match="allenai/scibert_scivocab_uncased"):
        corpus.train(str(training.file), preset="scincl")


def test_a_preset_and_its_settings_are_not_given_together(
    corpus: Corpus, training: Training
) -> None:
    message = "preset flew sets form and batch; expected either the preset, or form and batch"
    with pytest.raises(ConfigError, match=message):
        corpus.train(str(training.file), preset="flew", batch=16)
