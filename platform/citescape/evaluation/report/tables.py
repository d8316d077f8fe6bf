"""The tables of a report."""

from __future__ import annotations

from collections.abc import Sequence

from citescape.evaluation.report.board import Board, Estimate
from citescape.evaluation.report.words import chance, name_metric, per_cent, span
from citescape.metrics.summary import EACH
from citescape.reports.content import Cell, ReportTable

_CONDITIONS = {"all": "all candidates", "fields": "mean over fields", "average": "mean of tasks"}
Rows = list[list[str | Cell]]


def make_main(board: Board) -> ReportTable:
    """Of the condition that stands for the whole: a row a system, a column a metric."""
    metrics = board.metrics(board.main)
    rows: Rows = [
        [system, *(show(board.find(system, board.main, metric)) for metric in metrics)]
        for system in board.systems
    ]
    sure = f", with {board.level:.0%} intervals" if board.has_intervals(board.main) else ""
    caption = f"{capitalise(_name_condition(board, board.main))}: per cent{sure}"
    return ReportTable(caption, ("", *map(name_metric, metrics)), rows)


def make_tasks(board: Board) -> ReportTable:
    """A row a task and metric, a column a system."""
    rows: Rows = [
        [
            condition,
            name_metric(metric),
            _count(board.queries(condition)),
            *(show(board.find(system, condition, metric)) for system in board.systems),
        ]
        for condition, metric in board.tasks
    ]
    header = ("", "metric", "used", *board.systems)
    return ReportTable(f"Per cent, {board.intervals}", header, rows)


def make_differences(
    board: Board, conditions: Sequence[str], *, closed: bool = False
) -> ReportTable:
    """A row a condition, system and metric: difference, p, adjusted p."""
    several = len(conditions) > 1
    rows: Rows = [
        [
            *([board.label(condition)] if several else []),
            system,
            name_metric(metric),
            Cell(per_cent(lead.of.mean, signed=True), span(lead.of.low, lead.of.high, signed=True)),
            Cell(chance(lead.p)),
            Cell(chance(lead.adjusted)),
        ]
        for condition in conditions
        for (system, under, metric), lead in board.leads.items()
        if under == condition
    ]
    what = "condition by condition" if several else _name_condition(board, conditions[0])
    header = (*([""] if several else []), "", "metric", "points", "p", "adjusted p")
    return ReportTable(f"Less {board.against}, {what}", header, rows, closed)


def make_sizes(board: Board) -> ReportTable:
    """A row a size and system, a column a metric."""
    metrics = board.metrics()
    rows: Rows = [
        [size, system, *(show(board.find(system, size, metric)) for metric in metrics)]
        for size in board.sizes
        for system in board.systems
    ]
    return ReportTable("Papers in a pool", ("papers", "", *map(name_metric, metrics)), rows)


def make_lengths(board: Board, lengths: Sequence[int], candidates: int) -> ReportTable:
    """A row a system and metric, a column a length of lists, with its share of all candidates."""
    rows: Rows = [
        [
            system,
            name_metric(family),
            *(show(board.find(system, board.main, f"{family}@{k}")) for k in lengths),
        ]
        for system in board.systems
        for family in ("recall", "ndcg", "mrr")
    ]
    shares = (f"{k:,} ({min(k / candidates, 1):.2%})" for k in lengths)
    title = f"{capitalise(_name_condition(board, board.main))} at k (its share of them): per cent"
    return ReportTable(title, ("", "metric", *shares), rows)


def make_kinds(board: Board) -> list[ReportTable]:
    """A table a metric: a row a kind of negatives, a column a system; the first one is open."""
    return [
        _make_parts(
            board, metric, [(board.label(name), name, EACH) for name in board.parts], closed=k > 0
        )
        for k, metric in enumerate(board.metrics())
    ]


def make_groups(board: Board, condition: str, *, closed: bool) -> list[ReportTable]:
    """A table a metric: a row a group under a condition, a column a system.

    The first one is open, unless all are to be closed.
    """
    keys = [(group, condition, group) for group in board.groups]
    return [
        _make_parts(board, metric, keys, closed=closed or k > 0)
        for k, metric in enumerate(board.metrics(condition))
    ]


def _make_parts(
    board: Board, metric: str, keys: Sequence[tuple[str, str, str]], *, closed: bool
) -> ReportTable:
    """A row a part: its name, condition and group."""
    rows: Rows = []
    for name, condition, group in keys:
        found = (board.find(one, condition, metric, group=group) for one in board.systems)
        rows.append([name, _count(board.queries(condition, group)), *map(show, found)])
    conditions = {condition for _, condition, _ in keys}
    several = len(board.conditions) > 1
    under = f", {_name_condition(board, *conditions)}" if len(conditions) == 1 else ", by kind"
    header = ("", "queries", *board.systems)
    return ReportTable(
        f"{name_metric(metric)}{under if several else ''}, per cent", header, rows, closed
    )


def show(figure: Estimate) -> Cell:
    """`34.6` and `32.9 to 36.3`; the coverage where it is too low for a verdict."""
    covered = "" if figure.judged else f"covers {figure.covered:.1%}"
    beside = (span(figure.low, figure.high), covered)
    return Cell(per_cent(figure.mean), "; ".join(filter(None, beside)))


def _count(queries: int) -> Cell:
    return Cell(f"{queries:,}")


def _name_condition(board: Board, condition: str) -> str:
    if condition in board.sizes:
        return f"pool of {condition} papers"
    return _CONDITIONS.get(condition, board.label(condition))


def capitalise(text: str) -> str:
    """First letter in upper case, the rest as it is."""
    return text[:1].upper() + text[1:]
