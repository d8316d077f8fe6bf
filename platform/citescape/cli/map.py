"""`platform map`."""

from __future__ import annotations

import re
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citescape.cli.options import (
    command_line,
    output_options,
    runs_option,
    seed_option,
    store_option,
)
from citescape.cli.output import echo_json, number
from citescape.core.progress import ticking
from citescape.core.terminal import echo
from citescape.runs.result import plural

if TYPE_CHECKING:
    from citescape.mapping.maps.config import MapConfig
    from citescape.mapping.maps.drawn import MapRun
    from citescape.mapping.maps.write import WrittenPlaces

OVERLAYS = (
    *("field", "diversity", "year", "importance"),
    *("community", "density", "papers-year", "papers-importance"),
)
"""Keys of `maps.overlays.OVERLAYS`, which is not imported for `--help`."""
_REASONS = {
    "without_vector": "without a vector",
    "zero_vector": "with a vector that is zero",
    "not_linked": "not linked to the largest part of the network",
}


class Sides(click.ParamType[tuple[float, float]]):
    """Width and height: `240x170`."""

    name = "WxH"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[float, float]:
        """Both numbers.

        Raises:
            UsageError: it is not two numbers with an x between.
        """
        found = re.fullmatch(r"(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)", str(value))
        if not found:
            self.fail(f"{value!r}; expected width and height such as 240x170", param, ctx)
        return float(found[1]), float(found[2])


@click.command("map")
@click.option(
    "--clustering",
    default="",
    show_default="that of the topics named, else the one in the graph, else the last",
    metavar="RUN",
    help="Id or folder of a run of `platform cluster`.",
)
@click.option(
    "--level",
    default="",
    show_default="that of the topics, else the finest",
    help="Of the clustering.",
)
@click.option(
    "--topics",
    default="",
    show_default="the last of the clustering",
    metavar="RUN",
    help="Of `platform topics`: labels, fields, years, importance.",
)
@click.option(
    "--vectors",
    default="",
    show_default="those of the network, else those in the graph, else the last",
    metavar="RUN",
    help="Of `platform embed`: papers with like vectors lie together.",
)
@click.option(
    "--network",
    default="",
    metavar="RUN|KIND",
    help="In place of vectors: papers with strong edges in this network lie together.",
)
@click.option(
    "--overlay",
    "overlays",
    type=click.Choice(OVERLAYS),
    multiple=True,
    show_default="all there are values for",
    help="What pictures are coloured by; may be given several times. The page has all.",
)
@click.option(
    "--neighbours",
    type=click.IntRange(2),
    default=15,
    show_default=True,
    help="Papers that are to stay together, the paper itself counted. Few show detail, many the "
    "whole.",
)
@click.option(
    "--min-dist",
    type=click.FloatRange(0, 1),
    default=0.1,
    show_default=True,
    help="How near papers come to each other.",
)
@seed_option
@click.option(
    "--size",
    type=Sides(),
    default="240x170",
    show_default=True,
    help="Width and height of the pictures in millimetres.",
)
@click.option(
    "--dpi",
    type=click.IntRange(50, 1200),
    default=200,
    show_default=True,
    help="Dots an inch of the pictures.",
)
@click.option("--no-graph", is_flag=True, help="Keep the places beside the store only.")
@click.option("--open", "open_page", is_flag=True, help="Open the page in a browser.")
@store_option
@runs_option
@output_options
def map_(
    clustering: str,
    level: str,
    topics: str,
    vectors: str,
    network: str,
    overlays: tuple[str, ...],
    neighbours: int,
    min_dist: float,
    seed: int,
    size: tuple[float, float],
    dpi: int,
    no_graph: bool,
    open_page: bool,
    store: str,
    runs: Path | None,
    as_json: bool,
) -> None:
    """Draw maps of topics and papers, to print and to explore.

    Papers that are near to each other by their vectors lie together (UMAP); a topic lies where the
    mean of its papers' vectors puts it among the others. Pictures, PNG and SVG, show topics by main
    field, interdisciplinarity, mean year and importance received, and papers by topic, density,
    year and importance received. The page is one file that needs no network: zoom, search, read.

    No map in two dimensions keeps all neighbours: of the 10 nearest to a paper or topic, the share
    that is among the 10 nearest on the map is printed, and what chance would keep. Papers that
    cannot be placed are counted. Places of the communities in the graph are also written there.
    Needs `pip install 'citescape[map]'`.

    \b
    Examples:
      platform map                           the last communities, labelled by their topics
      platform map --overlay community --overlay year --size 180x130 --dpi 300
      platform map --level meso --neighbours 30
      platform map --network coupling        by references in common, without vectors
    """  # noqa: D301 - \b is the character that keeps click from wrapping
    from citescape.mapping.maps.config import MapConfig
    from citescape.mapping.maps.layout import LayoutConfig
    from citescape.mapping.maps.static import Size
    from citescape.runs.directory import default_runs

    config = MapConfig(
        clustering,
        level,
        topics,
        vectors,
        network,
        layout=LayoutConfig(neighbours, min_dist, seed=seed),
        overlays=overlays,
        size=Size(*size, dpi),
    )
    made, written = _draw(store, runs or default_runs(store), config, to_graph=not no_graph)
    if as_json:
        echo_json({**_tell(made), "graph": asdict(written) if written else None})
    else:
        _print(made, written)
        export = command_line(f"export gexf -o map.gexf --map {made.run}", store, runs)
        echo(f"for other tools: {export}")
    if open_page:
        click.launch(str(made.page))


def _draw(
    store: str, runs: Path, config: MapConfig, *, to_graph: bool
) -> tuple[MapRun, WrittenPlaces | None]:
    """The store is open to be read; to be written only where there is something to write."""
    from citescape.mapping.maps.build import build_map
    from citescape.mapping.maps.write import is_in_graph, write_map
    from citescape.store.graph_store import open_store

    with ticking() as ticker:
        with closing(open_store(store, read_only=True)) as graph:
            made = build_map(graph, config, runs=runs, progress=ticker.tell)
            to_graph = to_graph and is_in_graph(graph, made)
        if not to_graph:
            return made, None
        with closing(open_store(store, create=False)) as graph:
            return made, write_map(graph, made, progress=ticker.tell)


def _tell(made: MapRun) -> dict[str, Any]:
    return {
        "run": made.run,
        "path": str(made.path),
        "unchanged": made.unchanged,
        "clustering": made.clustering,
        "level": made.level,
        "page": str(made.page),
        "pictures": [str(path) for path in made.pictures],
        **made.counts,
    }


def _print(made: MapRun, written: WrittenPlaces | None) -> None:
    counts, inputs = made.counts, made.record.inputs
    echo(
        f"{plural(counts['papers'], 'paper')} and {number(counts['topics_placed'])} of "
        f"{plural(counts['topics'], 'topic')} placed by {inputs['source']}: {made.clustering}, "
        f"level {made.level}"
    )
    for reason, words in _REASONS.items():
        if counts.get(reason):
            echo(f"{plural(counts[reason], 'paper')} {words} left out")
    if not inputs["topics"]:
        echo("topics have no labels yet: `platform topics` finds some")
    echo(f"papers: {made.placing('papers')}")
    echo(f"topics: {made.placing('topics')}")
    if written:
        echo(
            f"graph: places of {plural(written.communities, 'community', 'communities')} and "
            f"{plural(written.memberships, 'membership')} written"
        )
    state = "unchanged, was there already" if made.unchanged else f"{made.record.seconds:,.0f} s"
    echo(f"run {made.run} in {made.path} ({state})")
    echo(f"pictures: {', '.join(path.name for path in made.pictures)}, and as SVG")
    if counts["lacking"]:
        echo(f"nothing is known for: {', '.join(counts['lacking'])}")
    echo(f"page: {made.page}")
