"""Runs command lines in processes that it may kill: `python -m tests.kills.driver FOLDER PAPERS`.

Makes a corpus in a folder, then reads one job a line from standard input and answers with one line,
both JSON. Libraries are loaded once and each job is a fork of this process, or most of the time
would be spent on importing.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from citescape.cli.main import main as run_command
from tests.kills.corpus import prepare_corpus

LIBRARIES = (
    "accelerate",
    "citescape.training.train",
    "torch.utils.tensorboard",
)
BATCHES = {
    "mapping.communities.topics._SLICE": 3,
    "mapping.communities.write._SLICE": 40,
    "embeddings.embed._CHUNK": 64,
    "search.graph_vectors._DELETED": 60,
    "search.graph_vectors._SLICE_NUMBERS": 2_000,
    "importance.write._BATCH_ROWS": 300,
    "store.ladybug.adapter._MANY": 200,
    "mapping.maps.write._SLICE": 20,
    "networks.write._SLICE": 200,
    "text.abstracts.label._BATCH": 4,
    "text.intents.label._PAPERS": 8,
    "text.sections.label._PAPERS": 4,
}
"""Rows or papers of one transaction: few, so that a small corpus is written in many of them."""
FILE_EVENTS = {"open", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.truncate"}
STORE_CALLS = (
    "ladybug.LadybugStore._execute",
    "ladybug.LadybugStore.close",
    "neo4j.Neo4jStore._run",
    "neo4j._run_batches",
)
"""What writes to a graph, and what moves a file's log into it."""


def set_batches() -> None:
    """Makes transactions small."""
    for path, size in BATCHES.items():
        name, _, constant = path.rpartition(".")
        module = import_module(f"citescape.{name}")
        assert hasattr(module, constant), path
        setattr(module, constant, size)


def report_writes(folder: Path, report: Callable[[], object]) -> None:
    """Calls `report` before each change to a file in the folder, and to a graph."""

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event not in FILE_EVENTS or not isinstance(arguments[0], str | os.PathLike):
            return
        path = Path.cwd() / arguments[0]
        if event == "open" and not (arguments[2] or 0) & (os.O_WRONLY | os.O_RDWR):
            return
        if event in ("open", "os.mkdir") and path.is_dir():
            return  # a check whether files can be written there
        if path.is_relative_to(folder):
            report()

    def reporting(call: Callable[..., Any]) -> Callable[..., Any]:
        def reported(*arguments: Any, **named: Any) -> Any:
            report()
            return call(*arguments, **named)

        return reported

    sys.addaudithook(hook)
    for path in STORE_CALLS:
        module, *owners, name = path.split(".")
        owner: Any = import_module(f"citescape.store.{module}.adapter")
        for part in owners:
            owner = getattr(owner, part)
        setattr(owner, name, reporting(getattr(owner, name)))


def execute(job: dict[str, Any], output: int, events: int) -> None:
    """One command line in this process, a group of its own, which then ends."""
    os.setsid()
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.chdir(job["folder"])
    os.environ["CITESCAPE_STORE"] = job["store"]
    report_writes(Path(job["folder"]), lambda: os.write(events, b"."))
    status: object = 1
    try:
        run_command(job["arguments"])
        status = 0
    except SystemExit as stop:
        status = stop.code
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status if isinstance(status, int) else 1)


def run(job: dict[str, Any]) -> dict[str, Any]:
    """Runs a job; with `kill`, an event and seconds, kills it so long after that event."""
    receive, send = os.pipe()
    with tempfile.TemporaryFile() as output:
        started = time.monotonic()
        child = os.fork()
        if not child:
            execute(job, output.fileno(), send)
        os.close(send)
        times: list[float] = []
        with os.fdopen(receive, "rb", buffering=0) as told:
            while _read(told.fileno(), times, started, job["kill"]):
                pass
        if job["kill"] and len(times) > job["kill"][0]:
            os.killpg(child, signal.SIGKILL)  # of a process that has ended, nothing is left to kill
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        seconds = time.monotonic() - started
        output.seek(0)
        text = output.read().decode(errors="replace")[-2000:]
    return {"status": status, "events": times, "seconds": seconds, "output": text}


def _read(events: int, times: list[float], started: float, kill: list[float] | None) -> bool:
    """Waits for an event; false once the process has ended, or its time has come."""
    left = None
    if kill and len(times) > kill[0]:
        left = max(0.0, times[int(kill[0])] + kill[1] - (time.monotonic() - started))
    if not select.select([events], [], [], left)[0]:
        return False
    found = os.read(events, 4096)
    times.extend([time.monotonic() - started] * len(found))
    return bool(found)


def main() -> None:
    """Serves jobs until standard input ends."""
    set_batches()
    for name in LIBRARIES:
        import_module(name)
    prepare_corpus(Path(sys.argv[1]), int(sys.argv[2]))
    print(json.dumps("ready"), flush=True)
    for line in sys.stdin:
        print(json.dumps(run(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
