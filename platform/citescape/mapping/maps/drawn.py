"""A map that was drawn: its run directory."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pyarrow as pa

from citescape.mapping.maps.placing import Kept, Placing
from citescape.runs.kept import KeptRun

COMMAND = "map"
PAPERS, TOPICS, PAGE = "papers.parquet", "topics.parquet", "map.html"


@dataclass(frozen=True, repr=False)
class MapRun(KeptRun):
    """A map in its run directory.

    papers.parquet: id, x, y, community, label and what papers are coloured by; topics.parquet:
    name, label, x, y, the same; map.html; map-OVERLAY.png and .svg. Its counts say what was placed,
    or left out and why, shares of neighbours kept, overlays.
    """

    command = COMMAND
    what = "maps"
    required = ("inputs.clustering", "config.level")

    @property
    def clustering(self) -> str:
        """Run of the communities."""
        return str(self.record.inputs["clustering"])

    @property
    def level(self) -> str:
        """Of the clustering."""
        return str(self.record.config["level"])

    def placing(self, of: Literal["papers", "topics"]) -> Placing:
        """How one of its two maps was laid out, and how well that keeps what is near."""
        told = self.counts[of + "_placed_by"]
        kept = None if told["kept"] is None else Kept(told["kept"], told["chance"])
        return Placing(told["method"], kept)

    @property
    def page(self) -> Path:
        """The page to explore."""
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
        """Topics and their places, the largest first; NaN for those without one.

        Raises:
            SourceError: the file is damaged.
        """
        return self.read_table(TOPICS, "name", "x", "y")
