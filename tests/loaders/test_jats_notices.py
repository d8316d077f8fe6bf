"""Notices of retraction and correction in JATS articles."""

from __future__ import annotations

import pytest

from citescape.core.types import Identifiers, Notice
from tests.loaders.articles import element_ref, read

OWN = Identifiers(doi="10.1038/srep47003")
WORK = Identifiers(doi="10.1038/srep22241")
DATE = "<pub-date><day>16</day><month>07</month><year>2018</year></pub-date>"
RETRACTION = 'article-type="retraction"'


def related(kind: str, href: str = "10.1038/SREP22241", link: str = "doi") -> str:
    return (
        f'<related-article related-article-type="{kind}" ext-link-type="{link}" '
        f'xlink:href="{href}"/>'
    )


def notices(meta: str, root: str = "", back: str = "<ref-list/>") -> tuple[Notice, ...]:
    own = f'<article-id pub-id-type="doi">{OWN.doi}</article-id>{DATE}'
    return read(meta=own + meta, root=root, back=back).notices


def test_a_retraction_as_a_publisher_writes_it() -> None:
    """The notice 10.1038/srep47003 of Scientific Reports."""
    expected = Notice("retraction", "notice", WORK, OWN, "2018-07-16")
    assert notices(related("retracted-article"), RETRACTION) == (expected,)


@pytest.mark.parametrize(
    ("article_type", "relation", "kind", "source"),
    [
        ("correction", "corrected-article", "correction", "notice"),
        ("addendum", "addended-article", "correction", "notice"),
        ("expression-of-concern", "object-of-concern", "concern", "notice"),
        ("partial-retraction", "retracted-article", "partial-retraction", "notice"),
        ("partial-retraction", "partial-retraction", "partial-retraction", "notice"),
        ("research-article", "retraction-forward", "retraction", "work"),
        ("research-article", "correction-forward", "correction", "work"),
        ("research-article", "addendum", "correction", "work"),
        ("research-article", "expression-of-concern", "concern", "work"),
        ("research-article", "partial-retraction", "partial-retraction", "work"),
    ],
)
def test_relations_name_the_work_or_the_notice(
    article_type: str, relation: str, kind: str, source: str
) -> None:
    (notice,) = notices(related(relation), f'article-type="{article_type}"')
    assert (notice.kind, notice.stated_by) == (kind, source)
    ends = (notice.work, notice.notice)
    assert ends == ((WORK, OWN) if source == "notice" else (OWN, WORK))
    assert notice.date == ("2018-07-16" if source == "notice" else "")


@pytest.mark.parametrize(
    "relation", ["companion", "commentary-article", "peer-reviewed-article", "", "x"]
)
def test_other_relations_are_no_notices(relation: str) -> None:
    assert notices(related(relation), RETRACTION) == ()


@pytest.mark.parametrize(
    ("href", "link", "work"),
    [
        ("https://doi.org/10.1038/srep22241", "uri", WORK),
        ("26052337", "pubmed", Identifiers(pmid="26052337")),
        ("https://pubmed.ncbi.nlm.nih.gov/26052337/", "uri", Identifiers(pmid="26052337")),
        ("PMC6046855", "pmc", Identifiers(pmcid="PMC6046855")),
        ("6046855", "pmcid", Identifiers(pmcid="PMC6046855")),
    ],
)
def test_ids_of_every_kind_of_link(href: str, link: str, work: Identifiers) -> None:
    (notice,) = notices(related("retracted-article", href, link), RETRACTION)
    assert notice.work == work


def test_a_relation_that_is_repeated_counts_once() -> None:
    assert len(notices(2 * related("corrected-article"), 'article-type="correction"')) == 1


@pytest.mark.parametrize(
    ("meta", "reason"),
    [
        ('<related-article related-article-type="retracted-article"/>', "notice-without-id"),
        (related("retracted-article", ""), "notice-without-id"),
        (related("retracted-article", "javascript:alert(1)", "uri"), "notice-without-id"),
        (related("retracted-article", "x" * 99_999, "pubmed"), "notice-without-id"),
        (related("retracted-article", "https://doi.org/10.1038/srep47003"), "notice-of-itself"),
    ],
)
def test_unusable_relations_are_counted(meta: str, reason: str) -> None:
    own = f'<article-id pub-id-type="doi">{OWN.doi}</article-id>'
    paper = read(meta=own + meta, root=RETRACTION)
    assert paper.notices == ()
    assert paper.losses.notes == {reason: 1}


def test_relations_of_sub_articles_and_of_the_text_are_not_read() -> None:
    inside = f"<p>{related('retracted-article')}</p>"
    after = f"<sub-article><front-stub>{related('retracted-article')}</front-stub></sub-article>"
    assert read(inside, after=after, root=RETRACTION).notices == ()


def printed(text: str, ids: str = '<pub-id pub-id-type="pmid">22854406</pub-id>') -> str:
    comment = (
        f"<article-title>Golden Rice</article-title><year>2012</year><comment>{text}</comment>"
    )
    return f"<ref-list>{element_ref(1, comment + ids)}</ref-list>"


def test_a_retraction_that_a_reference_list_prints() -> None:
    """As PubMed prints it, in reference 39 of 10.1093/advances/nmy036."""
    text = "Retraction in: Tang G, Hu Y. Am J Clin Nutr 2015;102:715"
    work = Identifiers(pmid="22854406")
    expected = Notice("retraction", "reference", work, Identifiers(), "2015")
    assert notices("", back=printed(text)) == (expected,)


def test_several_notices_in_one_entry() -> None:
    text = "Erratum in: J Bone 1999;81:296. Expression of Concern in: J Bone 2003;85:2."
    found = [(notice.kind, notice.date) for notice in notices("", back=printed(text))]
    assert found == [("correction", "1999"), ("concern", "2003")]


@pytest.mark.parametrize(
    "back",
    [
        printed("Retraction in: J 2015", ids=""),
        printed("Retraction in muscles of rats 2015"),
        printed("Corrigendum to: retraction"),
    ],
)
def test_entries_without_id_or_notice(back: str) -> None:
    assert notices("", back=back) == ()
