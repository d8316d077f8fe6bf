"""Citation contexts: citing paper, cited works and text of each."""

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
    """A row for each context and work that it cites."""

    pairs: pa.Table
    """`context`, `citing`, `cited`: ids as text. `text`, if known: the context with `TARGETCIT` in
    place of the citation of that row's work, and `OTHERCIT` in place of others. `section`, if read
    from a graph: the type of the section."""

    @property
    def ids(self) -> pa.StringArray:
        """Ids of the contexts, each once, ascending."""
        return sort_unique(self.pairs["context"])

    @property
    def papers(self) -> pa.StringArray:
        """Citing and cited papers, each once, ascending."""
        chunks = [*self.pairs["citing"].chunks, *self.pairs["cited"].chunks]
        return sort_unique(pa.chunked_array(chunks, pa.string()))

    @property
    def citing(self) -> pa.StringArray:
        """Citing papers, each once, ascending."""
        return sort_unique(self.pairs["citing"])

    def __len__(self) -> int:
        return len(self.ids)

    def filter(self, kept: Any) -> Contexts:
        """The contexts with at least one row that is kept."""
        return Contexts(self.pairs.filter(kept))


def read_split(
    path: Path, citing: Mapping[str, str] | None = None, *, skipped: list[str] | None = None
) -> Contexts:
    """Contexts of one split in the format of HAtten: a list of `context_id` and `positive_ids`.

    Args:
        path: JSON, also compressed (`.json.gz`).
        citing: id of a context -> citing paper. Without it, a context's id must be
            `citing_cited_k`, with a number k; ids may contain `_` themselves.
        skipped: see `records.read_each`, for entries of the list.

    Raises:
        SourceError: the file is not such a list; the message names the entry.
    """
    entries = read_json(path)
    if not isinstance(entries, list) or not entries:
        found = "an empty list" if entries == [] else type(entries).__name__
        raise SourceError(str(path), "not-contexts", f"expected a list of contexts; found {found}")
    rows = read_each(
        enumerate(entries),
        lambda entry: _read_entry(entry[1], citing, f"{path}, entry {entry[0]}"),
        skipped,
    )
    columns = zip(*chain.from_iterable(rows), strict=True)
    return Contexts(pa.table([pa.array(column, pa.string()) for column in columns], list(COLUMNS)))


def _read_entry(
    entry: object, citing: Mapping[str, str] | None, where: str
) -> Iterable[tuple[str, str, str]]:
    """A row of context, citing paper and cited work for each work of an entry."""
    context = entry.get("context_id") if isinstance(entry, Mapping) else None
    cited = entry.get("positive_ids") if isinstance(entry, Mapping) else None
    if not isinstance(context, str) or not isinstance(cited, list) or not cited:
        raise SourceError(
            where, "no-context", f"found {str(entry)[:80]}; expected context_id and positive_ids"
        )
    works = [to_id(work, where) for work in cited]
    if citing is not None:
        paper = citing.get(context, "")
        if not paper:
            raise SourceError(
                where, "no-context", f"found {context!r}; expected the id of one of the contexts"
            )
        return [(context, paper, work) for work in works]
    stem = context.rpartition("_")[0]
    for work in works:
        if stem.endswith(f"_{work}"):
            return [(context, stem.removesuffix(f"_{work}"), other) for other in works]
    raise SourceError(
        where,
        "no-citing",
        f"found {context!r} as context_id; expected citing_cited_k, cited one of positive_ids",
    )
