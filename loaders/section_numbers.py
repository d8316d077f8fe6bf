"""Numbers of sections, and the nesting that they state: `2.1` is below `2`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

_NUMBER = re.compile(r"((?:[0-9]{1,3}|[A-Z])(?:\.[0-9]{1,3}){0,6})\.?")


def section_number(text: str) -> str:
    """`2.1.` -> `2.1`; empty if the text is not a number of a section."""
    found = _NUMBER.fullmatch(text.strip())
    return found[1] if found else ""


class SectionTree:
    """Adds sections to a body in reading order, each below the section that it is part of."""

    def __init__(self, body: etree._Element) -> None:
        self._body = body
        self._numbered: dict[str, etree._Element] = {}
        self._path: list[tuple[int, etree._Element]] = []

    def add(self, section: etree._Element, number: str, *, depth: int = 1) -> None:
        """Adds a section.

        Args:
            section: its element.
            number: its number, `2.1`; empty without one. If it has several parts, it decides: the
                section is part of the nearest one above (`2`), at the top if there is none.
            depth: its level, 1 at the top; decides if the number does not.
        """
        if "." in number:
            known = (self._numbered.get(above) for above in _numbers_above(number))
        else:
            known = (above for level, above in reversed(self._path) if level < depth)
        above = next((element for element in known if element is not None), None)
        (self._body if above is None else above).append(section)
        if number:
            self._numbered[number] = section
        ancestors = [] if above is None else [(d, e) for d, e in self._path if d < depth]
        self._path = [*ancestors, (depth, section)]


def _numbers_above(number: str) -> Iterator[str]:
    """`2.1.3` -> `2.1`, `2`."""
    while "." in number:
        number = number.rpartition(".")[0]
        yield number
