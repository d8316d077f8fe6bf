"""Importance beside that of other citations: of the same paper, and of the same year and field.

A raw score depends on how long a paper is and on what is usual in its field and year. Shares sum
to one in each paper, whatever its length. Percentiles compare citations of one year and field,
whatever is usual there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.config import quote_command
from citescape.core.errors import ConfigError, StoreError
from citescape.core.pairs import Pairs, encode
from citescape.core.progress import Progress, silent
from citescape.importance.read import changed_meanwhile, hash_rows, read_pairs
from citescape.papers.slices import read_sliced, read_slices
from citescape.runs.directory import RunDirectory, Stopwatch
from citescape.runs.kept import KeptRun, compute_run
from citescape.runs.result import Summary, Table, plural
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query
from citescape.store.state import read_importance_run

if TYPE_CHECKING:
    from citescape.importance.steps import NormaliseImportance

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
CITATIONS = "citations.parquet"
NO_FIELDS = "none"
_TOP = 10
_ROWS = 65_536


class NormalisedImportance(KeptRun):
    """citations.parquet: a row for each citation."""

    command = "importance normalise"
    noun = "normalised importance"

    @property
    def arrow(self) -> pa.Table:
        """A row per citation: citing, cited, year, field, importance, share, percentile, compared.

        `share` is null in a paper whose importance sums to 0, `percentile` where year or field are
        unknown. `compared` is the number of citations of the same year and field.
        """
        return self.read_table(CITATIONS, "citing", "cited", "share", "percentile")

    def summarise(self) -> Summary:
        """The works with the largest sum of shares."""
        counts = self.counts
        rows = [
            (
                row["title"] or row["id"],
                row["cited_by"],
                row["importance"],
                row["shares"],
                row["percentile"],
            )
            for row in counts["works"]
        ]
        alone = []
        if counts["alone"]:
            alone = [
                f"{plural(counts['alone'], 'citation')} compared with those of the same paper "
                "alone, because no other paper has its year and field; give a coarser level, or "
                f"--level {NO_FIELDS}"
            ]
        kind = "years" if counts["level"] == "" else "years and communities"
        level = f" of level {counts['level']}" if counts["level"] else ""
        names = ("work", "cited by", "importance", "shares", "percentile")
        return Summary(
            [
                f"{plural(counts['compared'], 'citation')} of {counts['citations']:,} compared in "
                f"{plural(counts['groups'], 'group')}: {kind}{level}",
                *alone,
                "",
                "works of several papers with the largest sum of shares; each paper gives 1:",
                Table(names, rows),
                "share: importance divided by the sum over the references of the paper; "
                "percentile: percentage of the citations of the same year and field with a lower "
                "score, plus half of those with the same; mean over the citing papers",
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
    scored_by = read_importance_run(store)
    if scored_by is None:
        raise StoreError(
            f"scores are missing or out of date for some or all citations of {store.location}: "
            f"run {quote_command('score', store.location)} first"
        )
    level = _find_level(store, config.level)
    papers = _read_papers(store, level)

    def fill(directory: RunDirectory, clock: Stopwatch) -> dict[str, Any]:
        progress("reading citations")
        with clock.timed("read"):
            pairs, importance = _read_scores(store)
        places = pc.index_in(pairs.ids, value_set=papers["id"].combine_chunks())
        year, field = papers["year"].take(places), papers["field"].take(places)
        scored = np.flatnonzero(~np.isnan(importance))
        importance = importance[scored]
        citing = np.repeat(np.arange(len(pairs.ids)), np.diff(pairs.indptr))[scored]
        progress("comparing citations")
        with clock.timed("normalise"):
            groups = (_codes(year) * (len(papers) + 1) + _codes(field))[citing]
            known = pc.is_valid(year).to_numpy() & (pc.is_valid(field).to_numpy() | (not level))
            shares = compute_shares(citing, importance)
            usable = known[citing]
            percentiles, compared = np.full(len(scored), np.nan), np.zeros(len(scored), np.int64)
            percentiles[usable], compared[usable] = compute_percentiles(
                groups[usable], importance[usable]
            )

        def tables() -> Iterator[pa.Table]:
            for start in range(0, len(scored), _ROWS):
                part = slice(start, start + _ROWS)
                citing_ids, cited_ids = pairs.ends(scored[part])
                columns: dict[str, Any] = {
                    "citing": citing_ids,
                    "cited": cited_ids,
                    "year": year.take(pa.array(citing[part])),
                    "field": field.take(pa.array(citing[part])),
                    "importance": importance[part],
                    "share": pa.array(shares[part], mask=np.isnan(shares[part])),
                    "percentile": pa.array(percentiles[part], mask=np.isnan(percentiles[part])),
                    "compared": compared[part],
                }
                yield pa.table(columns)

        directory.write_parquet(CITATIONS, tables())
        received = {"importance": importance, "shares": shares, "percentile": percentiles}
        return {
            "citations": len(scored),
            "compared": int(usable.sum()),
            "groups": len(np.unique(groups[usable])),
            "alone": _count_alone(groups[usable], citing[usable]),
            "level": level,
            "works": _find_largest(store, pairs, scored, received),
        }

    return compute_run(
        NormalisedImportance,
        runs,
        {"level": level},
        {"importance": scored_by, "papers": hash_rows(papers)},
        fill=fill,
        libraries=("citescape", "numpy", "pyarrow"),
    )


def _read_scores(store: GraphStore) -> tuple[Pairs, Floats]:
    """All pairs, and their importance (pairs,), NaN without a score.

    Raises:
        StoreError: another process changed the graph meanwhile.
    """
    slices = read_slices(store)
    pairs = read_pairs(store, slices)
    importance = np.full(len(pairs), np.nan)
    for rows in read_sliced(store, "networks/citations", slices):
        positions = pairs.locate(
            encode(rows["citing"], pairs.ids), encode(rows["cited"], pairs.ids)
        )
        if (positions < 0).any():
            raise changed_meanwhile(store, len(pairs), len(pairs) + int((positions < 0).sum()))
        scores = rows["importance"].cast(pa.float64())
        importance[positions] = pc.fill_null(scores, np.nan).to_numpy()
    return pairs, importance


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


def _read_papers(store: GraphStore, level: str) -> pa.Table:
    """Citing papers by id, with year and field; fields are null without a level."""
    papers = store.read(query("features/years"))
    if level:
        papers = papers.join(store.read(query("features/fields"), level=level), "id")
    else:
        papers = papers.append_column("field", pa.nulls(len(papers), pa.string()))
    return papers.sort_by("id")


def _find_largest(
    store: GraphStore, pairs: Pairs, scored: Ints, received: Mapping[str, Floats]
) -> list[dict[str, Any]]:
    """The works of two citing papers or more with the largest sums of shares, with their titles.

    Args:
        store: the graph.
        pairs: all pairs.
        scored: (n,) positions of the scored ones.
        received: importance, shares and percentiles (n,), NaN if missing.
    """
    cited = pairs.cited[scored]
    cited_by = np.bincount(cited, minlength=len(pairs.ids))
    sums = {
        name: np.bincount(cited, np.nan_to_num(values), len(pairs.ids))
        for name, values in received.items()
    }
    ranked = np.bincount(cited, ~np.isnan(received["percentile"]), len(pairs.ids))
    several = np.flatnonzero(cited_by > 1)
    rows = []
    for work in several[np.argsort(-sums["shares"][several], kind="stable")][:_TOP].tolist():
        id_ = pairs.ids[work].as_py()
        (paper,) = store.read(query("features/paper_by_id"), id=id_).to_pylist()
        mean = float(sums["percentile"][work] / ranked[work]) if ranked[work] else None
        rows.append(
            {
                "id": id_,
                "title": paper["title"],
                "cited_by": int(cited_by[work]),
                "importance": float(sums["importance"][work]),
                "shares": float(sums["shares"][work]),
                "percentile": mean,
            }
        )
    return rows


def _count_alone(groups: Ints, citing: Ints) -> int:
    """Number of citations whose group has one citing paper."""
    pairs = np.unique(np.stack([groups, citing]), axis=1)
    single, papers = np.unique(pairs[0], return_counts=True)
    return int(np.isin(groups, single[papers == 1]).sum())


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
    if not levels:
        raise ConfigError(
            f"level is {level}, and the graph has no communities; find some with "
            f"{quote_command('cluster', store.location)}, or give --level {NO_FIELDS}"
        )
    if level not in levels:
        raise ConfigError(f"level is {level}; expected {', '.join([*levels, NO_FIELDS])}")
    return level
