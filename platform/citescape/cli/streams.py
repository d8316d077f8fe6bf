"""Closed standard streams, and those without a reader: the command continues."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast


class ForgivingStream:
    """A standard stream for output. After the first failure all output is dropped."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.error: OSError | None = None
        """The error of the first failed write, or None."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Writes a text, or drops it."""
        try:
            return self._stream.write(text)
        except OSError as error:
            self._drop(error)
            return len(text)

    def flush(self) -> None:
        """Flushes the stream, or drops its content."""
        try:
            self._stream.flush()
        except OSError as error:
            self._drop(error)

    def _drop(self, error: OSError) -> None:
        """Sends buffered text to the null device; otherwise closing would fail again."""
        self.error = self.error or error
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, self._stream.fileno())
        os.close(null)


@contextmanager
def forgiving_streams() -> Iterator[ForgivingStream]:
    """Makes standard output and standard error forgiving; yields standard output.

    Streams that the caller closed (`>&-`) are opened on the null device: otherwise the next file
    that is opened, such as the store, would get their number and receive what is printed.
    """
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
            if getattr(sys, name).fileno() == number:
                os.set_inheritable(number, True)  # as processes that this one starts expect
    out, err = sys.stdout, sys.stderr
    forgiving = ForgivingStream(out)
    sys.stdout, sys.stderr = cast(TextIO, forgiving), cast(TextIO, ForgivingStream(err))
    try:
        yield forgiving
    finally:
        forgiving.flush()
        sys.stdout, sys.stderr = out, err


def is_unread() -> bool:
    """Whether standard output has lost its reader, so that long output may end."""
    return getattr(sys.stdout, "error", None) is not None
