"""How a map is made."""

from __future__ import annotations

from dataclasses import dataclass, field

from citescape.core.errors import ConfigError
from citescape.mapping.maps.layout import LayoutConfig
from citescape.mapping.maps.overlays import check_overlays
from citescape.mapping.maps.static import Size


@dataclass(frozen=True)
class MapConfig:
    """Which communities are mapped, by what, and how that is drawn."""

    clustering: str = ""
    """Run; empty for that of the topics, else the last one."""
    level: str = ""
    """Of the clustering; empty for that of the topics, else the finest."""
    topics: str = ""
    """Run; empty for the last one of the clustering, at that level if one is named."""
    vectors: str = ""
    """Run; empty for the vectors that the clustered network was made of, else those in the graph,
    else the last."""
    network: str = ""
    """Run or kind of a network whose edges place the papers, in place of vectors."""
    layout: LayoutConfig = field(default_factory=LayoutConfig)
    overlays: tuple[str, ...] = ()
    """Names of `overlays.OVERLAYS`; empty for all that there are values for."""
    size: Size = field(default_factory=Size)
    """Of the pictures."""

    def __post_init__(self) -> None:
        check_overlays(self.overlays)
        if self.vectors and self.network:
            raise ConfigError(
                f"vectors is {self.vectors!r} and network {self.network!r}; expected one of them: "
                "papers are placed by vectors or by a network"
            )
