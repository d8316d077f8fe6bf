"""`platform accuracy`."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

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
    from citescape.mapping.communities.judge import AccuracyRun
    from citescape.mapping.communities.summary import Line
    from citescape.mapping.communities.task import JudgeConfig

_CRITERIA = ("mesh", "keywords", "subjects", "venue")


@click.command()
@click.argument("networks", metavar="[NETWORK[=NAME]...]", nargs=-1)
@click.option(
    "--criterion",
    type=click.Choice(_CRITERIA),
    default=None,
    show_default="keywords",
    help="Medical Subject Headings, author keywords, subjects given by journals, or the journal.",
)
@click.option(
    "--labels",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="In place of it: CSV file headed `id,label`; several labels with `;` between.",
)
@click.option(
    "--resolutions",
    type=click.IntRange(2),
    default=12,
    show_default=True,
    help="Clusterings of each network, from coarse to fine.",
)
@click.option(
    "--seeds", type=click.IntRange(1), default=3, show_default=True, help="Each so often."
)
@seed_option
@click.option(
    "--coarsest",
    type=click.FloatRange(1),
    default=5,
    show_default=True,
    help="So many communities of equal size are as coarse as is compared.",
)
@click.option(
    "--finest",
    type=click.FloatRange(1),
    default=4,
    show_default=True,
    help="Communities of so many papers are as fine as is compared.",
)
@click.option(
    "--quality",
    type=click.Choice(("cpm", "modularity")),
    default="cpm",
    show_default=True,
    help="What communities are sought by: constant Potts model, or modularity.",
)
@store_option
@runs_option
@output_options
def accuracy(
    networks: tuple[str, ...],
    criterion: str | None,
    labels: Path | None,
    resolutions: int,
    seeds: int,
    seed: int,
    coarsest: float,
    finest: float,
    quality: str,
    store: str,
    runs: Path | None,
    as_json: bool,
) -> None:
    """Judge networks by how well their communities agree with a criterion.

    NETWORK is a run of `platform network build`, its folder or a kind; by default the last one of
    every kind. Accuracy is how much of what the criterion relates to a paper is in the paper's
    community, 0 to 1. It falls as communities get smaller, so networks are compared at equal
    granularity: relative accuracy is a network's accuracy over the mean of all, 1 on average. Two
    lines bound them: communities of the criterion itself, and of a random network.

    The criterion should have had no part in making the networks; where it may have had, a note says
    so. Needs `pip install 'citescape[map]'`.

    \b
    Examples:
      platform accuracy                          every kind of network, by author keywords
      platform accuracy knn coupling --criterion mesh
      platform accuracy RUN=SciBERT RUN=SciNCL --labels fields.csv
    """  # noqa: D301 - \b is the character that keeps click from wrapping
    from citescape.mapping.communities.task import JudgeConfig
    from citescape.runs.directory import default_runs

    if criterion and labels:
        raise click.UsageError("--criterion and --labels are two criteria; expected one of them")
    config = JudgeConfig(
        resolutions, seeds, seed, coarsest=coarsest, finest=finest, quality=quality
    )
    chosen = "labels" if labels else criterion or "keywords"
    folder = runs or default_runs(store)
    made = _judge(store, networks, config, criterion=chosen, labels=labels, runs=folder)
    if as_json:
        told = {"run": made.run, "path": str(made.path), "unchanged": made.unchanged}
        echo_json({**told, "criterion": chosen, **made.counts})
        return
    _print(made, chosen)
    best = made.lines[0]
    if best.relative is not None:
        named = made.record.inputs["networks"][best.name]
        line = command_line(f"cluster --network {named}", store, runs)
        echo(f"communities of {best.name}: {line}")


def _judge(
    store: str,
    networks: tuple[str, ...],
    config: JudgeConfig,
    *,
    criterion: str,
    labels: Path | None,
    runs: Path,
) -> AccuracyRun:
    """The store is open while the criterion is read, not while networks are clustered."""
    from citescape.mapping.communities.compared import find_networks
    from citescape.mapping.communities.judge import judge
    from citescape.mapping.communities.task import read_task
    from citescape.sampling.labels import read_labels
    from citescape.store.graph_store import open_store

    rows = read_labels(labels) if labels else None
    with ticking() as ticker:
        with closing(open_store(store, read_only=True)) as graph:
            found = find_networks(runs, networks, location=store)
            task = read_task(graph, found, criterion, labels=rows, progress=ticker.tell)
        return judge(task, config, runs=runs, progress=ticker.tell)


def _print(made: AccuracyRun, criterion: str) -> None:
    counts, config = made.counts, made.record.config
    echo(
        f"{number(counts['judged'])} of {plural(counts['papers'], 'paper')} judged by {criterion}; "
        f"{number(counts['without_criterion'])} have none, "
        f"{number(counts['without_relative'])} share none with another"
    )
    if counts.get("labels_without_paper"):
        echo(f"{plural(counts['labels_without_paper'], 'label')} of papers not in the store")
    several = config["seeds"] > 1
    spread = f"{config['seeds']} seeds, mean ± deviation" if several else "one seed, so no spread"
    echo(f"{plural(config['resolutions'], 'resolution')}, {spread}", "")
    marks = [f"at {mark:.2g}" for mark in counts["marks"]]
    rows = [
        (line.title, line.edges, _relative(line, counts["left_out"]), *line.accuracy)
        for line in made.lines
    ]
    echo_table(("network", "edges", "relative", "accuracy " + marks[0], *marks[1:]), rows)
    echo()
    for note in counts["notes"]:
        echo(f"note: {note}")
    state = "there already" if made.unchanged else f"{made.record.seconds:,.0f} s"
    echo(f"run {made.run} ({state})")
    echo(f"picture: {made.path / 'accuracy.png'}")


def _relative(line: Line, left_out: Sequence[str]) -> str:
    if line.relative is None:
        return "left out" if line.name in left_out else ""
    spread = "" if line.spread is None else f" ± {line.spread:.4f}"
    return f"{line.relative:.3f}{spread}"
