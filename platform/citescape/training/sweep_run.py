"""A sweep over a store, stored as a run with a table and a picture."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa

from citescape.core.errors import ConfigError
from citescape.core.locks import read_whole_lines
from citescape.core.progress import Progress, prefix, silent
from citescape.embeddings.embed import COMMAND as EMBED
from citescape.embeddings.graph_memory import embed_citations
from citescape.encoders.graph_config import GraphConfig
from citescape.encoders.saved import find_trained
from citescape.networks.citations import Citations
from citescape.papers.documents import read_corpus
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
from citescape.training.choosing import ChoiceTask
from citescape.training.config import SweepConfig
from citescape.training.pools import POOLS
from citescape.training.sweep import (
    TASKS,
    UNTRAINED,
    Arm,
    Row,
    compare_arms,
    importance_sampler,
    neighbourhood_sampler,
    shuffled_sampler,
    specter_sampler,
    summarise_arms,
)
from citescape.training.sweep_bases import (
    Judge,
    SweepBase,
    add_test,
    choose_arm,
    encode_bases,
    find_encoders,
    make_judges,
)
from citescape.training.sweep_picture import draw_sweep

COMMAND, TABLE, PICTURE = "sweep", "sweep.parquet", "sweep.svg"
_ROWS, _TESTED = "rows.jsonl", "test.jsonl"


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
        """AUC of each arm, figures of tasks, and the lead over the control."""
        rows = self.summary.to_pylist()
        seeds, names = rows[0]["seeds"], [n for n in (*POOLS, *TASKS) if n in rows[0]]
        labels = ("encoder", "arm") if "encoder" in rows[0] else ("arm",)
        spread = f"{seeds} seeds, mean ± deviation" if seeds > 1 else "one seed, so no spread"
        table = [
            (
                *(row[label] for label in labels),
                row["triplets"],
                *(_show(row[n], row[f"{n}_sd"], decimals=_decimals(n)) for n in names),
            )
            for row in rows
        ]
        parts: list[Part] = [f"AUC on held-out anchors, {spread}", *self._describe_tasks(), ""]
        parts.append(Table((*labels, "triplets", *names), table))
        parts += self._show_chosen()
        compared = [name for name in names if name != "test"]
        leads = [
            (
                *(row[label] for label in labels),
                *(
                    _show(row[f"{n}_lead"], row[f"{n}_lead_se"], "+", decimals=_decimals(n))
                    for n in compared
                ),
            )
            for row in rows
            if row["control"]
        ]
        if seeds == 1:
            parts += ["", "leads over uniform, paired by seed, need --seeds 2 or more"]
        elif leads:
            parts += ["", "lead over uniform, paired by seed, mean ± standard error", ""]
            parts.append(Table((*labels, *compared), leads))
        parts += ["", f"{'unchanged' if self.unchanged else 'stored'} in {self.path}"]
        figures = {"run": self.run, "path": str(self.path), "unchanged": self.unchanged}
        chosen = {name: self.counts[name] for name in ("tasks", "chosen") if name in self.counts}
        return Summary(parts, {**figures, **chosen, "arms": rows})

    def _describe_tasks(self) -> list[Part]:
        tasks = self.counts.get("tasks", [])
        return [f"validation: mean over {', '.join(tasks)}, in per cent"] if tasks else []

    def _show_chosen(self) -> list[Part]:
        """The arm of importance sampling chosen on validation, and its test figure."""
        lines: list[Part] = []
        rows = {(row.get("encoder"), row["arm"]): row for row in self.summary.to_pylist()}
        for encoder, arm in self.counts.get("chosen", {}).items():
            own, before = rows[encoder, arm], rows[encoder, UNTRAINED]
            figures = [_show(row["test"], row["test_sd"], decimals=2) for row in (own, before)]
            lines.append(
                f"{encoder}: {arm} is chosen on validation; test {figures[0]}, untrained "
                f"{figures[1]}"
            )
        return ["", *lines] if lines else []


def _decimals(name: str) -> int:
    return 2 if name in TASKS else 3


def _show(value: float | None, spread: float | None, sign: str = "", *, decimals: int = 3) -> str:
    if value is None:
        return "none"
    deviation = "" if spread is None else f" ± {spread:.{decimals}f}"
    return f"{value:{sign}.{decimals}f}{deviation}"


def run_sweep(
    store: GraphStore,
    config: SweepConfig,
    *,
    runs: Path,
    vectors: str = "",
    encoders: Sequence[str] = (),
    tasks: Sequence[ChoiceTask] = (),
    max_tokens: int = 0,
    progress: Progress = silent,
) -> SweepRun:
    """Compares samplers and settings on a store, and stores the figures as a run.

    Each new row is stored immediately as a line of JSON, so that an interrupted sweep continues.
    With tasks, the best arm of importance sampling is chosen by their mean validation figure, for
    each encoder; then its adapters are trained again and their test figures are added.

    Args:
        store: a scored graph, with a run of `platform embed`.
        config: samplers and settings to compare.
        runs: folder of run directories.
        vectors: run of `platform embed`; empty for the run in the graph, else the latest.
        encoders: frozen encoders to compare, in place of vectors.
        tasks: published tasks to score adapters on; they need encoders.
        max_tokens: maximum tokens per text of the encoders; 0 for their limit.
        progress: reports the progress.

    Writes to the graph: a Run node.

    Raises:
        ConfigError: no such vectors; vectors of an encoder that was trained on this store and may
            have learned from held-out papers; or too few papers to hold some out.
        StoreError: no importance.
    """
    if tasks and not encoders:
        raise ConfigError("tasks without encoders; expected encoders, which read their texts")
    clock = Stopwatch()
    check_writable(runs)
    progress("reading citations and vectors")
    source = read_source(store, "importance")
    inputs: dict[str, Any] = dict(source.inputs)
    if encoders:
        by_label = find_encoders(encoders, runs)
        bases = encode_bases(
            read_corpus(store), by_label, max_tokens=max_tokens, runs=runs, progress=progress
        )
        inputs |= {"vectors": {base.name: base.run for base in bases}}
    else:
        stored = find_vectors(store, runs, vectors)
        _check_untrained(stored.run, runs)
        bases = [SweepBase("", stored.run, stored.vectors)]
        inputs |= {"vectors": stored.run}
    inputs |= {"tasks": [task.sha256 for task in tasks]} if tasks else {}
    arms = make_arms(config)

    def fill(directory: RunDirectory, _clock: Stopwatch) -> dict[str, Any]:
        for far in config.fars:  # refuses ranks that are too high for the store before any work
            NeighbourhoodConfig(far=far).scaled(min(len(base.vectors) for base in bases))

        def compare(
            base: SweepBase, some: Mapping[str, Arm], judge: Judge | None, file: str
        ) -> Any:
            path = directory.unfinished / file
            known = [json.loads(line) for line in read_whole_lines(path)]
            own = [row for row in known if row.pop("encoder") == base.name]
            return compare_arms(
                some,
                source.citations,
                base.vectors,
                seeds=config.seeds,
                min_references=config.needed,
                judge=judge,
                done=own,
                keep=lambda row: _append(path, {"encoder": base.name, **row}),
                progress=prefix(progress, base.name) if base.name else progress,
            )

        tables, chosen = [], {}
        for base in bases:
            judges = make_judges(base, tasks, runs=runs, progress=progress) if tasks else None
            rows = compare(base, arms, judges[0] if judges else None, _ROWS)
            if judges:
                chosen[base.name] = arm = choose_arm(rows.to_pylist())
                tested = compare(base, {arm: arms[arm]}, judges[1], _TESTED)
                rows = add_test(rows, tested)
            if base.name:
                rows = rows.add_column(0, "encoder", pa.repeat(base.name, rows.num_rows))
            tables.append(rows)
        table = pa.concat_tables(tables)
        directory.write_parquet(TABLE, [table])
        draw_sweep(table, directory.path / PICTURE)
        counts: dict[str, Any] = {"arms": summarise_arms(table).to_pylist()}
        if tasks:
            named = [f"{t.benchmark} {t.name} ({t.metric}, {t.split})" for t in tasks]
            counts |= {"tasks": named, "chosen": chosen}
        return counts

    swept = compute_run(
        SweepRun,
        runs,
        asdict(config),
        inputs,
        fill=fill,
        libraries=("numpy", "torch"),
        resumes=True,
        clock=clock,
    )
    record_run(store, swept.record)
    return swept


def _append(path: Path, row: Row) -> None:
    """Adds a line of JSON that is on disk when this returns."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")
        file.flush()
        os.fsync(file.fileno())


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
