"""Papers of a training list or of a benchmark, by split and part."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import SourceError
from citescape.search.listed import sort_unique

Place = tuple[str, str]
"""Split and part: `("test", "query")`, `("", "anchor")`."""
_PARTS, _TITLES, _PAIRS = ("split", "part", "paper"), ("paper", "title"), ("paper", "other")


def _empty(names: Sequence[str]) -> pa.Table:
    return pa.table({name: pa.array([], pa.string()) for name in names})


@dataclass(frozen=True)
class PaperList:
    """Papers, each in one or several parts."""

    name: str
    rows: pa.Table
    """`split`, `part`, `paper`: at least one row for each part of a paper."""
    titles: pa.Table = field(default_factory=lambda: _empty(_TITLES))
    """`paper`, `title`; unknown titles are missing."""
    pairs: pa.Table = field(default_factory=lambda: _empty(_PAIRS))
    """`paper`, `other`: query and cited paper, or anchor and positive."""
    queried: frozenset[Place] = frozenset()
    """Places of the queries of a benchmark; empty if all papers are queries."""
    unknown: tuple[str, ...] = ()
    """Base encoders of a model whose training lists are unknown."""

    def __post_init__(self) -> None:
        if not self.rows.num_rows:
            raise SourceError(self.name, "empty", "expected papers; found none")

    @property
    def papers(self) -> pa.StringArray:
        """Unique ids, ascending."""
        return sort_unique(self.rows["paper"])

    @property
    def places(self) -> list[Place]:
        """Pairs of split and part, in the order of the rows."""
        pairs = zip(self.rows["split"].to_pylist(), self.rows["part"].to_pylist(), strict=True)
        return list(dict.fromkeys(pairs))

    @property
    def queries(self) -> pa.StringArray:
        """Unique ids of the queries, ascending."""
        if not self.queried:
            return self.papers
        ids = [self.at(place) for place in sorted(self.queried)]
        return sort_unique(pa.chunked_array(ids, pa.string()))

    def at(self, place: Place) -> pa.StringArray:
        """Unique ids at one place, ascending."""
        split, part = place
        kept = pc.and_(pc.equal(self.rows["split"], split), pc.equal(self.rows["part"], part))
        return sort_unique(self.rows["paper"].filter(kept))

    def fingerprint(self) -> str:
        """SHA-256 of parts, titles and pairs, independent of their order."""
        digest = hashlib.sha256()
        for table in (self.rows, self.titles, self.pairs):
            lines = pc.binary_join_element_wise(*table.columns, "\x1f")
            digest.update("\n".join(sort_unique(lines).to_pylist()).encode())
            digest.update(b"\x1e")
        return digest.hexdigest()


def list_places(places: Iterable[tuple[Place, pa.Array]]) -> pa.Table:
    """Rows of a `PaperList` from ids by place."""
    parts = [_empty(_PARTS)]
    for (split, part), ids in places:
        names = {"split": [split] * len(ids), "part": [part] * len(ids)}
        parts.append(pa.table({**names, "paper": ids}, parts[0].schema))
    return pa.concat_tables(parts)


def list_titles(titles: Iterable[tuple[str, str]]) -> pa.Table:
    """Titles of a `PaperList` from ids and titles; empty titles are skipped."""
    known = {paper: title for paper, title in titles if title}
    columns = (list(known), list(known.values()))
    return pa.table([pa.array(column, pa.string()) for column in columns], list(_TITLES))


def list_pairs(papers: pa.Array, others: pa.Array) -> pa.Table:
    """Pairs of a `PaperList` from two columns of ids."""
    return pa.table([papers, others], _empty(_PAIRS).schema)


def join_lists(name: str, lists: Sequence[PaperList]) -> PaperList:
    """The union of lists."""
    rows = pa.concat_tables([papers.rows for papers in lists])
    titles = pa.concat_tables([papers.titles for papers in lists])
    pairs = pa.concat_tables([papers.pairs for papers in lists])
    queried = frozenset[Place]().union(*(papers.queried for papers in lists))
    unknown = dict.fromkeys(encoder for papers in lists for encoder in papers.unknown)
    return PaperList(name, rows, titles, pairs, queried, tuple(unknown))
