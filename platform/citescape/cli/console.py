"""Reading statements from a person at a terminal, with a history of earlier ones."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import click

_PROMPT, _MORE = "cypher> ", "      > "
_LEAVE = ("exit", "quit", ":q", ":quit", ":exit")
_REMEMBERED = 1000


def keep_history() -> None:
    """Lets the arrow keys bring back statements of earlier sessions."""
    import atexit

    try:
        import readline
    except ImportError:  # a Python may be built without it: no history there
        return
    state = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    file = state / "citescape" / "cypher_history"
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.exists():
            readline.read_history_file(file)
    except OSError:
        return  # a home that cannot be written to costs the history only
    readline.set_history_length(_REMEMBERED)
    atexit.register(_save, file)


def read_statements() -> Iterator[str]:
    """Statements up to `;` or an empty line, until `exit` or the end of input.

    Ctrl-C drops what was typed, as in a shell.
    """
    while True:
        try:
            text = _read_statement()
        except KeyboardInterrupt:
            click.echo()
            continue
        except EOFError:
            click.echo()
            return
        if text in _LEAVE:
            return
        if text:
            yield text


def _read_statement() -> str:
    lines: list[str] = []
    while True:
        line = input(_MORE if lines else _PROMPT)
        lines.append(line)
        ended = line.rstrip().endswith(";") or not line.strip()
        if ended or (len(lines) == 1 and line.strip() in _LEAVE):
            return "\n".join(lines).strip().rstrip(";").strip()


def _save(file: Path) -> None:
    import contextlib
    import readline

    with contextlib.suppress(OSError):
        readline.write_history_file(file)
