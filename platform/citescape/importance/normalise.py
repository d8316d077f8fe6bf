"""Importance that can be compared between papers, fields and years.

A raw score depends on how long a paper is, how many works it cites, and what is usual in its field.
Two variants do not: the share of a citation in its paper, and its percentile among the citations of
the same year and field.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.config import quote_command
from citescape.core.errors import ConfigError, StoreError
from citescape.core.progress import Progress, silent
from citescape.papers.slices import read_sliced, read_slices
from citescape.runs.directory import RunDirectory, Stopwatch
from citescape.runs.kept import KeptRun, compute_run
from citescape.runs.result import Summary, Table, plural
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query
from citescape.store.state import CLUSTER_RUN, read_importance_run, read_meta

if TYPE_CHECKING:
    from citescape.importance.steps import NormaliseImportance

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
CITATIONS = "citations.parquet"
NO_FIELDS = "none"
_TOP = 10


class NormalisedImportance(KeptRun):
    """citations.parquet: a row for each citation."""

    command = "importance normalise"
    noun = "normalised importance"

    @property
    def arrow(self) -> pa.Table:
        """A row per citation: citing, cited, year, field, importance, share, percentile, compared.

        `share` is null in a paper whose importance sums to 0. `compared` is the number of citations
        of the same year and field.
        """
        return self.read_table(CITATIONS, "citing", "cited", "share", "percentile")

    def summarise(self) -> Summary:
        """The works with the largest sum of shares."""
        table, counts = self.arrow, self.counts
        works = table.group_by("cited").aggregate(
            [("share", "sum"), ("importance", "sum"), ("percentile", "mean"), ("citing", "count")]
        )
        works = works.sort_by([("share_sum", "descending"), ("cited", "ascending")]).slice(0, _TOP)
        rows = [
            (
                row["cited"],
                row["citing_count"],
                row["importance_sum"],
                row["share_sum"],
                row["percentile_mean"],
            )
            for row in works.to_pylist()
        ]
        fields = f"fields: communities of level {counts['level']}" if counts["level"] else "years"
        names = ("cited", "cited by", "importance", "shares", "percentile")
        return Summary(
            [
                f"{plural(counts['citations'], 'citation')} compared in "
                f"{plural(counts['groups'], 'group')} ({fields})",
                "",
                "works with the largest sum of shares, each citing paper giving 1:",
                Table(names, rows),
                "share: importance divided by the sum over the references of the paper; "
                "percentile: mean percentage of the citations of the same year and field with a "
                "lower score",
                self.describe(),
            ],
            {"run": self.run, **counts},
        )


def normalise(
    store: GraphStore, config: NormaliseImportance, *, runs: Path, progress: Progress = silent
) -> NormalisedImportance:
    """Share and percentile of the importance of every scored citation; nothing is written.

    Args:
        store: the graph.
        config: level of the communities that stand for fields.
        runs: folder of runs.
        progress: called with the name of each stage.

    Raises:
        ConfigError: there are no communities of this level.
        StoreError: citations are not scored.
    """
    scored = read_importance_run(store)
    if scored is None:
        raise StoreError(
            f"{store.location} has no scores to normalise: run "
            f"{quote_command('score', store.location)} first"
        )
    level = _find_level(store, config.level)
    progress("reading citations")
    rows = pa.concat_tables(read_sliced(store, "networks/citations", read_slices(store)))
    rows = rows.select(["citing", "cited", "importance"])
    rows = rows.filter(pc.is_valid(rows["importance"]))
    rows = rows.sort_by([("citing", "ascending"), ("cited", "ascending")])
    papers = store.read(query("features/years"))
    if level:
        fields = store.read(query("features/fields"), level=level)
        papers = papers.join(fields, "id")
    else:
        papers = papers.append_column("field", pa.nulls(len(papers), pa.string()))
    places = pc.index_in(rows["citing"], value_set=papers["id"].combine_chunks())

    def fill(directory: RunDirectory, clock: Stopwatch) -> dict[str, Any]:
        progress("comparing citations")
        with clock.timed("normalise"):
            citing = _codes(rows["citing"])
            year, field = papers["year"].take(places), papers["field"].take(places)
            groups = _codes(year) * (len(papers) + 1) + _codes(field)
            importance = rows["importance"].to_numpy()
            shares = compute_shares(citing, importance)
            percentiles, compared = compute_percentiles(groups, importance)
        table = (
            rows.append_column("year", year)
            .append_column("field", field)
            .append_column("share", pa.array(shares, mask=np.isnan(shares)))
            .append_column("percentile", pa.array(percentiles))
            .append_column("compared", pa.array(compared))
        )
        directory.write_parquet(CITATIONS, [table])
        return {
            "citations": len(rows),
            "groups": len(np.unique(groups)),
            "level": level,
        }

    return compute_run(
        NormalisedImportance,
        runs,
        {"level": level},
        {"importance": scored, "communities": read_meta(store, CLUSTER_RUN) if level else None},
        fill=fill,
        libraries=("citescape", "numpy", "pyarrow"),
    )


def compute_shares(citing: Ints, importance: Floats) -> Floats:
    """Importance divided by the sum over the citations of the paper; NaN if the sum is 0.

    Args:
        citing: (n,) citing paper of each citation.
        importance: (n,) scores.
    """
    totals = np.bincount(citing, importance)[citing]
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(totals > 0, importance / totals, np.nan)


def compute_percentiles(groups: Ints, importance: Floats) -> tuple[Floats, Ints]:
    """Percentage of the citations of a group with a lower score, plus half of those with the same.

    percentile = 100 (#lower + #equal / 2) / #all, so that the mean over a group is 50.

    Args:
        groups: (n,) group of each citation.
        importance: (n,) scores.

    Returns:
        (n,) percentiles, and (n,) sizes of the groups.
    """
    order = np.lexsort((importance, groups))
    values, keys = importance[order], groups[order]
    first = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]])
    ties = np.flatnonzero(np.r_[True, (keys[1:] != keys[:-1]) | (values[1:] != values[:-1])])
    sizes = np.diff(np.r_[first, len(keys)])
    equal = np.diff(np.r_[ties, len(keys)])
    lower = ties - np.repeat(first, np.diff(np.r_[np.searchsorted(ties, first), len(ties)]))
    percentiles, compared = np.empty(len(keys)), np.empty(len(keys), np.int64)
    compared[order] = np.repeat(sizes, sizes)
    percentiles[order] = np.repeat(lower + equal / 2, equal)
    return 100 * percentiles / compared, compared


def _codes(values: pa.ChunkedArray) -> Ints:
    """Whole numbers from 0, equal for equal values; null is a value."""
    indices = values.combine_chunks().dictionary_encode(null_encoding="encode").indices
    codes: Ints = indices.to_numpy().astype(np.int64)
    return codes


def _find_level(store: GraphStore, level: str) -> str:
    """The level of communities, by default the coarsest; empty for years alone."""
    if level == NO_FIELDS:
        return ""
    levels = store.read(query("features/field_levels"))["level"].to_pylist()
    if not level:
        return levels[0] if levels else ""
    if level not in levels:
        advice = f": find some with {quote_command('cluster', store.location)}"
        raise ConfigError(
            f"level is {level}; expected {', '.join([*levels, NO_FIELDS])}"
            f"{'' if levels else advice}"
        )
    return level
