"""Citation contexts: who cites what where, and in which words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa

from citescape.core.errors import SourceError
from citescape.core.records import read_each, read_json, to_id
from citescape.search.listed import sort_unique

COLUMNS = ("context", "citing", "cited")
TEXT, SECTION = "text", "section"


@dataclass(frozen=True, eq=False)
class Contexts:
    """A row for each work that a context cites: a sentence may cite several."""

    pairs: pa.Table
    """`context`, `citing`, `cited`: ids as text. Where texts are known, `text`: the context with
    `TARGETCIT` in place of the citation of that row's work, and `OTHERCIT` of others. Of a graph,
    `section`: the type of the section that the context stands in."""

    @property
    def ids(self) -> pa.StringArray:
        """Of the contexts, each once, ascending."""
        return sort_unique(self.pairs["context"])

    @property
    def papers(self) -> pa.StringArray:
        """Citing and cited ones, each once, ascending."""
        chunks = [*self.pairs["citing"].chunks, *self.pairs["cited"].chunks]
        return sort_unique(pa.chunked_array(chunks, pa.string()))

    @property
    def citing(self) -> pa.StringArray:
        """Papers that cite, each once, ascending."""
        return sort_unique(self.pairs["citing"])

    def __len__(self) -> int:
        return len(self.ids)

    def filter(self, kept: Any) -> Contexts:
        """Some rows: a context stays as long as one of its works does."""
        return Contexts(self.pairs.filter(kept))


def read_split(
    path: Path, citing: Mapping[str, str] | None = None, *, skipped: list[str] | None = None
) -> Contexts:
    """Contexts of one split in HAtten's format: a list of `context_id` and `positive_ids`.

    Args:
        path: JSON, also compressed (`.json.gz`).
        citing: id of a context -> the paper that it stands in. Without it, a context's id must be
            `citing_cited_k`, with a number k; ids may hold `_` themselves.
        skipped: see `records.read_each`, of entries of the list.

    Raises:
        SourceError: it is no such list; the message says where.
    """
    told = read_json(path)
    if not isinstance(told, list) or not told:
        raise SourceError(
            str(path), "not-contexts", f"expected a list of contexts; found {_of(told)}"
        )
    read = read_each(
        enumerate(told), lambda one: _read(one[1], citing, f"{path}, entry {one[0]}"), skipped
    )
    columns = zip(*chain.from_iterable(read), strict=True)
    return Contexts(pa.table([pa.array(column, pa.string()) for column in columns], list(COLUMNS)))


def _read(
    told: object, citing: Mapping[str, str] | None, where: str
) -> Iterable[tuple[str, str, str]]:
    named = told.get("context_id") if isinstance(told, Mapping) else None
    cited = told.get("positive_ids") if isinstance(told, Mapping) else None
    if not isinstance(named, str) or not isinstance(cited, list) or not cited:
        raise SourceError(
            where, "no-context", f"found {str(told)[:80]}; expected context_id and positive_ids"
        )
    works = [to_id(work, where) for work in cited]
    if citing is None:
        paper = _find_citing(named, works, where)
    elif (paper := citing.get(named, "")) == "":
        raise SourceError(
            where, "no-context", f"found {named!r}; expected the id of one of the contexts"
        )
    return [(named, paper, work) for work in works]


def _find_citing(named: str, works: list[str], where: str) -> str:
    stem = named.rpartition("_")[0]
    for work in works:
        if stem.endswith(f"_{work}"):
            return stem.removesuffix(f"_{work}")
    raise SourceError(
        where,
        "no-citing",
        f"found {named!r} as context_id; expected citing_cited_k, cited one of positive_ids",
    )


def _of(told: object) -> str:
    return "an empty one" if told == [] else type(told).__name__
