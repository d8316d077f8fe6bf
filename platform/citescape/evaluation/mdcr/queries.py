"""Choice of the queries of a benchmark, by field and split."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from citescape.core.errors import ConfigError
from citescape.evaluation.choose import (
    MORE_PAPERS,
    draw_papers,
    find_possible_queries,
    find_year,
    keep_types,
)
from citescape.evaluation.literature import Literature
from citescape.evaluation.mdcr.config import MdcrConfig
from citescape.metrics.chance import draw_numbers
from citescape.search.listed import Bools, Codes

TEST, VALIDATION = "test", "val"


@dataclass(frozen=True)
class QuerySplits:
    """Queries of one year, by split and field."""

    year: int
    candidates: Bools
    """(papers,) papers that pass the filter and are not newer than the queries."""
    by_field: dict[str, dict[str, Codes]]
    """Split -> field -> queries, ascending. A paper is in one split only."""
    left_out: dict[str, int]
    """Field with too few test queries -> their number."""
    other_types: int
    """Papers of the year that are no queries because of their type."""


def choose_queries(literature: Literature, eligible: Bools, config: MdcrConfig) -> QuerySplits:
    """Draws queries of each field from papers that cite enough candidates.

    The split of a paper is drawn from its id, so that it does not depend on other papers. A paper
    is a query of one field only, the smallest one with room: means of several fields with the same
    query would be dependent, and intervals too narrow.

    Args:
        literature: papers, citations, fields.
        eligible: (papers,) papers that pass the filter.
        config: numbers of queries, year and seed.

    Raises:
        ConfigError: no paper has the types, or no field has enough queries; the message contains
            their number.
    """
    year = config.year or find_year(
        literature, eligible, cited=config.positives, types=config.types
    )
    dated = (literature.years <= year) & (literature.years != 0)
    candidates = eligible & (dated | config.newer)
    possible = find_possible_queries(literature, eligible, candidates, cited=config.positives)
    of_year = possible & (literature.years == year)
    possible = keep_types(literature, of_year, config.types)

    # splits in proportion to their numbers of queries
    share = config.queries / (config.queries + config.validation_queries)
    papers = np.flatnonzero(possible)
    numbers = draw_numbers(literature.ids.take(pa.array(papers)), "split", seed=config.seed)
    test = np.zeros(len(possible), np.bool_)
    test[papers] = numbers < share * 2.0**64
    splits = {TEST: test, VALIDATION: possible & ~test}

    by_field: dict[str, dict[str, Codes]] = {TEST: {}, VALIDATION: {}}
    left_out, counts = {}, {TEST: config.queries, VALIDATION: config.validation_queries}
    free = np.ones(len(literature), np.bool_)
    for name, own in _largest_fields(literature, possible, config):
        drawn = {
            split: draw_papers(
                literature, own & splits[split] & free, count, purpose="query", seed=config.seed
            )
            for split, count in counts.items()
        }
        if len(drawn[TEST]) < max(config.fewest, 1):
            left_out[name] = len(drawn[TEST])
            continue
        for split, drawn_papers in drawn.items():
            by_field[split][name] = drawn_papers
            free[drawn_papers] = False
    if not by_field[TEST]:
        raise _explain_missing(int(possible.sum()), left_out, config=config, year=year)
    by_field = {split: dict(sorted(own.items())) for split, own in by_field.items()}
    other_types = int((of_year & ~possible).sum())
    return QuerySplits(year, candidates, by_field, left_out, other_types)


def _largest_fields(
    literature: Literature, possible: Bools, config: MdcrConfig
) -> Iterator[tuple[str, Bools]]:
    """The largest fields, by papers that can be queries; the smallest of them first."""
    members = literature.fields.shares.tocsc()
    is_possible = possible[members.indices]
    fields = np.repeat(np.arange(members.shape[1]), np.diff(members.indptr))
    counts = np.bincount(fields, is_possible, minlength=members.shape[1])
    # ties: the first name counts as larger
    for code in np.argsort(-counts, kind="stable")[: config.most_fields][::-1].tolist():
        yield literature.fields.names[code], possible & literature.in_field(code)


def _explain_missing(
    papers: int, left_out: dict[str, int], *, config: MdcrConfig, year: int
) -> ConfigError:
    if not papers:
        return ConfigError(
            f"no paper of {year} cites {config.positives} papers that pass the filter; expected "
            f"some: set another --year, or {MORE_PAPERS}"
        )
    if not left_out:
        return ConfigError(
            f"none of {papers:,} papers of {year} that can be queries has a field; expected "
            "other --fields, or --labels"
        )
    most = max(left_out, key=lambda name: left_out[name])
    advice = f"set --fewest {left_out[most]}, or" if left_out[most] else "set"
    return ConfigError(
        f"{papers:,} papers of {year} can be queries; of {len(left_out):,} fields {most!r} has the "
        f"most in the test split, {left_out[most]} of at most {config.queries} (--queries); "
        f"expected {config.fewest}: {advice} another --year or other --fields"
    )
