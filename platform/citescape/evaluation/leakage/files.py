"""Lists of papers in files: plain text, CSV, JSON Lines, Parquet."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from citescape.core.errors import ConfigError, SourceError
from citescape.core.records import find_id, read_records
from citescape.evaluation.leakage.papers import PaperList, list_pairs, list_places, list_titles
from citescape.papers.id_lists import read_id_list
from citescape.sampling.leakage import ROLES
from citescape.sampling.triplets import Triplets, read_triplets

_TABLES = (".csv", ".jsonl", ".parquet")
_PLAIN = "paper"


def read_list(path: Path) -> PaperList:
    """Papers of a file: triplets as Parquet, records with an id and optional title, or ids.

    Columns are those of `records.ID_KEYS`, and `title`. Files with another ending have one id per
    line.

    Raises:
        ConfigError: no such file.
        SourceError: the file is damaged, or a record has no id.
    """
    if not path.is_file():
        raise ConfigError(
            f"no file or run {str(path)!r}; expected a file of papers (plain text, .csv, .jsonl, "
            ".parquet), or a run that `platform runs` lists"
        )
    if path.suffix == ".parquet" and set(ROLES) <= _columns(path):
        return list_triplets(path.name, read_triplets(path))
    if is_plain(path):
        rows = list_places([(("", _PLAIN), pa.array(read_id_list(path), pa.string()))])
        return PaperList(str(path), rows)
    titles = list(iterate_titles(path))
    ids = pa.array([id_ for id_, _ in titles], pa.string())
    return PaperList(str(path), list_places([(("", _PLAIN), ids)]), list_titles(titles))


def is_plain(path: Path) -> bool:
    """Whether a file has one id per line, according to its ending."""
    return path.is_file() and path.suffix not in (*_TABLES, ".json")


def list_triplets(name: str, triplets: Triplets) -> PaperList:
    """Anchors, positives and negatives of triplets, and the pairs of anchor and positive."""
    papers = {role: triplets.ids.take(pa.array(getattr(triplets, role))) for role in ROLES}
    pairs = list_pairs(papers["anchor"], papers["positive"])
    return PaperList(
        name, list_places((("", role), ids) for role, ids in papers.items()), pairs=pairs
    )


def iterate_titles(path: Path) -> Iterator[tuple[str, str]]:
    """Ids and titles of a file of records.

    Raises:
        SourceError: the file is damaged, or a record has no id.
    """
    for where, record in read_records([path]):
        yield find_id(record, where), " ".join(str(record.get("title") or "").split())


def _columns(path: Path) -> set[str]:
    try:
        return set(pq.read_schema(path).names)
    except (OSError, pa.ArrowException) as error:
        raise SourceError(
            str(path),
            "damaged",
            f"expected Parquet; found a truncated file or another format: {error}",
        ) from error
