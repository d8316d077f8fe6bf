r"""Output for people: every command prints through this module, which escapes control characters.

Titles, names and paths are untrusted and may hold escape sequences, which move the cursor,
change the title of the window or its clipboard; bidirectional overrides, which show text in another
order than it has; line breaks, which forge further lines. `echo` shows them escaped, as `\x1b`.
"""

from __future__ import annotations

import codecs
import os
import re
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

from citescape.core.paths import escape_unsafe

_SURROGATE = re.compile("[\ud800-\udfff]")
_BOLD, _PLAIN = "\x1b[1m", "\x1b[0m"
_CLEAR_LINE = "\r\x1b[2K"


def escape(text: str, stream: TextIO | None = None) -> str:
    r"""One line of text that is safe to show: control characters are escaped.

    So are characters that the encoding of the stream does not have.

    Args:
        text: untrusted text.
        stream: stream that shows it; standard output by default.
    """
    shown = escape_unsafe(text)
    if shown.isascii():
        return shown
    encoding = _encoding(stream or sys.stdout)
    return shown.encode(encoding, "backslashreplace").decode(encoding)


def can_write(text: str) -> bool:
    """Whether standard output can encode a text for programs: UTF-8, or ASCII in any encoding."""
    if text.isascii():
        return True
    return _encoding(sys.stdout) == "utf-8" and not _SURROGATE.search(text)


def _encoding(stream: TextIO) -> str:
    """The encoding of a stream by the name that Python's codecs have for it, such as `utf-8`."""
    return codecs.lookup(getattr(stream, "encoding", None) or "utf-8").name


def echo(*lines: object, err: bool = False, bold: bool = False) -> None:
    """Prints each argument as one line, escaped; an empty line if there are none.

    Args:
        lines: text of each line; line breaks in it are escaped too.
        err: print to standard error.
        bold: print in bold on a terminal, unless NO_COLOR is set.
    """
    stream = _stream(err)
    shown = [escape(str(line), stream) for line in lines or ("",)]
    if bold and stream.isatty() and not os.environ.get("NO_COLOR"):
        shown = [f"{_BOLD}{line}{_PLAIN}" for line in shown]
    _write("".join(f"{line}\n" for line in shown), stream)


def echo_tabbed(line: str) -> None:
    """Prints one line whose columns stand between tabs, which are kept; columns are escaped."""
    write_as_is("\t".join(map(escape, line.split("\t"))) + "\n")


def wrap(text: str, width: int, *, first: str = "", rest: str = "") -> list[str]:
    """Text as escaped lines of at most `width` columns; words such as ids are never cut.

    Args:
        text: untrusted text.
        width: number of columns; longer words exceed it.
        first: prefix of the first line.
        rest: prefix of each further line.
    """
    return textwrap.wrap(
        escape(text),
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


def write_as_is(text: str) -> None:
    """Writes to standard output text for programs, or text that is escaped already."""
    _write(text, _stream(err=False))


def utf8_output() -> TextIO:
    """Standard output for text that programs read: not escaped, in UTF-8 in every locale."""
    stream = _stream(err=False)
    if _encoding(stream) != "utf-8" and hasattr(stream, "reconfigure"):
        stream.reconfigure(encoding="utf-8")
    return stream


def show_live(line: str = "") -> None:
    """Replaces the last line on standard error, which is a terminal."""
    stream = _stream(err=True)
    _write(f"{_CLEAR_LINE}{escape(line, stream)}", stream)


def _write(text: str, stream: TextIO) -> None:
    stream.write(text)
    stream.flush()


def _stream(err: bool) -> TextIO:
    """Standard output or standard error themselves, also while they are guarded."""
    stream = sys.stderr if err else sys.stdout
    return stream.stream if isinstance(stream, _Guarded) else stream


class _Guarded:
    """A text stream that escapes control characters, except line breaks."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        self.stream.write("\n".join(escape(line, self.stream) for line in text.split("\n")))
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        self.write("".join(lines))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


@contextmanager
def guarded_streams() -> Iterator[None]:
    """Escapes text that is not printed by `echo`: warnings, tracebacks, logs of libraries."""
    streams = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (cast(TextIO, _Guarded(stream)) for stream in streams)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = streams
