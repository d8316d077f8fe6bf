"""`platform network report`, `overlap` and `nearest`: networks described, compared, looked up."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citescape.cli.network_tables import (
    nearest_markdown,
    print_nearest,
    print_overlaps,
    print_reports,
)
from citescape.cli.options import (
    command_line,
    csv_option,
    output_options,
    runs_option,
    seed_option,
    store_option,
)
from citescape.cli.output import echo_json
from citescape.core.progress import ticking
from citescape.core.terminal import echo

if TYPE_CHECKING:
    import pyarrow as pa

    from citescape.networks.build import NetworkRun

_NAMED = "a run, its folder, or a kind, of which the last built is meant"


@click.command(short_help="Describe networks beside random ones.")
@click.argument("networks", nargs=-1, metavar="[NETWORK]...")
@click.option(
    "--pairs",
    type=click.IntRange(1),
    default=10_000,
    show_default=True,
    help="Pairs of papers whose distance is measured; all where there are no more.",
)
@click.option(
    "--random/--no-random",
    "beside_random",
    default=True,
    show_default=True,
    help="Beside each a random network G(n, p) of equal size and density.",
)
@seed_option
@csv_option
@store_option
@runs_option
@output_options
def report(
    networks: tuple[str, ...],
    pairs: int,
    beside_random: bool,
    seed: int,
    csv_file: Path | None,
    store: str,
    runs: Path | None,
    as_json: bool,
) -> None:
    """Describe networks as a whole, random ones of equal density beside them.

    NETWORK is a run, its folder, or a kind, of which the last built is meant; the last built of all
    if none is given. Local clustering is the mean over all papers of the share of their neighbours'
    pairs that are linked (0 for papers with fewer than two neighbours); transitivity is 3 triangles
    / connected triples. The path length is a mean over random pairs of papers of the largest
    component, with its standard error. Edges count alike, whatever they weigh.

    \b
    Examples:
      platform network report                   the network built last
      platform network report knn citation      two of them side by side
    """  # noqa: D301 - \b is the character that keeps click from wrapping
    from dataclasses import asdict

    from citescape.core.spreadsheets import write_csv
    from citescape.networks.report import describe_network, report_table

    found = _find(networks or ("",), runs, store)
    told = {}
    with ticking() as ticker:
        for name, one in found.items():
            ticker.tell(f"{name}: reading the network")
            told[name] = describe_network(
                one.read(),
                pairs=pairs,
                seed=seed,
                beside_random=beside_random,
                progress=lambda text, name=name: ticker.tell(f"{name}: {text}"),  # type: ignore[misc]
            )
    if csv_file:
        write_csv(_with_runs(report_table(told), found), csv_file)
    if as_json:
        rows = [{**_named(found[name]), **asdict(one)} for name, one in told.items()]
        echo_json({"networks": rows, "pairs": pairs, "seed": seed})
        return
    print_reports(found, told)
    meant = " ".join(one.run for one in found.values())
    then = f"accuracy {meant}" if len(found) > 1 else f"cluster --network {meant}"
    echo("", f"next: {command_line(then, store, runs)}")


@click.command(short_help="Count the edges that networks share.")
@click.argument("networks", nargs=-1, required=True, metavar="NETWORK NETWORK...")
@click.option(
    "--with-random",
    is_flag=True,
    help="Also with a random network of the first one's size and density.",
)
@seed_option
@csv_option
@store_option
@runs_option
@output_options
def overlap(
    networks: tuple[str, ...],
    with_random: bool,
    seed: int,
    csv_file: Path | None,
    store: str,
    runs: Path | None,
    as_json: bool,
) -> None:
    """Count the edges that networks share, and those they would share by chance.

    NETWORK is a run, its folder, or a kind, of which the last built is meant. Only papers that both
    networks have are compared. Shared edges are told as a share of each network's edges and of
    those that either has (Jaccard). By chance: E1 p, edges of the one times density of the other.

    \b
    Examples:
      platform network overlap knn citation
      platform network overlap knn citation coupling --with-random
    """  # noqa: D301 - \b is the character that keeps click from wrapping
    from citescape.core.spreadsheets import write_csv
    from citescape.networks.overlap import overlap_table
    from citescape.networks.random_network import build_random_network

    if len(networks) + with_random < 2:
        raise click.UsageError("one network to compare; expected two or more, or --with-random")
    found = _find(networks, runs, store)
    with ticking() as ticker:
        held = {}
        for name, one in found.items():
            ticker.tell(f"{name}: reading the network")
            held[name] = one.read()
        if with_random:
            ticker.tell("building the random network")
            held["random"] = build_random_network(held[next(iter(found))], seed=seed)
        ticker.tell("comparing edges")
        table = overlap_table(held)
    if csv_file:
        write_csv(table, csv_file)
    if as_json:
        rows = {name: _named(one) for name, one in found.items()}
        echo_json({"networks": rows, "overlaps": table.to_pylist(), "seed": seed})
        return
    print_overlaps(found, table, edges={name: one.edges for name, one in held.items()})


@click.command(short_help="Show the papers nearest to one.")
@click.argument("paper")
@click.option(
    "--network",
    default="",
    metavar="NETWORK",
    show_default="the last built",
    help=f"{_NAMED}.".capitalize(),
)
@click.option(
    "-k", "count", type=click.IntRange(1), default=10, show_default=True, help="How many papers."
)
@click.option("--markdown", is_flag=True, help="A table in Markdown, titles in full.")
@csv_option
@store_option
@runs_option
@output_options
def nearest(
    paper: str,
    network: str,
    count: int,
    markdown: bool,
    csv_file: Path | None,
    store: str,
    runs: Path | None,
    as_json: bool,
) -> None:
    """Show the papers nearest to one in a network, and which of them it cites.

    PAPER is an id of the store, a DOI, a PMID, a PMCID or an address of one. The papers with the
    heaviest edges come first, of equal ones that with the lower id. Papers that cite PAPER are not
    marked, only those that PAPER cites.

    \b
    Examples:
      platform network nearest 10.1534/g3.118.200605
      platform network nearest PMC6027888 --network coupling --markdown
    """  # noqa: D301 - \b is the character that keeps click from wrapping
    from dataclasses import asdict

    from citescape.core.spreadsheets import write_csv
    from citescape.networks.nearest_table import find_nearest, nearest_rows
    from citescape.store.graph_store import open_store

    (one,) = _find((network,), runs, store).values()
    with closing(open_store(store, read_only=True)) as graph:
        found = find_nearest(graph, paper, one, k=count)
    if csv_file:
        write_csv(nearest_rows(found), csv_file)
    if as_json:
        echo_json(asdict(found))
    elif markdown:
        echo(*nearest_markdown(found))
    else:
        print_nearest(found)


def _find(named: tuple[str, ...], runs: Path | None, store: str) -> dict[str, NetworkRun]:
    """The networks meant, by kind where that tells them apart, else by run."""
    from citescape.networks.build import find_network
    from citescape.runs.directory import default_runs

    found = [find_network(runs or default_runs(store), name, location=store) for name in named]
    ids = [one.run for one in found]
    for name, one in zip(named, found, strict=True):
        if ids.count(one.run) > 1:
            raise click.UsageError(f"{name} is {one.run}, which is named twice")
    kinds = [one.kind for one in found]
    return {one.kind if kinds.count(one.kind) == 1 else one.run: one for one in found}


def _named(one: NetworkRun) -> dict[str, Any]:
    return {"run": one.run, "kind": one.kind, "path": str(one.path)}


def _with_runs(table: pa.Table, found: dict[str, NetworkRun]) -> pa.Table:
    import pyarrow as pa

    runs = [found[name].run for name in table["network"].to_pylist()]
    return table.append_column("run", pa.array(runs))
