"""A table as wide as the terminal, without cutting words.

If the longest words of all columns do not fit into one line, each row becomes a block of lines, one
per column: identifiers can be copied from any terminal.
"""

from __future__ import annotations

import os
import sys
import textwrap
from collections.abc import Iterator, Sequence

from citescape.core.terminal import escape, write_as_is

_PIPED = 160
"""Width of a table without a terminal."""
_WIDEST, _LONGEST_WORD = 60, 40
"""Maximum widths of a column of text and of a word in it; names without blanks may be wider."""
_GAP = 3


def terminal_width() -> int:
    """Columns of the terminal; 160 without a terminal."""
    import shutil

    return shutil.get_terminal_size().columns if sys.stdout.isatty() else _PIPED


def print_fitted(
    header: Sequence[str], rows: Sequence[Sequence[str]], numeric: Sequence[bool]
) -> None:
    """Prints rows of text below a header, in the width of the terminal.

    Args:
        header: (columns,) names.
        rows: (rows, columns) text of the cells.
        numeric: (columns,) whether a column is aligned to the right.
    """
    header, width = [escape(name) for name in header], terminal_width()
    rows = [[escape(text) for text in row] for row in rows]
    columns = list(zip(header, *rows, strict=True))
    needed = [_least(column) for column in columns]
    if sum(needed) + _GAP * (len(header) - 1) > width:
        lines = _as_blocks(header, rows, width)
    else:
        widths = [
            max(least, min(_WIDEST, _longest(c))) for least, c in zip(needed, columns, strict=True)
        ]
        while sum(widths) + _GAP * (len(header) - 1) > width:  # the widest column shrinks first
            spare = [k for k in range(len(widths)) if widths[k] > needed[k]]
            widths[max(spare, key=widths.__getitem__)] -= 1
        lines = _as_table([*zip(header, widths, numeric, strict=True)], rows, width)
    for line in lines:
        write_as_is(f"{line.rstrip()}\n")


def _longest(texts: Sequence[str]) -> int:
    from rich.cells import cell_len

    return max((cell_len(line) for text in texts for line in text.splitlines()), default=0)


def _least(column: Sequence[str]) -> int:
    """Width of a column below which a name would be folded."""
    words = [word for text in column for word in text.split()]
    is_text = any(len(text.split()) > 1 for text in column[1:])
    return min(_longest(words), _LONGEST_WORD) if is_text else _longest(column)


def _as_table(
    columns: Sequence[tuple[str, int, bool]], rows: Sequence[Sequence[str]], width: int
) -> Iterator[str]:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    style = "" if os.environ.get("NO_COLOR") else "bold"
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style=style)
    for name, room, is_number in columns:
        table.add_column(
            Text(name), width=room, overflow="fold", justify="right" if is_number else "left"
        )
    for row in rows:
        table.add_row(*map(Text, row))
    console = Console(width=width, highlight=False, force_terminal=sys.stdout.isatty())
    with console.capture() as printed:
        console.print(table)
    yield from printed.get().splitlines()


def _as_blocks(header: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> Iterator[str]:
    indent = max(map(len, header)) + 2
    for row in rows:
        for name, text in zip(header, row, strict=True):
            lines = textwrap.wrap(
                text, max(width - indent, 20), break_long_words=False, break_on_hyphens=False
            )
            for k, line in enumerate(lines or [""]):
                yield ("" if k else name).ljust(indent) + line
        yield ""
