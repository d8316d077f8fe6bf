"""Results on a benchmark of sentences: evaluations of systems, and trained rerankers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from citescape.metrics.display import list_differences, read_figures
from citescape.metrics.evaluation_run import EvaluationRun
from citescape.recommend.lcr.config import TRAIN
from citescape.recommend.lcr.shown import (
    describe_benchmark,
    list_overlaps,
    list_skipped,
    list_warnings,
    name_benchmark,
)
from citescape.recommend.retriever import DEFAULT, CandidateIndex
from citescape.recommend.word_weight import WordWeightChoice
from citescape.runs.result import Part, Summary, Table, plural
from citescape.training.reranking.kept import RerankerRun

SHOWN = {"mrr": "MRR", "recall@10": "R@10", "recall@300": "R@300", "ndcg@10": "nDCG@10"}
"""Metrics of the first tables."""
_CONDITIONS = {
    "all": "all works",
    "warm": "warm: works that training sentences cite",
    "cold": "cold: works that no training sentence cites",
    "warm-only": "warm-only: warm works, ranked among the {warm} warm works only",
}
_LENGTHS = {"recall": "R", "ndcg": "nDCG", "mrr": "MRR"}
_LEAKS = {
    "contexts_in_training": "query sentences are training sentences",
    "citing_in_training": "query papers have training sentences",
    "outside": "cited works are not candidates",
    "not_older": "cited works may be newer than the query paper",
    "evaluation_papers": "query papers are candidates",
}


def name_building(system: str) -> str:
    """Name of the stage in which a system builds its index, in timings."""
    return f"{system}: building"


@dataclass(frozen=True)
class LcrEvaluation(EvaluationRun):
    """Systems side by side on the sentences of a benchmark."""

    required = ("config.query_weights",)

    sweep: bool = False
    """Show figures by the length of the list."""
    compare: bool = False
    """Show the difference of each system from the first."""

    @property
    def arrow(self) -> pa.Table:
        """Means with intervals by system, condition and metric."""
        return self.figures

    def tables(self) -> dict[str, pa.Table]:
        """Figures; with two or more systems also differences."""
        differences = self.differences
        more = {} if differences is None else {"differences": differences}
        return {"figures": self.figures, **more}

    def summarise(self) -> Summary:
        """Benchmark, figures by condition, times."""
        counts, config = self.counts, self.record.config
        named = name_benchmark(self, self.record.request["benchmark"], config["split"])
        parts: list[Part] = [
            f"benchmark: {describe_benchmark(named)}",
            f"{plural(counts['queries'], 'query sentence')} of "
            f"{plural(counts['query_papers'], 'paper')}, with "
            f"{plural(counts['citations'], 'citation')}, {counts['warm_citations']:,} of warm "
            f"works; {plural(counts['candidates'], 'candidate')}",
        ]
        parts += [
            f"leak: {count:,} {_LEAKS.get(reason, reason)}"
            for reason, count in counts["leaks"].items()
            if count
        ]
        parts += list_warnings(counts, config["split"])
        parts += list_skipped(counts)
        if "word_weight" in counts:
            parts.append(WordWeightChoice.from_record(counts["word_weight"]).describe())
        parts += self._show_conditions()
        if self.sweep:
            parts += self._show_lengths()
        parts += self._show_times()
        if self.compare:
            only = ("mrr", "recall@10")
            parts += list_differences(self, names=SHOWN, title="works", header="works", only=only)
        figures = {
            "run": self.run,
            "path": str(self.path),
            "unchanged": self.unchanged,
            **counts,
            **named,
            "figures": self.figures.to_pylist(),
        }
        page = [("as a page", f"evaluate report {self.run}")]
        return Summary([*parts, "", self.describe()], figures, page)

    def _show_conditions(self) -> list[Part]:
        """One table for each of `_CONDITIONS`."""
        counts, figures, parts = self.counts, read_figures(self), list[Part]()
        warm = f"{counts['candidates'] - counts['cold_candidates']:,}"
        for condition, title in _CONDITIONS.items():
            queries = counts["queries" if condition == "all" else f"{condition[:4]}_queries"]
            rows = [
                (name, *(figures.get((name, condition, "", metric), "") for metric in SHOWN))
                for name in counts["systems"]
            ]
            heading = f"{title.format(warm=warm)} ({plural(queries, 'sentence')})"
            parts += ["", heading, Table(("", *SHOWN.values()), rows)]
        if counts["cold_candidates"]:
            parts += [
                "",
                f"{counts['cold_candidates_cited']:,} of "
                f"{plural(counts['cold_candidates'], 'cold candidate')} are cited by the query "
                "sentences: a system that prefers cold works has higher figures, except under "
                "warm-only",
            ]
        return parts

    def _show_lengths(self) -> list[Part]:
        """Figures of all works by the length of the list, with its share of all candidates."""
        counts = self.counts
        means = {
            (row["system"], row["metric"]): row["mean"]
            for row in self.figures.to_pylist()
            if row["condition"] == "all"
        }
        shares = [f"{k} ({min(k / counts['candidates'], 1):.2%})" for k in counts["lengths"]]
        rows = [
            (
                system,
                name,
                *(f"{100 * means[system, f'{metric}@{k}']:.1f}" for k in counts["lengths"]),
            )
            for system in counts["systems"]
            for metric, name in _LENGTHS.items()
        ]
        title = "all works, by the length of the list (share of the candidates)"
        return ["", title, Table(("", "", *shares), rows)]

    def _show_times(self) -> list[Part]:
        """Seconds of each system, and those of the queries that all share."""
        timings: Mapping[str, Any] = self.record.timings
        queries = max(self.counts["queries"], 1)
        rows = [
            (name, timings.get(name_building(name)), timings[name], 1000 * timings[name] / queries)
            for name in self.counts["systems"]
            if name in timings
        ]
        profiling = self.counts["profiling"].items()
        stages = ", ".join(f"{name} {value:,.1f} s" for name, value in profiling)
        return [
            "",
            "time",
            Table(("", "building, s", "retrieval, s", "ms per sentence"), rows),
            f"queries, shared by all: vectors {timings['encode queries']:,.1f} s, words "
            f"{timings['compose queries']:,.1f} s; warm-only lists: {timings['warm-only']:,.1f} s",
            f"profiles ({self.counts['profiles']}): {stages}",
        ]


@dataclass(frozen=True)
class LcrReranker(RerankerRun):
    """A reranker trained on the sentences of a benchmark."""

    benchmark: str = ""
    """Run directory or folder of the benchmark."""
    system: str = DEFAULT
    word_weight: float = CandidateIndex.word_weight
    """Weight of words in the fused score of the retriever."""

    @property
    def arrow(self) -> pa.Table:
        """Validation figures by update."""
        return pa.Table.from_pylist(self.counts["history"])

    def summarise(self) -> Summary:
        """Sentences, and validation MRR by update."""
        counts, named = self.counts, name_benchmark(self, self.benchmark, TRAIN)
        retrieved = 100 * counts["retriever_mrr"]
        reranked = counts.get("validation_reranked")  # missing in runs of older versions
        parts: list[Part] = [
            f"benchmark: {describe_benchmark(named)}",
            f"{plural(counts['queries'], 'training sentence')}; {counts['left_out']:,} skipped: no "
            "positive and negative in the list",
            f"{plural(counts['validation'], 'validation sentence')}"
            + ("" if reranked is None else f", {reranked:,} with a cited work in the list")
            + f"; MRR of the retriever {retrieved:.1f}",
            *list_overlaps(counts.get("temporal_overlap", {})),
            *list_skipped(counts),
            "",
            Table(
                ("after update", "MRR", ""),
                [
                    (entry["update"], 100 * entry["mrr"], "kept" if row == counts["kept"] else "")
                    for row, entry in enumerate(counts["history"])
                ],
            ),
        ]
        if counts["mrr"] <= counts["retriever_mrr"]:
            parts += [
                "",
                f"not better than the retriever: MRR {100 * counts['mrr']:.1f}, retriever "
                f"{retrieved:.1f}; use the retriever alone, or train on more sentences",
            ]
        figures = {
            "run": self.run,
            "path": str(self.path),
            "unchanged": self.unchanged,
            **counts,
            **named,
        }
        command = f"evaluate lcr {self.system} --rerank {self.run} --compare"
        if self.word_weight != CandidateIndex.word_weight:
            command += f" --word-weight {self.word_weight}"
        return Summary([*parts, "", self.describe()], figures, [("evaluate the reranker", command)])
