"""What a ranker of recommendations sees of two papers beside their embeddings."""

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
"""The published ranker has an eleventh, the position, which its reader sets to 0."""
YEAR, SPAN = 2020.0, 20.0
"""Ages are in spans of 20 years, before 2020; at most 1, at least -1."""
_TOKEN = re.compile(r"\w+|[^\w\s]")
_LISTS = ("authors", "references", "cited_by")


@dataclass(frozen=True)
class Paper:
    """Metadata of a paper."""

    title: frozenset[str]
    """Its words and punctuation marks."""
    authors: frozenset[str]
    references: frozenset[str]
    cited_by: frozenset[str]
    year: float | None


def read_papers(path: Path, wanted: Set[str]) -> dict[str, Paper]:
    """Metadata of the wanted papers, those that are there.

    Raises:
        SourceError: the file is missing, no JSON, or not an object of papers.
    """
    told = read_json(path)
    if not isinstance(told, dict):
        raise SourceError(str(path), "not-papers", "expected an object: id -> paper; found another")
    papers = {}
    for name in wanted & told.keys():
        paper = told[name]
        if not isinstance(paper, dict) or any(
            not isinstance(paper.get(key) or [], list) for key in _LISTS
        ):
            raise SourceError(
                str(path),
                "not-papers",
                f"expected lists as {', '.join(_LISTS)} of {name!r}; found another",
            )
        papers[name] = _to_paper(paper)
    return papers


def compute_features(
    papers: Mapping[str, Paper], pairs: tuple[Sequence[str], Sequence[str]], cosines: Floats
) -> Floats:
    """Features of queries and the papers shown beside them, as SciDocs' evaluator computes them.

    Overlaps are Jaccard's: |A & B| / |A | B|, 0 where both are empty or a paper is not known.
    Titles are split into words and punctuation marks, where that evaluator has spaCy.

    Args:
        papers: those known.
        pairs: ids of queries (p,) and of the papers shown (p,).
        cosines: (p,) of their embeddings.

    Returns:
        (p, 10) in the order of `FEATURES`.
    """
    found = np.zeros((len(cosines), len(FEATURES)))
    for row, (query, shown) in enumerate(zip(*pairs, strict=True)):
        found[row] = _features(papers, (query, shown), float(cosines[row]))
    return found


def _features(papers: Mapping[str, Paper], pair: tuple[str, str], cosine: float) -> list[float]:
    query, shown = papers.get(pair[0], _UNKNOWN), papers.get(pair[1], _UNKNOWN)
    apart = (query.year - shown.year) if query.year is not None and shown.year is not None else 0.0
    return [
        jaccard(query.authors, shown.authors),
        jaccard(query.title, shown.title),
        cosine,
        jaccard(query.cited_by, shown.cited_by),
        jaccard(query.references, shown.references),
        float(pair[1] in query.cited_by or pair[0] in shown.references),
        float(pair[0] in shown.cited_by or pair[1] in query.references),
        _clip((YEAR - shown.year) / SPAN) if shown.year is not None else 0.0,
        _clip(apart / SPAN),
        math.log(len(shown.cited_by) + 1) / 10,
    ]


def jaccard(one: Set[str], other: Set[str]) -> float:
    """|A & B| / |A | B|; 0 of two empty sets."""
    both = len(one | other)
    return len(one & other) / both if both else 0.0


def _clip(value: float) -> float:
    return max(-1.0, min(1.0, value))


def _to_paper(told: Mapping[str, object]) -> Paper:
    lists = {key: frozenset(map(str, told.get(key) or [])) for key in _LISTS}  # type: ignore[call-overload]
    return Paper(frozenset(_TOKEN.findall(str(told.get("title") or ""))), **lists, year=_year(told))


def _year(told: Mapping[str, object]) -> float | None:
    try:
        year = float(str(told.get("year")))
    except ValueError:
        return None
    return year if math.isfinite(year) else None


_UNKNOWN = Paper(frozenset(), frozenset(), frozenset(), frozenset(), None)
