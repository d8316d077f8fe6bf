"""Finds the earlier clustering whose names a new clustering keeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from citescape.core.errors import ConfigError
from citescape.mapping.communities.clustering import COMMAND, ClusterRun
from citescape.mapping.communities.levels import Level
from citescape.mapping.communities.lineage import LINEAGE, NamedClustering, name_communities
from citescape.runs.directory import RunRecord, list_runs, run_id
from citescape.runs.kept import find_kept, list_kept

NONE = "none"
"""Value instead of a run: no names are kept."""
_ALIKE = ("kind", "papers")
"""Inputs that must be equal for names to be kept by default."""


def find_same(runs: Path, record: RunRecord) -> Path | None:
    """Finds the last run that equals a record, apart from the input `previous`."""
    for other, path in reversed(list_runs(runs, COMMAND)):
        alike = {**other.inputs, "previous": ""} == record.inputs and other.config == record.config
        if alike and other.id == run_id(COMMAND, other.config, other.inputs):
            return path
    return None


def find_previous(
    runs: Path, name: str, record: RunRecord, *, current: str = ""
) -> ClusterRun | None:
    """Finds the clustering whose names a new clustering keeps.

    Args:
        runs: folder of run directories.
        name: run or folder; `NONE`; or empty for a run with a network of the same kind and papers
            and similar levels (a hierarchy of as many levels, a single level, or the same levels):
            the run in the graph, else the last.
        record: record of the new clustering.
        current: the run whose communities are in the graph.

    Raises:
        ConfigError: the run does not exist, or its levels differ.
    """
    if name == NONE:
        return None
    if name:
        run = find_kept(ClusterRun, runs, name)
        if _shape(run.record.config) != _shape(record.config):
            raise ConfigError(
                f"{run.run} has the levels {', '.join(run.levels)}, which differ "
                "from the requested levels; expected a run with similar levels, or `none`"
            )
        return run
    alike = [
        run
        for run in list_kept(ClusterRun, runs)
        if all(run.record.inputs.get(key) == record.inputs[key] for key in _ALIKE)
        and _shape(run.record.config) == _shape(record.config)
    ]
    return max(reversed(alike), key=lambda run: run.run == current, default=None)


def name_levels(
    levels: Sequence[Level], previous: ClusterRun | None, *, nested: bool
) -> tuple[list[NamedClustering], pa.Table]:
    """Names the communities of each level, with the events since `previous` (`LINEAGE`).

    Names are `macro-1`, `meso-7` or `micro-33`; `c12` for a single level; for several levels that
    are not nested, the resolution and the number.

    Args:
        levels: levels to name.
        previous: earlier run, or None.
        nested: whether the levels are a hierarchy.
    """
    named, lineages = [], [LINEAGE.empty_table()]
    earlier = previous.levels if previous else []
    for place, level in enumerate(levels):
        before = None
        if previous and len(earlier) == len(levels):
            name = earlier[place]
            names = previous.communities(name)["name"].to_pylist()
            numbered = int(previous.record.counts["numbered"][name])
            before = NamedClustering(previous.read(name), names, numbered)
        prefix = f"{level.name}-" if nested or len(levels) > 1 else "c"
        item, lineage = name_communities(level.clustering, prefix, before)
        named.append(item)
        lineages.append(lineage.set_column(0, "level", pa.repeat(level.name, lineage.num_rows)))
    return named, pa.concat_tables(lineages)


def _shape(config: Mapping[str, Any]) -> tuple[object, ...]:
    """Shape of the levels of a configuration; names are kept between runs of equal shape."""
    given = (config.get(name) for name in ("resolutions", "communities", "sizes"))
    values = [value if isinstance(value, list | tuple) else [] for value in given]
    count = max(map(len, values))
    if config.get("nested") or not count:
        return ("nested", count or 3)
    return ("single",) if count == 1 else ("several", values)
