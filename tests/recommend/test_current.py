"""The state of a store changes with the inputs of profiles, and with nothing else."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from citescape.demo.jats_writer import write_jats
from citescape.demo.world import generate_world
from citescape.recommend.current import read_state
from citescape.store.graph_store import GraphStore, open_store
from tests.ingest.papers import load, write_files

FIRST = "MATCH (p:Paper) WHERE p.fulltext WITH p ORDER BY p.id LIMIT 1 "
CHANGES = {
    "title": FIRST + "SET p.title = 'Another'",
    "abstract": FIRST + "SET p.abstract = 'Another.'",
    "date": FIRST + "SET p.date = '1999-09-09'",
    "year": FIRST + "SET p.year = 1066",
    "empty title": FIRST + "SET p.title = ''",
    "file": FIRST + "SET p.sha256 = '0'",
    "sentence": "MATCH (o:Occurrence) WITH o ORDER BY o.id LIMIT 1 SET o.context = 'Another.'",
    "marker": "MATCH (o:Occurrence) WITH o ORDER BY o.id LIMIT 1 SET o.marker = '[0]'",
    "link": "MATCH (o:Occurrence)-[r:REFERS_TO]->() WITH r ORDER BY o.id LIMIT 1 DELETE r",
    "paper": "CREATE (:Paper {id: 'doi:10.1/none', fulltext: false})",
}


@pytest.fixture(scope="session")
def papers(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Full texts."""
    world = generate_world(papers=50, seed=5)
    return write_files(tmp_path_factory.mktemp("papers"), [write_jats(world, k) for k in range(2)])


def test_every_input_of_profiles_changes_the_state(store: GraphStore, papers: list[Path]) -> None:
    load(store, *papers)
    states = [read_state(store)]
    store.write("CREATE (:Meta {id: 'note', value: 'none'})")
    assert read_state(store) == states[0]
    for what, change in CHANGES.items():
        store.write(change)
        assert read_state(store) not in states, what
        states.append(read_state(store))


def test_swapped_last_characters_change_the_state(tmp_path: Path) -> None:
    """The hashed texts of two papers differ in the last character only, their years."""
    with closing(open_store(str(tmp_path / "two.lbug"))) as store:
        for id_, year in (("a", 2010), ("b", 2011)):
            store.write(f"CREATE (:Paper {{id: '{id_}', loader: '{year}'}})")
        state = read_state(store)
        store.write("MATCH (p:Paper) SET p.loader = CASE p.id WHEN 'a' THEN '2011' ELSE '2010' END")
        assert read_state(store) != state


def test_the_state_does_not_depend_on_the_order_of_loading(
    tmp_path: Path, papers: list[Path]
) -> None:
    states = set()
    for name, order in (("one", papers), ("other", papers[::-1])):
        with closing(open_store(str(tmp_path / f"{name}.lbug"))) as store:
            for path in order:
                load(store, path)
            states.add(read_state(store))
    assert len(states) == 1
