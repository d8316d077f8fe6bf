"""Benchmark of queries with cited papers and hard negatives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import SourceError
from citescape.core.records import to_id
from citescape.metrics.ranked import Qrels
from citescape.search.listed import sort_unique

TRUE = "true"
"""Kind of the cited candidates."""
ALL = "all"
"""Condition of figures on candidates of all kinds."""
KINDS = ("bm25", "specter", "scincl", "graph", "most_cited", "random", TRUE)
"""Kinds of the published benchmark. Other benchmarks have the names of their models."""
_BETWEEN = "\x1f"
"""Joins field and query, since a query may be in two fields; ids do not contain it."""


def count_short_lists(table: pa.Table, kinds: Sequence[str], size: int) -> dict[str, int]:
    """Number of queries with fewer candidates of a kind, for kinds with such queries.

    Args:
        table: `field`, `query`, `kind`: a row per candidate.
        kinds: kinds of candidates.
        size: number of candidates of a whole list.
    """
    keys = ["field", "query", "kind"]
    lists = table.group_by(keys).aggregate([([], "count_all")])
    queries = table.group_by(keys[:2]).aggregate([]).num_rows
    full = Counter(lists.filter(pc.equal(lists["count_all"], size))["kind"].to_pylist())
    # lists without a candidate have no row in the table, but are incomplete too
    return {kind: queries - full[kind] for kind in kinds if full[kind] < queries}


@dataclass(frozen=True)
class MdcrBenchmark:
    """Candidates of queries, of one split."""

    table: pa.Table
    """`field`, `query`, `kind`, `candidate`: one row per candidate, in the order of the file."""
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
                f"a kind of candidates is called {ALL!r}, which is reserved for figures on all "
                "candidates; expected another name",
            )

    @property
    def fields(self) -> list[str]:
        """Names of fields, in the order of the file."""
        return list(dict.fromkeys(self.table["field"].to_pylist()))

    @property
    def kinds(self) -> list[str]:
        """Kinds of negatives, in the order of the file."""
        return [kind for kind in dict.fromkeys(self.table["kind"].to_pylist()) if kind != TRUE]

    @property
    def papers(self) -> pa.StringArray:
        """All queries and candidates, ascending."""
        both = [*self.table["query"].chunks, *self.table["candidate"].chunks]
        return sort_unique(pa.chunked_array(both))

    @property
    def without_positives(self) -> list[str]:
        """Queries without a cited candidate; means do not include them."""
        cited = self.table.filter(pc.equal(self.table["kind"], TRUE))
        keys, known = name_queries(self.table), name_queries(cited)
        uncited = sort_unique(keys.filter(pc.invert(pc.is_in(keys, value_set=known))))
        return [key.partition(_BETWEEN)[2] for key in uncited.to_pylist()]

    @cached_property
    def longest_list(self) -> int:
        """Largest number of negatives of one kind that a query has."""
        negatives = self.table.filter(pc.not_equal(self.table["kind"], TRUE))
        lists = negatives.group_by(["field", "query", "kind"]).aggregate([([], "count_all")])
        return max(lists["count_all"].to_pylist(), default=0)

    @property
    def short_lists(self) -> dict[str, int]:
        """Number of queries with fewer negatives than the longest list, for kinds with such."""
        return count_short_lists(self.table, self.kinds, self.longest_list)

    def only(self, kind: str) -> MdcrBenchmark:
        """The cited papers and the candidates of one kind."""
        kept = pc.is_in(self.table["kind"], value_set=pa.array([kind, TRUE]))
        return MdcrBenchmark(self.table.filter(kept), self.source)

    def pairs(self) -> pa.Table:
        """Unique candidates of each query: `key`, `field`, `query`, `candidate`, `cited`.

        A candidate of several kinds is cited if one of them is `true`. A query is not a candidate
        of itself.
        """
        keyed = self.table.append_column("key", name_queries(self.table))
        keyed = keyed.append_column("cited", pc.equal(keyed["kind"], TRUE))
        keyed = keyed.filter(pc.not_equal(keyed["query"], keyed["candidate"]))
        names = ["key", "field", "query", "candidate"]
        pairs = keyed.group_by(names).aggregate([("cited", "max")])
        pairs = pairs.rename_columns([*names, "cited"])
        return pairs.sort_by([("key", "ascending"), ("candidate", "ascending")])


def name_queries(table: pa.Table) -> pa.ChunkedArray:
    """(rows,) keys of field and query."""
    return pc.binary_join_element_wise(table["field"], table["query"], _BETWEEN)


def judge(pairs: pa.Table) -> Qrels:
    """Judgements of `MdcrBenchmark.pairs`: cited candidates are relevant."""
    relevance = pairs["cited"].cast(pa.int8()).cast(pa.float64())
    columns = {"query": pairs["key"], "document": pairs["candidate"], "relevance": relevance}
    return Qrels.from_rows(pa.table(columns))


def read_fields(qrels: Qrels) -> list[str]:
    """(queries,) field of each query."""
    return [key.partition(_BETWEEN)[0] for key in qrels.queries.to_pylist()]


def iterate_candidates(parsed: object, source: str) -> Iterator[tuple[str, str, str, str]]:
    """Rows (field, query, kind, candidate) of a published benchmark.

    Args:
        parsed: {field: {query: {kind: [candidate, ...]}}}.
        source: name of the file, for messages.

    Raises:
        SourceError: another structure.
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


def _items(value: object, source: str, content: str) -> Iterator[tuple[str, object]]:
    if not isinstance(value, dict):
        raise _misread(source, f"an object of {content}", value)
    yield from value.items()


def _misread(source: str, expected: str, value: object) -> SourceError:
    return SourceError(
        source, "not-mdcr", f"expected {expected}; found {type(value).__name__}: {str(value)[:40]}"
    )
