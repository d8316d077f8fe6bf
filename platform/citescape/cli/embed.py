"""`platform embed`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from citescape.cli.options import (
    command_line,
    encoder_option,
    output_options,
    runs_option,
    store_option,
)
from citescape.cli.output import echo_json, number
from citescape.core.progress import ticking
from citescape.core.terminal import echo
from citescape.runs.result import plural

if TYPE_CHECKING:
    from citescape.embeddings.embed import EmbedConfig, Embedded
    from citescape.search.graph_vectors import WrittenVectors


@click.command()
@encoder_option
@click.option(
    "--form",
    type=click.Choice(("sep", "joined")),
    default=None,
    show_default="the encoder's own",
    help="Title, separator, abstract and the state of the first token (SciNCL, SPECTER, FLeW); or "
    "title, blank, abstract and the mean of all tokens (CIA).",
)
@click.option(
    "--pooling",
    type=click.Choice(("cls", "mean")),
    default=None,
    show_default="the encoder's own, or the form's",
    help="First token, or mean.",
)
@click.option(
    "--papers",
    type=click.Choice(("all", "fulltext")),
    default="all",
    show_default=True,
    help="All, also those known from reference lists only, mostly by title; or full texts only.",
)
@click.option(
    "--max-tokens",
    type=click.IntRange(4),
    default=None,
    show_default="the encoder's own, else 512",
    help="Longer texts are cut.",
)
@click.option(
    "--threads", type=click.IntRange(1), default=None, show_default="torch's own", help="Of torch."
)
@click.option(
    "--precision",
    type=click.Choice(("auto", "float32", "bfloat16")),
    default="auto",
    show_default=True,
    help="Auto: bfloat16 where the processor multiplies in it, else float32.",
)
@click.option("--no-graph", is_flag=True, help="Keep the vectors beside the store only.")
@store_option
@runs_option
@output_options
def embed(
    encoder: str,
    form: str | None,
    pooling: str | None,
    papers: str,
    max_tokens: int | None,
    threads: int | None,
    precision: str,
    no_graph: bool,
    store: str,
    runs: Path | None,
    as_json: bool,
) -> None:
    """Turn titles and abstracts into vectors, and write them to the graph.

    The vectors are kept in a run directory; the graph holds those of one run at a time, for
    `platform similar` and queries. It may be interrupted and run again: what is encoded is not
    encoded again. Papers without an abstract are encoded by their title and marked. ENCODER may
    also be a run of `platform train`. Needs `pip install 'citescape[learn]'`.
    """
    from citescape.embeddings.embed import EmbedConfig
    from citescape.runs.directory import default_runs

    config = EmbedConfig(
        encoder, form or "", pooling or "", max_tokens or 0, precision, threads or 0
    )
    made, written = _embed(
        store, runs or default_runs(store), config, papers=papers, to_graph=not no_graph
    )
    if as_json:
        figures = {"run": made.record.id, "path": str(made.path), "unchanged": made.unchanged}
        graph = asdict(written) if written else None
        echo_json({**figures, **made.record.counts, "graph": graph})
    else:
        _print_run(made, written)
        named = f" --run {made.run}" if written is None else ""
        similar = command_line(f"similar PAPER{named}", store, runs)
        echo(f"nearest papers: {similar}")


def _embed(
    store: str, runs: Path, config: EmbedConfig, *, papers: str, to_graph: bool
) -> tuple[Embedded, WrittenVectors | None]:
    """The store is open to be read, then to be written, but not while texts are encoded."""
    from citescape.embeddings.embed import embed as compute
    from citescape.encoders.saved import check_encoder
    from citescape.papers.documents import read_corpus
    from citescape.search.graph_vectors import write_embeddings
    from citescape.store.graph_store import open_store

    with ticking() as ticker:
        check_encoder(runs, config.encoder)
        ticker.tell("reading titles and abstracts")
        graph = open_store(store, read_only=True)
        try:
            corpus = read_corpus(graph, papers)
        finally:
            graph.close()
        made = compute(corpus, config, runs=runs, progress=ticker.tell)
        if not to_graph:
            return made, None
        graph = open_store(store, create=False)
        try:
            return made, write_embeddings(graph, made.vectors, made.record, progress=ticker.tell)
        finally:
            graph.close()


def _called(encoder: str) -> str:
    """A hub id, or the last part of a folder: of a run its id."""
    return Path(encoder).name if Path(encoder).is_absolute() else encoder


def _print_run(made: Embedded, written: WrittenVectors | None) -> None:
    counts, config = made.record.counts, made.record.config
    state = "unchanged, was there already" if made.unchanged else f"{made.record.seconds:,.0f} s"
    echo(
        f"{plural(counts['papers'], 'vector')} of {counts['dimensions']} numbers by "
        f"{_called(config['encoder'])} ({config['form']}, {config['pooling']}, at most "
        f"{config['max_tokens']} tokens, {config['precision']})"
    )
    echo(
        f"{number(counts['titles_only'])} by title only, {number(counts['abstracts_only'])} by "
        f"abstract only; {plural(counts['left_out'], 'paper')} with neither left out"
    )
    if "adapted_from" in counts:
        echo(f"adapted from the vectors of its base in {counts['adapted_from']}")
    elif not made.unchanged:
        echo(
            f"{number(counts['tokens'])} tokens, {number(counts['tokens_per_second'])} a second; "
            f"at most {number(made.record.peak_memory_mb)} MB"
        )
    echo(f"run {made.record.id} in {made.path} ({state})")
    if written:
        echo(
            f"graph: {plural(written.inserted, 'vector')} written, {number(written.removed)} of "
            "earlier runs removed"
        )
        if written.not_in_graph:
            echo(f"       {plural(written.not_in_graph, 'paper')} of the run are not in it")
