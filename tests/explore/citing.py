"""A graph of three seeds that share references, with the sentences of some citations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from citescape.store.graph_store import Change, GraphStore
from citescape.store.schema import TABLE

Row = dict[str, Any]
TITLES = {
    "S1": "Weedy rice in Asia",
    "S2": "Weedy rice in Africa",
    "S3": "Weedy rice in America",
    "A": "Signatures of the rice genome",
    "B": "Fast alignment of short reads",
    "C": "Origins of cultivated crops",
    "D": "Only one paper cites this",
    "X": "A review of weedy rice",
    "Y": "Another view of weeds",
}
CITES: Sequence[tuple[str, str, float | None]] = (
    ("S1", "A", 0.5),
    ("S2", "A", 0.5),
    ("S1", "B", 0.1),
    ("S2", "B", 0.1),
    ("S3", "B", 0.1),
    ("S1", "C", 2.0),
    ("S2", "C", None),
    ("S3", "D", 5.0),
    ("S1", "S2", 1.0),
    ("X", "S1", 0.2),
    ("X", "S2", 0.3),
    ("Y", "S1", 0.9),
)
"""Citing paper, cited paper, importance."""
SENTENCES: Sequence[tuple[str, str, str, str, list[str] | None]] = (
    ("S1", "B", "M", "Reads were aligned with B.", ["method"]),
    ("S1", "B", "I", "Reads are short.", ["background"]),
    ("S2", "B", "M", "We aligned reads [2].", ["method", "result"]),
    ("S3", "B", "R", "Few reads were aligned.", None),
    ("S1", "C", "D", "Crops have centres of origin.", ["background"]),
)
"""Citing paper, cited paper, type of section, sentence, intents."""
TYPES = ("I", "M", "R", "D", "other")


def doi(name: str) -> str:
    """Id of a paper."""
    return f"doi:10.1038/{name.lower()}.1"


def load(store: GraphStore, tables: Mapping[str, Sequence[Row]]) -> None:
    """Inserts rows; columns without a value are null."""
    for name, rows in tables.items():
        schema = TABLE[name].arrow
        full = [{column: row.get(column) for column in schema.names} for row in rows]
        store.apply([Change("insert", name, pa.Table.from_pylist(full, schema))])


def load_citing(store: GraphStore, *, scored: bool = True) -> GraphStore:
    """The papers, citations and sentences.

    Args:
        store: an empty graph.
        scored: whether citations have importance and counts.
    """
    papers = [
        {
            "id": doi(name),
            "doi": doi(name).removeprefix("doi:"),
            "title": title,
            "year": 2000 + place,
            "surnames": [name],
            "fulltext": name in ("S1", "S2", "S3", "X", "Y"),
        }
        for place, (name, title) in enumerate(TITLES.items())
    ]
    cites: list[Row] = []
    for citing, cited, importance in CITES:
        row: Row = {"from": doi(citing), "to": doi(cited)}
        own = [(kind, intents) for a, b, kind, _, intents in SENTENCES if (a, b) == (citing, cited)]
        if scored:
            row |= {f"f_{name}": sum(kind == name for kind, _ in own) for name in TYPES}
            row |= {
                f"n_{intent}": sum(intent in (intents or ()) for _, intents in own)
                for intent in ("background", "method", "result")
            }
            row |= {"importance": importance, "self": int((citing, cited) == ("S3", "B"))}
        cites.append(row)
    tables: dict[str, list[Row]] = {"Paper": papers, "Section": [], "Occurrence": []}
    links: dict[str, list[Row]] = {"HAS_SECTION": [], "CONTAINS": [], "REFERS_TO": []}
    for place, (citing, cited, kind, context, intents) in enumerate(SENTENCES):
        section, occurrence = f"section-{place}", f"occurrence-{place}"
        tables["Section"].append({"id": section, "title": f"Part {kind}", "type": kind})
        tables["Occurrence"].append(
            {"id": occurrence, "ordinal": place, "context": context, "intents": intents}
        )
        links["HAS_SECTION"].append({"from": doi(citing), "to": section})
        links["CONTAINS"].append({"from": section, "to": occurrence})
        links["REFERS_TO"].append({"from": occurrence, "to": doi(cited)})
    load(store, tables | {"CITES": cites} | links)
    return store
