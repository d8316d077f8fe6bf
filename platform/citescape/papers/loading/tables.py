"""The rows of a graph of shards that go into a store.

A slice has chosen papers with all that is theirs: sections, in-text citations, reference lists,
terms, files and records. Works that they cite are cited works in it, also if the graph of shards
has loaded them. Authors are those of all its papers, notices those that concern them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.progress import Progress
from citescape.ingest.matching import CITED_WORK
from citescape.ingest.notices import COLUMNS as NOTICE
from citescape.ingest.records import owners
from citescape.ingest.shards.graph import ShardedGraph
from citescape.ingest.shards.scores import Scores
from citescape.ingest.shards.vectors import VectorFiles
from citescape.ingest.sync import unique_rows
from citescape.papers.loading.ids import IdSet
from citescape.runs.directory import record_row
from citescape.store.embeddings import TABLES as VECTORS
from citescape.store.embeddings import paper_of_embedding
from citescape.store.schema import TABLE, TERMS

_WRITTEN_LATER = (
    *(*VECTORS, "Community", "PART_OF", "IN_COMMUNITY", "RELATED"),
    *("Collection", "IN_COLLECTION", "IdentityDecision", "Run", "Meta"),
)
"""Tables that are written to a store after its papers."""
TABLES = tuple(name for name in TABLE if name not in _WRITTEN_LATER)
"""Tables that an ingest writes."""
LOADED = (*TABLES, *VECTORS)
"""Tables that are loaded."""
_LINKS = ("CITES", "MATCHES", "REFERS_TO")
"""Relationships that lead from a paper, or from what is its own, to cited works."""
_ENDS = ("from", "to")


class WholeGraph:
    """All rows of a graph of shards."""

    def __init__(
        self,
        graph: ShardedGraph,
        scores: Scores | None = None,
        vectors: VectorFiles | None = None,
    ) -> None:
        self.graph, self.scores, self.vectors = graph, scores, vectors

    def read(self, name: str, columns: Sequence[str] | None = None) -> Iterator[pa.Table]:
        """The rows of a table, part by part; empty parts are left out.

        Args:
            name: name of the table.
            columns: columns to read; by default all.
        """
        wanted = [*(columns or TABLE[name].arrow.names)]
        if name in VECTORS:
            tables = self.vectors.read_rows(name, wanted) if self.vectors else ()
            yield from (rows for rows in tables if rows.num_rows)
            return
        scores = self.scores if name == "CITES" else None
        needed = list(dict.fromkeys([*wanted, *_ENDS])) if scores else wanted
        for part in range(self.graph.parts):
            rows = self.graph.read(name, part, needed)
            rows = rows if scores is None else scores.add(rows, part)
            if rows.num_rows:
                yield rows.select(wanted)

    def read_runs(self) -> pa.Table:
        """The runs that scores, labels and vectors name, as rows of Run."""
        labels = self.graph.labels.values()
        rows = [pa.Table.from_pylist([*own.runs], TABLE["Run"].arrow) for own in labels]
        rows.append(TABLE["Run"].arrow.empty_table())
        for named in (self.scores, self.vectors):
            rows += [record_row(named.record())] if named is not None else []
        return unique_rows("Run", pa.concat_tables(rows))


class GraphSlice:
    """The rows of a slice."""

    def __init__(self, whole: WholeGraph, chosen: IdSet, progress: Progress) -> None:
        """Finds which other nodes the slice has.

        Args:
            whole: the graph of shards.
            chosen: ids of loaded papers.
            progress: called with the name of each step.
        """
        self._whole, self.chosen = whole, chosen
        graph = whole.graph
        progress("finding cited works")
        cited = (
            rows["to"].filter(chosen.mask(owners(name, rows)))
            for name in _LINKS
            for rows in graph.iterate(name, _ENDS)
        )
        self.papers = IdSet([chosen.column, *cited])
        """Chosen papers and cited works."""
        progress("finding authors, terms and notices")
        stated = self._ends("STATES", "to", chosen)
        concerning = self._ends("CONCERNS", "from", self.papers)
        self._nodes = {
            "Author": IdSet(self._ends("WROTE", "from", self.papers)),
            "Record": IdSet(self._ends("DESCRIBES", "from", chosen)),
            "Notice": IdSet([*stated, *concerning]),
            **{rel.target: IdSet(self._ends(rel.name, "to", chosen)) for rel in TERMS},
        }

    def _ends(self, name: str, end: str, papers: IdSet) -> Iterator[pa.ChunkedArray]:
        """One end of the relationships whose other end is among some papers."""
        (other,) = {*_ENDS} - {end}
        for rows in self._whole.graph.iterate(name, _ENDS):
            yield rows[end].filter(papers.mask(rows[other]))

    def read(self, name: str) -> Iterator[pa.Table]:
        """The rows of a table, part by part; empty parts are left out."""
        for whole in self._whole.read(name):
            rows = self._papers(whole) if name == "Paper" else whole.filter(self._mask(name, whole))
            if rows.num_rows:
                yield rows

    def _mask(self, name: str, rows: pa.Table) -> pa.Array:
        """(n,) whether the slice has each row."""
        if name in self._nodes:
            return self._nodes[name].mask(rows["id"])
        if name == "Embedding":
            assert self._whole.vectors
            return self.papers.mask(paper_of_embedding(self._whole.vectors.run, rows["id"]))
        if name == "HAS_EMBEDDING":
            return self.papers.mask(rows["from"])
        if name == "File":
            return self.chosen.mask(rows["paper"])
        if name == "DESCRIBES":
            return self.chosen.mask(rows["to"])
        if name == "WROTE":
            return self.papers.mask(rows["to"])
        if name == "VERSION_OF":
            return pc.and_(self.papers.mask(rows["from"]), self.papers.mask(rows["to"]))
        if name == "STATES":
            return pc.and_(self.papers.mask(rows["from"]), self._nodes["Notice"].mask(rows["to"]))
        if name in ("CONCERNS", "PUBLISHED_AS"):
            return pc.and_(self._nodes["Notice"].mask(rows["from"]), self.papers.mask(rows["to"]))
        return self.chosen.mask(owners(name, rows))

    def _papers(self, papers: pa.Table) -> pa.Table:
        """Chosen papers as they are; other works with the columns of cited works."""
        chosen = self.chosen.mask(papers["id"])
        cited = pc.and_(self.papers.mask(papers["id"]), pc.invert(chosen))
        works = papers.filter(cited)
        for place, field in enumerate(papers.schema):
            if field.name == "fulltext":
                values = pa.repeat(False, works.num_rows)
            elif field.name in ("id", *CITED_WORK, *NOTICE):
                continue
            else:
                values = pa.nulls(works.num_rows, field.type)
            works = works.set_column(place, field, values)
        return pa.concat_tables([papers.filter(chosen), works])


LoadedRows = WholeGraph | GraphSlice
