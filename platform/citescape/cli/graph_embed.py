"""`platform graph-embed`."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citescape.cli.listed import held_out
from citescape.cli.options import (
    add_options,
    command_line,
    output_options,
    runs_option,
    seed_option,
    store_option,
)
from citescape.cli.output import echo_json, echo_table, number
from citescape.core.progress import ticking
from citescape.core.terminal import echo
from citescape.core.types import FACETS
from citescape.encoders.graph_config import COMPARATORS, LOSSES, TABLES, GraphConfig
from citescape.runs.result import plural

if TYPE_CHECKING:
    from citescape.embeddings.graph_embed import EmbeddedGraph, GraphEmbedConfig

_WEIGHTS = ("none", "importance", *FACETS)
_WAYS = ("sum", "source", "target", "both")
Command = Callable[..., Any]


_OPTIONS = (
    click.option(
        "--weight",
        type=click.Choice(_WEIGHTS),
        default="none",
        show_default=True,
        help="What a citation counts: the same, its importance, or how many of its contexts "
        "have an intent; citations without any are left out.",
    ),
    click.option(
        "--dimensions",
        type=click.IntRange(1),
        default=GraphConfig.dimensions,
        show_default=True,
        help="Of a vector.",
    ),
    click.option(
        "--epochs",
        type=click.IntRange(1),
        default=GraphConfig.epochs,
        show_default=True,
        help="Passes over the citations. More make held-out ones worse where they are few.",
    ),
    click.option(
        "--lr",
        type=click.FloatRange(0, min_open=True),
        default=None,
        show_default=".4 / sqrt(dimensions), .2 without correction",
        help="Learning rate.",
    ),
    click.option(
        "--loss",
        type=click.Choice(LOSSES),
        default=GraphConfig.loss,
        show_default=True,
        help="Cross-entropy over candidates, or a margin to each.",
    ),
    click.option(
        "--correction/--no-correction",
        default=None,
        show_default="with softmax of dot products",
        help="Lessen the scores of candidates by the log of how often they are drawn.",
    ),
    click.option(
        "--margin",
        type=click.FloatRange(0, min_open=True),
        default=GraphConfig.margin,
        show_default=True,
        help="Of the ranking loss.",
    ),
    click.option(
        "--temperature",
        type=click.FloatRange(0, min_open=True),
        default=None,
        show_default="1, .2 with cosines or --max-norm",
        help="What softmax divides scores by.",
    ),
    click.option(
        "--batch",
        type=click.IntRange(1),
        default=GraphConfig.batch,
        show_default=True,
        help="Citations of one step.",
    ),
    click.option(
        "--chunk",
        type=click.IntRange(1),
        default=GraphConfig.chunk,
        show_default=True,
        help="Citations of a step that are each other's negatives.",
    ),
    click.option(
        "--negatives",
        type=click.IntRange(0),
        default=GraphConfig.uniform,
        show_default=True,
        help="Further negatives of a chunk, drawn from all papers.",
    ),
    click.option(
        "--comparator",
        type=click.Choice(COMPARATORS),
        default=GraphConfig.comparator,
        show_default=True,
        help="How a score is made of two vectors.",
    ),
    click.option(
        "--tables",
        type=click.Choice(TABLES),
        default=GraphConfig.tables,
        show_default=True,
        help="A vector for citing and one for being cited, or one for both.",
    ),
    click.option(
        "--vectors",
        type=click.Choice(_WAYS),
        default=_WAYS[0],
        show_default=True,
        help="Of two, what is written: their sum, one of them, or both side by side.",
    ),
    click.option(
        "--max-norm",
        type=click.FloatRange(0, min_open=True),
        default=None,
        show_default="none",
        help="Greatest length of a vector.",
    ),
    click.option("--undirected", is_flag=True, help="Take each citation both ways."),
    click.option(
        "--exclude",
        multiple=True,
        metavar="RUN|FILE",
        help="Left out of the graph: a benchmark's queries (`platform benchmark mdcr`, `platform "
        "evaluate pool`), or a file with an id, DOI or PMID a line. Several are left out together.",
    ),
    click.option(
        "--with-candidates",
        is_flag=True,
        help="Of a benchmark leave out its candidates too, not only its queries.",
    ),
    click.option(
        "--holdout",
        type=click.FloatRange(0, 1, max_open=True),
        default=0.01,
        show_default=True,
        help="Predict this share of the citations instead of learning from them.",
    ),
)


def graph_options(function: Command) -> Command:
    """What decides the vectors: which citations, how they are learned from, what is written."""
    return add_options(*_OPTIONS)(function)


@click.command(name="graph-embed")
@graph_options
@seed_option
@click.option(
    "--threads",
    type=click.IntRange(1),
    default=GraphConfig.threads,
    show_default=True,
    help="Of the processor; the last digits depend on it.",
)
@click.option(
    "--device",
    default="auto",
    show_default="CUDA, or else cpu",
    metavar="cpu|cuda|…",
    help="Where to compute.",
)
@click.option(
    "--memory-map/--no-memory-map",
    default=None,
    show_default="where they take over half of the free memory",
    help="Keep the vectors on disk while they are learned.",
)
@store_option
@runs_option
@output_options
def graph_embed(store: str, runs: Path | None, as_json: bool, **options: Any) -> None:
    """Turn the citation graph into a vector for each paper.

    Papers that cite and are cited alike come to lie close together, whatever their texts say.
    Some citations are held out and predicted, so that you see what the vectors are worth. The
    vectors go into a run directory (vectors.npy beside papers.parquet); the store is only read.
    Interrupted or killed, the same command goes on from its last checkpoint. Needs
    `pip install 'citescape[learn]'`.

    \b
    Examples:
      platform graph-embed                                 all citations alike
      platform graph-embed --weight importance             important ones count more
      platform graph-embed --weight method                 one facet; needs `text intents label`
      platform graph-embed --exclude benchmark.txt         without the papers of a benchmark
    
    As SciNCL set PyTorch-BigGraph (768 dimensions, dot, margin .15, chunk 50 are defaults):
      platform graph-embed --tables shared --loss ranking --lr .1 --max-norm 1 --epochs 20 \\
        --batch 10000 --negatives 0 --holdout 0
    """  # noqa: D301 - \b is the character that keeps click from wrapping
    from citescape.embeddings.graph_embed import embed_graph
    from citescape.encoders.graph_config import Workplace
    from citescape.store.graph_store import open_store

    config = _read_config(options)
    place = Workplace(device=options["device"], memory_map=options["memory_map"])
    with closing(open_store(store, read_only=True)) as graph, ticking() as ticker:
        named, candidates = options["exclude"], options["with_candidates"]
        exclude = held_out(graph, runs, named, candidates=candidates)
        made = embed_graph(
            graph, config, exclude=exclude, place=place, runs=runs, progress=ticker.tell
        )
    _record(made, store)
    if as_json:
        echo_json(_as_json(made))
    else:
        _print_embedding(made)
        echo(f"next: {_next(made, store, runs)}")


def _record(made: EmbeddedGraph, store: str) -> None:
    """The Run node; hours of work do not fail for want of it."""
    from citescape.core.errors import StoreError
    from citescape.runs.directory import read_run, record_run
    from citescape.store.graph_store import open_store

    try:
        with closing(open_store(store, create=False)) as graph:
            record_run(graph, read_run(made.path))
    except StoreError as error:
        echo(f"{made.run} is not listed in the graph: {error}; it is whole", err=True)


def _read_config(options: dict[str, Any]) -> GraphEmbedConfig:
    from citescape.embeddings.graph_embed import GraphEmbedConfig

    same = (
        "dimensions",
        "epochs",
        "loss",
        "margin",
        "comparator",
        "tables",
        "undirected",
        "correction",
        "temperature",
        "max_norm",
        "batch",
        "chunk",
        "seed",
        "threads",
    )
    graph = GraphConfig(
        **{name: options[name] for name in same},
        learning_rate=options["lr"],
        uniform=options["negatives"],
    )
    return GraphEmbedConfig(
        weight=options["weight"],
        vectors=options["vectors"],
        holdout=options["holdout"],
        graph=graph,
    )


def _as_json(made: EmbeddedGraph) -> dict[str, Any]:
    return {
        "run": made.run,
        "path": str(made.path),
        "unchanged": made.unchanged,
        **made.counts,
        "losses": made.losses,
        "citations_per_second": made.citations_per_second,
        "seconds": made.seconds,
        "peak_memory_mb": made.peak_memory_mb,
        "link_prediction": made.figures,
    }


def _print_embedding(made: EmbeddedGraph) -> None:
    counts, graph = made.counts, made.config.graph
    if counts["excluded"]:
        echo(f"{plural(counts['excluded'], 'excluded paper')} left out of the graph")
    echo(
        f"{plural(counts['papers'], 'paper')} ({number(counts['citing'])} cite, "
        f"{number(counts['cited'])} are cited), {plural(counts['citations'], 'citation')}; "
        f"loss {made.losses[0]:.3f} in the first epoch, {made.losses[-1]:.3f} in the last "
        f"({graph.epochs}); {made.citations_per_second:,.0f} citations a second on "
        f"{counts['device']}, peak memory {number(made.peak_memory_mb)} MB",
        "",
    )
    _print_figures(made)
    echo("", f"{'there already' if made.unchanged else 'kept'} in {made.path}")


def _print_figures(made: EmbeddedGraph) -> None:
    if not made.figures:
        echo(
            "no link prediction: no citation was held out, for want of some whose ends have others"
            if made.config.holdout
            else "no link prediction: no citation was held out, as --holdout 0 says"
        )
        return
    echo(
        f"{plural(made.counts['held_out'], 'citation')} held out, each to be found among "
        f"candidates (filtered: other known citations aside):"
    )
    names = ("protocol", "side", "candidates", "mrr", "hits_at_1", "hits_at_10", "auc")
    rows = [[figure[name] for name in names] for figure in made.figures]
    echo_table(("protocol", "sought", "candidates", "MRR", "Hits@1", "Hits@10", "AUC"), rows)


def _next(made: EmbeddedGraph, store: str, runs: Path | None) -> str:
    if made.config.weight in ("none", "importance"):
        return command_line(f"sample neighbourhood --embeddings {made.run}", store, runs)
    facet = f"{made.config.weight}={made.run}"
    return command_line(f"sample facet --embeddings {facet}", store, runs)
