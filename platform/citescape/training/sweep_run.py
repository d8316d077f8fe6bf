"""A sweep over a store, stored as a run with a table and a picture."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa

from citescape.core.errors import ConfigError
from citescape.core.locks import read_whole_lines
from citescape.core.progress import Progress, silent
from citescape.embeddings.embed import COMMAND as EMBED
from citescape.embeddings.graph_memory import embed_citations
from citescape.encoders.graph_config import GraphConfig
from citescape.encoders.saved import find_trained
from citescape.networks.citations import Citations
from citescape.runs.directory import (
    RunDirectory,
    Stopwatch,
    check_writable,
    command_words,
    find_run,
    read_run,
    record_run,
)
from citescape.runs.kept import KeptRun, compute_run
from citescape.runs.result import Part, Summary, Table
from citescape.sampling.config import ImportanceConfig, NeighbourhoodConfig, SpecterConfig
from citescape.sampling.sample import read_source
from citescape.search.stored import find_vectors
from citescape.search.vectors import Vectors
from citescape.store.graph_store import GraphStore
from citescape.training.config import SweepConfig
from citescape.training.sweep import (
    Arm,
    Row,
    compare_arms,
    importance_sampler,
    neighbourhood_sampler,
    shuffled_sampler,
    specter_sampler,
    summarise_arms,
)
from citescape.training.sweep_picture import draw_sweep

COMMAND, TABLE, PICTURE = "sweep", "sweep.parquet", "sweep.svg"
_ROWS = "rows.jsonl"


def make_arms(config: SweepConfig) -> dict[str, Arm]:
    """All combinations by name, with SPECTER's triplets and the two controls."""

    def embed(citations: Citations, seed: int) -> Vectors:
        graph = GraphConfig(dimensions=config.graph_dimensions, seed=seed)
        return embed_citations(citations, graph)

    arms: dict[str, Arm] = {}
    positives, few = config.positives, config.few
    largest = ImportanceConfig(positives, max(config.hards))
    for margin in config.margins:
        training = config.training(margin)
        label = f", margin {margin:g}" if len(config.margins) > 1 else ""
        control = f"uniform{label}"
        arms[control] = Arm(shuffled_sampler(ImportanceConfig(positives, 0)), training)
        samplers = {f"shuffled, H={largest.hard}": shuffled_sampler(largest)}
        samplers["SPECTER"] = specter_sampler(SpecterConfig(positives, few))
        for hard in config.hards:
            importance = ImportanceConfig(positives, hard)
            samplers[f"importance, H={hard}"] = importance_sampler(importance)
        for far in config.fars:
            bands = NeighbourhoodConfig(positives, few, far=far)
            samplers[f"SciNCL, k={far}"] = neighbourhood_sampler(embed, bands)
        for name, sampler in samplers.items():
            arms[f"{name}{label}"] = Arm(sampler, training, control)
    return arms


@dataclass(frozen=True)
class SweepRun(KeptRun):
    """A finished sweep: sweep.parquet (a row per seed and arm), sweep.svg, run.json."""

    command: ClassVar[str] = COMMAND
    noun: ClassVar[str] = "sweeps"

    @cached_property
    def rows(self) -> pa.Table:
        """Result of `compare_arms`."""
        return self.read_table(TABLE)

    @property
    def summary(self) -> pa.Table:
        """Mean and deviation, a row per arm."""
        return summarise_arms(self.rows)

    @property
    def arrow(self) -> pa.Table:
        """The summary: a row per arm."""
        return self.summary

    def summarise(self) -> Summary:
        """AUC of each arm, and its lead over the control."""
        rows = self.summary.to_pylist()
        seeds, names = rows[0]["seeds"], ("easy", "hard", "important")
        spread = f"{seeds} seeds, mean ± deviation" if seeds > 1 else "one seed, so no spread"
        table = [
            (row["arm"], row["triplets"], *(_show(row[n], row[f"{n}_sd"]) for n in names))
            for row in rows
        ]
        parts: list[Part] = [f"AUC on held-out anchors, {spread}", ""]
        parts.append(Table(("arm", "triplets", *names), table))
        leads = [
            (row["arm"], *(_show(row[f"{n}_lead"], row[f"{n}_lead_se"], "+") for n in names))
            for row in rows
            if row["control"]
        ]
        if seeds == 1:
            parts += ["", "leads over uniform, paired by seed, need --seeds 2 or more"]
        elif leads:
            parts += ["", "lead over uniform, paired by seed, mean ± standard error", ""]
            parts.append(Table(("arm", *names), leads))
        parts += ["", f"{'unchanged' if self.unchanged else 'stored'} in {self.path}"]
        figures = {"run": self.run, "path": str(self.path), "unchanged": self.unchanged}
        return Summary(parts, {**figures, "arms": rows})


def _show(value: float | None, spread: float | None, sign: str = "") -> str:
    if value is None:
        return "none"
    return f"{value:{sign}.3f}" + ("" if spread is None else f" ± {spread:.3f}")


def run_sweep(
    store: GraphStore,
    config: SweepConfig,
    *,
    runs: Path,
    vectors: str = "",
    progress: Progress = silent,
) -> SweepRun:
    """Compares samplers and settings on a store, and stores the figures as a run.

    Each new row is stored immediately as a line of JSON, so that an interrupted sweep continues.

    Args:
        store: a scored graph, with a run of `platform embed`.
        config: samplers and settings to compare.
        runs: folder of run directories.
        vectors: run of `platform embed`; empty for the run in the graph, else the latest.
        progress: reports the progress.

    Writes to the graph: a Run node.

    Raises:
        ConfigError: no such vectors; vectors of an encoder that was trained on this store and may
            have learned from held-out papers; or too few papers to hold some out.
        StoreError: no importance.
    """
    clock = Stopwatch()
    check_writable(runs)
    progress("reading citations and vectors")
    source = read_source(store, "importance")
    stored = find_vectors(store, runs, vectors)
    _check_untrained(stored.run, runs)

    def fill(directory: RunDirectory, _clock: Stopwatch) -> dict[str, Any]:
        for far in config.fars:  # refuses ranks that are too high for the store before any work
            NeighbourhoodConfig(far=far).scaled(len(stored.vectors))
        path = directory.unfinished / _ROWS
        done = [json.loads(line) for line in read_whole_lines(path)]
        with path.open("a", encoding="utf-8") as file:

            def keep(row: Row) -> None:
                file.write(json.dumps(row) + "\n")
                file.flush()
                os.fsync(file.fileno())

            rows = compare_arms(
                make_arms(config),
                source.citations,
                stored.vectors,
                seeds=config.seeds,
                min_references=config.needed,
                done=done,
                keep=keep,
                progress=progress,
            )
        directory.write_parquet(TABLE, [rows])
        draw_sweep(rows, directory.path / PICTURE)
        return {"arms": summarise_arms(rows).to_pylist()}

    swept = compute_run(
        SweepRun,
        runs,
        asdict(config),
        {**source.inputs, "vectors": stored.run},
        fill=fill,
        libraries=("numpy", "torch"),
        resumes=True,
        clock=clock,
    )
    record_run(store, swept.record)
    return swept


def _check_untrained(run: str, runs: Path) -> None:
    """Refuses vectors that are not of texts, or of an encoder that was trained in `runs`.

    Encoders are compared by content: copies and moved folders are the same. Vectors that are only
    in the graph are accepted: their encoder is unknown.
    """
    path = find_run(runs, run)
    record = read_run(path) if path else None
    if record is None:
        return
    if record.command != EMBED:
        raise ConfigError(
            f"{run} is a run of `platform {command_words(record.command)}`; expected vectors of "
            "texts: name a run of `platform embed` with --vectors"
        )
    if trained := find_trained(runs, record.inputs.get("encoder", "")):
        raise ConfigError(
            f"{run} has vectors of {trained}, which was trained on papers of this store, possibly "
            "held-out anchors; expected vectors of an encoder before training: "
            "`platform embed --no-write`, then name its run with --vectors"
        )
