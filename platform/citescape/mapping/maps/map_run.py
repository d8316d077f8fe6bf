"""A map in a run directory."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pyarrow as pa

from citescape.mapping.maps.placing import LayoutQuality, NeighbourShare
from citescape.runs.kept import KeptRun
from citescape.runs.result import Part, Summary, plural

if TYPE_CHECKING:
    from citescape.mapping.maps.write import WrittenPlaces

COMMAND = "map"
PAPERS, TOPICS, PAGE = "papers.parquet", "topics.parquet", "map.html"
POINTS, TEXTS = "points.bin", "texts.bin"
_REASONS = {
    "without_vector": "without a vector",
    "zero_vector": "with a zero vector",
    "not_linked": "not linked to the largest component of the network",
}


@dataclass(frozen=True)
class MapRun(KeptRun):
    """A map in a run directory.

    papers.parquet: id, x, y, community, label and values of overlays; topics.parquet: name, label,
    x, y and values of overlays; map.html; points.bin and texts.bin for the explorer, see `packing`;
    map-OVERLAY.png and .svg. Counts: placed papers and
    topics, papers not placed by reason, shares of neighbours kept, overlays.
    """

    command = COMMAND
    noun = "maps"
    required = ("inputs.clustering", "config.level")
    graph: WrittenPlaces | None = None
    """Counts of the write to the graph, or None."""

    def summarise(self) -> Summary:
        """Placed papers and topics, quality, and the files."""
        counts, inputs = self.counts, self.record.inputs
        parts: list[Part] = [
            f"{plural(counts['papers'], 'paper')} and {counts['topics_placed']:,} of "
            f"{plural(counts['topics'], 'topic')} placed by {inputs['source']}: "
            f"{self.clustering}, level {self.level}"
        ]
        for reason, text in _REASONS.items():
            if counts.get(reason):
                parts.append(f"{plural(counts[reason], 'paper')} {text} excluded")
        if not inputs["topics"]:
            parts.append("topics have no labels; run `platform topics`")
        parts += [f"papers: {self.placing('papers')}", f"topics: {self.placing('topics')}"]
        if self.graph:
            communities = plural(self.graph.communities, "community", "communities")
            memberships = plural(self.graph.memberships, "membership")
            parts.append(f"graph: places of {communities} and {memberships} written")
        parts.append(self.describe())
        parts.append(f"pictures: {', '.join(path.name for path in self.pictures)}, and as SVG")
        if counts["lacking"]:
            parts.append(f"no values for: {', '.join(counts['lacking'])}")
        for title, reason in counts.get("left_out", {}).items():
            parts.append(f"left out: {title}, because {reason}")
        parts.append(f"page: {self.page}")
        figures = {
            "run": self.run,
            "path": str(self.path),
            "unchanged": self.unchanged,
            "clustering": self.clustering,
            "level": self.level,
            "page": str(self.page),
            "pictures": [str(path) for path in self.pictures],
            **counts,
            "graph": asdict(self.graph) if self.graph else None,
        }
        command = f"export gexf -o map.gexf --map {self.run}"
        return Summary(parts, figures, [("for other tools", command)])

    @property
    def arrow(self) -> pa.Table:
        """One row per paper: id, x, y, community, label and values of overlays."""
        return self.read_papers()

    def tables(self) -> dict[str, pa.Table]:
        """Papers and topics with their places."""
        return {"papers": self.read_papers(), "topics": self.read_topics()}

    @property
    def clustering(self) -> str:
        """Run of the communities."""
        return str(self.record.inputs["clustering"])

    @property
    def level(self) -> str:
        """Level of the clustering."""
        return str(self.record.config["level"])

    def placing(self, points: Literal["papers", "topics"]) -> LayoutQuality:
        """Method and quality of the layout of papers or topics."""
        figures = self.counts[points + "_placed_by"]
        kept = (
            None if figures["kept"] is None else NeighbourShare(figures["kept"], figures["chance"])
        )
        return LayoutQuality(figures["method"], kept)

    @property
    def page(self) -> Path:
        """The interactive page."""
        return self.path / PAGE

    @property
    def pictures(self) -> list[Path]:
        """PNG files, in the order of the overlays."""
        return [self.path / f"map-{name}.png" for name in self.counts["overlays"]]

    def read_papers(self) -> pa.Table:
        """Papers and their places; ascending by id.

        Raises:
            SourceError: the file is damaged.
        """
        return self.read_table(PAPERS, "id", "x", "y")

    def read_topics(self) -> pa.Table:
        """Topics and their places, the largest first; NaN without a place.

        Raises:
            SourceError: the file is damaged.
        """
        return self.read_table(TOPICS, "name", "x", "y")
