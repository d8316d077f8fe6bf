"""Replaces all relationships of a type at once: the new ones are copied into a second table.

COPY is the fastest way to write, but must not share a transaction with other changes (see the
adapter). So a second table is filled, and one logged transaction drops the first and gives its name
to the second. A process that is killed leaves the old relationships or the new ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import pyarrow as pa

from citescape.store.ladybug.schema import TYPES
from citescape.store.schema import RELS, RelTable

NEXT = "_next"
"""Added to the name of a table: the one that is being filled."""
_VALUES = 20_000_000
"""Values of one COPY, with three for the ends of a row. A second COPY takes twice as long as the
first for each row, since all lists of citing papers are written again; but rows of a COPY must fit
the buffer pool: 2,000,000 with nine properties do."""


def unfinished(tables: Iterable[str]) -> list[str]:
    """The tables that an interrupted replacement has left."""
    known = {f"{rel.name}{NEXT}" for rel in RELS}
    return [name for name in tables if name in known]


def create_text(table: RelTable, columns: Sequence[str]) -> str:
    """Creates the second table with some of the columns."""
    kinds = "".join(f", {name} {TYPES[table.columns[name]]}" for name in columns)
    return f"CREATE REL TABLE {table.name}{NEXT}(FROM {table.source} TO {table.target}{kinds})"


def swap_texts(table: RelTable, columns: Sequence[str]) -> Iterator[str]:
    """Gives the second table its other columns, which are null, and the name of the first."""
    for name, kind in table.columns.items():
        if name not in columns:
            yield f"ALTER TABLE {table.name}{NEXT} ADD {name} {TYPES[kind]}"
    yield f"DROP TABLE {table.name}"
    yield f"ALTER TABLE {table.name}{NEXT} RENAME TO {table.name}"


def count_text(name: str, columns: Sequence[str]) -> str:
    """Number of rows of a relationship table, and of values of each column."""
    counts = "".join(f", count(x.{column}) AS {column}" for column in columns)
    return f"MATCH ()-[x:{name}]->() RETURN count(*) AS n{counts}"


def count_values(rows: pa.Table) -> Mapping[str, int]:
    """The same of rows in memory."""
    return {"n": rows.num_rows} | {
        name: rows.num_rows - rows[name].null_count
        for name in rows.column_names
        if name not in ("from", "to")
    }


def join_pieces(pieces: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """The same rows in tables of equal size, as large as one COPY may be."""
    held: list[pa.Table] = []
    for piece in pieces:
        held.append(piece)
        most = _VALUES // (piece.num_columns + 1)
        while sum(part.num_rows for part in held) > most:
            whole = pa.concat_tables(held)
            yield whole.slice(0, most)
            held = [whole.slice(most)]
    if held:
        yield pa.concat_tables(held)
