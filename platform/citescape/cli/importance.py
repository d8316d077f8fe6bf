"""`platform score`, `platform weights`, `platform explain`."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citescape.cli.options import output_options, runs_option, store_option
from citescape.cli.output import echo_json, echo_table, plural, ticking
from citescape.features.components import COMBINED, METHODS, PUBLISHED, TABLE

if TYPE_CHECKING:
    from citescape.features.explain import Explanation
    from citescape.features.weights import ComponentStatistics


def feature_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Options that choose components and weights."""
    for option in reversed(
        (
            click.option(
                "--features",
                default=",".join(PUBLISHED),
                show_default=True,
                help="Components of the score, "
                + "; ".join(f"{name}: {component.doc}" for name, component in TABLE.items())
                + ".",
            ),
            click.option(
                "--weights",
                "method",
                type=click.Choice(METHODS),
                default=METHODS[0],
                show_default=True,
                help="Entropy weights, or the same weight for each.",
            ),
            click.option(
                "--combined",
                type=click.Choice(COMBINED),
                default=COMBINED[0],
                show_default=True,
                help='Where mentions in "Results and Discussion" count: in R, or half in R and '
                "half in D.",
            ),
        )
    ):
        function = option(function)
    return function


@click.command()
@feature_options
@store_option
@runs_option
@output_options
def score(features: str, method: str, combined: str, store: str, runs: Path, as_json: bool) -> None:
    """Compute the importance of every citation and keep it on the CITES relationships.

    importance = w_I f_I + w_R f_R + w_D f_D + w_S S: how often a work is cited in introduction,
    results and discussion, and whether it is a self-citation, weighted by entropy. Run again, it
    writes only what changed.
    """
    from citescape.features.score import score as compute
    from citescape.graph.store import open_store

    graph = open_store(store, create=False)
    try:
        with ticking() as ticker:
            result = compute(
                graph,
                components=_split(features),
                weights=method,
                combined=combined,
                runs=runs,
                progress=ticker.tell,
            )
    finally:
        graph.close()
    if as_json:
        echo_json({"pairs": result.pairs, **_as_json(result.statistics), "run": result.run})
        return
    change = "nothing changed" if result.unchanged else f"{plural(result.written, 'row')} written"
    click.echo(f"{plural(result.pairs, 'pair')} scored, {change}\n")
    _print_statistics(result.statistics)
    click.echo(
        f"\n{plural(result.unmentioned, 'pair')} never mentioned in the text: all counts are 0"
    )
    click.echo(f"run {result.run} is kept in {result.path}")


@click.command()
@feature_options
@store_option
@output_options
def weights(features: str, method: str, combined: str, store: str, as_json: bool) -> None:
    """Show the components of importance and their weights; nothing is written.

    Mean, standard deviation, entropy and weight of each component over all citing-cited pairs: what
    `platform score` with the same options would use.
    """
    from citescape.features.weigh import weigh
    from citescape.graph.store import open_store

    graph = open_store(store, read_only=True)
    try:
        with ticking() as ticker:
            pairs, statistics = weigh(
                graph,
                components=_split(features),
                weights=method,
                combined=combined,
                progress=ticker.tell,
            )
    finally:
        graph.close()
    if as_json:
        echo_json({"pairs": pairs, **_as_json(statistics)})
        return
    click.echo(f"{plural(pairs, 'pair')}\n")
    _print_statistics(statistics)


@click.command()
@click.argument("citing")
@click.argument("cited")
@store_option
@output_options
def explain(citing: str, cited: str, store: str, as_json: bool) -> None:
    """Show everything behind the importance of one citation.

    CITING and CITED are papers by any identifier: a DOI, PMID, PMCID or the id in the graph.

    \b
    Example:
      platform explain 10.3390/ijms20010130 pmid:22876203
    """  # noqa: D301 - \b is the character that keeps click from wrapping
    from citescape.features.explain import explain as take_apart
    from citescape.graph.store import open_store

    graph = open_store(store, read_only=True)
    try:
        found = take_apart(graph, citing, cited)
    finally:
        graph.close()
    if as_json:
        from dataclasses import asdict

        echo_json(asdict(found))
    else:
        _print_explanation(found)


def _split(features: str) -> list[str]:
    return [name.strip() for name in features.split(",") if name.strip()]


def _as_json(statistics: tuple[ComponentStatistics, ...]) -> dict[str, object]:
    return {
        "weights": {row.component: row.weight for row in statistics},
        "components": {
            row.component: {
                "mean": row.mean,
                "std": row.std,
                "entropy": row.entropy,
                "weight": row.weight,
            }
            for row in statistics
        },
    }


def _print_statistics(statistics: tuple[ComponentStatistics, ...]) -> None:
    rows = [(r.component, r.mean, r.std, r.entropy, r.weight) for r in statistics]
    echo_table(("component", "mean", "std", "entropy", "weight"), rows)


def _print_explanation(found: Explanation) -> None:
    click.echo(f"citing      {found.citing}")
    click.echo(f"cited       {found.cited}")
    score = "not scored" if found.score is None else f"{found.score:.4f}"
    click.echo(f"importance  {score}" + (f"  ({found.run})" if found.run else ""))
    if found.terms:
        click.echo()
        rows: list[tuple[object, ...]] = [
            (t.component, _count(t.value), t.weight, t.product, t.doc) for t in found.terms
        ]
        total = math.fsum(term.product for term in found.terms)
        rows.append(("sum", "", "", total, ""))
        echo_table(("term", "value", "weight", "product", ""), rows)
    if found.shared_authors:
        click.echo(f"\nshared authors: {', '.join(found.shared_authors)}")
    _print_mentions(found)
    for note in found.notes:
        click.echo(f"\nnote: {note}")


def _count(value: float) -> float:
    """A whole number without decimals."""
    return int(value) if value.is_integer() else value


def _print_mentions(found: Explanation) -> None:
    click.echo(f"\n{plural(len(found.occurrences), 'citation')} in the text")
    for mention in found.occurrences:
        place = "" if mention.position is None else f", at {mention.position:.0%} of the text"
        click.echo(f"\n[{mention.type}] {mention.section or 'untitled section'}{place}")
        click.echo(click.wrap_text(mention.context, 96, "    ", "    "))
