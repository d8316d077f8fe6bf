"""Importance of every citation: features, entropy weights, scores, written back to the graph.

importance(i, j) = w_I f_I + w_R f_R + w_D f_D + w_S S  (CIA, Eq. 1), raw counts times weights.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.core.config import quote_command
from citescape.core.errors import ConfigError, StoreError
from citescape.core.progress import Progress, silent
from citescape.importance.components import find_question
from citescape.importance.config import LEARNED, REFERENCE, Weighting
from citescape.importance.counts import PairFeatures, tally
from citescape.importance.learned.scoring import score_pairs
from citescape.importance.learned.training import hash_values
from citescape.importance.read import read_features, select_pairs
from citescape.importance.scored import ScoredPairs
from citescape.importance.text_encoder import load_text_encoder
from citescape.importance.titles import Encode, encoder_name
from citescape.importance.weights import (
    ComponentCounts,
    ComponentStatistics,
    compute_statistics,
    compute_weights,
    statistics_figures,
    statistics_table,
)
from citescape.importance.write import (
    find_stale,
    is_overwritten,
    overwrite_scores,
    write_scores,
)
from citescape.loaders.formats import has_text
from citescape.papers.slices import Slice, read_slices
from citescape.papers.types import hash_mask
from citescape.runs.directory import (
    RunRecord,
    Stopwatch,
    default_runs,
    describe_run,
    find_run,
    library_versions,
    open_run,
    read_command,
    read_run,
    record_run,
    run_id,
)
from citescape.runs.result import Part, Result, Summary, Table, Text, list_rows, plural
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query
from citescape.store.state import IMPORTANCE_RUN, read_importance_run, write_meta

COMMAND = "score"


@dataclass(frozen=True)
class ScoreResult(Result):
    """Statistics of the components, and changes of the graph."""

    run: str
    path: Path
    """The run directory: run.json; pairs.parquet, unless the database has computed the scores."""
    config: Weighting
    statistics: tuple[ComponentStatistics, ...]
    pairs: int
    unmentioned: int
    """Pairs without a mention in the text: all f = 0."""
    mentions: Mapping[str, int]
    """In-text citations by type of their section: I, M, R, D, other."""
    untitled: int
    """Pairs without a title similarity, if the score has one: it counts as 0."""
    strays: int
    """In-text citations without a pair; they are not counted."""
    relabelled: int
    """Pairs whose counts by section types of a model differ from those by rules alone."""
    written: int
    """Rows of the graph that changed."""
    weighed: int
    """Pairs that the weights are computed from; 0 for learned importance."""
    unchanged: bool
    """Whether the graph, the Run node and the run directory were up to date before."""

    @property
    def uncounted(self) -> dict[str, int]:
        """Mentions in sections that no component of the score counts, by type."""
        return {
            name: n for name, n in self.mentions.items() if name not in self.config.components and n
        }

    @property
    def model(self) -> str:
        """The run that has learned the scores; empty for weights."""
        return self.config.named_run(LEARNED)

    @property
    def arrow(self) -> pa.Table:
        """A row per component: mean, std, entropy, weight."""
        return statistics_table(self.statistics)

    def summarise(self) -> Summary:
        """Number of pairs, statistics of each component, and citations that are not counted."""
        table = self.arrow
        change = "nothing changed" if self.unchanged else f"{plural(self.written, 'row')} written"
        parts: list[Part] = [
            f"{plural(self.pairs, 'pair')} scored, {change}",
            "",
        ]
        if self.model:
            parts.append(
                f"importance as {self.model} has learned it: the probability that a citation is "
                "important"
            )
        else:
            parts += [Table(table.column_names, list_rows(table)), ""]
            question = find_question(self.config.components, self.config.weighting)
            if question:
                parts.append(Text(f"question: {question}", rest="    "))
        if reference := self.config.named_run(REFERENCE):
            parts.append(f"weights are those of {reference}")
        elif self.config.weighting == "entropy" and 0 < self.weighed < self.pairs:
            parts.append(
                f"weights from {plural(self.weighed, 'pair')} of the types "
                f"{', '.join(self.config.types)}; {self.pairs - self.weighed:,} of other papers "
                "are scored with them"
            )
        if self.uncounted and not self.model:
            by_type = ", ".join(f"{n:,} {name}" for name, n in self.uncounted.items())
            parts.append(
                f"{sum(self.uncounted.values()):,} of "
                f"{plural(sum(self.mentions.values()), 'citation')} in the text are in sections "
                f"that this score leaves out ({by_type})"
            )
        parts.append(
            f"{plural(self.unmentioned, 'pair')} never mentioned in the text: all counts are 0"
        )
        if self.relabelled:
            verb = "count" if self.config.sections == "model" else "would count"
            parts.append(
                f"{plural(self.relabelled, 'pair')} ({self.relabelled / self.pairs:.1%}) {verb} "
                "differently with section types of a model than with rules alone"
            )
        parts.append(f"run {self.run} is stored in {self.path}")
        figures = {
            "pairs": self.pairs,
            "weighed": self.weighed,
            **statistics_figures(self.statistics),
            "relabelled": self.relabelled,
            "run": self.run,
        }
        return Summary(parts, figures, [("terms of one score", "explain CITING CITED")])


def score(
    store: GraphStore,
    config: Weighting | None = None,
    *,
    encode: Encode | None = None,
    runs: Path | None = None,
    progress: Progress = silent,
) -> ScoreResult:
    """Scores every citation pair of the store, and stores the scores in it.

    May be interrupted at any moment and run again: the same pairs and configuration give the same
    run id and the same scores, and only rows that differ are written.

    Args:
        store: the graph to read and to write to.
        config: components and their weights.
        encode: titles to vectors, for T only; by default the encoder that `config` names.
        runs: folder of run directories; by default `runs` beside the store.
        progress: called with the name of each stage when it begins.

    Writes to the graph: CITES.mentions, f_I, f_M, f_R, f_D, f_other, self, importance, run,
    title_similarity and abstract_similarity (where they are compared); a Run node; Meta
    `importance_run`.

    Raises:
        ConfigError: the weights are undefined, see `compute_weights`, or there is no such run.
        StoreError: no pairs, only papers from tables, or another process changed the graph.
    """
    config = config or Weighting()
    runs = runs or default_runs(store.location)
    model = config.named_run(LEARNED)
    if "T" not in config.components or model:
        encode = None
    elif not encode:
        encode = load_text_encoder(config.title_encoder)
    clock = Stopwatch()
    progress("reading citations")
    with clock.timed("read"):
        slices = read_slices(store)
        features = read_features(
            store, slices, titles=encode, sections=config.sections, progress=progress
        )
        mentioned = sum(features.mentions_by_type.values()) + features.strays
        refuse_tables(store, config, pairs=len(features.pairs), mentions=mentioned)
    with clock.timed("weigh"):
        if model:
            learned = score_pairs(store, slices, features, model, runs=runs, progress=progress)
            scored = ScoredPairs(features, {}, config.combined, learned)
            statistics: tuple[ComponentStatistics, ...] = ()
            weighed, mask = 0, ""
        else:
            chosen = select_pairs(store, features.pairs, config.types)
            weights_used, statistics = weigh_features(features, config, runs=runs, chosen=chosen)
            weighed, mask = int(chosen.sum()), hash_mask(chosen)
            scored = ScoredPairs(features, weights_used, config.combined)
    title_encoder = encoder_name(encode) if encode else None
    record = _record(scored, config, statistics, title_encoder=title_encoder, chosen=mask)

    # The Meta entry comes last: it marks run directory, scores and Run node as complete.
    progress("writing scores")
    folder = find_run(runs, record.id)
    if folder:
        written = _update(store, scored, run=record.id, slices=slices, clock=clock)
        record = read_run(folder)
    else:
        with open_run(runs, record.id) as directory:
            with clock.timed("export"):
                directory.write_parquet("pairs.parquet", scored.tables())
            written = _update(store, scored, run=record.id, slices=slices, clock=clock)
            record = clock.stop(record)
            directory.complete(record)
    added = record_run(store, record) or not folder
    if read_importance_run(store) != record.id:
        write_meta(store, IMPORTANCE_RUN, record.id)
        added = True
    return ScoreResult(
        run=record.id,
        path=runs / record.id,
        config=config,
        statistics=statistics,
        pairs=len(features.pairs),
        unmentioned=features.unmentioned,
        mentions=features.mentions_by_type,
        untitled=features.untitled,
        strays=features.strays,
        relabelled=features.relabelled,
        written=written,
        weighed=weighed,
        unchanged=not written and not added,
    )


@dataclass(frozen=True)
class WeightsResult(Result):
    """The components of a score and their weights over all pairs."""

    pairs: int
    statistics: tuple[ComponentStatistics, ...]
    weighed: int
    """Pairs that the weights are computed from."""

    @property
    def arrow(self) -> pa.Table:
        """A row per component: mean, std, entropy, weight."""
        return statistics_table(self.statistics)

    def summarise(self) -> Summary:
        """Pairs and the statistics of each component."""
        table = self.arrow
        pairs = plural(self.pairs, "pair")
        if self.weighed < self.pairs:
            pairs = f"{self.weighed:,} of {pairs}, by the types of the citing papers"
        return Summary(
            [pairs, "", Table(table.column_names, list_rows(table))],
            {
                "pairs": self.pairs,
                "weighed": self.weighed,
                **statistics_figures(self.statistics),
            },
        )


def compute_component_weights(
    store: GraphStore,
    config: Weighting | None = None,
    *,
    runs: Path | None = None,
    progress: Progress = silent,
) -> WeightsResult:
    """Number of pairs, and mean, deviation, entropy and weight of each component (CIA, Table 3).

    The weights are those that `score` would use with these settings; nothing is written.

    Args:
        store: the graph.
        config: components and their weights.
        runs: folder of run directories; by default `runs` beside the store.
        progress: called with the name of each stage when it begins.

    Raises:
        ConfigError: the weights are undefined, see `compute_weights`, or importance is learned.
        StoreError: no pairs, or another process changed the graph meanwhile.
    """
    config = config or Weighting()
    if model := config.named_run(LEARNED):
        raise ConfigError(
            f"importance that {model} has learned has no weights of components; expected entropy, "
            "uniform, weights by name, or from:RUN"
        )
    progress("reading citations")
    titles = load_text_encoder(config.title_encoder) if "T" in config.components else None
    features = read_features(
        store, read_slices(store), titles=titles, sections=config.sections, progress=progress
    )
    progress("computing weights")
    runs = runs or default_runs(store.location)
    chosen = select_pairs(store, features.pairs, config.types)
    _, statistics = weigh_features(features, config, runs=runs, chosen=chosen)
    return WeightsResult(len(features.pairs), statistics, int(chosen.sum()))


def refuse_tables(store: GraphStore, config: Weighting, *, pairs: int, mentions: int) -> None:
    """Raises if the score counts mentions, but all papers come from tables, which have none.

    Args:
        store: the graph.
        config: components and their weights.
        pairs: number of citations.
        mentions: number of in-text citations, with a pair or not.

    Raises:
        StoreError: a score without a mention to count.
    """
    from_text = list_from_text(config)
    if not from_text or mentions:
        return
    if not all(map(has_text, store.read(query("features/loaders"))["loader"].to_pylist())):
        raise only_tables(store.location, pairs, from_text)


def list_from_text(config: Weighting) -> list[str]:
    """What a score has that counts in-text citations."""
    if config.named_run(LEARNED):
        return ["learned scores"]
    return [name for name in config.components if name not in ("S", "T")]


def only_tables(location: str, pairs: int, from_text: Sequence[str]) -> StoreError:
    """The error for a graph without full texts.

    Args:
        location: the graph.
        pairs: number of citations.
        from_text: what counts in-text citations.
    """
    return StoreError(
        f"{location} has {pairs:,} citations but none in a text, since papers came from tables; "
        f"{', '.join(from_text)} count in-text citations: ingest full texts, or continue without "
        "scores"
    )


def weigh_features(
    features: PairFeatures,
    config: Weighting,
    *,
    runs: Path | None = None,
    chosen: npt.NDArray[np.bool_] | None = None,
) -> tuple[dict[str, float], tuple[ComponentStatistics, ...]]:
    """The weight of each component of a score, and its statistics.

    Args:
        features: features of all pairs.
        config: components and their weights.
        runs: folder of runs, for weights of a reference corpus.
        chosen: (pairs,) pairs that weights and statistics are computed from; all by default.

    Raises:
        ConfigError: the weights are undefined, see `compute_weights`.
    """
    return weigh_histograms(tally(features, config.combined, chosen), config, runs=runs)


def weigh_histograms(
    histograms: Mapping[str, ComponentCounts], config: Weighting, *, runs: Path | None = None
) -> tuple[dict[str, float], tuple[ComponentStatistics, ...]]:
    """The weight of each component of a score, and its statistics, from histograms by component.

    Args:
        histograms: values of at least the components of the score.
        config: components and their weights.
        runs: folder of runs, for weights of a reference corpus.

    Raises:
        ConfigError: the weights are undefined, see `compute_weights`.
    """
    used = [histograms[name] for name in config.components]
    weights = compute_weights(used, read_reference_weights(config, runs) or config.weighting)
    return weights, compute_statistics(used, weights)


def list_settings(config: Weighting, *, title_encoder: str | None = None) -> dict[str, Any]:
    """The settings of a score as a run records them.

    Args:
        config: components and their weights; a run named by its folder is the same.
        title_encoder: name of the encoder of titles; None if they are not compared.
    """
    weights = config.weighting
    for source in (REFERENCE, LEARNED):
        if named := config.named_run(source):
            weights = f"{source}:{Path(named).resolve().name}"
    learned = config.named_run(LEARNED)
    return {
        "components": () if learned else config.components,
        "weights": weights,
        "combined": config.combined,
        "title_encoder": title_encoder,
        "sections": config.sections,
        "types": () if learned else config.types,
    }


def read_reference_weights(config: Weighting, runs: Path | None) -> dict[str, float]:
    """The weights of the run of `platform score` that `from:RUN` names; empty for other weights.

    Args:
        config: components and their weights, which must be those of the run.
        runs: folder of runs.

    Raises:
        ConfigError: no such run, or it scored other components or differently.
    """
    named = config.named_run(REFERENCE)
    if not named:
        return {}
    path = (runs and find_run(runs, named)) or Path(named)
    if read_command(path) != COMMAND:
        raise ConfigError(
            f"{describe_run(runs or path.parent, named)}; expected a run of `platform score` with "
            "the weights to use"
        )
    record = read_run(path)
    weights = {row["component"]: row["weight"] for row in record.counts["components"]}
    if tuple(weights) != config.components or record.config["combined"] != config.combined:
        raise ConfigError(
            f"run {record.id} has weights of {', '.join(weights) or 'no components'} (combined: "
            f"{record.config['combined']}); expected those of {', '.join(config.components)} "
            f"(combined: {config.combined}): give the same --features and --combined"
        )
    return weights


def _record(
    scored: ScoredPairs,
    config: Weighting,
    statistics: tuple[ComponentStatistics, ...],
    *,
    title_encoder: str | None,
    chosen: str,
) -> RunRecord:
    features, learned = scored.features, scored.learned
    settings = list_settings(config, title_encoder=title_encoder)
    inputs = {"features": features.fingerprint()}
    if chosen:  # types of papers are not among the features
        inputs["chosen"] = chosen
    if config.named_run(REFERENCE):
        inputs["weights"] = json.dumps(scored.weights)
    if learned:
        settings["model"] = learned.model.to_json()  # so that the graph alone explains a score
        inputs["predictors"] = hash_values(learned.values)
    return RunRecord(
        id=run_id(COMMAND, settings, inputs),
        command=COMMAND,
        config=settings,
        inputs=inputs,
        versions=library_versions("citescape", "numpy", "numba", "pyarrow", "ladybug", "neo4j"),
        counts={
            "pairs": len(features.pairs),
            "unmentioned": features.unmentioned,
            "untitled": features.untitled,
            "strays": features.strays,
            "relabelled": features.relabelled,
            "components": [asdict(row) for row in statistics],
        },
    )


def _update(
    store: GraphStore, scored: ScoredPairs, *, run: str, slices: Sequence[Slice], clock: Stopwatch
) -> int:
    """Writes the pairs that differ to the graph; returns their number."""
    with clock.timed("write"):
        stale = find_stale(store, scored, run=run, slices=slices)
        if not len(stale):
            return 0
        write_meta(store, IMPORTANCE_RUN, "")
        if is_overwritten(store, stale):
            overwrite_scores(store, scored, run=run)
            return len(stale)
        write_scores(store, scored, run=run, stale=stale)
        left = find_stale(store, scored, run=run, slices=slices)
    if len(left):
        raise StoreError(
            f"{store.location} did not take {len(left)} of {len(stale)} scores; run "
            f"{quote_command('score', store.location)} again, and "
            f"{quote_command('doctor', store.location)} if that does not help"
        )
    return len(stale)
