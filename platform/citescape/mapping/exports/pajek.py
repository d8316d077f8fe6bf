"""Pajek (http://mrvar.fdv.uni-lj.si/pajek): network, partitions and vectors."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from citescape.mapping.exports.attributed import AttributedNetwork
from citescape.mapping.exports.parts import Part
from citescape.mapping.exports.places import scale_places
from citescape.mapping.exports.texts import as_texts, slices, wrap

_MISSING = "999999998"
"""What stands for a number that is not known."""
_MARGIN = 0.05
_NUMBER = (pa.int64(), pa.float64())
_ODD = re.compile(r"[^A-Za-z0-9._-]+")
_CODED = (("&#", "&#38;#"), ('"', "&#34;"), ("\\", "&#92;"))
"""What would end a label, or be taken for the code of a character -> its code."""


def pajek_parts(content: AttributedNetwork) -> Mapping[str, Part]:
    """The files of a network by the ends of their names.

    `.net`: vertices with their titles and places, edges with their weights. A `.clu` for each
    level of communities, the largest is 1, 0 is none. A `.vec` for each attribute that is a number.
    """
    parts: dict[str, Part] = {".net": write_net}
    for membership in content.memberships:
        end = f"-{_ODD.sub('_', membership.level)}.clu"
        parts[end] = partial(_write_partition, membership.level)
    for field in content.attributes.schema:
        if field.type in _NUMBER and field.name not in ("x", "y"):
            parts[f"-{field.name}.vec"] = partial(_write_vector, field.name)
    return parts


def write_net(content: AttributedNetwork, sink: BinaryIO) -> None:
    """Writes vertices and edges, in ASCII: other characters as `&#228;`, as Pajek itself does.

    Readers that name vertices by their labels need each label once: where several papers have one
    title, the id follows. Places lie between 0.05 and 0.95; y runs down, as Pajek draws it.
    """
    vertices = _vertices(content)
    sink.write(f"*Vertices {len(content.network)}\n".encode())
    for rows in slices(vertices):
        lines = pc.binary_join_element_wise(*(rows[name] for name in rows.column_names), "")
        text = "\n".join([*lines.to_pylist(), ""])
        sink.write(text.encode("ascii", "xmlcharrefreplace"))
    sink.write(b"*Edges\n")
    for edges in slices(content.edges().select(["source", "target", "weight"])):
        ends = {name: pc.add(edges[name], 1) for name in ("source", "target")}
        _write_columns(pa.table({**ends, "weight": edges["weight"]}), sink)


def make_unique(titles: pa.StringArray, ids: pa.StringArray) -> pa.StringArray:
    """(nodes,) titles; where one stands more than once its id follows in brackets, as in `x [id]`.

    So it does where a title ends in a bracket. No two are the same then, as ids hold no blanks.
    """
    counts = pc.value_counts(titles)
    once = counts.field("values").filter(pc.equal(counts.field("counts"), 1))
    plain = pc.and_not(pc.is_in(titles, value_set=once), pc.ends_with(titles, "]"))
    return pc.if_else(plain, titles, pc.binary_join_element_wise(titles, " [", ids, "]", ""))


def _vertices(content: AttributedNetwork) -> pa.Table:
    labels = make_unique(content.titles, content.network.ids)
    for sign, code in _CODED:
        labels = pc.replace_substring(labels, sign, code)
    numbers = as_texts(pa.array(np.arange(1, len(labels) + 1)))
    columns = {"number": wrap("", numbers, ' "'), "label": wrap("", labels, '"')}
    places = scale_places(content.nodes, 1 - 2 * _MARGIN)
    if places:
        x, y = places[0] + 0.5, 0.5 - places[1]
        texts = (as_texts(pa.array(np.round(side, 6), from_pandas=True)) for side in (x, y))
        columns["place"] = wrap(" ", pc.binary_join_element_wise(*texts, " "), " 0.5")
    return pa.table(columns)


def _write_partition(level: str, content: AttributedNetwork, sink: BinaryIO) -> None:
    labels = next(one.labels for one in content.memberships if one.level == level)
    _write_list(pa.array(labels + 1), sink)


def _write_vector(name: str, content: AttributedNetwork, sink: BinaryIO) -> None:
    _write_list(pc.fill_null(as_texts(content.nodes[name]), _MISSING), sink)


def _write_list(values: pa.Array, sink: BinaryIO) -> None:
    sink.write(f"*Vertices {len(values)}\n".encode())
    _write_columns(pa.table({"value": values}), sink)


def _write_columns(table: pa.Table, sink: BinaryIO) -> None:
    how = pyarrow.csv.WriteOptions(include_header=False, delimiter=" ", quoting_style="none")
    pyarrow.csv.write_csv(table, sink, how)
