"""Verifies that learning recovers planted factors: samplers and facet encoders beside controls.

These comparisons verify the code and are not evidence about science: the worlds are generated with
factors that the methods can recover.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from citescape.core.progress import Progress, silent
from citescape.core.types import FACETS
from citescape.demo.citations import PERFUNCTORY, Bools, Ints
from citescape.demo.planted import (
    FacetWorld,
    Vectors,
    compute_core_map,
    compute_precision,
    generate_facet_world,
    plant_vectors,
)
from citescape.demo.recovery import Check, works_by_node
from citescape.demo.world import World
from citescape.networks.citations import Citations, read_citations
from citescape.sampling.config import ImportanceConfig, SamplingConfig
from citescape.sampling.controls import shuffle_importance
from citescape.sampling.importance import sample_importance
from citescape.sampling.triplets import WITHOUT_ROWS, Triplets, recode_triplets
from citescape.store.graph_store import GraphStore
from citescape.training.paired import compute_lead

SEEDS = 8
_RATE, _BATCH, _UPDATES = 3e-3, 64, 80
"""Settings of training; the minimum number of updates is the same for small and large worlds."""
_LARGE = 300
"""Minimum number of full texts for the check that shuffled importance is below uniform: in smaller
worlds most references follow the venue, so random negatives teach to ignore the venue too."""


@dataclass(frozen=True)
class MethodComparison:
    """One measure of several methods, each with the same seeds."""

    measure: str
    """Name of the measure; higher is better."""
    values: Mapping[str, tuple[float, ...]]
    """Method -> its value for each seed."""

    def mean(self, method: str) -> float:
        """Mean over the seeds."""
        return float(np.mean(self.values[method]))

    def deviation(self, method: str) -> float:
        """Standard deviation over the seeds (n - 1)."""
        return float(np.std(self.values[method], ddof=1)) if len(self.values[method]) > 1 else 0.0

    def lead(self, method: str, baseline: str) -> Check:
        """Checks that the mean lead of a method over a baseline is at least two standard errors.

        Seeds are paired: vectors and splits are the same for both.
        """
        lead, seeds = (
            compute_lead(self.values[method], self.values[baseline]),
            len(self.values[method]),
        )
        name = (
            f"{self.measure}: {method} above {baseline} "
            f"(better in {lead.wins} of {seeds} seeds), lead"
        )
        return Check(name, lead.mean - 2 * lead.error, "≥", 0.0)


@dataclass(frozen=True)
class Proof:
    """All comparisons, and the checks on them."""

    comparisons: tuple[MethodComparison, ...]
    checks: tuple[Check, ...]
    remarks: tuple[str, ...] = ()
    """Unexpected results, which are not checked."""


def prove_learning(
    store: GraphStore,
    world: World,
    *,
    seeds: int = SEEDS,
    progress: Progress = silent,
) -> Proof:
    """Trains adapters on triplets of the demo's graph and of facet worlds, and compares methods.

    Args:
        store: store with the scored corpus of `world`.
        world: the ground truth.
        seeds: number of repetitions; each has its own vectors, triplets, splits and order.
        progress: receives the current stage.
    """
    samplers = compare_samplers(store, world, seeds, progress=progress)
    facets = compare_facets(seeds, progress)
    checks = [comparison.lead("importance", "uniform") for comparison in samplers]
    checks += [comparison.lead("importance", "shuffled importance") for comparison in samplers]
    if world.papers >= _LARGE:
        checks.append(samplers[0].lead("uniform", "shuffled importance"))
    checks += [comparison.lead("facet encoder", "one encoder") for comparison in facets]

    # a control that does better than `uniform` by more than two standard errors
    ranking, remarks = samplers[1], []
    lead = compute_lead(ranking.values["shuffled importance"], ranking.values["uniform"])
    if lead.mean > 2 * lead.error:
        remarks.append(
            f"Not checked, {ranking.measure}: shuffled importance leads uniform by {lead}. Its "
            "negatives are references too, and the figure ranks references."
        )
    return Proof((*samplers, *facets), tuple(checks), tuple(remarks))


@dataclass(frozen=True)
class _Corpus:
    """The demo's citations, and the ground truth of their papers."""

    citations: Citations
    """Citations, weighted by the importance that the platform computed."""
    topic: Ints
    venue: Ints
    lists: Mapping[int, tuple[Ints, Bools]]
    """Citing paper -> its references, and whether each has high planted importance."""


def _read_corpus(store: GraphStore, world: World) -> _Corpus:
    citations = read_citations(store)
    work_of = works_by_node(store, world)
    works = np.array([work_of[id_] for id_ in citations.ids.to_pylist()])
    planted = dict(
        zip(
            zip(world.pairs.citing.tolist(), world.pairs.cited.tolist(), strict=True),
            (world.pairs.importance >= PERFUNCTORY).tolist(),
            strict=True,
        )
    )
    lists: dict[int, tuple[Ints, Bools]] = {}
    for paper in np.flatnonzero(np.diff(citations.indptr)).tolist():
        row = slice(citations.indptr[paper], citations.indptr[paper + 1])
        references = citations.cited[row].astype(np.int64)
        ends = ((int(works[paper]), int(works[reference])) for reference in references)
        lists[paper] = references, np.array([planted[pair] for pair in ends])
    return _Corpus(
        citations,
        np.array([world.works[work].topic for work in works]),
        np.array([world.works[work].venue for work in works]),
        lists,
    )


def compare_samplers(
    store: GraphStore, world: World, seeds: int, *, progress: Progress = silent
) -> tuple[MethodComparison, MethodComparison]:
    """Topic P@10 and MAP of important references after learning from each sampler.

    Arguments as in `prove_learning`. The method `untrained` is the vectors without training.
    """
    corpus = _read_corpus(store, world)
    usable = np.ones(len(corpus.citations.ids), np.bool_)
    topic: dict[str, list[float]] = {}
    core: dict[str, list[float]] = {}
    for seed in range(seeds):
        progress(f"comparing samplers, seed {seed + 1} of {seeds}")
        rng = np.random.default_rng([world.seed, seed])
        labels = {"topic": (corpus.topic, 1.0), "venue": (corpus.venue, 2.5)}
        vectors = plant_vectors(labels, noise=1.5, dimensions=48, rng=rng)

        sampling, random_only = SamplingConfig(seed=seed), ImportanceConfig(hard=0)
        shuffled = shuffle_importance(corpus.citations, seed=seed)
        aware = sample_importance(corpus.citations, usable, sampling=sampling).triplets
        triplets = {
            "importance": aware,
            "uniform": sample_importance(shuffled, usable, random_only, sampling=sampling).triplets,
            "shuffled importance": sample_importance(shuffled, usable, sampling=sampling).triplets,
        }
        anchors = np.unique(aware.anchor[aware.validation])  # held out of all trainings
        lists = {paper: corpus.lists[paper] for paper in anchors.tolist()}
        for method in ("untrained", *triplets):
            learned = vectors
            if method in triplets:
                held_out = np.isin(triplets[method].anchor, anchors)
                learned = _adapt(vectors, replace(triplets[method], validation=held_out), seed)
            topic.setdefault(method, []).append(compute_precision(learned, corpus.topic))
            core.setdefault(method, []).append(compute_core_map(learned, lists))
    return _compare("topic P@10", topic), _compare("important references MAP", core)


def compare_facets(seeds: int, progress: Progress = silent) -> list[MethodComparison]:
    """P@10 of the label of each facet, for an encoder of the facet and one encoder of all facets.

    Both see each triplet equally often. The encoder of all facets has three times the triplets and
    therefore three times the updates.
    """
    values: dict[str, dict[str, list[float]]] = {facet: {} for facet in FACETS}
    for seed in range(seeds):
        progress(f"comparing facet encoders, seed {seed + 1} of {seeds}")
        world = generate_facet_world(seed=seed)
        labels = {facet: (world.labels[:, k], 1.0) for k, facet in enumerate(FACETS)}
        labels["venue"] = (world.venue, 1.5)
        rng = np.random.default_rng([seed, 23])
        vectors = plant_vectors(labels, noise=1.0, dimensions=48, rng=rng)
        triplets = {facet: _sample_facet(world, facet, seed) for facet in FACETS}
        passes = max(count_passes(sample) for sample in triplets.values())
        joined = join_triplets(list(triplets.values()))
        together = _adapt(vectors, joined, seed, passes=passes)
        for k, facet in enumerate(FACETS):
            methods = {
                "untrained": vectors,
                "one encoder": together,
                "facet encoder": _adapt(vectors, triplets[facet], seed, passes=passes),
            }
            for method, learned in methods.items():
                value = compute_precision(learned, world.labels[:, k])
                values[facet].setdefault(method, []).append(value)
    return [_compare(f"{facet} P@10", by_method) for facet, by_method in values.items()]


def _sample_facet(world: FacetWorld, facet: str, seed: int) -> Triplets:
    """Triplets of a facet as `platform sample facet` samples them, with the codes of all papers."""
    from citescape.embeddings.graph_memory import embed_citations
    from citescape.encoders.graph_config import GraphConfig
    from citescape.sampling.config import NeighbourhoodConfig
    from citescape.sampling.neighbourhood import sample_neighbourhood

    config = GraphConfig(dimensions=32, epochs=20, batch=200, chunk=100, threads=1, seed=seed)
    vectors = embed_citations(world.citations[facet], config)
    bands = NeighbourhoodConfig(per_anchor=10, hard=4, near=15)
    sampled = sample_neighbourhood(
        vectors,
        bands,
        citations=world.citations[facet],
        sampling=SamplingConfig(seed=seed),
        threads=1,
    )
    return recode_triplets(sampled.triplets, world.ids)


def join_triplets(parts: list[Triplets]) -> Triplets:
    """Joins triplets of several samplers over the same ids, anchors ascending."""
    names = [field.name for field in fields(Triplets) if field.name not in WITHOUT_ROWS]
    whole = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
    joined: Triplets = replace(parts[0], **dict[str, Any](whole))
    return joined.select_rows(np.argsort(joined.anchor, kind="stable"))


def count_passes(triplets: Triplets) -> int:
    """Number of epochs after which the triplets have given at least `_UPDATES` updates."""
    batches = -(-int((~triplets.validation).sum()) // _BATCH)
    return max(2, -(-_UPDATES // batches))


def _adapt(vectors: Vectors, triplets: Triplets, seed: int, *, passes: int = 0) -> Vectors:
    """Vectors after training an adapter on the triplets, by default for `count_passes` epochs."""
    from citescape.training.adapt import train_adapter
    from citescape.training.config import TrainConfig

    epochs = passes or count_passes(triplets)
    config = TrainConfig(seed=seed, epochs=epochs, batch=_BATCH, learning_rate=_RATE)
    return train_adapter(vectors, triplets, config).adapter(vectors)


def _compare(measure: str, values: Mapping[str, list[float]]) -> MethodComparison:
    return MethodComparison(measure, {method: tuple(by_seed) for method, by_seed in values.items()})
