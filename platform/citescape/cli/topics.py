"""`platform topics`."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from citescape.cli.options import (
    command_line,
    csv_option,
    output_options,
    runs_option,
    store_option,
)
from citescape.cli.output import echo_json
from citescape.cli.topic_tables import (
    find_row,
    print_curve,
    print_topic,
    print_topics,
    tell_topics,
)
from citescape.core.progress import ticking
from citescape.core.terminal import echo

if TYPE_CHECKING:
    from citescape.mapping.communities.resolution import Chosen
    from citescape.mapping.communities.topics import TopicsConfig, TopicsRun

_FIELDS = ("subjects", "venue")


@click.command()
@click.option(
    "--clustering",
    default="",
    show_default="the one in the graph, else the last",
    metavar="RUN",
    help="Id or folder of a run of `platform cluster`.",
)
@click.option("--level", default="", show_default="the finest", help="Of the clustering.")
@click.option(
    "--choose",
    is_flag=True,
    help="The level that agrees best with the reference lists of reviews.",
)
@click.option(
    "--least",
    type=click.IntRange(2),
    default=10,
    show_default=True,
    help="With --choose: clustered papers that a review must cite.",
)
@click.option(
    "--fields",
    default="subjects",
    show_default=True,
    metavar="subjects|venue|FILE",
    help="What main fields and DIV are of: subjects given by journals, journals, or a CSV file "
    "headed `id,label`; several labels with `;` between.",
)
@click.option(
    "--top",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    help="Terms and papers kept of each topic.",
)
@click.option(
    "--vectors",
    default="",
    show_default="those of the network, else those in the graph, else the last",
    metavar="RUN",
    help="Of `platform embed`: a topic's vector is the mean of its papers'.",
)
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=40,
    show_default=True,
    help="Topics shown, the largest first.",
)
@click.option("--show", default="", metavar="NAME", help="All of one topic, by name or label.")
@csv_option
@click.option("--no-graph", is_flag=True, help="Keep the topics beside the store only.")
@store_option
@runs_option
@output_options
def topics(
    clustering: str,
    level: str,
    choose: bool,
    least: int,
    fields: str,
    top: int,
    vectors: str,
    limit: int,
    show: str,
    csv_file: Path | None,
    no_graph: bool,
    store: str,
    runs: Path | None,
    as_json: bool,
) -> None:
    """Say what communities are about.

    Each gets a label and further terms: noun phrases of titles and abstracts that set it apart
    (class-based TF-IDF), without those that communities share. Beside them: papers, their mean
    year, the importance of all citations they receive, the main field, and DIV, how
    interdisciplinary it is: variety, balance and disparity of fields, 0 to 1. Where citations have
    no scores, they are counted.

    --choose takes the level of topics: that whose communities agree best with the reference lists
    of reviews (Sjögårde and Ahlgren 2018; adjusted Rand index). It needs reviews that cite papers
    of the network. One of full texts only has few of these: build it with --papers all.

    Topics of the clustering that is in the graph are also written there.

    \b
    Examples:
      platform topics                        of the communities in the graph
      platform topics --show micro-4         one of them: terms, papers, years
      platform topics --choose --csv topics.csv
      platform topics --fields venue --level meso
    """  # noqa: D301 - \b is the character that keeps click from wrapping
    from citescape.core.spreadsheets import write_csv
    from citescape.mapping.communities.topic_table import flatten_topics
    from citescape.mapping.communities.topics import TopicsConfig
    from citescape.runs.directory import default_runs

    if choose and level:
        raise click.UsageError("--choose and --level both say which level; expected one of them")
    labels = _check_fields(fields)
    config = TopicsConfig(level, "labels" if labels else fields, top, vectors)
    folder = runs or default_runs(store)
    made, chosen = _describe(
        store, folder, config, clustering=clustering, labels=labels, least=choose * least
    )
    table = made.read()
    named = find_row(made.run, table, show) if show else None
    if csv_file:
        write_csv(flatten_topics(table), csv_file)
    written = 0 if no_graph else _write(store, made)
    if as_json:
        curve = chosen.curve.to_pylist() if chosen else None
        echo_json({**tell_topics(made, table, named), "curve": curve, "graph": written})
        return
    if chosen:
        print_curve(chosen)
    if named is not None:
        print_topic(made, table.slice(named, 1).to_pylist()[0])
        return
    print_topics(made, table, limit=limit, written=written)
    echo(f"one of them: {command_line('topics --show NAME', store, runs)}")


def _check_fields(fields: str) -> Path | None:
    """The file of labels that is meant, if any."""
    if fields in _FIELDS:
        return None
    path = Path(fields)
    if not path.is_file():
        raise click.UsageError(
            f"--fields is {fields!r}; expected {', '.join(_FIELDS)} or a CSV file that is there"
        )
    return path


def _describe(
    store: str,
    runs: Path,
    config: TopicsConfig,
    *,
    clustering: str,
    labels: Path | None,
    least: int,
) -> tuple[TopicsRun, Chosen | None]:
    """The store is open to be read."""
    from dataclasses import replace

    from citescape.mapping.communities.current import find_clustering
    from citescape.mapping.communities.resolution import BaselineConfig, choose_level
    from citescape.mapping.communities.topics import describe_topics
    from citescape.sampling.labels import read_labels
    from citescape.store.graph_store import open_store

    rows = read_labels(labels) if labels else ()
    with closing(open_store(store, read_only=True)) as graph, ticking() as ticker:
        found = find_clustering(graph, runs, clustering)
        chosen = None
        if least:
            ticker.tell("comparing levels with reviews")
            chosen = choose_level(graph, found, BaselineConfig(least=least))
            config = replace(config, level=chosen.level)
        made = describe_topics(graph, found, config, labels=rows, runs=runs, progress=ticker.tell)
        return made, chosen


def _write(store: str, made: TopicsRun) -> int:
    """Opens the store to write only where there is something to be written."""
    from citescape.mapping.communities.topic_write import is_in_graph, write_topics
    from citescape.store.graph_store import open_store

    with closing(open_store(store, read_only=True)) as graph:
        if not is_in_graph(graph, made):
            return 0
    with closing(open_store(store, create=False)) as graph:
        return write_topics(graph, made)
