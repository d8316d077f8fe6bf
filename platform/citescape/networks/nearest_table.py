"""Nearest papers of a paper in a network, and which of them it cites (CIA, Tables 7 and 8)."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from citescape.core.errors import ConfigError
from citescape.networks.build import NetworkRun
from citescape.networks.files import read_neighbours
from citescape.papers.identify import PaperName, find_paper
from citescape.runs.result import Result, Summary
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query


@dataclass(frozen=True)
class NearestPaper:
    """A neighbour of a paper."""

    rank: int
    """1 for the nearest."""
    id: str
    title: str
    """Empty if unknown."""
    year: int | None
    weight: float
    """Weight of the edge."""
    cited: bool
    """Whether the query paper cites it, not the reverse."""


@dataclass(frozen=True)
class NearestTable(Result):
    """Neighbours of a paper in a network, by weight descending, then by id.

    In a knn network, the union of lists of k, a paper may have more than k neighbours.
    """

    paper: PaperName
    network: str
    """Run of the network."""
    measure: str
    """`similarity` if the weight is a cosine, else `weight`."""
    neighbours: int
    """Number of neighbours in the network."""
    not_in_graph: int
    """Number of neighbours that are no longer in the graph and not in `papers`."""
    papers: list[NearestPaper]
    markdown: bool = False
    """Whether the summary is a table in Markdown."""

    def summarise(self) -> Summary:
        """The neighbours, and the number of them that the paper cites."""
        from citescape.networks.summary import summarise_nearest

        return summarise_nearest(self)

    @property
    def arrow(self) -> pa.Table:
        """One row per neighbour: rank, id, title, year, similarity or weight, cited."""
        names = ("rank", "id", "title", "year", "weight", "cited")
        types = (pa.int64(), pa.string(), pa.string(), pa.int64(), pa.float64(), pa.bool_())
        rows = [{name: getattr(paper, name) for name in names} for paper in self.papers]
        table = pa.Table.from_pylist(rows, pa.schema(list(zip(names, types, strict=True))))
        return table.rename_columns([self.measure if n == "weight" else n for n in names])


def find_nearest(
    store: GraphStore, paper: str, network: NetworkRun, *, k: int = 10
) -> NearestTable:
    """Finds the k neighbours of a paper with the highest weights, or all if it has fewer.

    Args:
        store: store with titles and citations.
        paper: any identifier of a paper.
        network: network to search.
        k: maximum number of neighbours.

    Raises:
        ConfigError: k is not positive; no such paper, or it is not in the network.
        SourceError: a file of the network is damaged.
    """
    if k < 1:
        raise ConfigError(f"k is {k}; expected 1 or more")
    name = find_paper(store, paper)
    neighbours = read_neighbours(network.path, name.id)
    if neighbours is None:
        raise ConfigError(
            f"{name} is not in {network.run}, a network of {network.papers} papers at the time of "
            "its construction; build a network with this paper, or choose another with --network"
        )

    titles = store.read(query("embeddings/titles"), papers=neighbours["id"].to_pylist())
    known = {row["id"]: row for row in titles.to_pylist()}
    citations = store.read(query("embeddings/citations"), paper=name.id).to_pylist()
    cited = {row["id"] for row in citations if row["cites"]}
    present = [row for row in neighbours.to_pylist() if row["id"] in known]
    papers = [
        NearestPaper(
            rank,
            row["id"],
            known[row["id"]]["title"] or "",
            known[row["id"]]["year"],
            row["weight"],
            cited=row["id"] in cited,
        )
        for rank, row in enumerate(present[:k], 1)
    ]

    config = network.record.config
    is_cosine = config.get("kind") == "knn" and config.get("weighted", True)
    is_cosine = is_cosine and config.get("normalise", "none") == "none"
    return NearestTable(
        name,
        network.run,
        "similarity" if is_cosine else "weight",
        len(neighbours),
        len(neighbours) - len(known),
        papers,
    )
