"""Random small citation graphs, loaded as an ingest would have loaded them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa
import pytest
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from citescape.store.graph_store import Change, GraphStore
from citescape.store.schema import TABLE

Pair = tuple[int, int]
TYPES = ("I", "M", "R", "R", "D", "other", None, "toString")
"""Section types; values other than I, M, R or D count as other, including null."""


@dataclass(frozen=True)
class Graph:
    """Papers 0 .. papers - 1, their authors, citations and mentions."""

    papers: int
    pairs: tuple[Pair, ...]
    mentions: tuple[tuple[Pair, str | None, bool | None], ...] = ()
    """Pair, section type, section joins results with discussion."""
    wrote: tuple[tuple[int, int], ...] = ()
    """Author, paper; a by-line may repeat a name."""
    titles: dict[int, str | None] = field(default_factory=dict)

    def id(self, paper: int) -> str:
        """The node id of a paper."""
        return f"doi:10.1234/p{paper}"


@st.composite
def graphs(draw: st.DrawFn, max_papers: int = 6) -> Graph:
    """Graphs with duplicate mentions, unmentioned pairs and shared authors; no self-loops."""
    papers = draw(st.integers(2, max_papers))
    every = [(i, j) for i in range(papers) for j in range(papers) if i != j]
    pairs = draw(st.lists(st.sampled_from(every), min_size=1, max_size=12, unique=True))
    mention = st.tuples(
        st.sampled_from(pairs), st.sampled_from(TYPES), st.sampled_from((True, False, None))
    )
    by_line = st.tuples(st.integers(0, 4), st.integers(0, papers - 1))
    title = st.sampled_from((None, "", "Wheat yield", "Wheat yields", "On rust"))
    return Graph(
        papers,
        tuple(pairs),
        tuple(draw(st.lists(mention, max_size=25))),
        tuple(draw(st.lists(by_line, max_size=12))),
        {k: draw(title) for k in range(papers)},
    )


@pytest.fixture(scope="session")
def small_graphs() -> SearchStrategy[Graph]:
    """Strategy for random graphs of up to six papers."""
    return graphs()


@pytest.fixture(scope="session")
def make_graph() -> type[Graph]:
    """The class, for graphs written by hand."""
    return Graph


@pytest.fixture(scope="session")
def load() -> Callable[[GraphStore, Graph], GraphStore]:
    """Loads a graph into an empty store and returns the store."""
    return load_graph


def load_graph(store: GraphStore, graph: Graph) -> GraphStore:
    """Each paper has one section for each (type, combined) with a mention."""
    papers = [
        {"id": graph.id(k), "doi": f"10.1234/p{k}", "title": graph.titles.get(k)}
        for k in range(graph.papers)
    ]
    authors = sorted({author for author, _ in graph.wrote})
    wrote = [
        {"from": f"a{author}", "to": graph.id(paper), "position": position}
        for position, (author, paper) in enumerate(graph.wrote)
    ]
    insert(store, "Paper", papers)
    insert(store, "Author", [{"id": f"a{a}", "name": f"Author {a}"} for a in authors])
    insert(store, "WROTE", wrote)
    pairs = [{"from": graph.id(i), "to": graph.id(j)} for i, j in graph.pairs]
    insert(store, "CITES", pairs)
    insert_mentions(store, graph)
    return store


def insert_mentions(store: GraphStore, graph: Graph) -> None:
    """Sections and in-text citations."""
    places = sorted({(i, repr(t), repr(c)) for (i, _), t, c in graph.mentions})
    kinds = {(i, repr(t), repr(c)): (t, c) for (i, _), t, c in graph.mentions}
    name = {place: f"{graph.id(place[0])}#s{k}" for k, place in enumerate(places)}
    sections = [
        {
            "id": name[p],
            "title": f"Section {k}",
            "ordinal": k,
            "type": kinds[p][0],
            "combined": kinds[p][1],
        }
        for k, p in enumerate(places)
    ]
    result = [
        (f"{graph.id(i)}#o{k}", name[i, repr(t), repr(c)], graph.id(j))
        for k, ((i, j), t, c) in enumerate(graph.mentions)
    ]
    insert(store, "Section", sections)
    insert(store, "HAS_SECTION", [{"from": graph.id(p[0]), "to": name[p]} for p in places])
    insert(
        store,
        "Occurrence",
        [{"id": o, "ordinal": k, "context": f"Text {k}."} for k, (o, _, _) in enumerate(result)],
    )
    insert(store, "CONTAINS", [{"from": section, "to": o} for o, section, _ in result])
    insert(store, "REFERS_TO", [{"from": o, "to": cited} for o, _, cited in result])


def insert(store: GraphStore, table: str, rows: Sequence[Mapping[str, object]]) -> None:
    """Rows of one table; missing columns are null."""
    schema = TABLE[table].arrow
    columns = {
        name: pa.array([row.get(name) for row in rows], schema.field(name).type)
        for name in schema.names
    }
    store.apply([Change("insert", table, pa.table(columns))])
