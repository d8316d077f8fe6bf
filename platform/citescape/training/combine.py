"""Combines facet encoders into one, with weights for a task (FLeW, section 3.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.core.errors import ConfigError
from citescape.core.progress import Progress, silent
from citescape.encoders.combined import (
    Vectors,
    Weights,
    WeightSearch,
    check_weights,
    check_widths,
    search_weights,
)
from citescape.encoders.saved import (
    encoder_settings,
    find_document_encoder,
    hash_document_encoder,
    load_document_encoder,
    write_encoder_settings,
)
from citescape.runs.directory import (
    RunDirectory,
    Stopwatch,
    check_writable,
    default_runs,
    record_run,
)
from citescape.runs.kept import KeptRun, compute_run
from citescape.runs.result import Part, Summary, Table
from citescape.sampling.fingerprint import hash_triplets, recode
from citescape.sampling.triplets import Triplets
from citescape.store.graph_store import GraphStore
from citescape.training.texts import read_texts

COMMAND = "combine"
_SLICE = 4096
"""Number of triplets whose vectors are in memory at one time."""


@dataclass(frozen=True)
class CombinedRun(KeptRun):
    """A weighted sum of encoders; the id of the run names the encoder."""

    command: ClassVar[str] = COMMAND
    noun: ClassVar[str] = "combined encoders"

    @property
    def parts(self) -> tuple[str, ...]:
        """Names of the encoders."""
        return tuple(self.record.config["parts"])

    @property
    def weights(self) -> Weights:
        """One per encoder."""
        return tuple(self.counts["weights"])

    @property
    def figures(self) -> Mapping[str, Any]:
        """`score`, `equal_weights`, `alone`, `tied`, `points`, `triplets`; or empty: no search."""
        figures: Mapping[str, Any] = self.counts["figures"]
        return figures

    @property
    def arrow(self) -> pa.Table:
        """A row per encoder: encoder, weight, alone (its share of triplets ordered correctly)."""
        alone = self.figures.get("alone", [None] * len(self.parts))
        columns = {"encoder": self.parts, "weight": self.weights, "alone": alone}
        return pa.table({name: list(values) for name, values in columns.items()})

    def summarise(self) -> Summary:
        """Encoders and their weights, and their accuracy on triplets."""
        table = self.arrow.to_pylist()
        rows = [(Path(row["encoder"]).name, row["weight"], row["alone"]) for row in table]
        parts: list[Part] = [Table(("encoder", "weight", "alone"), rows)]
        if self.figures:
            parts += [
                "",
                f"ordered correctly of {self.figures['triplets']:,} validation triplets: "
                f"{self.figures['score']:.4f}, with equal weights "
                f"{self.figures['equal_weights']:.4f}; best of {self.figures['points']} points, "
                f"{self.figures['tied']} equally good",
            ]
        parts += ["", f"{'unchanged' if self.unchanged else 'stored'} in {self.path}"]
        figures = {
            "run": self.run,
            "path": str(self.path),
            "parts": self.parts,
            "weights": self.weights,
            "figures": self.figures,
            "unchanged": self.unchanged,
        }
        return Summary(parts, figures, [("next", f"embed --encoder {self.run}")])


def combine_encoders(
    store: GraphStore,
    parts: Sequence[str],
    *,
    task: Triplets | None = None,
    weights: Weights = (),
    step: float = 0.1,
    runs: Path | None = None,
    progress: Progress = silent,
) -> CombinedRun:
    """Makes one encoder of several: the weighted sum of their vectors of title and abstract.

    With a task, the weights are those of the grid that order most of its validation triplets
    correctly (the positive nearer than the negative). Its training triplets are not used.

    Args:
        store: holds the texts of the task's papers.
        parts: two encoders or more, by run id, folder or hub id; equal form and dimensions.
        task: triplets with a validation side; None with `weights`.
        weights: one per encoder, positive, with the sum 1; empty to search for them.
        step: step of the grid of weights, a divisor of 1.
        runs: folder of run directories; by default `runs` beside the store.
        progress: reports the progress.

    Writes to the graph: a Run node.

    Raises:
        ConfigError: neither task nor weights, invalid weights, encoders that cannot be summed, or a
            task without validation triplets.
    """
    runs = runs or default_runs(store.location)
    check_writable(runs)
    if weights:
        check_weights(weights, len(parts))
    names = tuple(find_document_encoder(runs, part) for part in parts)
    if len(names) < 2:
        raise ConfigError(f"{len(names)} encoder; expected two or more to combine")
    settings = [encoder_settings(name) for name in names]
    if len({part.form for part in settings}) > 1 or any(part.parts for part in settings):
        forms = ", ".join(f"{name} {part.form}" for name, part in zip(names, settings, strict=True))
        raise ConfigError(
            f"the encoders read documents in different forms ({forms}) or are weighted sums; "
            "expected single encoders of one form"
        )
    source = {"task": "", "texts": ""}
    if not weights:
        held = _read_held_out(task)
        texts = read_texts(store, held.ids)
        source = {"task": hash_triplets(held), "texts": texts.sha256}
    inputs = {"parts": [hash_document_encoder(name) for name in names], **source}

    def fill(directory: RunDirectory, clock: Stopwatch) -> dict[str, Any]:
        best, figures = weights, dict[str, Any]()
        if not weights:
            vectors = []  # (papers, d) of title and whole abstract, per encoder (FLeW, section 3.3)
            for k, name in enumerate(names, 1):
                progress(f"encoding {len(held.ids):,} papers, encoder {k} of {len(names)}")
                vectors.append(load_document_encoder(name)(texts.documents))
            check_widths([part.shape[1] for part in vectors])
            progress("searching weights")
            with clock.timed("search"):
                search, figures = weigh_parts(vectors, held, step=step)
            best = search.weights
        combined = replace(settings[0], parts=names, weights=best)
        write_encoder_settings(directory.path, combined)
        return {"weights": best, "figures": figures}

    run = compute_run(
        CombinedRun,
        runs,
        {"weights": weights, "step": step},
        inputs,
        fill=fill,
        recorded={"parts": names},
        libraries=("numpy", "torch", "transformers"),
    )
    record_run(store, run.record)
    return run


def _read_held_out(task: Triplets | None) -> Triplets:
    """The validation triplets of a task, in the codes of their papers."""
    if task is None:
        raise ConfigError(
            "neither triplets nor weights; expected one of them to weight encoders by"
        )
    held = task.select_rows(task.validation)
    if not len(held):
        raise ConfigError(
            f"none of the {len(task):,} triplets is for validation; expected some to search "
            "weights with: sample with --validation above 0"
        )
    return recode(held)


def weigh_parts(
    vectors: Sequence[Vectors], triplets: Triplets, *, step: float = 0.1
) -> tuple[WeightSearch, dict[str, Any]]:
    """The weights that order most triplets correctly, with figures of single encoders.

    Args:
        vectors: (papers, d) of each encoder, in the codes of the triplets.
        triplets: validation triplets of the task.
        step: step of the grid of weights, a divisor of 1.
    """
    near = _products(vectors, triplets.anchor, triplets.positive)
    far = _products(vectors, triplets.anchor, triplets.negative)

    def score(weights: Sequence[float]) -> float:
        w = np.asarray(weights)
        a, b = (np.einsum("i,tij,j->t", w, gram, w) for gram in (near, far))
        return float(((a < b) + 0.5 * (a == b)).mean())

    search = search_weights(len(vectors), score, step=step)
    figures = {
        "score": search.score,
        "equal_weights": score([1 / len(vectors)] * len(vectors)),
        "alone": [score(row) for row in np.eye(len(vectors)).tolist()],
        "tied": search.tied,
        "points": len(search.grid),
        "triplets": len(triplets),
    }
    return search, figures


def _products(
    vectors: Sequence[Vectors], a: npt.NDArray[Any], b: npt.NDArray[Any]
) -> npt.NDArray[np.float64]:
    """Gram matrices G (triplets, parts, parts) of the parts' differences a - b.

    With weights w, the squared distance is w' G w: vectors are read once for the whole grid.
    """
    products = np.empty((len(a), len(vectors), len(vectors)))
    for first in range(0, len(a), _SLICE):
        ends = a[first : first + _SLICE], b[first : first + _SLICE]
        parts = [part[ends[0]].astype(np.float64) - part[ends[1]] for part in vectors]
        differences = np.stack(parts, axis=1)  # (slice, parts, d)
        products[first : first + _SLICE] = differences @ differences.transpose(0, 2, 1)
    return products
