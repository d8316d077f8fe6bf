"""The console at a terminal: statements, library queries, commands; history and completion."""

from __future__ import annotations

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
    from types import ModuleType

_PROMPT, _MORE = "cypher> ", "      > "
_LEAVE = ("exit", "quit", ":q", ":quit", ":exit", "\\q", "\\quit")
_LIBRARY_QUERY = re.compile(r"[a-z]+/\w+(\s|;|$)")
_REMEMBERED = 1000
_HELP = """\
A statement ends with ; or an empty line.
explore/most_important limit=5    a question of the library, with its parameters
:list                             all of them
:show explore/most_important      what one of them takes, and its text
:help                             this
exit, :q or Ctrl-D                leave
Tab completes names; Ctrl-C drops what was typed, or stops a query that runs."""
_KEYWORDS = (
    "MATCH OPTIONAL WHERE RETURN DISTINCT WITH UNWIND ORDER BY LIMIT SKIP AS AND OR NOT IN IS NULL "
    "CASE WHEN THEN ELSE END COUNT EXISTS CONTAINS STARTS ENDS UNION ALL DESC"
)


def converse(location: str, answer: Callable[[str], None], *, write: bool) -> None:
    """Reads and answers until the person leaves; an error costs the statement only.

    Args:
        location: the store.
        answer: runs a statement and shows its rows.
        write: whether changes are allowed; it is only told here.
    """
    _prepare_lines()
    echo(f"{location}: {'changes allowed' if write else 'read only'}. :help says how.")
    for text in read_statements():
        try:
            if text.startswith((":", "\\")):
                _obey(text.split(), location)
            else:
                answer(text)
        except (CitescapeError, click.UsageError) as error:
            echo(error, err=True)
        except KeyboardInterrupt:
            echo("", "interrupted", err=True)


def read_statements() -> Iterator[str]:
    """What is typed, until `exit` or the end of input.

    Statements end with `;` or an empty line; a library query and a `:command` with their line.
    Ctrl-C drops what was typed, as in a shell.
    """
    while True:
        try:
            text = _read_statement()
        except KeyboardInterrupt:
            echo()
            continue
        except EOFError:
            echo()
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
        if ended or (len(lines) == 1 and _is_whole(line.strip())):
            _remember(lines)
            return "\n".join(lines).strip().rstrip(";").strip()


def _is_whole(line: str) -> bool:
    """Whether it says all on one line."""
    return line in _LEAVE or line.startswith((":", "\\")) or bool(_LIBRARY_QUERY.match(line))


def _obey(words: Sequence[str], location: str) -> None:
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
    """Lets Tab complete names, and the arrow keys bring back earlier statements."""
    try:
        import readline
    except ImportError:  # a Python may be built without it
        return
    readline.set_completer_delims(" \t\n()[]{}|.,:;=<>+-*'\"`$")
    readline.set_completer(_complete)
    libedit = "libedit" in (readline.__doc__ or "")  # macOS
    readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")
    readline.set_auto_history(False)  # by statement, not by line
    _keep_history(readline)


def _complete(text: str, state: int) -> str | None:
    """The `state`-th name that begins with `text`, in any case."""
    found = [name for name in _names() if name.lower().startswith(text.lower())] if text else []
    return found[state] if state < len(found) else None


def _names() -> list[str]:
    """Library questions, labels, types, properties and words of Cypher."""
    from citescape.store.queries import library
    from citescape.store.schema import TABLE

    questions = [name for name in library() if name.startswith("explore/")]
    columns = {name for table in TABLE.values() for name in table.columns}
    return [
        *questions,
        *TABLE,
        *sorted({"id", *columns}),
        *_KEYWORDS.split(),
        "list",
        "show",
        "help",
    ]


def _keep_history(readline: ModuleType) -> None:
    import atexit

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


def _remember(lines: Sequence[str]) -> None:
    """Adds a statement to the history: as one line, but where a comment would swallow the rest."""
    with suppress(ImportError):
        import readline

        whole = " ".join(line.strip() for line in lines).strip()
        for entry in lines if "//" in whole else [whole]:
            if entry:
                readline.add_history(entry)


def _save(file: Path) -> None:
    import readline

    with suppress(OSError):
        readline.write_history_file(file)
