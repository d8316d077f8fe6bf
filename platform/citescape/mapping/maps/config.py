"""Settings of maps: content, layout, and size of pictures."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Literal

from citescape.core.errors import ConfigError
from citescape.runs.step import RunName, Seed, Setting, Settings, Share, extract

OverlayName = Literal[
    "field",
    "diversity",
    "year",
    "importance",
    "community",
    "density",
    "papers-year",
    "papers-importance",
]
"""Keys of `overlays.OVERLAYS`."""


@dataclass(frozen=True)
class Size:
    """Size of a picture."""

    width: float
    """Width in millimetres."""
    height: float
    """Height in millimetres."""
    dpi: int
    """Resolution in dots per inch, of PNG and of rasterized dots in SVG."""

    def __post_init__(self) -> None:
        if min(self.width, self.height) < 60 or max(self.width, self.height) > 2000:
            raise ConfigError(
                f"size is {self.width:g} x {self.height:g} mm; expected sides of 60 to 2,000 mm"
            )
        if not 50 <= self.dpi <= 1200:
            raise ConfigError(f"dpi is {self.dpi}; expected 50 to 1,200")


@dataclass(frozen=True)
class _ContentConfig(Settings):
    """Settings of the content of a map."""

    topics: Annotated[RunName, Setting(default="the latest of the clustering, meso first")] = ""
    """Run of `platform topics`, for labels, fields, years and importance."""
    clustering: Annotated[
        RunName, Setting(default="that of the topics, else the one in the graph, else the latest")
    ] = ""
    """Run of `platform cluster`."""
    level: Annotated[str, Setting(default="that of the topics, else meso, else the finest")] = ""
    """Level of the clustering."""
    vectors: Annotated[
        RunName,
        Setting(default="those of the network, else those in the graph, else the latest"),
    ] = ""
    """Run of `platform embed`; papers with similar vectors are placed together."""
    network: Annotated[RunName, Setting(metavar="RUN|KIND")] = ""
    """Network instead of vectors; papers with strong edges are placed together."""
    overlays: Annotated[
        tuple[OverlayName, ...],
        Setting(flags=("--overlay",), default="all with values"),
    ] = ()
    """Overlays to draw as pictures; the page has all overlays."""


@dataclass(frozen=True)
class LayoutConfig(Settings):
    """Settings of the layout."""

    neighbours: Annotated[int, Setting(least=2)] = 15
    """Number of nearest papers that are placed together, including the paper itself; low values
    show local, high values global structure."""
    min_dist: Share = 0.1
    """Minimum distance between papers on the map."""
    epochs: Annotated[
        int, Setting(expert=True, least=0, default="500 up to 10,000 papers, 300 beyond")
    ] = 0
    """Number of epochs of the optimisation."""
    seed: Seed = 0
    """Random seed."""


@dataclass(frozen=True)
class MapConfig(LayoutConfig, _ContentConfig):
    """Settings of a map."""

    size: Annotated[str, Setting(metavar="WxH")] = "240x170"
    """Width and height of the pictures in millimetres."""
    dpi: Annotated[int, Setting(least=50, most=1200)] = 200
    """Resolution of the pictures in dots per inch."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.vectors and self.network:
            raise ConfigError(
                f"vectors is {self.vectors!r} and network {self.network!r}; expected one of them: "
                "papers are placed by vectors or by a network"
            )
        self.picture  # noqa: B018 - checks `size` early

    @property
    def layout(self) -> LayoutConfig:
        """Settings of the layout."""
        return extract(LayoutConfig, self)

    @property
    def picture(self) -> Size:
        """Size of the pictures."""
        if not re.fullmatch(r"\d+(\.\d+)?x\d+(\.\d+)?", self.size):
            raise ConfigError(f"size is {self.size!r}; expected width and height such as 240x170")
        width, height = map(float, self.size.split("x"))
        return Size(width, height, self.dpi)
