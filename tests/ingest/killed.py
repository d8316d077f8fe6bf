"""Programs that are killed between statements, to test how their work is completed."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from citescape.store.ladybug.adapter import LadybugStore
from tests.forks import shared_forks

_SCRIPT = """
import sys
from importlib import import_module
from pathlib import Path
from citescape.ingest.config import IngestConfig
from citescape.ingest.ingest import ingest
from citescape.store.graph_store import open_store
from tests.ingest.killed import die_after

reader, location, statements, batch, *paths = sys.argv[1:]
import_module(f"citescape.ingest.{reader}")._CHUNK = 4
store = open_store(location)
die_after(int(statements))
config = IngestConfig(workers=1, batch_papers=int(batch))
report = lambda p: print(p.step, p.kept, flush=True)
ingest(store, [Path(path) for path in paths], config, progress=report)
"""


def die_after(statements: int) -> Callable[[], int]:
    """Kills this process after a number of statements; returns a counter of statements."""
    run, done = LadybugStore._query, 0

    def counted(self: LadybugStore, text: str, params: Any) -> Any:
        nonlocal done
        if done == statements:
            os.kill(os.getpid(), signal.SIGKILL)
        done += 1
        return run(self, text, params)

    LadybugStore._query = counted  # type: ignore[method-assign]
    return lambda: done


def kill_ingest(
    store: Path, paths: Sequence[Path], *, reader: str, statements: int, batch_papers: int
) -> list[int]:
    """Ingests until the nth statement; returns the acknowledged numbers of papers.

    Args:
        store: path of a ladybug store.
        paths: files or folders to ingest.
        reader: module that reads them, `parse` or `table_papers`.
        statements: number of statements before the process is killed.
        batch_papers: number of papers per batch.
    """
    done = shared_forks().run(_SCRIPT, reader, store, statements, batch_papers, *paths)
    assert done.returncode == -signal.SIGKILL, done.stdout + done.stderr
    return [int(line.rpartition(" ")[2]) for line in done.stdout.splitlines()]
