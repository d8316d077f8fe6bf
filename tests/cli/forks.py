"""Runs command lines in forks of one process: importing takes longer than most commands."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

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

def execute(arguments, script, folder, variables, streams, imports):
    """Runs in the fork; keeps the names of what it imports."""
    os.chdir(folder)
    os.environ.update(variables)
    known = set(sys.modules)
    for number, stream in enumerate(streams):
        os.dup2(stream.fileno(), number)
        stream.close()
    names, status = {"main": main}, 0
    exec(script, names)
    open_streams()
    try:
        names["run"](arguments) if "run" in names else main(arguments)
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
    files = [tempfile.TemporaryFile("w+") for _ in range(4)]
    gc.freeze()  # a collection in the fork would copy all pages
    child = os.fork()
    if not child:
        execute(*json.loads(line), files[:3], files[3])
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
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
        assert self._server.stdin
        assert self._server.stdout
        job = ([str(word) for word in arguments], script, str(folder or self._folder), env)
        print(json.dumps(job), file=self._server.stdin, flush=True)
        return Outcome(*json.loads(self._server.stdout.readline()))

    def close(self) -> None:
        """Ends the process."""
        self._server.communicate()
