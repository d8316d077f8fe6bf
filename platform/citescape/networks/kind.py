"""Kinds of networks: sources, settings and a function that builds the network."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from citescape.core.progress import Progress, silent
from citescape.networks.config import COMMON, NetworkConfig
from citescape.networks.network import Floats, Network
from citescape.store.graph_store import GraphStore


@dataclass(frozen=True)
class Sources:
    """Store and runs that a network is read from."""

    store: GraphStore
    runs: Path
    progress: Progress = silent


@dataclass(frozen=True)
class NetworkBuilder:
    """Builds a network from inputs that were read, with their hashes for the run."""

    inputs: Mapping[str, Any]
    """Hashes or runs of the inputs."""
    build: Callable[[], BuiltNetwork]
    """Builds the network."""


@dataclass(frozen=True)
class BuiltNetwork:
    """A network, with counts and a warning of its construction."""

    network: Network
    counts: Mapping[str, Any] = field(default_factory=dict)
    """Counts by name, such as the recall of the search."""
    warning: str = ""
    strengths: Floats | None = None
    """(papers,) strengths in the whole network, if `network` has only the `top` edges per paper."""


@dataclass(frozen=True)
class NetworkKind:
    """A kind of network: a measure of the relatedness of papers."""

    meaning: str
    """Meaning of an edge, for help texts."""
    settings: tuple[str, ...]
    """Fields of `NetworkConfig` that it uses, in addition to `COMMON`."""
    prepare: Callable[[Sources, NetworkConfig], NetworkBuilder]
    reads: tuple[str, ...] = ()
    """Fields that name its inputs; the id of a run depends on hashes of the inputs instead."""
    normalise: str = "none"
    """Default normalisation, one of `NORMALISATIONS`."""
    cites: bool = False
    """Whether its edges are citations between the two papers."""

    @property
    def known(self) -> tuple[str, ...]:
        """All fields of `NetworkConfig` that it uses."""
        return (*COMMON, *self.settings, *self.reads)
