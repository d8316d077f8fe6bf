"""Finds papers by words of title, authors, journal and year, or by an identifier."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from scipy import sparse

from citescape.core.errors import ConfigError
from citescape.core.pairs import encode
from citescape.core.paper_types import RESEARCH, select_types
from citescape.papers.identify import find_paper
from citescape.papers.notices import EVENTS
from citescape.papers.paper_index import fold_words
from citescape.runs.result import Part, Result, Summary, Table, list_rows, plural
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

NOTICES = {
    "any": (*EVENTS,),
    "retracted": ("retracted", "partly retracted"),
    "concern": ("concern",),
    "corrected": ("corrected",),
    "reinstated": ("reinstated",),
}
"""Setting -> values of `Paper.notice`."""
_AUTHORS = 3
"""Number of authors in a row."""


@dataclass(frozen=True)
class FoundPapers(Result):
    """Papers that match a search, the best first."""

    text: str
    table: pa.Table
    """`id`, `title`, `year`, `venue`, `authors`, `fulltext`, `cited_by` (papers of the graph that
    have one of the types), `importance` (sum over their citations; null before `platform score`),
    `cited_by_others` and `importance_of_others` (papers of other types), `notice` (`retracted`,
    `corrected`, ...; null without one), `notice_year`."""
    matches: int
    """Number of matching papers, of which the table has the first."""
    types: tuple[str, ...]
    """Types of the citing papers that count."""
    counted: int
    """Number of citations in the graph by papers of these types."""
    others: int
    """Number of citations in the graph by papers of other types."""

    @property
    def arrow(self) -> pa.Table:
        """A row per paper."""
        return self.table

    def summarise(self) -> Summary:
        """The first matches, how many there are, and which citations count."""
        names = ["id", "title", "year", "authors", "cited_by", "importance"]
        names += ["cited_by_others", "importance_of_others"] if self.others else []
        if self.table["notice"].null_count < len(self.table):
            names.append("notice")
        more = self.matches - len(self.table)
        count = plural(self.matches, "paper") + (f", the first {len(self.table)}" if more else "")
        figures = {
            "matches": self.matches,
            "types": list(self.types),
            "counted": self.counted,
            "others": self.others,
            "papers": self.table.to_pylist(),
        }
        rows = list_rows(self.table.select(names))
        title = f"{count} for {self.text!r}" if self.text else f"{count}, by importance received"
        parts: list[Part] = [title, "", Table(names, rows)]
        if self.others:
            parts += [
                "",
                f"cited_by and importance: {plural(self.counted, 'citation')} by papers of the "
                f"types {', '.join(self.types)}; {self.others:,} by others apart",
            ]
        return Summary(parts, figures)


class WordIndex:
    """Rows of texts by the words that begin with some letters."""

    def __init__(self, texts: pa.ChunkedArray) -> None:
        words = pc.split_pattern(texts.combine_chunks(), " ")
        rows = np.asarray(pc.list_parent_indices(words)).astype(np.int32)
        encoded = pc.list_flatten(words).dictionary_encode()
        names = encoded.dictionary
        order = np.asarray(pc.sort_indices(names))
        place = np.empty(len(order), np.int32)
        place[order] = np.arange(len(order))
        codes = place[np.asarray(encoded.indices)]
        shape = (len(order), len(texts))
        by_word = sparse.csr_array((np.ones(len(rows), np.bool_), (codes, rows)), shape=shape)
        self._names = names.take(pa.array(order)).to_pylist()
        """Words in ascending order."""
        self._rows = by_word.indices
        """Rows of all words, word by word."""
        self._starts = by_word.indptr

    def find(self, letters: str) -> np.ndarray:
        """Rows with a word that begins with some letters, ascending.

        Args:
            letters: beginning of a word, lower case without accents.
        """
        first = bisect_left(self._names, letters)
        last = bisect_left(self._names, letters + chr(0x10FFFF))
        return np.unique(self._rows[self._starts[first] : self._starts[last]])


@dataclass(frozen=True)
class _Received:
    """What works receive from papers of some types, and from others; all arrays (works,)."""

    cited_by: np.ndarray
    importance: np.ndarray
    cited_by_others: np.ndarray
    importance_of_others: np.ndarray

    @property
    def ranks(self) -> tuple[np.ndarray, ...]:
        """Keys of a ranking in descending order, the last one first, as of `np.lexsort`."""
        return self.cited_by_others, self.importance_of_others, self.cited_by, self.importance


class Catalogue:
    """All works of a graph in memory, ready to be searched."""

    def __init__(self, store: GraphStore) -> None:
        works = store.read(query("explorer/catalogue"))
        received = store.read(query("explorer/received"))
        works = works.sort_by("id")
        self._place = encode(received["id"], works["id"].combine_chunks())
        """Row of the cited work, for each row of `received`."""
        self._received = received
        self._types = store.read(query("features/known_types"))["type"]
        """Types of papers, those without references included."""
        self._sums: dict[tuple[str, ...], _Received] = {}
        """By types of citing papers that count."""
        scored = np.zeros(len(works), np.bool_)
        scored[self._place[received["importance"].is_valid().to_numpy()]] = True
        self._scored = scored
        """Works with importance."""
        # Not null: Arrow leaves out a row whose parts are all null.
        authors = pc.fill_null(pc.binary_join(works["surnames"], " "), "")
        parts = (authors, works["venue"], pc.cast(works["year"], pa.string()))
        others = fold_words(pc.binary_join_element_wise(*parts, " ", null_handling="skip"))
        self._titles = fold_words(pc.fill_null(works["title"], ""))
        self._words = WordIndex(pc.binary_join_element_wise(self._titles, others, ""))
        self._works = works

    def __len__(self) -> int:
        return len(self._works)

    def search(
        self, text: str, limit: int, notice: str = "", types: Sequence[str] = RESEARCH
    ) -> FoundPapers:
        """Papers in which every word of the text begins a word of title, authors, journal or year.

        Titles with the words in this order come first, then works by importance received from
        papers of the types, number of these papers, the same of other papers, and id.

        Args:
            text: words; empty for all papers.
            limit: maximum number of papers.
            notice: only works with this notice (`NOTICES`); empty for all.
            types: types of citing papers that count, see `core.paper_types`.

        Raises:
            ConfigError: the text has punctuation only, or there is no such type.
        """
        phrase = fold_words(pa.chunked_array([[text]]))[0].as_py()
        if text.strip() and not phrase.strip():
            raise ConfigError(
                f"nothing to search for in {text!r}; expected words of a title, an author, a "
                "journal or a year, or a DOI"
            )
        rows = np.arange(len(self._works))
        if notice:
            states = pa.array(NOTICES[notice])
            rows = np.flatnonzero(pc.is_in(self._works["notice"], value_set=states).to_numpy())
        for word in set(phrase.split()):
            rows = np.intersect1d(rows, self._words.find(word), assume_unique=True)
        in_title = pc.match_substring(self._titles.take(pa.array(rows)), phrase.rstrip())
        ranks = self._receive(types).ranks
        order = np.lexsort(
            (
                rows,
                *(-values[rows] for values in ranks),
                ~in_title.to_numpy().astype(np.bool_),
            )
        )[:limit]
        return self._find(text, rows[order], len(rows), types)

    def look_up(
        self, id_: str, text: str, notice: str = "", types: Sequence[str] = RESEARCH
    ) -> FoundPapers:
        """The paper with an id; no row if it has another notice.

        Args:
            id_: id of a paper of the graph.
            text: identifier as given.
            notice: as in `search`.
            types: as in `search`.
        """
        rows = np.array([pc.index(self._works["id"], id_).as_py()])
        if notice and self._works["notice"][int(rows[0])].as_py() not in NOTICES[notice]:
            rows = rows[:0]
        return self._find(text, rows, len(rows), types)

    def _receive(self, types: Sequence[str]) -> _Received:
        """What all works receive from papers of the types and from others; kept in memory."""
        if tuple(types) not in self._sums:
            counts = select_types(self._received["type"], types, known=self._types)
            columns = [_number(self._received[name]) for name in ("cited_by", "importance")]
            self._sums[tuple(types)] = _Received(
                *(
                    np.bincount(self._place, values * side, minlength=len(self._works))
                    for side in (counts, ~counts)
                    for values in columns
                )
            )
        return self._sums[tuple(types)]

    def _find(self, text: str, rows: np.ndarray, matches: int, types: Sequence[str]) -> FoundPapers:
        """Some rows as the result of a search with a number of matches."""
        received = self._receive(types)
        table = _shown(self._works.take(pa.array(rows)))
        for name in ("cited_by", "cited_by_others"):
            table = table.append_column(name, pa.array(getattr(received, name)[rows].astype(int)))
        for name in ("importance", "importance_of_others"):
            sums = pa.array(getattr(received, name)[rows], mask=~self._scored[rows])
            table = table.append_column(name, sums)
        counted, others = int(received.cited_by.sum()), int(received.cited_by_others.sum())
        return FoundPapers(text, table, matches, tuple(types), counted, others)


def find_by_id(store: GraphStore, text: str) -> str | None:
    """The id of the paper that an identifier, which has digits and no blank, names; or None."""
    if not re.fullmatch(r"\S*\d\S*", text.strip()):
        return None
    try:
        return find_paper(store, text).id
    except ConfigError:
        return None


def _number(column: pa.ChunkedArray) -> np.ndarray:
    return np.asarray(pc.fill_null(column.cast(pa.float64()), 0.0).to_numpy())


def _shown(works: pa.Table) -> pa.Table:
    names = works["surnames"].to_pylist()
    authors = [
        ", ".join((own or [])[:_AUTHORS]) + (" et al." if len(own or []) > _AUTHORS else "")
        for own in names
    ]
    columns = ["id", "title", "year", "venue", "fulltext", "notice", "notice_year"]
    return works.select(columns).append_column("authors", pa.array(authors, pa.string()))
