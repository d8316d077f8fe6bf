"""`platform export`."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from citescape.cli.options import output_options, runs_option, store_option
from citescape.cli.output import echo_json, echo_table, plural, ticking

if TYPE_CHECKING:
    from citescape.exports.export import Exported

FORMATS = ("vosviewer", "vosviewer-txt", "gexf", "graphml", "pajek", "csv", "parquet")
"""Keys of `exports.formats.FORMATS`, which is not imported for `--help`."""


@click.command()
@click.argument("form", metavar="FORMAT", type=click.Choice(FORMATS))
@click.option(
    "-o",
    "--out",
    required=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Where to; formats of several files put an end behind its name.",
)
@click.option(
    "--network",
    default="",
    show_default="the one that was clustered, else the last",
    metavar="RUN|KIND",
    help="Of `platform network build`: a run, a folder, or a kind, of which the last is meant.",
)
@click.option(
    "--clustering",
    default="",
    show_default="that of the topics or map named, else of the network, else in the graph",
    metavar="RUN|none",
    help="Of `platform cluster`.",
)
@click.option(
    "--topics",
    default="",
    show_default="the last of the clustering",
    metavar="RUN|none",
    help="Of `platform topics`: what communities are about.",
)
@click.option(
    "--map",
    "places",
    default="",
    show_default="the last of the clustering, else the last",
    metavar="RUN|none",
    help="Of `platform map`: where papers and topics lie.",
)
@click.option(
    "--of",
    type=click.Choice(("papers", "topics")),
    default="papers",
    show_default=True,
    help="A node is a paper; or a community, tied to others by all edges between their papers.",
)
@click.option(
    "--level",
    default="",
    show_default="the finest",
    help="Of the clustering: whose communities give colours and clusters, or are the topics.",
)
@click.option(
    "--papers",
    type=click.Choice(("all", "core")),
    default="all",
    show_default=True,
    help="Core: without those that only tie others together, as in `extended` networks.",
)
@click.option("--placed", is_flag=True, help="Only nodes that have a place on the map.")
@click.option("--linked", is_flag=True, help="Only nodes that have an edge.")
@click.option(
    "--largest",
    type=click.IntRange(1),
    default=None,
    show_default="all",
    help="Only so many nodes: those of most importance received; unscored, most cited.",
)
@click.option(
    "--min-weight",
    type=click.FloatRange(0),
    default=0.0,
    show_default="all",
    help="Only edges that weigh so much.",
)
@click.option(
    "--top",
    type=click.IntRange(1),
    default=None,
    show_default="all",
    help="Only the strongest edges of each node; an edge stays if either end keeps it.",
)
@click.option("--force", is_flag=True, help="Replace files that are there.")
@store_option
@runs_option
@output_options
def export(
    form: str,
    out: Path,
    network: str,
    clustering: str,
    topics: str,
    places: str,
    of: str,
    level: str,
    papers: str,
    placed: bool,
    linked: bool,
    largest: int | None,
    min_weight: float,
    top: int | None,
    force: bool,
    store: str,
    runs: Path | None,
    as_json: bool,
) -> None:
    """Write a network, its communities and its map as files for other tools.

    \b
    FORMAT         for
      vosviewer      VOSviewer, also in a browser: one JSON file
      vosviewer-txt  VOSviewer: a map file and a network file, text with tabs
      gexf           Gephi: places, sizes and colours are set
      graphml        igraph (Python, R), networkx, Cytoscape, yEd
      pajek          Pajek: network, partitions (.clu), vectors (.vec)
      csv            spreadsheets, data frames: nodes and edges
      parquet        the same, smaller, with types

    Papers go with title, authors, year, venue, DOI, citations and importance received, contexts by
    intent, communities at every level and their place on the map, as far as these are there; edges
    with weight, and with importance and contexts where they are citations.

    \b
    Examples:
      platform export gexf -o crops.gexf
      platform export vosviewer --network coupling --linked --largest 1000 -o crops.json
      platform export graphml --of topics -o topics.graphml
    """  # noqa: D301 - \b is the character that keeps click from wrapping
    from citescape.exports.export import ExportConfig
    from citescape.exports.export import export as write
    from citescape.exports.sources import Named
    from citescape.graph.store import open_store
    from citescape.runs import default_runs

    folder = runs or default_runs(store)
    config = ExportConfig(of, papers, level, placed, linked, largest or 0, min_weight, top or 0)
    named = Named(network, clustering, topics, places)
    with closing(open_store(store, read_only=True)) as graph, ticking() as ticker:
        done = write(
            graph,
            form,
            out,
            config=config,
            named=named,
            runs=folder,
            force=force,
            progress=ticker.tell,
        )
    if as_json:
        echo_json({"format": form, **_figures(done)})
    else:
        _print(done, form)


def _figures(done: Exported) -> dict[str, object]:
    content = done.content
    return {
        "files": {str(path): size for path, size in done.files.items()},
        "kind": content.kind,
        "of": f"{content.unit}s",
        "nodes": len(content.network),
        "edges": content.network.edges,
        "attributes": content.nodes.column_names,
        "edge_attributes": content.edges().column_names[2:],
        **content.about,
        "notes": content.notes,
    }


def _print(done: Exported, form: str) -> None:
    from citescape.exports.formats import FORMATS as KNOWN

    content = done.content
    made = ", ".join(f"{name} {run}" for name, run in content.about.items() if name != "citescape")
    what = (
        f"{plural(len(content.network), content.unit)} and {plural(content.network.edges, 'edge')}"
    )
    click.echo(f"{what} of {made}\n")
    echo_table(("file", "bytes"), done.files.items())
    for note in content.notes:
        click.echo(f"\n{note}")
    first = next(iter(done.files))
    click.echo(f"\nopen it {KNOWN[form].opening.format(file=first)}")
