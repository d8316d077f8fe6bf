"""Six papers whose networks of every kind can be counted by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from citescape.networks.citations import Citations, build_citations
from citescape.networks.network import Network
from citescape.runs.directory import RunRecord, open_run
from citescape.search.vectors import Vectors, write_vectors
from citescape.store.graph_store import GraphStore
from citescape.store.state import IMPORTANCE_RUN, write_meta
from tests.importance.conftest import insert

CORE, OUTSIDE = "abcdef", "uvwxz"
CITES = {
    "ab": (0.5, 0, 2, 0),
    "ba": (0.25, 0, 1, 0),
    "ca": (0.0, 1, 0, 0),
    "da": (1.0, 0, 3, 0),
    "db": (0.75, 0, 0, 0),
    "au": (0.5, 0, 0, 4),
    "bu": (0.5, 0, 0, 0),
    "cu": (0.5, 0, 1, 0),
    "cv": (0.5, 0, 0, 0),
    "dv": (0.5, 0, 0, 0),
    "dw": (0.5, 0, 0, 0),
    "ex": (0.5, 0, 0, 0),
    "za": (0.5, 0, 0, 0),
    "zd": (0.5, 0, 0, 0),
    "zu": (0.5, 0, 0, 0),
}
"""Citing and cited paper: importance, contexts by background, method, result. z is outside."""
ANGLES = {"a": 0, "b": 10, "c": 25, "d": 95}
"""Degrees in the plane; e has a zero vector, f has no vector."""
Edges = dict[str, float]


def listed(network: Network) -> Edges:
    """Edges by the names of both ends."""
    ids = network.ids.to_pylist()
    return {f"{ids[a]}{ids[b]}": float(w) for a, b, w in zip(*network.upper(), strict=True)}


def make_citations(pairs: dict[str, float]) -> Citations:
    """Citations from the names of both ends and weights."""
    ends = [pa.array([pair[k] for pair in pairs], pa.string()) for k in (0, 1)]
    weights = pa.array(list(pairs.values()), pa.float64())
    return build_citations(pa.table({"citing": ends[0], "cited": ends[1], "weight": weights}))


def fill(store: GraphStore, *, backwards: bool = False) -> GraphStore:
    """Loads the six papers and their citations, with rows in one order or the other."""
    step = -1 if backwards else 1
    papers = [{"id": name, "title": name, "fulltext": name in CORE} for name in CORE + OUTSIDE]
    names = ("importance", "n_background", "n_method", "n_result")
    cites = [
        {"from": pair[0], "to": pair[1], **dict(zip(names, values, strict=True))}
        for pair, values in CITES.items()
    ]
    insert(store, "Paper", papers[::step])
    insert(store, "CITES", cites[::step])
    write_meta(store, IMPORTANCE_RUN, "score-1")
    return store


def write_angles(
    runs: Path, angles: dict[str, float], name: str = "embed-1", zeros: str = "e"
) -> None:
    """A run with vectors in the plane; those of `zeros` are zero."""
    ids = sorted([*angles, *zeros])
    turned = np.radians([angles.get(id_, 0) for id_ in ids])
    values = np.stack([np.cos(turned), np.sin(turned)], axis=1).astype(np.float32)
    values[[id_ in zeros for id_ in ids]] = 0
    vectors = Vectors(pa.table({"id": ids, "text": ["title"] * len(ids)}), values)
    with open_run(runs, name) as directory:
        write_vectors(directory.path, vectors)
        directory.complete(RunRecord(name, "embed", {}, {}, started="2026-01-01T00:00:00+00:00"))


@pytest.fixture
def toy(store: GraphStore) -> GraphStore:
    """The six papers, on either engine."""
    return fill(store)


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """A folder of runs with vectors of four of the papers."""
    write_angles(tmp_path / "runs", dict(ANGLES))
    return tmp_path / "runs"
