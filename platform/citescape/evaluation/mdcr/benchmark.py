"""A benchmark of queries, each with cited papers and hard negatives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import SourceError
from citescape.core.records import to_id
from citescape.metrics.ranked import Qrels
from citescape.search.listed import sort_unique

TRUE = "true"
"""The kind of candidates that are cited."""
ALL = "all"
"""The condition of figures on candidates of all kinds."""
KINDS = ("bm25", "specter", "scincl", "graph", "most_cited", "random", TRUE)
"""As published. A benchmark of one's own names the models that its candidates are from."""
_BETWEEN = "\x1f"
"""Joins field and query, as a query may be in two fields; no id contains it."""


@dataclass(frozen=True)
class MdcrBenchmark:
    """Candidates of queries, of one split."""

    table: pa.Table
    """`field`, `query`, `kind` and `candidate`, a row each, in the order of the file."""
    source: str = ""

    def __post_init__(self) -> None:
        if not self.table.num_rows:
            raise SourceError(
                self.source, "empty", "expected queries with candidates by field; found none"
            )
        if ALL in self.kinds:
            raise SourceError(
                self.source,
                "taken",
                f"a kind of candidates is called {ALL!r}, as the figures on all of them are; "
                "expected another name",
            )

    @property
    def fields(self) -> list[str]:
        """In their order."""
        return list(dict.fromkeys(self.table["field"].to_pylist()))

    @property
    def kinds(self) -> list[str]:
        """Of candidates that are not cited, in their order."""
        return [kind for kind in dict.fromkeys(self.table["kind"].to_pylist()) if kind != TRUE]

    @property
    def papers(self) -> pa.StringArray:
        """All queries and candidates, ascending."""
        both = [*self.table["query"].chunks, *self.table["candidate"].chunks]
        return sort_unique(pa.chunked_array(both))

    @property
    def without_positives(self) -> list[str]:
        """Queries of which no candidate is cited; they are in no mean."""
        cited = self.table.filter(pc.equal(self.table["kind"], TRUE))
        keys, known = name_queries(self.table), name_queries(cited)
        lost = sort_unique(keys.filter(pc.invert(pc.is_in(keys, value_set=known))))
        return [key.partition(_BETWEEN)[2] for key in lost.to_pylist()]

    def only(self, kind: str) -> MdcrBenchmark:
        """The cited papers and the candidates of one kind."""
        kept = pc.is_in(self.table["kind"], value_set=pa.array([kind, TRUE]))
        return MdcrBenchmark(self.table.filter(kept), self.source)

    def pairs(self) -> pa.Table:
        """Each candidate of a query of a field once: `key`, `field`, `query`, `candidate`, `cited`.

        A candidate of several kinds counts once, as cited if `true` is one of them. A query is no
        candidate of itself.
        """
        keyed = self.table.append_column("key", name_queries(self.table))
        keyed = keyed.append_column("cited", pc.equal(keyed["kind"], TRUE))
        keyed = keyed.filter(pc.not_equal(keyed["query"], keyed["candidate"]))
        names = ["key", "field", "query", "candidate"]
        pairs = keyed.group_by(names).aggregate([("cited", "max")])
        pairs = pairs.rename_columns([*names, "cited"])
        return pairs.sort_by([("key", "ascending"), ("candidate", "ascending")])


def name_queries(table: pa.Table) -> pa.ChunkedArray:
    """(rows,) field and query as one name."""
    return pc.binary_join_element_wise(table["field"], table["query"], _BETWEEN)


def judge(pairs: pa.Table) -> Qrels:
    """Cited candidates are relevant; of `MdcrBenchmark.pairs`."""
    relevance = pairs["cited"].cast(pa.int8()).cast(pa.float64())
    columns = {"query": pairs["key"], "document": pairs["candidate"], "relevance": relevance}
    return Qrels.from_rows(pa.table(columns))


def read_fields(qrels: Qrels) -> list[str]:
    """(queries,) the field of each."""
    return [key.partition(_BETWEEN)[0] for key in qrels.queries.to_pylist()]


def iterate(parsed: object, source: str) -> Iterator[tuple[str, str, str, str]]:
    """Rows (field, query, kind, candidate) of a benchmark as published.

    Args:
        parsed: {field: {query: {kind: [candidate, ...]}}}.
        source: the file.

    Raises:
        SourceError: it is not that.
    """
    for field, queries in _items(parsed, source, "fields"):
        for query, kinds in _items(queries, source, f"queries of field {field!r}"):
            for kind, candidates in _items(kinds, source, f"candidates of query {query!r}"):
                if not isinstance(candidates, list):
                    raise _misread(
                        source, f"a list of {kind} papers of query {query!r}", candidates
                    )
                where = f"{source}: {kind} papers of query {query!r}"
                for candidate in candidates:
                    yield field, query, kind, to_id(candidate, where)


def _items(value: object, source: str, what: str) -> Iterator[tuple[str, object]]:
    if not isinstance(value, dict):
        raise _misread(source, f"an object of {what}", value)
    yield from value.items()


def _misread(source: str, expected: str, found: object) -> SourceError:
    return SourceError(
        source, "not-mdcr", f"expected {expected}; found {type(found).__name__}: {str(found)[:40]}"
    )
