"""Settings of exports: nodes and edges to write."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from citescape.runs.step import Setting, Step

if TYPE_CHECKING:
    from citescape.mapping.exports.export import ExportedBibliography, ExportedNetwork  # noqa: F401


@dataclass(frozen=True, kw_only=True)
class ExportConfig(Step["ExportedNetwork | ExportedBibliography"]):
    """Settings of exports: nodes and edges to write."""

    of: Literal["papers", "topics"] = "papers"
    """Nodes: papers, or topics, which are linked by all edges between their papers."""
    level: Annotated[str, Setting(default="meso, else the finest")] = ""
    """Level of the clustering whose communities are the colours or the topics."""
    papers: Literal["all", "core"] = "all"
    """Papers: all, or the core only, without the linking papers of extended networks."""
    placed: bool = False
    """Write only nodes with a place on the map."""
    linked: bool = False
    """Write only nodes with edges."""
    largest: Annotated[int, Setting(least=0, default="0, all nodes")] = 0
    """Maximum number of nodes: with --network those with the highest sum of edge weights, else
    those with the most importance received, or citations received without scores."""
    min_weight: Annotated[float, Setting(least=0)] = 0.0
    """Minimum weight of an edge."""
    top: Annotated[int, Setting(least=0, default="0, all edges")] = 0
    """Number of strongest edges kept per node; an edge is kept if either end keeps it."""
