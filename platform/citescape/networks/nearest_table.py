"""The papers nearest to one in a network, and which of them it cites (CIA, Tables 7 and 8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from citescape.core.errors import ConfigError
from citescape.networks.build import NetworkRun
from citescape.networks.ties import read_ties
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
    """Of the edge."""
    cited: bool
    """The paper asked for cites it; that it cites that paper does not count."""


@dataclass(frozen=True)
class NearestTable(Result):
    """Neighbours of a paper in a network, by weight descending, of equal ones the lower id first.

    A network of nearest papers is the union of their lists, so a paper may have more than k.
    """

    paper: PaperName
    network: str
    """Run."""
    measure: str
    """`similarity` where the weight is a cosine, else `weight`."""
    neighbours: int
    """All that the paper has in the network."""
    gone: int
    """Those of them that the graph does not have any more, which are left out."""
    papers: list[NearestPaper]
    markdown: bool = False
    """The summary is a table in Markdown."""

    def summarise(self) -> Summary:
        """The neighbours, and how many of them the paper cites."""
        from citescape.networks.summary import summarise_nearest

        return summarise_nearest(self)

    @property
    def arrow(self) -> pa.Table:
        """A row a neighbour: rank, id, title, year, similarity or weight, cited."""
        return nearest_rows(self)


def find_nearest(
    store: GraphStore, paper: str, network: NetworkRun, *, k: int = 10
) -> NearestTable:
    """The k neighbours of a paper with the heaviest edges; fewer where there are no more.

    Args:
        store: the graph, for titles, years and citations.
        paper: any identifier of it.
        network: any kind.
        k: how many papers.

    Raises:
        ConfigError: k is not positive; no such paper, or it is not in the network.
        SourceError: a file of the network is damaged.
    """
    if k < 1:
        raise ConfigError(f"k is {k}; expected 1 or more")
    name = find_paper(store, paper)
    ties = read_ties(network.path, name.id)
    if ties is None:
        raise ConfigError(
            f"{name} is not in {network.run}, which is of {network.papers} papers "
            "as they were when it was built; build one with this paper in it, or give another "
            "--network"
        )
    titles = store.read(query("embeddings/titles"), papers=ties["id"].to_pylist()).to_pylist()
    known = {row["id"]: row for row in titles}
    held = [row for row in ties.to_pylist() if row["id"] in known][:k]
    papers = _describe(held, known, _read_cited(store, name))
    gone = len(ties) - len(known)
    return NearestTable(name, network.run, _measure(network), len(ties), gone, papers)


def nearest_rows(found: NearestTable) -> pa.Table:
    """The table as it is printed: rank, id, title, year, similarity or weight, cited."""
    names = ("rank", "id", "title", "year", "weight", "cited")
    types = (pa.int64(), pa.string(), pa.string(), pa.int64(), pa.float64(), pa.bool_())
    rows = [{name: getattr(one, name) for name in names} for one in found.papers]
    table = pa.Table.from_pylist(rows, pa.schema(list(zip(names, types, strict=True))))
    return table.rename_columns([found.measure if n == "weight" else n for n in names])


def _describe(
    held: list[dict[str, Any]], known: Mapping[str, Mapping[str, Any]], cited: set[str]
) -> list[NearestPaper]:
    return [
        NearestPaper(
            rank,
            row["id"],
            known[row["id"]]["title"] or "",
            known[row["id"]]["year"],
            row["weight"],
            cited=row["id"] in cited,
        )
        for rank, row in enumerate(held, 1)
    ]


def _read_cited(store: GraphStore, name: PaperName) -> set[str]:
    rows = store.read(query("embeddings/citations"), paper=name.id).to_pylist()
    return {row["id"] for row in rows if row["cites"]}


def _measure(network: NetworkRun) -> str:
    config = network.record.config
    plain = config.get("kind") == "knn" and config.get("weighted", True)
    return "similarity" if plain and config.get("normalise", "none") == "none" else "weight"
