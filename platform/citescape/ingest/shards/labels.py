"""Labels of texts beside a graph of shards, which take the place of columns of its tables.

labels.json                                     complete labels, by kind; written last
labels/sections/KEY/Section/00003-0001.parquet  those of some sections of part 3, with their ids
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import StoreError
from citescape.distributed.storage import Storage
from citescape.ingest.sync import row_keys
from citescape.store.schema import TABLE
from citescape.store.statements import key_columns

COMPLETE = "labels.json"
FOLDER = "labels"


@dataclass(frozen=True)
class Labels:
    """What one labeller wrote."""

    kind: str
    """sections, intents or abstracts."""
    key: str
    """Hash of the graph, the model and its settings."""
    columns: Mapping[str, Sequence[str]]
    """Columns by table, without those of keys."""
    files: Mapping[str, int]
    """Bytes of each file."""
    figures: Mapping[str, object]
    """Sums over all papers."""
    runs: Sequence[Mapping[str, object]]
    """The runs that the labels name, as rows of Run."""

    @property
    def folder(self) -> str:
        """Folder of the files."""
        return name_folder(self.kind, self.key)

    def have(self, table: str, columns: Collection[str]) -> bool:
        """Whether some of the columns of a table are theirs."""
        return not {*self.columns.get(table, ())}.isdisjoint(columns)

    @cached_property
    def _files_of_part(self) -> dict[int, list[str]]:
        """Part -> names of its files."""
        return group_by_part(self.files)

    def only(self, part: int) -> Labels:
        """Those of one part."""
        names = self._files_of_part.get(part, [])
        files = {name: self.files[name] for name in names}
        return replace(self, files=files, figures={}, runs=[])

    def are_there(self, storage: Storage) -> bool:
        """Whether all files are as they were written."""
        sizes = storage.sizes(self.folder)
        return all(sizes.get(name) == size for name, size in self.files.items())

    def put(self, storage: Storage, rows: pa.Table, table: str, part: int) -> pa.Table:
        """The rows of a part, among them all keys, with labels in their columns.

        Raises:
            StoreError: a file is missing, damaged, or has labels of other rows.
        """
        columns = [name for name in self.columns[table] if name in rows.column_names]
        keys = key_columns(TABLE[table])
        within, files = f"{self.folder}/{table}/", self._files_of_part.get(part, [])
        read = [
            storage.read_table(name, [*keys, *columns]) for name in files if name.startswith(within)
        ]
        if not read:
            return rows
        labelled, found = replace_columns(rows, table, pa.concat_tables(read), columns)
        if found != sum(part.num_rows for part in read):
            raise StoreError(
                f"{storage.address}/{self.folder}/{table} has labels of other rows than part "
                f"{part} of the graph; label the {self.kind} of the shards again"
            )
        return labelled


def name_folder(kind: str, key: str) -> str:
    """Folder of labels."""
    return f"{FOLDER}/{kind}/{key}"


def group_by_part(names: Iterable[str]) -> dict[int, list[str]]:
    """Part of the graph -> its files: `labels/sections/KEY/Section/00003-0001.parquet` is of 3."""
    found: dict[int, list[str]] = {}
    for name in names:
        part = int(name.rpartition("/")[2].partition("-")[0])
        found.setdefault(part, []).append(name)
    return found


def replace_columns(
    rows: pa.Table, table: str, values: pa.Table, columns: Sequence[str]
) -> tuple[pa.Table, int]:
    """Rows of a table with columns of other rows of the same keys, and the number of those found.

    Rows without values keep their own.
    """
    schema = TABLE[table]
    own = row_keys(schema, values).combine_chunks()
    place = pc.index_in(row_keys(schema, rows), value_set=own)
    for name in columns:
        at, field = rows.schema.get_field_index(name), rows.schema.field(name)
        taken = values[name].combine_chunks().take(place).cast(field.type)
        column = pc.if_else(pc.is_valid(place), taken, rows[name]) if place.null_count else taken
        rows = rows.set_column(at, field, column)
    return rows, len(place) - place.null_count


def read_labels(storage: Storage, division: str) -> dict[str, Labels]:
    """The complete labels beside a graph, by kind.

    Args:
        storage: the folder of the graph.
        division: see `ShardedGraph.division`.

    Raises:
        StoreError: their list is damaged, or of another graph.
    """
    if COMPLETE not in storage.sizes(COMPLETE):
        return {}
    found = storage.read_json(COMPLETE)
    try:
        labels = {kind: Labels(**own) for kind, own in found["labels"].items()}
        known = found["graph"]
    except (AttributeError, KeyError, TypeError) as error:
        raise StoreError(
            f"{storage.address}/{COMPLETE} is damaged: {error!r}; remove it and label the texts of "
            "the shards again"
        ) from error
    if known != division:
        raise StoreError(
            f"{storage.address}/{COMPLETE} is of another graph; remove it and label the texts of "
            "the shards again"
        )
    return labels


def write_labels(storage: Storage, division: str, labels: Mapping[str, Labels]) -> None:
    """Writes the list of complete labels."""
    names = [item.name for item in fields(Labels)]
    listed = {kind: {name: getattr(own, name) for name in names} for kind, own in labels.items()}
    storage.write_json(COMPLETE, {"graph": division, "labels": listed})
