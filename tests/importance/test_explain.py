"""Explanations: terms add up to the stored score; papers are found by any identifier."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from citescape.core.errors import ConfigError
from citescape.importance.config import Weighting
from citescape.importance.explain import Mention, explain
from citescape.importance.score import score
from citescape.papers.identify import find_paper
from citescape.store.graph_store import GraphStore

per_store = settings(
    max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@per_store
@given(data=st.data(), options=st.sampled_from(("R entropy", "both entropy", "both uniform")))
def test_terms_sum_to_the_stored_score(
    data: st.DataObject,
    options: str,
    small_graphs: Any,
    load: Any,
    fresh_store: Callable[[], GraphStore],
    tmp_path: Path,
) -> None:
    graph = data.draw(small_graphs)
    store = load(fresh_store(), graph)
    combined, weights = options.split()
    try:
        score(
            store,
            Weighting(
                combined=combined,
                weights=weights,
                features="I,M,R,D,S,T",
                title_encoder="hashed-words",
            ),
            runs=tmp_path,
        )
    except ConfigError as error:
        assume("varies" not in str(error))
        raise
    for i, j in graph.pairs:
        explanation = explain(store, graph.id(i), graph.id(j))
        assert math.fsum(term.product for term in explanation.terms) == explanation.score
        assert all(term.product == term.weight * term.value for term in explanation.terms)
        assert len(explanation.occurrences) == sum(pair == (i, j) for pair, _, _ in graph.mentions)
        authors = [{a for a, paper in graph.wrote if paper == p} for p in (i, j)]
        assert set(explanation.shared_authors) == {f"Author {a}" for a in authors[0] & authors[1]}
        unmentioned = "the text never mentions this reference: all section counts are 0"
        assert (unmentioned in explanation.notes) == (not explanation.occurrences)
        alone = bool(explanation.score) and all(
            t.product == 0 for t in explanation.terms if t.component != "S"
        )
        assert any("self-citation alone" in note for note in explanation.notes) == alone


@pytest.fixture
def three(store: GraphStore, load: Any, make_graph: Any) -> GraphStore:
    """Paper 0 cites 1 (twice) and 2 (never in the text), 2 cites 0; all by author 0."""
    mentions = (((0, 1), "D", False), ((0, 1), "I", False))
    wrote = ((0, 0), (0, 1), (1, 2))
    titles = {0: "On rust", 1: "Wheat yields", 2: "Wheat " * 30}
    load(store, make_graph(3, ((0, 1), (0, 2), (2, 0)), mentions, wrote, titles))
    return store


P0, P1, P2 = (f"doi:10.1234/p{k}" for k in range(3))


def test_content_of_an_explanation(three: GraphStore, tmp_path: Path) -> None:
    result = score(
        three, Weighting(weights={"I": 0.2, "R": 0.3, "D": 0.4, "S": 0.1}), runs=tmp_path
    )
    explanation = explain(three, P0, P1)
    assert (explanation.citing.title, explanation.cited.id, explanation.run) == (
        "On rust",
        P1,
        result.run,
    )
    assert [(t.component, t.value, t.weight) for t in explanation.terms] == [
        ("I", 1.0, 0.2),
        ("R", 0.0, 0.3),
        ("D", 1.0, 0.4),
        ("S", 1.0, 0.1),
    ]
    assert explanation.score == math.fsum([0.2, 0.4, 0.1])
    assert explanation.shared_authors == ("Author 0",)
    assert explanation.occurrences == (
        Mention("Section 0", "D", False, "Text 0.", None, ("D",)),
        Mention("Section 1", "I", False, "Text 1.", None, ("I",)),
    )


def test_a_score_from_self_citation_alone_is_noted(three: GraphStore, tmp_path: Path) -> None:
    score(three, Weighting(features="M,S", weights={"M": 0.5, "S": 0.5}), runs=tmp_path)
    explanation = explain(three, P0, P1)
    assert explanation.score == 0.5
    assert [mention.counts_in for mention in explanation.occurrences] == [(), ()]
    assert explanation.notes == (
        "the score comes from self-citation alone: no citation in the text counts",
    )
    score(three, Weighting(features="I,S", weights={"I": 0.5, "S": 0.5}), runs=tmp_path)
    assert explain(three, P0, P1).notes == ()


def test_halves_of_combined_sections_move_from_r_to_d(
    store: GraphStore, load: Any, make_graph: Any, tmp_path: Path
) -> None:
    mentions = (*[((0, 1), "R", True)] * 3, ((0, 1), "D", False))
    load(store, make_graph(2, ((0, 1),), mentions))
    score(
        store,
        Weighting(combined="both", features="R,D", weights={"R": 1.0, "D": 10.0}),
        runs=tmp_path,
    )
    explanation = explain(store, P0, P1)
    assert [(t.component, t.value) for t in explanation.terms] == [("R", 3 / 2), ("D", 1 + 3 / 2)]
    assert explanation.score == 3 / 2 * 1.0 + (1 + 3 / 2) * 10.0
    assert sorted(m.counts_in for m in explanation.occurrences) == [("D",), *[("R", "D")] * 3]
    assert explanation.notes == ()


def test_unscored_pairs_are_reported(three: GraphStore) -> None:
    explanation = explain(three, P0, P2)
    assert (explanation.score, explanation.terms, explanation.run) == (None, (), None)
    assert explanation.notes[0] == f"not scored yet: run `platform score --store {three.location}`"


def test_a_graph_that_changed_after_scoring_is_noted(three: GraphStore, tmp_path: Path) -> None:
    run = score(three, runs=tmp_path).run
    three.write("MATCH (s:Section {title: 'Section 0'}) DETACH DELETE s")
    assert explain(three, P0, P1).notes == (
        f"the graph changed after run {run}, so that the score is out of date: "
        f"run `platform score --store {three.location}`",
    )


def test_authors_that_changed_after_scoring_are_noted(three: GraphStore, tmp_path: Path) -> None:
    score(three, runs=tmp_path)
    assert explain(three, P0, P1).notes == ()
    three.write("MATCH (:Author)-[w:WROTE]->(:Paper {id: $id}) DELETE w", id=P1)
    assert [note.partition(" run ")[0] for note in explain(three, P0, P1).notes] == [
        "the graph changed after"
    ]


def test_an_interrupted_scoring_is_noted(three: GraphStore, tmp_path: Path) -> None:
    run = score(three, runs=tmp_path).run
    three.write("MATCH (r:Run) DELETE r")
    explanation = explain(three, P0, P1)
    assert explanation.terms == ()
    assert explanation.notes == (
        f"run {run} was interrupted before it was complete: "
        f"run `platform score --store {three.location}` again",
    )


IDENTIFIERS = [
    "doi:10.1234/p1",
    "10.1234/p1",
    " 10.1234/P1 ",
    "https://doi.org/10.1234/p1",
    "PMC123456",
    "pmc123456",
    "pmcid:PMC123456",
    "123456",
    "pmid:777",
    "PMID: 777",
    "777",
    "https://pubmed.ncbi.nlm.nih.gov/777/",
    "https://www.ncbi.nlm.nih.gov/pubmed/777",
    "https://europepmc.org/article/MED/777",
    "https://www.ncbi.nlm.nih.gov/pmc/articles/PMC123456/",
    "https://pmc.ncbi.nlm.nih.gov/articles/PMC123456/",
    "https://europepmc.org/article/PMC/PMC123456",
    "https://europepmc.org/articles/pmc123456",
]


def test_any_identifier_finds_the_paper(three: GraphStore) -> None:
    three.write("MATCH (p:Paper {id: $id}) SET p.pmid = '777', p.pmcid = 'PMC123456'", id=P1)
    result = {text: find_paper(three, text).id for text in IDENTIFIERS}
    assert result == dict.fromkeys(IDENTIFIERS, P1)


def test_a_number_that_matches_two_papers(three: GraphStore) -> None:
    three.write("MATCH (p:Paper {id: $id}) SET p.pmid = '4711'", id=P0)
    three.write("MATCH (p:Paper {id: $id}) SET p.pmcid = 'PMC4711'", id=P1)
    with pytest.raises(ConfigError, match=rf"'4711' is ambiguous .*{P0}.*{P1}"):
        find_paper(three, "4711")
    assert find_paper(three, "PMC4711").id == P1
    assert find_paper(three, "pmid:4711").id == P0


def test_an_unknown_paper_with_similar_ones(three: GraphStore) -> None:
    with pytest.raises(ConfigError, match=r"no paper 'WHEAT' in .*similar: .*p1 \"Wheat yields\""):
        find_paper(three, "WHEAT")
    with pytest.raises(ConfigError, match=r"\"Wheat Wheat [Wheat ]*…\"$"):
        find_paper(three, "wheat wheat")


def test_an_unknown_paper(three: GraphStore) -> None:
    for text in ("", "10.1234/nothing-7", "PMC1", "pmid:0", "%", "'"):
        with pytest.raises(
            ConfigError, match=r"expected the id of a paper, a DOI, PMID or PMCID; check"
        ):
            find_paper(three, text)


def test_a_missing_pair_is_reported(three: GraphStore) -> None:
    for citing, cited, message in (
        (P1, P2, "cites nothing in .*: check that its full text is loaded"),
        (P1, P0, "does not cite .* but is cited by it: swap the two papers"),
        (P2, P1, f"does not cite .*; it cites 1 work, first of all: {P0}"),
    ):
        with pytest.raises(ConfigError, match=message):
            explain(three, citing, cited)


def test_a_retracted_work_is_cited_before_or_after_the_notice(three: GraphStore) -> None:
    """By the dates of the citing paper and of the notice."""
    pair = three.read("MATCH (a:Paper)-[:CITES]->(b:Paper) RETURN a.id AS a, b.id AS b LIMIT 1")
    (ends,) = pair.to_pylist()
    assert explain(three, ends["a"], ends["b"]).notice is None
    three.write(
        "MATCH (b:Paper {id: $b}) SET b.notice = 'retracted', b.notice_date = '2015-07-29', "
        "b.notice_year = 2015, b.notice_doi = '10.1/n', b.notice_source = 'table'",
        b=ends["b"],
    )
    for date, timing in (("2014", "before"), ("2015", "same"), ("2016-08-01", "after")):
        three.write("MATCH (a:Paper {id: $a}) SET a.date = $date", a=ends["a"], date=date)
        found = explain(three, ends["a"], ends["b"])
        assert found.notice is not None
        assert (found.notice.timing, found.notice.doi) == (timing, "10.1/n")
    shown = " ".join(str(found).split())
    assert "notice the cited work was retracted on 2015-07-29 (according to a table" in shown
    assert "notice 10.1/n; " in shown
    assert "1 year after the retraction (2015-07-29)" in shown
