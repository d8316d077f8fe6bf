"""`platform demo`."""

from __future__ import annotations

from pathlib import Path

import click

from citescape.cli.options import SEED, command_line, output_options, program
from citescape.cli.output import echo_json
from citescape.core.terminal import echo


@click.command()
@click.option("--papers", default=300, show_default=True, type=click.IntRange(50), help="Papers.")
@click.option(
    "--seed",
    default=0,
    show_default=True,
    type=SEED,
    help="Seed of the generated world.",
)
@click.option(
    "--folder",
    default="demo-citescape",
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Where papers, store, runs and report go; an earlier demo there is replaced.",
)
@click.option(
    "--learn/--no-learn",
    default=True,
    show_default=True,
    help="Train an encoder, prove over eight seeds that learning finds what was planted, map the "
    "papers by its vectors, and prove over five that profiles find what works are cited for.",
)
@output_options
def demo(papers: int, seed: int, folder: Path, learn: bool, as_json: bool) -> None:
    """Run the whole chain on a generated corpus and write a report page.

    A small scholarly world is generated, with a known importance behind every citation, and written
    as full-text articles of varied markup. They are ingested and scored like real ones, and the
    results are compared with what was planted. Then an encoder learns from the most important
    citations, samplers are compared with their controls on planted vectors, and communities of
    several networks with the planted topics; a map shows them. Last, citations are recommended in
    literatures where it is known what each work is cited for.
    """
    from citescape.demo.run import STORE, run_demo

    report = (lambda line: None) if as_json else echo
    result = run_demo(
        folder, papers=papers, seed=seed, learn=learn, program=program(), report=report
    )
    report(f"   query it: {command_line('cypher', str(folder / STORE))}")
    report(f"   explore it in the browser: {command_line('serve', str(folder / STORE))}")
    if as_json:
        echo_json(result.figures)
    if result.failure:
        raise result.failure
