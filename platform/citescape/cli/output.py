"""Numbers and JSON as commands print them."""

from __future__ import annotations

import json

from citescape.core.terminal import can_write, write_as_is
from citescape.runs.save import to_json


def echo_json(value: object) -> None:
    """One line of JSON on standard output."""
    write_as_is(f"{as_json(value)}\n")


def as_json(value: object) -> str:
    """Standard JSON: null replaces infinity and NaN, which JSON does not have.

    Characters are UTF-8; characters beyond ASCII are escaped if standard output has another
    encoding, or if a file name has bytes that are not UTF-8.
    """
    text = to_json(value)
    return text if can_write(text) else json.dumps(json.loads(text))
