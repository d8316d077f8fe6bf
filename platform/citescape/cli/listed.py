"""Files that list papers, as options take them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from citescape.cli.output import number

if TYPE_CHECKING:
    from citescape.graph.store import GraphStore


def listed(graph: GraphStore, path: Path | None) -> tuple[str, ...]:
    """Ids of the papers that a file lists; how many of its lines mean none is told."""
    from citescape.networks.id_lists import find_listed, read_id_list

    if path is None:
        return ()
    found = find_listed(graph, read_id_list(path))
    if found.missing:
        click.echo(
            f"{path}: lines that mean no paper of {graph.location}: {number(found.missing)} of "
            f"{number(found.listed)}",
            err=True,
        )
    return found.ids
