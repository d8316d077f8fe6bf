"""Runs command lines in forks of one process: importing takes longer than most commands."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import termios
from pathlib import Path
from typing import NamedTuple

from pexpect.fdpexpect import fdspawn

SERVE = '''
import atexit, contextlib, gc, importlib, json, os, sys, tempfile, threading, traceback
from citescape.cli.main import main

def open_streams():
    """Does what the interpreter does when it starts: a closed stream is None."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        old = getattr(sys, name)
        try:
            os.fstat(number)
        except OSError:
            stream = None
        else:
            stream = open(
                *(number, "w" if number else "r", 1 if os.isatty(number) or number == 2 else -1),
                encoding=old.encoding, errors=old.errors, closefd=False,
            )
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)

def execute(job, files):
    """Runs in the fork; keeps the names of what it imports."""
    os.chdir(job["folder"])
    os.environ.update(job["env"])
    known = set(sys.modules)
    *streams, imports = files
    if job["terminal"]:
        os.setsid()  # so that the terminal which is opened next sends Ctrl-C to this process
        streams = [open(job["terminal"], "r+b", buffering=0)] * 3
    for number, stream in enumerate(streams):
        os.dup2(stream.fileno(), number)
    names, status = {"main": main}, 0
    exec(job["script"], names)
    open_streams()
    try:
        (names["run"] if "run" in names else main)(job["arguments"])
    except SystemExit as stop:
        status = stop.code or 0
    except BaseException:
        traceback.print_exc()
        status = 1
    json.dump(sorted(set(sys.modules) - known), imports)
    imports.flush()
    end(status)

def end(status):
    """Does what the interpreter does when it ends, without freeing all memory."""
    threading._shutdown()
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream:
                stream.flush()
        except OSError:
            traceback.print_exc()
            status = 120
    os._exit(status)

def learn(imports):
    """Imports what a fork has imported, so that the next ones need not."""
    imports.seek(0)
    for name in json.loads(imports.read() or "[]"):
        if not name.startswith("__"):
            with contextlib.suppress(Exception):
                importlib.import_module(name)

for line in sys.stdin:
    job = json.loads(line)
    files = [tempfile.TemporaryFile("w+") for _ in range(4)]
    if job["terminal"]:
        terminal = os.open(job["terminal"], os.O_RDWR | os.O_NOCTTY)
        print("opened", flush=True)
    gc.freeze()  # a collection in the fork would copy all pages
    child = os.fork()
    if not child:
        execute(job, files)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if job["terminal"]:
        os.close(terminal)
    for file in files:
        file.seek(0)
    print(json.dumps([status, files[1].read(), files[2].read()]), flush=True)
    learn(files[3])
    for file in files:
        file.close()
'''
"""Reads jobs from standard input, one a line, and answers each with a line."""


class Outcome(NamedTuple):
    """The result of a command line."""

    status: int
    stdout: str
    stderr: str


class Forks:
    """A process that has imported the package, and forks for each command line."""

    def __init__(self, folder: Path, env: dict[str, str] | None = None) -> None:
        self._folder = folder
        self._server = subprocess.Popen(
            [sys.executable, "-c", SERVE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **(env or {})},
        )

    def run(
        self, *arguments: object, script: str = "", folder: Path | None = None, **env: str
    ) -> Outcome:
        """Runs a command line.

        Args:
            arguments: words after `platform`.
            script: code to run first, while standard streams are not open yet; a function `run`
                that it defines takes the place of `main`.
            folder: the working directory.
            env: variables of the environment.
        """
        self._send(arguments, script=script, folder=folder, env=env)
        return self.wait()

    def start_on_terminal(self, *arguments: object, columns: int = 100, **env: str) -> fdspawn:
        """Starts a command line on a terminal of 40 lines, in the encoding UTF-8.

        Call `wait` after its end.
        """
        master, slave = pty.openpty()
        termios.tcsetwinsize(slave, (40, columns))
        env = {"TERM": "xterm", "COLUMNS": "", **env}
        self._send(arguments, terminal=os.ttyname(slave), env=env)
        assert self._server.stdout
        assert self._server.stdout.readline() == "opened\n"
        os.close(slave)
        return fdspawn(master, encoding="utf-8", timeout=60)

    def wait(self) -> Outcome:
        """The result of the last command line."""
        assert self._server.stdout
        return Outcome(*json.loads(self._server.stdout.readline()))

    def _send(
        self,
        arguments: tuple[object, ...],
        *,
        env: dict[str, str],
        script: str = "",
        folder: Path | None = None,
        terminal: str = "",
    ) -> None:
        job = {
            "arguments": [str(word) for word in arguments],
            "script": script,
            "folder": str(folder or self._folder),
            "env": env,
            "terminal": terminal,
        }
        print(json.dumps(job), file=self._server.stdin, flush=True)

    def close(self) -> None:
        """Ends the process."""
        self._server.communicate()
