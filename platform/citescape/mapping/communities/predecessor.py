"""Which earlier clustering a new one is named after."""

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
"""In place of a run: names are given anew."""
_ALIKE = ("kind", "papers")
"""What networks have in common whose communities are compared unasked."""


def find_same(runs: Path, record: RunRecord) -> Path | None:
    """The last run that differs from a record in nothing but whose names it keeps."""
    for made, path in reversed(list_runs(runs, COMMAND)):
        alike = {**made.inputs, "previous": ""} == record.inputs and made.config == record.config
        if alike and made.id == run_id(COMMAND, made.config, made.inputs):
            return path
    return None


def find_previous(
    runs: Path, named: str, record: RunRecord, *, current: str = ""
) -> ClusterRun | None:
    """The clustering whose names a new one is to keep.

    Args:
        runs: folder of run directories.
        named: a run or folder; `NONE`; empty for one of a network of the same kind and papers,
            with like levels (a hierarchy of as many, a single one, or the same several): that in
            the graph, else the last.
        record: of the new clustering.
        current: the run whose communities are in the graph.

    Raises:
        ConfigError: there is no such run, or its levels are others.
    """
    if named == NONE:
        return None
    if named:
        found = find_kept(ClusterRun, runs, named)
        if _shape(found.record.config) != _shape(record.config):
            raise ConfigError(
                f"{found.run} has the levels {', '.join(found.levels)}, which are not of the kind "
                "asked for; expected a run with such levels to keep names of, or `none`"
            )
        return found
    alike = [one for one in list_kept(ClusterRun, runs) if _is_alike(one.record, record)]
    return max(reversed(alike), key=lambda one: one.run == current, default=None)


def name_levels(
    levels: Sequence[Level], previous: ClusterRun | None, *, nested: bool
) -> tuple[list[Named], pa.Table]:
    """Names for the communities of each level, and what became of earlier ones (`LINEAGE`).

    Names are `macro-1`, `meso-7` or `micro-33`; of a single level `c12`; of several that are not
    nested, the resolution before the number.
    """
    named, told = [], [LINEAGE.empty_table()]
    for place, level in enumerate(levels):
        before = _read_named(previous, place, of=len(levels)) if previous else None
        prefix = f"{level.name}-" if nested or len(levels) > 1 else "c"
        one, lineage = name_communities(level.clustering, prefix, before)
        named.append(one)
        told.append(lineage.set_column(0, "level", pa.repeat(level.name, lineage.num_rows)))
    return named, pa.concat_tables(told)


def _read_named(run: ClusterRun, place: int, *, of: int) -> Named | None:
    """One level of a run; None if it has not as many levels."""
    levels = run.levels
    if len(levels) != of:
        return None
    level = levels[place]
    names: list[str] = run.communities(level)["name"].to_pylist()
    return Named(run.read(level), names, int(run.record.counts["numbered"][level]))


def _is_alike(made: RunRecord, record: RunRecord) -> bool:
    same = all(made.inputs.get(name) == record.inputs[name] for name in _ALIKE)
    return same and _shape(made.config) == _shape(record.config)


def _shape(config: Mapping[str, Any]) -> tuple[object, ...]:
    """Which levels a configuration makes, as far as names go on from one to another."""
    given = (config.get(name) for name in ("resolutions", "communities", "sizes"))
    values = [value if isinstance(value, list | tuple) else [] for value in given]
    count = max(map(len, values))
    if config.get("nested") or not count:
        return ("nested", count or 3)
    return ("single",) if count == 1 else ("several", values)
