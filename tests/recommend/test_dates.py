from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.recommend.dates import EVER, NEVER, Dates

DAYS = [f"{y}-{m:02d}-{d:02d}" for y in (2018, 2019) for m in (1, 3, 12) for d in (1, 31)]
DATE_TEXTS = st.sampled_from(
    [*DAYS, *(day[:7] for day in DAYS), "2018", "2019", "2020", "", "soon"]
)


@pytest.mark.parametrize(
    ("first", "second", "older"),
    [
        ("2018", "2019", True),
        ("2019", "2019", False),
        ("2019", "2019-03", False),
        ("2018-12", "2019", True),
        ("2019-02", "2019-03", True),
        ("2019-03-04", "2019-03", False),
        ("2019-03-04", "2019-03-05", True),
        ("2019-03-05", "2019-03-05", False),
        ("", "2019", False),
        ("2018", "", False),
        ("1-2-3", "2019", False),
    ],
)
def test_partial_dates_are_compared_conservatively(first: str, second: str, older: bool) -> None:
    dates = Dates.from_iso({"one": first, "other": second})
    assert dates.are_older(pa.array(["one"]), pa.array(["other"])).tolist() == [older]


def test_a_paper_without_metadata_has_no_date() -> None:
    dates = Dates.from_iso({"b": "2019-03", "a": "soon"})
    earliest, latest = dates.span(pa.array(["nobody", "b", "a"]))
    assert earliest.tolist() == [NEVER, 20190300, NEVER]
    assert latest.tolist() == [EVER, 20190399, EVER]
    assert not Dates.from_iso({}).are_older(pa.array(["x"]), pa.array(["y"])).any()


def list_possible_days(date: str) -> list[str]:
    """All days of this test that a partial date may mean."""
    return [day for day in DAYS if date and day.startswith(date)]


@given(st.lists(DATE_TEXTS, min_size=1, max_size=8))
def test_older_means_that_no_possible_day_is_as_late(texts: list[str]) -> None:
    dates = Dates.from_iso({f"p{k}": date for k, date in enumerate(texts)})
    for first, second in np.ndindex(len(texts), len(texts)):
        names = pa.array([f"p{first}"]), pa.array([f"p{second}"])
        if dates.are_older(*names)[0]:
            days = list_possible_days(texts[first]), list_possible_days(texts[second])
            assert all(a < b for a in days[0] for b in days[1])
            assert not dates.are_older(*names[::-1])[0]
