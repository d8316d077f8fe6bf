"""Runs programs of tests as forks of one process that has imported what they import.

    done = shared_forks().run(COMMAND_LINE, "status", folder=tmp_path)
    done = shared_forks().call("tests.training.driver:launch", ["train", "--json"])
    with shared_forks().start("import sys; sys.stdin.read()") as fork: ...

Importing the libraries takes longer than most of these programs. The process imports what the
import statements of a program name, and what else it has imported when it ends or kills itself.
Nothing is computed in it: threads that this would start would be missing in forks. A fork is a
process of its own: it can be killed, and it locks files.
"""

from __future__ import annotations

import ast
import atexit
import gc
import json
import os
import pty
import signal
import socket
import subprocess
import sys
import tempfile
import termios
import threading
import time
import weakref
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import IO, Any, Self, TextIO

from pexpect.fdpexpect import fdspawn

ROOT = Path(__file__).parents[1]
COMMAND_LINE = "from citescape.cli.main import main; main()"
"""A program that runs its arguments as the command line `platform`."""


@dataclass
class Fork:
    """A running program; its standard input and output are pipes, its errors go to a file."""

    forks: Forks
    pid: int
    stdin: TextIO
    stdout: TextIO
    stderr: IO[str]
    returncode: int | None = field(default=None, init=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stdin.close()
        self.wait()
        self.stdout.close()
        self.stderr.close()

    def poll(self) -> int | None:
        """The exit status once the program has ended; negative: the signal that ended it."""
        if self.returncode is None:
            self.returncode = self.forks.request({"wait": self.pid})
        return self.returncode

    def wait(self, seconds: float = 300.0) -> int:
        """Waits for the end and returns the exit status; kills the program after so long."""
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
        """All that the program has written to standard error."""
        self.stderr.seek(0)
        return self.stderr.read()


class Forks:
    """A process that forks for each program."""

    def __init__(self, env: Mapping[str, str] | None = None) -> None:
        """Starts the process in an environment; None: the environment of the tests."""
        self._env = env
        self._channel, other = socket.socketpair()
        with other:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.forks", str(other.fileno())],
                pass_fds=[other.fileno()],
                stdin=subprocess.DEVNULL,
                env=env,
                cwd=ROOT,
            )
        self._answers = self._channel.makefile("r")
        atexit.register(self.close)

    def close(self) -> None:
        """Ends the process."""
        self._answers.close()
        self._channel.close()
        self._process.wait()

    def warm(self, code: str) -> None:
        """Runs code in the process itself, so that the forks that follow need not."""
        self.request({"warm": code})

    def call(self, function: str, *arguments: Any) -> subprocess.CompletedProcess[str]:
        """Calls `module:name` in a fork, with arguments that JSON can hold."""
        module, name = function.split(":")
        code = f"import json, sys; from {module} import {name}; {name}(*json.loads(sys.argv[1]))"
        return self.run(code, json.dumps(arguments))

    def run(
        self, code: str, *arguments: object, folder: Path | None = None, **env: str
    ) -> subprocess.CompletedProcess[str]:
        """Runs a program to its end, without input; see `start`."""
        with self.start(code, *arguments, folder=folder, **env) as fork:
            fork.stdin.close()
            output, status = fork.stdout.read(), fork.wait()
            return subprocess.CompletedProcess([code], status, output, fork.read_errors())

    def start_on_terminal(
        self, code: str, *arguments: object, columns: int = 100, folder: Path, **env: str
    ) -> tuple[Fork, fdspawn]:
        """Starts a program in a session of its own, on a terminal of 40 lines, in UTF-8."""
        master, slave = pty.openpty()
        termios.tcsetwinsize(slave, (40, columns))
        env = {"TERM": "xterm", "COLUMNS": "", **env}
        fork = self.start(code, *arguments, folder=folder, terminal=slave, **env)
        os.close(slave)
        return fork, fdspawn(master, encoding="utf-8", timeout=60)

    def start(
        self,
        code: str,
        *arguments: object,
        folder: Path | None = None,
        terminal: int | None = None,
        **env: str,
    ) -> Fork:
        """Starts a program.

        Args:
            code: Python, as for `python -c`.
            arguments: `sys.argv[1:]`.
            folder: the working directory; None: as that of the tests.
            terminal: file number of a terminal, which takes the place of the streams.
            env: variables to add to the environment.
        """
        stderr = tempfile.TemporaryFile("w+")  # noqa: SIM115  # closed with the fork
        (input_read, input_write), (output_read, output_write) = os.pipe(), os.pipe()
        files = [input_read, output_write, stderr.fileno()] if terminal is None else [terminal]
        job = {
            "code": code,
            "arguments": [str(argument) for argument in arguments],
            "folder": str(folder or Path.cwd()),
            "env": {**(self._env or os.environ), **env},
        }
        pid = self.request(job, files)
        os.close(input_read)
        os.close(output_write)
        return Fork(self, pid, os.fdopen(input_write, "w"), os.fdopen(output_read), stderr)

    def request(self, message: Mapping[str, object], files: list[int] | None = None) -> Any:
        """Sends a message, with open files, and returns the answer."""
        socket.send_fds(self._channel, [b"\0"], files or [])
        self._channel.sendall(json.dumps(message).encode() + b"\n")
        answer = self._answers.readline()
        assert answer, "the process that forks has ended; its last lines say why"
        return json.loads(answer)


@cache
def shared_forks() -> Forks:
    """The process that forks for all tests of this process."""
    return Forks()


# --- the process that forks -----------------------------------------------------------------


def serve(channel: socket.socket) -> None:
    """Answers messages until the tests end."""
    messages, imports = channel.makefile("r"), dict[int, IO[str]]()
    while (received := socket.recv_fds(channel, 1, 3))[0]:
        message, files = json.loads(messages.readline()), received[1]
        answer, ended = None, 0
        if "warm" in message:
            exec(message["warm"], {})
        elif "wait" in message:
            ended, status = os.waitpid(message["wait"], os.WNOHANG)
            answer = os.waitstatus_to_exitcode(status) if ended else None
        else:
            import_statements(message["code"])
            names = tempfile.TemporaryFile("w+")  # noqa: SIM115  # closed when the fork has ended
            gc.freeze()  # a collection in the fork would copy all pages
            answer = os.fork()
            if not answer:
                channel.close()
                execute(message, files, names)
            imports[answer] = names
            for file in files:
                os.close(file)
        channel.sendall(json.dumps(answer).encode() + b"\n")
        if ended:
            with imports.pop(ended) as names:
                import_modules(names)


def import_statements(code: str) -> None:
    """Runs the import statements of a program."""
    with suppress(Exception):  # the program itself reports the error
        body = ast.parse(code).body
        statements = [node for node in body if isinstance(node, ast.Import | ast.ImportFrom)]
        exec(compile(ast.Module(statements, []), "<imports>", "exec"), {})


def import_modules(names: IO[str]) -> None:
    """Imports the modules that a fork has imported; a killed fork leaves no names."""
    names.seek(0)
    for name in names.read().split():
        if not name.startswith("__"):
            with suppress(Exception):
                import_module(name)


def execute(job: dict[str, Any], files: list[int], imports: IO[str]) -> None:
    """Runs a program in this process, which then ends; writes the names of imported modules."""
    known, kill = set(sys.modules), os.kill

    def write_names() -> None:
        imports.write("\n".join(set(sys.modules) - known) + "\n")
        imports.flush()

    def write_names_and_kill(pid: int, number: int) -> None:
        if number == signal.SIGKILL:
            write_names()
        kill(pid, number)

    os.kill = write_names_and_kill
    weakref.finalize._registry.clear()  # those of torch belong to its process, and take 20 ms
    main = sys.modules["__main__"] = ModuleType("__main__")
    sys.argv = ["-c", *job["arguments"]]
    os.environ.clear()
    os.environ.update(job["env"])
    os.chdir(job["folder"])
    if len(files) == 1:
        os.login_tty(files[0])
    else:
        for number, file in enumerate(files):
            os.dup2(file, number)
            os.close(file)
    open_streams()
    status: Any = 0
    try:
        exec(compile(job["code"], "<program>", "exec"), main.__dict__)
    except SystemExit as stop:
        status = stop.code or 0
        if not isinstance(status, int):
            print(status, file=sys.stderr)
            status = 1
    except BaseException:
        sys.excepthook(*sys.exc_info())  # type: ignore[arg-type]
        status = 1
    write_names()
    end(status)


def open_streams() -> None:
    """Opens standard streams as the interpreter does when it starts: a closed one is None."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        old, stream = getattr(sys, name), None
        with suppress(OSError):
            os.fstat(number)
            mode, buffering = "w" if number else "r", 1 if os.isatty(number) or number == 2 else -1
            stream = open(number, mode, buffering, old.encoding, old.errors, closefd=False)  # noqa: SIM115
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def end(status: int) -> None:
    """Ends this process as the interpreter does, without freeing all memory."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream:
                stream.flush()
        except OSError:
            sys.excepthook(*sys.exc_info())  # type: ignore[arg-type]
            status = 120
    os._exit(status)


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
