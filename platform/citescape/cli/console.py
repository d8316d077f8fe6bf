"""The console at a terminal: statements, library queries, commands; history and completion."""

from __future__ import annotations

import atexit
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from citescape.cli import cypher_library
from citescape.core.errors import CitescapeError
from citescape.core.terminal import echo

if TYPE_CHECKING:
    pass

_PROMPT, _MORE = "cypher> ", "      > "
_LEAVE = ("exit", "quit", ":q", ":quit", ":exit", "\\q", "\\quit")
_LIBRARY_QUERY = re.compile(r"[a-z]+/\w+(\s|;|$)")
_REMEMBERED = 1000
_HELP = """\
A statement ends with ; or an empty line.
explore/most_important limit=5    run a library query, with its parameters
:list                             list the library queries
:show explore/most_important      show the parameters and the text of one
:help                             show this help
exit, :q or Ctrl-D                quit
Tab completes names; Ctrl-C drops what was typed, or stops a running query."""
_KEYWORDS = (
    "MATCH OPTIONAL WHERE RETURN DISTINCT WITH UNWIND ORDER BY LIMIT SKIP AS AND OR NOT IN IS NULL "
    "CASE WHEN THEN ELSE END COUNT EXISTS CONTAINS STARTS ENDS UNION ALL DESC"
)


def converse(location: str, answer: Callable[[str], None], *, write: bool) -> None:
    """Reads and runs statements until the user leaves; an error ends one statement only.

    Args:
        location: the store.
        answer: runs a statement and shows its rows.
        write: whether changes are allowed, for the greeting.
    """
    _prepare_lines()
    echo(f"{location}: {'changes allowed' if write else 'read only'}. Type :help for help.")
    for text in read_statements():
        try:
            if text.startswith((":", "\\")):
                _run_command(text.split(), location)
            else:
                answer(text)
        except (CitescapeError, click.UsageError) as error:
            echo(error, err=True)
        except KeyboardInterrupt:
            echo("", "interrupted", err=True)


def read_statements() -> Iterator[str]:
    """The statements that the user types, until `exit` or the end of input.

    Statements end with `;` or an empty line; a library query and a `:command` with their line.
    Ctrl-C drops the current statement, as in a shell.
    """
    lines: list[str] = []
    while True:
        try:
            line = input(_MORE if lines else _PROMPT)
        except KeyboardInterrupt:
            lines = []
            echo()
            continue
        except EOFError:
            echo()
            return
        lines.append(line)
        text = line.strip()
        is_command = text in _LEAVE or text.startswith((":", "\\")) or _LIBRARY_QUERY.match(text)
        if text and not text.endswith(";") and not (len(lines) == 1 and is_command):
            continue
        _remember(lines)
        statement, lines = "\n".join(lines).strip().rstrip(";").strip(), []
        if statement in _LEAVE:
            return
        if statement:
            yield statement


def _run_command(words: Sequence[str], location: str) -> None:
    command, *names = words
    if command[1:] == "list" and not names:
        cypher_library.list_queries()
    elif command[1:] == "show" and len(names) == 1:
        cypher_library.show_query(names[0], location=location)
    else:
        if command[1:] != "help":
            echo(f"no such command: {' '.join(words)}", err=True)
        echo(*_HELP.split("\n"))


def _prepare_lines() -> None:
    """Completion of names with Tab, and history with the arrow keys."""
    try:
        import readline
    except ImportError:  # a Python may be built without it
        return
    readline.set_completer_delims(" \t\n()[]{}|.,:;=<>+-*'\"`$")
    readline.set_completer(_complete)
    libedit = "libedit" in (readline.__doc__ or "")  # macOS
    readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")
    readline.set_auto_history(False)  # by statement, not by line

    state = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    file = state / "citescape" / "cypher_history"
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.exists():
            readline.read_history_file(file)
    except OSError:
        return  # no history without a writable home folder
    readline.set_history_length(_REMEMBERED)

    def save() -> None:
        with suppress(OSError):
            readline.write_history_file(file)

    atexit.register(save)


def _complete(text: str, state: int) -> str | None:
    """The `state`-th name that begins with `text`, without any in another case."""
    names = [name for name in _names() if name.lower().startswith(text.lower())] if text else []
    names = [name for name in names if name.startswith(text)] or names
    return names[state] if state < len(names) else None


def _names() -> list[str]:
    """Library queries, labels, types, properties and keywords of Cypher."""
    from citescape.store.queries import library
    from citescape.store.schema import TABLE

    queries = [name for name in library() if name.startswith("explore/")]
    columns = sorted({"id", *(name for table in TABLE.values() for name in table.columns)})
    return [*queries, *TABLE, *columns, *_KEYWORDS.split(), "list", "show", "help"]


def _remember(lines: Sequence[str]) -> None:
    """Adds a statement to the history as one line; with comments, line by line."""
    with suppress(ImportError):
        import readline

        whole = " ".join(line.strip() for line in lines).strip()
        for entry in lines if "//" in whole else [whole]:
            if entry:
                readline.add_history(entry)
