"""Step: draw maps of topics and papers."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Literal

from citescape.core.errors import ConfigError
from citescape.runs.context import Context
from citescape.runs.step import RunName, Seed, Setting, Share, Step

if TYPE_CHECKING:
    from citescape.mapping.maps.drawn import MapRun

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
class Map(Step["MapRun"]):
    """Draw maps of topics and papers, to print and to explore.

    Papers that are near each other by their vectors lie together (UMAP); a topic lies where the
    mean of its papers' vectors puts it among the others. Pictures, PNG and SVG, show topics by main
    field, interdisciplinarity, mean year and importance received, and papers by topic, density,
    year and importance received. The page is one file that needs no network: zoom, search, read.

    No map in two dimensions keeps all neighbours: of the 10 nearest of a paper or topic, the share
    that is among the 10 nearest on the map is shown, and the share expected by chance. Papers that
    cannot be placed are counted. Places of the communities in the graph are also written there.
    Requires `pip install 'citescape[map]'`.
    """

    examples = """
        platform map                           the latest communities, labelled by their topics
        platform map --overlay community --overlay year --size 180x130 --dpi 300
        platform map --level meso --neighbours 30
        platform map --network coupling        by references in common, without vectors
    """
    topics: Annotated[RunName, Setting(default="the latest of the clustering")] = ""
    """Run of `platform topics`, for labels, fields, years and importance."""
    clustering: Annotated[
        RunName, Setting(default="that of the topics, else the one in the graph, else the latest")
    ] = ""
    """Run of `platform cluster`."""
    level: Annotated[str, Setting(default="that of the topics, else the finest")] = ""
    """Level of the clustering."""
    vectors: Annotated[
        RunName,
        Setting(default="those of the network, else those in the graph, else the latest"),
    ] = ""
    """Run of `platform embed`; papers with similar vectors lie together."""
    network: Annotated[RunName, Setting(metavar="RUN|KIND")] = ""
    """Network in place of vectors; papers with strong edges lie together."""
    overlays: Annotated[
        tuple[OverlayName, ...],
        Setting(flags=("--overlay",), default="all that there are values for"),
    ] = ()
    """Overlay that colours a picture; the page has all."""
    neighbours: Annotated[int, Setting(least=2)] = 15
    """Nearest papers that are kept together, the paper itself included; low values show detail,
    high values the whole."""
    min_dist: Share = 0.1
    """Smallest distance between papers on the map."""
    seed: Seed = 0
    """Random seed."""
    size: Annotated[str, Setting(metavar="WxH")] = "240x170"
    """Width and height of the pictures in millimetres."""
    dpi: Annotated[int, Setting(least=50, most=1200)] = 200
    """Resolution of the pictures in dots per inch."""
    write: bool = True
    """Write the places to the graph."""
    open: Annotated[bool, Setting(records=False)] = False
    """Open the page in a browser."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not re.fullmatch(r"\d+(\.\d+)?x\d+(\.\d+)?", self.size):
            raise ConfigError(f"size is {self.size!r}; expected width and height such as 240x170")

    def compute(self, context: Context) -> MapRun:
        import webbrowser

        from citescape.mapping.maps.build import build_map
        from citescape.mapping.maps.config import MapConfig
        from citescape.mapping.maps.layout import LayoutConfig
        from citescape.mapping.maps.static import Size
        from citescape.mapping.maps.write import write_map

        width, height = map(float, self.size.split("x"))
        config = MapConfig(
            str(self.clustering),
            self.level,
            str(self.topics),
            str(self.vectors),
            str(self.network),
            layout=LayoutConfig(self.neighbours, self.min_dist, seed=self.seed),
            overlays=self.overlays,
            size=Size(width, height, self.dpi),
        )
        made = build_map(context.store, config, runs=context.runs, progress=context.progress)
        if self.write:
            written = write_map(context.store, made, progress=context.progress)
            made = replace(made, graph=written)
        if self.open:
            webbrowser.open(made.page.resolve().as_uri())
        return made
