"""Importance of every citation of a graph of shards, written beside it.

    scores/RUN/00003.parquet   scores of part 3, in the order of graph/CITES/00003.parquet
    scores/RUN/run.json        record of the run
    scores.json                the run whose scores are complete; written last

Tasks over the parts count mentions and compare authors (`shard_features`); weights follow from the
sums of their histograms, which are those of all pairs. So scores, weights and the id of the run do
not depend on the division into parts, and are those of `score.score` to the last bit.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import ConfigError, StoreError
from citescape.core.progress import Progress, silent
from citescape.core.types import SECTION_TYPES
from citescape.distributed.cluster import Cluster
from citescape.distributed.exchange import read_exchange, read_facts
from citescape.distributed.stages import Stages, name_output
from citescape.distributed.storage import Storage
from citescape.importance.components import TABLE, unit
from citescape.importance.config import LEARNED, REFERENCE, Weighting
from citescape.importance.read import choose_types
from citescape.importance.score import (
    COMMAND,
    ScoreResult,
    list_from_text,
    list_settings,
    only_tables,
    read_reference_weights,
    weigh_histograms,
)
from citescape.importance.shard_features import (
    DRIVER,
    HISTOGRAM,
    HISTOGRAMS,
    READ,
    TOTAL,
    TOTALS,
    TYPES,
    answer_authors,
    count_features,
    send_authors,
    write_scores,
)
from citescape.importance.weights import ComponentCounts, ComponentStatistics
from citescape.ingest.shards.graph import ShardedGraph
from citescape.ingest.shards.scores import COMPLETE, name_scores
from citescape.ingest.shards.scores import FOLDER as SCORES
from citescape.loaders.formats import has_text
from citescape.runs.directory import (
    RECORD,
    RunRecord,
    Stopwatch,
    check_writable,
    find_run,
    library_versions,
    open_run,
    read_run,
    run_id,
)
from citescape.runs.result import Summary, plural

METHOD = "shards"
WORK = "score-work"
"""Folder of the files between stages. They are removed at the end."""
_COMPUTED = tuple(name for name in TABLE if name != "T")


@dataclass(frozen=True)
class ShardScores(ScoreResult):
    """Scores beside a graph of shards."""

    folder: str
    """Folder of the scores: a Parquet file for each part, and run.json."""
    parts: int

    def summarise(self) -> Summary:
        """As for a store, with the folder of the scores."""
        summary = super().summarise()
        line = f"scores of {plural(self.parts, 'part')} are in {self.folder}"
        figures = {**summary.figures, "parts": self.parts, "scores": self.folder}
        return replace(summary, parts=[*summary.parts, line], figures=figures, next=())


def score_shards(
    graph: ShardedGraph,
    cluster: Cluster,
    config: Weighting | None = None,
    *,
    runs: Path,
    progress: Progress = silent,
) -> ShardScores:
    """Scores every citation pair of a graph of shards.

    May be interrupted and run again: files of finished tasks are kept, and nothing is computed
    again if the scores are complete. Scores of another run are removed when those are complete.
    One process at a time.

    Args:
        graph: the graph; its folder takes the scores.
        cluster: where tasks run.
        config: components and their weights; neither T nor learned importance.
        runs: folder of run directories.
        progress: called with the name of each stage and the number of finished tasks.

    Raises:
        ConfigError: the weights are undefined, see `compute_weights`, or the score has T or is
            learned.
        StoreError: no pairs, only papers from tables, or a damaged file.
    """
    config = config or Weighting()
    _refuse(graph, config)
    reference = read_reference_weights(config, runs)
    check_writable(runs)
    clock = Stopwatch()
    storage, state = graph.storage, graph.state
    if record := _find_scores(storage, config, reference, state):
        storage.remove(WORK)
        added = _complete_run(runs, record)
        return _result(graph, config, record, runs=runs, written=0, unchanged=not added)

    work = f"{WORK}/{state}"
    storage.remove_others(WORK, [state])
    stages = Stages(storage, cluster, progress)
    parts = [(graph.only(part, READ), part) for part in range(graph.parts)]
    with clock.timed("exchange"):
        sent, answers = f"{work}/authors", f"{work}/answers"
        stages.run("reading authors", sent, send_authors, parts)
        types = _choose_types(storage, sent, config)
        stages.run(
            "finding authors of cited works",
            answers,
            answer_authors,
            [(sent, part) for part in range(graph.parts)],
        )
    with clock.timed("count"):
        counted = f"{work}/features-{config.sections}-{config.combined}"
        stages.run(
            "counting mentions",
            counted,
            count_features,
            [(*task, answers, config.sections, config.combined) for task in parts],
        )
    with clock.timed("weigh"):
        sums = read_exchange(storage, counted, DRIVER)
        totals = sums.get(TOTALS, TOTAL.empty_table())
        chosen = totals.filter(pc.is_in(totals["type"], value_set=types))
        histograms = _sum_histograms(sums.get(HISTOGRAMS, HISTOGRAM.empty_table()), types, config)
        weights, statistics = weigh_histograms(histograms, config, runs=runs)
    record = _record(config, totals, chosen, read_facts(storage, counted), statistics, weights)
    with clock.timed("write"):
        folder = f"{SCORES}/{record.id}"
        _clear_scores(storage, folder, f"{work}/{record.id}")
        halves = config.combined == "both"
        stages.run(
            "writing scores",
            folder,
            write_scores,
            [
                (*task, name_output(counted, part), weights, halves, record.id)
                for part, task in enumerate(parts)
            ],
            outputs=[name_scores(folder, part) for part in range(graph.parts)],
        )
    added = _complete_run(runs, clock.stop(record))
    record = read_run(runs / record.id)
    _complete_scores(graph, runs / record.id / RECORD, folder, state)
    storage.remove_others(SCORES, [record.id])
    storage.remove(WORK)
    return _result(
        graph, config, record, runs=runs, written=record.counts["pairs"], unchanged=False
    )


def _refuse(graph: ShardedGraph, config: Weighting) -> None:
    """Raises for scores and graphs that cannot be scored over shards."""
    if config.named_run(LEARNED) or "T" in config.components:
        found = "T, the similarity of titles," if "T" in config.components else "learned importance"
        raise ConfigError(
            f"{found} cannot be computed over shards; expected components among "
            f"{', '.join(_COMPUTED)} and weights of components"
        )
    location, pairs = graph.storage.address, graph.count("CITES")
    if not pairs:
        raise StoreError(
            f"{location} holds no citation pairs; expected papers with references: ingest some "
            "into another folder"
        )
    from_text = list_from_text(config)
    if from_text and not graph.count("REFERS_TO"):
        loaders = (rows["loader"].unique() for rows in graph.iterate("Paper", ["loader"]))
        if not all(has_text(name) for names in loaders for name in names.drop_null().to_pylist()):
            raise only_tables(location, pairs, from_text)


def _find_scores(
    storage: Storage, config: Weighting, reference: Mapping[str, float], state: str
) -> RunRecord | None:
    """The record of the complete scores of this graph with these settings; None without them."""
    sizes = storage.sizes()
    if COMPLETE not in sizes:
        return None
    with suppress(StoreError, KeyError, TypeError):  # a damaged file: the scores are written again
        complete = storage.read_json(COMPLETE)
        files = complete["files"]
        if complete["graph"] != state or {name: sizes.get(name) for name in files} != files:
            return None
        record = RunRecord(**storage.read_json(f"{SCORES}/{complete['run']}/{RECORD}"))
        known = record.inputs.get("weights", "{}") if config.named_run(REFERENCE) else "{}"
        settings = json.loads(json.dumps(_settings(config)))
        if (record.config, json.loads(known)) == (settings, reference):
            same = run_id(COMMAND, record.config, record.inputs) == record.id == complete["run"]
            return record if same else None
    return None


def _settings(config: Weighting) -> dict[str, Any]:
    return {**list_settings(config), "method": METHOD}


def _choose_types(storage: Storage, sent: str, config: Weighting) -> pa.Array:
    """Types of citing papers that the weights are computed from.

    Raises:
        ConfigError: there is no such type, or no paper of it has references.
    """
    rows = read_exchange(storage, sent, DRIVER)[TYPES]
    summed = rows.group_by("type").aggregate([("papers", "sum")]).sort_by("type")
    papers = summed.select(["type", "papers_sum"]).rename_columns(["type", "papers"])
    citing = papers.filter(pc.greater(papers["papers"], 0))
    return choose_types(citing, config.types, known=papers["type"])


def _sum_histograms(
    rows: pa.Table, types: pa.Array, config: Weighting
) -> dict[str, ComponentCounts]:
    """The histogram of each component over the pairs of citing papers of the types."""
    chosen = rows.filter(pc.is_in(rows["type"], value_set=types))
    summed = chosen.group_by(["component", "value"]).aggregate([("pairs", "sum")])
    bins: dict[str, list[tuple[int, int]]] = {name: [] for name in _COMPUTED}
    for row in summed.sort_by("value").to_pylist():
        bins[row["component"]].append((row["value"], row["pairs_sum"]))
    return {
        name: ComponentCounts(name, tuple(bins[name]), unit(name, config.combined))
        for name in _COMPUTED
    }


def _record(
    config: Weighting,
    totals: pa.Table,
    chosen: pa.Table,
    facts: Mapping[str, int],
    statistics: Sequence[ComponentStatistics],
    weights: Mapping[str, float],
) -> RunRecord:
    """The record of a run.

    Args:
        config: components and their weights.
        totals: number and hash of pairs by type of the citing paper, and part.
        chosen: those of the types that the weights are computed from.
        facts: sums of other numbers over the parts.
        statistics: those of the components.
        weights: weights of the components.
    """
    inputs = {"features": _sum_hashes(totals)}
    if len(chosen) < len(totals):
        inputs["chosen"] = _sum_hashes(chosen)
    if config.named_run(REFERENCE):
        inputs["weights"] = json.dumps(weights)
    return RunRecord(
        id=run_id(COMMAND, _settings(config), inputs),
        command=COMMAND,
        config=_settings(config),
        inputs=inputs,
        versions=library_versions("citescape", "numpy", "numba", "pyarrow", "ray"),
        counts={
            "pairs": sum(totals["pairs"].to_pylist()),
            "weighed": sum(chosen["pairs"].to_pylist()),
            "unmentioned": facts["unmentioned"],
            "untitled": 0,
            "strays": facts["strays"],
            "relabelled": facts["relabelled"],
            "mentions": {name: facts[name] for name in SECTION_TYPES},
            "components": [asdict(row) for row in statistics],
        },
    )


def _sum_hashes(totals: pa.Table) -> str:
    """Number and hash of pairs, the same in any order and division."""
    bits = sum(totals["hash"].to_pylist()) % 2**64
    return f"{sum(totals['pairs'].to_pylist())}-{bits:016x}"


def _clear_scores(storage: Storage, folder: str, begun: str) -> None:
    """Removes files of a run that tasks of other work wrote: the parts may have been others.

    Args:
        storage: the folder of the graph.
        folder: folder of the scores of the run.
        begun: file that says that this work has begun to write them.
    """
    if begun in storage.sizes(begun.rpartition("/")[0]):
        return
    with suppress(StoreError, KeyError, TypeError):
        if f"{SCORES}/{storage.read_json(COMPLETE)['run']}" == folder:
            storage.remove(COMPLETE)
    storage.remove(folder)
    storage.write(begun, b"")


def _complete_run(runs: Path, record: RunRecord) -> bool:
    """Writes the run directory; False if it is there."""
    if find_run(runs, record.id):
        return False
    with open_run(runs, record.id) as directory:
        directory.complete(record)
    return True


def _complete_scores(graph: ShardedGraph, record: Path, folder: str, state: str) -> None:
    """Writes the record of the run beside the scores, then `scores.json`.

    Raises:
        StoreError: another process removed scores.
    """
    storage = graph.storage
    sizes = storage.sizes(folder)
    files = {name: size for name, size in sizes.items() if name.endswith(".parquet")}
    storage.write(f"{folder}/{RECORD}", record.read_bytes())
    if not {name_scores(folder, part) for part in range(graph.parts)} <= files.keys():
        raise StoreError(
            f"{storage.address}/{folder} lacks scores that were written; another process scores "
            "the same folder: run the command again when it is done"
        )
    run = folder.removeprefix(f"{SCORES}/")
    storage.write_json(COMPLETE, {"run": run, "parts": graph.parts, "graph": state, "files": files})


def _result(
    graph: ShardedGraph,
    config: Weighting,
    record: RunRecord,
    *,
    runs: Path,
    written: int,
    unchanged: bool,
) -> ShardScores:
    counts = record.counts
    return ShardScores(
        run=record.id,
        path=runs / record.id,
        config=config,
        statistics=tuple(ComponentStatistics(**row) for row in counts["components"]),
        pairs=counts["pairs"],
        unmentioned=counts["unmentioned"],
        mentions=counts["mentions"],
        untitled=0,
        strays=counts["strays"],
        relabelled=counts["relabelled"],
        written=written,
        weighed=counts["weighed"],
        unchanged=unchanged,
        folder=f"{graph.storage.address.rstrip('/')}/{SCORES}/{record.id}",
        parts=graph.parts,
    )
