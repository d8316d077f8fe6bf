"""Standard streams that are closed, or that nobody reads: the work of a command goes on."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast


class ForgivingStream:
    """A standard stream to write to. After the first failure all that is written is dropped."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.error: OSError | None = None
        """Why writing failed; None while it does not."""

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
        """Has what was written leave the program, or drops it."""
        try:
            self._stream.flush()
        except OSError as error:
            self._drop(error)

    def _drop(self, error: OSError) -> None:
        """What the stream still holds goes to the null device; else its end would fail again."""
        self.error = self.error or error
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, self._stream.fileno())
        os.close(null)


@contextmanager
def forgiving_streams() -> Iterator[ForgivingStream]:
    """Makes standard output and standard error forgiving; the former is given.

    Streams that the caller closed (`>&-`) are opened on the null device: the next file would take
    the number of one of them, and a store might hold what is printed.
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
    """Whether nobody reads standard output any more, so that long answers may end."""
    return getattr(sys.stdout, "error", None) is not None
