"""Papers of a training list or of a benchmark, in the parts that they play there."""

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
    """Papers, of which one may play several parts."""

    name: str
    rows: pa.Table
    """`split`, `part`, `paper`: a row for each part of a paper, or more."""
    titles: pa.Table = field(default_factory=lambda: _empty(_TITLES))
    """`paper`, `title`, of those whose title is known."""
    pairs: pa.Table = field(default_factory=lambda: _empty(_PAIRS))
    """`paper`, `other`: query and cited paper, or anchor and positive."""
    asked: frozenset[Place] = frozenset()
    """Places whose papers a benchmark asks about; of none it asks about all."""
    unknown: tuple[str, ...] = ()
    """What a model began with, of whose training list nothing is known."""

    def __post_init__(self) -> None:
        if not self.rows.num_rows:
            raise SourceError(self.name, "empty", "expected papers; found none")

    @property
    def papers(self) -> pa.StringArray:
        """Ids, each once, ascending."""
        return sort_unique(self.rows["paper"])

    @property
    def places(self) -> list[Place]:
        """In their order."""
        found = zip(self.rows["split"].to_pylist(), self.rows["part"].to_pylist(), strict=True)
        return list(dict.fromkeys(found))

    @property
    def queries(self) -> pa.StringArray:
        """Ids of the papers that are asked about, each once, ascending."""
        if not self.asked:
            return self.papers
        return sort_unique(
            pa.chunked_array([self.at(place) for place in sorted(self.asked)], pa.string())
        )

    def at(self, place: Place) -> pa.StringArray:
        """Ids at one place, each once, ascending."""
        split, part = place
        kept = pc.and_(pc.equal(self.rows["split"], split), pc.equal(self.rows["part"], part))
        return sort_unique(self.rows["paper"].filter(kept))

    def fingerprint(self) -> str:
        """SHA-256 of parts, titles and pairs, whatever their order."""
        digest = hashlib.sha256()
        for table in (self.rows, self.titles, self.pairs):
            lines = pc.binary_join_element_wise(*table.columns, "\x1f")
            digest.update("\n".join(sort_unique(lines).to_pylist()).encode())
            digest.update(b"\x1e")
        return digest.hexdigest()


def list_places(places: Iterable[tuple[Place, pa.Array]]) -> pa.Table:
    """Rows of a `PaperList`, of ids by place."""
    parts = [_empty(_PARTS)]
    for (split, part), ids in places:
        told = {"split": [split] * len(ids), "part": [part] * len(ids)}
        parts.append(pa.table({**told, "paper": ids}, parts[0].schema))
    return pa.concat_tables(parts)


def list_titles(titles: Iterable[tuple[str, str]]) -> pa.Table:
    """Titles of a `PaperList`, of ids and titles; empty ones are left out."""
    found = {paper: title for paper, title in titles if title}
    columns = (list(found), list(found.values()))
    return pa.table([pa.array(column, pa.string()) for column in columns], list(_TITLES))


def list_pairs(papers: pa.Array, others: pa.Array) -> pa.Table:
    """Pairs of a `PaperList`, of two columns of ids."""
    return pa.table([papers, others], _empty(_PAIRS).schema)


def join_lists(name: str, lists: Sequence[PaperList]) -> PaperList:
    """What is in any of some lists."""
    rows, titles, pairs = (pa.concat_tables([getattr(one, of) for one in lists]) for of in _TABLES)
    asked = frozenset[Place]().union(*(one.asked for one in lists))
    unknown = dict.fromkeys(encoder for one in lists for encoder in one.unknown)
    return PaperList(name, rows, titles, pairs, asked, tuple(unknown))


_TABLES = ("rows", "titles", "pairs")
