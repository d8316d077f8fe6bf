from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from citescape.core.errors import ConfigError
from citescape.recommend.lcr.config import TEST, TRAIN, VALIDATION
from citescape.recommend.lcr.split import check_year, count_others, count_parts, split_by_year
from citescape.recommend.steps import BenchmarkLcr
from tests.recommend.lcr.libraries import make_library


def years(library: object, contexts: object) -> set[str]:
    dates = dict(zip(*(library.papers[name].to_pylist() for name in ("id", "date")), strict=True))  # type: ignore[attr-defined]
    return {dates[id_][:4] for id_ in contexts.citing.to_pylist()}  # type: ignore[attr-defined]


def test_the_last_year_is_the_test_split() -> None:
    library = make_library()
    year, parts = split_by_year(library, BenchmarkLcr(validation=0.2))
    assert year == 2019
    assert years(library, parts[TEST]) == {"2019"}
    assert years(library, parts[TRAIN]) | years(library, parts[VALIDATION]) == {
        "2016",
        "2017",
        "2018",
    }


def test_papers_after_the_test_year_are_left_out() -> None:
    library = make_library()
    year, parts = split_by_year(library, BenchmarkLcr(year=2018))
    assert year == 2018
    assert not {"2019"} & set.union(*(years(library, part) for part in parts.values()))


def test_each_paper_is_in_exactly_one_part() -> None:
    library = make_library()
    _, parts = split_by_year(library, BenchmarkLcr(validation=0.3, seed=5))
    papers = [id_ for part in parts.values() for id_ in part.citing.to_pylist()]
    assert sorted(papers) == library.contexts.citing.to_pylist()
    assert count_parts(parts)[VALIDATION]["papers"] == round(0.3 * 18)


def test_years_are_checked_before_sentences_are_read() -> None:
    for year in (0, 2017, 2019):
        check_year(BenchmarkLcr(year=year), [2016, 2017, 2019])
    check_year(BenchmarkLcr(year=2019), [])  # without full texts the year is not checked
    for year in (1950, 2016, 2018):
        with pytest.raises(ConfigError, match=f"from {year}, or none is older; .* 2016 to 2019"):
            check_year(BenchmarkLcr(year=year), [2016, 2017, 2019])


def test_excluded_full_texts_are_counted_by_reason() -> None:
    library = replace(make_library(), full_texts=30)
    ids, dates = (library.papers[name].to_pylist() for name in ("id", "date"))
    changed_dates = [
        "" if id_ in ("q00", "q01") else date for id_, date in zip(ids, dates, strict=True)
    ]
    papers = library.papers.set_column(3, "date", pa.array(changed_dates))
    library = replace(library, papers=papers)
    year, parts = split_by_year(library, BenchmarkLcr(year=2018, validation=0.2))
    others = count_others(library, parts, year)
    assert others == {
        "no_sentence": 30 - 24,
        "no_date": 2,
        "later": 6,
        "other_types": 0,
    }  # 2019: q03, q07, ...
    assert sum(others.values()) + sum(len(part.citing) for part in parts.values()) == 30


def test_papers_of_other_types_are_for_training_only() -> None:
    library = replace(make_library(), full_texts=24)
    citing = library.contexts.citing.to_pylist()
    queries = np.array([k % 3 > 0 for k in range(len(citing))])
    others = {id_ for id_, own in zip(citing, queries, strict=True) if not own}
    year, parts = split_by_year(library, BenchmarkLcr(validation=0.3), queries)
    assert year == 2019
    assert (
        not {id_ for name in (TEST, VALIDATION) for id_ in parts[name].citing.to_pylist()} & others
    )
    assert len(parts[VALIDATION].citing) == round(0.3 * 12)  # q00, q03, ... are of other types
    older = {id_ for id_ in others if int(id_[1:]) % 4 != 3}
    assert older <= set(parts[TRAIN].citing.to_pylist())
    assert count_others(library, parts, year)["other_types"] == len(others - older) > 0


def test_the_last_year_has_query_papers() -> None:
    library = make_library()
    citing = library.contexts.citing.to_pylist()
    queries = np.array([int(id_[1:]) % 4 < 3 for id_ in citing])  # none of 2019
    assert split_by_year(library, BenchmarkLcr(), queries)[0] == 2018


def test_seeds_select_other_validation_papers() -> None:
    library = make_library()
    drawn = [
        split_by_year(library, BenchmarkLcr(validation=0.3, seed=seed))[1][VALIDATION].citing
        for seed in (0, 0, 1)
    ]
    assert drawn[0].equals(drawn[1])
    assert not drawn[0].equals(drawn[2])


@pytest.mark.parametrize("year", [2016, 2030, 1900])
def test_a_year_without_earlier_or_own_papers_is_refused(year: int) -> None:
    with pytest.raises(ConfigError, match=f"papers of {year}.*expected some of both.*2016 to 2019"):
        split_by_year(make_library(), BenchmarkLcr(year=year))


@pytest.mark.parametrize(
    "settings", [{"year": -1}, {"validation": 1.0}, {"protocol": "none"}, {"candidates": "some"}]
)
def test_invalid_settings_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match="expected"):
        BenchmarkLcr(**settings)  # type: ignore[arg-type]
