"""The main finding of an evaluation in one sentence, with intervals and tests."""

from __future__ import annotations

import math

from citescape.evaluation.report.board import Board
from citescape.evaluation.report.words import (
    chance,
    listing,
    name_metric,
    per_cent,
    span,
    with_span,
)
from citescape.metrics.task_summary import AVERAGE


def find(board: Board) -> str:
    """The finding by the first metric of the main condition, or by all figures without one.

    Systems with low coverage are not judged; their coverage follows.
    """
    conditions = [board.main] if board.main else board.conditions
    unjudged = [
        f" {system} covers only {covered:.1%} of {condition if not board.main else 'the data'}: "
        "it is not judged."
        for (system, condition), covered in board.unjudged(conditions).items()
    ]
    return (_describe_lead(board) if board.main else _count_differences(board)) + "".join(unjudged)


def _describe_lead(board: Board) -> str:
    metric = board.metrics(board.main)[0]
    where = f"In the largest pool ({board.main} papers) " if len(board.sizes) > 1 else ""
    shown = {name: board.find(name, board.main, metric) for name in board.systems}
    ranked = sorted(
        (name for name, figure in shown.items() if math.isfinite(figure.mean) and figure.judged),
        key=lambda name: -shown[name].mean,
    )
    if not ranked:
        return f"No system has a figure of {name_metric(metric)} that can be judged."
    best = shown[ranked[0]]
    if len(ranked) == 1:
        figure = with_span(best.mean, best.low, best.high)
        return f"{where}{ranked[0]} reaches {figure} per cent of {name_metric(metric)}."
    text = where + _compare(board, ranked, metric)
    first, second = ranked[:2]
    if board.against in ("", first, second) or not board.is_compared(board.main):
        return f"{text}."
    return f"{text}; its lead over {second}, which comes second, was not tested."


def _compare(board: Board, ranked: list[str], metric: str) -> str:
    """Compares the best system with the baseline; the baseline with the second best."""
    first, name = ranked[0], name_metric(metric)
    other = board.against if board.against in ranked[1:] else ranked[1]
    best, second = (board.find(system, board.main, metric) for system in (first, other))
    ahead = best.mean - second.mean
    lead = board.differences.get((other if first == board.against else first, board.main, metric))
    if not ahead:
        return f"{first} and {other} reach the same {name}, {per_cent(best.mean)} per cent"
    scope = "on average over tasks" if metric == AVERAGE else f"of {name}"
    text = f"{first} leads {other} by {per_cent(ahead)} points {scope}"
    if lead is None:
        return f"{text}, which was not tested"
    low, high = lead.estimate.low, lead.estimate.high
    between = span(-high, -low) if lead.estimate.mean * ahead < 0 else span(low, high)
    text += f" ({between})" if between else ""  # missing with few queries
    if not math.isfinite(lead.adjusted):
        return text
    p = chance(lead.adjusted)
    p = f"p {p}" if p.startswith("<") else f"p = {p}"
    likely = lead.adjusted > 1 - board.level
    verdict = "which may be chance" if likely else "more than chance would give"
    return f"{text}, {verdict} (adjusted {p})"


def _count_differences(board: Board) -> str:
    """For tasks without a mean: number of figures in which a system is above the baseline."""
    if not board.differences:
        names, several = listing(board.systems), len(board.systems) > 1
        tasks = len({task for task, _ in board.tasks})
        have = "have" if several else "has"
        text = f"{names} {have} {len(board.tasks)} figures, of {tasks} tasks"
        return f"{text}; none of them could be compared." if several else f"{text}."
    texts = []
    for system in board.systems:
        leads = [lead for key, lead in board.differences.items() if key[0] == system]
        above = [lead for lead in leads if lead.estimate.mean > 0]
        below = [lead for lead in leads if lead.estimate.mean < 0]
        significant = [
            sum(lead.adjusted <= 1 - board.level for lead in group) for group in (above, below)
        ]
        if leads:
            texts.append(
                f"{system} is above {board.against} in {len(above)} of {len(leads)} figures "
                f"({significant[0]} more than chance would give) and below in {len(below)} "
                f"({significant[1]})"
            )
    return "; ".join(texts) + "."
