"""Published settings of trainings."""

from __future__ import annotations

from typing import Any

import pytest

from citescape.core.errors import ConfigError
from citescape.corpus import Corpus
from citescape.training import steps
from citescape.training.config import PRESETS, TrainConfig
from citescape.training.steps import Train
from tests.training.conftest import Training

FEW: dict[str, Any] = {"epochs": 1, "max_tokens": 16}


def test_the_defaults_are_the_published_settings() -> None:
    """CIA and SciNCL, section 4.3: 8 x 4 triplets per update; 1e-4 for bias terms."""
    config = TrainConfig()
    assert (config.epochs, config.batch, config.rate, config.warmup) == (2, 8 * 4, 2e-5, 0.1)
    assert (config.loss, config.margin, config.max_tokens) == ("triplet", 1.0, 512)
    assert TrainConfig(tune="bias").rate == 1e-4


@pytest.mark.parametrize(
    ("preset", "form", "pooling"), [("cia", "joined", "mean"), ("scincl", "sep", "cls")]
)
def test_a_preset_reads_texts_as_its_paper_does(
    preset: str,
    form: str,
    pooling: str,
    corpus: Corpus,
    training: Training,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It starts from SciBERT unless a base is named; a small model is in its place here."""
    assert set(PRESETS) == {"cia", "scincl"}
    monkeypatch.delenv("CITESCAPE_ENCODER", raising=False)
    monkeypatch.setattr(steps, "SCIBERT", str(training.model))
    triplets = str(training.file)
    (trained,) = corpus.train(triplets, preset=preset, **FEW)
    config = trained.record.config
    assert (config["form"], config["pooling"]) == (form, pooling)
    (same,) = corpus.train(triplets, base=str(training.model), form=form, pooling=pooling, **FEW)
    assert same.unchanged
    assert same.run == trained.run
    (named,) = corpus.train(triplets, base=str(training.still), preset=preset, **FEW)
    assert named.record.inputs["base"] != trained.record.inputs["base"]


def test_a_preset_with_a_form_or_an_encoder_object_is_refused() -> None:
    for settings in ({"form": "sep"}, {"pooling": "mean"}):
        with pytest.raises(ConfigError, match="preset scincl sets form and pooling; expected it"):
            Train("triplets.parquet", preset="scincl", **settings)  # type: ignore[arg-type]
    encoder: Any = object()
    with pytest.raises(ConfigError, match="preset does not apply to an encoder object"):
        Train("triplets.parquet", preset="cia", encoder=encoder)
