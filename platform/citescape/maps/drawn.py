"""A map that was drawn: its run directory, and how to find it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from citescape.config import quote_command
from citescape.errors import ConfigError, SourceError
from citescape.runs import RunRecord, describe_run, find_run, list_runs, read_run

COMMAND = "map"
PAPERS, TOPICS, PAGE = "papers.parquet", "topics.parquet", "map.html"


@dataclass(frozen=True)
class MapRun:
    """A map in its run directory."""

    path: Path
    """papers.parquet: id, x, y, community, label and what papers are coloured by; topics.parquet:
    name, label, x, y, the same; map.html; map-OVERLAY.png and .svg; run.json."""
    record: RunRecord
    unchanged: bool = True
    """The run was there already."""

    @property
    def run(self) -> str:
        """Its id."""
        return self.record.id

    @property
    def clustering(self) -> str:
        """Run of the communities."""
        return str(self.record.inputs["clustering"])

    @property
    def level(self) -> str:
        """Of the clustering."""
        return str(self.record.config["level"])

    @property
    def counts(self) -> Mapping[str, Any]:
        """Figures: what was placed or left out and why, shares of neighbours kept, overlays."""
        return self.record.counts

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
        return self._read(PAPERS)

    def read_topics(self) -> pa.Table:
        """Topics and their places, the largest first; NaN for those without one.

        Raises:
            SourceError: the file is damaged.
        """
        return self._read(TOPICS)

    def _read(self, name: str) -> pa.Table:
        try:
            return pq.read_table(self.path / name)
        except (OSError, pa.ArrowException) as error:
            raise SourceError(
                str(self.path / name),
                "no-map",
                f"expected a file of `platform map`; found: {error}; move the folder away and "
                "draw the map anew",
            ) from error


def find_map(runs: Path, named: str = "", *, location: str = "") -> MapRun:
    """A map by its run or folder; the last one made if none is named.

    Args:
        runs: folder of run directories.
        named: run or folder.
        location: of the store, for messages.

    Raises:
        ConfigError: there is none; the message says which there are, or how to make one.
    """
    made = [MapRun(path, record) for record, path in list_runs(runs, COMMAND)]
    if not named and made:
        return made[-1]
    path = (find_run(runs, named) or Path(named)) if named else None
    if path and (path / PAGE).is_file():
        return MapRun(path, read_run(path))
    there = ", ".join(one.run for one in made) or quote_command("map", location) + " makes one"
    found = describe_run(runs, named) if named else f"no map in {runs}"
    raise ConfigError(f"{found}; expected a run of `platform map`: {there}")
