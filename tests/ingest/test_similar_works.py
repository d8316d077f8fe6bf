"""Which entries of reference lists describe the same work in other words."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.ingest.contents import compare_journals
from citescape.ingest.identity import ID_KINDS, match_works, title_key
from citescape.ingest.similar_works import join_similar

TITLE = "Confidence limits on phylogenies: an approach using the bootstrap"
ENTRY = {
    "title": TITLE,
    "source": "Evolution",
    "volume": "39",
    "page": "783",
    "year": 1985,
    "surnames": ["Felsenstein"],
    "text": "",
}
TEXT, LIST = pa.string(), pa.list_(pa.string())
IDS = tuple((kind, TEXT) for kind in ("id", *ID_KINDS, "key"))
DATED = (("year", pa.int64()), ("surnames", LIST))
REFERENCES = pa.schema(
    [*IDS, *((name, TEXT) for name in ("title", "source", "volume", "page", "text")), *DATED]
)
PAPERS = pa.schema([*IDS, ("title", TEXT), ("venue", TEXT), *DATED])
Row = dict[str, Any]


def entry(**fields: Any) -> Row:
    row = {**ENTRY, **fields}
    surname = row["surnames"][0] if row["surnames"] else ""
    return {**row, "key": title_key(row["title"], row["year"], surname)}


def text(words: str) -> Row:
    nothing = dict.fromkeys(("title", "source", "volume", "page"), "")
    return {**entry(**nothing, year=None, surnames=[]), "text": words}


def match(rows: list[Row], papers: list[Row] | None = None) -> list[str]:
    """The work of each row."""
    numbered = [{"id": f"r{n}", **row} for n, row in enumerate(rows)]
    references = pa.Table.from_pylist(numbered, REFERENCES)
    loaded = pa.Table.from_pylist(papers or [], PAPERS)
    matches = join_similar(loaded, references, match_works(loaded, references))
    found: list[str] = matches["work"].to_pylist()
    return found


def are_one(*rows: Row) -> bool:
    return len(set(match(list(rows)))) == 1


KNOWN = entry(doi="10.1/x1")
SAME = {
    "a word less": entry(title=TITLE.replace("an approach ", ""), page="783"),
    "broken words": entry(title=TITLE.replace("phylogenies", "phylo genies")),
    "another year": entry(year=1984),
    "a wrong year, all else equal": entry(year=2004),
    "a misspelt author, all else equal": entry(surnames=["Felsenstien"]),
    "no volume and page": entry(title=TITLE + ".", volume="", page="", year=1986),
    "no title": entry(title=""),
    "a title before the title": entry(title="Phylogeny. " + TITLE),
    "one text": text(f"Felsenstein J. {TITLE}. Evolution. 1985;39(4):783-791."),
    "one text without pages": text(f"Felsenstein, J. (1985). {TITLE}. Evolution"),
}
OTHER = {
    "another author and place": entry(surnames=["Efron"], volume="7", page="1"),
    "the next part": entry(title=TITLE + " 2", volume="40", page="1", year=1986),
    "another volume and page": entry(title=TITLE + "!", volume="41", page="12", year=1986),
    "another journal": entry(title=TITLE + " x", source="bioRxiv", volume="", page=""),
    "years apart, without a place": entry(title=TITLE + "s", volume="", page="", year=2001),
    "another title": entry(title="Phylogenies and the comparative method", page="1"),
    "a text on something else": text("Felsenstein J. Inferring phylogenies. Sinauer; 1985."),
}


@pytest.mark.parametrize("case", SAME)
def test_the_same_work_in_other_words_is_joined(case: str) -> None:
    assert match([KNOWN, SAME[case]]) == ["doi:10.1/x1"] * 2


@pytest.mark.parametrize("case", OTHER)
def test_another_work_is_not_joined(case: str) -> None:
    assert not are_one(KNOWN, OTHER[case])


def test_a_second_doi_with_equal_volume_and_page_is_the_same_work() -> None:
    """The one that is printed more often gives the node."""
    rows = [entry(doi="10.2307/2"), entry(doi="10.2307/2", title=TITLE.upper()), KNOWN]
    assert match(rows) == ["doi:10.2307/2"] * 3
    assert not are_one(KNOWN, entry(doi="10.2/y2", volume="", page=""))
    assert not are_one(KNOWN, entry(doi="10.2/y2", title=TITLE[:45]))


def test_an_entry_with_the_doi_of_another_work_joins_its_own() -> None:
    other = entry(
        title="Rice grows in water",
        source="Rice",
        volume="1",
        page="2",
        surnames=["Li"],
        year=2001,
        doi="10.9/rice1",
    )
    wrong = entry(doi="10.9/rice1", title=TITLE + ".")
    rows = [other, {**other, "title": "Rice grows in waters"}, wrong, KNOWN]
    assert match(rows) == ["doi:10.9/rice1"] * 2 + ["doi:10.1/x1"] * 2
    assert match(rows[:3]) == ["doi:10.9/rice1"] * 3  # nothing else is known of it


def test_two_loaded_papers_are_never_joined() -> None:
    shared = {"title": TITLE, "year": 1985, "venue": "Evolution", "surnames": ["Felsenstein"]}
    papers = [{"id": f"doi:10.1/{n}", "doi": f"10.1/{n}", **shared} for n in (1, 2)]
    rows = [entry(doi="10.1/1"), entry(doi="10.1/2")]
    assert match(rows, papers) == ["doi:10.1/1", "doi:10.1/2"]


def test_a_loaded_paper_comes_before_all_other_works() -> None:
    paper = {"id": "key:1", "title": TITLE, "year": 1985, "venue": "Evolution"}
    rows = [KNOWN, KNOWN, entry(title=TITLE + ".", volume="", page="")]
    assert match(rows, [{**paper, "surnames": ["Felsenstein"]}]) == ["doi:10.1/x1"] * 3
    loose = [entry(title=TITLE + " tests", volume="", page="", year=1986)]
    assert match(loose, [{**paper, "surnames": ["Felsenstein"]}]) == ["key:1"]


def test_works_do_not_depend_on_the_order_of_entries() -> None:
    rows = [KNOWN, SAME["a word less"], SAME["no title"], SAME["one text"], OTHER["the next part"]]
    named = [{**row, "own": n} for n, row in enumerate(rows)]
    results = set()
    for order in permutations(named):
        found = match([{k: v for k, v in row.items() if k != "own"} for row in order])
        works = {row["own"]: work for row, work in zip(order, found, strict=True)}
        results.add(tuple(works[n] == works[0] for n in range(len(rows))))
    assert results == {(True, True, True, True, False)}


@given(st.lists(st.sampled_from([KNOWN, *SAME.values(), *OTHER.values()]), max_size=12))
def test_an_entry_twice_has_one_work(rows: list[Row]) -> None:
    found = match([row for row in rows for _ in range(2)])
    titled = [bool(row["title"] and row["year"]) for row in rows]
    assert all(a == b for a, b, known in zip(found[::2], found[1::2], titled, strict=True) if known)


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("J. Exp. Bot.", "Journal of Experimental Botany", 1),
        ("PNAS", "Proc Natl Acad Sci U S A", 1),
        ("Proc Natl Acad Sci", "Proceedings of the National Academy of Sciences", 1),
        ("BMC Genomics", "BMC Plant Biology", -1),
        ("bioRxiv", "Evolution", -1),
        ("", "Evolution", 0),
        ("Évolution", "evolution.", 1),
    ],
)
def test_journals_and_their_abbreviations(a: str, b: str, same: int) -> None:
    assert compare_journals(a, b) == compare_journals(b, a) == same
