"""Settings: defaults, invalid values, and no import of torch."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from citescape.core.errors import ConfigError
from citescape.recommend.steps import TrainReranker
from citescape.training.reranking.config import ABLATIONS, RerankConfig

PUBLISHED = {
    "kind": "davinci",
    "ablation": "none",
    "learning_rate": 1e-5,
    "weight_decay": 0.01,
    "adam_epsilon": 1e-6,
    "dropout": 0.3,
    "batch": 16,
    "margin": 0.1,
    "decay": 0.95,
    "k": 300,
}
"""DAVINCI, sections 3.4 and 4.1."""


def test_the_defaults_are_the_published_settings() -> None:
    settings = RerankConfig().settings()
    assert {name: settings[name] for name in PUBLISHED} == PUBLISHED


def test_the_command_adds_no_other_values_to_the_kind() -> None:
    step = TrainReranker(kind="davinci")
    for name, value in PUBLISHED.items():
        assert getattr(step, name, value) in (None, value), name


def test_each_ablation_changes_one_part() -> None:
    whole = ABLATIONS["none"]
    for name, parts in ABLATIONS.items():
        changed = (parts.signal != whole.signal) + (parts.gate != whole.gate)
        assert changed == (name != "none")
    assert len(set(ABLATIONS.values())) == len(ABLATIONS)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"kind": "bert"}, "kind is 'bert'; expected one of: cross-encoder, davinci"),
        ({"ablation": "gate"}, "expected one of: none, raw, scalar-gate, semantics, softmax"),
        ({"precision": "half"}, "precision is 'half'"),
        ({"loss": "hinge"}, "loss is 'hinge'"),
        (
            {"kind": "cross-encoder", "ablation": "raw"},
            "ablation is 'raw'; expected 'none': with kind 'cross-encoder'",
        ),
        ({"kind": "cross-encoder", "hidden": 64}, "hidden is 64; expected 128"),
        ({"kind": "vectors", "base": "a"}, "base is 'a'; expected '': with kind 'vectors'"),
        ({"kind": "vectors", "abstracts": True}, "abstracts is True; expected False"),
        ({"kind": "vectors", "max_tokens": 80}, "max_tokens is 80; expected 256"),
        ({"kind": "vectors", "margin": 0.2}, "margin is 0.2; expected 0.1: with loss 'softmax'"),
        ({"ablation": "raw", "decay": 0.9}, "decay is 0.9; expected 0.95: with ablation 'raw'"),
        ({"negatives": 0}, "negatives is 0; expected 1 or more"),
        ({"decay": 1.0}, "decay is 1.0; expected between 0 and 1"),
        ({"margin": float("nan")}, "margin is nan; expected between 0 and 1"),
        ({"dropout": 1.0}, "dropout is 1.0; expected 0 or more, below 1"),
        ({"learning_rate": 0.0}, "learning_rate is 0.0; expected more than 0"),
        ({"patience": -1}, "patience is -1; expected 0 or more"),
        ({"max_tokens": 4}, "max_tokens is 4; expected 8 or more"),
    ],
)
def test_invalid_settings_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        RerankConfig(**settings)


def test_settings_and_shortlists_do_not_import_torch() -> None:
    names = ("config", "shortlists", "signals", "kept")
    modules = ", ".join(f"citescape.training.reranking.{name}" for name in names)
    code = f"import sys, {modules}; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
