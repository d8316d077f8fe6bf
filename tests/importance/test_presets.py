"""Presets: components and weights by the question that they answer."""

from __future__ import annotations

import pytest

from citescape.core.errors import ConfigError
from citescape.importance.components import PRESETS, find_question
from citescape.importance.config import Weighting


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_stands_for_components_and_weights(name: str) -> None:
    preset, config = PRESETS[name], Weighting(preset=name)  # type: ignore[arg-type]
    assert (config.components, config.weighting) == (preset.components, preset.weights)
    assert find_question(config.components, config.weighting) == preset.question


def test_a_preset_and_weights_contradict_each_other() -> None:
    with pytest.raises(ConfigError, match="preset used sets features and weights"):
        Weighting(preset="used", weights="uniform")
    assert Weighting(preset="published", weights="uniform").weighting == "uniform"


def test_other_weights_answer_no_question() -> None:
    assert find_question(("I", "M"), "entropy") == ""
    assert find_question(("M", "R"), {"M": 0.5, "R": 0.5}) == ""
