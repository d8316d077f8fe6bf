"""The Python interface: `citescape.open("corpus.lbug")` gives a `Corpus`.

The command line and the notebooks are thin over it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from citescape.core.config import QUERY_SECONDS
from citescape.core.errors import ConfigError
from citescape.corpus_report.steps import Report
from citescape.importance.steps import Explain, Score, Weights
from citescape.ingest.steps import Doctor, Ingest, Status
from citescape.mapping.communities.steps import Accuracy, Cluster, Topics
from citescape.mapping.exports.steps import Export
from citescape.mapping.maps.steps import Map
from citescape.networks.steps import (
    BuildNetwork,
    NearestPapers,
    OverlapNetworks,
    RemoveNetwork,
    ReportNetworks,
)
from citescape.runs.context import Context
from citescape.runs.methods import Group, Subgroup, method
from citescape.runs.result import Rows
from citescape.runs.steps import Runs

if TYPE_CHECKING:
    import pyarrow as pa

    from citescape.namespaces.evaluating import Evaluating
    from citescape.namespaces.learning import Learning
    from citescape.namespaces.reading import Reading
    from citescape.namespaces.recommending import Recommending
    from citescape.store.graph_store import GraphStore


@dataclass(frozen=True)
class Neighbourhood:
    """Papers around one paper, and the citations that lead from it to them."""

    papers: Rows
    """`id`, `title`, `year`, `fulltext`, `hops` (distance from the centre, 0 for itself)."""
    citations: Rows
    """`citing`, `cited`, `importance`, `self`, `mentions`; not those between two papers that are
    both as far away as was asked for."""


class Network(Group):
    """Build networks of related papers, describe and compare them."""

    build = method(BuildNetwork)
    report = method(ReportNetworks)
    overlap = method(OverlapNetworks)
    nearest = method(NearestPapers)
    remove = method(RemoveNetwork)


class Corpus(Group):
    """One citation graph and what can be done with it. A context manager.

    Each method runs a step, as the command of the same name does: `corpus.score()` is
    `platform score`.
    """

    ingest = method(Ingest)
    score = method(Score)
    weights = method(Weights)
    explain = method(Explain)
    network = Subgroup(Network)
    report = method(Report)
    status = method(Status)
    runs = method(Runs)
    doctor = method(Doctor)
    cluster = method(Cluster)
    accuracy = method(Accuracy)
    topics = method(Topics)
    map = method(Map)
    export = method(Export)

    @property
    def store(self) -> GraphStore:
        """The graph database, opened on first use."""
        return self.context.store

    def __enter__(self) -> Corpus:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Corpus({self.context.location!r})"

    def cypher(
        self, text: str, /, *, write: bool = False, timeout: float = QUERY_SECONDS, **params: object
    ) -> Rows:
        """Runs one statement, or a library query by its name (`explore/totals`).

        Values go in as parameters: ``cypher("MATCH (p:Paper {id: $id}) RETURN p.title", id=x)``.
        Where a library query takes a paper, any identifier of it will do:
        ``cypher("explore/contexts", paper="10.1000/abc")``.

        Args:
            text: the statement or the name.
            write: whether it may change the graph, and read or write files beside it.
            timeout: seconds after which it is stopped; 0 for no limit.
            params: values of its `$parameters`.

        Raises:
            ConfigError: a `$parameter` is missing or not used, or the statement does more than
                read the graph and `write` was not given.
            QueryTimeoutError: it took longer than `timeout`.
            StoreError: the engine refuses the statement.
        """
        from citescape.papers.ask import ask
        from citescape.store.queries import query

        named = "/" in text and " " not in text.strip()
        asked = query(text.strip()) if named else text
        return Rows(ask(self.store, asked, params, write=write, timeout=timeout))

    def neighbours(
        self, paper: str, hops: int = 1, *, min_importance: float = 0.0
    ) -> Neighbourhood:
        """Papers within some citations of one paper, in either direction.

        Args:
            paper: any identifier of it.
            hops: how many citations away at most, 1 or more.
            min_importance: follow only citations of at least this importance; 0 follows all,
                those not scored too.

        Raises:
            ConfigError: no such paper, or `hops` below 1.
        """
        from citescape.papers.identify import find_paper

        if hops < 1:
            raise ConfigError(f"hops is {hops}; expected 1 or more")
        distance = {find_paper(self.store, paper).id: 0}
        frontier = list(distance)
        found: list[pa.Table] = []
        for hop in range(1, hops + 1):
            edges = self._edges(frontier, min_importance)
            found.append(edges)
            frontier = _new_ends(edges, distance)
            distance.update(dict.fromkeys(frontier, hop))
        return Neighbourhood(Rows(self._papers(distance)), Rows(_distinct(found)))

    @property
    def text(self) -> Reading:
        """What reads the text: section types, citation intents, the parts of abstracts."""
        from citescape.namespaces.reading import Reading

        return Reading(self.store, self.context.runs)

    @property
    def learn(self) -> Learning:
        """What learns from citations: triplets, encoders, vectors, nearest papers."""
        from citescape.namespaces.learning import Learning

        return Learning(self.store, self.context.runs)

    @property
    def evaluate(self) -> Evaluating:
        """What measures encoders: benchmarks of this graph and published ones, pools, leakage."""
        from citescape.namespaces.evaluating import Evaluating

        return Evaluating(self.store, self.context.runs)

    @cached_property
    def recommend(self) -> Recommending:
        """What answers a sentence, or a draft, with papers to cite; profiles stay in memory."""
        from citescape.namespaces.recommending import Recommending

        return Recommending(self.store, self.context.runs)

    def close(self) -> None:
        """Releases the store."""
        self.context.release()

    def _edges(self, papers: list[str], least: float) -> pa.Table:
        from citescape.store.queries import query

        return self.store.read(query("explore/edges"), papers=papers, least=least)

    def _papers(self, distance: dict[str, int]) -> pa.Table:
        import pyarrow as pa

        from citescape.store.queries import query

        papers = self.store.read(query("explore/papers"), papers=list(distance))
        hops = [distance[paper] for paper in papers["id"].to_pylist()]
        table = papers.append_column("hops", pa.array(hops, pa.int64()))
        return table.sort_by([("hops", "ascending"), ("id", "ascending")])


def open_corpus(
    location: str | Path = "",
    *,
    runs: str | Path = "",
    create: bool = False,
    read_only: bool = False,
) -> Corpus:
    """Opens the graph at a path (ladybug) or a `bolt://`/`neo4j://` address.

    Questions read only, on both engines. A file is locked for other processes that write from the
    first step on that writes to the graph.

    Args:
        location: path or address; by default CITESCAPE_STORE, else `citescape.lbug`.
        runs: folder of run directories; by default CITESCAPE_RUNS, else `runs` beside the store.
        create: create the store if it does not exist.
        read_only: refuse every change of the graph.

    Raises:
        ConfigError: it looks like an address but is none, or an address holds a password.
        StoreError: locked, unreachable, unauthorised, or of another schema version. A store that is
            missing is one on first use, by other methods than `ingest`, which creates it.
    """
    from citescape.store.graph_store import open_store

    context = Context.open(location, runs=runs, create=create)
    if read_only:
        context.use(open_store(context.location, read_only=True))
    elif create or context.exists:
        context.store  # noqa: B018 - what is wrong with it is said now
    return Corpus(context)


def _new_ends(edges: pa.Table, known: Iterable[str]) -> list[str]:
    ends = {*edges["citing"].to_pylist(), *edges["cited"].to_pylist()}
    return sorted(ends.difference(known))


def _distinct(tables: list[pa.Table]) -> pa.Table:
    """Edges found from both ends, once each, the most important first."""
    import pyarrow as pa

    table = pa.concat_tables(tables)
    names = table.column_names
    if table.num_rows:
        table = table.group_by(names).aggregate([]).select(names)
    order = [("importance", "descending"), ("citing", "ascending"), ("cited", "ascending")]
    return table.sort_by(order)
