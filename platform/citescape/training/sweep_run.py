"""A sweep over a store, kept in a run directory with a table and a picture."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from citescape.core.errors import ConfigError
from citescape.core.locks import alone, read_whole_lines
from citescape.core.progress import Progress, silent
from citescape.embeddings.embed import COMMAND as EMBED
from citescape.embeddings.graph_memory import embed_citations
from citescape.encoders.graph_config import GraphConfig
from citescape.encoders.saved import find_trained
from citescape.networks.citations import Citations
from citescape.runs.directory import (
    RunRecord,
    Stopwatch,
    check_writable,
    command_words,
    find_finished,
    find_run,
    library_versions,
    open_run,
    read_run,
    record_run,
    run_id,
    unfinished_folder,
)
from citescape.sampling.bands import NeighbourhoodConfig
from citescape.sampling.importance import ImportanceConfig
from citescape.sampling.sample import read_source
from citescape.sampling.specter import SpecterConfig
from citescape.search.stored import find_vectors
from citescape.search.vectors import Vectors
from citescape.store.graph_store import GraphStore
from citescape.training.config import TrainConfig
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


@dataclass(frozen=True)
class SweepConfig:
    """What is tried."""

    positives: int = 5
    """K."""
    hards: tuple[int, ...] = ()
    """H of Algorithm 1 (CIA, Fig. 4); by default 0 to K."""
    margins: tuple[float, ...] = (1.0,)
    fars: tuple[int, ...] = ()
    """k- hard of SciNCL's bands (SciNCL, Fig. 3); none: without them."""
    seeds: int = 5
    epochs: int = 2
    learning_rate: float = 1e-3
    graph_dimensions: int = 64

    def __post_init__(self) -> None:
        if not self.hards:
            object.__setattr__(self, "hards", tuple(range(self.positives + 1)))
        if not self.margins or self.seeds < 1:
            raise ConfigError(
                f"nothing to try: margins {self.margins}, {self.seeds} seeds; expected one "
                "or more of each"
            )
        self.arms()  # settings without meaning are told before any work

    @property
    def needed(self) -> int:
        """References of an anchor to learn from: what the largest H needs."""
        return ImportanceConfig(self.positives, max(self.hards)).needed

    def arms(self) -> dict[str, Arm]:
        """Every combination by name, with SPECTER's triplets and both controls."""
        made: dict[str, Arm] = {}
        for margin in self.margins:
            config = TrainConfig(
                tune="adapter", margin=margin, epochs=self.epochs, learning_rate=self.learning_rate
            )
            label = f", margin {margin:g}" if len(self.margins) > 1 else ""
            largest = ImportanceConfig(self.positives, max(self.hards))
            uniform = ImportanceConfig(self.positives, 0)
            control, few = f"uniform{label}", min(2, self.positives)
            made[control] = Arm(shuffled_sampler(uniform), config)
            samplers = {f"shuffled, H={largest.hard}": shuffled_sampler(largest)}
            samplers["SPECTER"] = specter_sampler(SpecterConfig(self.positives, few))
            for hard in self.hards:
                aware = ImportanceConfig(self.positives, hard)
                samplers[f"importance, H={hard}"] = importance_sampler(aware)
            for far in self.fars:
                bands = NeighbourhoodConfig(self.positives, few, far=far)
                samplers[f"SciNCL, k={far}"] = neighbourhood_sampler(self._embed, bands)
            for name, sampler in samplers.items():
                made[f"{name}{label}"] = Arm(sampler, config, control)
        return made

    def _embed(self, citations: Citations, seed: int) -> Vectors:
        config = GraphConfig(dimensions=self.graph_dimensions, seed=seed)
        return embed_citations(citations, config)


@dataclass(frozen=True)
class Swept:
    """A finished sweep."""

    run: str
    path: Path
    """The run directory: sweep.parquet (a row a seed and way), sweep.svg, run.json."""
    rows: pa.Table
    """As `compare_arms` gives them."""
    unchanged: bool

    @property
    def summary(self) -> pa.Table:
        """Mean and deviation, a way a row."""
        return summarise_arms(self.rows)


def run_sweep(
    store: GraphStore,
    config: SweepConfig,
    *,
    runs: Path,
    vectors: str = "",
    progress: Progress = silent,
) -> Swept:
    """Compares samplers and settings on a store, and keeps the figures in a run directory.

    Each row that is made is kept at once: a sweep that was cut off goes on where it was.

    Args:
        store: scored; with a run of `platform embed`.
        config: what is tried.
        runs: folder of run directories.
        vectors: run of `platform embed`; empty for the one in the graph, else the last.
        progress: told what is going on.

    Writes to the graph: a Run node.

    Raises:
        ConfigError: no such vectors, or by an encoder that was trained on this store, which may
            have learned from what is held out; or too few papers to hold some out.
        StoreError: no importance.
    """
    check_writable(runs)
    clock = Stopwatch()
    progress("reading citations and vectors")
    source = read_source(store, "importance")
    found = find_vectors(store, runs, vectors)
    _check_untaught(found.run, runs)
    inputs = {**source.inputs, "vectors": found.run}
    id_ = run_id(COMMAND, asdict(config), inputs)
    kept = find_finished(runs, id_)
    if kept:
        record_run(store, read_run(kept))
        return Swept(id_, kept, pq.read_table(kept / TABLE), unchanged=True)
    folder = unfinished_folder(runs, id_)
    record = RunRecord(
        id=id_,
        command=COMMAND,
        config=asdict(config),
        inputs=inputs,
        versions=library_versions("citescape", "numpy", "torch"),
    )
    with alone(folder):
        rows = _compare(source.citations, found.vectors, config, folder=folder, progress=progress)
        path = _keep(rows, record, runs, clock=clock)
        shutil.rmtree(folder, ignore_errors=True)
    record_run(store, read_run(path))
    return Swept(id_, path, rows, unchanged=False)


def _keep(rows: pa.Table, record: RunRecord, runs: Path, *, clock: Stopwatch) -> Path:
    record = replace(record, counts={"arms": summarise_arms(rows).to_pylist()})
    with open_run(runs, record.id) as directory:
        directory.write_parquet(TABLE, [rows])
        draw_sweep(rows, directory.path / PICTURE)
        return directory.complete(clock.stop(record))


def _check_untaught(run: str, runs: Path) -> None:
    """Whether the vectors are of texts, by an encoder that no training of these runs has made.

    Encoders are compared by content: copies and moved folders are the same. Of vectors that are in
    the graph only, no record says by what they were made.
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
            f"{run} is of {trained}, which has learned from papers of this store, and so perhaps "
            "from anchors that are to be held out; expected vectors of an encoder as it was: "
            "`platform embed --no-graph`, then name its run with --vectors"
        )


def _compare(
    citations: Citations,
    vectors: Vectors,
    config: SweepConfig,
    *,
    folder: Path,
    progress: Progress,
) -> pa.Table:
    """All rows; each is in a file of the folder, a line of JSON, before the next one is made."""
    for far in config.fars:
        NeighbourhoodConfig(far=far).scaled(len(vectors))
    path = folder / _ROWS
    done = [json.loads(line) for line in read_whole_lines(path)]
    with path.open("a", encoding="utf-8") as file:

        def keep(row: Row) -> None:
            file.write(json.dumps(row) + "\n")
            file.flush()
            os.fsync(file.fileno())

        return compare_arms(
            config.arms(),
            citations,
            vectors,
            seeds=config.seeds,
            least=config.needed,
            done=done,
            keep=keep,
            progress=progress,
        )
