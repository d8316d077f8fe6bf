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
from citescape.core.progress import Progress, prefix, silent
from citescape.embeddings.embed import embed
from citescape.embeddings.paper_embeddings import PaperEmbeddings
from citescape.embeddings.steps import EmbedConfig
from citescape.encoders.combined import (
    Vectors,
    Weights,
    WeightSearch,
    check_weights,
    check_widths,
    combine,
    make_grid,
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
from citescape.training.choosing import ENCODE, ChoiceTask, to_embeddings
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
        """`score`, `equal_weights`, `alone`, `tied`, `points`, and `triplets` or those of a task.

        For a task: `benchmark`, `task`, `metric`, `split` and, of the test part, `test` with
        `score`, `equal_weights` and `alone`, all in per cent. Empty without a search.
        """
        figures: Mapping[str, Any] = self.counts["figures"]
        return figures

    @property
    def arrow(self) -> pa.Table:
        """A row per encoder: encoder, weight, alone (its own figure on triplets or validation).

        With a task also `test`, its own figure on the test part.
        """
        alone = self.figures.get("alone", [None] * len(self.parts))
        columns = {"encoder": self.parts, "weight": self.weights, "alone": alone}
        if "test" in self.figures:
            columns["test"] = self.figures["test"]["alone"]
        return pa.table({name: list(values) for name, values in columns.items()})

    def summarise(self) -> Summary:
        """Encoders and their weights, and their figures on triplets or on a task."""
        table = self.arrow.to_pylist()
        rows = [(Path(row["encoder"]).name, row["weight"], row["alone"]) for row in table]
        parts: list[Part] = []
        if "task" in self.figures:
            parts += self._show_task()
        else:
            parts.append(Table(("encoder", "weight", "alone"), rows))
        if "triplets" in self.figures:
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

    def _show_task(self) -> list[Part]:
        """Figures of encoders alone, of equal and of the chosen weights, on both parts."""
        figures, test = self.figures, self.figures["test"]
        rows = [
            (Path(name).name, f"{weight:g}", f"{alone:.2f}", f"{tested:.2f}")
            for name, weight, alone, tested in zip(
                self.parts, self.weights, figures["alone"], test["alone"], strict=True
            )
        ]
        rows += [
            (label, "", f"{figures[name]:.2f}", f"{test[name]:.2f}")
            for label, name in (("equal weights", "equal_weights"), ("chosen weights", "score"))
        ]
        part = "held-out training papers" if figures["split"] == "held-out" else figures["split"]
        return [
            f"{figures['benchmark']} {figures['task']}, {figures['metric']} in per cent; weights "
            f"chosen on: {part}",
            "",
            Table(("encoder", "weight", "validation", "test"), rows),
            "",
            f"best of {figures['points']} points on validation, {figures['tied']} equally good; "
            "the test part was read for these rows only",
        ]


def combine_encoders(
    store: GraphStore,
    parts: Sequence[str],
    *,
    task: Triplets | None = None,
    benchmark: ChoiceTask | None = None,
    weights: Weights = (),
    step: float = 0.1,
    runs: Path | None = None,
    progress: Progress = silent,
) -> CombinedRun:
    """Makes one encoder of several: the weighted sum of their vectors of title and abstract.

    With triplets, the weights are those of the grid that order most validation triplets correctly
    (the positive nearer than the negative). Training triplets are not used. With a benchmark, they
    are those with the highest validation figure; then the test part is read for them, for equal
    weights and for each encoder.

    Args:
        store: holds the texts of the triplets' papers.
        parts: two encoders or more, by run id, folder or hub id; equal form and dimensions.
        task: triplets with a validation side.
        benchmark: a published task in place of triplets.
        weights: one per encoder, positive, with the sum 1; empty to search for them.
        step: step of the grid of weights, a divisor of 1.
        runs: folder of run directories; by default `runs` beside the store.
        progress: reports the progress.

    Writes to the graph: a Run node.

    Raises:
        ConfigError: not one of task, benchmark and weights, invalid weights, encoders that cannot
            be summed, or a task without validation triplets.
        OutputError, StoreError: see `read_texts`.
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
    if benchmark:
        source = {"task": benchmark.sha256, "texts": benchmark.corpus.hash()}
    elif not weights:
        held = _read_held_out(task)
        texts = read_texts(store, held.ids, runs)
        source = {"task": hash_triplets(held), "texts": texts.sha256}
    inputs = {"parts": [hash_document_encoder(name) for name in names], **source}

    def fill(directory: RunDirectory, clock: Stopwatch) -> dict[str, Any]:
        best, figures = weights, dict[str, Any]()
        if benchmark:
            with clock.timed("search"):
                search, figures = weigh_on_task(
                    names, benchmark, step=step, runs=runs, progress=progress
                )
            best = search.weights
        elif not weights:
            vectors = []  # (papers, d) of title and whole abstract, per encoder (FLeW, section 3.3)
            for k, name in enumerate(names, 1):
                progress(f"encoding {len(held.ids):,} papers, encoder {k} of {len(names)}")
                vectors.append(load_document_encoder(name)(list(texts)))
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
            "no triplets, no task and no weights; expected one of them to weight encoders by"
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


def weigh_on_task(
    names: Sequence[str],
    task: ChoiceTask,
    *,
    step: float = 0.1,
    runs: Path,
    progress: Progress = silent,
) -> tuple[WeightSearch, dict[str, Any]]:
    """The weights with the highest validation figure of a task (FLeW, Eq. 8).

    Args:
        names: folders or hub ids of the encoders, which read the texts of the task.
        task: the task; its test part is read after the weights are chosen.
        step: step of the grid of weights, a divisor of 1.
        runs: folder of run directories, where the vectors are kept.
        progress: reports the progress.

    Returns:
        The search, and `CombinedRun.figures`.
    """
    values = [
        embed(
            task.corpus,
            EmbedConfig(encoder=name),
            runs=runs,
            command=ENCODE,
            progress=prefix(progress, f"encoder {k} of {len(names)}"),
        ).vectors.values
        for k, name in enumerate(names, 1)
    ]
    check_widths([part.shape[1] for part in values])
    points = len(make_grid(len(names), step))
    tried = 0

    def mix(weights: Sequence[float]) -> PaperEmbeddings:
        return to_embeddings(task.corpus.papers, combine(values, tuple(weights)), "the encoders")

    def validate(weights: Weights) -> float:
        nonlocal tried
        tried += 1
        progress(f"{task.name}: weights {tried} of {points}")
        return task.validate(mix(weights))

    search = search_weights(len(names), validate, step=step)
    equal, alone = [1 / len(names)] * len(names), np.eye(len(names)).tolist()
    progress(f"{task.name}: test")
    figures = {
        "benchmark": task.benchmark,
        "task": task.name,
        "metric": task.metric,
        "split": task.split,
        "score": search.score,
        "equal_weights": task.validate(mix(equal)),
        "alone": [task.validate(mix(weights)) for weights in alone],
        "tied": search.tied,
        "points": points,
        "test": {
            "score": task.test(mix(search.weights)),
            "equal_weights": task.test(mix(equal)),
            "alone": [task.test(mix(weights)) for weights in alone],
        },
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
