"""Steps: build networks of papers, describe and compare them, look up neighbours."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, TypeVar

from citescape.core.errors import ConfigError
from citescape.core.progress import prefix
from citescape.networks.config import SETTINGS, NetworkConfig
from citescape.runs.context import Context
from citescape.runs.step import Count, RunName, Seed, Setting, Step, describe

if TYPE_CHECKING:
    from citescape.networks.build import NetworkRun
    from citescape.networks.nearest_table import NearestTable
    from citescape.networks.summary import NetworkOverlaps, NetworkReports, RemovedEdges

R = TypeVar("R")
Networks = Annotated[
    tuple[RunName, ...], Setting(argument=True, metavar="[NETWORK]...", default="the latest")
]


@dataclass(frozen=True, kw_only=True)
class BuildNetwork(NetworkConfig):
    """Build a network of one kind, and store it as a run.

    KIND is the relation of papers:

    \b
      knn            nearest papers by their vectors (platform embed)
      citation       one cites the other (DC)
      extended       one cites the other, also through papers outside the network (EDC)
      co-citation    papers that cite both (CC)
      coupling       references in common (BC)
      bm25           nearest papers by the terms of their texts
      importance     one cites the other, weighted by importance (platform score)
      background     one cites the other for its background, weighted by contexts
      method         the same for methods
      result         the same for results (platform text intents label)

    The same papers, settings and data give the same run; it is computed once.
    """  # noqa: D301 - \b is the character that keeps click from wrapping

    examples = """
        platform network build knn
        platform network build coupling --top 20 --normalise association
        platform network build citation --papers all --write
        platform network build coupling --years 2015-2019
    """
    write: bool = False
    """Write the edges to the graph (RELATED), replacing those of another network."""

    def __post_init__(self) -> None:
        super().__post_init__()
        from citescape.networks.kinds import KINDS

        known = KINDS[self.kind].known
        options = {item.name: item for item in describe(type(self)) if item.name in SETTINGS}
        for name, item in options.items():
            if name not in known and getattr(self, name) != item.default:
                raise ConfigError(
                    f"{name} does not apply to {self.kind}; its settings are {', '.join(known)}"
                )

    def compute(self, context: Context) -> NetworkRun:
        from citescape.networks.build import build
        from citescape.networks.write import write_network_edges

        network = build(context.store, self, runs=context.runs, progress=context.progress)
        if not self.write:
            return network
        written = write_network_edges(context.store, network, progress=context.progress)
        return replace(network, graph=written)


@dataclass(frozen=True)
class NetworksStep(Step[R]):
    """Base of steps on several networks."""

    networks: Networks = ()
    """Networks: runs, or kinds, of which the latest network is used."""

    def __post_init__(self) -> None:
        if not isinstance(self.networks, tuple | list):
            object.__setattr__(self, "networks", (self.networks,))
        super().__post_init__()

    def find(self, context: Context) -> dict[str, NetworkRun]:
        """Finds the networks: by kind, or by run if two have the same kind."""
        from citescape.networks.build import find_network

        names = [str(name) for name in self.networks or ("",)]
        networks = [find_network(context.runs, name, location=context.location) for name in names]
        runs = Counter(network.run for network in networks)
        kinds = Counter(network.kind for network in networks)
        for name, network in zip(names, networks, strict=True):
            if runs[network.run] > 1:
                raise ConfigError(
                    f"{name} is {network.run}, which is given twice; name each network once"
                )
        return {n.kind if kinds[n.kind] == 1 else n.run: n for n in networks}


@dataclass(frozen=True)
class ReportNetworks(NetworksStep["NetworkReports"]):
    """Describe the structure of networks beside random ones of equal density.

    Local clustering is the mean over all papers of the share of pairs of neighbours that are linked
    (0 for papers with fewer than two neighbours); transitivity is 3 triangles / connected triples.
    The path length is a mean over random pairs of papers of the largest component, with its
    standard error. Weights of edges are ignored.
    """

    examples = """
        platform network report                   the latest network
        platform network report knn citation      two networks side by side
    """
    pairs: Count = 10_000
    """Maximum number of pairs of papers whose distance is measured."""
    random: bool = True
    """Describe a random network G(n, p) of equal size and density beside each network."""
    seed: Seed = 0
    """Random seed of pairs and of random networks."""

    def compute(self, context: Context) -> NetworkReports:
        from citescape.networks.report import describe_network
        from citescape.networks.summary import NetworkReports

        networks, reports = self.find(context), {}
        for name, network in networks.items():
            context.progress(f"{name}: reading the network")
            reports[name] = describe_network(
                network.read(),
                pairs=self.pairs,
                seed=self.seed,
                beside_random=self.random,
                progress=prefix(context.progress, name),
            )
        return NetworkReports(networks, reports, self.pairs, self.seed)


@dataclass(frozen=True)
class OverlapNetworks(NetworksStep["NetworkOverlaps"]):
    """Count the edges that networks share, and the number expected by chance.

    Only common papers of both networks are compared. Shared edges are given as a share of the edges
    of each network and of the edges in either network (Jaccard). The number expected by chance is
    E1 p, the edges of one network times the density of the other.
    """

    examples = """
        platform network overlap knn citation
        platform network overlap knn citation coupling --with-random
    """
    with_random: bool = False
    """Also compare with a random network of the size and density of the first network."""
    seed: Seed = 0
    """Random seed of the random network."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.networks) + self.with_random < 2:
            raise ConfigError(
                f"{len(self.networks)} networks to compare; expected two or more, or --with-random"
            )

    def compute(self, context: Context) -> NetworkOverlaps:
        from citescape.networks.overlap import overlap_table
        from citescape.networks.random_network import build_random_network
        from citescape.networks.summary import NetworkOverlaps

        runs, networks = self.find(context), {}
        for name, run in runs.items():
            context.progress(f"{name}: reading the network")
            networks[name] = run.read()
        if self.with_random:
            context.progress("building the random network")
            networks["random"] = build_random_network(next(iter(networks.values())), seed=self.seed)
        context.progress("comparing edges")
        return NetworkOverlaps(runs, overlap_table(networks), [*networks], self.seed)


@dataclass(frozen=True)
class NearestPapers(Step["NearestTable"]):
    """Show the neighbours of a paper in a network, and which of them it cites.

    Neighbours are sorted by weight, then by id. Only papers that PAPER cites are marked as cited,
    not papers that cite PAPER.
    """

    examples = """
        platform network nearest 10.1534/g3.118.200605
        platform network nearest PMC6027888 --network coupling --markdown
    """
    paper: Annotated[str, Setting(argument=True)]
    """Paper: id in the graph, DOI, PMID, PMCID, or an address of one."""
    network: Annotated[RunName, Setting(metavar="RUN|KIND", default="the latest network")] = ""
    """Network: a run, or a kind, of which the latest network is used."""
    k: Annotated[Count, Setting(flags=("-k",))] = 10
    """Maximum number of papers."""
    markdown: bool = False
    """Show a table in Markdown, with full titles."""

    def compute(self, context: Context) -> NearestTable:
        from citescape.networks.build import find_network
        from citescape.networks.nearest_table import find_nearest

        network = find_network(context.runs, str(self.network), location=context.location)
        table = find_nearest(context.store, self.paper, network, k=self.k)
        return replace(table, markdown=self.markdown)


@dataclass(frozen=True)
class RemoveNetwork(Step["RemovedEdges"]):
    """Remove the edges of networks (RELATED) from the graph.

    Runs of networks are kept; `platform network build KIND --write` writes a network again.
    """

    writes = True

    def compute(self, context: Context) -> RemovedEdges:
        from citescape.networks.summary import RemovedEdges
        from citescape.networks.write import remove_network_edges

        return RemovedEdges(remove_network_edges(context.store, progress=context.progress))
