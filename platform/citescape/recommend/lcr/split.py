"""Training, validation and test contexts, split by year."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import ConfigError
from citescape.core.pairs import find_rows
from citescape.recommend.contexts import Contexts
from citescape.recommend.dates import NEVER, Days
from citescape.recommend.lcr.config import TEST, TRAIN, VALIDATION
from citescape.recommend.library import Library
from citescape.recommend.steps import BenchmarkLcr

_YEAR = 10_000
"""Distance between the days of two years, see `dates.Days`."""


def check_year(config: BenchmarkLcr, years: Sequence[int]) -> None:
    """Checks that there are papers of the year, and earlier ones, before sentences are read.

    Raises:
        ConfigError: there are no papers of that year, or no earlier ones.
    """
    if config.year and years and config.year not in years[1:]:
        raise ConfigError(
            f"no full text is from {config.year}, or none is older; expected some of both (full "
            f"texts are from {years[0]} to {years[-1]})"
        )


def split_by_year(
    library: Library, config: BenchmarkLcr, queries: npt.NDArray[np.bool_] | None = None
) -> tuple[int, dict[str, Contexts]]:
    """Contexts of the papers of one year, and of earlier ones; no paper is in two parts.

    A seeded share of the earlier papers is for validation. Contexts of later papers, and of papers
    without a year, are in no part. Papers that may not be query papers are for training, or in no
    part if they are of the year.

    Args:
        library: papers and contexts.
        config: year and share of validation papers.
        queries: (citing papers,) true for papers that may be query papers; None for all.

    Returns:
        The year; `train`, `val` and `test`.

    Raises:
        ConfigError: no paper of that year, or no earlier paper, cites a known work.
    """
    citing = library.contexts.citing
    years = _read_years(library, citing)
    allowed = np.ones(len(years), np.bool_) if queries is None else queries
    year = config.year or int(years[allowed].max(initial=0))
    own, earlier = (years == year) & allowed, (years < year) & (years > 0)
    if not (own.any() and earlier.any()) or not year:
        known = years[years > 0]
        span = f"{known.min()} to {known.max()}" if len(known) else "unknown years"
        raise ConfigError(
            f"{int(own.sum())} papers of {year} and {int(earlier.sum())} earlier ones cite known "
            f"works in sentences; expected some of both (papers are from {span})"
        )

    rows = np.flatnonzero(earlier & allowed)
    drawn = np.random.default_rng(config.seed).permutation(rows)
    validation = np.zeros(len(years), np.bool_)
    validation[drawn[: round(config.validation * len(rows))]] = True
    chosen = {TRAIN: earlier & ~validation, VALIDATION: validation, TEST: own}
    papers = find_rows(library.contexts.pairs["citing"], citing)
    return year, {
        name: library.contexts.filter(pa.array(part[papers])) for name, part in chosen.items()
    }


def count_parts(parts: Mapping[str, Contexts]) -> dict[str, dict[str, int]]:
    """Papers, contexts and cited works of each part."""
    return {
        name: {
            "papers": len(part.citing),
            "contexts": len(part),
            "cited": int(pc.count_distinct(part.pairs["cited"]).as_py()),
        }
        for name, part in parts.items()
    }


def count_others(library: Library, parts: Mapping[str, Contexts], year: int) -> dict[str, int]:
    """Full texts in no part, by reason.

    Args:
        library: papers and contexts.
        parts: the splits.
        year: year of the query papers.
    """
    citing = library.contexts.citing
    years = _read_years(library, citing)
    later = int((years > year).sum())
    known = int((years > 0).sum()) - later
    return {
        "no_sentence": max(library.full_texts - len(citing), 0),
        "no_date": int((years == 0).sum()),
        "later": later,
        "other_types": known - sum(len(part.citing) for part in parts.values()),
    }


def _read_years(library: Library, citing: pa.StringArray) -> npt.NDArray[np.int64]:
    days: Days = library.dates.span(citing)[0]
    return np.where(days == NEVER, 0, days // _YEAR).astype(np.int64)
