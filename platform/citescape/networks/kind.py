"""The parts of a kind of network: its sources, its settings and how it is built."""

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
    """Where a network is read from."""

    store: GraphStore
    runs: Path
    progress: Progress = silent


@dataclass(frozen=True)
class Prepared:
    """The inputs of a network, read before it is built, and their hashes for the run."""

    inputs: Mapping[str, Any]
    make: Callable[[], BuiltNetwork]


@dataclass(frozen=True)
class BuiltNetwork:
    """A network, and counts and a warning about how it was built."""

    network: Network
    counts: Mapping[str, Any] = field(default_factory=dict)
    """Figures by name, such as the recall of the search."""
    warning: str = ""
    strengths: Floats | None = None
    """(papers,) strengths in the whole network, if `network` has only the `top` edges per paper."""


@dataclass(frozen=True)
class Kind:
    """A way to measure how closely papers are related."""

    meaning: str
    """Meaning of an edge, for help texts."""
    settings: tuple[str, ...]
    """Fields of `NetworkConfig` that it uses, beside those in `COMMON`."""
    prepare: Callable[[Sources, NetworkConfig], Prepared]
    reads: tuple[str, ...] = ()
    """Fields that name its inputs; the id of a run has hashes of the inputs in their place."""
    normalise: str = "none"
    """Default normalisation, one of `NORMALISATIONS`."""
    cites: bool = False
    """Its edges are citations between the two papers."""

    @property
    def known(self) -> tuple[str, ...]:
        """All fields of `NetworkConfig` that it uses."""
        return (*COMMON, *self.settings, *self.reads)
