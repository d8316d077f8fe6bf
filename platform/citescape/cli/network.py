"""`platform network build`, and the group that it stands in."""

from __future__ import annotations

from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from citescape.cli.network_report import nearest, overlap, report
from citescape.cli.options import (
    InOrder,
    command_line,
    output_options,
    runs_option,
    seed_option,
    store_option,
)
from citescape.cli.output import echo_json, number
from citescape.core.progress import ticking
from citescape.core.terminal import echo
from citescape.networks.config import NORMALISATIONS, PAPERS, SETTINGS, TERMS
from citescape.runs.result import plural

if TYPE_CHECKING:
    from citescape.networks.build import NetworkRun
    from citescape.networks.config import NetworkConfig
    from citescape.networks.write import WrittenEdges

_TOLD = {
    "k": "{} nearest of each",
    "reciprocal": "{} pairs are each other's",
    "negative": "{} of a cosine of 0 or less left out",
    "without_vector": "{} without a vector",
    "without_text": "{} without a text",
    "without_terms": "{} without a term",
    "terms": "{} terms",
    "citations": "{} citations",
    "without_weight": "{} more weigh nothing and are left out",
    "outside": "{} papers outside the core tie it together",
}
"""Count of a run -> the clause that says it, unless it is 0."""


@click.group(cls=InOrder)
def network() -> None:
    """Build networks of related papers, describe and compare them.

    \b
    First steps:
      platform network build knn                 papers tied to the nearest ones
      platform network build coupling --top 20   or to those that cite the same works
      platform network report knn coupling       what they are like, side by side
      platform cluster --network knn             communities in one of them
    """  # noqa: D301 - \b is the character that keeps click from wrapping


@network.command(short_help="Build a network of one kind, and keep it in a run directory.")
@click.argument("kind")
@click.option(
    "--papers",
    type=click.Choice(PAPERS),
    default="fulltext",
    show_default=True,
    help="The core: papers with full text; or also those known from reference lists only.",
)
@click.option(
    "--years",
    default="",
    show_default="whenever",
    metavar="FIRST-LAST",
    help="Of the core only papers published then: 2018, 2015-2019, 2015-, -2019.",
)
@click.option(
    "--normalise",
    type=click.Choice(NORMALISATIONS),
    default=None,
    show_default="fractional for extended, co-citation and coupling, else none",
    help="Weights as they are; N w (1/s + 1/t) / 2, s and t the sums of weights at both ends and N "
    "the number of papers; or association strength, 2m w / (s t).",
)
@click.option(
    "--top",
    type=click.IntRange(0),
    default=0,
    show_default="all",
    help="Strongest edges kept for each paper; an edge stays if either end keeps it. Of "
    "co-citation and coupling those of most works in common.",
)
@click.option(
    "-k",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    help="knn, bm25: nearest papers of each paper.",
)
@click.option(
    "--weighted/--unweighted",
    default=True,
    show_default=True,
    help="knn: edges weigh the cosine, or 1.",
)
@click.option(
    "--vectors",
    default="",
    metavar="RUN",
    show_default="those in the graph, else the last",
    help="knn: of `platform embed` or `platform train graph`.",
)
@click.option(
    "--method",
    type=click.Choice(("auto", "exact", "ivf", "hnsw")),
    default="auto",
    show_default=True,
    help="knn: how to search; auto is exact up to 150,000 papers, else ivf.",
)
@click.option(
    "--recall",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.95,
    show_default=True,
    help="knn: least share of the exact neighbours for ivf and hnsw.",
)
@seed_option
@click.option(
    "--terms",
    type=click.Choice(TERMS),
    default="phrases",
    show_default=True,
    help="bm25: noun phrases, or single words.",
)
@click.option(
    "--k1", type=click.FloatRange(0), default=1.2, show_default=True, help="bm25: repetitions."
)
@click.option(
    "--b", type=click.FloatRange(0, 1), default=0.75, show_default=True, help="bm25: length."
)
@click.option(
    "--min-links",
    type=click.IntRange(2),
    default=2,
    show_default=True,
    help="extended: papers of the core that one outside must be linked to.",
)
@click.option(
    "--to-graph",
    is_flag=True,
    help="Write the edges to the graph too (RELATED), in place of those of another network.",
)
@store_option
@runs_option
@output_options
@click.pass_context
def build(
    context: click.Context,
    /,
    kind: str,
    to_graph: bool,
    store: str,
    runs: Path | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Build a network of papers: who is related to whom, and how closely.

    Papers, settings and what is read decide the run; the same again is not made twice. KIND says
    what relates papers:

    \b
      knn            nearest papers by their vectors (platform embed)
      citation       one cites the other (DC)
      extended       one cites the other, also through papers outside the core (EDC)
      co-citation    papers that cite both (CC)
      coupling       references in common (BC)
      bm25           nearest papers by the terms of their texts
      importance     one cites the other, by importance (platform score)
      background     one cites the other for its background, by contexts
      method         the same for methods
      result         the same for results (platform text intents label)

    \b
    Examples:
      platform network build knn
      platform network build coupling --top 20 --normalise association
      platform network build citation --papers all --to-graph
      platform network build coupling --years 2015-2019
    """  # noqa: D301 - \b is the character that keeps click from wrapping
    from citescape.networks.config import NetworkConfig
    from citescape.runs.directory import default_runs

    _refuse_foreign(context, kind)
    settings["normalise"] = settings["normalise"] or ""
    config, folder = NetworkConfig(kind=kind, **settings), runs or default_runs(store)
    made, written = _build(store, folder, config, to_graph=to_graph)
    if as_json:
        told = {"run": made.run, "kind": kind, "path": str(made.path), "unchanged": made.unchanged}
        echo_json({**told, **made.counts, "graph": asdict(written) if written else None})
        return
    _print_network(made)
    if written:
        _print_written(written)
        ask = command_line("cypher --name explore/related --param paper=PAPER", store)
        echo(f"related papers: {ask}")
    echo(f"what it is like: {command_line(f'network report {made.run}', store, runs)}")
    echo(f"communities: {command_line(f'cluster --network {made.run}', store, runs)}")


@network.command(short_help="Take the edges of the network in the graph out of it.")
@store_option
@output_options
def remove(store: str, as_json: bool) -> None:
    """Take the edges (RELATED) of the network in the graph out of it.

    Networks in run directories stay; `platform network build KIND --to-graph` writes one again.
    """
    from citescape.networks.write import remove_network_edges
    from citescape.store.graph_store import open_store

    with closing(open_store(store, create=False)) as graph, ticking() as ticker:
        removed = remove_network_edges(graph, progress=ticker.tell)
    if as_json:
        echo_json({"removed": removed})
    else:
        echo(f"graph: {plural(removed, 'edge')} of networks removed")


for _command in (report, overlap, nearest):
    network.add_command(_command)


def _refuse_foreign(context: click.Context, kind: str) -> None:
    """Settings that were given and mean nothing to the kind are no silent matter."""
    from citescape.core.errors import invalid_choice
    from citescape.networks.kinds import KINDS

    if kind not in KINDS:
        raise invalid_choice("KIND", kind, KINDS)
    options = {option.name: option.opts[0] for option in context.command.params}
    own = [name for name in options if name in KINDS[kind].known]
    for name in SETTINGS:
        given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if given and name not in own:
            there = ", ".join(options[name] for name in own)
            raise click.UsageError(f"{options[name]} means nothing to {kind}; it knows {there}")


def _build(
    store: str, runs: Path, config: NetworkConfig, *, to_graph: bool
) -> tuple[NetworkRun, WrittenEdges | None]:
    """The store is open to be read while the network is made, and only then to be written."""
    from citescape.networks.build import build as make
    from citescape.networks.write import write_network_edges
    from citescape.store.graph_store import open_store

    with ticking() as ticker:
        with closing(open_store(store, read_only=True)) as graph:
            made = make(graph, config, runs=runs, progress=ticker.tell)
        if not to_graph:
            return made, None
        with closing(open_store(store, create=False)) as graph:
            return made, write_network_edges(graph, made, progress=ticker.tell)


def _print_network(made: NetworkRun) -> None:
    counts = made.counts
    mean = 2 * counts["edges"] / counts["papers"]
    echo(
        f"{made.kind}: {plural(counts['edges'], 'edge')} between "
        f"{plural(counts['papers'], 'paper')}, {mean:.2f} a paper; "
        f"{number(counts['isolated'])} stand alone"
    )
    clauses = [
        text.format(number(counts[name])) for name, text in _TOLD.items() if counts.get(name)
    ]
    if "recall" in counts:
        clauses.append(f"{counts['method']} search, recall {counts['recall']:.4f}")
    if clauses:
        echo("; ".join(clauses))
    if "warning" in counts:
        echo(f"warning: {counts['warning']}")
    state = "unchanged, was there already" if made.unchanged else f"{made.record.seconds:,.0f} s"
    echo(f"run {made.run} in {made.path} ({state})")


def _print_written(written: WrittenEdges) -> None:
    echo(
        f"graph: {plural(written.inserted, 'edge')} written, {number(written.removed)} of earlier "
        "networks removed"
    )
    if written.not_in_graph:
        echo(f"       {plural(written.not_in_graph, 'paper')} of the network are not in it")
