"""`platform combine`."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from citescape.cli.options import command_line, output_options, runs_option, store_option
from citescape.cli.output import echo_json, echo_table, number
from citescape.core.progress import ticking
from citescape.core.terminal import echo
from citescape.core.types import FACETS

if TYPE_CHECKING:
    from citescape.training.combine import Combined


@click.command()
@click.argument("encoders", nargs=-1, required=True, metavar="ENCODER ENCODER...")
@click.option(
    "--triplets",
    default="",
    metavar="RUN|FILE",
    help="Choose the weights on the validation side of these triplets.",
)
@click.option(
    "--facet",
    type=click.Choice(FACETS),
    help="Of triplets that `platform sample facet` made: which file.",
)
@click.option("--weights", default="", metavar="W,W,W", help="Give the weights instead.")
@click.option(
    "--step",
    type=click.FloatRange(0.01, 0.5),
    default=0.1,
    show_default=True,
    help="Of the grid of weights tried.",
)
@store_option
@runs_option
@output_options
def combine(
    encoders: tuple[str, ...],
    triplets: str,
    facet: str | None,
    weights: str,
    step: float,
    store: str,
    runs: Path | None,
    as_json: bool,
) -> None:
    """Make one encoder of several: the weighted sum of their vectors.

    Meant for the encoders of the background, method and result facets (FLeW). Weights are positive
    and sum to one; those are chosen that order most validation triplets of a task rightly. If
    several do equally well, the most equal ones.

    \b
    Example:
      platform sample facet
      platform train --triplets SAMPLE --facet background    and method, and result
      platform combine RUN RUN RUN --triplets TASK
    """  # noqa: D301 - \b is the character that keeps click from wrapping
    from dataclasses import asdict

    from citescape.runs.directory import default_runs
    from citescape.sampling.triplets import locate_triplets, read_triplets
    from citescape.store.graph_store import open_store
    from citescape.training.combine import combine_encoders

    if len(encoders) < 2:
        raise click.UsageError("one encoder to combine; expected two or more")
    given = _read_weights(weights)
    if bool(given) == bool(triplets):
        raise click.UsageError("expected either --triplets, to search weights by, or --weights")
    folder = runs or default_runs(store)
    task = read_triplets(locate_triplets(folder, triplets, facet or "")) if triplets else None
    with closing(open_store(store, create=False)) as graph, ticking() as ticker:
        made = combine_encoders(
            graph,
            encoders,
            task=task,
            weights=given,
            step=step,
            runs=runs,
            progress=ticker.tell,
        )
    if as_json:
        echo_json({**asdict(made), "path": str(made.path)})
        return
    _print(made)
    echo(f"next: {command_line(f'embed --encoder {made.run}', store, runs)}")


def _read_weights(text: str) -> tuple[float, ...]:
    try:
        return tuple(float(part) for part in text.split(",")) if text else ()
    except ValueError as error:
        raise click.UsageError(
            f"--weights {text!r}; expected numbers with commas between"
        ) from error


def _print(made: Combined) -> None:
    alone = made.figures.get("alone", [None] * len(made.parts))
    rows = [
        (Path(part).name, weight, score)
        for part, weight, score in zip(made.parts, made.weights, alone, strict=True)
    ]
    echo_table(("encoder", "weight", "alone"), rows)
    if made.figures:
        echo(
            "",
            f"ordered rightly of {number(made.figures['triplets'])} validation triplets: "
            f"{made.figures['score']:.4f}, with equal weights {made.figures['equal_weights']:.4f}; "
            f"best of {made.figures['points']} points, {made.figures['tied']} equally good",
        )
    echo("", f"{'there already' if made.unchanged else 'kept'} in {made.path}")
