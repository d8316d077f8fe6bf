"""Learning from citations, in Python: `corpus.learn` samples, trains, embeds, searches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from citescape.graph.store import GraphStore
from citescape.progress import Progress, silent
from citescape.runs import default_runs

if TYPE_CHECKING:
    from citescape.embeddings.embed import EmbedConfig, Embedded
    from citescape.embeddings.graph_embed import EmbeddedGraph, GraphEmbedConfig
    from citescape.embeddings.similar import SimilarPapers
    from citescape.networks.citations import Citations
    from citescape.sampling.bands import NeighbourhoodConfig
    from citescape.sampling.importance import ImportanceConfig
    from citescape.sampling.labels import LabelConfig
    from citescape.sampling.pool import Drawing
    from citescape.sampling.sample import SampleResult
    from citescape.sampling.specter import SpecterConfig
    from citescape.sampling.triplets import Triplets
    from citescape.training.combine import Combined
    from citescape.training.config import TrainConfig
    from citescape.training.sweep_run import SweepConfig, Swept
    from citescape.training.train import TrainResult


class Learning:
    """Samplers, encoders and vectors on one store. `runs` is where results are kept."""

    def __init__(self, store: GraphStore, runs: Path | None = None) -> None:
        self.store = store
        self.runs = runs or default_runs(store.location)

    def citations(self, weight: str = "importance") -> Citations:
        """Who cites whom as arrays, weighted by `importance`, a facet's contexts, or `none`."""
        from citescape.networks.citations import read_citations

        return read_citations(self.store, weight=weight)

    def sample(
        self,
        config: ImportanceConfig | SpecterConfig | NeighbourhoodConfig | None = None,
        *,
        drawing: Drawing | None = None,
        exclude: Iterable[str] = (),
        embeddings: str = "",
        progress: Progress = silent,
    ) -> SampleResult:
        """Samples triplets as `platform sample` does: by which sampler, the config says.

        Args:
            config: importance-aware triplets by default.
            drawing: seed, split, size.
            exclude: identifiers of papers that must be in no triplet nor in the graph.
            embeddings: for neighbourhoods: run of `graph_embed`; empty for the last. It must have
                been made without the papers to exclude.
            progress: told what is going on.
        """
        from citescape.sampling.bands import NeighbourhoodConfig
        from citescape.sampling.embedded import sample_neighbours
        from citescape.sampling.importance import ImportanceConfig
        from citescape.sampling.sample import sample_citations

        ids, config = self._listed(exclude), config or ImportanceConfig()
        if isinstance(config, NeighbourhoodConfig):
            return sample_neighbours(
                self.store,
                config,
                embeddings=embeddings,
                exclude=ids,
                drawing=drawing,
                runs=self.runs,
                progress=progress,
            )
        return sample_citations(
            self.store, config, drawing=drawing, exclude=ids, runs=self.runs, progress=progress
        )

    def sample_facets(
        self,
        config: NeighbourhoodConfig | None = None,
        *,
        embeddings: Mapping[str, str] | None = None,
        exclude: Iterable[str] = (),
        drawing: Drawing | None = None,
        progress: Progress = silent,
    ) -> SampleResult:
        """Samples triplets in the facet subgraphs.

        `embeddings` are runs of `graph_embed` by facet, the last of each where none is named; they
        must have been made without the papers to exclude.
        """
        from citescape.sampling.embedded import sample_facets

        return sample_facets(
            self.store,
            config,
            embeddings=embeddings or {},
            exclude=self._listed(exclude),
            drawing=drawing,
            runs=self.runs,
            progress=progress,
        )

    def sample_labels(
        self,
        labels: Mapping[str, str],
        config: LabelConfig | None = None,
        *,
        exclude: Iterable[str] = (),
        drawing: Drawing | None = None,
        progress: Progress = silent,
    ) -> SampleResult:
        """Samples oracle triplets from gold labels by identifier: an upper bound, as it says."""
        from citescape.sampling.labels import sample_labels

        rows = list(labels.items())
        return sample_labels(
            self.store,
            rows,
            config,
            exclude=self._listed(exclude),
            drawing=drawing,
            runs=self.runs,
            progress=progress,
        )

    def triplets(self, run: str, facet: str = "") -> Triplets:
        """The triplets of a run or a Parquet file."""
        from citescape.sampling.triplets import locate_triplets, read_triplets

        return read_triplets(locate_triplets(self.runs, run, facet))

    def graph_embed(
        self,
        config: GraphEmbedConfig | None = None,
        *,
        exclude: Iterable[str] = (),
        progress: Progress = silent,
    ) -> EmbeddedGraph:
        """Vectors of papers from who cites whom, as `platform graph-embed` makes them.

        Papers to exclude, such as those of a benchmark, take no part in the graph.
        """
        from citescape.embeddings.graph_embed import embed_graph

        ids = self._listed(exclude)
        return embed_graph(self.store, config, exclude=ids, runs=self.runs, progress=progress)

    def train(
        self,
        triplets: str,
        config: TrainConfig | None = None,
        *,
        facet: str = "",
        seeds: int = 1,
        progress: Progress = silent,
    ) -> list[TrainResult]:
        """Trains an encoder a seed on the triplets of a run, as `platform train` does."""
        from citescape.training.repeat import train_seeds

        read = self.triplets(triplets, facet)
        return train_seeds(
            self.store,
            read,
            config,
            seeds=seeds,
            facet=facet,
            runs=self.runs,
            progress=progress,
        )

    def combine(
        self,
        encoders: Sequence[str],
        *,
        task: str = "",
        facet: str = "",
        weights: Sequence[float] = (),
        step: float = 0.1,
    ) -> Combined:
        """One encoder of several, weighted by hand or for a task's validation triplets."""
        from citescape.training.combine import combine_encoders

        read = self.triplets(task, facet) if task else None
        return combine_encoders(
            self.store, encoders, task=read, weights=tuple(weights), step=step, runs=self.runs
        )

    def sweep(
        self, config: SweepConfig | None = None, *, vectors: str = "", progress: Progress = silent
    ) -> Swept:
        """Samplers and settings beside each other, as `platform sweep` compares them."""
        from citescape.training.sweep_run import SweepConfig, run_sweep

        config = config or SweepConfig()
        return run_sweep(self.store, config, runs=self.runs, vectors=vectors, progress=progress)

    def embed(
        self,
        encoder: str = "",
        config: EmbedConfig | None = None,
        *,
        papers: str = "all",
        to_graph: bool = True,
        progress: Progress = silent,
    ) -> Embedded:
        """Vectors of all papers (or `fulltext`), kept as a run and written to the graph.

        Writes to the graph: Embedding nodes, HAS_EMBEDDING, a Run node.
        """
        from dataclasses import replace

        from citescape.embeddings.documents import read_corpus
        from citescape.embeddings.embed import EmbedConfig, embed
        from citescape.embeddings.graph_vectors import write_embeddings

        config = config or EmbedConfig()
        config = replace(config, encoder=encoder or config.encoder)
        corpus = read_corpus(self.store, papers)
        made = embed(corpus, config, runs=self.runs, progress=progress)
        if to_graph:
            write_embeddings(self.store, made.vectors, made.record, progress=progress)
        return made

    def similar(self, paper: str, *, k: int = 20, run: str = "") -> SimilarPapers:
        """The papers nearest to one, by the vectors in the graph or those of a run."""
        from citescape.embeddings.similar import find_similar, find_vectors

        found = find_vectors(self.store, self.runs, run)
        return find_similar(self.store, paper, found, k=k)

    def _listed(self, names: Iterable[str]) -> tuple[str, ...]:
        """Ids of papers by any identifier; those that mean none are left out."""
        from citescape.networks.id_lists import find_listed

        given = list(names)
        return find_listed(self.store, given).ids if given else ()
