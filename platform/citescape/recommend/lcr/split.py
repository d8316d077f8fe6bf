"""Contexts to learn from and contexts to be completed, apart in time."""

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
"""Days of one year begin so far from those of the next, see `dates.Days`."""


def check_year(config: BenchmarkLcr, years: Sequence[int]) -> None:
    """Before sentences are read: whether there are papers of the year, and earlier ones.

    Args:
        config: which year.
        years: of full texts, ascending.

    Raises:
        ConfigError: there are none of that year, or none before.
    """
    if config.year and years and config.year not in years[1:]:
        asked = f"there is no full text of {config.year}, or none before"
        raise ConfigError(f"{asked}; expected some of both (there are some of {_span(years)})")


def split_by_year(library: Library, config: BenchmarkLcr) -> tuple[int, dict[str, Contexts]]:
    """Contexts of the papers of one year, and of those before; papers are never in two parts.

    A seeded share of the papers before is for validation. Contexts of later papers, and of papers
    without a year, are in no part.

    Returns:
        The year; `train`, `val` and `test`.

    Raises:
        ConfigError: no paper of that year cites anything, or none before.
    """
    citing = library.contexts.citing
    years = _read_years(library, citing)
    year = config.year or int(years.max(initial=0))
    asks, earlier = years == year, (years < year) & (years > 0)
    if not (asks.any() and earlier.any()) or not year:
        known = sorted({*years[years > 0].tolist()})
        told = _span(known) if known else "none with a year"
        raise ConfigError(
            f"{int(asks.sum())} papers of {year} and {int(earlier.sum())} before cite in sentences "
            f"that are known; expected some of both (there are papers of {told})"
        )
    held = earlier & _draw(earlier, config)
    chosen = {TRAIN: earlier & ~held, VALIDATION: held, TEST: asks}
    return year, {name: _take(library.contexts, citing, rows) for name, rows in chosen.items()}


def _span(years: Sequence[int]) -> str:
    return f"{years[0]} to {years[-1]}"


def count_parts(parts: Mapping[str, Contexts]) -> dict[str, dict[str, int]]:
    """Papers and contexts of each part, and works that are cited there."""
    return {
        name: {
            "papers": len(part.citing),
            "contexts": len(part),
            "cited": int(pc.count_distinct(part.pairs["cited"]).as_py()),
        }
        for name, part in parts.items()
    }


def count_others(library: Library, parts: Mapping[str, Contexts]) -> dict[str, int]:
    """Full texts that are in no part, by the reason."""
    citing = library.contexts.citing
    dated = int((_read_years(library, citing) > 0).sum())
    return {
        "no_sentence": max(library.full_texts - len(citing), 0),
        "no_date": len(citing) - dated,
        "later": dated - sum(len(part.citing) for part in parts.values()),
    }


def _read_years(library: Library, citing: pa.StringArray) -> npt.NDArray[np.int64]:
    days: Days = library.dates.span(citing)[0]
    return np.where(days == NEVER, 0, days // _YEAR).astype(np.int64)


def _draw(earlier: npt.NDArray[np.bool_], config: BenchmarkLcr) -> npt.NDArray[np.bool_]:
    """(papers,) those of validation: the same share of whatever papers there are."""
    rows = np.flatnonzero(earlier)
    count = round(config.validation * len(rows))
    drawn = np.zeros(len(earlier), np.bool_)
    drawn[np.random.default_rng(config.seed).permutation(rows)[:count]] = True
    return drawn


def _take(contexts: Contexts, citing: pa.StringArray, chosen: npt.NDArray[np.bool_]) -> Contexts:
    rows = find_rows(contexts.pairs["citing"], citing)
    return contexts.filter(pa.array(chosen[rows]))
