"""What an evaluation shows, in one sentence that claims no more than its intervals."""

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
    """By the first metric of the condition that stands for the whole; else by all figures.

    There is no verdict on systems that know too little of what they are measured on; how much they
    know follows.
    """
    conditions = [board.main] if board.main else board.conditions
    unjudged = [
        f" {system} covers only {covered:.1%} of {condition if not board.main else 'the data'}: "
        "it is not judged."
        for (system, condition), covered in board.unjudged(conditions).items()
    ]
    return (_describe_lead(board) if board.main else _count(board)) + "".join(unjudged)


def _describe_lead(board: Board) -> str:
    metric = board.metrics(board.main)[0]
    where = f"In the largest pool ({board.main} papers) " if len(board.sizes) > 1 else ""
    shown = {name: board.find(name, board.main, metric) for name in board.systems}
    ranked = sorted(
        (name for name, one in shown.items() if math.isfinite(one.mean) and one.judged),
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
    """The best before the one that all are compared with; if it is that, before the next."""
    first, name = ranked[0], name_metric(metric)
    other = board.against if board.against in ranked[1:] else ranked[1]
    one, two = (board.find(system, board.main, metric) for system in (first, other))
    ahead = one.mean - two.mean
    lead = board.leads.get((other if first == board.against else first, board.main, metric))
    if not ahead:
        return f"{first} and {other} reach the same {name}, {per_cent(one.mean)} per cent"
    of = "on average over tasks" if metric == AVERAGE else f"of {name}"
    text = f"{first} leads {other} by {per_cent(ahead)} points {of}"
    if lead is None:
        return f"{text}, which was not tested"
    low, high = lead.of.low, lead.of.high
    between = span(-high, -low) if lead.of.mean * ahead < 0 else span(low, high)
    text += f" ({between})" if between else ""  # few queries have no interval
    if not math.isfinite(lead.adjusted):
        return text
    p = chance(lead.adjusted)
    p = f"p {p}" if p.startswith("<") else f"p = {p}"
    likely = lead.adjusted > 1 - board.level
    verdict = "which may be chance" if likely else "more than chance would give"
    return f"{text}, {verdict} (adjusted {p})"


def _count(board: Board) -> str:
    """For tasks without a mean: in how many figures a system is above the first one."""
    if not board.leads:
        named, several = listing(board.systems), len(board.systems) > 1
        tasks = len({task for task, _ in board.tasks})
        have = "have" if several else "has"
        text = f"{named} {have} {len(board.tasks)} figures, of {tasks} tasks"
        return f"{text}; none of them could be compared." if several else f"{text}."
    texts = []
    for system in board.systems:
        leads = [lead for key, lead in board.leads.items() if key[0] == system]
        above = [lead for lead in leads if lead.of.mean > 0]
        below = [lead for lead in leads if lead.of.mean < 0]
        sure = [sum(lead.adjusted <= 1 - board.level for lead in some) for some in (above, below)]
        if leads:
            texts.append(
                f"{system} is above {board.against} in {len(above)} of {len(leads)} figures "
                f"({sure[0]} more than chance would give) and below in {len(below)} ({sure[1]})"
            )
    return "; ".join(texts) + "."
