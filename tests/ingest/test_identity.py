"""Mentions that mean the same work."""

from __future__ import annotations

import random

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.core.identifiers import (
    normalise_doi,
    normalise_orcid,
    normalise_pmcid,
    normalise_pmid,
)
from citescape.core.types import Identifiers
from citescape.ingest.identity import (
    ID_KINDS,
    fold,
    match_works,
    page_key,
    representative,
    title_key,
    work_id,
)

TEXT = pa.string()
MENTION = pa.schema([(name, TEXT) for name in ("id", *ID_KINDS, "key")])


def mentions(*rows: dict[str, str | None]) -> pa.Table:
    """Rows with ids (`r0`, `r1`, ... unless given)."""
    numbered = [{"id": f"r{i}", **row} for i, row in enumerate(rows)]
    return pa.Table.from_pylist(numbered, MENTION)


def works(references: pa.Table, papers: pa.Table | None = None) -> dict[str, str]:
    """Reference id -> work id."""
    matches = match_works(mentions() if papers is None else papers, references)
    return dict(zip(matches["id"].to_pylist(), matches["work"].to_pylist(), strict=True))


@pytest.mark.parametrize(
    ("normalise", "written", "normal"),
    [
        (normalise_doi, "https://doi.org/10.1000/ABC.1.", "10.1000/abc.1"),
        (normalise_doi, "doi:10.1016/S0140-6736(05)12345-6", "10.1016/s0140-6736(05)12345-6"),
        (normalise_doi, "10.1371/journal.pone.", None),
        (normalise_pmid, "PMID: 0012345", "12345"),
        (normalise_pmid, "0", None),
        (normalise_pmcid, "6338940", "PMC6338940"),
        (normalise_pmcid, "pmc6338940.2", "PMC6338940"),
        (normalise_orcid, "https://orcid.org/0000-0002-1825-0097", "0000-0002-1825-0097"),
        (normalise_orcid, "0000-0002-1825-0098", None),
    ],
)
def test_ids_are_normalised(normalise, written, normal):  # type: ignore[no-untyped-def]
    assert normalise(written) == normal


def test_a_doi_takes_precedence_over_pmid_pmcid_and_key():
    ids = Identifiers("10.1/a", "7", "PMC7")
    assert work_id(ids, "k") == "doi:10.1/a"
    assert work_id(ids._replace(doi=None), "k") == "pmid:7"
    assert work_id(ids._replace(doi=None, pmid=None), "k") == "pmcid:PMC7"
    assert work_id(Identifiers(), "k") == "key:k"
    assert work_id(Identifiers(), None) is None


def test_title_keys_ignore_case_accents_and_punctuation_but_not_year_or_name():
    key = title_key("Über die Erbse: a study", 1900, "Müller")
    assert title_key("UBER DIE ERBSE - A Study.", 1900, "MULLER") == key
    assert title_key("Über die Erbse: a study", 1901, "Müller") != key
    assert title_key("Über die Erbse: a study", 1900, "Miller") != key


def test_a_key_needs_more_than_a_title_and_a_page_key_all_its_parts():
    assert title_key("Editorial", None, "") is None
    assert title_key("—", 1900, "X") is None
    assert page_key("J Peas", "1", "", year=1900, surname="X") is None
    assert page_key("J Peas", "1", "2", year=1900, surname="X") == page_key(
        "j. peas", "1", "2", year=1900, surname="x"
    )


@given(st.text())
def test_folding_twice_is_folding_once(text: str):
    assert fold(fold(text)) == fold(text)


def test_a_wrong_pmid_with_several_dois_merges_none_of_them():
    dois = [f"10.1/{i}" for i in range(10)]
    work_ids = works(mentions(*({"doi": doi, "pmid": "1"} for doi in dois)))
    assert sorted(work_ids.values()) == [f"doi:{doi}" for doi in dois]


def test_a_pmid_follows_the_majority_of_its_dois():
    both = [{"doi": "10.1/right", "pmid": "1"}] * 3 + [{"doi": "10.1/wrong", "pmid": "1"}]
    assert works(mentions(*both, {"pmid": "1"}))["r4"] == "doi:10.1/right"


def test_without_a_strict_majority_a_pmid_is_its_own_work():
    both = [{"doi": "10.1/a", "pmid": "1"}, {"doi": "10.1/b", "pmid": "1"}]
    assert works(mentions(*both, {"pmid": "1"}))["r2"] == "pmid:1"


def test_a_pmcid_leads_to_a_doi_directly_or_else_to_a_pmid():
    work_ids = works(
        mentions(
            {"doi": "10.1/a", "pmcid": "PMC1"}, {"pmcid": "PMC1"},
            {"pmid": "2", "pmcid": "PMC2"}, {"pmcid": "PMC2"},
            {"pmcid": "PMC3"},
        )
    )  # fmt: skip
    assert [work_ids[f"r{i}"] for i in (1, 3, 4)] == ["doi:10.1/a", "pmid:2", "pmcid:PMC3"]


def test_references_without_an_id_are_found_by_their_title():
    matches = match_works(
        mentions(), mentions({"doi": "10.1/a", "key": "k"}, {"key": "k"}, {"pmid": "5", "key": "k"})
    )
    assert matches["work"].to_pylist() == ["doi:10.1/a"] * 3
    assert matches["matched_by"].to_pylist() == ["doi", "title", "title"]


def test_a_title_shared_by_two_works_matches_neither():
    work_ids = works(
        mentions(
            {"doi": "10.1/a", "key": "k"}, {"doi": "10.1/b", "key": "k"}, {"key": "k"}, {"key": "k"}
        )
    )
    assert work_ids == {"r0": "doi:10.1/a", "r1": "doi:10.1/b", "r2": "key:k", "r3": "key:k"}


def test_two_dois_are_two_works_even_under_one_title_pmid_and_pmcid():
    same = {"pmid": "1", "pmcid": "PMC1", "key": "k"}
    work_ids = works(mentions({"doi": "10.1/a", **same}, {"doi": "10.1/b", **same}))
    assert work_ids == {"r0": "doi:10.1/a", "r1": "doi:10.1/b"}


def test_an_empty_reference_is_its_own_work():
    matches = match_works(mentions(), mentions({}, {}))
    assert matches["work"].to_pylist() == ["ref:r0", "ref:r1"]
    assert matches["matched_by"].to_pylist() == ["none", "none"]


def test_a_full_text_is_found_by_any_of_its_ids():
    papers = mentions(
        {"id": "doi:10.1/p", "doi": "10.1/p", "pmid": "9", "pmcid": "PMC9", "key": "k"}
    )
    references = mentions({"doi": "10.1/p"}, {"pmid": "9"}, {"pmcid": "PMC9"}, {"key": "k"})
    assert set(works(references, papers).values()) == {"doi:10.1/p"}


@pytest.mark.parametrize(
    ("printed", "decided"),
    [
        ({"doi": "10.1/p"}, "doi"),
        ({"doi": "10.1/p", "pmid": "9"}, "doi"),
        ({"pmid": "9", "pmcid": "PMC9"}, "pmid"),
        ({"pmid": "8", "pmcid": "PMC9"}, "pmcid"),
        ({"pmcid": "PMC9", "key": "k"}, "pmcid"),
        ({"key": "k"}, "title"),
        ({"key": "page-k"}, "page"),
        ({"key": "page-l"}, "page"),
        ({}, "none"),
    ],
)
def test_matched_by_names_the_deciding_field(printed: dict[str, str | None], decided: str):
    papers = mentions(
        {"id": "doi:10.1/p", "doi": "10.1/p", "pmid": "9", "pmcid": "PMC9", "key": "k"},
        {"id": "key:page-k", "key": "page-k"},
    )
    assert match_works(papers, mentions(printed))["matched_by"].to_pylist() == [decided]


def test_matched_by_is_pmid_if_a_full_text_without_doi_matches_by_pmid():
    papers = mentions({"id": "pmid:9", "pmid": "9"})
    references = mentions({"doi": "10.1/q", "pmid": "9"}, {"pmcid": "PMC1", "pmid": "7"})
    assert match_works(papers, references)["matched_by"].to_pylist() == ["pmid", "pmid"]


def test_a_different_doi_excludes_a_full_text_in_spite_of_its_pmid():
    papers = mentions({"id": "doi:10.1/p", "doi": "10.1/p", "pmid": "9"})
    assert works(mentions({"doi": "10.1/q", "pmid": "9"}), papers) == {"r0": "doi:10.1/q"}


def test_a_full_text_without_a_doi_matches_references_with_a_doi():
    papers = mentions({"id": "pmid:9", "pmid": "9"})
    references = mentions({"doi": "10.1/q", "pmid": "9"}, {"pmid": "9"})
    assert set(works(references, papers).values()) == {"pmid:9"}


a_row = st.fixed_dictionaries(
    {
        "doi": st.sampled_from([None, None, "10.1/a", "10.1/b", "10.1/c"]),
        "pmid": st.sampled_from([None, "1", "2"]),
        "pmcid": st.sampled_from([None, None, "PMC1", "PMC2"]),
        "key": st.sampled_from([None, "k", "l", "m"]),
    }
)


@settings(max_examples=50)
@given(st.lists(a_row, max_size=12), st.lists(a_row, max_size=4), st.randoms(use_true_random=False))
def test_matching_does_not_depend_on_order(
    rows: list[dict[str, str | None]], full: list[dict[str, str | None]], rng: random.Random
):
    papers = {work_id(Identifiers(r["doi"], r["pmid"], r["pmcid"]), r["key"]): r for r in full}
    papers.pop(None, None)
    table = mentions(*({**row, "id": own} for own, row in papers.items()))
    references = mentions(*rows)
    before = works(references, table)
    assert works(shuffled(references, rng), shuffled(table, rng)) == before


@settings(max_examples=50)
@given(st.lists(a_row, max_size=12))
def test_two_dois_never_become_one_work(rows: list[dict[str, str | None]]):
    work_ids = works(mentions(*rows))
    assert all(work_ids[f"r{i}"] == f"doi:{row['doi']}" for i, row in enumerate(rows) if row["doi"])


def shuffled(table: pa.Table, rng: random.Random) -> pa.Table:
    return table.take(pa.array(rng.sample(range(table.num_rows), table.num_rows), pa.int64()))


def fuller(**fields: object) -> dict[str, object]:
    empty = {"doi": None, "pmid": None, "title": "", "source": "", "year": None, "et_al": False}
    return {**empty, "surnames": [], "key": None, **fields}


def test_metadata_of_a_work_come_from_the_fullest_reference():
    rows = [
        fuller(id="r0", doi="10.1/a"),
        fuller(id="r1", title="Peas", year=1866, key="k"),
        fuller(id="r2", title="Peas", year=1866, key="k", surnames=["Mendel"]),
        fuller(id="r3", title="Peas", year=1866, key="k", surnames=["Mendel"], et_al=True),
        fuller(id="r4", title="Peas", year=1866, key="k", surnames=["Mendel"]),
        fuller(id="r5"),
    ]
    references = pa.Table.from_pylist(rows)
    references = references.append_column("work", [["w"] * 5 + ["v"]])
    best = dict(zip(*(c.to_pylist() for c in representative(references)), strict=True))
    assert best == {"w": 2, "v": 5}


def test_metadata_of_a_work_follow_the_majority_of_references():
    rows = [
        fuller(id="r0", title="Peas and", year=1867, surnames=["Mendel", "Nobody"], key="odd"),
        fuller(id="r1", title="Peas", year=1866, key="k"),
        fuller(id="r2", title="Peas", year=1866, surnames=["Mendel"], key="k"),
        fuller(id="r3", source="J. Peas", key="page-1"),
        fuller(id="r4", source="J. Peas", key="page-1"),
        fuller(id="r5", source="J. Peas", key="page-1"),
    ]
    references = pa.Table.from_pylist(rows).append_column("work", [["w"] * 6])
    assert representative(references)["row"].to_pylist() == [2]


def test_an_entry_with_a_wrong_doi_attracts_no_references():
    """Example: Pritchard 2000 and Falush 2007 in the crops corpus."""
    work_ids = works(
        mentions(
            {"doi": "10.1/falush", "pmid": "1", "key": "pritchard"},  # the wrong DOI
            {"doi": "10.1/falush", "pmid": "2", "key": "falush"},
            *[{"pmid": "1", "key": "pritchard"}] * 3,
            {"key": "pritchard"},
        )
    )
    assert set(work_ids.values()) == {"doi:10.1/falush", "pmid:1"}
    assert [work_ids[f"r{i}"] for i in range(2, 6)] == ["pmid:1"] * 4


def test_a_title_matches_the_work_that_usually_has_it():
    usual = [{"doi": "10.1/a", "key": "a"}] * 2
    wrong = {"doi": "10.1/a", "key": "x"}
    lone = mentions(*usual, wrong, {"key": "a"}, {"key": "x"})
    assert [works(lone)[r] for r in ("r3", "r4")] == ["doi:10.1/a", "key:x"]
    twice = mentions(*usual, wrong, wrong, {"key": "x"})
    assert works(twice)["r4"] == "doi:10.1/a"


def test_a_full_text_keeps_its_own_title():
    paper = mentions({"id": "doi:10.1/a", "doi": "10.1/a", "key": "a"})
    references = mentions({"doi": "10.1/a", "key": "x"}, {"key": "x"}, {"key": "a"})
    work_ids = works(references, paper)
    assert work_ids == {"r0": "doi:10.1/a", "r1": "key:x", "r2": "doi:10.1/a"}
