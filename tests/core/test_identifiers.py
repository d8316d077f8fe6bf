"""Normal forms of identifiers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.core.identifiers import (
    arxiv_in_text,
    normalise_doi,
    normalise_orcid,
    normalise_pmcid,
    normalise_pmid,
    normalise_year,
    pmcid_in_link,
    pmcid_in_text,
    pmid_in_link,
    pmid_in_text,
)


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        ("10.1000/ABC", None),
        ("10.1000/ABC1", "10.1000/abc1"),
        ("https://doi.org/10.1000/abc1.", "10.1000/abc1"),
        ("doi: 10.1000/abc1;", "10.1000/abc1"),
        ("http://dx.doi.org/10.1000%2Fabc1", "10.1000/abc1"),
        ("10.1016/S0140-6736(05)67889-0", "10.1016/s0140-6736(05)67889-0"),
        ("(10.1000/abc1)", "10.1000/abc1"),
        (
            "10.1002/(SICI)1097-0010(199901)79:1<1::AID-JSFA1>3.0.CO;2-9.",
            "10.1002/(sici)1097-0010(199901)79:1<1::aid-jsfa1>3.0.co;2-9",
        ),
        ("10.1002/(SICI)1097-0010(199901)79:1", None),
        ("10.1002/(SICI)1097-0010(199901)79:1<1::AID", None),
        ("https://a.org/doi/10.3389/fpls.2016.00001/full", "10.3389/fpls.2016.00001"),
        ("10.3389/fpls.2016.00001/abstract.", "10.3389/fpls.2016.00001"),
        ("https://a.org/10.1007/s10681-016-1.pdf", "10.1007/s10681-016-1"),
        ("https://a.org/10.1111/pbi.12345.full.pdf", "10.1111/pbi.12345"),
        ("https://www.biorxiv.org/content/10.1101/123456v2.full.pdf+html", "10.1101/123456"),
        ("10.1101/2020.01.02.123456v1", "10.1101/2020.01.02.123456"),
        ("10.1101/gr.123456v1", "10.1101/gr.123456v1"),
        ("10.1371/journal.pone.", None),
        ("10.1371/journal.pgen.1002869.t001", "10.1371/journal.pgen.1002869"),
        ("https://doi.org/10.1371/journal.pone.0012345.G012", "10.1371/journal.pone.0012345"),
        ("10.1371/journal.pbio.1000001.s003.", "10.1371/journal.pbio.1000001"),
        ("10.1371/journal.pone.0012345", "10.1371/journal.pone.0012345"),
        ("10.1371/journal.pone.0012345.r001", "10.1371/journal.pone.0012345.r001"),
        ("10.1234/journal.pone.0012345.t001", "10.1234/journal.pone.0012345.t001"),
        ("https://doi.org/10.1371/journal.pone.0012345#s2", "10.1371/journal.pone.0012345"),
        ("10.1371/journal.pone.0012345#pone-0012345-g001", "10.1371/journal.pone.0012345"),
        (
            "10.1002/(SICI)1097-0010(199901)79:1<1::AID-JSFA1>3.0.CO;2-#",
            "10.1002/(sici)1097-0010(199901)79:1<1::aid-jsfa1>3.0.co;2-#",
        ),
        ("10.12/abc1", None),
        ("10.1000/" + "a1" * 200, "10.1000/" + "a1" * 200),
        ("10.1000/" + "a1" * 2000, None),
        ("10.1000/1" + ")" * 1_000_000, None),
        ("", None),
        (None, None),
    ],
)
def test_doi(text: str | None, doi: str | None) -> None:
    assert normalise_doi(text) == doi


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        ("10.1000/ABC.", "10.1000/abc"),
        ("10.1000/abc1", "10.1000/abc1"),
        ("10.1000/.", None),
        ("10.1000/abc1/full", "10.1000/abc1/full"),
    ],
)
def test_a_whole_doi_needs_no_digit(text: str, doi: str | None) -> None:
    assert normalise_doi(text, whole=True) == doi


@pytest.mark.parametrize(
    ("text", "pmid"),
    [("12345", "12345"), (" PMID: 12345 ", "12345"), ("0012", "12"), ("0", None),
     ("123456789", None), ("12a", None), ("١٢٣", None), (None, None)],
)  # fmt: skip
def test_pmid(text: str | None, pmid: str | None) -> None:
    assert normalise_pmid(text) == pmid


@pytest.mark.parametrize(
    ("text", "pmcid"),
    [("6338940", "PMC6338940"), ("PMC6338940", "PMC6338940"), ("pmc6338940.1", "PMC6338940"),
     ("PMC12", None), ("x", None), ("", None)],
)  # fmt: skip
def test_pmcid(text: str, pmcid: str | None) -> None:
    assert normalise_pmcid(text) == pmcid


@pytest.mark.parametrize(
    ("text", "orcid"),
    [
        ("0000-0002-1825-0097", "0000-0002-1825-0097"),
        ("https://orcid.org/0000-0001-5109-3700", "0000-0001-5109-3700"),
        ("http://orcid.org/000000021694233x", "0000-0002-1694-233X"),
        ("0000-0002-1825-0098", None),
        ("0000-0002-1825", None),
        (None, None),
    ],
)
def test_orcid_needs_its_check_digit(text: str | None, orcid: str | None) -> None:
    assert normalise_orcid(text) == orcid


@pytest.mark.parametrize(
    ("text", "year"),
    [("2005", 2005), ("2005a", 2005), ("in press", None), ("c. 1895", 1895), ("12005", None),
     ("1499", None), ("2100", None), ("", None), (None, None)],
)  # fmt: skip
def test_year(text: str | None, year: int | None) -> None:
    assert normalise_year(text) == year


def test_ids_as_links_and_as_printed() -> None:
    assert pmid_in_link("https://pubmed.ncbi.nlm.nih.gov/30123456/") == "30123456"
    assert pmid_in_link("https://www.ncbi.nlm.nih.gov/pubmed/30123456") == "30123456"
    assert pmid_in_link("https://www.ncbi.nlm.nih.gov/gene/30123456") is None
    assert pmcid_in_link("https://europepmc.org/articles/PMC4578774") == "PMC4578774"
    assert pmcid_in_link("https://example.org/PMC4578774") is None
    assert pmid_in_text("Rice. PMID: 30123456.") == "30123456"
    assert pmid_in_text("Rice. PMCID: PMC4578774.") is None
    assert pmcid_in_text("PubMed Central PMCID: PMCPMC4578774.") == "PMC4578774"


@pytest.mark.parametrize(
    ("text", "id_"),
    [
        ("Lee. Zeros. arXiv preprint arXiv:2112.14729, 2021.", "2112.14729"),
        ("Lee. Zeros, 2021. [Online]. https://arxiv.org/abs/2112.14729v2", "2112.14729"),
        ("Lee, arXiv e-prints, arXiv:2112.14729. https://arxiv.org/abs/2112.14729", "2112.14729"),
        ("He, K. CoRR abs/1512.03385 (2015)", "1512.03385"),
        ("Neitzke [arXiv:hep-th/0402128].", "hep-th/0402128"),
        ("Sela, arXiv:math.GR/0108036", "math/0108036"),
        ("Lee. ArXiv, 2019.", None),
        ("arXiv 2098.1125", None),  # no month
        ("Ann. Appl. Probab. 1098.1125", None),
        ("arxiv" + "-" * 1_000_000, None),
        ("", None),
    ],
    ids=lambda value: None if value is None else value[:60],
)
def test_printed_arxiv_ids(text: str, id_: str | None) -> None:
    assert arxiv_in_text(text) == id_


@given(st.text())
def test_normalising_twice_changes_nothing(text: str) -> None:
    for normalise in (normalise_doi, normalise_pmid, normalise_pmcid, normalise_orcid):
        normalised = normalise(text)
        assert normalised is None or normalise(normalised) == normalised


@given(st.from_regex(r"10\.[0-9]{4,9}/[a-z0-9._()-]*[0-9]", fullmatch=True))
def test_any_doi_is_found_in_its_address(doi: str) -> None:
    assert normalise_doi(f"https://doi.org/{doi.upper()}") == normalise_doi(doi)
