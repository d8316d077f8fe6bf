"""Builds networks from the graph and stores them as runs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citescape.core.config import quote_command
from citescape.core.errors import ConfigError, list_some
from citescape.core.progress import Progress, silent
from citescape.networks import convert
from citescape.networks.config import COMMON, NetworkConfig
from citescape.networks.files import list_edges, read_network, write_network
from citescape.networks.kind import Sources
from citescape.networks.kinds import KINDS
from citescape.networks.network import Network
from citescape.networks.normalise import normalise, prune
from citescape.runs.directory import (
    RunDirectory,
    Stopwatch,
    check_writable,
    default_runs,
    describe_run,
)
from citescape.runs.kept import KeptRun, compute_run, list_kept, open_kept
from citescape.store.graph_store import GraphStore

if TYPE_CHECKING:
    import igraph
    import networkx
    import pyarrow as pa
    from torch_geometric.data import Data

    from citescape.networks.write import WrittenEdges
    from citescape.runs.result import Summary

COMMAND = "network"
_LIBRARIES = ("citescape", "numpy", "scipy", "numba", "pyarrow")


@dataclass(frozen=True)
class NetworkRun(KeptRun):
    """A network in its run directory.

    Files: papers.parquet (id, core) and edges.parquet (source, target, weight). Counts: papers,
    core, edges, isolated papers, and counts of its kind.
    """

    command = COMMAND
    noun = "networks"
    required = ("config.kind",)
    graph: WrittenEdges | None = None
    """Counts of the write to the graph, or None."""

    @property
    def kind(self) -> str:
        """A key of `kinds.KINDS`."""
        return str(self.record.config["kind"])

    @property
    def papers(self) -> str:
        """Papers of the network: `fulltext`, `all 2015-2019`, ..."""
        parts = (str(self.record.config.get(name, "")) for name in ("papers", "years"))
        return " ".join(filter(None, parts))

    def summarise(self) -> Summary:
        """Papers, edges, counts of the kind, and edges written to the graph."""
        from citescape.networks.summary import summarise_network

        return summarise_network(self)

    @property
    def arrow(self) -> pa.Table:
        """One row per edge: source and target (ids of papers), weight."""
        return list_edges(self.read())

    def to_networkx(self) -> networkx.Graph:
        """The network as a graph of networkx."""
        return convert.to_networkx(self.read())

    def to_igraph(self) -> igraph.Graph:
        """The network as a graph of igraph."""
        return convert.to_igraph(self.read())

    def to_pyg(self) -> Data:
        """The network as data of PyTorch Geometric."""
        return convert.to_pyg(self.read())

    def read(self) -> Network:
        """Reads the network.

        Raises:
            SourceError: a file of the run is damaged.
        """
        return read_network(self.path)


def build(
    store: GraphStore,
    config: NetworkConfig | None = None,
    *,
    runs: Path | None = None,
    progress: Progress = silent,
) -> NetworkRun:
    """Builds a network of papers and stores it in `runs/network-<hash>`.

    The same papers, citations or vectors and settings give the same run, which is computed once.

    Args:
        store: store with the papers and the data of the kind.
        config: kind and settings; by default those of `NetworkConfig`.
        runs: folder of runs; by default the folder `runs` beside the store.
        progress: receives the current stage.

    Raises:
        ConfigError: no such kind or setting; `runs` is not writable.
        StoreError: the store lacks data that the kind needs; the message names the command.
    """
    config, clock = config or NetworkConfig(), Stopwatch()
    normalisation = config.normalise or KINDS[config.kind].normalise
    runs = runs or default_runs(store.location)
    check_writable(runs)
    with clock.timed("read"):
        prepared = KINDS[config.kind].prepare(Sources(store, runs, progress), config)

    def fill(directory: RunDirectory, clock: Stopwatch) -> dict[str, Any]:
        progress(f"building the {config.kind} network")
        with clock.timed("build"):
            built = prepared.build()
            network = normalise(built.network, normalisation, strengths=built.strengths)
            network = prune(network, config.top) if built.strengths is None else network
        with clock.timed("write"):
            write_network(directory.path, network)
        return {
            "papers": len(network),
            "core": int(network.in_core.sum()),
            "edges": network.edges,
            "isolated": int((network.degrees == 0).sum()),
            **built.counts,
            **({"warning": built.warning} if built.warning else {}),
        }

    names = ("kind", *COMMON, *KINDS[config.kind].settings)
    settings = {name: getattr(config, name) for name in names} | {"normalise": normalisation}
    return compute_run(
        NetworkRun,
        runs,
        settings,
        prepared.inputs,
        fill=fill,
        seed=settings.get("seed"),
        libraries=_LIBRARIES,
        clock=clock,
    )


def find_network(runs: Path, name: str = "", *, location: str = "") -> NetworkRun:
    """Finds a network by its run, its folder or its kind.

    Args:
        runs: folder of runs.
        name: run, folder or kind; for a kind, or an empty name, the latest network.
        location: location of the store, for messages.

    Raises:
        ConfigError: not found; the message lists the networks, or the command that builds one.
    """
    run = open_kept(NetworkRun, runs, name)
    if run:
        return run
    networks = list_kept(NetworkRun, runs)
    matches = [network for network in networks if name in ("", network.kind)]
    if matches:
        return matches[-1]
    missing = describe_run(runs, name) if name else f"no network in {runs}"
    known = list_some([f"{network.run} ({network.kind})" for network in reversed(networks)])
    hint = f"none exists; build one with {quote_command('network build KIND', location)}"
    raise ConfigError(f"{missing}; expected a network by its run, folder or kind: {known or hint}")
