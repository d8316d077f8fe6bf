"""Changes: what is matched with the units around it equals what is matched with everything."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pytest

from citescape.core.types import Identifiers
from citescape.ingest import contents
from citescape.ingest.identity import title_key, work_id
from citescape.ingest.index import works as works_module
from citescape.ingest.index.works import WorkIndex
from citescape.ingest.matching import Matched, match_group
from citescape.store.schema import TABLE
from tests.ingest.plain_matching import index_of, match_entries

Row = dict[str, Any]
TITLES = ("genome wide identification", "genome wide expression", "drought tolerance of")
OBJECTS = ("rice", "rice roots", "maize", "maize 2", "wheat")
NO_DECISIONS = pa.table({name: pa.array([], pa.string()) for name in ("kind", "first", "second")})
ENTRY = pa.schema([*TABLE["Reference"].arrow, ("paper", pa.string())])
PAPER = TABLE["Paper"].arrow


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few entries fill a block."""
    monkeypatch.setattr(contents, "LARGEST_BLOCK", 5)
    monkeypatch.setattr(works_module, "LARGEST_BLOCK", 5)
    monkeypatch.setattr(works_module, "_SOME", 4)


def make_work(rng: random.Random) -> Row:
    """A work that is easily taken for another one."""
    number = rng.randrange(60)
    fixed = random.Random(number)
    year = 2000 + fixed.randrange(3) + (rng.random() < 0.1)
    title = f"{fixed.choice(TITLES)} {fixed.choice(OBJECTS)}{rng.choice(('', '', '', ' review'))}"
    surname = fixed.choice(("Li", "Wang", "Zhao"))
    ids = {
        "doi": f"10.1/{number + rng.choice((0,) * 9 + (7,))}" if rng.random() < 0.4 else None,
        "pmid": str(number + rng.choice((0, 0, 0, 0, 1))) if rng.random() < 0.3 else None,
    }
    place = {"volume": str(fixed.randrange(3)), "page": str(fixed.randrange(9))}
    return {
        **ids,
        **(place if rng.random() < 0.5 else {}),
        "title": title,
        "year": year,
        "surnames": [surname],
        "key": title_key(title, year, surname),
    }


def make_entries(rng: random.Random, paper: str) -> list[Row]:
    """The reference list of a paper."""
    rows: list[Row] = []
    for n in range(rng.randrange(5)):
        row = {"id": f"{paper}#{n}", "paper": paper, "source": rng.choice(("", "Plant Cell"))}
        work = make_work(rng)
        if rng.random() < 0.1:
            text = f"{work['surnames'][0]} A. {work['title']}. {work['year']}"
            work = {"doi": work["doi"], "text": text}
        rows.append(row | work)
    return rows


def make_paper(rng: random.Random) -> Row:
    """A loaded paper."""
    row = make_work(rng)
    row = {name: row[name] for name in ("doi", "pmid", "title", "year", "surnames", "key")}
    id_ = work_id(Identifiers(row["doi"], row["pmid"]), row["key"])
    ids = [f"{kind}:{row[kind]}" for kind in ("doi", "pmid") if row[kind]]
    listed = "\t".join([*ids, str(id_)])
    return {"id": id_, "sources": ["s"], "source_ids": [listed], "venue": "Plant Cell", **row}


def make_world(rng: random.Random, papers: int) -> tuple[dict[str, Row], dict[str, list[Row]]]:
    """Loaded papers and their reference lists, by id."""
    loaded = {paper["id"]: paper for paper in (make_paper(rng) for _ in range(papers))}
    return loaded, {id_: make_entries(rng, id_) for id_ in loaded}


def tables(papers: dict[str, Row], entries: dict[str, list[Row]]) -> tuple[pa.Table, pa.Table]:
    rows = [row for paper in papers for row in entries[paper]]
    return (
        pa.Table.from_pylist(list(papers.values()), PAPER),
        pa.Table.from_pylist(rows, ENTRY),
    )


def make_decision(rng: random.Random) -> Row:
    first, second = (f"doi:10.1/{rng.randrange(60)}" for _ in range(2))
    return {"kind": rng.choice(("join", "split")), "first": first, "second": second}


def found(index: WorkIndex) -> dict[str, tuple[str, str]]:
    rows = index.entries.whole().select(["id", "work", "matched_by"]).to_pylist()
    return {row["id"]: (row["work"], row["matched_by"]) for row in rows}


@pytest.mark.parametrize("seed", range(8))
def test_changes_are_matched_as_everything_is(seed: int) -> None:
    """Papers are added, corrected and removed, decisions are made and undone."""
    rng = random.Random(seed)
    papers, entries = make_world(rng, 30)
    rows = [make_decision(rng) for _ in range(seed % 3)]
    decisions = pa.Table.from_pylist(rows, NO_DECISIONS.schema)
    loaded, references = tables(papers, entries)
    index = index_of(loaded, references, match_entries(loaded, references, decisions))
    left_out = 0
    for _ in range(12):
        changed = {rng.choice(sorted(papers)) for _ in range(rng.randrange(2))}
        for id_ in changed:
            papers.pop(id_, None)
        added = [make_paper(rng) for _ in range(rng.randrange(1, 3))]
        papers |= {paper["id"]: paper for paper in added}
        changed |= {paper["id"] for paper in added}
        entries |= {id_: make_entries(rng, id_) for id_ in changed}
        before, rows = rows, rows if rng.random() < 0.7 else [*rows[1:], make_decision(rng)]
        decisions = pa.Table.from_pylist(rows, NO_DECISIONS.schema)
        index.concern([row[name] for row in (*before, *rows) for name in ("first", "second")])
        part = {id_: papers[id_] for id_ in sorted(changed) if id_ in papers}
        index.replace(sorted(changed), *tables(part, entries))
        group = index.group()
        left_out += len(group.too_large)
        matched = match_group(index, group, decisions, changed)
        index.set_works(matched.rows, matched.entries, matched.matches)

        loaded, references = tables(papers, entries)
        expected = match_entries(loaded, references, decisions).to_pylist()
        assert found(index) == {row["id"]: (row["work"], row["matched_by"]) for row in expected}
        mine = set(matched.matches["id"].to_pylist())
        works = changed_works(matched)
        assert {row["id"] for row in expected if row["work"] in works} <= mine
    assert left_out, "some blocks are too large to be compared"


def changed_works(matched: Matched) -> set[str]:
    """Works of which an entry came or went."""
    before, after = (rows["work"].to_pylist() for rows in (matched.entries, matched.matches))
    pairs = [pair for pair in zip(before, after, strict=True) if pair[0] != pair[1]]
    return {work for pair in pairs for work in pair} | {*matched.removed["work"].to_pylist()}


def test_a_work_follows_the_one_that_it_joined() -> None:
    """A new paper takes a work along that has no block in common with it.

    `second` begins as `first`, which it joined, and `first` ends as the new paper.
    """
    title = "genome wide identification of heat shock factors in winter wheat under drought"
    titles = {"first": title, "second": f"{title}s", "new": f"a {title}"}

    def row(id_: str, name: str) -> Row:
        key = title_key(titles[name], 2001, "Li")
        return {"id": id_, "title": titles[name], "year": 2001, "surnames": ["Li"], "key": key}

    citing = {"id": "doi:10.1/1", "doi": "10.1/1", "sources": ["s"], "source_ids": ["doi:10.1/1"]}
    names = ("first", "first", "second")
    entries = [{**row(f"citing#{n}", name), "paper": citing["id"]} for n, name in enumerate(names)]
    loaded, references = tables({"doi:10.1/1": citing}, {"doi:10.1/1": entries})
    matches = match_entries(loaded, references, NO_DECISIONS)
    assert len(matches["work"].unique()) == 1
    index = index_of(loaded, references, matches)
    new = {**row("doi:10.1/2", "new"), "doi": "10.1/2", "sources": ["s"], "source_ids": ["x"]}
    index.replace(["doi:10.1/2"], *tables({"doi:10.1/2": new}, {"doi:10.1/2": []}))
    matched = match_group(index, index.group(), NO_DECISIONS, {"doi:10.1/2"})
    assert matched.matches["work"].to_pylist() == ["doi:10.1/2"] * 3


OTHER = {"title": "soil water content by neutron probes", "surnames": ["Wang"], "year": 2001}
OTHER |= {"source": "Soil Science", "volume": "3", "page": "14"}
WORKS: tuple[Row, ...] = (
    {"title": "genome wide identification of kinases", "surnames": ["Li"], "doi": "10.1/1"},
    {"title": "drought tolerance of wheat landraces", "surnames": ["Zhao"], "doi": "10.1/2"},
    {"title": "zinc in maize grain", "surnames": ["Kim"], "doi": "10.1/3"},
)


def misprinted_entries(paper: str, others: Sequence[Row] = (OTHER, OTHER)) -> list[Row]:
    """Of each DOI two entries of its work, and one that describes another one."""
    rows = [
        row
        for work, other in zip(WORKS, others, strict=False)
        for row in (work, work, {**work, **other})
    ]
    return [{"id": f"{paper}#{n}", "paper": paper, **row} for n, row in enumerate(rows)]


def check_citing(work: Row, others: Sequence[Row]) -> None:
    """A new paper cites a work without its DOI: matched as everything is."""
    papers = {f"doi:10.1/{n}": f"10.1/{n}" for n in (8, 9)}
    loaded = {
        id_: {"id": id_, "doi": doi, "sources": ["s"], "source_ids": [id_]}
        for id_, doi in papers.items()
    }
    first, second = papers
    old, new = {first: loaded[first]}, {second: loaded[second]}
    entries = {first: misprinted_entries(first, others)}
    references = tables(old, entries)
    index = index_of(*references, match_entries(*references, NO_DECISIONS))
    entries[second] = [{**work, "doi": None, "id": "new", "paper": second, "year": 2003}]
    index.replace([second], *tables(new, entries))
    matched = match_group(index, index.group(), NO_DECISIONS, {second})
    index.set_works(matched.rows, matched.entries, matched.matches)
    expected = match_entries(*tables(loaded, entries), NO_DECISIONS).to_pylist()
    assert found(index) == {row["id"]: (row["work"], row["matched_by"]) for row in expected}


@pytest.mark.parametrize("work", WORKS[:2])
def test_a_misprinted_entry_does_not_follow_another_one(work: Row) -> None:
    """Both misprinted entries agree, but neither joins a work: each keeps that of its DOI."""
    check_citing(work, (OTHER, OTHER))


@pytest.mark.parametrize("work", WORKS)
def test_misprinted_entries_may_form_a_chain(work: Row) -> None:
    """The first ends as the second, the second begins as the third: all must be known."""
    title = "soil water content measured by neutron probes in irrigated fields"
    chain = (f"a {title}", title, f"{title}s")
    check_citing(work, [{**OTHER, "title": name, "page": "", "volume": ""} for name in chain])
