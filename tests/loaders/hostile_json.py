"""JSON records with wrong values at any place."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

Path = tuple[str | int, ...]
"""Keys and indices that lead to a value."""

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.floats()
    | st.sampled_from(
        ["", "b0", "BIBREF0", "[1]", "\x00", "\ud800", "[{}]", "[null]", "{", "10.1/1"]
    ),
    lambda inside: (
        st.lists(inside, max_size=3)
        | st.dictionaries(
            st.sampled_from(["start", "end", "text", "attributes", "id", "x"]), inside
        )
    ),
    max_leaves=5,
)


def paths_of(value: object, path: Path = ()) -> list[Path]:
    """The path of every value of an object."""
    keys: list[str | int] = []
    if isinstance(value, dict):
        keys = list(value)
    elif isinstance(value, list):
        keys = list(range(len(value)))
    return [path, *(found for k in keys for found in paths_of(value[k], (*path, k)))]  # type: ignore[index]


def replace(value: Any, path: Path, other: object) -> Any:
    """A copy of an object with another value at a path; the same if it has no such path."""
    if not path:
        return other
    if not isinstance(value, dict | list):
        return value
    copied = dict(value) if isinstance(value, dict) else list(value)
    if path[0] in copied if isinstance(copied, dict) else path[0] in range(len(copied)):
        copied[path[0]] = replace(copied[path[0]], path[1:], other)  # type: ignore[index]
    return copied


@st.composite
def hostile_records(draw: st.DrawFn, *records: dict[str, Any]) -> dict[str, Any]:
    """One of the records with one to three of its values replaced."""
    record: Any = draw(st.sampled_from(records))
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from(paths_of(record)[1:]))
        record = replace(record, path, draw(VALUES))
    replaced: dict[str, Any] = record
    return replaced
