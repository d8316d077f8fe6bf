"""A small world, and stores that hold its truth, as loaded without errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from citescape.corpus import Corpus
from citescape.demo.citations import INTENTS, SECTIONS
from citescape.demo.world import World, generate_world
from citescape.importance.components import COUNTED
from citescape.runs.context import Context
from citescape.store.graph_store import Change, GraphStore, open_store
from citescape.store.schema import TABLE
from citescape.store.state import IMPORTANCE_RUN, write_meta

Row = dict[str, Any]
Tables = dict[str, list[Row]]


@pytest.fixture(scope="session")
def world() -> World:
    """A world of 60 papers."""
    return generate_world(papers=60, seed=7)


@pytest.fixture
def plant(tmp_path: Path, world: World) -> Iterator[Callable[..., GraphStore]]:
    """Opens a store with the truth of `world`; a given function changes the tables."""
    opened: list[GraphStore] = []

    def make(change: Callable[[Tables], object] = lambda tables: None) -> GraphStore:
        store = open_store(str(tmp_path / f"store-{len(opened)}.lbug"))
        opened.append(store)
        tables = truth(world)
        change(tables)
        fill(store, tables)
        return store

    yield make
    for store in opened:
        store.close()


def corpus_of(store: GraphStore, folder: Path) -> Corpus:
    """A corpus on an open store; its runs are in `folder`."""
    context = Context(store.location, folder / "runs")
    context.use(store)
    return Corpus(context)


def fill(store: GraphStore, tables: Tables) -> None:
    """Writes tables whose pairs are scored."""
    for name, rows in tables.items():
        insert(store, name, rows)
    write_meta(store, IMPORTANCE_RUN, "score-planted")


def truth(world: World) -> Tables:
    """Papers, people, sections, sentences and scored pairs by table, in the order to load."""
    result = list(occurrences(world))
    parts = sections(world)
    return {
        "Paper": papers(world),
        "Author": authors(world),
        "WROTE": wrote(world),
        "Section": parts,
        "HAS_SECTION": [{"from": part["id"].split("#")[0], "to": part["id"]} for part in parts],
        "Occurrence": result,
        "CONTAINS": [{"from": entry["section"], "to": entry["id"]} for entry in result],
        "REFERS_TO": [{"from": entry["id"], "to": entry["work"]} for entry in result],
        "CITES": cites(world, planted_score(world)),
    }


def insert(store: GraphStore, table: str, rows: list[Row]) -> None:
    """Rows of one table; missing columns are null."""
    schema = TABLE[table].arrow
    columns = {
        name: pa.array([row.get(name) for row in rows], schema.field(name).type)
        for name in schema.names
    }
    store.apply([Change("insert", table, pa.table(columns))])


def planted_score(world: World) -> np.ndarray:
    """Uniform weights over the planted components: a simple replacement of the real score."""
    exact = world.counts[:, [0, 2, 3]].sum(axis=1) + world.pairs.self_citation
    return np.asarray(exact / 4)


def node(world: World, work: int) -> str:
    """Id of the node of a work."""
    return f"work:{work:05d}"


def reached(world: World) -> list[int]:
    """Works that can be known from the corpus: its papers and the works they cite."""
    return sorted({*range(world.papers), *world.pairs.cited.tolist()})


def papers(world: World) -> list[Row]:
    """Rows of Paper."""
    people = world.society.persons
    rows: list[Row] = []
    for index in reached(world):
        work = world.works[index]
        rows.append(
            {
                "id": node(world, index),
                "doi": work.doi,
                "pmid": work.pmid,
                "pmcid": work.pmcid,
                "title": work.title,
                "year": work.year,
                "fulltext": index < world.papers,
                "surnames": [people[a].surname for a in work.authors],
            }
        )
    return rows


def authors(world: World) -> list[Row]:
    """Rows of Author, one per person."""
    return [
        {"id": f"author:{i}", "name": f"{p.given} {p.surname}"}
        for i, p in enumerate(world.society.persons)
    ]


def wrote(world: World) -> list[Row]:
    """Rows of WROTE."""
    return [
        {"from": f"author:{author}", "to": node(world, index), "position": place, "role": "author"}
        for index in reached(world)
        for place, author in enumerate(world.works[index].authors)
    ]


def sections(world: World) -> list[Row]:
    """Rows of Section, one of each type per paper."""
    return [
        {"id": f"{node(world, paper)}#{name}", "title": name, "type": name, "ordinal": order}
        for paper in range(world.papers)
        for order, name in enumerate(SECTIONS)
    ]


def occurrences(world: World) -> Iterator[Row]:
    """Rows of Occurrence with `section` and `work` in addition to the columns of the table."""
    mentions, pairs = world.mentions, world.pairs
    for at, pair in enumerate(mentions.pair.tolist()):
        citing, cited = int(pairs.citing[pair]), int(pairs.cited[pair])
        yield {
            "id": f"o{at}",
            "ordinal": at,
            "context": f"Sentence {at} mentions {world.works[cited].title}.",
            "intents": [INTENTS[mentions.intent[at]]],
            "section": f"{node(world, citing)}#{SECTIONS[mentions.section[at]]}",
            "work": node(world, cited),
        }


def cites(world: World, score: np.ndarray) -> list[Row]:
    """Rows of CITES."""
    rows: list[Row] = []
    for pair, counts in enumerate(world.counts.tolist()):
        rows.append(
            {
                "from": node(world, int(world.pairs.citing[pair])),
                "to": node(world, int(world.pairs.cited[pair])),
                "mentions": sum(counts),
                **dict(zip(COUNTED, counts, strict=True)),
                "self": int(world.pairs.self_citation[pair]),
                "importance": float(score[pair]),
            }
        )
    return rows
