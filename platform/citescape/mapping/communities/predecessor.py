"""The earlier clustering whose names a new one keeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from citescape.core.errors import ConfigError
from citescape.mapping.communities.clustering import COMMAND, ClusterRun
from citescape.mapping.communities.levels import Level
from citescape.mapping.communities.lineage import LINEAGE, Named, name_communities
from citescape.runs.directory import RunRecord, list_runs, run_id
from citescape.runs.kept import find_kept, list_kept

NONE = "none"
"""Instead of a run: no names are kept."""
_ALIKE = ("kind", "papers")
"""Inputs that are equal in networks whose clusterings are compared by default."""


def find_same(runs: Path, record: RunRecord) -> Path | None:
    """The last run that equals a record but for the run whose names it keeps."""
    for other, path in reversed(list_runs(runs, COMMAND)):
        alike = {**other.inputs, "previous": ""} == record.inputs and other.config == record.config
        if alike and other.id == run_id(COMMAND, other.config, other.inputs):
            return path
    return None


def find_previous(
    runs: Path, named: str, record: RunRecord, *, current: str = ""
) -> ClusterRun | None:
    """The clustering whose names a new one keeps.

    Args:
        runs: folder of run directories.
        named: a run or folder; `NONE`; empty for one of a network of the same kind and papers,
            with similar levels (a hierarchy of as many, a single one, or the same several): the one
            in the graph, else the last.
        record: of the new clustering.
        current: the run whose communities are in the graph.

    Raises:
        ConfigError: there is no such run, or its levels differ.
    """
    if named == NONE:
        return None
    if named:
        run = find_kept(ClusterRun, runs, named)
        if _shape(run.record.config) != _shape(record.config):
            raise ConfigError(
                f"{run.run} has the levels {', '.join(run.levels)}, which are not of the kind "
                "asked for; expected a run with such levels to keep names of, or `none`"
            )
        return run
    alike = [
        run
        for run in list_kept(ClusterRun, runs)
        if all(run.record.inputs.get(name) == record.inputs[name] for name in _ALIKE)
        and _shape(run.record.config) == _shape(record.config)
    ]
    return max(reversed(alike), key=lambda run: run.run == current, default=None)


def name_levels(
    levels: Sequence[Level], previous: ClusterRun | None, *, nested: bool
) -> tuple[list[Named], pa.Table]:
    """Names for the communities of each level, and the events since `previous` (`LINEAGE`).

    Names are `macro-1`, `meso-7` or `micro-33`; of a single level `c12`; of several that are not
    nested, the resolution before the number.
    """
    named, lineages = [], [LINEAGE.empty_table()]
    earlier = previous.levels if previous else []
    for place, level in enumerate(levels):
        before = None
        if previous and len(earlier) == len(levels):
            name = earlier[place]
            names = previous.communities(name)["name"].to_pylist()
            numbered = int(previous.record.counts["numbered"][name])
            before = Named(previous.read(name), names, numbered)
        prefix = f"{level.name}-" if nested or len(levels) > 1 else "c"
        item, lineage = name_communities(level.clustering, prefix, before)
        named.append(item)
        lineages.append(lineage.set_column(0, "level", pa.repeat(level.name, lineage.num_rows)))
    return named, pa.concat_tables(lineages)


def _shape(config: Mapping[str, Any]) -> tuple[object, ...]:
    """The levels of a configuration; names are kept between runs with equal shapes."""
    given = (config.get(name) for name in ("resolutions", "communities", "sizes"))
    values = [value if isinstance(value, list | tuple) else [] for value in given]
    count = max(map(len, values))
    if config.get("nested") or not count:
        return ("nested", count or 3)
    return ("single",) if count == 1 else ("several", values)
