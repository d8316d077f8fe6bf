"""A transformer of a few thousand numbers, as a folder that tests may damage."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_encoder import write_small_encoder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A whole model with MiniLM's words, 16 dimensions and 64 positions."""
    return write_small_encoder(tmp_path / "tiny", positions=64)
