"""Records of the Neo4j driver -> Arrow, column by column."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa
from neo4j.graph import Node, Path, Relationship
from neo4j.spatial import Point
from neo4j.time import Date, DateTime, Duration, Time

from citescape.errors import StoreError
from citescape.graph.schema import TABLE

Column = Sequence[Any]
_PLAIN = (str, int, float, bool, bytes)


def record_batches(
    names: Sequence[str], known: dict[str, pa.DataType], chunks: Iterable[Sequence[Sequence[Any]]]
) -> Iterator[pa.RecordBatch]:
    """Record batches of one schema, at least one (empty where there are no rows).

    A column whose type is neither in `known` nor told by its values so far holds batches back
    until a value tells it; one without any value is text.

    Raises:
        StoreError: a column holds values of several types.
    """
    types: list[pa.DataType | None] = [known.get(name) for name in names]
    held: list[list[Column]] = []
    for records in chunks:
        columns = [_plain_column(column) for column in zip(*records, strict=True)]
        types = [
            _type_of(name, column) if kind is None else kind
            for name, column, kind in zip(names, columns, types, strict=True)
        ]
        held.append(columns)
        if None not in types:
            yield from (_batch(names, columns, types) for columns in held)
            held = []
    if held or None in types:
        types = [pa.string() if kind is None else kind for kind in types]
        yield from (_batch(names, columns, types) for columns in held)
    yield pa.RecordBatch.from_pylist([], pa.schema(zip(names, types, strict=True)))


def _plain_column(column: Column) -> Column:
    first = next((value for value in column if value is not None), None)
    return column if isinstance(first, _PLAIN) else [plain(value) for value in column]


def plain(value: Any) -> Any:
    """A value without types of the driver: nodes as maps with `_LABEL`, as ladybug gives them."""
    if value is None or isinstance(value, _PLAIN):
        return value
    if isinstance(value, list):
        return [plain(entry) for entry in value]
    if isinstance(value, dict):
        return {key: plain(entry) for key, entry in value.items()}
    if isinstance(value, Node):
        return _element(next(iter(sorted(value.labels)), ""), value)
    if isinstance(value, Relationship):
        return _element(value.type, value)
    if isinstance(value, Path):
        return {"_NODES": [*map(plain, value.nodes)], "_RELS": [*map(plain, value.relationships)]}
    if isinstance(value, (Date, DateTime, Time)):
        return value.to_native()
    return value.iso_format() if isinstance(value, Duration) else _text(value)


def _element(label: str, element: Node | Relationship) -> dict[str, Any]:
    table = TABLE.get(label)
    names = [name for name in table.arrow.names if name not in ("from", "to")] if table else []
    others = sorted(set(element.keys()) - set(names))
    return {"_LABEL": label, **{name: plain(element.get(name)) for name in [*names, *others]}}


def _text(value: Any) -> str:
    return str(tuple(value)) if isinstance(value, Point) else str(value)


def _type_of(name: str, column: Column) -> pa.DataType | None:
    """The type that the values tell, or None if they are all null or empty lists."""
    try:
        found = pa.array(column).type
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        raise _mixed(name) from None
    return None if _has_null(found) else found


def _has_null(kind: pa.DataType) -> bool:
    return pa.types.is_null(kind) or (pa.types.is_list(kind) and _has_null(kind.value_type))


def _batch(names: Sequence[str], columns: Sequence[Column], types: Sequence[Any]) -> pa.RecordBatch:
    arrays = []
    for name, column, kind in zip(names, columns, types, strict=True):
        try:
            # Given the type, Arrow would cut the fraction off a number without a word.
            is_int = pa.types.is_integer(kind)
            arrays.append(pa.array(column).cast(kind) if is_int else pa.array(column, kind))
        except (pa.ArrowInvalid, pa.ArrowTypeError):
            raise _mixed(name) from None
    return pa.RecordBatch.from_arrays(arrays, list(names))


def _mixed(name: str) -> StoreError:
    return StoreError(
        f"column {name} holds values of several types, expected one; "
        f"make them alike, as with toString({name}) or toFloat({name})"
    )
