"""Papers that options list: of files, and of benchmarks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from citescape.cli.output import number, plural

if TYPE_CHECKING:
    from citescape.graph.store import GraphStore


def held_out(
    graph: GraphStore, runs: Path | None, named: str, *, candidates: bool = False
) -> tuple[str, ...]:
    """Ids of a list's papers or a benchmark's queries; how many are not in the store is told."""
    from citescape.evaluation.leakage.exclude import find_held_out
    from citescape.runs import default_runs

    if not named:
        return ()
    found = find_held_out(graph, runs or default_runs(graph.location), named, candidates=candidates)
    if found.missing:
        of = plural(found.listed, "paper")
        click.echo(f"{named}: {number(found.missing)} of {of} not in {graph.location}", err=True)
    if found.twins:
        click.echo(f"{named}: {plural(found.twins, 'more paper')} of the same titles", err=True)
    return found.ids
