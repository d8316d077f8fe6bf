"""Writes Pajek files (http://mrvar.fdv.uni-lj.si/pajek): network, partitions and vectors."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from citescape.mapping.exports.attributed import AttributedNetwork, FileWriter
from citescape.mapping.exports.places import scale_places
from citescape.mapping.exports.texts import as_texts, slices, wrap

_MISSING = "999999998"
"""Code of a missing number."""
_MARGIN = 0.05
"""Margin around the places, in the unit square."""
_NUMBER = (pa.int64(), pa.float64())
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
"""Characters that are replaced in names of files."""
_CODES = (("&#", "&#38;#"), ('"', "&#34;"), ("\\", "&#92;"))
"""Character with a meaning in labels -> its code."""


def list_pajek_files(content: AttributedNetwork) -> Mapping[str, FileWriter]:
    """Files of a network: suffix -> writer.

    `.net` has vertices with titles and places, and edges with weights. A `.clu` per level has
    communities; the largest is 1, and 0 means no community. A `.vec` per numeric attribute has its
    values.
    """
    parts: dict[str, FileWriter] = {".net": write_net}
    for membership in content.memberships:
        end = f"-{_UNSAFE.sub('_', membership.level)}.clu"
        parts[end] = partial(_write_partition, membership.level)
    for field in content.attributes.schema:
        if field.type in _NUMBER and field.name not in ("x", "y"):
            parts[f"-{field.name}.vec"] = partial(_write_vector, field.name)
    return parts


def write_net(content: AttributedNetwork, sink: BinaryIO) -> None:
    """Writes vertices and edges, in ASCII: other characters are written as `&#228;`, as in Pajek.

    Some readers identify vertices by labels: ids are added to repeated titles. Places are between
    0.05 and 0.95; y increases downwards, as in Pajek.
    """
    labels = make_unique(content.titles, content.network.ids)
    for sign, code in _CODES:
        labels = pc.replace_substring(labels, sign, code)
    numbers = as_texts(pa.array(np.arange(1, len(labels) + 1)))
    columns = {"number": wrap("", numbers, ' "'), "label": wrap("", labels, '"')}
    places = scale_places(content.nodes, 1 - 2 * _MARGIN)
    if places:
        x, y = places[0] + 0.5, 0.5 - places[1]
        texts = (as_texts(pa.array(np.round(side, 6), from_pandas=True)) for side in (x, y))
        columns["place"] = wrap(" ", pc.binary_join_element_wise(*texts, " "), " 0.5")

    sink.write(f"*Vertices {len(content.network)}\n".encode())
    for rows in slices(pa.table(columns)):
        lines = pc.binary_join_element_wise(*(rows[name] for name in rows.column_names), "")
        text = "\n".join([*lines.to_pylist(), ""])
        sink.write(text.encode("ascii", "xmlcharrefreplace"))
    sink.write(b"*Edges\n")
    for edges in slices(content.edges().select(["source", "target", "weight"])):
        ends = {name: pc.add(edges[name], 1) for name in ("source", "target")}
        _write_columns(pa.table({**ends, "weight": edges["weight"]}), sink)


def make_unique(titles: pa.StringArray, ids: pa.StringArray) -> pa.StringArray:
    """Makes titles (nodes,) unique: repeated titles are followed by the id, as in `x [id]`.

    Titles that end in a bracket also get the id. The results are unique, since ids have no spaces.
    """
    counts = pc.value_counts(titles)
    once = counts.field("values").filter(pc.equal(counts.field("counts"), 1))
    plain = pc.and_not(pc.is_in(titles, value_set=once), pc.ends_with(titles, "]"))
    return pc.if_else(plain, titles, pc.binary_join_element_wise(titles, " [", ids, "]", ""))


def _write_partition(level: str, content: AttributedNetwork, sink: BinaryIO) -> None:
    labels = next(m.labels for m in content.memberships if m.level == level)
    _write_list(pa.array(labels + 1), sink)


def _write_vector(name: str, content: AttributedNetwork, sink: BinaryIO) -> None:
    _write_list(pc.fill_null(as_texts(content.nodes[name]), _MISSING), sink)


def _write_list(values: pa.Array, sink: BinaryIO) -> None:
    sink.write(f"*Vertices {len(values)}\n".encode())
    _write_columns(pa.table({"value": values}), sink)


def _write_columns(table: pa.Table, sink: BinaryIO) -> None:
    options = pyarrow.csv.WriteOptions(include_header=False, delimiter=" ", quoting_style="none")
    pyarrow.csv.write_csv(table, sink, options)
