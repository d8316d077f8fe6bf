"""Results of evaluations: tables and summaries of each benchmark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from citescape.evaluation.report.words import name_kind
from citescape.metrics.display import (
    Figures,
    compare_metrics,
    list_differences,
    list_traits,
    read_figures,
    shorten,
)
from citescape.metrics.evaluation_run import EvaluationRun
from citescape.papers.types import describe_other_types
from citescape.runs.result import Part, Result, Summary, Tabbed, Table, plural

_ALL = "all"
_MDCR = {"map": "MAP", "ndcg": "nDCG", "recall@5": "R@5"}
_POOL = {
    "map": "MAP",
    "map_ret": "MAP found",
    "ndcg": "nDCG",
    "ndcg_ret": "nDCG found",
    "recall@30": "R@30",
}
_TASKS = {
    "average": "",
    "f1": "F1",
    "f1_macro": "F1",
    "map": "MAP",
    "ndcg": "nDCG",
    "precision@1": "P@1",
    "P_5": "P@5",
    "P_10": "P@10",
    "kendalltau": "Kendall",
    "recip_rank": "MRR",
}
_TITLES = {"scidocs": "SciDocs", "scirepeval": "SciRepEval"}
_LOSSES = {
    "queries_without_cited": "queries skipped: no cited candidate",
    "without_text": "papers without a title or an abstract",
}


@dataclass(frozen=True)
class MdcrEvaluation(EvaluationRun):
    """Figures of systems on the candidates of a benchmark."""

    published: bool = False
    """Show the figures in the format of the published evaluator."""

    def summarise(self) -> Summary:
        """The figures in the format of the published evaluator, or all tables."""
        if not self.published:
            return super().summarise()
        from citescape.evaluation.mdcr.published import format_published

        lines: list[Part] = []
        systems = self.counts["systems"]
        for system in systems:
            lines += ["", system] if len(systems) > 1 else []
            lines += map(Tabbed, format_published(self.figures, system, self.counts["fields"]))
        return Summary(lines, super().summarise().figures)

    def parts(self) -> list[Part]:
        """Figures of all candidates, by kind and by field."""
        counts, figures = self.counts, read_figures(self)
        systems = counts["systems"]
        parts: list[Part] = [
            f"{plural(counts['queries'], 'query', 'queries')} of "
            f"{plural(len(counts['fields']), 'field')}, {plural(counts['pairs'], 'candidate')}; "
            f"{counts['source']}",
            *(
                f"{counts[name]:,} {description}"
                for name, description in _LOSSES.items()
                if counts.get(name)
            ),
            *(
                f"{system}: {plural(lost, 'candidate')} without a score, ranked last"
                for system, lost in counts["without_score"].items()
                if lost
            ),
            "",
            compare_metrics(
                figures,
                systems,
                condition=_ALL,
                names=_MDCR,
                title="all candidates, mean over fields",
            ),
            "",
            _list_parts(
                figures,
                [(name_kind(kind), kind, "") for kind in counts["kinds"]],
                "MAP of cited papers among negatives of one kind",
                systems=systems,
            ),
            *_describe_short_lists(counts),
        ]
        fields = [(shorten(field), _ALL, field) for field in counts["fields"]]
        if len(fields) > 1:
            parts += ["", _list_parts(figures, fields, "fields, MAP", systems=systems)]
        parts += list_differences(self, condition=_ALL, names=_MDCR, title="all candidates")
        return [*parts, *list_traits(self)]


def _describe_short_lists(counts: Mapping[str, Any]) -> list[Part]:
    """A line if some queries have few negatives of a kind: their MAP is high for any system."""
    short = counts.get("short_lists", {})  # runs of older versions lack it
    kinds = ", ".join(f"{name_kind(kind)} {count:,}" for kind, count in short.items())
    longest = counts.get("longest_list")
    line = f"queries with fewer than {longest} negatives, where MAP is higher for any system"
    return [f"{line}: {kinds}"] if short else []


@dataclass(frozen=True)
class PoolEvaluation(EvaluationRun):
    """Figures of systems on pools of papers."""

    def parts(self) -> list[Part]:
        """Figures by the size of the pool, or by field."""
        counts = self.counts
        if "sizes" not in counts:
            condition, title, parts = "fields", "mean over fields", self._list_fields()
        else:
            parts = [
                f"{plural(counts['queries'], 'query', 'queries')} of {counts['year']} that cite "
                f"{counts['cited']:,} of {plural(counts['eligible'], 'paper')}, "
                f"{counts['positives']} each on average",
                *self._list_types(),
            ]
            figures = read_figures(self)
            titles = {f"{size:,}": f"pool of {size:,} papers" for size in counts["sizes"]}
            for condition, title in titles.items():
                table = compare_metrics(
                    figures, counts["systems"], condition=condition, names=_POOL, title=title
                )
                parts += ["", table]
            condition, title = list(titles.items())[-1]  # differences are on the largest pool
        differences = list_differences(self, condition=condition, names=_POOL, title=title)
        return [*parts, *differences, *list_traits(self)]

    def _list_types(self) -> list[Part]:
        """How many papers were left out by their type; runs of older versions lack it."""
        other, types = self.counts.get("other_types"), self.record.config.get("types", ())
        return [describe_other_types(other, types)] if other else []

    def _list_fields(self) -> list[Part]:
        counts, figures = self.counts, read_figures(self)
        systems, fields, pools = counts["systems"], counts["fields"], counts["pools"]
        several = len(fields) > 1
        title = "mean over fields" if several else f"pool of {plural(pools[fields[0]][0], 'paper')}"
        parts: list[Part] = [
            f"{plural(counts['queries'], 'query', 'queries')} of {counts['year']} in "
            f"{plural(len(fields), 'field')}, {plural(len(counts['fields_left_out']), 'field')} "
            "left out",
            *self._list_types(),
            "",
            compare_metrics(figures, systems, condition="fields", names=_POOL, title=title),
        ]
        if several:
            rows = [
                (
                    shorten(field),
                    pools[field][0],
                    *(figures[system, "fields", field, "map"] for system in systems),
                )
                for field in fields
            ]
            parts += ["", Table(("", "papers", *systems), rows, "fields, MAP")]
        size = self.record.config["size"]
        larger = sum(drawn[0] > size for drawn in pools.values())
        if larger:
            parts.append(
                f"pool size {size:,}; {plural(larger, 'pool is', 'pools are')} larger, since a "
                "pool contains all papers that its queries cite"
            )
        return parts


@dataclass(frozen=True)
class TaskEvaluation(EvaluationRun):
    """Figures of systems on the tasks of SciDocs or SciRepEval."""

    def parts(self) -> list[Part]:
        """Figures by task, absent columns, and papers without an embedding."""
        counts, figures = self.counts, read_figures(self)
        systems = counts["systems"]
        keys = dict.fromkeys((row["condition"], row["metric"]) for row in self.figures.to_pylist())
        rows = []
        for task, metric in keys:
            row = [figures.get((system, task, "", metric), "") for system in systems]
            rows += [(task, _TASKS.get(metric, metric), *row)] if any(row) else []
        title = _TITLES[self.record.config["benchmark"]]
        parts: list[Part] = [
            f"{title}: {plural(len(counts['tasks']), 'task')}, in per cent",
            Table(("task", "metric", *systems), rows),
        ]
        if counts["absent"]:
            absent = plural(len(counts["absent"]), "column")
            parts.append(f"no average: {absent} absent: {', '.join(counts['absent'])}")
        for system in systems:
            papers = counts["papers"][system]
            missing = {task: own["missing"] + own["missing_others"] for task, own in papers.items()}
            listed = ", ".join(f"{task} {count:,}" for task, count in missing.items() if count)
            parts += [f"{system}: papers without an embedding: {listed}"] if listed else []
        return [*parts, *list_differences(self, names=_TASKS, title="by task")]


@dataclass(frozen=True)
class RankerList(Result):
    """Rankers that can be evaluated."""

    rankers: Mapping[str, str]
    """Name -> meaning."""

    @property
    def arrow(self) -> pa.Table:
        """One row per ranker: ranker, meaning."""
        return pa.table({"ranker": [*self.rankers], "meaning": [*self.rankers.values()]})

    def summarise(self) -> Summary:
        """The list as a table."""
        return Summary([Table(("ranker", "meaning"), [*self.rankers.items()])], self.rankers)


@dataclass(frozen=True)
class ReportFiles(Result):
    """The files of a report on an evaluation."""

    evaluation: EvaluationRun
    files: Sequence[Path]
    """The page first."""

    @property
    def run(self) -> str:
        """Id of the evaluation."""
        return self.evaluation.run

    @property
    def page(self) -> Path:
        """The page: one HTML file that needs no network."""
        return self.files[0]

    @property
    def arrow(self) -> pa.Table:
        """The figures of the evaluation."""
        return self.evaluation.arrow

    def summarise(self) -> Summary:
        """Names of the files."""
        lines = [
            f"run {self.run}: {', '.join(path.name for path in self.files[1:])} beside the page",
            f"page: {self.page}",
        ]
        files = [str(path) for path in self.files]
        return Summary(lines, {"run": self.run, "page": files[0], "files": files})


def _list_parts(
    figures: Figures,
    conditions: Sequence[tuple[str, str, str]],
    title: str,
    *,
    systems: Sequence[str],
) -> Table:
    """MAP: one row per part, given as name, condition and group; one column per system."""
    rows = [
        (name, *(figures[system, condition, group, "map"] for system in systems))
        for name, condition, group in conditions
    ]
    return Table(("", *systems), rows, title)
