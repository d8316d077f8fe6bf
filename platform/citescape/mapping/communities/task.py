"""Networks to evaluate, and the criterion of the evaluation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from citescape.core.errors import ConfigError
from citescape.core.pairs import find_rows
from citescape.core.progress import Progress, silent
from citescape.mapping.communities.criteria import find_dependence, read_criterion
from citescape.mapping.communities.criterion import TermCriterion
from citescape.mapping.communities.summary import RANDOM
from citescape.networks.build import NetworkRun, find_network
from citescape.networks.files import PAPERS
from citescape.networks.kinds import KINDS
from citescape.runs.kept import list_kept
from citescape.store.graph_store import GraphStore


@dataclass(frozen=True)
class AccuracyTask:
    """Networks and a criterion over their common papers."""

    networks: Mapping[str, NetworkRun]
    """Networks by the names of `find_networks`."""
    criterion: TermCriterion
    """Criterion over the papers in the core of every network."""
    notes: tuple[str, ...] = ()
    """Notes for the reader of the result."""


def find_networks(
    runs: Path, named: Sequence[str] = (), *, location: str = ""
) -> dict[str, NetworkRun]:
    """Finds networks, and their names in tables and pictures.

    A name is given as in `network-0123456789ab=SciNCL`; else it is the kind, with the digits of
    the run if several networks have the same kind.

    Args:
        runs: folder of run directories.
        named: runs, folders or kinds; empty for the last network of every kind with the same
            papers as the last network.
        location: location of the store, for messages.

    Raises:
        ConfigError: a network does not exist, or two have the same name.
    """
    if not named:
        built = list_kept(NetworkRun, runs)
        last = {run.kind: run for run in built if run.papers == built[-1].papers}
        if not last:
            find_network(runs, location=location)  # raises an error with the command to build one
        return {kind: last[kind] for kind in [*KINDS, *sorted(last)] if kind in last}

    networks, names = [], []
    for text in named:
        folder = Path(text).is_dir()  # its name may contain `=`
        run, _, name = (text, "", "") if folder else text.partition("=")
        networks.append(find_network(runs, run, location=location))
        names.append(name.strip())
    kinds = Counter(n.kind for n, name in zip(networks, names, strict=True) if not name)
    for place, network in enumerate(networks):
        digits = f" {network.run.rpartition('-')[2]}" if kinds[network.kind] > 1 else ""
        names[place] = names[place] or f"{network.kind}{digits}"
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if repeated:
        raise ConfigError(
            f"two networks have the name {repeated[0]!r}; expected distinct names: set them as in "
            "RUN=NAME"
        )
    return dict(zip(names, networks, strict=True))


def read_task(
    store: GraphStore,
    networks: Mapping[str, NetworkRun],
    criterion: str = "keywords",
    *,
    labels: Sequence[tuple[str, str]] | None = None,
    progress: Progress = silent,
) -> AccuracyTask:
    """Reads a criterion over the papers that are in the core of every network.

    Args:
        store: store to read.
        networks: networks by name.
        criterion: a key of `criteria.CRITERIA`.
        labels: identifier and label, for the criterion `labels`.
        progress: receives the current stage.

    Raises:
        ConfigError: the networks have no papers in common, the criterion relates no papers, or a
            network has the name of a bound.
    """
    reserved = sorted({RANDOM, criterion} & set(networks))
    if reserved:
        raise ConfigError(
            f"a network has the name {reserved[0]!r} of a bound; set another name as in RUN=NAME"
        )
    progress("reading networks")
    cores: dict[str, pa.StringArray] = {}
    for name, network in networks.items():  # edges are read when the networks are clustered
        papers = network.read_table(PAPERS, "id", "core")
        cores[name] = papers["id"].filter(papers["core"]).cast(pa.string()).combine_chunks()
    ids, *others = cores.values() or [pa.array([], pa.string())]
    for core in others:
        ids = ids.filter(pa.array(find_rows(ids, core) >= 0))
    if not len(ids):
        raise ConfigError(
            f"networks {', '.join(cores)} have no papers in common; expected networks of the "
            "same papers"
        )

    progress("reading the criterion")
    terms = read_criterion(store, criterion, ids, labels=labels)
    reasons = {name: find_dependence(criterion, network) for name, network in networks.items()}
    notes = [
        f"{name} may not be independent of {criterion}: {reason}"
        for name, reason in reasons.items()
        if reason
    ]
    if max(map(len, cores.values())) > len(ids):
        sizes = ", ".join(f"{name} {len(core):,}" for name, core in cores.items())
        notes.append(
            f"the networks have different papers ({sizes}); {len(ids):,} are in all networks"
        )
    return AccuracyTask(networks, terms, tuple(notes))
