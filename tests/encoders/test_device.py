"""CITESCAPE_DEVICE chooses the processor."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

import torch

from citescape.core.errors import ConfigError
from citescape.encoders.device import choose_device


@pytest.mark.parametrize("named", ["cpu", "cuda"])
def test_the_variable_decides(monkeypatch: pytest.MonkeyPatch, named: str) -> None:
    monkeypatch.setenv("CITESCAPE_DEVICE", named)
    assert choose_device() == named


@pytest.mark.parametrize("named", ["", "auto"])
def test_else_the_fastest(monkeypatch: pytest.MonkeyPatch, named: str) -> None:
    monkeypatch.setenv("CITESCAPE_DEVICE", named)
    assert choose_device() == ("cuda" if torch.cuda.is_available() else "cpu")


def test_other_names_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITESCAPE_DEVICE", "tpu")
    with pytest.raises(ConfigError, match="CITESCAPE_DEVICE is 'tpu'"):
        choose_device()
