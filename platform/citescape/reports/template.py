"""Fills an HTML file that holds named blocks; every value is escaped.

A block is what stands between ``<!-- begin NAME -->`` and ``<!-- end NAME -->``: it is taken out of
the page and written once a row, wherever ``$NAME`` stands. ``/* page.css */`` stands for the style
that pages share.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape
from importlib.resources import files
from string import Template

_STYLE = "page.css"
_BLOCK = re.compile(r"[ \t]*<!-- begin (\w+) -->\n?(.*?)[ \t]*<!-- end \1 -->\n?", re.DOTALL)


class Html(str):
    """Text that is HTML already and goes into the page as it is."""


class Page:
    """An HTML page and its blocks."""

    def __init__(self, text: str) -> None:
        self._blocks: dict[str, Template] = {}
        style = files(__package__).joinpath(_STYLE).read_text(encoding="utf-8")
        text = text.replace(f"/* {_STYLE} */\n", style)
        self._page = Template(self._take(text))

    def _take(self, text: str) -> str:
        """Keeps the blocks of a text, inner ones first, and returns what is left of it."""

        def keep(found: re.Match[str]) -> str:
            self._blocks[found.group(1)] = Template(self._take(found.group(2)))
            return ""

        return _BLOCK.sub(keep, text)

    def rows(self, block: str, rows: Iterable[Mapping[str, object]]) -> Html:
        """A block written once for each row.

        Raises:
            KeyError: the block names a value that a row lacks.
        """
        template = self._blocks[block]
        return Html("".join(template.substitute(_escaped(row)) for row in rows))

    def fill(self, values: Mapping[str, object]) -> str:
        """The whole page."""
        return self._page.substitute(_escaped(values))


def _escaped(values: Mapping[str, object]) -> dict[str, str]:
    return {
        name: value if isinstance(value, Html) else escape(str(value))
        for name, value in values.items()
    }
