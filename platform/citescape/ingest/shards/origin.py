"""Which graph of shards a store was loaded from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from citescape.store.graph_store import GraphStore
from citescape.store.state import SHARDS, read_meta


@dataclass(frozen=True)
class Origin:
    """A graph of shards, and the slice of it that a store has."""

    address: str
    """Folder of the graph, see `distributed.storage.Storage`."""
    id: str
    """See `ShardedGraph.id`."""
    where: str = ""
    around: str = ""
    hops: int = 1
    listed: tuple[str, ...] = ()
    """Names of files with papers."""
    content: str = ""
    """Hash of these files."""
    scores: str = ""
    """Run of the scores; empty without any."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Key of the labels of each kind, see `ingest.shards.labels`."""
    vectors: str = ""
    """Run of the vectors; empty without any."""

    @classmethod
    def from_text(cls, text: str) -> Origin:
        """The origin in a row of Meta."""
        fields = json.loads(text)
        return cls(**{**fields, "listed": tuple(fields["listed"])})

    def as_text(self) -> str:
        """The text of a row of Meta."""
        return json.dumps(asdict(self), sort_keys=True)

    @property
    def without_results(self) -> Origin:
        """The same papers, without what was computed on them."""
        return replace(self, scores="", labels={}, vectors="")

    @property
    def slice(self) -> str:
        """The slice in words; empty for a whole graph."""
        parts = [f"papers with {self.where}"] if self.where else []
        if self.around:
            hops = "1 citation" if self.hops == 1 else f"{self.hops} citations"
            parts.append(f"papers within {hops} of {self.around}")
        if self.listed:
            parts.append(f"papers listed in {', '.join(self.listed)}")
        return "; ".join(parts)

    @property
    def figures(self) -> dict[str, Any]:
        """The fields that `--json` gives."""
        return {
            "address": self.address,
            "slice": self.slice,
            "id": self.id,
            "scores": self.scores,
            "labels": dict(self.labels),
            "vectors": self.vectors,
        }

    def __str__(self) -> str:
        return f"{self.address}, {self.slice or 'all papers'}"


def read_origin(store: GraphStore) -> Origin | None:
    """The graph of shards that a store was loaded from; None if it was filled by other means."""
    text = read_meta(store, SHARDS)
    return Origin.from_text(text) if text else None
