"""What is judged by what, and how."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from citescape.core.errors import ConfigError
from citescape.core.pairs import find_rows
from citescape.core.progress import Progress, silent
from citescape.mapping.communities.criteria import find_near, read_criterion
from citescape.mapping.communities.criterion import TermCriterion
from citescape.mapping.communities.summary import RANDOM
from citescape.networks.build import NetworkRun
from citescape.networks.files import PAPERS
from citescape.store.graph_store import GraphStore


@dataclass(frozen=True)
class Task:
    """What is judged by what: read, before the work begins."""

    networks: Mapping[str, NetworkRun]
    """By the names of `compared.find_networks`."""
    criterion: TermCriterion
    """Over the papers that are in the core of every network."""
    notes: tuple[str, ...] = ()
    """What a reader of the result should know."""


def read_task(
    store: GraphStore,
    networks: Mapping[str, NetworkRun],
    criterion: str = "keywords",
    *,
    labels: Sequence[tuple[str, str]] | None = None,
    progress: Progress = silent,
) -> Task:
    """Reads a criterion over the papers that are in the core of every network.

    Args:
        store: the graph; only read.
        networks: by name.
        criterion: a key of `criteria.CRITERIA`.
        labels: for `labels`: identifier and label.
        progress: told the name of each stage as it begins.

    Raises:
        ConfigError: the networks have no papers in common, the criterion relates none of them, or
            a network has the name of a bound.
    """
    taken = sorted({RANDOM, criterion} & set(networks))
    if taken:
        raise ConfigError(
            f"a network is called {taken[0]!r}, as a bound is; name it another, as in RUN=NAME"
        )
    progress("reading networks")
    cores = {name: _read_core(network) for name, network in networks.items()}
    ids = _find_common(cores)
    progress("reading the criterion")
    found = read_criterion(store, criterion, ids, labels=labels)
    near = {name: find_near(criterion, network) for name, network in networks.items()}
    notes = [
        f"{name} may not be independent of {criterion}: {why}" for name, why in near.items() if why
    ]
    if max(map(len, cores.values())) > len(ids):
        told = ", ".join(f"{name} {len(core):,}" for name, core in cores.items())
        notes.append(f"the networks are of different papers ({told}); {len(ids):,} are in all")
    return Task(networks, found, tuple(notes))


def _read_core(run: NetworkRun) -> pa.StringArray:
    """Ids of the papers that a network is about; its edges are read when they are clustered."""
    papers = run.read_table(PAPERS, "id", "core")
    ids: pa.StringArray = papers["id"].filter(papers["core"]).cast(pa.string()).combine_chunks()
    return ids


def _find_common(cores: Mapping[str, pa.StringArray]) -> pa.StringArray:
    """Ids in all of them, ascending."""
    common: pa.StringArray | None = None
    for core in cores.values():
        common = core if common is None else common.filter(pa.array(find_rows(common, core) >= 0))
    if common is None or not len(common):
        raise ConfigError(
            f"networks {', '.join(cores)} have no papers in common; expected networks of the "
            "same papers"
        )
    return common
