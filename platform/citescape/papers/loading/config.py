"""Settings of a slice of a graph of shards."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from citescape.core.errors import ConfigError
from citescape.runs.step import Count, Setting, Settings


@dataclass(frozen=True, kw_only=True)
class SliceConfig(Settings):
    """Which loaded papers of a graph of shards a slice has; all without a setting."""

    where: Annotated[str, Setting(metavar="CONDITION")] = ""
    """Papers whose columns fulfil a condition: year >= 2015 and type = 'research-article'. Columns
    are those of Paper in the schema; also in (...), like '%rice%', is null, not, or, brackets."""
    around: Annotated[str, Setting(metavar="PAPER")] = ""
    """Papers near this one: an id in the graph, a DOI, PMID or PMCID."""
    hops: Count = 1
    """Largest number of citations, in either direction, between a paper and the one of --around."""
    listed: Annotated[tuple[Path, ...], Setting(metavar="FILE")] = ()
    """Papers of a bibliography (.bib, .ris, .json) or of a list of ids, as `platform collection
    add` reads them."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.hops != 1 and not self.around:
            raise ConfigError(
                f"hops is {self.hops} without a paper; expected the paper too, with --around"
            )

    @property
    def is_whole(self) -> bool:
        """Whether all papers are loaded."""
        return not (self.where.strip() or self.around.strip() or self.listed)
