"""VOSviewer map and network files, read by pandas."""

from __future__ import annotations

import csv
import io
from html import escape

import pandas as pd
from hypothesis import given

from citescape.mapping.exports.attributed import AttributedNetwork
from citescape.mapping.exports.formats import FORMATS
from citescape.mapping.exports.vosviewer import read_items
from tests.mapping.exports.contents import contents, few


def written(content: AttributedNetwork, end: str) -> bytes:
    sink = io.BytesIO()
    FORMATS["vosviewer-txt"].parts(content)[end](content, sink)
    return sink.getvalue()


@few
@given(contents())
def test_map_files_are_read_unchanged(content: AttributedNetwork) -> None:
    text, items = written(content, "-map.txt"), read_items(content)
    lines = text.decode().split("\n")
    assert len(lines) == len(content.network) + 2  # no text breaks a line
    assert lines[0].split("\t") == items.column_names
    assert all(line.count("\t") == len(items.column_names) - 1 for line in lines[:-1])
    read = pd.read_csv(io.BytesIO(text), sep="\t", keep_default_na=False)
    assert list(read["id"]) == list(range(1, len(content.network) + 1))
    for name in ("label", "description"):
        expected = [value.replace('"', "'") for value in items[name].to_pylist()]
        assert [str(value) for value in read[name]] == expected
    for name in ("weight<Links>", "weight<Importance>", "weight<Citations>"):
        assert read[name].tolist() == items[name].to_pylist()
    years = [None if year == "" else int(year) for year in read["score<Publication year>"]]
    assert years == items["score<Publication year>"].to_pylist()


@few
@given(contents())
def test_quoted_texts_have_no_quotes(content: AttributedNetwork) -> None:
    """The VOSviewer manual describes no escape for quotes."""
    text = written(content, "-map.txt").decode()
    assert '""' not in text.replace('\t""', "\t")
    for title in content.nodes["title"].to_pylist():
        assert title is None or escape(title).replace('"', "'") in text


@few
@given(contents())
def test_network_files_have_a_line_per_link(content: AttributedNetwork) -> None:
    text = written(content, "-network.txt").decode()
    rows = [
        (int(a) - 1, int(b) - 1, float(w)) for a, b, w in csv.reader(io.StringIO(text), "excel-tab")
    ]
    source, target, weight = content.network.upper()
    assert rows == list(zip(source.tolist(), target.tolist(), weight.tolist(), strict=True))
