"""A graph of shards as a store that is only read, by the queries of sampling and training."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.config import ShardsLocation
from citescape.core.errors import StoreError
from citescape.core.types import FACETS
from citescape.ingest.shards.graph import ShardedGraph, name_file
from citescape.ingest.shards.scores import Scores
from citescape.store.graph_store import BatchSize, Change
from citescape.store.queries import Query
from citescape.store.state import IMPORTANCE_RUN

_PARTS = 9
"""Digits of the number of a part, which stands for the ids of its citing papers."""


class ShardStore:
    """A `GraphStore` without Cypher: it answers the queries in `_ANSWERS`, part by part.

    Runs are kept in run directories alone.
    """

    dialect = "shards"
    batch_size = BatchSize(0, 0)

    def __init__(self, graph: ShardedGraph) -> None:
        self.graph = graph
        self.location: str = ShardsLocation(graph.storage.address)

    @cached_property
    def scores(self) -> Scores | None:
        """The scores of its citations; None without any."""
        return Scores.find(self.graph)

    def read(self, query: Query | str, /, **params: object) -> pa.Table:
        """All rows of a query.

        Raises:
            StoreError: it is none of those that are answered.
        """
        return pa.concat_tables(self._read_parts(query, params))

    def read_batches(self, query: Query | str, /, **params: object) -> Iterator[pa.RecordBatch]:
        """The rows of a query, part by part."""
        for rows in self._read_parts(query, params):
            yield from rows.to_batches()

    def _read_parts(self, query: Query | str, params: dict[str, object]) -> Iterator[pa.Table]:
        name = "this Cypher query" if isinstance(query, str) else query.name
        if name not in _ANSWERS:
            raise self._refusal(name)
        yield from _ANSWERS[name](self, **params)

    def _refusal(self, what: str) -> StoreError:
        return StoreError(
            f"{self.location} holds shards, which do not answer {what}; load them, or the papers "
            f"that you want, into a store: platform load {self.location}"
        )

    def run(self, query: Query | str, /, **params: object) -> pa.Table:
        """Refused: shards are only read."""
        raise self._refusal("statements that write")

    def would_write(self, text: str, /, **params: object) -> bool:
        """False: nothing is written."""
        return False

    def write(self, query: Query | str, /, rows: pa.Table | None = None, **params: object) -> None:
        """Refused: shards are only read."""
        raise self._refusal("statements that write")

    def apply(self, changes: Sequence[Change], *, atomic: bool = False) -> None:
        """Refused: shards are only read."""
        raise self._refusal("changes")

    def interrupt(self) -> None:
        """Does nothing: a read is short."""

    def revision(self) -> str:
        """Changes with the graph and its labels."""
        keys = (labels.key for _, labels in sorted(self.graph.labels.items()))
        return "-".join((self.graph.division, *keys))

    def close(self) -> None:
        """Does nothing: files are closed after each read."""


Answer = Callable[..., Iterator[pa.Table]]
"""Function of a store and the parameters of a query, which gives its rows."""


def _papers_with(*columns: str, **renamed: str) -> Answer:
    """The answer to a query for columns of all papers, some under other names."""
    named = {name: name for name in columns} | renamed

    def answer(store: ShardStore) -> Iterator[pa.Table]:
        for rows in store.graph.iterate("Paper", [*named.values()]):
            yield rows.rename_columns([*named])

    return answer


def _list_texts(store: ShardStore) -> Iterator[pa.Table]:
    """See `cypher/sampling/texts.cypher`."""
    for rows in store.graph.iterate("Paper", ["id", "title", "abstract"]):
        has = [pc.not_equal(pc.utf8_trim_whitespace(rows[n]), "") for n in ("title", "abstract")]
        yield rows.filter(pc.or_(*(pc.fill_null(mask, False) for mask in has))).select(["id"])


def _list_titles(store: ShardStore) -> Iterator[pa.Table]:
    """See `cypher/features/titles.cypher`."""
    for rows in store.graph.iterate("Paper", ["id", "title"]):
        yield rows.filter(pc.is_valid(rows["title"]))


def _list_parts(store: ShardStore) -> Iterator[pa.Table]:
    """Parts in place of citing papers, see `cypher/features/citing_papers.cypher`."""
    counts = {
        f"{part:0{_PARTS}}": store.graph.rows.get(name_file("CITES", part), 0)
        for part in range(store.graph.parts)
    }
    filled = {name: pairs for name, pairs in counts.items() if pairs}
    columns = pa.array([*filled], pa.string()), pa.array([*filled.values()], pa.int64())
    yield pa.table(columns, ["id", "pairs"])


def _read_citations(store: ShardStore, first: str, last: str) -> Iterator[pa.Table]:
    """See `cypher/networks/citations.cypher`."""
    weights = ("importance", "n_background", "n_method", "n_result")
    scores = None
    with suppress(StoreError):  # out of date: an error of `_read_meta`, where they are needed
        scores = store.scores
    for part in range(int(first), int(last) + 1):
        rows = store.graph.read("CITES", part, ["from", "to", *weights])
        rows = rows if scores is None else scores.add(rows, part)
        yield rows.rename_columns(["citing", "cited", *weights])


def _read_meta(store: ShardStore, **params: str) -> Iterator[pa.Table]:
    """See `cypher/schema/read_meta.cypher`."""
    scores = store.scores if params["id"] == IMPORTANCE_RUN else None
    yield pa.table({"value": pa.array([scores.run] if scores is not None else [], pa.string())})


_ANSWERS: dict[str, Answer] = {
    "features/citing_papers": _list_parts,
    "features/titles": _list_titles,
    "features/types": _papers_with("id", "type"),
    "networks/citations": _read_citations,
    "papers/identifiers": _papers_with("id", "doi", "pmid", "pmcid"),
    "sampling/texts": _list_texts,
    "schema/read_meta": _read_meta,
    "training/documents": _papers_with(
        *("id", "title", "abstract"), **{facet: f"abstract_{facet}" for facet in FACETS}
    ),
}
"""Name of a library query -> the function that gives its rows."""
