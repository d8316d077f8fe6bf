"""`platform cluster`."""

from __future__ import annotations

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
from citescape.cli.output import echo_json, echo_table, number
from citescape.core.progress import ticking
from citescape.core.terminal import echo
from citescape.runs.result import plural

if TYPE_CHECKING:
    from citescape.mapping.communities.clustering import ClusterRun
    from citescape.mapping.communities.config import ClusterConfig
    from citescape.mapping.communities.write import WrittenCommunities

_POSITIVE = click.FloatRange(0, min_open=True)


@click.command()
@click.option(
    "--network",
    default="",
    metavar="RUN|KIND|FOLDER",
    show_default="the last one built",
    help="Network of `platform network build`.",
)
@click.option(
    "-r",
    "--resolution",
    "resolutions",
    type=_POSITIVE,
    multiple=True,
    help="Of the quality function: more makes smaller communities. May be repeated.",
)
@click.option(
    "-n",
    "--communities",
    type=click.IntRange(1),
    multiple=True,
    help="Seek the resolution for so many, papers without edges aside. May be repeated.",
)
@click.option(
    "--size",
    "sizes",
    type=click.FloatRange(1),
    multiple=True,
    help="Seek the resolution at which so many papers are in the community of a paper, on average. "
    "May be repeated.",
)
@click.option(
    "--nested", is_flag=True, help="Make a hierarchy of the two or three levels that are given."
)
@click.option(
    "--quality",
    type=click.Choice(("cpm", "modularity")),
    default="cpm",
    show_default=True,
    help="Quality function: constant Potts model, or modularity.",
)
@click.option(
    "--engine",
    type=click.Choice(("igraph", "leidenalg")),
    default="igraph",
    show_default=True,
    help="Implementation of the Leiden algorithm.",
)
@seed_option
@click.option(
    "--seeds",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="With several: how far they agree, and the consensus of them.",
)
@click.option(
    "--iterations",
    type=click.IntRange(-1),
    default=10,
    show_default=True,
    help="Passes of the algorithm; -1: until one changes nothing.",
)
@click.option(
    "--min-size",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Smaller communities are given to larger ones they are linked to.",
)
@click.option(
    "--warn-singletons",
    type=click.FloatRange(0, 1),
    default=0.3,
    show_default=True,
    metavar="SHARE",
    help="Warn where more papers than this share are alone.",
)
@click.option("--start", default="", metavar="RUN", help="Start from the communities of a run.")
@click.option(
    "--previous",
    default="",
    metavar="RUN|none",
    show_default="that in the graph, else the last, of such a network with such levels",
    help="Run whose names are kept where communities are much the same.",
)
@click.option("--to-graph", default="", metavar="LEVEL", help="Of several resolutions, this one.")
@click.option("--no-graph", is_flag=True, help="Keep communities beside the store only.")
@store_option
@runs_option
@output_options
def cluster(
    network: str,
    resolutions: tuple[float, ...],
    communities: tuple[int, ...],
    sizes: tuple[float, ...],
    nested: bool,
    quality: str,
    engine: str,
    seed: int,
    seeds: int,
    iterations: int,
    min_size: int,
    warn_singletons: float,
    start: str,
    previous: str,
    to_graph: str,
    no_graph: bool,
    store: str,
    runs: Path | None,
    as_json: bool,
) -> None:
    """Find communities of related papers, and write them to the graph.

    Without a resolution, a number or a size there are three levels, macro, meso and micro, each
    made of whole communities of the one below; their sizes follow from the number of papers. Names
    such as micro-12 stay from run to run where communities are much the same. Papers that nothing
    ties to others are alone, and counted. Sizes are told as the median over communities and as the
    mean weighted by papers, that is of the community of a paper. Needs `pip install
    'citescape[map]'`.

    \b
    Examples:
      platform network build knn             a network first
      platform cluster                       three levels
      platform cluster --size 50 --seeds 10  50 papers each, ten seeds and what they agree on
      platform cluster -n 20 -n 40 -n 80     a sweep; one is written with --to-graph LEVEL
      platform cluster -n 8 -n 60 --nested   two levels, one in the other
    """  # noqa: D301 - \b is the character that keeps click from wrapping
    from citescape.mapping.communities.config import ClusterConfig
    from citescape.runs.directory import default_runs

    config = ClusterConfig(
        resolutions,
        communities,
        sizes,
        nested=nested,
        quality=quality,
        engine=engine,
        seed=seed,
        seeds=seeds,
        iterations=iterations,
        min_size=min_size,
        warn_singletons=warn_singletons,
        start=start,
        previous=previous,
    )
    folder = runs or default_runs(store)
    made = _find(store, folder, config, network=network)
    written = None if no_graph else _write(store, made, to_graph)
    if as_json:
        echo_json(_told(made, written))
        return
    _print(made)
    _print_written(made, written, asked=not no_graph)
    _print_next(made, written, store, runs=runs)


def _find_current(store: str) -> str:
    """The run whose communities are in the graph."""
    from citescape.store.graph_store import open_store
    from citescape.store.state import CLUSTER_RUN, read_meta

    with closing(open_store(store, read_only=True)) as graph:
        return read_meta(graph, CLUSTER_RUN) or ""


def _find(store: str, runs: Path, config: ClusterConfig, *, network: str) -> ClusterRun:
    from citescape.mapping.communities.cluster import cluster as compute
    from citescape.networks.build import find_network

    with ticking() as ticker:
        found = find_network(runs, network, location=store)
        current = _find_current(store)
        return compute(found, config, runs=runs, current=current, progress=ticker.tell)


def _write(store: str, made: ClusterRun, level: str) -> WrittenCommunities | None:
    """Nothing for several levels that are no hierarchy, where none is named."""
    from citescape.mapping.communities.write import find_graph_levels, write_communities
    from citescape.store.graph_store import open_store

    if not find_graph_levels(made, level):
        return None
    with ticking() as ticker:
        graph = open_store(store, create=False)
        try:
            return write_communities(graph, made, level=level, progress=ticker.tell)
        finally:
            graph.close()


def _told(made: ClusterRun, written: WrittenCommunities | None) -> dict[str, Any]:
    counts = made.record.counts
    return {
        "run": made.run,
        "path": str(made.path),
        "unchanged": made.unchanged,
        "network": made.network,
        "papers": counts["core"],
        "isolated": counts["isolated"],
        "levels": made.figures().to_pylist(),
        "previous": made.record.inputs["previous"] or None,
        "lineage": counts["lineage"],
        "warnings": counts["warnings"],
        "graph": asdict(written) if written else None,
    }


def _print(made: ClusterRun) -> None:
    counts, config = made.record.counts, made.record.config
    rows = made.figures().to_pylist()
    echo(
        f"{plural(counts['core'], 'paper')} of {made.network} ({made.record.inputs['kind']}), "
        f"{number(counts['isolated'])} without any edge; {config['quality']} by {config['engine']}"
    )
    echo()
    names = (
        "communities",
        "largest",
        "median",
        "weighted_mean",
        "singletons",
        "granularity",
        "quality",
    )
    table = [
        (row["level"], f"{row['resolution']:g}", *(_cell(name, row[name]) for name in names))
        for row in rows
    ]
    shown = 0 if counts["nested"] else 1
    header = ("level", "resolution", *names[:3], "weighted mean", "alone", *names[5:])
    echo_table(header[shown:], [row[shown:] for row in table])
    echo()
    _print_seeds(rows, config["seeds"])
    _print_names(made)
    for line in counts["warnings"]:
        echo(f"warning: {line}")
    state = "unchanged, was there already" if made.unchanged else f"{made.record.seconds:,.0f} s"
    echo(f"run {made.run} in {made.path} ({state})")


def _cell(name: str, value: float) -> float:
    """Sizes as whole numbers."""
    return round(value) if name in ("median", "weighted_mean") else value


def _print_seeds(rows: list[dict[str, Any]], seeds: int) -> None:
    for row in rows:
        if row["ari"] is not None:
            spread = "" if row["ari_sd"] is None else f" ± {row['ari_sd']:.3f}"
            echo(
                f"{row['level']}: {seeds} seeds agree by an adjusted Rand index of "
                f"{row['ari']:.3f}{spread}; consensus after {plural(row['rounds'], 'round')}"
            )


def _print_names(made: ClusterRun) -> None:
    from citescape.mapping.communities.lineage import EVENTS

    for row in made.figures().to_pylist():
        if row["reassigned"]:
            papers = plural(row["reassigned"], "paper")
            echo(f"{row['level']}: {papers} of small communities given to larger ones")
    events = made.record.counts["lineage"]
    if events:
        told = ", ".join(f"{number(events[one])} {one}" for one in EVENTS if one in events)
        echo(f"named after {made.record.inputs['previous']}: {told}")


def _print_written(made: ClusterRun, written: WrittenCommunities | None, *, asked: bool) -> None:
    if written:
        echo(
            f"graph: {plural(written.communities, 'community', 'communities')} written, "
            f"{plural(written.memberships, 'membership')}; {number(written.removed)} of earlier "
            "runs removed"
        )
        if written.not_in_graph:
            echo(f"       {plural(written.not_in_graph, 'paper')} of the run are not in it")
    elif asked:
        levels = ", ".join(made.levels)
        echo(f"graph: none written; --to-graph LEVEL writes one of {levels}")


def _print_next(
    made: ClusterRun, written: WrittenCommunities | None, store: str, *, runs: Path | None
) -> None:
    if written:
        name = made.communities()["name"][0].as_py() if len(made.communities()) else ""
        papers = command_line(f"cypher --name explore/community --param name={name}", store)
        echo(f"papers of one: {papers}")
    echo(f"what they are about: {command_line('topics', store, runs)}")
    echo(f"how well they agree with a criterion: {command_line('accuracy', store, runs)}")
    echo(f"a picture: {command_line('map', store, runs)}")
