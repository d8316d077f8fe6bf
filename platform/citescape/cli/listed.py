"""Papers that options list: of files, and of benchmarks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from citescape.cli.output import number
from citescape.core.terminal import echo
from citescape.runs.result import plural

if TYPE_CHECKING:
    from citescape.store.graph_store import GraphStore


def held_out(
    graph: GraphStore, runs: Path | None, lists: Sequence[str], *, candidates: bool = False
) -> tuple[str, ...]:
    """Ids of lists' papers and benchmarks' queries; how many are not in the store is told."""
    from citescape.evaluation.leakage.exclude import find_held_out
    from citescape.runs.directory import default_runs

    folder, ids = runs or default_runs(graph.location), set[str]()
    for named in lists:
        found = find_held_out(graph, folder, named, candidates=candidates)
        if found.missing:
            of, there = plural(found.listed, "paper"), graph.location
            echo(f"{named}: {number(found.missing)} of {of} not in {there}", err=True)
        if found.twins:
            echo(f"{named}: {plural(found.twins, 'more paper')} of the same titles", err=True)
        ids.update(found.ids)
    return tuple(sorted(ids))
