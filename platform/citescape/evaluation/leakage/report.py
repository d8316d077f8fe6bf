"""Overlap of a benchmark and a training list, stored as a run."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.spreadsheets import write_csv
from citescape.evaluation.leakage.compare import BENCHMARK, TRAINING, Leaks, compare
from citescape.evaluation.leakage.names import LEAST_TITLE, identify
from citescape.evaluation.leakage.papers import PaperList
from citescape.metrics.display import list_figures
from citescape.runs.directory import (
    RunDirectory,
    Stopwatch,
    check_writable,
)
from citescape.runs.kept import KeptRun, compute_run
from citescape.runs.result import Part, Summary, Table, plural
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

FIGURES, PAPERS, CSV = "figures.parquet", "papers.parquet", "papers.csv"
_LIBRARIES = ("citescape", "pyarrow", "numpy")
_SHOWN = {
    "papers": "papers",
    "leaked": "leaked",
    "share": "share",
    "by_id": "by id",
    "by_title": "by title",
    "both": "both",
}
PAIRS, CITATIONS = "pairs.parquet", "citations.parquet"


@dataclass(frozen=True)
class LeakageRun(KeptRun):
    """Overlap of a benchmark and a training list.

    figures.parquet, papers.parquet (and papers.csv), pairs.parquet: see `compare.Leaks`;
    citations.parquet, with a store: `citing`, `cited`, references of queries of the benchmark with
    both papers in the training list.
    """

    command = "leakage"
    noun = "leakage reports"

    @property
    def figures(self) -> pa.Table:
        """Counts and shares by list, split, part and role."""
        return self.read_table(FIGURES, "list", "split", "part", "role", "papers", "leaked")

    @property
    def papers(self) -> pa.Table:
        """Leaked papers of both lists."""
        return self.read_table(PAPERS, "list", "paper", "by_id", "by_title")

    @property
    def arrow(self) -> pa.Table:
        """The figures."""
        return self.figures

    def tables(self) -> dict[str, pa.Table]:
        """Figures and leaked papers."""
        return {"figures": self.figures, "papers": self.papers}

    def summarise(self) -> Summary:
        """Leaked papers by part and role, and papers that could not be compared."""
        counts, rows = self.counts, self.figures.to_pylist()
        pairs, citations = counts["pairs"], counts["citations"]
        parts: list[Part] = [
            self.line,
            *(
                f"{side}: {plural(lost, 'paper')} without a title, compared by id only"
                for side, lost in counts["without_title"].items()
                if lost
            ),
            *(f"{encoder}: training papers unknown" for encoder in counts["unknown"]),
            "",
            *_list_tables(rows),
        ]
        if pairs["benchmark"]:
            parts += [
                "",
                f"{pairs['leaked']:,} of {plural(pairs['benchmark'], 'pair')} of query and "
                "cited paper are anchor and positive of a triplet",
            ]
        if citations is not None:
            parts.append(f"{plural(citations, 'citation')} of queries with both papers in training")
        return Summary([*parts, "", self.describe()], list_figures(self, figures=rows))

    @property
    def line(self) -> str:
        """`leakage: none of 320 papers`, or numbers and shares for both lists."""
        queries, papers, training = (self.counts[name] for name in ("queries", BENCHMARK, TRAINING))
        line = _format_share(papers, "papers")
        if papers["leaked"]:
            line += (
                f" of the benchmark, {training['leaked']:,} of {training['papers']:,} training "
                f"papers ({training['share']:.1%})"
            )
        if queries["papers"] == papers["papers"]:
            return f"leakage: {line}"
        return f"leakage: {_format_share(queries, 'queries')}; {line}"


def _list_tables(figures: Sequence[Mapping[str, Any]]) -> list[Part]:
    def format_row(row: Mapping[str, Any]) -> list[object]:
        return [f"{row[name]:.1%}" if name == "share" else row[name] for name in _SHOWN]

    # papers of the benchmark: a row per part, a column per role
    rows = [row for row in figures if row["list"] == BENCHMARK]
    roles = [role for role in dict.fromkeys(row["role"] for row in rows) if role]
    leaked = {(row["split"], row["part"], row["role"]): row["leaked"] for row in rows}
    benchmark = [
        (
            " ".join(filter(None, (row["split"], row["part"]))) or "all",
            *format_row(row),
            *(leaked[row["split"], row["part"], role] for role in roles),
        )
        for row in rows
        if not row["role"]
    ]
    header = ("", *_SHOWN.values(), *(f"as {role}" for role in roles))

    # papers of the training list: a row per role, and one per split of the benchmark
    training = [
        (row["role"] or (f"in {row['split']}" if row["split"] else "all"), *format_row(row))
        for row in figures
        if row["list"] == TRAINING and not (row["part"] or (row["split"] and row["role"]))
    ]
    return [
        Table(header, benchmark, "papers of the benchmark in the training list"),
        "",
        Table(("", *_SHOWN.values()), training, "papers of the training list in the benchmark"),
    ]


def _format_share(counts: Mapping[str, float], name: str) -> str:
    leaked = f"{counts['leaked']:,}" if counts["leaked"] else "none"
    share = f" ({counts['share']:.1%})" if counts["leaked"] else ""
    return f"{leaked} of {counts['papers']:,} {name}{share}"


def report_leakage(
    trained: PaperList,
    benchmark: PaperList,
    store: GraphStore | None = None,
    *,
    runs: Path,
) -> LeakageRun:
    """Finds papers of a benchmark in a training list, by id and by title; stores them as a run.

    Args:
        trained: training list from `trained.read_trained`.
        benchmark: papers from `benchmarks.read_benchmark_list`.
        store: matches different ids of a paper, and has missing titles and the citations.
        runs: folder of run directories.

    Raises:
        ConfigError: `runs` is not writable.
    """
    clock = Stopwatch()
    check_writable(runs)
    trained, benchmark = identify(trained, store), identify(benchmark, store)
    citations = find_citations(trained, benchmark, store) if store else None
    hashed = ""
    if citations is not None:
        columns = [column.cast(pa.string()) for column in citations.columns]
        lines = pc.binary_join_element_wise(*columns, "\x1f").to_pylist()
        hashed = hashlib.sha256("\n".join(lines).encode()).hexdigest()

    def fill(directory: RunDirectory, clock: Stopwatch) -> dict[str, Any]:
        with clock.timed("compare"):
            leaks = compare(trained, benchmark)
        for file, table in ((FIGURES, leaks.figures), (PAPERS, leaks.papers), (PAIRS, leaks.pairs)):
            directory.write_parquet(file, [table])
        write_csv(leaks.papers, directory.path / CSV)
        if citations is not None:
            directory.write_parquet(CITATIONS, [citations])
        return _count_leaks(trained, benchmark, leaks, citations=citations)

    inputs: dict[str, Any] = {
        side: {"name": papers.name, "papers": papers.fingerprint()}
        for side, papers in ((TRAINING, trained), (BENCHMARK, benchmark))
    }
    inputs["citations"] = hashed
    settings = {"least_title": LEAST_TITLE}
    return compute_run(
        LeakageRun, runs, settings, inputs, fill=fill, libraries=_LIBRARIES, clock=clock
    )


def find_citations(trained: PaperList, benchmark: PaperList, store: GraphStore) -> pa.Table:
    """`citing`, `cited`: references of queries with both papers in the training list.

    Args:
        trained: training list with ids of the store, see `names.identify`.
        benchmark: benchmark with ids of the store.
        store: the graph.
    """
    return store.read(
        query("evaluation/leaked_citations"),
        queries=benchmark.queries.to_pylist(),
        learned=trained.papers.to_pylist(),
    )


def _count_leaks(
    trained: PaperList, benchmark: PaperList, leaks: Leaks, *, citations: pa.Table | None
) -> dict[str, object]:
    totals = [r for r in leaks.figures.to_pylist() if not (r["split"] or r["part"] or r["role"])]
    shown = ("papers", "by_id", "by_title", "both", "leaked", "share")
    leaked_ids = (
        leaks.papers["paper"].filter(pc.equal(leaks.papers["list"], BENCHMARK)).combine_chunks()
    )
    queries = benchmark.queries
    leaked = pc.sum(pc.is_in(queries, value_set=leaked_ids)).as_py() or 0
    untitled = {}
    for side, papers in ((TRAINING, trained), (BENCHMARK, benchmark)):
        titled = pc.is_in(papers.papers, value_set=papers.titles["paper"].combine_chunks())
        untitled[side] = len(titled) - int(pc.sum(titled).as_py() or 0)
    return {
        **{row["list"]: {name: row[name] for name in shown} for row in totals},
        "queries": {"papers": len(queries), "leaked": leaked, "share": leaked / len(queries)},
        "without_title": untitled,
        "pairs": {"benchmark": benchmark.pairs.num_rows, "leaked": leaks.pairs.num_rows},
        "citations": None if citations is None else citations.num_rows,
        "unknown": list(trained.unknown),
    }
