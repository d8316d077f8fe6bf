"""From a network to communities in a run directory."""

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
    count_levels,
    find_doubts,
    levels_table,
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
"""Settings that name runs: they stand among the inputs."""


def cluster(
    network: NetworkRun,
    config: ClusterConfig | None = None,
    *,
    runs: Path,
    current: str = "",
    progress: Progress = silent,
) -> ClusterRun:
    """Finds the communities of a network and keeps them in `runs/cluster-<hash>`.

    The same network and settings give the same run; it is not made twice. Its id depends on the
    run whose names it keeps, so where that is the last one there happens to be, a run that was made
    with these settings before is taken whatever names it keeps.

    Args:
        network: of `networks.build`.
        config: which communities, and how they are found.
        runs: folder of run directories.
        current: the run whose communities are in the graph: names go on from it, if it is alike,
            rather than from one that was tried since.
        progress: told what is being done.

    Raises:
        ConfigError: the network is empty; the engine is not installed; there is no such run to
            start from or to keep names of; nothing can be written to `runs`.
        SourceError: a file of the network or of another run is damaged.
    """
    config, clock = config or ClusterConfig(), Stopwatch()
    check_writable(runs)
    progress("reading the network")
    with clock.timed("read"):
        read = network.read()
    start = find_kept(ClusterRun, runs, str(config.start)) if config.start else None
    record = _record(network, read, config, start=start)
    found = None if config.previous else find_same(runs, record)
    if found:
        return ClusterRun(found, read_run(found))
    previous = find_previous(runs, str(config.previous), record, current=current)
    record = _follow(record, previous)

    def fill(directory: RunDirectory) -> dict[str, object]:
        with clock.timed("cluster"):
            levels = find_levels(read, config, start=_starts(start, read), progress=progress)
        counts = _count(read, levels, config)
        with clock.timed("write"):
            named = _write(levels, directory.path, previous=previous, nested=config.is_nested)
        return {**counts, **named}

    return keep_run(ClusterRun, record, runs, fill, clock=clock)


def _record(
    network: NetworkRun, read: Network, config: ClusterConfig, *, start: ClusterRun | None
) -> RunRecord:
    names = [field.name for field in fields(ClusterConfig) if field.name not in _RUNS]
    settings = {name: getattr(config, name) for name in names}
    settings |= {
        "resolutions": sorted(map(float, config.resolutions)),
        "communities": sorted(config.communities),
        "sizes": sorted(map(float, config.sizes)),
    }
    inputs = {
        "network": network.run,
        "kind": network.kind,
        "papers": network.papers,
        "fingerprint": _hash_network(read),
        "start": start.run if start else "",
        "previous": "",
    }
    return RunRecord.of(COMMAND, settings, inputs, seed=config.seed, libraries=_LIBRARIES)


def _hash_network(network: Network) -> str:
    """SHA-256 of papers and edges."""
    digest = hashlib.sha256("\n".join(network.ids.to_pylist()).encode())
    for part in (network.in_core, *network.upper()):
        digest.update(part.tobytes())
    return digest.hexdigest()


def _follow(record: RunRecord, previous: ClusterRun | None) -> RunRecord:
    """The record of a run that keeps the names of another."""
    inputs = {**record.inputs, "previous": previous.run if previous else ""}
    return replace(record, id=run_id(COMMAND, record.config, inputs), inputs=inputs)


def _starts(run: ClusterRun | None, network: Network) -> Start:
    """What each level begins with: the run's level of that name, else its finest."""

    def labels(level: str) -> Labels | None:
        if run is None:
            return None
        found = run.read(level if level in run.levels else "")
        padded = np.append(found.labels, np.int32(-1))  # of papers that it does not have
        begun: Labels = padded[find_rows(network.ids, found.ids)]
        return begun

    return labels


def _count(network: Network, levels: Sequence[Level], config: ClusterConfig) -> dict[str, object]:
    return {
        "papers": len(network),
        "core": int(network.in_core.sum()),
        "edges": network.edges,
        "isolated": int((network.in_core & (network.degrees == 0)).sum()),
        "nested": config.is_nested,
        **count_levels(levels),
        "warnings": find_doubts(
            network,
            levels,
            config.warn_singletons,
            asked=bool(config.communities or config.sizes),
        ),
    }


def _write(
    levels: Sequence[Level], folder: Path, *, previous: ClusterRun | None, nested: bool
) -> dict[str, object]:
    """Names the communities and writes the tables; returns what names go on from before."""
    named, lineage = name_levels(levels, previous, nested=nested)
    papers = {
        level.name: (level.clustering, one.names) for level, one in zip(levels, named, strict=True)
    }
    write_papers(folder, papers)
    tables = {
        COMMUNITIES: communities_table(levels, named, nested=nested),
        LEVELS: levels_table(levels),
        LINEAGE: lineage,
    }
    for name, table in tables.items():
        pq.write_table(table, folder / name, compression="zstd")
    events = pc.value_counts(lineage["event"]).to_pylist()
    return {
        "numbered": {level.name: one.numbered for level, one in zip(levels, named, strict=True)},
        "lineage": {one["values"]: one["counts"] for one in events},
    }
