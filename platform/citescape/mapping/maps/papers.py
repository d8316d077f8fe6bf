"""Attributes of the papers of a map."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.pairs import find_rows
from citescape.mapping.communities.topic_papers import read_weights
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query


@dataclass(frozen=True)
class MapPapers:
    """Papers in ascending order of ids, with their attributes on a map."""

    table: pa.Table
    """id, title, year (NaN where unknown), cites and cited (works of the store), received."""
    weight: str
    """Meaning of `received`, see `communities.topic_papers`."""

    @property
    def ids(self) -> pa.StringArray:
        """(papers,) ascending."""
        return self.table["id"].combine_chunks()

    def fingerprint(self) -> str:
        """SHA-256 of the table."""
        digest = hashlib.sha256()
        for name in self.table.column_names:
            column = self.table[name]
            if pa.types.is_string(column.type):
                digest.update(pc.binary_length(column).to_numpy().tobytes())
                digest.update("".join(column.to_pylist()).encode())
            else:
                digest.update(column.to_numpy().tobytes())
        return digest.hexdigest()


def read_map_papers(store: GraphStore, ids: pa.StringArray) -> MapPapers:
    """Reads the attributes of some papers, and all citations.

    Args:
        store: the graph.
        ids: ascending; papers that are no longer in the store have empty values.
    """
    table = store.read(query("maps/titles")).sort_by("id").combine_chunks()
    own = table.take(pc.index_in(ids, value_set=table["id"].combine_chunks().cast(pa.string())))
    plain = pc.utf8_trim_whitespace(own["title"].cast(pa.string()).fill_null(""))
    columns = {
        "id": ids,
        "title": pc.replace_substring_regex(plain, r"\s+", " ").combine_chunks(),
        "year": own["year"].cast(pa.float64()).fill_null(np.nan).combine_chunks(),
    }
    citations, weight = read_weights(store)
    rows, size = find_rows(ids, citations.ids), len(citations.ids)
    counts = {
        "cites": np.bincount(citations.citing, minlength=size),
        "cited": np.bincount(citations.cited, minlength=size),
        "received": np.bincount(citations.cited, citations.weights, minlength=size),
    }
    columns |= {name: np.append(count, 0)[rows] for name, count in counts.items()}
    return MapPapers(pa.table(columns), weight)
