"""Files that add abstracts to the papers of a data set, or ORCIDs to their authors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from citescape.core.paths import path_text
from citescape.core.types import Author, Paper
from citescape.ingest.table_index import TableIndex, read_rows
from citescape.loaders.datasets import DataSet
from citescape.loaders.lines import TextLines
from citescape.loaders.table_rows import PaperRow

_AUTHORS = "authors"


@dataclass(frozen=True)
class ValueAccount:
    """Numbers of kept and lost lines of a file that adds values."""

    path: str
    content: str
    """`abstracts` or `authors`."""
    kept: int
    lost: dict[str, int]
    """Lost lines by reason: `no-id`, `no-value`, `unknown` (a paper or author that no paper of the
    data set is or names), `repeated`."""


@dataclass(frozen=True)
class AddedValues:
    """Abstracts of papers, on disk, and ORCIDs of authors that papers name."""

    abstracts: StoredTexts
    orcids: Mapping[str, str] = field(default_factory=dict)
    """Id of an author in Semantic Scholar -> ORCID."""
    accounts: tuple[ValueAccount, ...] = ()

    def add(self, paper: Paper, code: int) -> tuple[Paper, tuple[str, ...]]:
        """A paper with what it lacks, and what was added, for its hash."""
        added: list[str] = []
        if not paper.abstract and (abstract := self.abstracts.of(code)):
            paper = replace(paper, abstract=abstract)
            added.append(abstract)
        authors = _with_orcids(paper.authors, self.orcids) if self.orcids else paper.authors
        if authors != paper.authors:
            added += [author.orcid or "" for author in authors]
            paper = replace(paper, authors=authors)
        return paper, tuple(added)


def _with_orcids(authors: Sequence[Author], orcids: Mapping[str, str]) -> tuple[Author, ...]:
    """The by-line with ORCIDs; one that two authors would have is left out."""
    found = [author.orcid or orcids.get(author.s2 or "") for author in authors]
    times = Counter(found)
    return tuple(
        author._replace(orcid=orcid if times[orcid] == 1 else author.orcid)
        for author, orcid in zip(authors, found, strict=True)
    )


class StoredTexts:
    """Texts of papers on disk, one for each; memory is that of their codes."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = pa.OSFile(str(path), "wb")
        self._writer = pa.ipc.new_stream(self._file, _TEXTS)
        self._rows = np.zeros(0, np.int64)
        self._codes: list[np.ndarray] = []

    def add(self, codes: Sequence[int], texts: Sequence[str]) -> None:
        """Adds texts; of several for one paper, the first counts."""
        if codes:
            self._codes.append(np.array(codes, np.int64))
            self._writer.write_batch(pa.record_batch([pa.array(texts, pa.string())], schema=_TEXTS))

    def close(self) -> None:
        """Ends writing; after that the texts can be read."""
        self._writer.close()
        self._file.close()
        self._texts = pa.ipc.open_stream(pa.memory_map(str(self._path))).read_all()["text"]
        codes = np.concatenate([np.zeros(0, np.int64), *self._codes])
        self._codes.clear()
        self._rows = np.full(codes.max(initial=-1) + 1, -1)
        self._rows[codes[::-1]] = np.arange(len(codes))[::-1]

    def of(self, code: int) -> str:
        """The text of a paper; empty if it has none."""
        row = int(self._rows[code]) if code < len(self._rows) else -1
        return "" if row < 0 else str(self._texts[row])


_TEXTS = pa.schema([("text", pa.string())])


def read_values(data_set: DataSet, index: TableIndex, folder: Path) -> AddedValues:
    """Reads the files of a data set that add values.

    Args:
        data_set: the tables.
        index: ids of its papers.
        folder: an empty folder, which holds the texts while the values are used.

    Raises:
        SourceError: a file cannot be read to its end.
    """
    texts = StoredTexts(folder / "abstracts.arrow")
    orcids: dict[str, str] = {}
    seen: dict[str, set[str]] = {content: set() for content, _ in data_set.values}
    authors = _read_authors(data_set) if _AUTHORS in seen else {}
    accounts = []
    for content, path in data_set.values:
        known = authors if content == _AUTHORS else index.codes
        lost: Counter[str] = Counter()
        kept = 0
        for batch in data_set.table_format.read_values[content](TextLines(path)):
            fresh: dict[str, str] = {}
            lost["no-id"] += batch.broken
            for id_, value in zip(batch.ids, batch.values, strict=True):
                if id_ not in known:
                    lost["unknown"] += 1
                elif not value:
                    lost["no-value"] += 1
                elif id_ in fresh or id_ in seen[content]:
                    lost["repeated"] += 1
                else:
                    fresh[id_] = value
            kept += len(fresh)
            seen[content].update(fresh)
            if content == _AUTHORS:
                orcids |= fresh
            else:
                texts.add([index.codes[id_] for id_ in fresh], [*fresh.values()])
        accounts.append(ValueAccount(path_text(path), content, kept, dict(+lost)))
    texts.close()
    return AddedValues(texts, orcids, tuple(accounts))


def _read_authors(data_set: DataSet) -> dict[str, int]:
    """Number of papers of each author, by the id of the author."""
    counts: Counter[str] = Counter()
    for _, row in read_rows(data_set):
        if isinstance(row, PaperRow) and row.id:
            read = data_set.table_format.record_of
            paper: Paper = read(row, path="", sha256="", own_id="", loader="")
            counts.update(author.s2 for author in paper.authors if author.s2)
    return counts
