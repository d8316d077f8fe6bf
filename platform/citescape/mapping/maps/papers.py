"""What is known of the papers of a map."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.pairs import find_rows
from citescape.mapping.communities.topic_papers import read_weights
from citescape.networks.citations import Citations
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query


@dataclass(frozen=True)
class MapPapers:
    """Papers in ascending order of ids, and what is told of them on a map."""

    table: pa.Table
    """id, title, year (NaN where unknown), cites and cited (works of the store), received."""
    weight: str
    """What is received: see `communities.topic_papers`."""

    @property
    def ids(self) -> pa.StringArray:
        """(papers,) ascending."""
        return self.table["id"].combine_chunks()

    def fingerprint(self) -> str:
        """SHA-256 of all that is in the table."""
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
    """Reads what is known of some papers, and all citations.

    Args:
        store: the graph.
        ids: ascending; of papers that the store does not have any more nothing is known.
    """
    read = store.read(query("maps/titles")).sort_by("id").combine_chunks()
    own = read.take(pc.index_in(ids, value_set=read["id"].combine_chunks().cast(pa.string())))
    citations, weight = read_weights(store)
    given, taken, received = _count(citations, find_rows(ids, citations.ids))
    plain = pc.utf8_trim_whitespace(own["title"].cast(pa.string()).fill_null(""))
    told = {
        "id": ids,
        "title": pc.replace_substring_regex(plain, r"\s+", " ").combine_chunks(),
        "year": own["year"].cast(pa.float64()).fill_null(np.nan).combine_chunks(),
        "cites": given,
        "cited": taken,
        "received": received,
    }
    return MapPapers(pa.table(told), weight)


def _count(citations: Citations, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(papers,) works cited by each, works citing it, and what it receives; 0 for rows of -1."""
    size, cited = len(citations.ids), citations.cited
    columns = (
        np.bincount(citations.citing, minlength=size),
        np.bincount(cited, minlength=size),
        np.bincount(cited, citations.weights, minlength=size),
    )
    given, taken, received = (np.append(column, 0)[rows] for column in columns)
    return given, taken, received
