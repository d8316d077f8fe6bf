"""Papers, and the contexts in which they cite each other."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

import pyarrow as pa

from citescape.core.types import Document
from citescape.recommend.contexts import COLUMNS, TEXT, Contexts
from citescape.recommend.dates import Dates

_MAX_EXAMPLES = 20
"""Maximum number of skipped records listed in a run."""
PAPER_COLUMNS = ("id", "title", "abstract", "date")


@dataclass(frozen=True, eq=False)
class Library:
    """Papers with their texts, and contexts with theirs."""

    papers: pa.Table
    """`id` ascending, each once; `title`, `abstract`, `date` (ISO 8601), empty where unknown."""
    contexts: Contexts
    """Contexts of these papers, with texts."""
    full_texts: int = 0
    """Number of papers whose full text was searched for contexts; 0 if unknown."""
    skipped: tuple[str, ...] = ()
    """Messages on skipped records of files."""

    @property
    def ids(self) -> pa.StringArray:
        """(papers,) ascending."""
        return self.papers["id"].combine_chunks()

    @property
    def dates(self) -> Dates:
        """Dates of the papers."""
        return read_dates(self.papers)

    @property
    def documents(self) -> list[Document]:
        """(papers,) titles and abstracts, empty where unknown."""
        return read_documents(self.papers)

    def with_contexts(self, contexts: Contexts) -> Library:
        """The same papers with other contexts."""
        return replace(self, contexts=contexts)

    def count_skipped(self) -> dict[str, object]:
        """For records of runs: `skipped_records`, and in `skipped_examples` the first messages."""
        return {
            "skipped_records": len(self.skipped),
            "skipped_examples": list(self.skipped[:_MAX_EXAMPLES]),
        }

    def hash(self) -> str:
        """16 hex digits of all papers and contexts, independent of their order."""
        digest = hashlib.blake2b(digest_size=8)
        pairs = self.contexts.pairs.select([*COLUMNS, TEXT])
        pairs = pairs.sort_by([(name, "ascending") for name in pairs.column_names])
        for table in (self.papers.select(PAPER_COLUMNS), pairs):
            for column in table.columns:
                digest.update(repr(column.to_pylist()).encode())
        return digest.hexdigest()


def read_documents(papers: pa.Table) -> list[Document]:
    """Documents of a table with `title` and `abstract`, such as that of a library."""
    columns = (papers[name].to_pylist() for name in ("title", "abstract"))
    return [Document(*row) for row in zip(*columns, strict=True)]


def read_dates(papers: pa.Table) -> Dates:
    """Dates of a table with `id` and `date`, such as that of a library."""
    columns = (papers[name].to_pylist() for name in ("id", "date"))
    return Dates.from_iso(dict(zip(*columns, strict=True)))
