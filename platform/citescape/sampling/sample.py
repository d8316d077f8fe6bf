"""Samples triplets from the graph into a run directory."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.config import ShardsLocation, store_words
from citescape.core.errors import ConfigError
from citescape.core.paper_types import RESEARCH
from citescape.core.progress import Progress, silent
from citescape.networks.citations import Citations, read_citations
from citescape.papers.types import find_of_types, hash_mask
from citescape.runs.directory import RunDirectory, Stopwatch, default_runs, record_run
from citescape.runs.kept import KeptRun, compute_run
from citescape.runs.result import Part, Summary, Table, plural
from citescape.sampling.config import ImportanceConfig, SamplingConfig, SpecterConfig
from citescape.sampling.importance import sample_importance
from citescape.sampling.leakage import Leakage, compute_leakage
from citescape.sampling.pool import Mask, SampledTriplets
from citescape.sampling.specter import sample_specter
from citescape.sampling.triplets import TRIPLETS, Triplets, locate_triplets, read_triplets
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

COMMAND = "sample"
_WORDS = {
    "anchors": "papers with references",
    "anchors_of_other_types": "anchors left out: papers of other types (--types)",
    "anchors_without_text": "anchors left out: no title and no abstract",
    "anchors_skipped_short": "anchors left out: too few references with a text",
    "references_without_text": "references left out: no title and no abstract",
    "hard_as_important": "hard negatives no less important than their positive",
    "tied_positives": "anchors with a tie at their last positive, cut by a hash",
    "tied_hard": "anchors with a tie at their last hard negative, cut by a hash",
    "hard_cited": "hard negatives that the anchor cites",
    "hard_cited_by_reference": "hard negatives cited by a reference",
    "hard_cited_beside_reference": "hard negatives cited beside a reference, as substitutes",
    "hard_made_random": "hard negatives replaced by random papers: no other was found",
    "no_random_paper": "triplets left out: no random paper left",
    "contradictory_dropped": "triplets dropped: a pair is close in one triplet and far in another",
    "papers_without_text": "papers left out: no title and no abstract",
    "papers_without_vector": "papers left out: no vector in this embedding",
    "papers": "papers searched for neighbours",
    "far": "rank of the last hard negative (k)",
    "queries": "papers that are anchors",
    "no_positive_above": "triplets left out: no positive above the threshold",
    "no_negative_above": "triplets left out: no hard negative farther than the positives",
    "threshold_beyond_reach": "anchors whose k neighbours are all above the threshold",
    "labels_without_paper": "labels left out: the paper is not in the store",
    "labels_disagree": "papers left out: more than one label",
    "labels": "labels",
    "labelled": "papers with a label",
    "label_too_rare": "anchors left out: too few papers of their label",
    "balanced_away": "anchors left out: to balance the labels",
    "contradictory": "triplets with a pair that is close in one triplet and far in another",
}
"""Key of `left_out` -> its row in tables."""


@dataclass(frozen=True)
class SampleResult(KeptRun):
    """Triplets of a sampler as a run, with the numbers of skipped papers and triplets."""

    command = COMMAND
    noun = "triplets"

    warning: str = ""
    """Warning about the use of these triplets."""
    leakage: Mapping[str, Leakage] = field(default_factory=dict)
    """File name -> papers of the test set in the triplets."""
    excluded: Mapping[str, Leakage] = field(default_factory=dict)
    """File name -> excluded papers in the triplets; always 0."""
    shards: str = ""
    """Folder of the graph of shards that they are from; empty for a store."""

    @property
    def files(self) -> Mapping[str, Mapping[str, Any]]:
        """File name -> triplets, train, validation, anchors, papers, left_out by reason."""
        return self.counts

    def triplets(self, facet: str = "") -> Triplets:
        """The triplets of the run, or of one facet.

        Raises:
            ConfigError: the run holds no such triplets.
        """
        return read_triplets(locate_triplets(self.path.parent, self.run, facet))

    @property
    def arrow(self) -> pa.Table:
        """The triplets of the first file, a row each."""
        return next(iter(self.tables().values()))

    def tables(self) -> dict[str, pa.Table]:
        """The triplets of each file."""
        return {
            file.removesuffix(".parquet"): read_triplets(self.path / file).to_table()
            for file in self.files
        }

    def find_leaks(self, papers: Collection[str]) -> dict[str, Leakage]:
        """Numbers of papers of a list of ids in the triplets of each file."""
        return {
            file: compute_leakage(read_triplets(self.path / file), papers) for file in self.files
        }

    def summarise(self) -> Summary:
        """Triplets of each file, skipped papers, leakage."""
        parts: list[Part] = []
        embeddings = self.record.inputs.get("embeddings")
        if embeddings:
            parts.append(f"neighbours by {embeddings}")
        for file, figures in self.files.items():
            name = f"{file.removesuffix('.parquet')}: " if len(self.files) > 1 else ""
            counts = {name: n for name, n in figures["left_out"].items() if n}
            parts += [
                f"{name}{plural(figures['triplets'], 'triplet')} of "
                f"{plural(figures['anchors'], 'anchor')} ({figures['train']:,} to train, "
                f"{figures['validation']:,} to validate), {plural(figures['papers'], 'paper')} in "
                "them",
                "",
                Table(("", "count"), [(_WORDS.get(name, name), n) for name, n in counts.items()]),
            ]
        for file, leakage in self.leakage.items():
            roles = ", ".join(f"{n:,} as {role}" for role, n in leakage.by_role.items())
            parts += [
                "",
                f"held out: {leakage.leaked:,} of {plural(leakage.held_out, 'listed paper')} are "
                f"among the {leakage.papers:,}{f' of {file}' if len(self.leakage) > 1 else ''} "
                f"({leakage.share:.1%}), in {plural(leakage.triplets, 'triplet')}: {roles}",
            ]
        for file, leakage in self.excluded.items():
            parts += ["", f"{leakage.line}{f' in {file}' if len(self.excluded) > 1 else ''}"]
        words = store_words(ShardsLocation(self.shards)) if self.shards else ""
        if self.warning:
            parts += ["", self.warning]
        parts += ["", f"{'unchanged' if self.unchanged else 'stored'} in {self.path}"]
        figures = {"run": self.run, "path": str(self.path), "unchanged": self.unchanged}
        if self.warning:
            figures["warning"] = self.warning
        leaks = {"leakage": self.leakage, "excluded": self.excluded}
        shown = {
            name: {file: {**asdict(leak), "share": leak.share} for file, leak in by_file.items()}
            for name, by_file in leaks.items()
        }
        return Summary(
            parts,
            {**figures, "files": self.files, **shown},
            [("next", f"train --triplets {self.run}{words}")],
        )


@dataclass(frozen=True)
class SamplerInput:
    """Input of a sampler: citations, and a mask of papers with a text."""

    citations: Citations
    usable: Mask
    inputs: Mapping[str, Any] = field(default_factory=dict)
    """Hashes, for the record of the run."""


@dataclass(frozen=True)
class SamplingRequest:
    """A sampling to run; name, settings and inputs determine the run id."""

    name: str
    settings: Mapping[str, Any]
    inputs: Mapping[str, Any]
    sample: Callable[[], Mapping[str, SampledTriplets]]
    """Function that returns the triplets by file name."""
    excluded: Collection[str] = ()
    """Ids of papers that must be in no triplet."""


def sample_citations(
    store: GraphStore,
    config: ImportanceConfig | SpecterConfig,
    *,
    sampling: SamplingConfig | None = None,
    types: Sequence[str] = RESEARCH,
    exclude: Collection[str] = (),
    runs: Path | None = None,
    progress: Progress = silent,
) -> SampleResult:
    """Samples importance-aware or SPECTER's triplets, and stores them in a run directory.

    An existing run with the same citations, settings and seed is returned.

    Args:
        store: the graph.
        config: its type selects the sampler.
        sampling: seed, split, size.
        types: types of the anchors, see `core.paper_types`.
        exclude: ids of papers to remove from the graph and all triplets, such as those of a
            benchmark.
        runs: folder of run directories; by default `runs` beside the store.
        progress: reports the stages.

    Writes to the graph: a Run node.

    Raises:
        ConfigError: no paper has the types, or no triplets, for example because all anchors have
            too few references.
        StoreError: no citations, or no importance if it is needed.
    """
    sampling, clock = sampling or SamplingConfig(), Stopwatch()
    name = "importance" if isinstance(config, ImportanceConfig) else "specter"
    progress("reading citations")
    with clock.timed("read"):
        source = read_source(store, "importance" if name == "importance" else "none", exclude)
        citing = np.diff(source.citations.indptr) > 0
        queries = find_of_types(
            store,
            source.citations.ids,
            types,
            among=citing | (isinstance(config, SpecterConfig) and config.both_directions),
            noun="papers with citations",
        )

    def sample() -> Mapping[str, SampledTriplets]:
        progress(f"sampling {name} triplets")
        if isinstance(config, ImportanceConfig):
            sampled = sample_importance(
                source.citations, source.usable, config, queries=queries, sampling=sampling
            )
        else:
            sampled = sample_specter(
                source.citations, source.usable, config, queries=queries, sampling=sampling
            )
        return {TRIPLETS: sampled}

    settings = {**asdict(config), **asdict(sampling), "types": types}
    inputs = {**source.inputs, "anchors": hash_mask(queries)}
    request = SamplingRequest(name, settings, inputs, sample, exclude)
    return publish_triplets(store, request, runs=runs, clock=clock)


def read_source(store: GraphStore, weight: str, exclude: Collection[str] = ()) -> SamplerInput:
    """Citations without excluded papers, and a mask of papers with a text.

    Args:
        store: the graph.
        weight: weight of the citations, see `networks.citations.read_citations`.
        exclude: ids of papers to remove.

    Raises:
        StoreError: see `networks.citations.read_citations`.
    """
    citations = read_citations(store, weight=weight)
    if exclude:
        citations = citations.without(exclude)
    usable = find_usable(store, citations.ids)
    inputs = {
        "citations": citations.fingerprint(),
        "with_text": hashlib.sha256(usable.tobytes()).hexdigest(),
        "excluded": hash_excluded(exclude),
    }
    return SamplerInput(citations, usable, inputs)


def hash_excluded(excluded: Collection[str]) -> str:
    """SHA-256 of the ids of excluded papers; empty without excluded papers."""
    text = "\n".join(sorted(excluded))
    return hashlib.sha256(text.encode()).hexdigest() if excluded else ""


def find_usable(store: GraphStore, ids: pa.StringArray) -> Mask:
    """(papers,) true for papers with a title or an abstract."""
    written = store.read(query("sampling/texts"))["id"].cast(pa.string())
    usable: Mask = pc.is_in(ids, value_set=written.combine_chunks()).to_numpy(zero_copy_only=False)
    return usable


def publish_triplets(
    store: GraphStore, request: SamplingRequest, *, runs: Path | None, clock: Stopwatch
) -> SampleResult:
    """Samples if no equal run exists, and writes the run directory and the Run node.

    Args:
        store: the graph to write to.
        request: the sampling.
        runs: folder of run directories; by default `runs` beside the store.
        clock: times the stages.

    Raises:
        ConfigError: a file would hold no triplets; the message gives the counts of skipped papers.
    """

    def fill(directory: RunDirectory, clock: Stopwatch) -> dict[str, Any]:
        with clock.timed("sample"):
            sampled = request.sample()
        for file, part in sampled.items():
            if not len(part.triplets):
                counts = ", ".join(f"{n:,} {name}" for name, n in part.counts.items() if n)
                facet = file.removesuffix(".parquet")
                where = f" of the {facet} facet" if request.name == "facet" else ""
                raise ConfigError(
                    f"no {request.name} triplets{where} can be sampled; found: "
                    f"{counts.replace('_', ' ') or 'nothing'}; expected papers with a text that "
                    "cite enough works with a text"
                )
        with clock.timed("write"):
            for file, part in sampled.items():
                directory.write_parquet(file, [part.triplets.to_table()])
        return {file: describe(part, request.excluded) for file, part in sampled.items()}

    left_out = {"excluded": hash_excluded(request.excluded)} if request.excluded else {}
    result = compute_run(
        SampleResult,
        runs or default_runs(store.location),
        {"sampler": request.name, **request.settings},
        {**request.inputs, **left_out},
        fill=fill,
        seed=request.settings.get("seed"),
        libraries=("numpy", "numba", "pyarrow"),
        clock=clock,
    )
    record_run(store, result.record)
    return result


def describe(sampled: SampledTriplets, excluded: Collection[str] = ()) -> dict[str, Any]:
    """Figures of one file of triplets, with its leakage if papers are excluded."""
    triplets = sampled.triplets
    held = int(triplets.validation.sum())
    figures = {
        "triplets": len(triplets),
        "train": len(triplets) - held,
        "validation": held,
        "anchors": triplets.anchors,
        "papers": len(triplets.papers),
        "left_out": dict(sampled.counts),
    }
    return {**figures, "leakage": compute_leakage(triplets, excluded).line} if excluded else figures
