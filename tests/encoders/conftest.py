"""A tiny transformer in a folder that tests may damage."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_encoder import write_small_encoder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A complete model with the vocabulary of MiniLM, 16 dimensions and 64 positions."""
    return write_small_encoder(tmp_path / "tiny", positions=64)
