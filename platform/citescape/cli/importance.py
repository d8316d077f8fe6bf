"""`platform score`, `platform weights`, `platform explain`."""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citescape.cli.options import add_options, output_options, runs_option, store_option
from citescape.cli.output import echo_json, echo_table, number, plural, ticking
from citescape.cli.terminal import echo, wrap
from citescape.core.errors import list_some
from citescape.importance.components import (
    COMBINED,
    METHODS,
    PUBLISHED,
    SECTIONS,
    TABLE,
    split_names,
)

if TYPE_CHECKING:
    from citescape.importance.explain import Explanation
    from citescape.importance.score import ScoreResult
    from citescape.importance.weights import ComponentStatistics

_NARROWEST, _WIDEST = 40, 100
"""Columns of what `explain` writes."""
_TERMS_WIDTH = 80
"""Columns from which its terms stand with their meaning."""


_FEATURE_OPTIONS = (
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
        help='Where mentions in "Results and Discussion" count: in R, or half in R and half in D.',
    ),
    click.option(
        "--sections",
        type=click.Choice(SECTIONS),
        default=SECTIONS[0],
        show_default=True,
        help="Whose types of sections count: those in the graph, a model's included "
        "(`platform sections`), or those that rules tell alone.",
    ),
)


def feature_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Options that choose components and weights."""
    return add_options(*_FEATURE_OPTIONS)(function)


@click.command()
@feature_options
@store_option
@runs_option
@output_options
def score(
    features: str,
    method: str,
    combined: str,
    sections: str,
    store: str,
    runs: Path | None,
    as_json: bool,
) -> None:
    """Compute the importance of every citation and keep it on the CITES relationships.

    importance = w_I f_I + w_R f_R + w_D f_D + w_S S: how often a work is cited in introduction,
    results and discussion, and whether it is a self-citation, weighted by entropy. Run again, it
    writes only what changed.
    """
    from citescape.importance.score import score as compute
    from citescape.store.graph_store import open_store

    graph = open_store(store, create=False)
    try:
        with ticking() as ticker:
            result = compute(
                graph,
                components=split_names(features),
                weights=method,
                combined=combined,
                sections=sections,
                runs=runs,
                progress=ticker.tell,
            )
    finally:
        graph.close()
    if as_json:
        figures = _as_json(result.statistics)
        more = {"relabelled": result.relabelled, "run": result.run}
        echo_json({"pairs": result.pairs, **figures, **more})
    else:
        _print_score(result)


def _print_score(result: ScoreResult) -> None:
    change = "nothing changed" if result.unchanged else f"{plural(result.written, 'row')} written"
    echo(f"{plural(result.pairs, 'pair')} scored, {change}", "")
    _print_statistics(result.statistics)
    echo()
    _print_uncounted(result)
    echo(f"{plural(result.unmentioned, 'pair')} never mentioned in the text: all counts are 0")
    _print_relabelled(result)
    echo(f"run {result.run} is kept in {result.path}")


def _print_relabelled(result: ScoreResult) -> None:
    """How many pairs a model's section types make differ."""
    if not result.relabelled:
        return
    verb = "count" if result.config.sections == "model" else "would count"
    echo(
        f"{plural(result.relabelled, 'pair')} ({result.relabelled / result.pairs:.1%}) {verb} "
        "otherwise by a model's section types than by rules alone"
    )


@click.command()
@feature_options
@store_option
@output_options
def weights(
    features: str, method: str, combined: str, sections: str, store: str, as_json: bool
) -> None:
    """Show the components of importance and their weights; nothing is written.

    Mean, standard deviation, entropy and weight of each component over all citing-cited pairs: what
    `platform score` with the same options would use.
    """
    from citescape.importance.weigh import weigh
    from citescape.store.graph_store import open_store

    graph = open_store(store, read_only=True)
    try:
        with ticking() as ticker:
            pairs, statistics = weigh(
                graph,
                components=split_names(features),
                weights=method,
                combined=combined,
                sections=sections,
                progress=ticker.tell,
            )
    finally:
        graph.close()
    if as_json:
        echo_json({"pairs": pairs, **_as_json(statistics)})
        return
    echo(plural(pairs, "pair"), "")
    _print_statistics(statistics)


@click.command()
@click.argument("citing")
@click.argument("cited")
@store_option
@output_options
def explain(citing: str, cited: str, store: str, as_json: bool) -> None:
    """Show everything behind the importance of one citation.

    CITING and CITED are papers by any identifier: a DOI, PMID, PMCID, an address of PubMed, PubMed
    Central or Europe PMC, or the id in the graph.

    \b
    Example:
      platform explain 10.1186/s12284-018-0256-8 pmid:22876203
    """  # noqa: D301 - \b is the character that keeps click from wrapping
    from citescape.importance.explain import explain as take_apart
    from citescape.store.graph_store import open_store

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


def _print_uncounted(result: ScoreResult) -> None:
    """In-text citations that no component of the score counts."""
    by_type = ", ".join(f"{number(n)} {name}" for name, n in result.uncounted.items())
    if by_type:
        outside, total = sum(result.uncounted.values()), sum(result.mentions.values())
        echo(
            f"{number(outside)} of {plural(total, 'citation')} in the text stand in sections that "
            f"this score leaves out ({by_type})"
        )


def _print_explanation(found: Explanation) -> None:
    _print_wrapped(f"citing      {found.citing}", hang=12)
    _print_wrapped(f"cited       {found.cited}", hang=12)
    score = "not scored" if found.score is None else f"{found.score:.4f}"
    echo(f"importance  {score}" + (f"  ({found.run})" if found.run else ""))
    _print_terms(found)
    if found.shared_authors:
        echo()
        _print_wrapped(f"shared authors: {list_some(found.shared_authors, 20)}", hang=4)
    _print_mentions(found)
    for note in found.notes:
        echo()
        _print_wrapped(f"note: {note}", hang=6)


def _print_terms(found: Explanation) -> None:
    if not found.terms:
        return
    echo()
    rows: list[tuple[object, ...]] = [
        (t.component, _count(t.value), t.weight, t.product, t.doc) for t in found.terms
    ]
    rows.append(("sum", "", "", math.fsum(term.product for term in found.terms), ""))
    columns = 5 if _width() >= _TERMS_WIDTH else 4
    header = ("term", "value", "weight", "product", "")[:columns]
    echo_table(header, [row[:columns] for row in rows])


def _count(value: float) -> float:
    """A whole number without decimals."""
    return int(value) if value.is_integer() else value


def _print_mentions(found: Explanation) -> None:
    echo("", f"{plural(len(found.occurrences), 'citation')} in the text")
    for mention in found.occurrences:
        place = "" if mention.position is None else f", at {mention.position:.0%} of the text"
        left_out = ", not counted in this score" if found.terms and not mention.counts_in else ""
        kind = "+".join(mention.counts_in) or mention.type
        sure = (
            "" if mention.probability is None else f", typed by a model ({mention.probability:.0%})"
        )
        echo()
        _print_wrapped(
            f"[{kind}] {mention.section or 'untitled section'}{place}{sure}{left_out}", hang=4
        )
        echo(*wrap(mention.context, _width(), first="    ", rest="    "))


def _print_wrapped(text: str, *, hang: int) -> None:
    """At the width of the terminal; an id is never cut, so that it can be copied."""
    echo(*wrap(text, _width(), rest=" " * hang))


def _width() -> int:
    """Columns to write in: those of the terminal, 100 at most for the sake of reading."""
    return max(_NARROWEST, min(shutil.get_terminal_size().columns, _WIDEST))
