"""Values of a query as JSON: nodes, relationships and paths in one form for both engines.

A node is ``{"kind": "node", "id", "labels", "properties"}``, a relationship ``{"kind":
"relationship", "id", "source", "target", "type", "properties"}``, a path ``{"kind": "path",
"nodes", "relationships"}``. `id`, `source` and `target` are those of the engine, the same for equal
nodes of an answer; the `id` of the schema is among the properties. A property that a node does not
have is left out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

_EXACT = 2**53
"""Integers from here on are text: JavaScript would round them."""
_INTERNAL = ("_ID", "_SRC", "_DST", "_LABEL")


def plain_value(value: Any) -> Any:
    """A value of an Arrow table as a value of JSON."""
    match value:
        case None | bool() | str():
            return value
        case int():
            return value if abs(value) < _EXACT else str(value)
        case float():
            return value if math.isfinite(value) else str(value)
        case bytes():
            return value.hex()
        case list() | tuple():
            return [plain_value(item) for item in value]
        case {"_NODES": nodes, "_RELS": relationships}:
            return {
                "kind": "path",
                "nodes": plain_value(nodes),
                "relationships": plain_value(relationships),
            }
        case {"_LABEL": label, "_SRC": source, "_DST": target}:
            return {
                "kind": "relationship",
                "id": _key(value.get("_ID")),
                "source": _key(source),
                "target": _key(target),
                "type": label,
                "properties": _properties(value),
            }
        case {"_LABEL": label}:
            own = {"kind": "node", "id": _key(value.get("_ID")), "labels": [label]}
            return {**own, "properties": _properties(value)}
        case dict():
            return {str(name): plain_value(item) for name, item in value.items()}
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _properties(element: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: plain_value(value)
        for name, value in element.items()
        if value is not None and name not in _INTERNAL
    }


def _key(internal: Any) -> str:
    """The internal id of ladybug, a table and a place in it, or of Neo4j, a text."""
    if isinstance(internal, dict):
        return f"{internal.get('table')}:{internal.get('offset')}"
    return str(internal)
