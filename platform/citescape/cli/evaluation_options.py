"""Options of evaluations."""

from __future__ import annotations

import click

compare_option = click.option(
    "--compare",
    is_flag=True,
    help="Show each system's lead over the first, and p: adjusted for all comparisons of the same "
    "metric (Holm), not for those of other metrics.",
)
