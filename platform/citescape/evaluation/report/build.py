"""Builds the report of an evaluation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from citescape.evaluation.report.benchmarks import BenchmarkDescription, describe
from citescape.evaluation.report.board import Board, read_board
from citescape.evaluation.report.finding import find
from citescape.evaluation.report.pictures import (
    picture_differences,
    picture_groups,
    picture_kinds,
    picture_main,
    picture_sizes,
    picture_tasks,
)
from citescape.evaluation.report.provenance import (
    count_losses,
    describe_run,
    describe_settings,
    describe_size,
    describe_source,
    name_source,
    repeat,
)
from citescape.evaluation.report.tables import (
    make_differences,
    make_groups,
    make_kinds,
    make_lengths,
    make_main,
    make_sizes,
    make_tasks,
)
from citescape.evaluation.report.words import explain_metric, listing, name_metric, per_cent
from citescape.metrics.coverage import MIN_COVERAGE
from citescape.metrics.intervals import DRAWS
from citescape.reports.content import (
    Cell,
    DefinitionList,
    Lines,
    ReportBlock,
    ReportContent,
    ReportSection,
    ReportTable,
)
from citescape.runs.directory import RunRecord

if TYPE_CHECKING:
    from citescape.metrics.evaluation_run import EvaluationRun

_TESTS = (
    "Intervals are percentiles of bootstrap means over queries, drawn within fields; fewer than "
    "ten queries have none. p is from a paired randomisation test, adjusted by the method of Holm "
    "for all systems and conditions of a metric. Both measure the uncertainty of the mean over "
    "such queries, not the transfer to another corpus."
)
_NO_BEST = "No system is marked as the best: the differences show whether a lead may be chance."
_UNJUDGED = (
    f"A system with a coverage below {MIN_COVERAGE:.0%} has no vector or score for most of the "
    "data. Its figures reflect the missing data, not its quality, and it is not compared."
)

_FLAGS = ("citations", "contrast", "importance")
_FLAG_TEXTS = {True: "yes", False: "no", None: "unknown"}
_LEGEND = (
    "Citations: used in training or ranking. Contrast: trained with positives and negatives. "
    "Importance: the importance of citations was used."
)


def build_report(run: EvaluationRun) -> ReportContent:
    """The report of an evaluation.

    Raises:
        SourceError: a file of the run is missing or damaged.
    """
    record = run.record
    benchmark, source = describe(record), name_source(record)
    board = read_board(run).only(benchmark.shown)
    systems = board.systems
    names = listing(systems) if len(systems) <= _FEW else f"{len(systems)} systems"
    files = "figures.csv" if run.differences is None else "figures.csv and differences.csv"
    return ReportContent(
        kicker=f"citescape \N{MIDDLE DOT} {record.config.get('benchmark', 'evaluation')}",
        title=f"{benchmark.title}: {names}",
        finding=find(board),
        about=f"{benchmark.about} Evaluated on {source}." if source else benchmark.about,
        facts=describe_size(record),
        sections=list(_make_sections(board, run, benchmark)),
        origin=f"Made from {record.id}. All figures, including those of closed tables, are in "
        f"{files} beside it.",
    )


_FEW = 4
"""Maximum number of systems whose names are in the title."""
_REPEAT = "To repeat the run, in its working directory:"


def _make_sections(
    board: Board, run: EvaluationRun, benchmark: BenchmarkDescription
) -> Iterator[ReportSection]:
    if board.main:
        yield ReportSection("figures", "Figures", _show_figures(board, benchmark))
    else:
        yield ReportSection("parts", benchmark.parts, _show_parts(board, benchmark))
    if board.differences:
        draws = int(run.record.config.get("resampling", run.record.config).get("draws", DRAWS))
        yield ReportSection("differences", "Differences", _show_differences(board, draws))
    if board.main and len(board.conditions) > 1:
        yield ReportSection("parts", benchmark.parts, _show_parts(board, benchmark))
    if len(run.counts.get("lengths", [])) > 1:
        table = make_lengths(read_board(run), run.counts["lengths"], run.counts["candidates"])
        yield ReportSection("lengths", "By length of the list", [table])
    if board.groups:  # the main condition first, the others closed
        first = board.main or board.conditions[0]
        groups: list[ReportBlock] = [
            picture_groups(board),
            *make_groups(board, first, closed=False),
        ]
        for condition in board.conditions:
            if condition != first:
                groups += make_groups(board, condition, closed=True)
        remark = "Differences are tested for the mean over fields, not for each field."
        yield ReportSection("fields", "By field", [*groups, remark])
    systems = show_systems(run.record)
    if systems:
        yield ReportSection("systems", "Systems", systems)
    yield ReportSection("left-out", "Left out", _show_losses(run.record))
    yield ReportSection("provenance", "Provenance", _show_run(run))


def _show_figures(board: Board, benchmark: BenchmarkDescription) -> list[ReportBlock]:
    """Figures of the main condition, with the remark if there are no other conditions."""
    return [
        benchmark.remark if len(board.conditions) == 1 and not board.kinds else "",
        make_main(board),
        _explain(board.metrics(board.main), benchmark),
        picture_main(board) if board.has_intervals(board.main) else "",
        _NO_BEST if len(board.systems) > 1 else "",
        _UNJUDGED if board.unjudged(board.conditions) else "",
    ]


def _explain(metrics: list[str], benchmark: BenchmarkDescription) -> DefinitionList:
    known = [
        (name_metric(name), explain_metric(name, benchmark.meanings))
        for name in dict.fromkeys(metrics)
    ]
    return DefinitionList([row for row in known if row[1]])


def _show_differences(board: Board, draws: int) -> list[ReportBlock]:
    tested = [name for name in board.conditions if board.is_compared(name)]
    others = [name for name in tested if name != board.main]
    parts: list[ReportBlock] = []
    if board.main in tested:
        parts += [make_differences(board, [board.main]), picture_differences(board)]
    if others:
        parts.append(make_differences(board, others, closed=bool(parts)))

    # the number of comparisons that p is adjusted for, and the smallest possible p
    sizes = Counter(metric for _, _, metric in board.differences)
    alike = len(set(sizes.values())) == 1
    each = {"each metric": max(sizes.values())} if alike else sizes
    tests = listing([f"{count:,} of {name_metric(name)}" for name, count in each.items()])
    least = f"The smallest possible p is {1 / (draws + 1):.2g}, with {draws:,} exchanges."
    return [*parts, _TESTS, f"Compared: {tests}. {least}"]


def _show_parts(board: Board, benchmark: BenchmarkDescription) -> list[ReportBlock]:
    if board.sizes:
        return [benchmark.remark, picture_sizes(board), make_sizes(board)]
    if board.kinds:
        return [benchmark.remark, picture_kinds(board), *make_kinds(board)]
    terms = _explain([name for _, name in board.tasks], benchmark)
    alone = "" if board.main or not board.unjudged(board.conditions) else _UNJUDGED
    return [benchmark.remark, make_tasks(board), terms, picture_tasks(board), alone]


def show_systems(record: RunRecord) -> list[ReportBlock]:
    """Traits of rankers, see `search.traits.Traits`; empty for runs without them."""
    traits: Mapping[str, Mapping[str, Any]] = record.counts.get("traits", {})
    if not traits:
        return []
    rows: list[list[str | Cell]] = []
    for name, own in traits.items():
        dimension = Cell(f"{own['dimension']:,}" if own["dimension"] else "none")
        rows.append([name, dimension, *(_FLAG_TEXTS[own[flag]] for flag in _FLAGS)])
    table = ReportTable("Data used by the systems", ("", "dimension of vectors", *_FLAGS), rows)
    return [
        table,
        _LEGEND,
        *(line for name, own in traits.items() for line in _list_notes(name, own)),
    ]


def _list_notes(name: str, own: Mapping[str, Any]) -> Iterator[str]:
    if own["facet"]:
        yield f"{name} was trained on the {own['facet']} of abstracts."
    seen = own.get("seen", 0)
    if seen is None:
        yield f"The triplets of {name} were removed: its training data may contain queries."
    elif seen:
        yield (
            f"The training data of {name} contain {seen:,} of the queries: its figures may be too "
            "high."
        )
    if own["trials"]:
        k1, b, figure = max(own["trials"], key=lambda trial: trial[2])
        yield (
            f"{name} has k1 {k1:g} and b {b:g}, the best of {len(own['trials']):,} tried on other "
            f"queries (MAP {per_cent(figure)})."
        )


def _show_losses(record: RunRecord) -> list[ReportBlock]:
    losses = count_losses(record)
    if not losses:
        return ["The run has no counts of skipped or missing data."]
    rows = [(label, Cell(f"{count:,}")) for label, count in losses if count]
    zeros = listing([label for label, count in losses if not count])
    return [
        ReportTable("Skipped, or ranked without a vector or score", ("", "count"), rows)
        if rows
        else "",
        f"There are no {zeros}." if zeros else "",
    ]


def _show_run(run: EvaluationRun) -> list[ReportBlock]:
    record, command = run.record, repeat(run)
    source = describe_source(record)
    return [
        DefinitionList(describe_run(record), code=True),
        _REPEAT if command else "The run does not record its command.",
        Lines(command) if command else "",
        "Evaluated data:" if source else "",
        DefinitionList(source, code=True) if source else "",
        "Settings, and hashes of inputs:",
        DefinitionList(describe_settings(record), code=True),
    ]
