"""A process that runs one query: it confines itself, opens the database, waits, answers, ends.

It runs as a script and reads two lines of JSON: what it may use, and later the query. It answers
each with a line: what it can still do after it has confined itself (nothing, if the sandbox holds),
and the rows. It ends with its parent, whose end of the pipe closes then.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from citescape.store.graph_store import GraphStore

LONGEST_LINE = 4 << 20
"""Bytes of a query with its parameters."""
_OUT_OF_MEMORY = (
    "bad_alloc",
    "MemoryError",
    "Unable to allocate memory",
    "Cannot allocate memory",
    "Mmap for size",
)


def main() -> None:
    """Serves one query on standard input and output."""
    os.environ.clear()  # Python itself sets LC_CTYPE
    answers = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what a library prints is no answer
    setup = _read_line()
    sys.path[:0] = setup["libraries"]
    try:
        store, holes = prepare(setup)
    except Exception as error:
        _send(answers, {"failure": f"{type(error).__name__}: {error}"})
        return
    _send(answers, {"holes": holes})
    if request := _read_line():
        threading.Thread(target=_end_with_parent, daemon=True).start()
        _send(answers, _run(store, request))
    os._exit(0)  # without the destructors of an engine that may still work


def prepare(setup: dict[str, Any]) -> tuple[GraphStore, list[str]]:
    """Confines this process, then opens the database, because the engine starts threads.

    Returns:
        The store, and what the process can still do although it should not.
    """
    if sys.platform != "linux":
        raise OSError(f"this system is {sys.platform}")
    from citescape.sandbox.confine import confine, find_holes, limit_memory

    location, outside = Path(setup["location"]), Path(setup["outside"])
    processors = sorted(os.sched_getaffinity(0))[: setup["processors"]]
    os.sched_setaffinity(0, processors)  # the engine starts as many threads
    sizes = confine(location, map(Path, setup["readable"]))

    from citescape.sandbox.answers import read_answer
    from citescape.store.ladybug.adapter import LadybugStore

    store = LadybugStore.open(str(location), read_only=True, buffer_bytes=setup["pages"])
    read_answer(store, "RETURN 1", {}, rows=1, size=99)  # imports what any query needs
    holes = find_holes(location, outside)
    limit_memory(sizes, setup["memory"])
    return store, holes


def _run(store: GraphStore, request: dict[str, Any]) -> dict[str, Any]:
    """The rows of a request, or its error."""
    from citescape.core.errors import CitescapeError
    from citescape.sandbox.answers import read_answer
    from citescape.sandbox.confine import limit_time

    limit_time(int(request.pop("seconds")) * len(os.sched_getaffinity(0)))
    try:
        return vars(read_answer(store, **request))
    except CitescapeError as error:
        text = str(error).removeprefix(f"{store.location}: ")
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
    return {"error": "", "memory": True} if is_out_of_memory(text) else {"error": text}


def is_out_of_memory(text: str) -> bool:
    """Whether a message says that there is no memory left."""
    return any(sign in text for sign in _OUT_OF_MEMORY)


def _read_line() -> dict[str, Any]:
    return dict(json.loads(sys.stdin.buffer.readline(LONGEST_LINE) or "{}"))


def _send(answers: int, message: dict[str, Any]) -> None:
    data = json.dumps(message).encode() + b"\n"
    while data:
        data = data[os.write(answers, data) :]


def _end_with_parent() -> None:
    while sys.stdin.buffer.read(1):
        pass
    os._exit(1)


if __name__ == "__main__":
    main()
