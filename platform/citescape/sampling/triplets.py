"""Triplets: an anchor, a positive close to it, and a negative farther from it."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from citescape.core.errors import ConfigError, SourceError, list_some
from citescape.core.extras import require
from citescape.core.pairs import Codes, encode, sort_ids
from citescape.runs.directory import describe_run, read_command

if TYPE_CHECKING:
    import pandas

TRIPLETS = "triplets.parquet"
"""File in a run directory; the sampler of facets writes one file per facet instead."""
REASONS = (
    "random",
    "important reference",
    "least important reference",
    "reference",
    "cited by a reference",
    "cited beside a reference",
    "near neighbour",
    "far neighbour",
    "above threshold",
    "nearest of a sample",
    "furthest of a sample",
    "of another cluster",
    "same label",
    "another label",
)
"""Reasons for a paper in a triplet. `cited beside a reference`: another paper cites both."""
SIDES = ("train", "validation")
RANDOM = 0
NO_RANK = 0


def reason_code(text: str) -> int:
    """The position of a reason in `REASONS`."""
    return REASONS.index(text)


WITHOUT_ROWS = ("ids", "run")
"""Fields that do not have one entry per triplet."""


@dataclass(frozen=True)
class Triplets:
    """Triplets ordered by anchor; those of an anchor are in the order in which they were drawn.

    All arrays but `ids` have one entry per triplet.
    """

    ids: pa.StringArray
    """(papers,) ascending; may hold papers that are in no triplet."""
    anchor: Codes
    """Positions in `ids`."""
    positive: Codes
    negative: Codes
    positive_reason: npt.NDArray[np.int8]
    """Positions in `REASONS`."""
    negative_reason: npt.NDArray[np.int8]
    positive_rank: npt.NDArray[np.int32]
    """1 for the most important reference or nearest neighbour of the anchor; 0 for no rank."""
    negative_rank: npt.NDArray[np.int32]
    positive_score: npt.NDArray[np.float32]
    """Importance or cosine; NaN for no score."""
    negative_score: npt.NDArray[np.float32]
    validation: npt.NDArray[np.bool_]
    """Held out for validation; all triplets of an anchor are on one side."""
    run: str = ""
    """Id of the run of `platform sample`; empty for other sources."""

    def __len__(self) -> int:
        return len(self.anchor)

    @property
    def anchors(self) -> int:
        """Number of distinct anchors."""
        return len(np.unique(self.anchor))

    @property
    def papers(self) -> pa.StringArray:
        """Ids of all papers in the triplets, ascending."""
        used = np.unique(np.concatenate([self.anchor, self.positive, self.negative]))
        return self.ids.take(pa.array(used))

    @property
    def uses_gold_labels(self) -> bool:
        """Whether the triplets are from gold labels, which an evaluation then must not use."""
        return bool(np.any(self.positive_reason == reason_code("same label")))

    def select_rows(self, rows: npt.NDArray[Any]) -> Self:
        """The triplets at some rows, or where a mask is true."""
        kept = {
            f.name: getattr(self, f.name)[rows] for f in fields(self) if f.name not in WITHOUT_ROWS
        }
        return replace(self, **kept)

    def to_table(self) -> pa.Table:
        """One row per triplet: ids and reasons as text; missing ranks and scores are null."""
        reasons = pa.array(REASONS)
        columns: dict[str, pa.Array] = {}
        for role in ("anchor", "positive", "negative"):
            columns[role] = self.ids.take(pa.array(getattr(self, role)))
        for role in ("positive", "negative"):
            codes = pa.array(getattr(self, f"{role}_reason").astype(np.int32))
            rank, score = getattr(self, f"{role}_rank"), getattr(self, f"{role}_score")
            columns[f"{role}_reason"] = reasons.take(codes)
            columns[f"{role}_rank"] = pa.array(rank, mask=rank == NO_RANK)
            columns[f"{role}_score"] = pa.array(score, mask=np.isnan(score))
        sides = pa.array(SIDES)
        columns["split"] = sides.take(pa.array(self.validation.astype(np.int32)))
        return pa.table(columns)

    def to_pandas(self) -> pandas.DataFrame:
        """One row per triplet, with the columns of `to_table`.

        Raises:
            ConfigError: pandas is not installed.
        """
        require("pandas")
        frame: pandas.DataFrame = self.to_table().to_pandas()
        return frame


def build_triplets(
    ids: pa.StringArray,
    rows: Codes,
    *,
    reasons: tuple[int | Codes, int | Codes],
    ranks: Codes | None = None,
    scores: npt.NDArray[np.float32] | None = None,
) -> Triplets:
    """Triplets from rows; none is held out.

    Args:
        ids: ids of the papers, ascending.
        rows: (n, 3) positions in `ids` of anchor, positive, negative.
        reasons: codes of positives and of negatives, each a number or (n,).
        ranks: (n, 2) of positives and negatives; None for no ranks.
        scores: (n, 2) of positives and negatives; None for no scores.
    """
    size = len(rows)
    if ranks is None:
        ranks = np.full((size, 2), NO_RANK, np.int32)
    if scores is None:
        scores = np.full((size, 2), np.nan, np.float32)
    return Triplets(
        ids=ids,
        anchor=rows[:, 0].copy(),
        positive=rows[:, 1].copy(),
        negative=rows[:, 2].copy(),
        positive_reason=np.full(size, reasons[0], np.int8),
        negative_reason=np.full(size, reasons[1], np.int8),
        positive_rank=ranks[:, 0].copy(),
        negative_rank=ranks[:, 1].copy(),
        positive_score=scores[:, 0].copy(),
        negative_score=scores[:, 1].copy(),
        validation=np.zeros(size, np.bool_),
    )


def read_triplets(path: Path) -> Triplets:
    """Triplets from a Parquet file with the columns `anchor`, `positive`, `negative`.

    `split` (`train` or `validation`), reasons, ranks and scores are optional, so that triplets of
    other tools can be read.

    Raises:
        SourceError: no such file, not Parquet, a column is missing or has nulls, `split` has an
            unknown value, or an anchor is on both sides.
    """
    try:
        table = pq.read_table(path)
    except (OSError, pa.ArrowException) as error:
        problem = "a file that is truncated or not Parquet" if path.is_file() else "no such file"
        raise SourceError(
            str(path),
            "no-triplets",
            f"expected triplets as Parquet; found {problem}: copy the file again, or sample with "
            "`platform sample`",
        ) from error
    missing = [
        name
        for name in ("anchor", "positive", "negative")
        if name not in table.column_names or table[name].null_count
    ]
    if missing:
        raise SourceError(
            str(path),
            "no-triplets",
            f"expected columns anchor, positive, negative with an id in every row; "
            f"missing or with nulls: {', '.join(missing)}",
        )
    if not table.num_rows:
        raise SourceError(str(path), "no-triplets", "the file holds no triplets")
    _check_sides(path, table)
    run = path.parent.name if read_command(path.parent) else ""
    return replace(from_table(table), run=run)


def _check_sides(path: Path, table: pa.Table) -> None:
    sides = _column(table, "split", pa.string(), default=SIDES[0])
    unknown = sorted(set(pc.unique(sides).to_pylist()) - set(SIDES))
    if unknown:
        raise SourceError(
            str(path),
            "no-split",
            f"found {unknown[0]!r} in the column split; expected train or validation in every row: "
            "remove other rows, such as test triplets",
        )
    pairs = pa.table({"anchor": table["anchor"], "side": sides})
    counts = pairs.group_by("anchor").aggregate([("side", "count_distinct")])
    on_both = pc.sum(pc.greater(counts["side_count_distinct"], 1)).as_py()
    if on_both:
        raise SourceError(
            str(path),
            "no-split",
            f"{on_both:,} anchors have triplets on both sides of the split; expected all triplets "
            "of an anchor on one side, so that no validation anchor is in the training data",
        )


def from_table(table: pa.Table) -> Triplets:
    """The inverse of `Triplets.to_table`, for rows in any order."""
    roles = ("anchor", "positive", "negative")
    chunks = [chunk for role in roles for chunk in table[role].cast(pa.string()).chunks]
    ids = sort_ids(pc.unique(pa.chunked_array(chunks, pa.string())))
    codes = {role: encode(table[role], ids) for role in roles}
    order = np.argsort(codes["anchor"], kind="stable")
    columns: dict[str, Any] = {role: array[order] for role, array in codes.items()}
    for role in ("positive", "negative"):
        texts = _column(table, f"{role}_reason", pa.string(), default=REASONS[RANDOM])
        known = pc.fill_null(pc.index_in(texts, value_set=pa.array(REASONS)), RANDOM)
        columns[f"{role}_reason"] = known.to_numpy().astype(np.int8)[order]
        ranks = _column(table, f"{role}_rank", pa.int32(), default=NO_RANK)
        columns[f"{role}_rank"] = ranks.to_numpy()[order]
        scores = _column(table, f"{role}_score", pa.float32(), default=float("nan"))
        columns[f"{role}_score"] = scores.to_numpy()[order]
    side = _column(table, "split", pa.string(), default=SIDES[0])
    columns["validation"] = pc.equal(side, SIDES[1]).to_numpy()[order]
    return Triplets(ids, **columns)


def _column(table: pa.Table, name: str, kind: pa.DataType, *, default: object) -> pa.ChunkedArray:
    """A column with nulls filled; the default in all rows if the column is missing."""
    if name not in table.column_names:
        filled = pa.nulls(table.num_rows, kind).fill_null(pa.scalar(default, kind))
        return pa.chunked_array([filled])
    return pc.fill_null(table[name].cast(kind), pa.scalar(default, kind))


def recode_triplets(triplets: Triplets, ids: pa.StringArray) -> Triplets:
    """The same triplets with other `ids`, ascending, which contain all papers of the triplets."""
    used = pc.index_in(triplets.ids, value_set=ids)
    places = pc.fill_null(used, -1).to_numpy(zero_copy_only=False).astype(np.int32)
    roles = {role: places[getattr(triplets, role)] for role in ("anchor", "positive", "negative")}
    if any((codes < 0).any() for codes in roles.values()):
        raise ConfigError("the ids lack papers of the triplets; expected all of them")
    return replace(triplets, ids=ids, **roles)


def locate_triplets(runs: Path, name: str, facet: str = "") -> Path:
    """The Parquet file of triplets.

    Args:
        runs: folder of run directories.
        name: a run id, the folder of a run, or a file.
        facet: facet of the triplets, for a run of facet triplets.

    Raises:
        ConfigError: no such file; the message lists the files of the run.
    """
    file = f"{facet}.parquet" if facet else TRIPLETS
    for candidate in (Path(name), runs / name):
        if candidate.is_file():
            return candidate
        if (candidate / file).is_file():
            return candidate / file
    folder = next((place for place in (Path(name), runs / name) if place.is_dir()), None)
    held = sorted(path.stem for path in folder.glob("*.parquet")) if folder else []
    if facet and held == [Path(TRIPLETS).stem]:
        raise ConfigError(
            f"{name} holds triplets of all citations, not of the facet {facet}; expected a run of "
            "`platform sample facet`, or no --facet"
        )
    problem = f"the run holds {list_some(held)}" if held else describe_run(runs, name)
    raise ConfigError(
        f"no triplets {name!r}{f' of the facet {facet}' if facet else ''}: {problem}; expected a "
        "Parquet file, or the id of a run of `platform sample`"
    )
