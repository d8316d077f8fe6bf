"""Which papers are queries: those of one year that cite enough papers that may be found."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from citescape.core.errors import ConfigError
from citescape.evaluation.literature import Literature
from citescape.metrics.chance import draw_numbers
from citescape.search.listed import Bools, Codes


def find_able(literature: Literature, eligible: Bools, candidates: Bools, *, cited: int) -> Bools:
    """(papers,) that pass the filter, and cite so many candidates at least."""
    kept = np.append(0, np.cumsum(candidates[literature.cites.ends]))
    starts = literature.cites.indptr
    able: Bools = eligible & (kept[starts[1:]] - kept[starts[:-1]] >= cited)
    return able


def find_year(literature: Literature, eligible: Bools, *, cited: int) -> int:
    """The year with the most papers that can be queries, of equals the latest.

    Raises:
        ConfigError: there is none in any year.
    """
    able = find_able(literature, eligible, eligible, cited=cited)
    years, counts = np.unique(literature.years[able], return_counts=True)
    if not len(years):
        raise ConfigError(
            f"none of {len(literature):,} papers cites {cited} papers that pass the filter "
            f"({int(eligible.sum()):,} do); expected some: ask for shorter abstracts "
            "(--min-abstract), fewer citations (--min-citations) or cited papers (--positives)"
        )
    return int(years[len(counts) - 1 - np.argmax(counts[::-1])])


def draw_papers(
    literature: Literature, papers: Bools, count: int, *, purpose: str, seed: int
) -> Codes:
    """Some papers, ascending; all of them if there are not so many."""
    there = np.flatnonzero(papers)
    drawn = draw_numbers(literature.ids.take(pa.array(there)), purpose, seed=seed)
    return np.sort(there[np.argsort(drawn, kind="stable")[:count]]).astype(np.int32)
