"""Planted retractions: reproducible, on both sides of their citations, and checked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from citescape.demo.jats_writer import write_jats
from citescape.demo.notices import KINDS, write_notices
from citescape.demo.recovery import check_notices
from citescape.demo.world import World, generate_world
from citescape.loaders.jats import read_jats
from citescape.loaders.lines import TextLines
from citescape.loaders.notice_tables import read_notices
from citescape.store.graph_store import GraphStore
from tests.demo.conftest import node


def test_notices_are_between_citations(world: World) -> None:
    assert [notice.nature for notice in world.notices] == [*KINDS, "Retraction"]
    assert len({notice.work for notice in world.notices}) == len(world.notices)
    for notice in world.notices[:-1]:
        citing = world.pairs.citing[world.pairs.cited == notice.work].tolist()
        years = [world.works[paper].year for paper in citing]
        assert notice.year is not None
        assert min(years) < notice.year <= max(years)
    assert world.notices == generate_world(papers=60, seed=7).notices


def test_the_table_and_the_paper_state_them(world: World, tmp_path: Path) -> None:
    table = write_notices(world, tmp_path / "notices.csv")
    rows = list(read_notices(TextLines(table)))
    assert [str(notice.year) for notice in world.notices[:-1]] == [row.date for row in rows]
    own = world.notices[-1]
    (stated,) = read_jats(write_jats(world, own.work), "x.xml").notices
    assert (stated.kind, stated.stated_by, stated.notice.doi) == ("retraction", "work", own.doi)


def test_a_missing_or_invented_notice_is_detected(
    plant: Callable[..., GraphStore], world: World
) -> None:
    years = {notice.work: str(notice.year) for notice in world.notices if notice.year}

    def mark(tables: dict[str, list[dict[str, Any]]]) -> None:
        for row in tables["Paper"]:
            row["date"] = str(row["year"])
        for notice in world.notices:
            (row,) = (r for r in tables["Paper"] if r["id"] == node(world, notice.work))
            row |= {"notice": notice.state, "notice_doi": notice.doi}
            row["notice_date"] = years.get(notice.work)

    def spoil(tables: dict[str, list[dict[str, Any]]]) -> None:
        mark(tables)
        marked = next(row for row in tables["Paper"] if row.get("notice") == "corrected")
        other = next(row for row in tables["Paper"] if not row.get("notice"))
        other["notice"], marked["notice"] = "retracted", None

    assert [check.name for check in check_notices(plant(mark), world) if not check.passed] == []
    failed = [check.name for check in check_notices(plant(spoil), world) if not check.passed]
    assert failed[:2] == [
        "retracted and corrected works recognised",
        "works marked without a planted notice",
    ]
