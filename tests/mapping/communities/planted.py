"""Papers in planted groups, with terms and networks that depend on the groups."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from scipy.sparse import coo_array, csr_array

from citescape.mapping.communities.clustering import Clustering, Labels, order_labels
from citescape.mapping.communities.criterion import TermCriterion, build_criterion
from citescape.networks.build import NetworkRun
from citescape.networks.files import write_network
from citescape.networks.network import Floats, Mask, Network, build_network
from citescape.networks.normalise import prune
from citescape.runs.directory import RunRecord, open_run, read_run, run_id


@dataclass(frozen=True)
class RelatedCriterion:
    """Criterion with a given relatedness for each pair of papers."""

    name: str
    ids: pa.StringArray
    related: csr_array
    """(papers, papers) r: zero diagonal; rows sum to 1 or are empty."""

    @property
    def judged(self) -> Mask:
        """(papers,) whether a paper has a row."""
        shared: Mask = np.diff(self.related.indptr) > 0
        return shared

    def share(self, labels: Labels) -> Floats:
        """See `Criterion`."""
        rows = np.repeat(np.arange(len(self.ids)), np.diff(self.related.indptr))
        together = labels[rows] == labels[self.related.indices]
        kept = np.where(together, self.related.data, 0.0)
        return np.bincount(rows, weights=kept, minlength=len(self.ids)).astype(np.float64)

    def to_network(self, top: int) -> Network:
        """The weight of an edge is the larger of r_ij and r_ji."""
        return prune(Network(self.ids, self.related.maximum(self.related.T).tocsr()), top)


def relate(name: str, ids: pa.StringArray, similarities: csr_array) -> RelatedCriterion:
    """A criterion from similarities s (papers, papers): r_ij = s_ij / sum_k s_ik, r_ii = 0."""
    entries = coo_array(similarities)
    row, column = entries.coords
    counted = (row != column) & (entries.data > 0)
    row, column, value = row[counted], column[counted], entries.data[counted]
    sums = np.bincount(row, weights=value, minlength=len(ids))
    related = coo_array((value / sums[row], (row, column)), shape=entries.shape)
    return RelatedCriterion(name, ids, related.tocsr())


def name_papers(count: int) -> pa.StringArray:
    return pa.array([f"p{k:03d}" for k in range(count)], pa.string())


def term_rows(terms: Mapping[str, Mapping[str, float]]) -> pa.Table:
    """Rows `paper`, `term`, `factor` from paper -> term -> factor."""
    rows = [(paper, term, f) for paper, own in terms.items() for term, f in own.items()]
    types = {"paper": pa.string(), "term": pa.string(), "factor": pa.float64()}
    columns = [pa.array([row[k] for row in rows], t) for k, t in enumerate(types.values())]
    return pa.table(columns, names=list(types))


def plant_terms(groups: int, size: int, *, seed: int = 0) -> dict[str, dict[str, float]]:
    """Each paper has three of the six terms of its group, and one random term."""
    random = np.random.default_rng(seed)
    ids = name_papers(groups * size).to_pylist()
    terms = {}
    for k, id_ in enumerate(ids):
        own = [f"g{k % groups}t{t}" for t in random.choice(6, 3, replace=False)]
        other = f"g{random.integers(groups)}t{random.integers(6)}"
        terms[id_] = dict.fromkeys([*own, other], 1.0)
    return terms


def plant_criterion(groups: int = 4, size: int = 15, *, seed: int = 0) -> TermCriterion:
    rows = term_rows(plant_terms(groups, size, seed=seed))
    return build_criterion("keywords", name_papers(groups * size), rows)


def plant_network(
    groups: int = 4, size: int = 15, *, inside: float, outside: float, seed: int = 0
) -> Network:
    """Papers k, k + groups, ... form a group; edges are drawn with the given probabilities."""
    random = np.random.default_rng(seed)
    first, second = np.triu_indices(groups * size, 1)
    chance = np.where(first % groups == second % groups, inside, outside)
    drawn = random.random(len(first)) < chance
    ends = (first[drawn], second[drawn])
    return build_network(name_papers(groups * size), ends, np.ones(int(drawn.sum())))


def keep_network(runs: Path, network: Network, kind: str, **settings: Any) -> NetworkRun:
    """Save a network as a run of `platform network build`."""
    config, inputs = {"kind": kind, **settings}, {"edges": network.edges, "vectors": "embed-1"}
    counts = {"papers": len(network), "edges": network.edges}
    record = RunRecord(run_id("network", config, inputs), "network", config, inputs, counts=counts)
    with open_run(runs, record.id) as directory:
        write_network(directory.path, network)
        path = directory.complete(record)
    return NetworkRun(path, read_run(path))


def together(ids: pa.StringArray, *groups: str) -> Clustering:
    """Clustering from texts with one letter per paper (`ab`, `cd` for the ids a, b, c, d)."""
    place = {letter: k for k, group in enumerate(groups) for letter in group}
    return order_labels(ids, np.array([place[id_] for id_ in ids.to_pylist()]))
