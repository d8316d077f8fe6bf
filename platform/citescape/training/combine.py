"""Facet encoders as one encoder, weighted for a task (FLeW, section 3.4)."""

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
from citescape.core.types import Document
from citescape.encoders.combined import (
    Vectors,
    Weights,
    WeightSearch,
    check_weights,
    check_widths,
    search_weights,
)
from citescape.encoders.documents import EncoderSettings
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
from citescape.training.texts import Texts, read_texts

COMMAND = "combine"
_SLICE = 4096
"""Triplets whose vectors are in memory at one time."""


@dataclass(frozen=True, repr=False)
class Combined(KeptRun):
    """A weighted sum of encoders, and how its weights were found; its id names the encoder."""

    command: ClassVar[str] = COMMAND
    what: ClassVar[str] = "combined encoders"

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
        """`score`, `equal_weights`, `alone`, `tied`, `triplets`; none if weights were given."""
        figures: Mapping[str, Any] = self.counts["figures"]
        return figures

    @property
    def arrow(self) -> pa.Table:
        """A row per encoder: encoder, weight, alone (its own share of triplets ordered rightly)."""
        alone = self.figures.get("alone", [None] * len(self.parts))
        columns = {"encoder": self.parts, "weight": self.weights, "alone": alone}
        return pa.table({name: list(values) for name, values in columns.items()})

    def summarise(self) -> Summary:
        """Encoders and their weights, and how they order triplets."""
        table = self.arrow.to_pylist()
        rows = [(Path(row["encoder"]).name, row["weight"], row["alone"]) for row in table]
        parts: list[Part] = [Table(("encoder", "weight", "alone"), rows)]
        if self.figures:
            parts += [
                "",
                f"ordered rightly of {self.figures['triplets']:,} validation triplets: "
                f"{self.figures['score']:.4f}, with equal weights "
                f"{self.figures['equal_weights']:.4f}; best of {self.figures['points']} points, "
                f"{self.figures['tied']} equally good",
            ]
        parts += ["", f"{'there already' if self.unchanged else 'kept'} in {self.path}"]
        return Summary(
            parts,
            {
                "run": self.run,
                "path": str(self.path),
                "parts": self.parts,
                "weights": self.weights,
                "figures": self.figures,
                "unchanged": self.unchanged,
            },
            [("next", f"embed --encoder {self.run}")],
        )


def combine_encoders(
    store: GraphStore,
    parts: Sequence[str],
    *,
    task: Triplets | None = None,
    weights: Weights = (),
    step: float = 0.1,
    runs: Path | None = None,
    progress: Progress = silent,
) -> Combined:
    """Makes one encoder of several: the weighted sum of their vectors of title and abstract.

    With a task the weights are those of the grid that order most of its validation triplets rightly
    (the positive nearer than the negative); training triplets are not looked at.

    Args:
        store: holds the texts of the task's papers.
        parts: two encoders or more, by run id, folder or hub id; equal form and dimensions.
        task: triplets with a validation side; None where weights are given.
        weights: one a part, positive, with the sum 1; empty to search for them.
        step: of the grid.
        runs: folder of run directories; by default `runs` beside the store.
        progress: told what is going on.

    Writes to the graph: a Run node.

    Raises:
        ConfigError: neither task nor weights, weights that are none, encoders that do not fit, or a
            task without validation triplets.
    """
    runs = runs or default_runs(store.location)
    check_writable(runs)
    if weights:
        check_weights(weights, len(parts))
    names = tuple(find_document_encoder(runs, part) for part in parts)
    settings = _common_settings(names)
    held = None if weights else _read_task(store, task)
    inputs = {
        "parts": [hash_document_encoder(name) for name in names],
        "task": hash_triplets(held.triplets) if held else "",
        "texts": held.texts.sha256 if held else "",
    }

    def fill(directory: RunDirectory, clock: Stopwatch) -> dict[str, Any]:
        chosen, figures = weights, dict[str, Any]()
        if held:
            vectors = _encode(held.texts.documents, names, progress=progress)
            progress("searching weights")
            with clock.timed("search"):
                search, figures = weigh_parts(vectors, held.triplets, step=step)
            chosen = search.weights
        write_encoder_settings(directory.path, replace(settings, parts=names, weights=chosen))
        return {"weights": chosen, "figures": figures}

    made = compute_run(
        Combined,
        runs,
        {"weights": weights, "step": step},
        inputs,
        fill=fill,
        recorded={"parts": names},
        libraries=("numpy", "torch", "transformers"),
    )
    record_run(store, made.record)
    return made


def _common_settings(names: Sequence[str]) -> EncoderSettings:
    if len(names) < 2:
        raise ConfigError(f"{len(names)} encoder; expected two or more to combine")
    each = [encoder_settings(name) for name in names]
    if len({one.form for one in each}) > 1 or any(one.parts for one in each):
        told = ", ".join(f"{name} {one.form}" for name, one in zip(names, each, strict=True))
        raise ConfigError(
            f"the encoders read documents in different forms ({told}), or are combined already; "
            "expected single encoders of one form"
        )
    return each[0]


@dataclass(frozen=True)
class _Task:
    triplets: Triplets
    """Of the validation side."""
    texts: Texts


def _read_task(store: GraphStore, task: Triplets | None) -> _Task:
    if task is None:
        raise ConfigError("expected triplets to search weights by, or the weights themselves")
    held = task.take(task.validation)
    if not len(held):
        raise ConfigError(
            f"none of the {len(task):,} triplets is for validation; expected some to choose "
            "weights by: sample with --validation above 0"
        )
    triplets = recode(held)
    return _Task(triplets, read_texts(store, triplets.ids))


def _encode(
    documents: Sequence[Document], names: Sequence[str], *, progress: Progress
) -> list[Vectors]:
    """Vectors (papers, d) of each encoder, of title and whole abstract (FLeW, section 3.3)."""
    vectors = []
    for k, name in enumerate(names):
        progress(f"encoding {len(documents):,} papers, encoder {k + 1} of {len(names)}")
        vectors.append(load_document_encoder(name)(documents))
    check_widths([found.shape[1] for found in vectors])
    return vectors


def weigh_parts(
    vectors: Sequence[Vectors], triplets: Triplets, *, step: float = 0.1
) -> tuple[WeightSearch, dict[str, Any]]:
    """The weights that order most triplets rightly, and how single encoders and equal weights do.

    Args:
        vectors: (papers, d) of each encoder, in the codes of `triplets`.
        triplets: validation triplets of the task.
        step: of the grid.
    """
    near = _products(vectors, triplets.anchor, triplets.positive)
    far = _products(vectors, triplets.anchor, triplets.negative)

    def score(weights: Sequence[float]) -> float:
        w = np.asarray(weights)
        distances = [np.einsum("i,tij,j->t", w, gram, w) for gram in (near, far)]
        return float(((distances[0] < distances[1]) + 0.5 * (distances[0] == distances[1])).mean())

    search = search_weights(len(vectors), score, step=step)
    alone = [score(row) for row in np.eye(len(vectors)).tolist()]
    equal = score([1 / len(vectors)] * len(vectors))
    figures = {
        "score": search.score,
        "equal_weights": equal,
        "alone": alone,
        "tied": search.tied,
        "points": len(search.grid),
        "triplets": len(triplets),
    }
    return search, figures


def _products(
    vectors: Sequence[Vectors], a: npt.NDArray[Any], b: npt.NDArray[Any]
) -> npt.NDArray[np.float64]:
    """Inner products (triplets, parts, parts) of the parts' differences a - b.

    The squared distance under weights w is w' G w, so a grid costs no more than a few products.
    """
    products = np.empty((len(a), len(vectors), len(vectors)))
    for first in range(0, len(a), _SLICE):
        ends = a[first : first + _SLICE], b[first : first + _SLICE]
        each = [part[ends[0]].astype(np.float64) - part[ends[1]] for part in vectors]
        differences = np.stack(each, axis=1)  # (slice, parts, d)
        products[first : first + _SLICE] = differences @ differences.transpose(0, 2, 1)
    return products
