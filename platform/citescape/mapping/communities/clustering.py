"""A partition of papers into communities, and its files."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from citescape.core.errors import ConfigError, SourceError
from citescape.core.pairs import find_rows
from citescape.networks.network import Mask
from citescape.runs.kept import KeptRun, find_kept, open_kept
from citescape.store.graph_store import GraphStore
from citescape.store.state import CLUSTER_RUN, read_meta

if TYPE_CHECKING:
    from citescape.mapping.communities.write import WrittenCommunities
    from citescape.runs.result import Summary

COMMAND = "cluster"
PAPERS, COMMUNITIES, LEVELS = "papers.parquet", "communities.parquet", "levels.parquet"
LINEAGE = "lineage.parquet"
TOPIC_LEVEL = "meso"
"""Level of topics and maps, if a clustering has it."""
Labels = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Clustering:
    """A partition of papers into communities."""

    ids: pa.StringArray
    """(papers,) ascending."""
    labels: Labels
    """(papers,) 0 to communities - 1, in descending order of papers of the core, then by the lowest
    id. -1: a paper outside the core in a community without papers of the core."""
    core: Mask
    """(papers,) whether a paper is in the core, and counted."""

    def __len__(self) -> int:
        """Number of communities."""
        return len(self.sizes)

    @property
    def sizes(self) -> npt.NDArray[np.int64]:
        """(communities,) papers of the core in each, descending."""
        return np.bincount(self.labels[self.core]).astype(np.int64)

    @property
    def granularity(self) -> float:
        """N / sum of squared sizes, N papers of the core (Waltman et al. 2020): 1/N to 1."""
        return compute_granularity(self.sizes)

    def fingerprint(self) -> str:
        """SHA-256 of ids and labels."""
        digest = hashlib.sha256(np.ascontiguousarray(self.labels).tobytes())
        digest.update("\n".join(self.ids.to_pylist()).encode())
        return digest.hexdigest()

    def restrict_to_core(self) -> Clustering:
        """The clustering of papers of the core only."""
        if self.core.all():
            return self
        rows = np.flatnonzero(self.core)
        ids = self.ids.take(pa.array(rows))
        return Clustering(ids, self.labels[rows], self.core[rows])


def compute_granularity(sizes: npt.NDArray[np.integer]) -> float:
    """N / sum of squared cluster sizes, with N their sum: 1 for singletons, 1/N for one cluster."""
    counts = sizes.astype(np.float64)
    return float(counts.sum() / (counts**2).sum()) if len(counts) else 0.0


def order_labels(
    ids: pa.StringArray, membership: npt.NDArray[np.integer], core: Mask | None = None
) -> Clustering:
    """Builds a clustering from any numbering of its communities.

    Args:
        ids: (papers,) ascending.
        membership: (papers,) equal for papers in one community.
        core: (papers,) papers that are counted; None for all.
    """
    mask = np.ones(len(ids), np.bool_) if core is None else core
    names, codes = np.unique(membership, return_inverse=True)
    sizes = np.bincount(codes[mask], minlength=len(names))
    first = np.full(len(names), len(ids))
    np.minimum.at(first, codes[mask], np.flatnonzero(mask))
    place = np.empty(len(names), np.int32)
    place[np.lexsort((first, -sizes))] = np.arange(len(names))
    place[sizes == 0] = -1
    return Clustering(ids, place[codes].astype(np.int32), mask)


@dataclass(frozen=True)
class ClusterRun(KeptRun):
    """Communities at one or several levels, in a run directory.

    papers.parquet: id, core, and for each level the name of the community; communities.parquet:
    level, label, name, size, parent; levels.parquet: level, resolution and figures;
    lineage.parquet, see `lineage.LINEAGE`.
    """

    command = COMMAND
    noun = "communities"
    required = ("inputs.network",)
    graph: WrittenCommunities | None = None
    """Counts of the write to the graph, or None."""

    def summarise(self) -> Summary:
        """Sizes and quality of each level, and counts of the graph."""
        from citescape.mapping.communities.cluster_summary import summarise_clustering

        return summarise_clustering(self)

    @property
    def arrow(self) -> pa.Table:
        """One row per paper: id, core, and its community at each level."""
        return self.read_table(PAPERS)

    def tables(self) -> dict[str, pa.Table]:
        """Papers, communities, levels and lineage."""
        files = (PAPERS, COMMUNITIES, LEVELS, LINEAGE)
        return {Path(name).stem: self.read_table(name) for name in files}

    @property
    def network(self) -> str:
        """Run of the network that was clustered."""
        return str(self.record.inputs["network"])

    @property
    def levels(self) -> list[str]:
        """Names of the levels, the finest level last."""
        names: list[str] = self.read_table(LEVELS)["level"].to_pylist()
        return names

    def figures(self) -> pa.Table:
        """One row per level: level, resolution, communities, granularity, quality, ..."""
        return self.read_table(LEVELS)

    def lineage(self) -> pa.Table:
        """Events of the communities of the previous clustering; see `lineage.LINEAGE`."""
        return self.read_table(LINEAGE)

    def communities(self, level: str = "") -> pa.Table:
        """One row per community: label, name, size, parent; in the order of labels.

        Raises:
            ConfigError: no such level.
        """
        table = self.read_table(COMMUNITIES)
        return table.filter(pc.equal(table["level"], self.level(level))).sort_by("label")

    def read(self, level: str = "") -> Clustering:
        """Reads the clustering of a level; the finest level if empty.

        Raises:
            ConfigError: no such level.
            SourceError: a paper is in a community that does not exist.
        """
        table, names = self.read_table(PAPERS), self.communities(level)["name"]
        ids, own = table["id"].combine_chunks(), table[self.level(level)].combine_chunks()
        core = table["core"].to_numpy(zero_copy_only=False)
        labels = find_rows(own.cast(pa.string()), names.combine_chunks())
        if (labels[core] < 0).any():
            raise SourceError(
                str(self.path / PAPERS),
                "not-a-result",
                f"expected names of communities in {COMMUNITIES}; found other names: move the "
                "folder away and cluster again",
            )
        return Clustering(ids.cast(pa.string()), labels.astype(np.int32), core)

    def level(self, name: str) -> str:
        """The name of a level; the finest level if empty.

        Raises:
            ConfigError: no such level.
        """
        levels = self.levels
        if name and name not in levels:
            raise ConfigError(f"{self.run} has no level {name!r}; expected: {', '.join(levels)}")
        return name or levels[-1]

    def topic_level(self, name: str) -> str:
        """The name of a level; if empty `meso`, or the finest level without a meso level.

        Micro topics hold a few papers each, too few for a name that describes a field.

        Raises:
            ConfigError: no such level.
        """
        return self.level(name or (TOPIC_LEVEL if TOPIC_LEVEL in self.levels else ""))


def find_clustering(store: GraphStore, runs: Path, name: str = "") -> ClusterRun:
    """Finds a clustering: the named run, else the run in the graph, else the last run.

    Runs that are not written to the graph have no effect until they are named.

    Args:
        store: store whose graph may have communities.
        runs: folder of runs.
        name: run or folder, or empty.

    Raises:
        ConfigError: not found; the message lists the runs, or the command that makes one.
    """
    current = "" if name else read_meta(store, CLUSTER_RUN) or ""
    run = open_kept(ClusterRun, runs, current)
    return run or find_kept(ClusterRun, runs, name, location=store.location)


def write_papers(folder: Path, levels: Mapping[str, tuple[Clustering, Sequence[str]]]) -> None:
    """Writes papers.parquet.

    `levels`: level -> communities of the same papers, and their names by label.
    """
    first, _ = next(iter(levels.values()))
    columns = {"id": first.ids, "core": pa.array(first.core)}
    for level, (clustering, names) in levels.items():
        labels = pa.array(clustering.labels, pa.int32(), mask=clustering.labels < 0)
        columns[level] = pa.DictionaryArray.from_arrays(labels, pa.array(names, pa.string()))
    pq.write_table(pa.table(columns), folder / PAPERS, compression="zstd")
