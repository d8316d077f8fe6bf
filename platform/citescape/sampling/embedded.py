"""Triplets from runs of `platform train graph`: SciNCL's neighbourhoods, FLeW's facets."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.config import quote_command
from citescape.core.errors import ConfigError
from citescape.core.paper_types import RESEARCH
from citescape.core.progress import Progress, silent
from citescape.core.types import FACETS
from citescape.embeddings.graph_embed import COMMAND as GRAPH_EMBED
from citescape.networks.citations import Citations, read_citations
from citescape.papers.types import find_of_types
from citescape.runs.directory import (
    RECORD,
    Stopwatch,
    default_runs,
    describe_run,
    list_runs,
    read_run,
)
from citescape.sampling.collisions import Collisions, count_collisions
from citescape.sampling.config import NeighbourhoodConfig, SamplingConfig
from citescape.sampling.neighbourhood import sample_neighbourhood
from citescape.sampling.pool import Mask, SampledTriplets
from citescape.sampling.sample import SampleResult, SamplingRequest, find_usable, publish_triplets
from citescape.sampling.triplets import TRIPLETS
from citescape.search.vectors import Rows, Vectors, hash_vector_file, is_vector_file, read_vectors
from citescape.store.graph_store import GraphStore

FACET_TRIPLETS = 10
"""Triplets per query and facet: 2.16 million for 216,000 queries (FLeW, section 4.1)."""


@dataclass(frozen=True)
class EmbeddedPapers:
    """Papers of an embedding that may be in a triplet, and a mask of the anchors."""

    path: Path
    """Folder of a run of `platform train graph`, or a vector file."""
    ids: pa.StringArray
    """(n,) ascending."""
    rows: Rows
    """(n,) rows of their vectors in the run."""
    queries: Mask
    """(n,) true for anchors."""
    left_out: Mapping[str, int]
    """Papers of the run that cannot be in a triplet, by reason."""

    @property
    def vectors(self) -> Vectors:
        """The vectors, read at each access; memory-mapped if no paper of the run is left out."""
        return read_vectors(self.path).select_rows(self.rows)


def sample_neighbours(
    store: GraphStore,
    config: NeighbourhoodConfig | None = None,
    *,
    embeddings: str = "",
    queries: str = "citing",
    types: Sequence[str] = RESEARCH,
    exclude: Collection[str] = (),
    sampling: SamplingConfig | None = None,
    runs: Path | None = None,
    progress: Progress = silent,
) -> SampleResult:
    """Samples SciNCL's triplets, and stores them in a run directory.

    Args:
        store: the graph, for the texts of papers.
        config: bands and strategies.
        embeddings: run of `platform train graph`; empty for the latest one of all citations.
        queries: `citing`: papers with references are anchors; `all`: every paper.
        types: types of the anchors, see `core.paper_types`.
        exclude: ids of papers that must not be in triplets or in the embedding.
        sampling: seed, split, size.
        runs: folder of run directories; by default `runs` beside the store.
        progress: reports the stages.

    Writes to the graph: a Run node.

    Raises:
        ConfigError: no such embeddings, bands that do not fit the corpus, or excluded papers in
            the embedding.
        StoreError: the store holds no citations.
    """
    runs, clock = runs or default_runs(store.location), Stopwatch()
    sampling, config = sampling or SamplingConfig(), config or NeighbourhoodConfig()
    progress("reading vectors")
    with clock.timed("read"):
        path = find_embeddings(runs, embeddings, location=store.location)
        source = read_neighbourhoods(store, path, queries=queries, types=types, exclude=exclude)
        citations = read_citations(store, weight="none").without(exclude)

    def sample() -> Mapping[str, SampledTriplets]:
        progress("sampling neighbourhood triplets")
        return {TRIPLETS: _sample(source, citations, config, sampling=sampling)}

    settings = {**asdict(config), **asdict(sampling), "queries": queries, "types": types}
    inputs = {
        "embeddings": name_embeddings(path),
        "papers": hash_ids(source),
        "citations": citations.fingerprint(),
    }
    request = SamplingRequest("neighbourhood", settings, inputs, sample, exclude)
    return publish_triplets(store, request, runs=runs, clock=clock)


def sample_facets(
    store: GraphStore,
    config: NeighbourhoodConfig | None = None,
    *,
    embeddings: Mapping[str, str] | None = None,
    queries: str = "citing",
    types: Sequence[str] = RESEARCH,
    exclude: Collection[str] = (),
    sampling: SamplingConfig | None = None,
    runs: Path | None = None,
    progress: Progress = silent,
) -> SampleResult:
    """Samples FLeW's triplets in the background, method and result subgraphs.

    Each facet has an embedding of its own, of the citations with a context of that intent, weighted
    by their number (FLeW, Eq. 2 and 3); papers isolated in it have no vector there, so they are in
    no triplet. The run directory has one file of triplets per facet.

    References of any intent are not drawn as easy negatives.

    Args:
        store: the graph, for the texts of papers.
        config: bands and strategies.
        embeddings: run of each facet; by default the latest one with `--weight FACET`.
        queries: `citing`: papers with references are anchors; `all`: every paper.
        types: types of the anchors, see `core.paper_types`.
        exclude: ids of papers that must not be in triplets or in the embeddings.
        sampling: seed, split, size.
        runs: folder of run directories; by default `runs` beside the store.
        progress: reports the stages.

    Writes to the graph: a Run node.

    Raises:
        ConfigError, StoreError: as `sample_neighbours`.
    """
    runs, clock = runs or default_runs(store.location), Stopwatch()
    sampling = sampling or SamplingConfig()
    config = config or NeighbourhoodConfig(per_anchor=FACET_TRIPLETS, hard=2 * FACET_TRIPLETS // 5)
    named = embeddings or {}
    progress("reading vectors")
    with clock.timed("read"):
        paths = {}
        for facet in FACETS:
            path = find_embeddings(runs, named.get(facet, ""), facet, location=store.location)
            weight = facet if path.is_file() else read_run(path).config.get("weight")
            if weight != facet:
                command = quote_command(f"train graph --weight {facet}", store.location)
                raise ConfigError(
                    f"{path.name} embeds citations weighted by {weight}; expected {facet}, a run "
                    f"of {command}"
                )
            paths[facet] = path
        sources = {
            facet: read_neighbourhoods(store, path, queries=queries, types=types, exclude=exclude)
            for facet, path in paths.items()
        }
        citations = read_citations(store, weight="none").without(exclude)

    def sample() -> Mapping[str, SampledTriplets]:
        sampled = {}
        for facet, source in sources.items():
            progress(f"sampling {facet} triplets")
            sampled[f"{facet}.parquet"] = _sample(source, citations, config, sampling=sampling)
        return sampled

    settings = {**asdict(config), **asdict(sampling), "queries": queries, "types": types}
    inputs: dict[str, Any] = {
        facet: [name_embeddings(source.path), hash_ids(source)] for facet, source in sources.items()
    }
    inputs["citations"] = citations.fingerprint()
    request = SamplingRequest("facet", settings, inputs, sample, exclude)
    return publish_triplets(store, request, runs=runs, clock=clock)


def compare_bands(
    store: GraphStore,
    config: NeighbourhoodConfig | None = None,
    *,
    embeddings: str = "",
    queries: str = "citing",
    types: Sequence[str] = RESEARCH,
    runs: Path | None = None,
) -> list[Collisions]:
    """Collisions at growing distances of the bands (SciNCL, Fig. 4).

    k+ is that of `config`; k- hard begins just above it and doubles up to that of `config`.

    Args:
        store: the graph, for the texts of papers.
        config: bands.
        embeddings: run of `platform train graph`; empty for the latest one of all citations.
        queries: `citing` or `all`.
        types: types of the anchors, see `core.paper_types`.
        runs: folder of run directories; by default `runs` beside the store.
    """
    config, runs = config or NeighbourhoodConfig(), runs or default_runs(store.location)
    path = find_embeddings(runs, embeddings, location=store.location)
    source = read_neighbourhoods(store, path, queries=queries, types=types)
    last = config.scaled(len(source.ids)).far
    assert last is not None
    fars = [config.near + config.hard]
    while fars[-1] * 2 < last:
        fars.append(fars[-1] * 2)
    bands = [(config.near, far) for far in dict.fromkeys([*fars, last])]
    return count_collisions(
        source.vectors, source.queries, bands, positives=config.per_anchor, hard=config.hard
    )


def read_neighbourhoods(
    store: GraphStore,
    path: Path,
    *,
    queries: str,
    types: Sequence[str] = RESEARCH,
    exclude: Collection[str] = (),
) -> EmbeddedPapers:
    """The papers of an embedding that have a vector and a text.

    Args:
        store: the graph.
        path: a run of `platform train graph`, or a vector file.
        queries: `citing` or `all`.
        types: types of the anchors, see `core.paper_types`.
        exclude: ids of papers that must not be in the embedding.

    Raises:
        ConfigError: the embedding contains excluded papers, or no anchor has the types.
    """
    vectors = read_vectors(path)
    excluded = pc.is_in(vectors.ids, value_set=pa.array(sorted(exclude), pa.string()))
    leaked = int(pc.sum(excluded).as_py() or 0)
    if leaked:
        raise ConfigError(
            f"{path.name} contains {leaked:,} excluded papers; expected an embedding without them: "
            "embed the graph again (`platform train graph --exclude FILE`)"
        )
    texts = find_usable(store, vectors.ids)
    placed = vectors.placed
    kept = np.flatnonzero(texts & placed)
    is_query = np.ones(len(kept), np.bool_)
    if queries == "citing" and "cites" in vectors.papers.column_names:
        is_query = vectors.papers["cites"].to_numpy()[kept] > 0
    elif queries == "citing":  # a vector file has no column of citations
        citations = read_citations(store, weight="none")
        citing = citations.ids.take(pa.array(np.flatnonzero(np.diff(citations.indptr))))
        is_query = pc.is_in(vectors.ids.take(pa.array(kept)), value_set=citing).to_numpy(False)
    ids = vectors.ids.take(pa.array(kept))
    of_types = find_of_types(store, ids, types, among=is_query, noun="possible anchors")
    left_out = {
        "papers_without_text": int((~texts).sum()),
        "papers_without_vector": int((texts & ~placed).sum()),
        "anchors_of_other_types": int((is_query & ~of_types).sum()),
    }
    return EmbeddedPapers(path, ids, kept, of_types, left_out)


def hash_ids(source: EmbeddedPapers) -> str:
    """Hash of the papers and of the mask of queries, 16 digits."""
    digest = hashlib.blake2b(source.queries.tobytes(), digest_size=8)
    digest.update("\n".join(source.ids.to_pylist()).encode())
    return digest.hexdigest()


def _sample(
    source: EmbeddedPapers,
    citations: Citations,
    config: NeighbourhoodConfig,
    *,
    sampling: SamplingConfig,
) -> SampledTriplets:
    sampled = sample_neighbourhood(
        source.vectors, config, queries=source.queries, citations=citations, sampling=sampling
    )
    return replace(sampled, counts={**source.left_out, **sampled.counts})


def find_embeddings(runs: Path, named: str, weight: str = "none", *, location: str) -> Path:
    """The folder of a run of `platform train graph`, or a vector file.

    Args:
        runs: folder of run directories.
        named: a run or a vector file; empty for the latest run of the weight.
        weight: weight of the citations in the embedding.
        location: path or address of the store, for messages.

    Raises:
        ConfigError: no such run; the message names the command that creates it.
    """
    if named:
        if is_vector_file(Path(named)) and Path(named).is_file():
            return Path(named)
        for path in (Path(named), runs / named):
            if (path / RECORD).is_file() and read_run(path).command == GRAPH_EMBED:
                return path
        raise ConfigError(f"{describe_run(runs, named)}; expected one of `platform train graph`")
    paths = [
        path
        for record, path in list_runs(runs, GRAPH_EMBED)
        if record.config.get("weight") == weight
    ]
    if not paths:
        option = "" if weight == "none" else f" --weight {weight}"
        raise ConfigError(
            f"no embedding of the {'citation graph' if weight == 'none' else weight + ' facet'} in "
            f"{runs}; run {quote_command('train graph' + option, location)} first"
        )
    return paths[-1]


def name_embeddings(path: Path) -> str:
    """The id of a run, or the name of a file with a hash of its content."""
    return hash_vector_file(path) if path.is_file() else path.name
