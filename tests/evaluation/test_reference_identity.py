"""Hidden ids of references: what is measured, and how it is shown."""

from __future__ import annotations

import pyarrow as pa
import pytest

from citescape.core.errors import ConfigError
from citescape.evaluation.reference_identity import evaluate_references
from citescape.runs.result import to_text
from tests.ingest.test_similar_works import PAPERS, REFERENCES, Row, entry, text

WORDS = ("rice", "wheat", "maize", "millet", "barley", "oats", "sorghum", "teff", "rye", "spelt")
NO_PAPERS = PAPERS.empty_table()


def table(rows: list[Row]) -> pa.Table:
    listed = [{"id": f"r{n:02}", "paper": f"p{n}", **row} for n, row in enumerate(rows)]
    return pa.Table.from_pylist(listed, REFERENCES.append(pa.field("paper", pa.string())))


def crop(word: str, **fields: object) -> Row:
    doi = f"10.1/{WORDS.index(word) + 1}"
    title = f"The yield of {word} in wet years and in dry years"
    place = str(WORDS.index(word) + 10)
    return entry(**{"title": title, "doi": doi, "page": place, "surnames": [word], **fields})


def test_all_entries_of_known_works_are_found() -> None:
    rows = [crop(word) for word in WORDS for _ in range(8)]
    result = evaluate_references(NO_PAPERS, table(rows), hide=0.3)
    exact, alike = result.ways
    assert result.hidden == result.findable == exact.own == alike.own > 10
    assert exact.recall.mean == pytest.approx(1)
    assert alike.precision.mean == pytest.approx(1)
    assert not result.errors.num_rows
    assert "also printed elsewhere" in to_text(result.summarise())


def test_titles_in_other_words_need_more_than_the_key() -> None:
    """With all DOIs hidden but one, each entry finds the work by the other entries."""
    rows = [crop(word, title=f"Yield of {word} in wet years and dry years {'x' * n}")
            for word in WORDS for n in range(6)]  # fmt: skip
    exact, alike = evaluate_references(NO_PAPERS, table(rows), hide=0.3).ways
    assert exact.recall.mean == 0
    assert alike.recall.mean == pytest.approx(1)
    assert alike.precision.mean == pytest.approx(1)


def test_another_work_is_an_error_and_listed() -> None:
    """Half of the entries of one work print the DOI of another."""
    rows = [crop("rice", doi=f"10.1/{1 + n % 2}") for n in range(12)]
    result = evaluate_references(NO_PAPERS, table(rows), hide=0.2, seed=1)
    alike = result.ways[1]
    assert alike.own + alike.other == result.hidden
    assert result.errors.num_rows == alike.other
    assert result.arrow.num_rows == 4


def test_entries_with_nothing_but_ids_are_left_out() -> None:
    bare = {**text("10.1/1"), "doi": "10.1/1"}
    result = evaluate_references(NO_PAPERS, table([bare, crop("rice")]), hide=1)
    assert (result.hidden, result.bare) == (2, 1)


def test_lists_without_dois_are_refused() -> None:
    with pytest.raises(ConfigError, match="no reference has a DOI"):
        evaluate_references(NO_PAPERS, table([entry()]))
