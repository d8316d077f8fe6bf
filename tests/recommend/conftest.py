"""A tiny transformer for tests of profiles."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.training.conftest import write_model


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Transformer without dropout, with the vocabulary `tests.training.conftest.WORDS`."""
    return write_model(tmp_path_factory.mktemp("recommend") / "tiny", dropout=0.0)
