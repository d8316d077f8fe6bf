"""Whether learning finds what was planted: samplers and facet encoders beside their controls.

These comparisons verify the code. They say nothing about science: the worlds are made so that the
methods have something to find.
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
from citescape.sampling.config import Drawing, ImportanceConfig
from citescape.sampling.controls import shuffle_importance
from citescape.sampling.importance import sample_importance
from citescape.sampling.triplets import WHOLE, Triplets, recode_triplets
from citescape.store.graph_store import GraphStore
from citescape.training.paired import compute_lead

SEEDS = 8
_RATE, _BATCH, _UPDATES = 3e-3, 64, 80
"""Of the trainings; updates at least, so that a small world learns as much as a large one."""
_LARGE = 300
"""Full texts from which shuffled importance falls below uniform: in smaller worlds, most of whose
references follow the venue, even randomly drawn ones as negatives teach to look away from it."""


@dataclass(frozen=True)
class Comparison:
    """One figure of several ways to learn, each with the same seeds."""

    figure: str
    """What was measured, higher is better."""
    values: Mapping[str, tuple[float, ...]]
    """Way -> its figure for each seed."""

    def mean(self, way: str) -> float:
        """Over the seeds."""
        return float(np.mean(self.values[way]))

    def deviation(self, way: str) -> float:
        """Standard deviation over the seeds (n - 1)."""
        return float(np.std(self.values[way], ddof=1)) if len(self.values[way]) > 1 else 0.0

    def lead(self, way: str, over: str) -> Check:
        """Whether one way is better than another: its lead, less two standard errors, is no loss.

        Seeds are paired: vectors and splits are the same for both.
        """
        lead, seeds = compute_lead(self.values[way], self.values[over]), len(self.values[way])
        what = f"{self.figure}: {way} above {over} (better in {lead.wins} of {seeds} seeds), lead"
        return Check(what, lead.mean - 2 * lead.error, "≥", 0.0)


@dataclass(frozen=True)
class Proof:
    """All comparisons, and what must hold."""

    comparisons: tuple[Comparison, ...]
    checks: tuple[Check, ...]
    remarks: tuple[str, ...] = ()
    """What came out against expectation, and is not checked."""


def prove_learning(
    store: GraphStore,
    world: World,
    *,
    seeds: int = SEEDS,
    progress: Progress = silent,
) -> Proof:
    """Trains adapters on triplets of the demo's graph and of facet worlds, and compares them.

    Args:
        store: holds the corpus of `world`, scored.
        world: the planted truth.
        seeds: repetitions; each has its own vectors, triplets, splits and order.
        progress: told what is going on.
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
            f"Not checked, {ranking.figure}: shuffled importance leads uniform by {lead}. Its "
            "negatives are references too, and the figure ranks references."
        )
    return Proof((*samplers, *facets), tuple(checks), tuple(remarks))


@dataclass(frozen=True)
class _Corpus:
    """The demo's citations, and what was planted about their papers."""

    citations: Citations
    """Weighted by the platform's score."""
    topic: Ints
    venue: Ints
    lists: Mapping[int, tuple[Ints, Bools]]
    """Citing paper -> its references and which of them are planted as important."""


def _read_corpus(store: GraphStore, world: World) -> _Corpus:
    citations = read_citations(store)
    found = works_by_node(store, world)
    works = np.array([found[id_] for id_ in citations.ids.to_pylist()])
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
) -> tuple[Comparison, Comparison]:
    """Topics found, and important references ranked first, after learning from each sampler.

    Args and ways: `prove_learning`; `untrained` are the vectors before.
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

        drawing, random_only = Drawing(seed=seed), ImportanceConfig(hard=0)
        shuffled = shuffle_importance(corpus.citations, seed=seed)
        aware = sample_importance(corpus.citations, usable, drawing=drawing).triplets
        triplets = {
            "importance": aware,
            "uniform": sample_importance(shuffled, usable, random_only, drawing=drawing).triplets,
            "shuffled importance": sample_importance(shuffled, usable, drawing=drawing).triplets,
        }
        anchors = np.unique(aware.anchor[aware.validation])  # held out of all trainings
        lists = {paper: corpus.lists[paper] for paper in anchors.tolist()}
        for way in ("untrained", *triplets):
            learned = vectors
            if way in triplets:
                held_out = np.isin(triplets[way].anchor, anchors)
                learned = adapt(vectors, replace(triplets[way], validation=held_out), seed)
            topic.setdefault(way, []).append(compute_precision(learned, corpus.topic))
            core.setdefault(way, []).append(compute_core_map(learned, lists))
    return _compare("topic P@10", topic), _compare("important references MAP", core)


def compare_facets(seeds: int, progress: Progress = silent) -> list[Comparison]:
    """The label of each facet found by its own encoder, and by one for all facets.

    Both see each triplet as often; the one for all, of three times the triplets, has three times
    the updates.
    """
    found: dict[str, dict[str, list[float]]] = {facet: {} for facet in FACETS}
    for seed in range(seeds):
        progress(f"comparing facet encoders, seed {seed + 1} of {seeds}")
        world = generate_facet_world(seed=seed)
        labels = {facet: (world.labels[:, k], 1.0) for k, facet in enumerate(FACETS)}
        labels["venue"] = (world.venue, 1.5)
        rng = np.random.default_rng([seed, 23])
        vectors = plant_vectors(labels, noise=1.0, dimensions=48, rng=rng)
        triplets = {facet: _sample_facet(world, facet, seed) for facet in FACETS}
        passes = max(count_passes(made) for made in triplets.values())
        joined = join_triplets(list(triplets.values()))
        together = adapt(vectors, joined, seed, passes=passes)
        for k, facet in enumerate(FACETS):
            ways = {
                "untrained": vectors,
                "one encoder": together,
                "facet encoder": adapt(vectors, triplets[facet], seed, passes=passes),
            }
            for way, learned in ways.items():
                value = compute_precision(learned, world.labels[:, k])
                found[facet].setdefault(way, []).append(value)
    return [_compare(f"{facet} P@10", values) for facet, values in found.items()]


def _sample_facet(world: FacetWorld, facet: str, seed: int) -> Triplets:
    """Triplets of a facet as `platform sample facet` makes them, in the codes of all papers."""
    from citescape.embeddings.graph_memory import embed_citations
    from citescape.encoders.graph_config import GraphConfig
    from citescape.sampling.config import NeighbourhoodConfig
    from citescape.sampling.neighbourhood import sample_neighbourhood

    config = GraphConfig(dimensions=32, epochs=20, batch=200, chunk=100, threads=1, seed=seed)
    vectors = embed_citations(world.citations[facet], config)
    bands = NeighbourhoodConfig(per_anchor=10, hard=4, near=15)
    made = sample_neighbourhood(
        vectors,
        bands,
        citations=world.citations[facet],
        drawing=Drawing(seed=seed),
        threads=1,
    )
    return recode_triplets(made.triplets, world.ids)


def join_triplets(parts: list[Triplets]) -> Triplets:
    """The triplets of several samplings over the same ids, anchors ascending."""
    names = [field.name for field in fields(Triplets) if field.name not in WHOLE]
    whole = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
    joined: Triplets = replace(parts[0], **dict[str, Any](whole))
    return joined.take(np.argsort(joined.anchor, kind="stable"))


def count_passes(triplets: Triplets) -> int:
    """Epochs in which so many triplets make at least 80 updates."""
    each = -(-int((~triplets.validation).sum()) // _BATCH)
    return max(2, -(-_UPDATES // each))


def adapt(vectors: Vectors, triplets: Triplets, seed: int, *, passes: int = 0) -> Vectors:
    """The vectors after an adapter was trained on the triplets, in so many passes.

    By default as many as `count_passes` says.
    """
    from citescape.training.adapt import train_adapter
    from citescape.training.config import TrainConfig

    epochs = passes or count_passes(triplets)
    config = TrainConfig(seed=seed, epochs=epochs, batch=_BATCH, learning_rate=_RATE)
    return train_adapter(vectors, triplets, config).adapter(vectors)


def _compare(figure: str, values: Mapping[str, list[float]]) -> Comparison:
    return Comparison(figure, {way: tuple(by_seed) for way, by_seed in values.items()})
