"""Which papers are queries of a benchmark, by field and split."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from citescape.core.errors import ConfigError
from citescape.evaluation.choose import draw_papers, find_able, find_year
from citescape.evaluation.literature import Literature
from citescape.evaluation.mdcr.config import MdcrConfig
from citescape.metrics.chance import draw_numbers
from citescape.search.listed import Bools, Codes

TEST, VALIDATION = "test", "val"


@dataclass(frozen=True)
class QuerySplits:
    """Queries of one year."""

    year: int
    candidates: Bools
    """(papers,) that pass the filter and are not newer than the queries."""
    by_field: dict[str, dict[str, Codes]]
    """Split -> field -> queries, ascending. No paper is in two splits."""
    left_out: dict[str, int]
    """Field -> its test queries, of fields that have too few."""


def choose_queries(literature: Literature, eligible: Bools, config: MdcrConfig) -> QuerySplits:
    """Draws queries of each field among papers that cite enough papers that may be candidates.

    A paper belongs to one split, drawn for itself, so that what else is in the graph does not move
    it; and it is a query of one field, the smallest of its fields that takes it: were it in several
    means, these would err together, and intervals would be too narrow.

    Raises:
        ConfigError: no field has enough of them; the message says how many there are.
    """
    year = config.year or find_year(literature, eligible, cited=config.positives)
    dated = (literature.years <= year) & (literature.years != 0)
    candidates = eligible & (dated | config.newer)
    able = find_able(literature, eligible, candidates, cited=config.positives)
    able &= literature.years == year

    # each paper to a split, in the proportion of their sizes
    share = config.queries / (config.queries + config.validation_queries)
    papers = np.flatnonzero(able)
    numbers = draw_numbers(literature.ids.take(pa.array(papers)), "split", seed=config.seed)
    test = np.zeros(len(able), np.bool_)
    test[papers] = numbers < share * 2.0**64
    splits = {TEST: test, VALIDATION: able & ~test}

    by_field: dict[str, dict[str, Codes]] = {TEST: {}, VALIDATION: {}}
    left_out, counts = {}, {TEST: config.queries, VALIDATION: config.validation_queries}
    free = np.ones(len(literature), np.bool_)
    for name, own in _largest_fields(literature, able, config):
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
        raise _explain_missing(int(able.sum()), left_out, config=config, year=year)
    by_field = {split: dict(sorted(own.items())) for split, own in by_field.items()}
    return QuerySplits(year, candidates, by_field, left_out)


def _largest_fields(
    literature: Literature, able: Bools, config: MdcrConfig
) -> Iterator[tuple[str, Bools]]:
    """The fields with the most papers that can be queries, the smallest of them first.

    Of fields of equal size the first by name is the larger one.
    """
    members = literature.fields.shares.tocsc()
    able_rows = able[members.indices]
    fields = np.repeat(np.arange(members.shape[1]), np.diff(members.indptr))
    counts = np.bincount(fields, able_rows, minlength=members.shape[1])
    for code in np.argsort(-counts, kind="stable")[: config.most_fields][::-1].tolist():
        yield literature.fields.names[code], able & literature.in_field(code)


def _explain_missing(
    papers: int, left_out: dict[str, int], *, config: MdcrConfig, year: int
) -> ConfigError:
    if not papers:
        return ConfigError(
            f"no paper of {year} cites {config.positives} papers that pass the filter; expected "
            "some: name another --year, or ask for less (--min-abstract, --min-citations)"
        )
    if not left_out:
        return ConfigError(
            f"none of {papers:,} papers of {year} that can be queries has a field; expected "
            "--fields that papers have, or --labels"
        )
    most = max(left_out, key=lambda name: left_out[name])
    return ConfigError(
        f"{papers:,} papers of {year} can be queries; of {len(left_out):,} fields {most!r} has the "
        f"most in the test split, {left_out[most]} of at most {config.queries} (--queries), and "
        f"{config.fewest} are expected: lower --fewest, name another --year, or other --fields"
    )
