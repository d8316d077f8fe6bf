from __future__ import annotations

from pathlib import Path

import pytest

from citescape.recommend.lcr.benchmark import LcrTask, build_lcr, open_lcr
from citescape.recommend.steps import BenchmarkLcr
from tests.recommend.lcr.libraries import make_library


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of runs: vectors of texts and profiles are computed once for all tests."""
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="session")
def task(runs: Path) -> LcrTask:
    """Test sentences from 2019, with a fifth of the earlier papers for validation."""
    config = BenchmarkLcr(validation=0.2)
    return open_lcr(build_lcr(make_library(), config, runs=runs).path, config)
