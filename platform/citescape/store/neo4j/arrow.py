"""Records of the Neo4j driver -> Arrow, column by column."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

import pyarrow as pa
from neo4j.graph import Node, Path, Relationship
from neo4j.spatial import Point
from neo4j.time import Date, DateTime, Duration, Time

from citescape.core.errors import StoreError
from citescape.store.schema import TABLE

Column = Sequence[Any]
_PLAIN = (str, int, float, bool, bytes)
_UNKNOWN = pa.null()


def record_batches(
    names: Sequence[str], known: dict[str, pa.DataType], chunks: Iterable[Sequence[Sequence[Any]]]
) -> Iterator[pa.RecordBatch]:
    """Record batches of one schema, at least one (empty where there are no rows).

    A column whose type is neither in `known` nor clear from its values so far delays all batches
    until a value determines it; a column without any value is text. Maps and nodes delay them to
    the end: only then are all their keys known.

    Args:
        names: names of the columns.
        known: known types of columns, by name.
        chunks: records, each with one value per column.

    Raises:
        StoreError: a column holds values of several types.
    """
    types = [known.get(name, _UNKNOWN) for name in names]
    held: list[list[pa.Array]] = []
    for records in chunks:
        columns: list[Column] = []
        for column in zip(*records, strict=True):
            first = next((value for value in column if value is not None), None)
            columns.append(column if isinstance(first, _PLAIN) else list(map(plain, column)))
        arrays = [_array(*given) for given in zip(names, columns, types, strict=True)]
        types = [_UNKNOWN if _is_open(array.type) else array.type for array in arrays]
        held.append(arrays)
        if _UNKNOWN not in types:
            yield from _table(names, held).to_batches()
            held = []
    rest = _table(names, [*held, [pa.array([], kind) for kind in types]])
    yield from rest.to_batches()
    yield pa.RecordBatch.from_pylist([], rest.schema)


def plain(value: Any) -> Any:
    """A value without types of the driver: nodes as maps with `_ID` and `_LABEL`, as in ladybug.

    Relationships have `_SRC` and `_DST` too.
    """
    if value is None or isinstance(value, _PLAIN):
        return value
    if isinstance(value, list):
        return [plain(entry) for entry in value]
    if isinstance(value, dict):
        return {key: plain(entry) for key, entry in value.items()}
    if isinstance(value, Node):
        label = next(iter(sorted(value.labels)), "")
        return {"_ID": value.element_id, **_element(label, value)}
    if isinstance(value, Relationship):
        source, target = value.nodes
        ends = {"_SRC": source and source.element_id, "_DST": target and target.element_id}
        return {**ends, "_ID": value.element_id, **_element(value.type, value)}
    if isinstance(value, Path):
        return {"_NODES": [*map(plain, value.nodes)], "_RELS": [*map(plain, value.relationships)]}
    if isinstance(value, (Date, DateTime, Time)):
        return value.to_native()
    if isinstance(value, Duration):
        return value.iso_format()
    return str(tuple(value)) if isinstance(value, Point) else str(value)


def _element(label: str, element: Node | Relationship) -> dict[str, Any]:
    table = TABLE.get(label)
    names = [name for name in table.arrow.names if name not in ("from", "to")] if table else []
    others = sorted(set(element.keys()) - set(names))
    return {"_LABEL": label, **{name: plain(element.get(name)) for name in [*names, *others]}}


def _is_open(kind: pa.DataType) -> bool:
    """Whether later rows may change a type: it has no value yet, or keys."""
    if pa.types.is_list(kind):
        return _is_open(kind.value_type)
    return bool(pa.types.is_null(kind) or pa.types.is_struct(kind))


def _settled(kind: pa.DataType) -> pa.DataType:
    """A type with text for its unknown parts."""
    if pa.types.is_list(kind):
        return pa.list_(_settled(kind.value_type))
    if pa.types.is_struct(kind):
        return pa.struct([(field.name, _settled(field.type)) for field in kind])
    return pa.string() if pa.types.is_null(kind) else kind


def _array(name: str, column: Column, kind: pa.DataType) -> pa.Array:
    """The values as an array of the given or inferred type.

    With a given type, Arrow would silently cut off fractions and turn a text into a list of
    letters.
    """
    inferred = kind is _UNKNOWN or pa.types.is_integer(kind)
    try:
        found = pa.array(column, None if inferred else kind)
        if kind is _UNKNOWN:
            return found
        if pa.types.is_string(found.type) != pa.types.is_string(kind) or _has_text(column, kind):
            raise _mixed(name)
        return found.cast(kind)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        raise _mixed(name) from None


def _has_text(values: Iterable[Any], kind: pa.DataType) -> bool:
    """Whether a column of lists has a text among its values, at any depth."""
    if not pa.types.is_list(kind):
        return False
    lists = [value for value in values if value is not None]
    return any(isinstance(value, str) for value in lists) or _has_text(
        chain.from_iterable(lists), kind.value_type
    )


def _table(names: Sequence[str], held: Sequence[Sequence[pa.Array]]) -> pa.Table:
    """Batches of arrays as one table; each column has the common type of its arrays."""
    columns = [_column(*given) for given in zip(names, zip(*held, strict=True), strict=True)]
    return pa.table(columns, list(names))


def _column(name: str, arrays: Sequence[pa.Array]) -> pa.ChunkedArray:
    try:
        parts = [pa.table({name: array}) for array in arrays]
        column = pa.concat_tables(parts, promote_options="permissive")[name]
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        raise _mixed(name) from None
    return column.cast(_settled(column.type))


def _mixed(name: str) -> StoreError:
    return StoreError(
        f"column {name} holds values of several types, expected one; "
        f"make them alike, as with toString({name}) or toFloat({name})"
    )
