"""Numbers and JSON as commands print them."""

from __future__ import annotations

import json

from citescape.core.terminal import can_write, write_as_is
from citescape.runs.save import to_json


def echo_json(value: object) -> None:
    """One line of JSON on standard output."""
    write_as_is(f"{as_json(value)}\n")


def as_json(value: object) -> str:
    """JSON with characters beyond ASCII as they are, if standard output can write them.

    JSON's own escapes stand for them where it has another encoding than UTF-8, or where a file
    name has bytes that are not UTF-8.
    """
    text = to_json(value)
    return text if can_write(text) else json.dumps(json.loads(text))


def number(value: float) -> str:
    """A count with thousands separated."""
    return f"{value:,}"
