"""An ingest that is killed, for tests of how it is completed."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

_SCRIPT = """
import os, signal, sys
from importlib import import_module
from pathlib import Path
from citescape.graph.ingest import IngestConfig, ingest
from citescape.graph.ladybug import LadybugStore
from citescape.graph.store import open_store

reader, location, statements, batch, *paths = sys.argv[1:]
import_module(f"citescape.graph.{reader}")._CHUNK = 4
left = int(statements)
run = LadybugStore._query

def counted(self, text, params):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return run(self, text, params)

store = open_store(location)
LadybugStore._query = counted
config = IngestConfig(workers=1, batch_papers=int(batch))
told = lambda p: print(p.step, p.kept, flush=True)
ingest(store, [Path(path) for path in paths], config, progress=told)
"""


def kill_ingest(
    store: Path, paths: Sequence[Path], *, reader: str, statements: int, batch_papers: int
) -> list[int]:
    """Ingests, four papers at a time, until the nth statement; how many papers were said to stay.

    Args:
        store: where to; ladybug.
        paths: what is ingested.
        reader: the module that reads it, `parse` or `table_papers`.
        statements: that are let through before the process is killed.
        batch_papers: written together.
    """
    numbers = map(str, (statements, batch_papers))
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT, reader, str(store), *numbers, *map(str, paths)],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == -signal.SIGKILL, done.stdout + done.stderr
    return [int(line.rpartition(" ")[2]) for line in done.stdout.splitlines()]
