"""Institutions in the graph: ids, names that do not depend on the order, merged sources."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from itertools import permutations
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.core.progress import silent
from citescape.core.types import Institution
from citescape.ingest.institutions import institution_id, place_on_by_line
from citescape.ingest.terms import term_nodes
from citescape.papers.removal import remove_source
from citescape.store.graph_store import GraphStore
from citescape.store.schema import REL, TABLE
from tests.ingest.papers import jats, load, snapshot, write_files

ROR = "047gc3g35"
NODES = (
    "MATCH (i:Institution) RETURN i.id AS id, i.name AS name, i.country AS country, "
    "i.ror AS ror, i.openalex AS openalex ORDER BY i.id"
)
LINKS = (
    "MATCH (:Paper)-[x:AFFILIATED_WITH]->(i:Institution) RETURN i.id AS id, x.name AS name, "
    "x.positions AS positions ORDER BY i.id"
)


def placed(
    number: int, affiliation: str, ror: str = "", surnames: Iterable[str] = ("Li",)
) -> bytes:
    """A paper whose authors have one affiliation."""
    id_ = f'<institution-id institution-id-type="ROR">{ror}</institution-id>' if ror else ""
    name, _, country = affiliation.partition(", ")
    inside = (
        f"<institution-wrap>{id_}<institution>{name}</institution></institution-wrap>, {country}"
    )
    paper = jats(number, authors=[(surname, "A") for surname in surnames])
    return paper.replace(b"</contrib-group>", f"</contrib-group><aff>{inside}</aff>".encode())


def work(number: int, *authorships: tuple[str, dict[str, str]]) -> str:
    """A record of OpenAlex of the paper with a number; each author has one institution."""
    people = [
        {"author": {"display_name": name}, "institutions": [institution]}
        for name, institution in authorships
    ]
    return json.dumps(
        {
            "id": f"https://openalex.org/W{number + 1000}",
            "doi": f"https://doi.org/10.1000/{number}",
            "title": f"Paper number {number}",
            "publication_year": 2010,
            "authorships": people,
            "referenced_works": [],
        }
    )


CHILE = {"id": "https://openalex.org/I69", "display_name": "University of Chile",
         "ror": f"https://ror.org/{ROR}", "country_code": "CL"}  # fmt: skip


def test_ids_are_those_of_registers_else_country_and_folded_name() -> None:
    assert institution_id(Institution("A", "CL", ROR, "I69")) == f"ror:{ROR}"
    assert institution_id(Institution("A", "CL", None, "I69")) == "openalex:I69"
    printed = Institution("École  de Riz, Lima", "PE")
    assert institution_id(printed) == "name:PE:ecole de riz lima"
    assert institution_id(printed) == institution_id(Institution("Ecole de Riz; Lima.", "PE"))
    assert institution_id(Institution("?!")) == "name::?!"
    assert len(institution_id(Institution("ab " * 999))) < 210


@given(
    st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from(["x", "y", None])), min_size=1),
    st.randoms(),
)
def test_nodes_do_not_depend_on_the_order_of_affiliations(
    stated: list[tuple[str, str | None]], chance: object
) -> None:
    rows = [{"from": "p", "to": f"ror:{id_}", "name": name} for id_, name in stated]
    nodes = term_nodes(
        REL["AFFILIATED_WITH"], pa.Table.from_pylist(rows, TABLE["AFFILIATED_WITH"].arrow)
    )
    chance.shuffle(rows)  # type: ignore[attr-defined]
    again = term_nodes(
        REL["AFFILIATED_WITH"], pa.Table.from_pylist(rows, TABLE["AFFILIATED_WITH"].arrow)
    )
    assert nodes == again
    for node in nodes.to_pylist():
        names = [name for id_, name in stated if f"ror:{id_}" == node["id"] and name]
        best = max(map(names.count, names), default=0)
        assert node["name"] == min((n for n in names if names.count(n) == best), default=None)
        assert node["ror"] == node["id"].removeprefix("ror:")


def test_the_most_frequent_form_is_the_name_in_any_order_and_after_removal(
    fresh_store: Callable[[], GraphStore], tmp_path: Path
) -> None:
    forms = ["Universidad de Chile, Chile", "Univ. of Chile", "Univ. of Chile, Chile"]
    papers = [placed(i, form, ROR) for i, form in enumerate(forms)]
    paths = [
        path for i, paper in enumerate(papers) for path in write_files(tmp_path / str(i), [paper])
    ]
    states = []
    for order in permutations(paths):
        store = fresh_store()
        for path in order:
            load(store, path)
        states.append(snapshot(store))
        assert store.read(NODES).to_pylist() == [
            {"id": f"ror:{ROR}", "name": "Univ. of Chile", "country": "CL", "ror": ROR,
             "openalex": None}
        ]  # fmt: skip
    assert all(state == states[0] for state in states)
    for path in paths[1:]:
        write_files(path.parent, [placed(int(path.parent.name), "Other, Peru")])
    load(store, *paths)
    assert store.read(NODES)["name"].to_pylist() == ["Other", "Universidad de Chile"]
    write_files(paths[0].parent, [jats(0)])
    load(store, *paths)
    assert store.read(NODES)["name"].to_pylist() == ["Other"]


def test_affiliations_with_ids_are_preferred_and_placed_on_the_merged_by_line(
    fresh_store: Callable[[], GraphStore], tmp_path: Path
) -> None:
    texts = write_files(tmp_path / "jats", [placed(1, "Rice Lab, Lima, Peru", "", ("Li", "Soto"))])
    record = tmp_path / "W1.json"
    rice = {"display_name": "Rice Institute", "country_code": "PE"}
    record.write_text(work(1, ("Ana Soto", CHILE), ("Wei Li", rice), ("Jo Other", CHILE)))
    states = []
    for first, second in ((texts, [record]), ([record], texts)):
        store = fresh_store()
        load(store, *first)
        load(store, *second)
        states.append(snapshot(store))
        assert store.read(LINKS).to_pylist() == [
            {"id": "name:PE:rice institute", "name": "Rice Institute", "positions": "0"},
            {"id": f"ror:{ROR}", "name": "University of Chile", "positions": "1"},
        ]
    assert states[0] == states[1]

    remove_source(store, "openalex", progress=silent)
    found = snapshot(store)
    alone = fresh_store()
    load(alone, *texts)
    assert found == snapshot(alone)
    expected = [{"id": "name:PE:rice lab", "name": "Rice Lab", "positions": "0 1"}]
    assert alone.read(LINKS).to_pylist() == expected


def test_a_text_with_countries_is_preferred_to_a_record_without(
    store: GraphStore, tmp_path: Path
) -> None:
    texts = write_files(tmp_path / "jats", [placed(1, "Rice Lab")])
    record = tmp_path / "W1.json"
    record.write_text(work(1, ("Wei Li", {"display_name": "Rice Institute", "country_code": "PE"})))
    load(store, *texts, record)
    assert store.read(LINKS)["name"].to_pylist() == ["Rice Institute"]


@pytest.mark.parametrize(
    ("before", "after", "positions"),
    [
        (["A", "B"], ["A", "B"], "0 1"),
        (["A", "B"], ["B", "Á"], "1 0"),
        (["A", "B"], ["A"], "0"),
        (["A", "A"], ["A", "A", "C"], "0 1"),
        (["A", "B"], ["C", "A", "A"], ""),
        (["A", "B"], None, ""),
    ],
)
def test_positions_on_another_by_line(
    before: list[str], after: list[str] | None, positions: str
) -> None:
    row = {"from": "p", "to": "i", "positions": "0 1"}
    rows = pa.Table.from_pylist([row], TABLE["AFFILIATED_WITH"].arrow)
    rows = rows.append_column("source", pa.array(["s"]))
    placed = place_on_by_line(rows, {("p", "s"): before}, {"p": after})
    assert placed["positions"].to_pylist() == [positions]
