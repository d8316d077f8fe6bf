"""Small networks with attributes of papers, including hostile titles."""

from __future__ import annotations

import unicodedata

import numpy as np
import pyarrow as pa
from hypothesis import settings
from hypothesis import strategies as st

from citescape.mapping.exports.attributed import AttributedNetwork
from citescape.mapping.exports.membership import Membership
from citescape.mapping.exports.texts import clean_texts
from citescape.networks.network import build_network

AWKWARD = (
    *('"', "'", "\\", "&", "&amp;", "&#228;", "<b>", "]]>", "<!--", ",", ";", "\t", "\n", "\r"),
    *("\x00", "\x0b", "\x1f", "\x7f", "\x85", "\u2028", "\ufffe", "\uffff", "\ufdd0", "\U0001fffe"),
    *("=1+1", "+", "-", "@", "＝", " ", "  ", "\u00a0", "\u200b", "\ufeff", "ä", "麦", "🌾"),
    *("\u202eabc", "שלום", "e\u0301", "*Edges", "%", "null", "nan", "[doi:10.1/b]", "1", "*"),
)
IDS = ("doi:10.1/a", "doi:10.1/b", "doi:10.1/<c>&\"d'", "key:0", "pmid:7", "doi:10.1/麦(1)\\")
EDGES = ("source", "target", "weight")

hostile_texts = st.lists(
    st.one_of(st.sampled_from(AWKWARD), st.text(st.characters(exclude_categories=("Cs",)))),
    max_size=4,
).map("".join)
few = settings(max_examples=20)
positive = st.floats(min_value=1e-300, max_value=1e300, allow_subnormal=False)
places = st.one_of(st.none(), st.floats(-1e6, 1e6, allow_subnormal=False))


@st.composite
def contents(draw: st.DrawFn, least: int = 0) -> AttributedNetwork:
    """Up to six papers; some without title, year, place or community."""
    ids = sorted(draw(st.sets(st.sampled_from(IDS), min_size=least)), key=str.encode)
    size = len(ids)
    pairs = [(i, j) for i in range(size) for j in range(i + 1, size)]
    weights = draw(st.dictionaries(st.sampled_from(pairs), positive)) if pairs else {}
    names = pa.array(ids, pa.string())
    ends = np.array(list(weights), np.int32).reshape(-1, 2).T
    network = build_network(names, (ends[0], ends[1]), np.array(list(weights.values()), float))

    def column(values: st.SearchStrategy[object], kind: pa.DataType) -> pa.Array:
        return pa.array([draw(values) for _ in ids], kind)

    placed = column(places, pa.float64())
    labels = np.array([draw(st.integers(-1, 2)) for _ in ids], np.int32)
    level = Membership("fine", labels, pa.array(["c0", "c1", "c2"]), pa.array(["x", None, "<y>"]))
    nodes = {
        "id": names,
        "title": clean_texts(column(hostile_texts, pa.string())),
        "authors": clean_texts(column(hostile_texts, pa.string())),
        "year": column(st.one_of(st.none(), st.integers(1500, 2100)), pa.int64()),
        "venue": clean_texts(column(hostile_texts, pa.string())),
        "url": column(st.one_of(st.none(), st.just("https://doi.org/10.1/a?b&c")), pa.string()),
        "fulltext": column(st.one_of(st.none(), st.booleans()), pa.bool_()),
        "citations": column(st.integers(0, 2**40), pa.int64()),
        "importance": column(st.floats(-1, 1e6, allow_subnormal=False), pa.float64()),
        "community_fine": level.names.take(pa.array(labels, mask=labels < 0)),
        "x": placed,
        "y": placed,
    }
    return AttributedNetwork(
        network,
        pa.table(nodes),
        pa.table({"citing": column_of_links(draw, network.edges)}),
        "knn",
        memberships=(level,),
        level="fine",
        about={"network": "network-0123456789ab", "citescape": "0"},
    )


def column_of_links(draw: st.DrawFn, count: int) -> pa.Array:
    """Which end of each edge cites the other; null if the edge is no citation."""
    values = st.sampled_from([None, "source", "target", "both"])
    return pa.array([draw(values) for _ in range(count)], pa.string())


def rows_of(content: AttributedNetwork) -> dict[str, dict[str, object]]:
    """Expected nodes of each format: known attributes by id, in plain Python."""
    rows = content.nodes.to_pylist()
    return {str(row["id"]): {k: v for k, v in row.items() if v is not None} for row in rows}


def edges_of(content: AttributedNetwork) -> dict[tuple[str, str], dict[str, object]]:
    """Expected edges of each format: known attributes by ids of both ends."""
    ids = content.network.ids.to_pylist()
    found = {}
    for row in content.edges().to_pylist():
        ends = (ids[row.pop("source")], ids[row.pop("target")])
        found[ends] = {name: value for name, value in row.items() if value is not None}
    return found


SHAPELESS = {0xAD, 0x180E, 0xFEFF, *range(0x200B, 0x2010), *range(0x202A, 0x202F)}
SHAPELESS |= set(range(0x2060, 0x2070))


def guarded(text: str) -> str:
    """Text that a spreadsheet does not read as a formula."""
    if text[:1] in ("\t", "\r", "\n"):
        return f"'{text}"
    for character in text:
        skipped = unicodedata.category(character) in ("Cc", "Zs", "Zl", "Zp")
        if not (skipped or ord(character) in SHAPELESS or character == '"'):
            return f"'{text}" if character in "=+-@＝＋－＠" else text
    return text
