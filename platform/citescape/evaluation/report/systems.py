"""What the systems of an evaluation are, as its run tells it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from citescape.evaluation.report.words import per_cent
from citescape.reports.content import Cell, Part, Table
from citescape.runs.directory import RunRecord

_FLAGS = ("citations", "contrast", "importance")
_TOLD = {True: "yes", False: "no", None: "unknown"}
_LEGEND = (
    "Citations: they took part, in training or in ranking. Contrast: texts that belong together "
    "were drawn together, others apart. Importance: that of citations took part."
)


def show_systems(record: RunRecord) -> list[Part]:
    """See `ranking.traits.Traits`; nothing of runs that tell nothing."""
    traits: Mapping[str, Mapping[str, Any]] = record.counts.get("traits", {})
    if not traits:
        return []
    rows: list[list[str | Cell]] = []
    for name, own in traits.items():
        dimension = Cell(f"{own['dimension']:,}" if own["dimension"] else "none")
        rows.append([name, dimension, *(_TOLD[own[flag]] for flag in _FLAGS)])
    table = Table("What took part in them", ("", "dimension of vectors", *_FLAGS), rows)
    return [table, _LEGEND, *(line for name, own in traits.items() for line in _remark(name, own))]


def _remark(name: str, own: Mapping[str, Any]) -> Iterator[str]:
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
