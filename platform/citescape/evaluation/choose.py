"""Choice of query papers: papers of one year that cite enough candidates."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from citescape.core.errors import ConfigError
from citescape.core.paper_types import explain_no_papers, select_types
from citescape.evaluation.literature import Literature
from citescape.metrics.chance import draw_numbers
from citescape.search.listed import Bools, Codes


def find_possible_queries(
    literature: Literature, eligible: Bools, candidates: Bools, *, cited: int
) -> Bools:
    """(papers,) true for papers that can be queries.

    Args:
        literature: papers and citations.
        eligible: (papers,) papers that pass the filter.
        candidates: (papers,) papers that may be ranked.
        cited: minimum number of cited candidates.
    """
    kept = np.append(0, np.cumsum(candidates[literature.cites.ends]))
    starts = literature.cites.indptr
    possible: Bools = eligible & (kept[starts[1:]] - kept[starts[:-1]] >= cited)
    return possible


def keep_types(literature: Literature, possible: Bools, types: Sequence[str]) -> Bools:
    """(papers,) true for possible queries that have one of the types.

    Args:
        literature: papers and their types.
        possible: (papers,) papers that can be queries.
        types: types and groups of types, see `core.paper_types`.

    Raises:
        ConfigError: no paper has such a type, or none of the possible queries.
    """
    kept = possible & select_types(pa.chunked_array([literature.types]), types)
    if possible.any() and not kept.any():
        raise explain_no_papers(
            f"{int(possible.sum()):,} papers that can be queries",
            types,
            pa.chunked_array([literature.types.filter(pa.array(possible))]),
        )
    return kept


MORE_PAPERS = (
    "set --min-abstract 0 --min-citations 1, which keeps works with a title only or one citation, "
    "or lower --positives"
)
"""Advice if no paper can be a query."""


def find_year(literature: Literature, eligible: Bools, *, cited: int, types: Sequence[str]) -> int:
    """The year with the most papers that can be queries; ties: the latest.

    Args:
        literature: papers and citations.
        eligible: (papers,) papers that pass the filter, which are the candidates too.
        cited: minimum number of cited candidates.
        types: types of the queries.

    Raises:
        ConfigError: no paper can be a query.
    """
    possible = find_possible_queries(literature, eligible, eligible, cited=cited)
    possible = keep_types(literature, possible, types)
    years, counts = np.unique(literature.years[possible], return_counts=True)
    if not len(years):
        raise ConfigError(
            f"none of {len(literature):,} papers cites {cited} of the "
            f"{int(eligible.sum()):,} papers that pass the filter; expected some: {MORE_PAPERS}"
        )
    return int(years[len(counts) - 1 - np.argmax(counts[::-1])])


def draw_papers(
    literature: Literature, papers: Bools, count: int, *, purpose: str, seed: int
) -> Codes:
    """A random sample of papers, ascending; all papers if there are fewer.

    Args:
        literature: papers.
        papers: (papers,) papers to draw from.
        count: size of the sample.
        purpose: name of the draw, see `chance.draw_numbers`.
        seed: random seed.
    """
    rows = np.flatnonzero(papers)
    drawn = draw_numbers(literature.ids.take(pa.array(rows)), purpose, seed=seed)
    return np.sort(rows[np.argsort(drawn, kind="stable")[:count]]).astype(np.int32)
