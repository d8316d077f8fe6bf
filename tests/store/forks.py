"""Programs of tests, run in forks of one process that has imported what they need.

    done = run_fork("from citescape.cli.main import main; main()", "status")
    with start_fork("import sys; sys.stdin.read()") as fork: ...

Importing the libraries takes longer than what most of these programs do. A fork is a process of its
own: it can be killed, and it locks files that other processes cannot open.
"""

from __future__ import annotations

import atexit
import functools
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import IO, Any, Self

ROOT = Path(__file__).parents[2]
COMMAND_LINE = "from citescape.cli.main import main; main()"
"""A program that runs its arguments as the command line `platform`."""
LIBRARIES = (
    "citescape.cli.main",
    "citescape.corpus",
    "citescape.importance.score",
    "citescape.ingest.ingest",
    "citescape.ingest.overview",
    "citescape.ingest.parse",
    "citescape.ingest.resolve",
    "citescape.ingest.table_papers",
    "citescape.store.ladybug.adapter",
    "tests.ingest.papers",
)


@dataclass
class Fork:
    """A running program; its standard input and output are pipes, its errors go to a file."""

    pid: int
    stdin: IO[str]
    stdout: IO[str]
    errors: IO[str]
    returncode: int | None = field(default=None, init=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stdin.close()
        self.wait()
        self.stdout.close()
        self.errors.close()

    def poll(self) -> int | None:
        """The exit status once the program has ended; below zero the signal that ended it."""
        if self.returncode is None:
            self.returncode = _server().ask({"wait": self.pid})["status"]
        return self.returncode

    def wait(self, seconds: float = 120.0) -> int:
        """Waits for the end and returns the exit status."""
        end = time.monotonic() + seconds
        while (status := self.poll()) is None:
            if time.monotonic() > end:
                self.kill()
                raise TimeoutError(f"the program has not ended after {seconds:.0f} s")
            time.sleep(0.005)
        return status

    def kill(self) -> None:
        """Sends SIGKILL unless the program has ended."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)

    def read_errors(self) -> str:
        """All of standard error."""
        self.errors.seek(0)
        return self.errors.read()


def start_fork(code: str, *arguments: object, own_session: bool = False) -> Fork:
    """Starts a program with the environment and the working directory of this process.

    Args:
        code: Python, as for `python -c`.
        arguments: `sys.argv[1:]`.
        own_session: as `start_new_session` of `subprocess.Popen`.
    """
    errors = tempfile.TemporaryFile("w+")  # noqa: SIM115  # closed with the fork
    input_read, input_write = os.pipe()
    output_read, output_write = os.pipe()
    job = {
        "code": code,
        "arguments": [str(argument) for argument in arguments],
        "folder": str(Path.cwd()),
        "environment": dict(os.environ),
        "own_session": own_session,
    }
    answer = _server().ask(job, [input_read, output_write, errors.fileno()])
    os.close(input_read)
    os.close(output_write)
    return Fork(answer["pid"], os.fdopen(input_write, "w"), os.fdopen(output_read), errors)


def run_fork(code: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Runs a program to its end without input."""
    with start_fork(code, *arguments) as fork:
        fork.stdin.close()
        output = fork.stdout.read()
        status = fork.wait()
        return subprocess.CompletedProcess([code, *arguments], status, output, fork.read_errors())


# --- the process that is forked -------------------------------------------------------------


class _Server:
    def __init__(self) -> None:
        self._channel, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        paths = os.pathsep.join([str(ROOT), str(ROOT / "platform"), *filter(None, sys.path)])
        with other:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.store.forks", str(other.fileno())],
                pass_fds=[other.fileno()],
                stdin=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": paths},
                cwd=ROOT,
            )
        self._answers = self._channel.makefile("r")
        atexit.register(self.close)

    def ask(self, message: Mapping[str, object], files: list[int] | None = None) -> Any:
        data = json.dumps(message).encode()
        socket.send_fds(self._channel, [len(data).to_bytes(4, "big")], files or [])
        self._channel.sendall(data)
        answer = self._answers.readline()
        assert answer, "the process that is forked has ended; its last lines say why"
        return json.loads(answer)

    def close(self) -> None:
        self._answers.close()
        self._channel.close()
        self._process.wait()


@functools.cache
def _server() -> _Server:
    return _Server()


def _serve(channel: socket.socket) -> None:
    """Answers messages until the tests end."""
    while True:
        start, files, *_ = socket.recv_fds(channel, 4, 3)
        if not start:
            return
        size, data = int.from_bytes(start, "big"), b""
        while len(data) < size:
            data += channel.recv(size - len(data))
        message = json.loads(data)
        if "wait" in message:
            pid, status = os.waitpid(message["wait"], os.WNOHANG)
            answer = {"status": os.waitstatus_to_exitcode(status) if pid else None}
        else:
            child = os.fork()
            if not child:
                channel.close()
                _execute(message, files)
            for file in files:
                os.close(file)
            answer = {"pid": child}
        channel.sendall(json.dumps(answer).encode() + b"\n")


def _execute(job: dict[str, Any], files: list[int]) -> None:
    """Runs a program in this process, which then ends as Python does."""
    if job["own_session"]:
        os.setsid()
    for place, file in enumerate(files):
        os.dup2(file, place)
        os.close(file)
    os.environ.clear()
    os.environ.update(job["environment"])
    os.chdir(job["folder"])
    sys.argv = ["-c", *job["arguments"]]
    status: object = 1
    try:
        exec(compile(job["code"], "<program>", "exec"), {"__name__": "__main__"})
        status = 0
    except SystemExit as stop:
        status = stop.code or 0
    except BaseException:
        sys.excepthook(*sys.exc_info())  # type: ignore[arg-type]
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status if isinstance(status, int) else 1)


if __name__ == "__main__":
    for name in LIBRARIES:
        import_module(name)
    _serve(socket.socket(fileno=int(sys.argv[1])))
