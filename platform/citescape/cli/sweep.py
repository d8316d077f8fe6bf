"""`platform sweep`."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citescape.cli.options import output_options, runs_option, store_option
from citescape.cli.output import echo_json, echo_table
from citescape.cli.sample_options import positives_option
from citescape.core.progress import ticking
from citescape.core.terminal import echo

if TYPE_CHECKING:
    import pyarrow as pa


class Numbers(click.ParamType[tuple[float, ...]]):
    """Numbers with commas between: `0,1,2`; an empty text for none."""

    name = "N,N,..."

    def __init__(self, kind: type[int] | type[float]) -> None:
        self.kind = kind

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[float, ...]:
        """The numbers.

        Raises:
            UsageError: a part is no number.
        """
        try:
            return tuple(self.kind(part) for part in str(value).split(",") if value)
        except ValueError:
            self.fail(f"{value!r}; expected numbers with commas between, such as 0,1,2", param, ctx)


@click.command()
@positives_option
@click.option(
    "-H",
    "--hard",
    "hards",
    type=Numbers(int),
    default="",
    show_default="every one from 0 to K",
    help="Numbers of hard negatives an anchor to try.",
)
@click.option(
    "--margin",
    "margins",
    type=Numbers(float),
    default="1",
    show_default=True,
    help="Margins to try.",
)
@click.option(
    "--far",
    "fars",
    type=Numbers(int),
    default="",
    show_default="none",
    help="Also SciNCL's bands with these k, the graph embedded anew without held-out anchors.",
)
@click.option(
    "--seeds", type=click.IntRange(1), default=5, show_default=True, help="Each so often."
)
@click.option(
    "--epochs", type=click.IntRange(1), default=2, show_default=True, help="Passes over triplets."
)
@click.option(
    "--vectors",
    default="",
    metavar="RUN",
    show_default="those in the graph, else the last",
    help="Of `platform embed`: the frozen encoder's vectors.",
)
@store_option
@runs_option
@output_options
def sweep(
    positives: int,
    hards: tuple[int, ...],
    margins: tuple[float, ...],
    fars: tuple[int, ...],
    seeds: int,
    epochs: int,
    vectors: str,
    store: str,
    runs: Path | None,
    as_json: bool,
) -> None:
    """Compare samplers and their settings, over seeds, with controls.

    Adapters are trained on triplets of a graph without the held-out anchors, and judged by whether
    their references come nearer than others do: AUC, .5 is chance. `easy` sets them against random
    papers, `hard` against works that are cited beside one of them, `important` the important
    references against the least important ones. `uniform` is random references above random papers,
    `shuffled` deals importances out anew within each reference list.

    \b
    Example:
      platform embed                         vectors of the encoder as it is
      platform sweep --hard 0,2,4 --margin 0.5,1
    """  # noqa: D301 - \b is the character that keeps click from wrapping
    from citescape.runs.directory import default_runs
    from citescape.store.graph_store import open_store
    from citescape.training.sweep_run import SweepConfig, run_sweep

    config = SweepConfig(positives, hards, margins, fars, seeds=seeds, epochs=epochs)
    folder = runs or default_runs(store)
    with closing(open_store(store, create=False)) as graph, ticking() as ticker:
        made = run_sweep(graph, config, vectors=vectors, runs=folder, progress=ticker.tell)
    if as_json:
        told = {"run": made.run, "path": str(made.path), "unchanged": made.unchanged}
        echo_json({**told, "arms": made.summary.to_pylist()})
        return
    _print(made.summary)
    echo("", f"{'there already' if made.unchanged else 'kept'} in {made.path}")


def _print(summary: pa.Table) -> None:
    rows = summary.to_pylist()
    several = rows[0]["seeds"] > 1
    spread = f"{rows[0]['seeds']} seeds, mean ± deviation" if several else "one seed, so no spread"
    echo(f"AUC on held-out anchors, {spread}", "")
    names = ("easy", "hard", "important")
    table = [
        (row["arm"], row["triplets"], *(_told(row[n], row[f"{n}_sd"]) for n in names))
        for row in rows
    ]
    echo_table(("way", "triplets", *names), table)
    compared = [row for row in rows if row["control"]]
    if not several:
        echo("", "leads over uniform, seed by seed, want --seeds 2 or more")
        return
    if not compared:
        return
    echo("", "lead over uniform, seed by seed, mean ± standard error", "")
    leads = [
        (row["arm"], *(_told(row[f"{n}_lead"], row[f"{n}_lead_se"], sign="+") for n in names))
        for row in compared
    ]
    echo_table(("way", *names), leads)


def _told(value: float | None, spread: float | None, *, sign: str = "") -> str:
    if value is None:
        return "none"
    return f"{value:{sign}.3f}" + ("" if spread is None else f" ± {spread:.3f}")
