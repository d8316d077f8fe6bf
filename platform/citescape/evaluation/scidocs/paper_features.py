"""Features of pairs of papers for a ranker of recommendations."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from citescape.core.errors import SourceError
from citescape.core.records import read_json
from citescape.search.listed import Floats

FEATURES = (
    "authors",
    "title",
    "cosine",
    "cited by",
    "references",
    "cites",
    "cited",
    "age",
    "relative age",
    "citations",
)
"""The published ranker has an eleventh feature, the position, which its reader sets to 0."""
YEAR, SPAN = 2020.0, 20.0
"""Ages are relative to 2020 and divided by 20 years, clipped to -1 .. 1."""
_TOKEN = re.compile(r"\w+|[^\w\s]")
_LISTS = ("authors", "references", "cited_by")


@dataclass(frozen=True)
class PaperMetadata:
    """Metadata of a paper."""

    title: frozenset[str]
    """Words and punctuation marks of the title."""
    authors: frozenset[str]
    references: frozenset[str]
    cited_by: frozenset[str]
    year: float | None


def read_papers(path: Path, ids: Set[str]) -> dict[str, PaperMetadata]:
    """Metadata of the papers with these ids in a file.

    Raises:
        SourceError: the file is missing, is not JSON, or is not an object of papers.
    """
    records = read_json(path)
    if not isinstance(records, dict):
        raise SourceError(str(path), "not-papers", "expected an object of papers by id")
    papers = {}
    for name in ids & records.keys():
        record = records[name]
        if not isinstance(record, dict) or any(
            not isinstance(record.get(key) or [], list) for key in _LISTS
        ):
            raise SourceError(
                str(path),
                "not-papers",
                f"expected lists as {', '.join(_LISTS)} of {name!r}; found another type",
            )
        title = frozenset(_TOKEN.findall(str(record.get("title") or "")))
        lists = {key: frozenset(map(str, record.get(key) or [])) for key in _LISTS}
        try:
            year = float(str(record.get("year")))
        except ValueError:
            year = math.nan
        papers[name] = PaperMetadata(title, **lists, year=year if math.isfinite(year) else None)
    return papers


def compute_features(
    papers: Mapping[str, PaperMetadata], pairs: tuple[Sequence[str], Sequence[str]], cosines: Floats
) -> Floats:
    """Features of queries and the papers shown beside them, as SciDocs' evaluator computes them.

    Overlaps are Jaccard indices; 0 if both sets are empty or a paper is unknown. Titles are split
    into words and punctuation marks by a regular expression; the evaluator uses spaCy.

    Args:
        papers: known papers by id.
        pairs: ids of queries (p,) and of the papers shown (p,).
        cosines: (p,) cosines of their embeddings.

    Returns:
        (p, 10) in the order of `FEATURES`.
    """
    features = np.zeros((len(cosines), len(FEATURES)))
    unknown = PaperMetadata(frozenset(), frozenset(), frozenset(), frozenset(), None)
    for row, (query_id, shown_id) in enumerate(zip(*pairs, strict=True)):
        query, shown = papers.get(query_id, unknown), papers.get(shown_id, unknown)
        difference = 0.0
        if query.year is not None and shown.year is not None:
            difference = query.year - shown.year
        features[row] = [
            jaccard(query.authors, shown.authors),
            jaccard(query.title, shown.title),
            cosines[row],
            jaccard(query.cited_by, shown.cited_by),
            jaccard(query.references, shown.references),
            shown_id in query.cited_by or query_id in shown.references,
            query_id in shown.cited_by or shown_id in query.references,
            _clip((YEAR - shown.year) / SPAN) if shown.year is not None else 0.0,
            _clip(difference / SPAN),
            math.log(len(shown.cited_by) + 1) / 10,
        ]
    return features


def jaccard(first: Set[str], second: Set[str]) -> float:
    """Jaccard index |A & B| / |A | B|; 0 for two empty sets."""
    both = len(first | second)
    return len(first & second) / both if both else 0.0


def _clip(value: float) -> float:
    return max(-1.0, min(1.0, value))
