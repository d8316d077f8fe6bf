"""What a kind of network is: what it is read from, and how it is made."""

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
    """What a network is made of: read, and told by hashes, before the work begins."""

    inputs: Mapping[str, Any]
    make: Callable[[], Made]


@dataclass(frozen=True)
class Made:
    """A network and what is to be said of how it came about."""

    network: Network
    counts: Mapping[str, Any] = field(default_factory=dict)
    """Figures by name, such as the recall of the search."""
    warning: str = ""
    strengths: Floats | None = None
    """(papers,) of the whole network, where `network` has only the `top` edges of each paper."""


@dataclass(frozen=True)
class Kind:
    """A way to tell how closely papers are related."""

    meaning: str
    """What an edge says, for help texts."""
    settings: tuple[str, ...]
    """Fields of `NetworkConfig` that matter to it, beside those in `COMMON`."""
    prepare: Callable[[Sources, NetworkConfig], Prepared]
    reads: tuple[str, ...] = ()
    """Fields that say what it is made of; a run's id has what was found there in their place."""
    normalise: str = "none"
    """Of `NORMALISATIONS`, where none is asked for."""
    cites: bool = False
    """Its edges are citations between the two papers."""

    @property
    def known(self) -> tuple[str, ...]:
        """Fields of `NetworkConfig` that mean anything to it."""
        return (*COMMON, *self.settings, *self.reads)
