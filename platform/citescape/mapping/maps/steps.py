"""Step: draw maps of topics and papers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from citescape.mapping.maps.config import MapConfig
from citescape.runs.context import Context
from citescape.runs.step import Step

if TYPE_CHECKING:
    from citescape.mapping.maps.map_run import MapRun


@dataclass(frozen=True)
class Map(Step["MapRun"], MapConfig):
    """Draw maps of topics and papers, to print and to explore.

    Papers with similar vectors are placed together (UMAP); a topic is placed by the mean of its
    papers' vectors. Pictures, PNG and SVG, show topics by main field, interdisciplinarity, mean
    year and importance received, and papers by topic, density, year and importance received. The
    page is one self-contained HTML file to zoom, search and read.

    No map in two dimensions keeps all neighbours. The result shows the share of the 10 nearest
    papers or topics that are also among the 10 nearest on the map, and the share expected by
    chance. Papers that cannot be placed are counted. Places of the communities in the graph are
    also written to the graph.
    Requires `pip install 'citescape[map]'`.
    """

    examples = """
        platform map                           the latest communities, labelled by their topics
        platform map --overlay community --overlay year --size 180x130 --dpi 300
        platform map --level meso --neighbours 30
        platform map --network coupling        by references in common, without vectors
    """
    write: bool = True
    """Write the places to the graph."""
    open: bool = False
    """Open the page in a browser."""

    def compute(self, context: Context) -> MapRun:
        import webbrowser

        from citescape.mapping.maps.build import build_map
        from citescape.mapping.maps.write import write_map

        run = build_map(context.store, self, runs=context.runs, progress=context.progress)
        if self.write:
            written = write_map(context.store, run, progress=context.progress)
            run = replace(run, graph=written)
        if self.open:
            webbrowser.open(run.page.resolve().as_uri())
        return run
