"""The device is given by a setting, else by CITESCAPE_DEVICE, else by the hardware."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

import torch

from citescape.core.errors import ConfigError
from citescape.encoders.device import choose_device

FASTEST = "cuda" if torch.cuda.is_available() else "cpu"


@pytest.mark.parametrize(
    ("named", "variable", "expected"),
    [
        ("", "", FASTEST),
        ("", "auto", FASTEST),
        ("", "meta", "meta"),
        ("meta", "cpu", "meta"),
        ("auto", "meta", FASTEST),
    ],
)
def test_the_setting_overrides_the_variable(
    monkeypatch: pytest.MonkeyPatch, named: str, variable: str, expected: str
) -> None:
    monkeypatch.setenv("CITESCAPE_DEVICE", variable)
    assert choose_device(named).type == expected


@pytest.mark.parametrize("variable", ["tpu9", "abacus"])
def test_unknown_devices_are_refused(monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    monkeypatch.setenv("CITESCAPE_DEVICE", variable)
    with pytest.raises(ConfigError, match=f"no device '{variable}'"):
        choose_device()
