"""Checks of reference lists: found, how others cite them, what is missing."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from citescape.explore.check import check_references
from citescape.explore.checked import ReferenceCheck
from citescape.papers.paper_index import PaperIndex
from citescape.papers.reference_files import read_references
from citescape.runs.result import to_page
from citescape.runs.save import save_result
from citescape.store.graph_store import GraphStore
from tests.explore.citing import doi, load_citing

BIB = """
@article{a, title={Signatures of the rice genome}, doi={10.1038/a.1}}
@article{b, title={Fast alignment of short reads}, year={2004}}
@article{again, title={Fast alignment}, doi={10.1038/b.1}}
@article{penguins, title={Penguins of the southern seas}, doi={10.1038/a.1}}
@article{typo, title={Origins of some cultivated crops}, year={2005}}
"""
TEX = r"""
\section{Introduction} \cite{a,b,ghost} \section{Methods} \cite{b}
"""


@pytest.fixture
def citing(store: GraphStore) -> GraphStore:
    """Papers, citations and sentences."""
    return load_citing(store)


def check(
    store: GraphStore, *, support: int = 2, limit: int = 20, sentences: int = 2, **texts: str
) -> ReferenceCheck:
    listed = read_references([], {name.replace("_", "."): text for name, text in texts.items()})
    return check_references(
        store, PaperIndex(store), listed, support=support, limit=limit, sentences=sentences
    )


def by_key(found: ReferenceCheck) -> dict[str, dict[str, Any]]:
    return {row["key"]: row for row in found.references.to_pylist()}


def test_problems_of_a_list(citing: GraphStore) -> None:
    found = check(citing, refs_bib=BIB, draft_tex=TEX)
    problems = {key: row["problems"] for key, row in by_key(found).items()}
    assert problems == {
        "a": [],
        "b": [],
        "again": ["duplicate: the same work as b", "never cited"],
        "penguins": ["duplicate: the same work as a", "other title", "never cited"],
        "typo": ["not found", "never cited"],
        "ghost": ["not in the list"],
    }
    assert by_key(found)["typo"]["near"] == [
        {"id": doi("C"), "title": "Origins of cultivated crops", "year": 2005}
    ]
    assert found.counts == {
        "references": 6,
        "found": 4,
        "duplicate": 2,
        "never cited": 3,
        "other title": 1,
        "not found": 1,
        "not in the list": 1,
    }


def test_how_others_and_the_manuscript_cite_a_work(citing: GraphStore) -> None:
    """B: two mentions in methods, one each in introduction and results; one of three is self."""
    row = by_key(check(citing, refs_bib=BIB, draft_tex=TEX))["b"]
    assert (row["how"], row["cited_by"], row["importance"]) == ("title", 3, pytest.approx(0.3))
    assert [row[name] for name in ("I", "M", "R", "D", "other")] == [1, 2, 1, 0, 0]
    assert [row[name] for name in ("background", "method", "result")] == [1, 2, 1]
    assert row["self_share"] == pytest.approx(1 / 3)
    assert [row["cited"], row["cited_I"], row["cited_M"], row["cited_R"]] == [2, 1, 1, 0]
    assert row["use"] == (
        "others cite it most in the methods (2 of 4 mentions), most for method (2 of 4); "
        "you cite it in the introduction and the methods (2 times)"
    )


def test_sentences_are_of_others_and_of_different_papers(citing: GraphStore) -> None:
    """S3 shares an author; S1 has two sentences, of which the first counts."""
    row = by_key(check(citing, refs_bib=BIB))["b"]
    assert [one["context"] for one in row["sentences"]] == [
        "Reads were aligned with B.",
        "We aligned reads [2].",
    ]
    one = by_key(check(citing, refs_bib=BIB, sentences=1))["b"]
    assert len(one["sentences"]) == 1
    none = by_key(check(citing, refs_bib=BIB, sentences=0))["b"]
    assert none["sentences"] == []


def test_missing_works(citing: GraphStore) -> None:
    """S1 and S2 cite A and B, and both cite C: 2 of 2; cosine 2 / sqrt(2 x 2); importance 2 + 0.

    D has one citing paper, which cites B only. S2 is near itself, so that it is not missing.
    """
    found = check(citing, refs_bib=BIB)
    assert (found.near_papers, found.overlap, found.candidates) == (2, 2, 1)
    (row,) = found.missing.to_pylist()
    assert row == {
        "id": doi("C"),
        "title": "Origins of cultivated crops",
        "year": 2005,
        "surnames": ["C"],
        "notice": None,
        "notice_year": None,
        "papers": 2,
        "share": 1.0,
        "cosine": 1.0,
        "importance": 2.0,
        "cited_by": 2,
        "beside": ["a", "b"],
        "why": "2 of the 2 papers that cite 2 or more of your references cite it too, most often "
        "beside a, b",
    }
    assert check(citing, refs_bib=BIB, support=3).candidates == 0
    limited = check(citing, refs_bib=BIB, limit=0)
    assert (len(limited.missing), limited.candidates) == (0, 1)


def test_one_found_reference_has_missing_works_too(citing: GraphStore) -> None:
    found = check(citing, ids_txt="10.1038/a.1")
    assert (found.overlap, found.near_papers) == (1, 2)
    assert found.missing["id"].to_pylist() == [doi("C"), doi("B")]


def test_a_graph_without_scores(store: GraphStore) -> None:
    found = check(load_citing(store, scored=False), refs_bib=BIB, draft_tex=TEX)
    row = by_key(found)["b"]
    assert (row["cited_by"], row["importance"], row["I"], row["self_share"]) == (
        3,
        None,
        None,
        None,
    )
    assert row["use"] == "you cite it in the introduction and the methods (2 times)"
    assert "run `platform score`" in str(found)
    assert "run `platform text intents label`" in str(found)


def test_an_empty_graph(store: GraphStore) -> None:
    found = check(store, refs_bib=BIB)
    assert (found.counts["found"], found.near_papers, len(found.missing)) == (0, 0, 0)


def test_the_same_key_and_the_same_title_are_duplicates(citing: GraphStore) -> None:
    found = check(
        citing,
        refs_bib="@misc{k, title={On moss}, year=2001}@misc{k, title={On fern}}"
        "@misc{m, title={On MOSS.}, year=2001}",
    )
    assert [row["problems"] for row in found.references.to_pylist()] == [
        ["not found"],
        ["duplicate: the same key", "not found"],
        ["duplicate: the same work as k", "not found"],
    ]


def test_duplicates_without_keys_are_named_by_what_they_have(citing: GraphStore) -> None:
    found = check(
        citing,
        refs_bib="@misc{, doi={10.1038/x.9}}@misc{, doi={10.1038/x.9}}"
        "@misc{, title={On moss}, year=2001}@misc{, title={On MOSS}, year=2001}"
        "@misc{, doi={10.1038/a.1}}@misc{, doi={10.1038/a.1}}",
    )
    assert [row["problems"][0] for row in found.references.to_pylist()[1::2]] == [
        "duplicate: the same work as 10.1038/x.9",
        "duplicate: the same work as On moss",
        f"duplicate: the same work as {doi('A')}",
    ]


def test_works_without_citations_do_not_mean_that_nothing_is_scored(citing: GraphStore) -> None:
    """No work that the manuscript names is cited, so that scores and intents say nothing."""
    citing.run("CREATE (:Paper {id: 'doi:10.1/new', doi: '10.1/new', title: 'A new work'})")
    found = check(citing, dois_txt="10.1/new")
    assert (found.sections, found.intents) == (True, True)


def test_withdrawn_works_are_flagged(citing: GraphStore) -> None:
    changed = {"notice": "retracted", "notice_year": 2011, "id": doi("A")}
    statement = "MATCH (p:Paper {id: $id}) SET p.notice = $notice, p.notice_year = $notice_year"
    citing.run(statement, **changed)
    found = check(citing, refs_bib=BIB)
    row = by_key(found)["a"]
    assert (row["problems"], row["notice_year"]) == (["retracted"], 2011)
    assert f"retracted in 2011: {doi('A')}" in str(found)


def test_identifiers_beside_a_manuscript_are_listed(citing: GraphStore) -> None:
    """They have no file either, but are no keys that the manuscript cites without an entry."""
    listed = read_references(["10.1038/none.9", "10.1038/a.1"], {"draft.tex": r"\cite{ghost}"})
    found = check_references(citing, PaperIndex(citing), listed, support=2, limit=20, sentences=0)
    assert {key: row["problems"] for key, row in by_key(found).items()} == {
        "10.1038/none.9": ["not found", "never cited"],
        "10.1038/a.1": ["never cited"],
        "ghost": ["not in the list"],
    }


def test_markup_stays_text(citing: GraphStore) -> None:
    """On the page of `--save check.html`, in the terminal, and as JSON."""
    evil = "<script>alert(1)</script>"
    found = check(citing, refs_bib=f"@misc{{{evil}k, title={{{evil} \x1b[31m of mosses}}}}")
    assert "<script>" not in to_page(found.summarise_page())
    assert "\x1b" not in str(found)
    assert json.loads(json.dumps(found.summarise().figures))["counts"]["references"] == 1


def test_the_page_has_the_sentences(citing: GraphStore) -> None:
    page = to_page(check(citing, refs_bib=BIB, draft_tex=TEX).summarise_page())
    assert "<blockquote>Reads were aligned with B.</blockquote>" in page
    assert "cited, and in no reference list" in page


LISTED = """@article{b, title={Fast alignment of short reads}, doi={10.1038/b.1}, year={2004}}
@misc{typo, title={=Origins of some cultivated crops}, year={2005}}"""
UNKNOWN: dict[str, Any] = dict.fromkeys(
    [
        *("year", "paper", "how", "agreement", "paper_title", "paper_year", "notice"),
        *("notice_year", "cited_by", "importance", "self_share"),
        *("I", "M", "R", "D", "other", "background", "method", "result"),
    ]
)
BY_HAND: list[dict[str, Any]] = [
    {
        **{"key": "b", "file": "refs.bib", "line": 1, "year": 2004},
        **{
            "title": "Fast alignment of short reads",
            "paper_title": "Fast alignment of short reads",
        },
        **{"paper": doi("B"), "how": "doi", "agreement": 1.0, "paper_year": 2004},
        **{"notice": None, "notice_year": None, "problems": [], "near": []},
        **{"cited_by": 3, "importance": pytest.approx(0.3), "self_share": pytest.approx(1 / 3)},
        **{"I": 1, "M": 2, "R": 1, "D": 0, "other": 0, "background": 1, "method": 2, "result": 1},
        **{"cited": 2, "cited_I": 1, "cited_M": 1, "cited_R": 0, "cited_D": 0, "cited_other": 0},
        "use": "others cite it most in the methods (2 of 4 mentions), most for method (2 of 4); "
        "you cite it in the introduction and the methods (2 times)",
        "sentences": [
            {
                **{"citing": doi("S1"), "title": "Weedy rice in Asia", "year": 2000},
                **{"importance": 0.1, "type": "M", "section": "Part M", "intents": ["method"]},
                "context": "Reads were aligned with B.",
            }
        ],
    },
    {
        **UNKNOWN,
        **{"key": "typo", "file": "refs.bib", "line": 2, "year": 2005},
        **{"title": "=Origins of some cultivated crops", "problems": ["not found", "never cited"]},
        "near": [{"id": doi("C"), "title": "Origins of cultivated crops", "year": 2005}],
        **{"cited": 0, "cited_I": 0, "cited_M": 0, "cited_R": 0, "cited_D": 0, "cited_other": 0},
        **{"use": "", "sentences": []},
    },
    *(
        {
            **UNKNOWN,
            **{"key": key, "file": "", "line": 0, "title": "", "near": []},
            "problems": ["not in the list"],
            **{"cited": 1, "cited_I": 1, "cited_M": 0, "cited_R": 0, "cited_D": 0},
            **{"cited_other": 0, "use": "you cite it in the introduction", "sentences": []},
        }
        for key in ("a", "ghost")
    ),
]
"""`LISTED` beside `TEX`, which cites a, b and ghost in the introduction and b in the methods."""


def test_a_saved_list_has_every_fact_of_each_reference(citing: GraphStore, tmp_path: Path) -> None:
    """JSON as it is; CSV with empty cells, lists as JSON, and without formulas."""
    found = check(citing, sentences=1, refs_bib=LISTED, draft_tex=TEX)
    assert found.summarise().figures["references"] == BY_HAND
    save_result(found, tmp_path / "checked.json")
    assert json.loads((tmp_path / "checked.json").read_text()) == BY_HAND
    save_result(found, tmp_path / "checked.csv")
    with (tmp_path / "checked.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    for row, expected in zip(rows, BY_HAND, strict=True):
        assert set(row) == set(expected)
        for name, value in expected.items():
            if isinstance(value, str):
                assert row[name] == (f"'{value}" if value.startswith("=") else value)
            else:
                assert (json.loads(row[name]) if row[name] else None) == value
