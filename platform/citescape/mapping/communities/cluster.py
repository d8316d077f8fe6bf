"""Finds communities of a network and stores them as a run."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq

from citescape.core.pairs import find_rows
from citescape.core.progress import Progress, silent
from citescape.mapping.communities.clustering import (
    COMMAND,
    COMMUNITIES,
    LEVELS,
    LINEAGE,
    ClusterRun,
    Labels,
    write_papers,
)
from citescape.mapping.communities.config import ClusterConfig
from citescape.mapping.communities.levels import Level, Start, find_levels
from citescape.mapping.communities.predecessor import (
    find_previous,
    find_same,
    name_levels,
)
from citescape.mapping.communities.tables import (
    communities_table,
    levels_table,
    list_warnings,
)
from citescape.networks.build import NetworkRun
from citescape.networks.network import Network
from citescape.runs.directory import (
    RunDirectory,
    RunRecord,
    Stopwatch,
    check_writable,
    read_run,
    run_id,
)
from citescape.runs.kept import find_kept, keep_run

_LIBRARIES = ("citescape", "igraph", "leidenalg", "numpy", "scipy", "pyarrow")
_RUNS = ("start", "previous")
"""Settings that name runs; they are recorded as inputs."""


def cluster(
    network: NetworkRun,
    config: ClusterConfig | None = None,
    *,
    runs: Path,
    current: str = "",
    progress: Progress = silent,
) -> ClusterRun:
    """Finds the communities of a network and stores them as a run, `runs/cluster-<hash>`.

    The same network and settings give the same run, which is computed once. Its id depends on the
    run whose names it keeps; if `previous` is not set, an earlier run with the same settings is
    returned with its names.

    Args:
        network: network to cluster.
        config: settings.
        runs: folder of run directories.
        current: the run whose communities are in the graph; its names are preferred to those of a
            later run, if its levels are similar.
        progress: receives the name of each stage.

    Raises:
        ConfigError: the network is empty; the engine is not installed; the run to
            start from or to keep names of does not exist; `runs` is not writable.
        SourceError: a file of the network or of another run is damaged.
    """
    config, clock = config or ClusterConfig(), Stopwatch()
    check_writable(runs)
    progress("reading the network")
    with clock.timed("read"):
        content = network.read()
    start = find_kept(ClusterRun, runs, str(config.start)) if config.start else None
    record = _record(network, content, config, start=start.run if start else "")
    same = None if config.previous else find_same(runs, record)
    if same:
        return ClusterRun(same, read_run(same))
    previous = find_previous(runs, str(config.previous), record, current=current)
    inputs = {**record.inputs, "previous": previous.run if previous else ""}
    record = replace(record, id=run_id(COMMAND, record.config, inputs), inputs=inputs)

    def fill(directory: RunDirectory) -> dict[str, object]:
        with clock.timed("cluster"):
            levels = find_levels(content, config, start=_starts(start, content), progress=progress)
        in_core, searched = content.in_core, bool(config.communities or config.sizes)
        counts = {
            "papers": len(content),
            "core": int(in_core.sum()),
            "edges": content.edges,
            "isolated": int((in_core & (content.degrees == 0)).sum()),
            "nested": config.is_nested,
            "communities": {level.name: len(level.clustering) for level in levels},
            "warnings": list_warnings(
                content, levels, config.warn_singletons, warn_missed=searched
            ),
        }
        with clock.timed("write"):
            named = _write(levels, directory.path, previous=previous, nested=config.is_nested)
        return {**counts, **named}

    return keep_run(ClusterRun, record, runs, fill, clock=clock)


def _record(
    network: NetworkRun, content: Network, config: ClusterConfig, *, start: str
) -> RunRecord:
    names = [field.name for field in fields(ClusterConfig) if field.name not in _RUNS]
    settings = {name: getattr(config, name) for name in names}
    settings |= {
        "resolutions": sorted(map(float, config.resolutions)),
        "communities": sorted(config.communities),
        "sizes": sorted(map(float, config.sizes)),
    }
    digest = hashlib.sha256("\n".join(content.ids.to_pylist()).encode())
    for part in (content.in_core, *content.upper()):
        digest.update(part.tobytes())
    inputs = {
        "network": network.run,
        "kind": network.kind,
        "papers": network.papers,
        "fingerprint": digest.hexdigest(),
        "start": start,
        "previous": "",
    }
    return RunRecord.create(COMMAND, settings, inputs, seed=config.seed, libraries=_LIBRARIES)


def _starts(run: ClusterRun | None, network: Network) -> Start:
    """Initial labels of each level: those of the run's level of the same name, else its finest."""

    def read_labels(level: str) -> Labels | None:
        if run is None:
            return None
        clustering = run.read(level if level in run.levels else "")
        padded = np.append(clustering.labels, np.int32(-1))  # for papers that are not in the run
        labels: Labels = padded[find_rows(network.ids, clustering.ids)]
        return labels

    return read_labels


def _write(
    levels: Sequence[Level], folder: Path, *, previous: ClusterRun | None, nested: bool
) -> dict[str, object]:
    """Names the communities and writes the tables; returns counts of names and events."""
    named, lineage = name_levels(levels, previous, nested=nested)
    pairs = list(zip(levels, named, strict=True))
    write_papers(folder, {level.name: (level.clustering, item.names) for level, item in pairs})
    tables = {
        COMMUNITIES: communities_table(levels, named, nested=nested),
        LEVELS: levels_table(levels),
        LINEAGE: lineage,
    }
    for name, table in tables.items():
        pq.write_table(table, folder / name, compression="zstd")
    events = pc.value_counts(lineage["event"]).to_pylist()
    return {
        "numbered": {level.name: item.numbered for level, item in pairs},
        "lineage": {event["values"]: event["counts"] for event in events},
    }
