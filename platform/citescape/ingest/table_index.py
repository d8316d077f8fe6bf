"""Index of the papers of a data set of tables: ids in the tables -> ids of nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from citescape.core.errors import SourceError
from citescape.core.types import Identifiers
from citescape.ingest.identity import work_id
from citescape.loaders.datasets import DataSet
from citescape.loaders.lines import TextLines
from citescape.loaders.table_rows import PaperRow, identify_cited


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
    """What references to each paper print: those of its first row, or of its id alone; (n,)."""
    repeated: set[int] = field(default_factory=set)
    """Papers with several rows."""
    rejected: bool = False
    """Whether some rows are not papers."""
    identify_cited: Callable[[str], Identifiers] = identify_cited
    """See `TableFormat.identify_cited`."""

    def own_id(self, id_: str) -> str:
        """The node id of a work with neither DOI nor PMID: `aan:D10-1001`.

        `#` separates a paper from its parts in the graph, so it is written `%23`.
        """
        return f"{self.name}:{id_.replace('#', '%23')}"

    def node_of(self, id_: str, identifiers: Identifiers) -> str:
        """The node id of a work."""
        return work_id(identifiers, None) or self.own_id(id_)

    def code_elsewhere(self, id_: str) -> int | None:
        """The paper of an id that is not in the table but leads to one, such as a DOI."""
        return self.nodes.get(self.node_of(id_, self.identify_cited(id_)))


def read_index(data_set: DataSet) -> TableIndex:
    """Reads the ids of a table of papers.

    Raises:
        SourceError: the file cannot be read to its end, or holds no paper.
    """
    own = data_set.table_format
    index = TableIndex(data_set.name, identify_cited=own.identify_cited)
    for _, row in read_rows(data_set):
        if isinstance(row, SourceError) or not row.id:
            index.rejected = True
            continue
        found = own.identify(row)
        code = index.codes.get(row.id)
        if code is None:
            code = index.nodes.setdefault(index.node_of(row.id, found), len(index.nodes))
            index.codes[row.id] = code
        if code < len(index.ids):
            index.repeated.add(code)
            continue
        index.ids.append(row.id)
        # Another file of papers, or none, may be loaded with the same citations.
        index.identifiers.append(own.identify_cited(row.id) if own.in_parts else found)
    if not index.nodes:
        message = f"no paper in it; expected {own.expected}"
        raise SourceError(str(data_set.papers), "no-papers", message)
    return index


def read_rows(data_set: DataSet) -> Iterator[tuple[Path, PaperRow | SourceError]]:
    """All rows of the tables of papers, each with its file."""
    for file in data_set.all_papers:
        for row in data_set.table_format.read_papers(TextLines(file)):
            yield file, row
