"""Reads whole tables by row numbers: positions of nodes in their tables, which the engine keeps.

No key is read or looked up, and rows arrive in batches. A node has the same number while it exists.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, Protocol

import pyarrow as pa

from citescape.store.schema import REL

_BATCH_ROWS = 1_000_000
End = Literal["from", "to"]


class Engine(Protocol):
    """The method of the store that this module needs."""

    def read(self, text: str, /, **params: object) -> pa.Table:
        """All rows of a read query."""
        ...


def row_limit(engine: Engine, label: str) -> int:
    """The largest row number of a label, plus 1: after deletions there are fewer nodes."""
    last = engine.read(f"MATCH (x:{label}) RETURN max(offset(id(x))) AS last")["last"][0].as_py()
    return 0 if last is None else int(last) + 1


def read_nodes(engine: Engine, label: str, columns: Sequence[str]) -> Iterator[pa.Table]:
    """`row` and the given columns of all nodes of a label."""
    picked = "".join(f", x.{name} AS {name}" for name in columns)
    text = (
        f"MATCH (x:{label}) WHERE offset(id(x)) >= $first AND offset(id(x)) < $stop "
        f"RETURN offset(id(x)) AS row{picked}"
    )
    for first in range(0, row_limit(engine, label), _BATCH_ROWS):
        yield engine.read(text, first=first, stop=first + _BATCH_ROWS)


def read_links(
    engine: Engine, name: str, columns: Sequence[str], *, by: End = "from"
) -> Iterator[pa.Table]:
    """`from_row`, `to_row` and the given columns of all relationships of a type.

    A batch has about a million rows: the range of row numbers follows the size of the last batch.

    Args:
        engine: open database.
        name: type of the relationships.
        columns: properties.
        by: end whose row numbers ascend from batch to batch; fastest is the one with fewer nodes.
    """
    rel, end = REL[name], "a" if by == "from" else "b"
    match = f"MATCH (a:{rel.source})-[x:{rel.name}]->(b:{rel.target})"
    picked = "".join(f", x.{column} AS {column}" for column in columns)
    text = (
        f"{match} WHERE offset(id({end})) >= $first AND offset(id({end})) < $stop "
        f"RETURN offset(id(a)) AS from_row, offset(id(b)) AS to_row{picked}"
    )
    links = int(engine.read(f"{match} RETURN count(*) AS n")["n"][0].as_py())
    limit = row_limit(engine, rel.source if by == "from" else rel.target)
    first, width = 0, limit if links <= _BATCH_ROWS else limit * _BATCH_ROWS // (4 * links)
    while first < limit:
        width = max(width, 1)
        batch = engine.read(text, first=first, stop=first + width)
        first += width
        if batch.num_rows:
            yield batch
        width = min(4 * width, width * _BATCH_ROWS // max(batch.num_rows, 1))
