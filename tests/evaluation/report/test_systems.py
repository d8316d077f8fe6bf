from __future__ import annotations

from dataclasses import asdict

from citescape.evaluation.report.build import show_systems
from citescape.reports.content import Cell, ReportTable
from citescape.runs.directory import RunRecord
from citescape.search.traits import Traits


def record(**traits: Traits) -> RunRecord:
    traits_by_system = {name: asdict(own) for name, own in traits.items()}
    return RunRecord(
        "evaluate-0123456789ab", "evaluate", {}, {}, counts={"traits": traits_by_system}
    )


def test_systems_are_described_in_a_table() -> None:
    tuned = Traits(trials=((1.2, 0.75, 0.31), (0.9, 0.4, 0.333)))
    facet = Traits(768, citations=True, contrast=True, importance=None, facet="method")
    table, _, *remarks = show_systems(record(tuned=tuned, facet=facet))
    assert isinstance(table, ReportTable)
    assert list(table.rows) == [
        ["tuned", Cell("none"), "no", "no", "no"],
        ["facet", Cell("768"), "yes", "yes", "unknown"],
    ]
    assert remarks == [
        "tuned has k1 0.9 and b 0.4, the best of 2 tried on other queries (MAP 33.3).",
        "facet was trained on the method of abstracts.",
    ]


def test_runs_without_traits_have_no_table() -> None:
    assert show_systems(record()) == []
