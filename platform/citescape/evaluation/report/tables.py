"""Tables of a report."""

from __future__ import annotations

from collections.abc import Sequence

from citescape.evaluation.report.board import Board, Estimate
from citescape.evaluation.report.words import chance, name_metric, per_cent, span
from citescape.metrics.summary import EACH
from citescape.reports.content import Cell, ReportTable

_CONDITIONS = {"all": "all candidates", "fields": "mean over fields", "average": "mean of tasks"}
Rows = list[list[str | Cell]]


def make_main(board: Board) -> ReportTable:
    """Figures of the main condition: one row per system, one column per metric."""
    metrics = board.metrics(board.main)
    rows: Rows = [
        [system, *(show(board.find(system, board.main, metric)) for metric in metrics)]
        for system in board.systems
    ]
    interval = f", with {board.level:.0%} intervals" if board.has_intervals(board.main) else ""
    caption = f"{capitalise(_name_condition(board, board.main))}: per cent{interval}"
    return ReportTable(caption, ("", *map(name_metric, metrics)), rows)


def make_tasks(board: Board) -> ReportTable:
    """Figures by task: one row per task and metric, one column per system."""
    rows: Rows = [
        [
            condition,
            name_metric(metric),
            _format_count(board.queries(condition)),
            *(show(board.find(system, condition, metric)) for system in board.systems),
        ]
        for condition, metric in board.tasks
    ]
    header = ("", "metric", "used", *board.systems)
    return ReportTable(f"Per cent, {board.intervals}", header, rows)


def make_differences(
    board: Board, conditions: Sequence[str], *, closed: bool = False
) -> ReportTable:
    """Differences from the baseline with p: one row per condition, system and metric.

    Args:
        board: figures and differences.
        conditions: conditions to show.
        closed: whether the page shows the table closed.
    """
    several = len(conditions) > 1
    rows: Rows = [
        [
            *([board.label(condition)] if several else []),
            system,
            name_metric(metric),
            Cell(
                per_cent(lead.estimate.mean, signed=True),
                span(lead.estimate.low, lead.estimate.high, signed=True),
            ),
            Cell(chance(lead.p)),
            Cell(chance(lead.adjusted)),
        ]
        for condition in conditions
        for (system, under, metric), lead in board.differences.items()
        if under == condition
    ]
    scope = "by condition" if several else _name_condition(board, conditions[0])
    header = (*([""] if several else []), "", "metric", "points", "p", "adjusted p")
    return ReportTable(f"Difference from {board.against}, {scope}", header, rows, closed)


def make_sizes(board: Board) -> ReportTable:
    """Figures by size: one row per size and system, one column per metric."""
    metrics = board.metrics()
    rows: Rows = [
        [size, system, *(show(board.find(system, size, metric)) for metric in metrics)]
        for size in board.sizes
        for system in board.systems
    ]
    return ReportTable("Papers in a pool", ("papers", "", *map(name_metric, metrics)), rows)


def make_lengths(board: Board, lengths: Sequence[int], candidates: int) -> ReportTable:
    """Figures by length of the list: one row per system and metric, one column per length.

    Args:
        board: figures.
        lengths: lengths of lists.
        candidates: number of candidates, for the share of each length.
    """
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
    title = f"{capitalise(_name_condition(board, board.main))} at k (share of candidates): per cent"
    return ReportTable(title, ("", "metric", *shares), rows)


def make_kinds(board: Board) -> list[ReportTable]:
    """A table per metric: one row per kind of negatives, one column per system.

    All tables but the first are closed.
    """
    return [
        _make_parts(
            board, metric, [(board.label(name), name, EACH) for name in board.parts], closed=k > 0
        )
        for k, metric in enumerate(board.metrics())
    ]


def make_groups(board: Board, condition: str, *, closed: bool) -> list[ReportTable]:
    """A table per metric: one row per group, one column per system.

    Args:
        board: figures.
        condition: condition of the figures.
        closed: whether all tables are closed; else all but the first.
    """
    keys = [(group, condition, group) for group in board.groups]
    return [
        _make_parts(board, metric, keys, closed=closed or k > 0)
        for k, metric in enumerate(board.metrics(condition))
    ]


def _make_parts(
    board: Board, metric: str, keys: Sequence[tuple[str, str, str]], *, closed: bool
) -> ReportTable:
    """One row per key, which is a name, condition and group."""
    rows: Rows = []
    for label, condition, group in keys:
        figures = (board.find(name, condition, metric, group=group) for name in board.systems)
        rows.append([label, _format_count(board.queries(condition, group)), *map(show, figures)])
    conditions = {condition for _, condition, _ in keys}
    several = len(board.conditions) > 1
    under = f", {_name_condition(board, *conditions)}" if len(conditions) == 1 else ", by kind"
    header = ("", "queries", *board.systems)
    return ReportTable(
        f"{name_metric(metric)}{under if several else ''}, per cent", header, rows, closed
    )


def show(figure: Estimate) -> Cell:
    """A mean and its interval; the coverage too if it is too low to judge the system."""
    covered = "" if figure.judged else f"covers {figure.covered:.1%}"
    beside = (span(figure.low, figure.high), covered)
    return Cell(per_cent(figure.mean), "; ".join(filter(None, beside)))


def _format_count(queries: int) -> Cell:
    return Cell(f"{queries:,}")


def _name_condition(board: Board, condition: str) -> str:
    if condition in board.sizes:
        return f"pool of {condition} papers"
    return _CONDITIONS.get(condition, board.label(condition))


def capitalise(text: str) -> str:
    """First letter in upper case, the rest as it is."""
    return text[:1].upper() + text[1:]
