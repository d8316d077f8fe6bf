"""What of a network goes into a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from citescape.runs.step import Setting, Step

if TYPE_CHECKING:
    from citescape.mapping.exports.export import Bibliography, Exported  # noqa: F401


@dataclass(frozen=True, kw_only=True)
class ExportConfig(Step["Exported | Bibliography"]):
    """What of a network goes into a file."""

    of: Literal["papers", "topics"] = "papers"
    """What a node is: a paper, or a community, linked to others by all edges between their
    papers."""
    level: Annotated[str, Setting(default="the finest")] = ""
    """Level of the clustering whose communities give colours, or are the topics."""
    papers: Literal["all", "core"] = "all"
    """Papers: all, or the core only, without those that link others in extended networks."""
    placed: bool = False
    """Write only nodes that have a place on the map."""
    linked: bool = False
    """Write only nodes that have an edge."""
    largest: Annotated[int, Setting(least=0, default="0, all nodes")] = 0
    """Maximum number of nodes: with --network those with the highest sum of the weights of their
    edges, else those of most importance received; of most citations where there are no scores."""
    min_weight: Annotated[float, Setting(least=0)] = 0.0
    """Smallest weight of an edge."""
    top: Annotated[int, Setting(least=0, default="0, all edges")] = 0
    """Strongest edges kept for each node; an edge is kept if either end keeps it."""
