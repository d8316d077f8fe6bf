"""Puts a report together."""

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

_SURE = (
    "Intervals are percentiles of the mean over queries drawn anew, within their field if they "
    "have one; fewer than ten queries have none. p is of a paired randomisation test, adjusted "
    "after Holm over all systems and conditions of a metric. Both say how sure the mean over such "
    "queries is; neither knows of another corpus."
)
_NO_BEST = (
    "No system is marked as the best: whether a lead is more than chance is for the differences to "
    "say."
)
_UNJUDGED = (
    f"A system that covers less than {MIN_COVERAGE:.0%} of what it is measured on has no vector or no "
    "score for the rest. Its figures show what is missing, not how good it is, and it is in no "
    "difference."
)

_FLAGS = ("citations", "contrast", "importance")
_KNOWN = {True: "yes", False: "no", None: "unknown"}
_LEGEND = (
    "Citations: they took part, in training or in ranking. Contrast: texts that belong together "
    "were drawn together, others apart. Importance: that of citations took part."
)


def build_report(made: EvaluationRun) -> ReportContent:
    """The report of an evaluation.

    Raises:
        SourceError: a file of the run is missing or damaged.
    """
    record = made.record
    benchmark, source = describe(record), name_source(record)
    board = read_board(made).only(benchmark.shown)
    systems = board.systems
    names = listing(systems) if len(systems) <= _FEW else f"{len(systems)} systems"
    files = "figures.csv" if made.differences is None else "figures.csv and differences.csv"
    return ReportContent(
        kicker=f"citescape \N{MIDDLE DOT} {record.config.get('benchmark', 'evaluation')}",
        title=f"{benchmark.title}: {names}",
        finding=find(board),
        about=f"{benchmark.about} Measured on {source}." if source else benchmark.about,
        facts=describe_size(record),
        sections=list(_make_sections(board, made, benchmark)),
        origin=f"Made of {record.id}. All figures in full, those of closed tables too, are in "
        f"{files} beside it.",
    )


_FEW = 4
_AGAIN = "To make it again, in the folder that it ran in:"


def _make_sections(
    board: Board, made: EvaluationRun, benchmark: BenchmarkDescription
) -> Iterator[ReportSection]:
    if board.main:
        yield ReportSection("figures", "Figures", _show_figures(board, benchmark))
    else:
        yield ReportSection("parts", benchmark.parts, _show_parts(board, benchmark))
    if board.leads:
        draws = int(made.record.config.get("resampling", made.record.config).get("draws", DRAWS))
        yield ReportSection("differences", "Differences", _show_differences(board, draws))
    if board.main and len(board.conditions) > 1:
        yield ReportSection("parts", benchmark.parts, _show_parts(board, benchmark))
    if len(made.counts.get("lengths", [])) > 1:
        table = make_lengths(read_board(made), made.counts["lengths"], made.counts["candidates"])
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
    systems = show_systems(made.record)
    if systems:
        yield ReportSection("systems", "What the systems are", systems)
    yield ReportSection("left-out", "What was left out", _show_losses(made.record))
    yield ReportSection("provenance", "Where it comes from", _show_run(made))


def _show_figures(board: Board, benchmark: BenchmarkDescription) -> list[ReportBlock]:
    """The remark stands here where there are no parts that it could stand with."""
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

    # the number of comparisons that p is adjusted for, and the least p
    sizes = Counter(metric for _, _, metric in board.leads)
    alike = len(set(sizes.values())) == 1
    each = {"each metric": max(sizes.values())} if alike else sizes
    tests = listing([f"{count:,} of {name_metric(name)}" for name, count in each.items()])
    least = f"No p is below {1 / (draws + 1):.2g}, that of {draws:,} exchanges."
    return [*parts, _SURE, f"Compared: {tests}. {least}"]


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
        rows.append([name, dimension, *(_KNOWN[own[flag]] for flag in _FLAGS)])
    table = ReportTable("What took part in them", ("", "dimension of vectors", *_FLAGS), rows)
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
        yield f"The triplets of {name} are not there any more: it may have learned from queries."
    elif seen:
        yield f"{name} has learned from {seen:,} of the queries: its figures may be too good."
    if own["trials"]:
        k1, b, figure = max(own["trials"], key=lambda trial: trial[2])
        yield (
            f"{name} has k1 {k1:g} and b {b:g}, the best of {len(own['trials']):,} tried on other "
            f"queries (MAP {per_cent(figure)})."
        )


def _show_losses(record: RunRecord) -> list[ReportBlock]:
    losses = count_losses(record)
    if not losses:
        return ["The run has no counts of anything left out."]
    rows = [(words, Cell(f"{count:,}")) for words, count in losses if count]
    none = listing([words for words, count in losses if not count])
    return [
        ReportTable("In no figure, or ranked without being known", ("", "count"), rows)
        if rows
        else "",
        f"There are no {none}." if none else "",
    ]


def _show_run(made: EvaluationRun) -> list[ReportBlock]:
    record, again = made.record, repeat(made)
    source = describe_source(record)
    return [
        DefinitionList(describe_run(record), code=True),
        _AGAIN if again else "The run does not tell the command that makes it again.",
        Lines(again) if again else "",
        "What it was measured on:" if source else "",
        DefinitionList(source, code=True) if source else "",
        "Settings, and hashes of what was read:",
        DefinitionList(describe_settings(record), code=True),
    ]
