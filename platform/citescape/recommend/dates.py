"""Dates of papers as ranges of days, and which papers are certainly older."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.pairs import find_rows
from citescape.search.listed import Bools

Days = npt.NDArray[np.int32]
"""Year, month and day as one number, 20190304: for comparison, not for differences."""
_ISO = r"^(?P<year>[0-9]{4})(?:-(?P<month>[0-9]{2})(?:-(?P<day>[0-9]{2}))?)?$"
_LATEST_PART = 99
"""Replaces an unknown month or day in the latest day."""
NEVER, EVER = 0, np.iinfo(np.int32).max
"""The earliest and the latest day of a paper without a date: it is neither older nor newer than
any paper."""


@dataclass(frozen=True, eq=False)
class Dates:
    """First and last possible day of publication of each paper."""

    ids: pa.StringArray
    """(papers,) ascending, each once."""
    earliest: Days
    """(papers,) `2019` is 20190000."""
    latest: Days
    """(papers,) `2019` is 20199999."""

    @classmethod
    def from_iso(cls, dates: Mapping[str, str]) -> Dates:
        """From ISO 8601 dates, `2019`, `2019-03` or `2019-03-04`; others are unknown."""
        ids = sorted(dates)
        parts = pc.extract_regex(pa.array([dates[id_] for id_ in ids], pa.string()), _ISO)
        known = pc.is_valid(parts).to_numpy(zero_copy_only=False)
        earliest = np.where(known, _number(parts, 0), NEVER)
        latest = np.where(known, _number(parts, _LATEST_PART), EVER)
        return cls(pa.array(ids, pa.string()), earliest.astype(np.int32), latest.astype(np.int32))

    def span(self, papers: pa.StringArray) -> tuple[Days, Days]:
        """(n,) each: the earliest and the latest day of papers; unknown: `NEVER` and `EVER`."""
        rows = find_rows(pa.chunked_array([papers]), self.ids)  # -1 if unknown: the last, see below
        earliest, latest = np.append(self.earliest, NEVER), np.append(self.latest, EVER)
        return earliest[rows].astype(np.int32), latest[rows].astype(np.int32)

    def are_older(self, papers: pa.StringArray, than: pa.StringArray) -> Bools:
        """(n,) whether each paper certainly appeared before its counterpart.

        A paper of 2019 is not older than another paper of 2019, nor than one of 2019-03.
        """
        older: Bools = self.span(papers)[1] < self.span(than)[0]
        return older


def _number(parts: Any, missing: int) -> npt.NDArray[np.int64]:
    """Year, month and day as one number; `missing` replaces an unknown month or day."""
    columns = []
    for name in ("year", "month", "day"):
        text = pc.fill_null(pc.struct_field(parts, name), "")
        text = pc.if_else(pc.equal(text, ""), f"{missing}", text)
        columns.append(pc.cast(text, pa.int64()).to_numpy(zero_copy_only=False))
    year, month, day = columns
    number: npt.NDArray[np.int64] = 10_000 * year + 100 * month + day
    return number
