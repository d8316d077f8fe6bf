"""Index of the papers of a data set of tables: ids in the tables -> ids of nodes."""

from __future__ import annotations

from dataclasses import dataclass, field

from citescape.core.errors import SourceError
from citescape.core.types import Identifiers
from citescape.ingest.identity import work_id
from citescape.loaders.datasets import DataSet
from citescape.loaders.lines import TextLines
from citescape.loaders.table_rows import doi_of, identifiers_of


@dataclass
class TableIndex:
    """Codes 0 .. n - 1 of n papers, in the order of their first rows."""

    name: str
    """Name of the data set."""
    codes: dict[str, int] = field(default_factory=dict)
    """Id in the table -> code. Rows with one DOI have one code."""
    nodes: dict[str, int] = field(default_factory=dict)
    """Id of the node -> code, in ascending order of codes."""
    ids: list[str] = field(default_factory=list)
    """Of the first row of each paper; (n,)."""
    identifiers: list[Identifiers] = field(default_factory=list)
    """Of the first row of each paper; (n,)."""
    repeated: set[int] = field(default_factory=set)
    """Papers with several rows."""
    rejected: bool = False
    """Whether some rows are not papers."""

    def own_id(self, id_: str) -> str:
        """The node id of a work with neither DOI nor PMID: `aan:D10-1001`.

        `#` separates a paper from its parts in the graph, so it is written `%23`.
        """
        return f"{self.name}:{id_.replace('#', '%23')}"

    def node_of(self, id_: str, identifiers: Identifiers) -> str:
        """The node id of a work."""
        return work_id(identifiers, None) or self.own_id(id_)

    def code_elsewhere(self, id_: str) -> int | None:
        """The paper of an id that is not in the table but is a DOI."""
        return self.nodes.get(self.node_of(id_, Identifiers(doi_of(id_))))


def read_index(data_set: DataSet) -> TableIndex:
    """Reads the ids of a table of papers.

    Raises:
        SourceError: the file cannot be read to its end, or holds no paper.
    """
    index = TableIndex(data_set.name)
    for row in data_set.table_format.read_papers(TextLines(data_set.papers)):
        if isinstance(row, SourceError) or not row.id:
            index.rejected = True
            continue
        found = identifiers_of(row)
        code = index.codes.get(row.id)
        if code is None:
            code = index.nodes.setdefault(index.node_of(row.id, found), len(index.nodes))
            index.codes[row.id] = code
        if code < len(index.ids):
            index.repeated.add(code)
            continue
        index.ids.append(row.id)
        index.identifiers.append(found)
    if not index.nodes:
        message = f"no paper in it; expected {data_set.table_format.expected}"
        raise SourceError(str(data_set.papers), "no-papers", message)
    return index
