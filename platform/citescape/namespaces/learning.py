"""Learning from citations, in Python: `corpus.learn` samples, trains, embeds, searches.

From the graph to the papers near one of them:

    learn = citescape.open("corpus.lbug").learn
    sampled = learn.sample(citescape.ImportanceConfig(hard=2))
    (trained,) = learn.train(sampled, citescape.TrainConfig(epochs=1, max_tokens=128))
    learn.embed(trained)
    learn.similar("10.1534/g3.118.200605", k=5).papers

Each step is kept as a run and found again when it is asked for with the same settings. Where a run
is to be named, its id will do, or what the step that made it returned.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from citescape.core.errors import ConfigError, StoreError
from citescape.core.progress import Progress, silent
from citescape.runs.directory import default_runs, read_run, record_run
from citescape.store.graph_store import GraphStore

if TYPE_CHECKING:
    from citescape.embeddings.embed import EmbedConfig, Embedded
    from citescape.embeddings.graph_embed import EmbeddedGraph, GraphEmbedConfig
    from citescape.embeddings.similar import SimilarPapers
    from citescape.encoders.graph_config import Workplace
    from citescape.networks.citations import Citations
    from citescape.sampling.bands import NeighbourhoodConfig
    from citescape.sampling.importance import ImportanceConfig
    from citescape.sampling.labels import LabelConfig
    from citescape.sampling.leakage import Leakage
    from citescape.sampling.pool import Drawing
    from citescape.sampling.sample import SampleResult
    from citescape.sampling.specter import SpecterConfig
    from citescape.sampling.triplets import Triplets
    from citescape.training.combine import Combined
    from citescape.training.config import TrainConfig
    from citescape.training.sweep_run import SweepConfig, Swept
    from citescape.training.train import TrainResult


class Made(Protocol):
    """What a step returned, which knows its run."""

    @property
    def run(self) -> str:
        """The run's id."""


Run = str | PathLike[str] | Made
"""A run's id, a folder or file, or the result of the step that made the run."""
Papers = Iterable[str | PathLike[str] | Made] | PathLike[str] | Made
"""Identifiers of papers, and results of steps that made benchmarks (their queries); or as one text
a run or file, of a benchmark or a list."""


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
        exclude: Papers = (),
        embeddings: Run = "",
        queries: str = "citing",
        progress: Progress = silent,
    ) -> SampleResult:
        """Samples triplets as `platform sample` does: by which sampler, the config says.

        Args:
            config: importance-aware triplets by default.
            drawing: seed, split, size: `citescape.Drawing(seed=1, triplets=1000)`.
            exclude: papers that must be in no triplet nor in the graph; such as a benchmark's.
            embeddings: for neighbourhoods: run of `graph_embed`; empty for the last. It must have
                been made without the papers to exclude.
            queries: for neighbourhoods: `citing`, papers with references are anchors; or `all`.
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
                embeddings=name_run(embeddings),
                queries=queries,
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
        embeddings: Mapping[str, Run] | None = None,
        queries: str = "citing",
        exclude: Papers = (),
        drawing: Drawing | None = None,
        progress: Progress = silent,
    ) -> SampleResult:
        """Samples triplets in the facet subgraphs, a file of them each.

        `embeddings` are runs of `graph_embed` by facet, the last of each where none is named; they
        must have been made without the papers to exclude.
        """
        from citescape.sampling.embedded import sample_facets

        return sample_facets(
            self.store,
            config,
            embeddings={facet: name_run(run) for facet, run in (embeddings or {}).items()},
            queries=queries,
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
        exclude: Papers = (),
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

    def triplets(self, run: Run, facet: str = "") -> Triplets:
        """The triplets of a run or a Parquet file, ids and reasons as arrays.

        Args:
            run: of `sample`, `sample_facets`, `sample_labels`; or the path of a file.
            facet: of `sample_facets`, which file.
        """
        from citescape.sampling.triplets import locate_triplets, read_triplets

        return read_triplets(locate_triplets(self.runs, name_run(run), facet))

    def leakage(self, run: Run, held_out: Papers, *, facet: str = "") -> Leakage:
        """How many papers of a test set, by any identifier, are in some triplets."""
        from citescape.sampling.leakage import compute_leakage

        return compute_leakage(self.triplets(run, facet), self._listed(held_out))

    def graph_embed(
        self,
        config: GraphEmbedConfig | None = None,
        *,
        exclude: Papers = (),
        place: Workplace | None = None,
        progress: Progress = silent,
    ) -> EmbeddedGraph:
        """Vectors of papers from who cites whom, as `platform graph-embed` makes them.

        Args:
            config: what to embed, and how.
            exclude: papers that take no part in the graph, such as a benchmark's.
            place: device, memory-mapped tables: `citescape.Workplace(device="cuda")`.
            progress: told where the work is.

        Writes to the graph: a Run node, where it may be written to.
        """
        from citescape.embeddings.graph_embed import embed_graph

        ids = self._listed(exclude)
        made = embed_graph(
            self.store, config, exclude=ids, place=place, runs=self.runs, progress=progress
        )
        try:
            record_run(self.store, read_run(made.path))
        except StoreError as error:  # such as one opened to read only: the vectors are there
            progress(f"{made.run} is not listed in the graph: {error}")
        return made

    def train(
        self,
        triplets: Run,
        config: TrainConfig | None = None,
        *,
        facet: str = "",
        seeds: int = 1,
        checkpoint_seconds: float = 300.0,
        progress: Progress = silent,
    ) -> list[TrainResult]:
        """Trains an encoder a seed on the triplets of a run, as `platform train` does.

        Args:
            triplets: of `sample`, `sample_facets`, `sample_labels`; or the path of a file.
            config: encoder to begin with, loss, schedule.
            facet: on triplets of this facet, title and that part of the abstract.
            seeds: how many encoders, from the seed of the config on.
            checkpoint_seconds: from one checkpoint to the next.
            progress: told where the training is.

        Returns:
            One result a seed, also of one: `(trained,) = learn.train(sampled)`.
        """
        from citescape.training.repeat import train_seeds

        read = self.triplets(triplets, facet)
        return train_seeds(
            self.store,
            read,
            config,
            seeds=seeds,
            facet=facet,
            runs=self.runs,
            checkpoint_seconds=checkpoint_seconds,
            progress=progress,
        )

    def combine(
        self,
        encoders: Sequence[Run],
        *,
        task: Run = "",
        facet: str = "",
        weights: Sequence[float] = (),
        step: float = 0.1,
        progress: Progress = silent,
    ) -> Combined:
        """One encoder of several: the weighted sum of their vectors, as `platform combine` does.

        Args:
            encoders: of `train`, or folders and hub ids.
            task: triplets on whose validation anchors the weights are chosen.
            facet: of `task`, where that is of `sample_facets`.
            weights: in place of a task, one an encoder.
            step: of the grid of weights that are tried.
            progress: told what is going on.
        """
        from citescape.training.combine import combine_encoders

        return combine_encoders(
            self.store,
            [name_run(one) for one in encoders],
            task=self.triplets(task, facet) if task else None,
            weights=tuple(weights),
            step=step,
            runs=self.runs,
            progress=progress,
        )

    def sweep(
        self, config: SweepConfig | None = None, *, vectors: Run = "", progress: Progress = silent
    ) -> Swept:
        """Samplers and settings beside each other, as `platform sweep` compares them.

        `vectors` are those of `embed`, made by an encoder that has not learned from these
        citations; empty for those in the graph.
        """
        from citescape.training.sweep_run import SweepConfig, run_sweep

        config, named = config or SweepConfig(), name_run(vectors)
        return run_sweep(self.store, config, runs=self.runs, vectors=named, progress=progress)

    def embed(
        self,
        encoder: Run = "",
        config: EmbedConfig | None = None,
        *,
        papers: str = "all",
        to_graph: bool = True,
        progress: Progress = silent,
    ) -> Embedded:
        """Vectors of all papers (or `fulltext`), kept as a run and written to the graph.

        Args:
            encoder: of `train` or `combine`, a folder or a hub id; empty for that of `config`.
            config: how it reads.
            papers: `all`, or `fulltext`: only those with a full text.
            to_graph: write the vectors to the graph too.
            progress: told where the work is.

        Writes to the graph: Embedding nodes, HAS_EMBEDDING, a Run node.
        """
        from dataclasses import replace

        from citescape.embeddings.embed import EmbedConfig, embed
        from citescape.encoders.saved import check_encoder
        from citescape.papers.documents import read_corpus
        from citescape.search.graph_vectors import write_embeddings

        config = config or EmbedConfig()
        config = replace(config, encoder=name_run(encoder) or config.encoder)
        check_encoder(self.runs, config.encoder)
        corpus = read_corpus(self.store, papers)
        made = embed(corpus, config, runs=self.runs, progress=progress)
        if to_graph:
            write_embeddings(self.store, made.vectors, made.record, progress=progress)
        return made

    def similar(
        self,
        paper: str,
        *,
        k: int = 20,
        run: Run = "",
        metric: str = "cosine",
        only_uncited: bool = False,
    ) -> SimilarPapers:
        """The papers nearest to one.

        Args:
            paper: any identifier of it.
            k: how many.
            run: of `embed` or `graph_embed`; empty for the vectors in the graph.
            metric: `cosine`, `dot` or `l2`.
            only_uncited: leave out those that it cites or is cited by.
        """
        from citescape.embeddings.similar import find_similar
        from citescape.search.stored import find_vectors

        found = find_vectors(self.store, self.runs, name_run(run))
        return find_similar(self.store, paper, found, k=k, metric=metric, only_uncited=only_uncited)

    def _listed(self, named: Papers) -> tuple[str, ...]:
        """Ids of papers by any identifier, or of benchmarks; those that mean none are left out."""
        from citescape.evaluation.leakage.exclude import find_held_out
        from citescape.papers.id_lists import find_listed

        if isinstance(named, Iterable) and not isinstance(named, str):
            given = list(named)
        else:
            given = [Path(name_run(named))] if named else []
        papers = [one for one in given if isinstance(one, str)]
        ids = set(find_listed(self.store, papers).ids) if papers else set()
        for one in given:
            if not isinstance(one, str):
                ids.update(find_held_out(self.store, self.runs, name_run(one)).ids)
        return tuple(sorted(ids))


def name_run(run: Run) -> str:
    """The id of a run, or what else names it.

    Raises:
        ConfigError: it is neither a name nor the result of a step.
    """
    if isinstance(run, str | PathLike):
        return fspath(run)
    named = getattr(run, "run", None)
    if not isinstance(named, str):
        raise ConfigError(
            f"{type(run).__name__} in place of a run; expected its id, a path, or what the step "
            "that made it returned: of a list, one of its results"
        )
    return named
