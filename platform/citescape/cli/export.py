"""`platform export`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from citescape.cli.options import output_options, runs_option, store_option
from citescape.cli.output import echo_json, echo_table
from citescape.core.progress import ticking
from citescape.core.terminal import echo
from citescape.runs.result import plural

if TYPE_CHECKING:
    from citescape.core.progress import Progress
    from citescape.mapping.exports.export import ExportConfig, Exported
    from citescape.mapping.exports.sources import Named
    from citescape.store.graph_store import GraphStore

FORMATS = ("vosviewer", "vosviewer-txt", "gexf", "graphml", "pajek", "csv", "parquet")
"""Keys of `exports.formats.FORMATS`, which is not imported for `--help`."""
BIBLIOGRAPHIES = ("bibtex", "ris")
"""Keys of `exports.bibliography.BIBLIOGRAPHIES`."""


@click.command()
@click.argument("form", metavar="FORMAT", type=click.Choice((*FORMATS, *BIBLIOGRAPHIES)))
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
    help="Maximum number of nodes: with --network those with the highest sum of the weights of "
    "their edges, else those of most importance received, or of most citations.",
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
@click.option(
    "--paper",
    "cited",
    multiple=True,
    metavar="ID",
    help="Of bibtex and ris: this paper instead of a network's; again for more.",
)
@click.option(
    "--ids",
    "listed",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Of bibtex and ris: the papers of a file with an id a line.",
)
@click.option("--force", is_flag=True, help="Replace files that are there.")
@store_option
@runs_option
@output_options
def export(
    form: str,
    out: Path,
    cited: tuple[str, ...],
    listed: Path | None,
    force: bool,
    store: str,
    runs: Path | None,
    as_json: bool,
    **given: Any,
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
      bibtex         LaTeX: the papers as entries of a bibliography
      ris            Zotero, EndNote, Mendeley: likewise

    Papers go with title, authors, year, venue, DOI, citations and importance received, contexts by
    intent, communities at every level and their place on the map, as far as these are there; edges
    with weight, and with importance and contexts where they are citations.

    \b
    Examples:
      platform export gexf -o crops.gexf
      platform export vosviewer --network coupling --linked --largest 1000 -o crops.json
      platform export graphml --of topics -o topics.graphml
      platform export bibtex --paper 10.1038/ng.352 --paper PMC6356303 -o refs.bib
      platform export ris --largest 100 -o classics.ris
    """  # noqa: D301 - \b is the character that keeps click from wrapping
    from citescape.mapping.exports.export import ExportConfig
    from citescape.mapping.exports.sources import Named
    from citescape.runs.directory import default_runs
    from citescape.store.graph_store import open_store

    _check(form, given["of"], named=bool(cited or listed))
    named = Named(*map(given.pop, ("network", "clustering", "topics", "places")))
    config = ExportConfig(**{name: value for name, value in given.items() if value is not None})
    order = _Order(form, out, config, named, runs or default_runs(store), force)
    with closing(open_store(store, read_only=True)) as graph, ticking() as ticker:
        if form in BIBLIOGRAPHIES:
            told = _cite(graph, order, ticker.tell, cited=cited, listed=listed)
        else:
            told = _draw(graph, order, ticker.tell)
    if as_json:
        echo_json({"format": form, **told.figures})
    else:
        _print(told)


class _Order(NamedTuple):
    """What is to be written, where."""

    form: str
    out: Path
    config: ExportConfig
    named: Named
    runs: Path
    force: bool


class _Told(NamedTuple):
    """What was written, in words and in figures."""

    what: str
    files: Mapping[Path, int]
    opening: str
    figures: dict[str, object]
    notes: Sequence[str] = ()


def _check(form: str, of: str, *, named: bool) -> None:
    from citescape.core.errors import ConfigError

    if named and form not in BIBLIOGRAPHIES:
        expected = " or ".join(BIBLIOGRAPHIES)
        raise ConfigError(f"--paper and --ids are for {expected}; {form} is of a network")
    if form in BIBLIOGRAPHIES and of != "papers":
        raise ConfigError(f"{form} is of papers; leave out --of {of}")


def _draw(graph: GraphStore, order: _Order, progress: Progress) -> _Told:
    from citescape.mapping.exports.export import export as write
    from citescape.mapping.exports.formats import FORMATS as KNOWN

    done = write(
        graph,
        order.form,
        order.out,
        config=order.config,
        named=order.named,
        runs=order.runs,
        force=order.force,
        progress=progress,
    )
    content = done.content
    made = ", ".join(f"{name} {run}" for name, run in content.about.items() if name != "citescape")
    nodes, edges = plural(len(content.network), content.unit), plural(content.network.edges, "edge")
    what, opening = f"{nodes} and {edges} of {made}", KNOWN[order.form].opening
    return _Told(what, done.files, opening, _figures(done), content.notes)


def _cite(
    graph: GraphStore,
    order: _Order,
    progress: Progress,
    *,
    cited: Sequence[str],
    listed: Path | None,
) -> _Told:
    from citescape.mapping.exports.export import gather
    from citescape.papers.bibliography import BIBLIOGRAPHIES as KNOWN
    from citescape.papers.bibliography import find_named, write_bibliography
    from citescape.papers.entries import read_entries

    ids, made = find_named(graph, cited, listed), ""
    if not ids:
        content = gather(graph, order.config, named=order.named, runs=order.runs, progress=progress)
        ids, made = content.network.ids.to_pylist(), f" of network {content.about['network']}"
    entries = read_entries(graph, ids)
    path = write_bibliography(entries, order.form, order.out, force=order.force)
    files = {path: path.stat().st_size}
    figures = {"files": {str(path): files[path]}, "of": "papers", "papers": len(entries)}
    what = f"{plural(len(entries), 'paper')}{made}"
    return _Told(what, files, KNOWN[order.form].opening, figures)


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


def _print(told: _Told) -> None:
    echo(told.what, "")
    echo_table(("file", "bytes"), told.files.items())
    for note in told.notes:
        echo("", note)
    echo("", f"open it {told.opening.format(file=next(iter(told.files)))}")
