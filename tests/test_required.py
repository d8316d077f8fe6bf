"""Skips outside of continuous integration."""

from __future__ import annotations

import pytest

from tests.required import skip_outside_ci


@pytest.mark.parametrize("value", [None, "", "0", "false"])
def test_what_is_missing_on_a_laptop_skips(
    monkeypatch: pytest.MonkeyPatch, value: str | None
) -> None:
    monkeypatch.delenv("CI", raising=False)
    if value is not None:
        monkeypatch.setenv("CI", value)
    with pytest.raises(pytest.skip.Exception, match="no Java"):
        skip_outside_ci("no Java")


@pytest.mark.parametrize("value", ["true", "1"])
def test_what_is_missing_in_continuous_integration_fails(
    monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("CI", value)
    with pytest.raises(pytest.fail.Exception, match="no Java"):
        skip_outside_ci("no Java")
