"""Hidden ORCIDs: what is measured, and how it is shown."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from citescape.core.errors import ConfigError
from citescape.demo.by_lines import build_by_lines, label_signatures
from citescape.demo.world import generate_world
from citescape.evaluation.author_identity import evaluate_authors
from citescape.ingest.authors import neighbourhood_authors
from citescape.metrics.clusterings import count_clusters, measure_clusters
from citescape.runs.result import to_text
from tests.ingest.papers import ORCID, OTHER_ORCID
from tests.ingest.test_authors import CITES, Names, by_lines

NO_CITATIONS = pa.Table.from_pylist([], CITES)
CO = ("Blackwood", "J R")
LINES: dict[str, Names] = {
    "p": [("Rarity", "Ann", ORCID), CO],
    "q": [("Rarity", "Ann", ORCID), CO],
    "r": [("Rarity", "Ann", OTHER_ORCID)],
}


def test_orcids_are_hidden_and_found_again() -> None:
    result = evaluate_authors(by_lines(LINES), NO_CITATIONS)
    every = result.groups[0]
    assert (every.signatures, every.people, every.pairs, result.hidden) == (3, 2, 1, 2)
    assert every.measures["pairwise F1"].mean == every.measures["B-cubed F1"].mean == 1
    assert "3 signatures of 2 people" in to_text(result.summarise())


def test_a_resolver_that_reads_orcids_gains_nothing() -> None:
    def by_orcid(papers: pa.Table, cites: pa.Table) -> pa.Table:
        resolved = neighbourhood_authors(papers, cites)
        places = pa.array([f"{i}" for i in range(resolved.num_rows)])
        own = pc.coalesce(resolved["orcid"], places)
        at = resolved.schema.get_field_index("author")
        return resolved.set_column(at, "author", own)

    hidden = evaluate_authors(by_lines(LINES), NO_CITATIONS, resolver=by_orcid)
    assert hidden.groups[0].measures["pairwise recall"].mean == 0


def test_an_orcid_beside_two_names_of_a_by_line_is_left_out() -> None:
    lines = {**LINES, "s": [("Wu", "Li", OTHER_ORCID), ("Wu", "Hao", OTHER_ORCID)]}
    result = evaluate_authors(by_lines(lines), NO_CITATIONS)
    assert (result.excluded, result.groups[0].people) == (1, 1)


def test_initials_hide_that_full_names_differ() -> None:
    lines: dict[str, Names] = {
        "p": [("Rarity", "Ann", ORCID), CO],
        "q": [("Rarity", "Amy", OTHER_ORCID), CO],
    }
    precision = [
        evaluate_authors(by_lines(lines), NO_CITATIONS, initials=share)
        .groups[0]
        .measures["B-cubed precision"]
        .mean
        for share in (0, 1)
    ]
    assert precision == [1, 0.5]


def test_a_corpus_without_orcids_is_refused() -> None:
    with pytest.raises(ConfigError, match="no by-line has an ORCID"):
        evaluate_authors(by_lines({"p": [("Rarity", "A")]}), NO_CITATIONS)


def test_people_of_a_generated_world_are_found() -> None:
    generated = build_by_lines(generate_world(papers=120, seed=2))
    resolved = neighbourhood_authors(generated.papers, generated.cites)
    found = measure_clusters(count_clusters(*label_signatures(generated, resolved)))
    assert min(interval.mean for interval in found.values()) > 0.9
    result = evaluate_authors(generated.papers, generated.cites, hide=0.5)
    assert result.groups[0].measures["B-cubed F1"].mean > 0.9
    assert result.arrow.num_rows == 4 * len(found)
