"""A small graph in a file that nobody writes to, and its console."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from citescape.sandbox.console import Console
from citescape.store.graph_store import open_store
from tests.required import skip_outside_ci
from tests.sandbox.graph import write_graph


@pytest.fixture(scope="session")
def graph_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Thirty papers in a chain of citations."""
    path = tmp_path_factory.mktemp("sandboxed") / "graph.lbug"
    store = open_store(str(path))
    write_graph(store)
    store.close()
    return path


@pytest.fixture(scope="module")
def console(graph_file: Path) -> Iterator[Console]:
    """The console of the graph; skips where there is no sandbox, except in CI."""
    with Console(str(graph_file)) as console:
        if off := console.check():
            skip_outside_ci(off)
        yield console
