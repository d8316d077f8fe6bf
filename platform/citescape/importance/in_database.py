"""Importance computed in the database, by the definitions in `cypher/features`.

Counts of mentions, self-citations, counts by intent and scores are computed and written where they
are, slice by slice of citing papers. What leaves the database: ids of citing papers with sums of
their values, and the joint histogram of the values, from which the weights follow. The scores are
those of the bulk kernel, to the last bit.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import ConfigError
from citescape.core.progress import Progress, silent
from citescape.core.types import SECTION_TYPES
from citescape.importance.components import TABLE, unit
from citescape.importance.config import LEARNED, Weighting
from citescape.importance.read import changed_meanwhile, choose_types, hash_rows, no_pairs
from citescape.importance.score import (
    COMMAND,
    ScoreResult,
    list_settings,
    read_reference_weights,
    refuse_tables,
    weigh_histograms,
)
from citescape.importance.weights import ComponentCounts
from citescape.runs.directory import (
    RunRecord,
    Stopwatch,
    default_runs,
    find_run,
    library_versions,
    open_run,
    record_run,
    run_id,
)
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query
from citescape.store.state import (
    COUNTED,
    IMPORTANCE_RUN,
    read_importance_run,
    read_meta,
    write_meta,
)

METHOD = "cypher"
_SLICE_PAIRS = 20_000  # location.cypher on ladybug needs some 10 kB per pair
_COMPUTED = tuple(name for name in TABLE if name != "T")


def score_in_database(
    store: GraphStore,
    config: Weighting | None = None,
    *,
    runs: Path | None = None,
    progress: Progress = silent,
) -> ScoreResult:
    """Scores every citation pair by queries that count and write in the database.

    Scores, weights and counts are those of `score.score`. May be interrupted and run again: only
    rows that differ are written. The run directory holds `run.json` alone.

    Args:
        store: the graph to read and to write to.
        config: components and their weights; neither T nor learned importance, which need Python.
        runs: folder of run directories; by default `runs` beside the store.
        progress: called with the name of each stage when it begins.

    Writes to the graph: what `score.score` writes, except similarities, and CITES.n_background,
    n_method, n_result.

    Raises:
        ConfigError: the weights are undefined, see `compute_weights`, or the score has T or is
            learned.
        StoreError: no pairs, only papers from tables, or another process changed the graph.
    """
    config = config or Weighting()
    if config.named_run(LEARNED) or "T" in config.components:
        found = "T, the similarity of titles," if "T" in config.components else "learned importance"
        raise ConfigError(
            f"{found} cannot be computed in Cypher; expected components among "
            f"{', '.join(_COMPUTED)} and weights of components, or --with kernel"
        )
    runs = runs or default_runs(store.location)
    clock = Stopwatch()
    (total,) = store.read(query("features/mention_totals"))["mentions"].to_pylist()
    papers = store.read(query("features/citing_papers"))
    pairs = int(papers["pairs"].to_numpy().sum())
    if not pairs:
        raise no_pairs(store)
    refuse_tables(store, config, pairs=pairs, mentions=total)
    types = _choose_types(store, config)
    read_reference_weights(config, runs)  # a missing run is an error before anything is written
    before = read_importance_run(store)
    rules = {"rules": config.sections == "rules"}
    halves = config.combined == "both"
    slices = list(_slice_papers(papers))
    write = partial(_write, store, slices, progress)
    write_meta(store, IMPORTANCE_RUN, "")
    with clock.timed("count"):
        recounted = max(
            write("counting mentions", "features/write_location", **rules),
            write("comparing authors", "features/write_self_citation"),
            write("comparing authors", "features/write_no_self_citation"),
        )
        if any(store.read(query("features/labelled"))["labelled"].to_pylist()):
            recounted = max(recounted, write("counting intents", "features/write_intents"))
    with clock.timed("weigh"):
        progress("computing weights")
        totals = store.read(query("features/citing_totals")).sort_by("id")
        values = _read_values(store, slices if halves else (), pairs=pairs, **rules)
        chosen = pc.is_in(values["type"], value_set=types).to_numpy()
        counted = _histograms(values, config.combined, chosen)
        (relabelled,) = store.read(query("features/relabelled"))["pairs"].to_pylist()
        try:
            weights, statistics = weigh_histograms(counted, config, runs=runs)
        except ConfigError:
            if before and not recounted:  # the scores of the graph are still those of their run
                write_meta(store, IMPORTANCE_RUN, before)
            raise
    mentions = {name: int(pc.sum(totals[name]).as_py()) for name in SECTION_TYPES}
    inputs = {
        "totals": hash_rows(totals),
        "values": hash_rows(values),
        "weights": repr(weights),
        "counted": _count_changes(store, before, changed=recounted > 0),
    }
    settings = {**list_settings(config), "method": METHOD}
    record = RunRecord(
        id=run_id(COMMAND, settings, inputs),
        command=COMMAND,
        config=settings,
        inputs=inputs,
        versions=library_versions("citescape", "pyarrow", "ladybug", "neo4j"),
        counts={
            "pairs": pairs,
            "unmentioned": _count_unmentioned(values),
            "untitled": 0,
            "strays": total - sum(mentions.values()),
            "relabelled": relabelled,
            "components": [asdict(row) for row in statistics],
        },
    )
    with clock.timed("write"):
        written = write(
            "writing scores",
            "features/write_scores_halved" if halves else "features/write_scores",
            **_scale(weights),
            **(rules if halves else {}),
            run=record.id,
        )
        (left,) = store.read(query("features/unscored"), run=record.id)["pairs"].to_pylist()
    if left:
        raise changed_meanwhile(store, pairs, pairs + left)
    folder = find_run(runs, record.id)
    if not folder:
        record = clock.stop(record)
        with open_run(runs, record.id) as directory:
            directory.complete(record)
    added = record_run(store, record) or not folder or before != record.id
    write_meta(store, IMPORTANCE_RUN, record.id)
    return ScoreResult(
        run=record.id,
        path=runs / record.id,
        config=config,
        statistics=statistics,
        pairs=pairs,
        unmentioned=record.counts["unmentioned"],
        mentions=mentions,
        untitled=0,
        strays=record.counts["strays"],
        relabelled=relabelled,
        written=max(recounted, written),
        weighed=int(values["pairs"].to_numpy()[chosen].sum()),
        unchanged=not (recounted or written or added),
    )


def _write(
    store: GraphStore,
    slices: Sequence[list[str]],
    progress: Progress,
    stage: str,
    name: str,
    **params: object,
) -> int:
    """Runs a query that writes over slices of citing papers; returns the number of pairs written.

    Args:
        store: the graph.
        slices: ids of citing papers, one transaction each.
        progress: called with the stage and the share of slices that are done.
        stage: what the query does.
        name: name of the query.
        params: its parameters, besides `papers`.
    """
    written = 0
    for done, papers in enumerate(slices):
        progress(f"{stage}: {done / len(slices):.0%}")
        written += int(store.run(query(name), papers=papers, **params)["written"][0].as_py())
    return written


def _count_changes(store: GraphStore, before: str | None, *, changed: bool) -> str:
    """How often counts have changed: part of the id of a run, since sums do not name cited works.

    It rises where counts differed from those in the graph, and after any scoring that was not
    complete or not in the database.

    Args:
        store: the graph.
        before: run of the scores in the graph.
        changed: whether counts differed from those in the graph.

    Writes to the graph: Meta `importance_counted`.
    """
    number = int(read_meta(store, COUNTED) or 0)
    runs = store.read(query("features/explain_run"), run=before or "")["config"].to_pylist()
    if changed or not any(json.loads(config).get("method") == METHOD for config in runs):
        number += 1
        write_meta(store, COUNTED, str(number))
    return str(number)


def _scale(weights: Mapping[str, float]) -> dict[str, float]:
    """Weights divided by a power of two, the largest between 1 and 2, and this power as `scale`.

    The query adds without rounding if weights differ by less than a factor of 2^30.
    """
    largest = max(abs(weight) for weight in weights.values())
    scale = 2.0 ** math.floor(math.log2(largest)) if largest else 1.0
    return {name: weights.get(name, 0.0) / scale for name in _COMPUTED} | {"scale": scale}


def _slice_papers(papers: pa.Table) -> Iterator[list[str]]:
    """Ids of citing papers, in parts of some 20,000 pairs: one transaction each."""
    ends = np.cumsum(papers["pairs"].to_numpy()) // _SLICE_PAIRS
    cuts = np.flatnonzero(np.diff(ends)) + 1
    for part in np.split(np.arange(len(papers)), cuts):
        yield papers["id"].take(pa.array(part)).to_pylist()


def _read_values(
    store: GraphStore, slices: Sequence[list[str]], *, pairs: int, rules: bool
) -> pa.Table:
    """Pairs by type of the citing paper and values of the components, sorted.

    Args:
        store: the graph, with counts.
        slices: citing papers to count mentions of anew, for halves in R and D; empty for the counts
            in the graph.
        pairs: number of pairs when the counting began.
        rules: as for the counts.

    Raises:
        StoreError: there are pairs that were not counted.
    """
    keys = ["type", *_COMPUTED]
    if slices:
        name = query("features/values_halved")
        parts = [store.read(name, papers=papers, rules=rules) for papers in slices]
        summed = pa.concat_tables(parts).group_by(keys).aggregate([("pairs", "sum")])
        values = summed.rename_columns([*keys, "pairs"])
    else:
        values = store.read(query("features/values"))
    if any(values[name].null_count for name in _COMPUTED):
        raise changed_meanwhile(store, pairs, int(pc.sum(values["pairs"]).as_py()))
    types = pc.fill_null(values["type"].cast(pa.string()), "")
    values = values.set_column(values.schema.get_field_index("type"), "type", types)
    return values.select([*keys, "pairs"]).sort_by([(key, "ascending") for key in keys])


def _choose_types(store: GraphStore, config: Weighting) -> pa.Array:
    """Types of citing papers that the weights are computed from.

    Raises:
        ConfigError: there is no such type, or no paper of it has references.
    """
    known = store.read(query("features/known_types"))["type"]
    return choose_types(store.read(query("features/citing_types")), config.types, known=known)


def _histograms(
    values: pa.Table, combined: str, chosen: npt.NDArray[np.bool_]
) -> dict[str, ComponentCounts]:
    """The histogram of each component over the chosen rows."""
    pairs = values["pairs"].to_numpy()[chosen]
    counts = {}
    for name in _COMPUTED:
        steps = values[name].to_numpy()[chosen]
        bins = np.zeros(int(steps.max()) + 1, np.int64)
        np.add.at(bins, steps, pairs)
        counts[name] = ComponentCounts.from_histogram(name, bins, unit=unit(name, combined))
    return counts


def _count_unmentioned(values: pa.Table) -> int:
    """Pairs without a mention in the text."""
    mentions = sum(values[name].to_numpy() for name in SECTION_TYPES)
    return int(values["pairs"].to_numpy()[mentions == 0].sum())
