"""Judgements: which documents are relevant to a query."""

from __future__ import annotations

from citescape.search.listed import Listed


class Qrels(Listed):
    """Judged documents of queries: 0 (or less) is not relevant, 1 and more is, by degree."""

    what = "relevance"
