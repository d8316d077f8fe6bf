"""A child process with one query, as its parent sees it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from threading import Lock, Timer
from typing import Any

import citescape
from citescape.core.errors import ConfigError, QueryTimeoutError, StoreError
from citescape.sandbox import child

PAGES, MEMORY = 512 << 20, 512 << 20
"""Bytes that a query may use for pages of the database, and beside them."""
PROCESSORS = 2
_START_SECONDS = 60.0
_LIBRARIES = ("citescape", "ladybug", "pyarrow", "numpy")
_LIBRARY_FOLDERS = ("site-packages", "dist-packages")
_OVERHEAD = 1 << 20
"""Bytes of an answer without rows: its messages and the names of its columns."""
ADVICE = (
    "the console needs Linux 6.2 or later with Landlock and seccomp, on x86_64 or aarch64; "
    "elsewhere run `platform cypher`, or serve a Neo4j store"
)
SCRIPT = Path(child.__file__)


class Child:
    """A process that has opened the database, waits for a query, and answers it."""

    def __init__(self, location: Path, outside: Path, *, script: Path = SCRIPT) -> None:
        """Starts a process; `wait_until_ready` says when it can answer.

        Args:
            location: file of the database.
            outside: a file that the process may not read, for its test of the sandbox.
            script: program of the process.
        """
        self.location = location
        reading, writing = os.pipe()
        self._last_words = os.fdopen(reading, "rb", buffering=0)
        os.set_blocking(writing, False)  # nobody reads it before the process has ended
        # No environment, no descriptors but pipes, no folder of the user, a session of its own.
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-B", script],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=writing,
                env={},
                cwd="/",
                start_new_session=True,
            )
        finally:
            os.close(writing)
        self.pid = self._process.pid
        self._lock, self._reason = Lock(), ""
        self._reading, self._is_ready = Lock(), False
        libraries = _find_libraries()
        self._send(
            {
                "location": str(location.resolve()),
                "outside": str(outside),
                "libraries": list(map(str, libraries)),
                "readable": list(map(str, [*libraries, *_find_linked()])),
                "pages": PAGES,
                "memory": MEMORY,
                "processors": PROCESSORS,
            }
        )

    @property
    def has_ended(self) -> bool:
        """Whether the process is gone."""
        return self._process.poll() is not None

    def wait_until_ready(self) -> None:
        """Waits until the process has confined itself and opened the database.

        Raises:
            ConfigError: it cannot be confined, or the sandbox has holes.
            StoreError: it was killed.
        """
        with self._reading:
            if self._is_ready:
                return
            answer = self._read_line(_START_SECONDS, size=_OVERHEAD)
            if answer is None:
                raise StoreError(f"the process of the sandbox ended at its start ({self._end()})")
            if "failure" in answer:
                raise ConfigError(f"there is no sandbox: {answer['failure']}; {ADVICE}")
            if answer["holes"]:
                self.kill()
                raise ConfigError(
                    f"the sandbox does not hold, it can {'; '.join(answer['holes'])}; {ADVICE}"
                )
            self._is_ready = True

    def ask(self, request: Mapping[str, Any], *, seconds: float, size: int) -> dict[str, Any]:
        """The answer to a request; the process ends.

        Args:
            request: arguments of `answers.read_answer`.
            seconds: time limit.
            size: maximum number of bytes of the rows.

        Raises:
            ConfigError: the request is too large, or no JSON.
            QueryTimeoutError: the time limit was reached.
            StoreError: the query failed, needed too much memory, or ended its process.
        """
        self._send({**request, "seconds": seconds})
        answer = self._read_line(seconds, size=2 * size + _OVERHEAD)
        if answer is None and self._reason == "time":
            raise QueryTimeoutError(seconds)
        if answer is None and self._reason == "size":
            raise StoreError(f"the answer has more bytes than the {size:,} it may have")
        if answer is None and self._reason == "closed":
            raise StoreError("the query ended because the console was closed")
        end = self._end() if answer is None else ""
        words = self._read_last_words() if answer is None else ""
        # The kernel ends a process with SIGKILL when the machine has no memory.
        if answer is None and end != "SIGKILL" and not child.is_out_of_memory(words):
            raise StoreError(f"the engine ended with {end} on this statement; change it")
        if answer is None or answer.get("memory"):
            cause = f" (its process ended: {end})" if end else ""
            raise StoreError(
                f"the query needs more memory than the {(PAGES + MEMORY) >> 20:,} MB it may use"
                f"{cause}; ask for less: a narrower MATCH, or a LIMIT, in each part of a UNION"
            )
        self.kill()
        if "error" in answer:
            raise StoreError(str(answer["error"]))
        return answer

    def kill(self, reason: str = "") -> None:
        """Ends the process at once, whatever it does."""
        with self._lock:
            self._reason = self._reason or reason
            if self._process.poll() is None:
                self._process.kill()  # it cannot have started others
                self._process.wait()

    def close(self) -> None:
        """Ends the process and closes the pipes."""
        self.kill()
        with self._reading:  # another thread may wait until the process is ready
            for pipe in (self._process.stdin, self._process.stdout, self._last_words):
                if pipe:
                    with suppress(OSError):  # a request that the process did not take is in it
                        pipe.close()

    def _send(self, message: Mapping[str, Any]) -> None:
        assert self._process.stdin
        try:
            line = json.dumps(message).encode() + b"\n"
        except TypeError as error:
            raise ConfigError(f"expected parameters that JSON can hold: {error}") from error
        if len(line) > child.LONGEST_LINE:
            raise ConfigError(
                f"the query and its parameters have {len(line):,} bytes; expected at most "
                f"{child.LONGEST_LINE:,}"
            )
        with suppress(BrokenPipeError):  # the process has ended: reading says how
            self._process.stdin.write(line)
            self._process.stdin.flush()

    def _read_line(self, seconds: float, *, size: int) -> dict[str, Any] | None:
        """The next message; None if the process ends or is killed before."""
        assert self._process.stdout
        if self._process.stdout.closed:
            return None
        handle = self._process.stdout.fileno()
        timer = Timer(seconds, self.kill, ["time"])
        timer.start()
        line = bytearray()
        try:
            while not line.endswith(b"\n"):
                part = os.read(handle, 1 << 16)
                line += part
                if len(line) > size:
                    self.kill("size")
                if not part or len(line) > size:
                    return None
            return dict(json.loads(line))
        finally:
            timer.cancel()

    def _read_last_words(self) -> str:
        """What the process, which has ended, wrote as errors: at most what a pipe holds."""
        return (self._last_words.read(1 << 16) or b"").decode(errors="replace")

    def _end(self) -> str:
        self.kill()
        code = self._process.returncode
        return signal.Signals(-code).name if code < 0 else f"exit status {code}"


def _find_libraries() -> list[Path]:
    """Folders from which the child imports, each once: those of this process for libraries."""
    specs = filter(None, map(find_spec, _LIBRARIES))
    own = [Path(spec.origin).parents[1] for spec in specs if spec.origin]
    installed = [path for path in map(Path, sys.path) if path.name in _LIBRARY_FOLDERS]
    return list(dict.fromkeys([*own, *installed]))


def _find_linked() -> list[Path]:
    """Folders outside the package to which it links, in a copy of the repository."""
    package = Path(citescape.__file__).parent
    return [entry.resolve() for entry in package.iterdir() if entry.is_symlink()]
