"""Options of evaluations and of benchmarks of one's own graph."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from citescape.cli.options import Command, add_options

metric_option = click.option(
    "--metric",
    type=click.Choice(("cosine", "dot", "l2")),
    default="cosine",
    show_default=True,
    help="How vectors are compared.",
)
compare_option = click.option(
    "--compare",
    is_flag=True,
    help="Show each system's lead over the first, and p: adjusted for all comparisons of the same "
    "metric (Holm), not for those of other metrics.",
)
year_option = click.option(
    "--year", type=int, default=0, show_default="that with the most", help="Of the queries."
)
_PREFILTER = (
    click.option(
        "--min-abstract",
        type=click.IntRange(0),
        default=30,
        show_default=True,
        help="Characters of an abstract; 0 lets in papers of which only the title is known.",
    ),
    click.option(
        "--min-citations",
        type=click.IntRange(0),
        default=3,
        show_default=True,
        help="Given and received.",
    ),
)


prefilter_options = add_options(*_PREFILTER)
"""`--min-abstract`, `--min-citations`: which papers may be in it."""


def positives_option(default: int, text: str) -> Callable[[Command], Command]:
    """`--positives`: cited papers of a query."""
    return click.option(
        "--positives", type=click.IntRange(1), default=default, show_default=True, help=text
    )


_FIELDS = (
    click.option(
        "--labels",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="In place of it: CSV file headed `id,label`; several labels with `;` between.",
    ),
    click.option(
        "--most-fields",
        "fields",
        type=click.IntRange(1),
        default=19,
        show_default=True,
        help="The largest.",
    ),
    click.option(
        "--fewest",
        type=click.IntRange(1),
        default=20,
        show_default=True,
        help="Fields with fewer queries are left out.",
    ),
)


def field_options(default: str) -> Callable[[Command], Command]:
    """`--fields`, `--labels`, `--most-fields`, `--fewest`: which fields there are."""
    source = click.option(
        "--fields",
        "source",
        type=click.Choice(("venue", "subjects")),
        default=default or None,
        show_default=bool(default),
        help="What a field is." if default else "Pools by field: what a field is.",
    )
    return add_options(source, *_FIELDS)
