"""Finds papers by words of title, authors, journal and year, or by an identifier."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from scipy import sparse

from citescape.core.errors import ConfigError
from citescape.papers.identify import find_paper
from citescape.papers.notices import EVENTS
from citescape.papers.paper_index import fold_words
from citescape.runs.result import Result, Summary, Table, list_rows, plural
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
    """`id`, `title`, `year`, `venue`, `authors`, `fulltext`, `cited_by` (papers of the graph),
    `importance` (sum over the citations received; null before `platform score`), `notice`
    (`retracted`, `corrected`, ...; null without one), `notice_year`."""
    matches: int
    """Number of matching papers, of which the table has the first."""

    @property
    def arrow(self) -> pa.Table:
        """A row per paper."""
        return self.table

    def summarise(self) -> Summary:
        """The first matches, and how many there are."""
        names = ["id", "title", "year", "authors", "cited_by", "importance"]
        if self.table["notice"].null_count < len(self.table):
            names.append("notice")
        more = self.matches - len(self.table)
        count = plural(self.matches, "paper") + (f", the first {len(self.table)}" if more else "")
        figures = {"matches": self.matches, "papers": self.table.to_pylist()}
        rows = list_rows(self.table.select(names))
        title = f"{count} for {self.text!r}" if self.text else f"{count}, by importance received"
        return Summary([title, "", Table(names, rows)], figures)


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


class Catalogue:
    """All works of a graph in memory, ready to be searched."""

    def __init__(self, store: GraphStore) -> None:
        works = store.read(query("explorer/catalogue"))
        received = store.read(query("explorer/received"))
        works = works.sort_by("id")
        place = pc.index_in(works["id"], value_set=received["id"].combine_chunks())
        for name in ("cited_by", "importance"):
            works = works.append_column(name, received[name].take(place))
        # Not null: Arrow leaves out a row whose parts are all null.
        authors = pc.fill_null(pc.binary_join(works["surnames"], " "), "")
        parts = (authors, works["venue"], pc.cast(works["year"], pa.string()))
        others = fold_words(pc.binary_join_element_wise(*parts, " ", null_handling="skip"))
        self._titles = fold_words(pc.fill_null(works["title"], ""))
        self._words = WordIndex(pc.binary_join_element_wise(self._titles, others, ""))
        self._works = works

    def __len__(self) -> int:
        return len(self._works)

    def search(self, text: str, limit: int, notice: str = "") -> FoundPapers:
        """Papers in which every word of the text begins a word of title, authors, journal or year.

        Titles with the words in this order come first, then works by importance received, number
        of citing papers, and id.

        Args:
            text: words; empty for all papers.
            limit: maximum number of papers.
            notice: only works with this notice (`NOTICES`); empty for all.

        Raises:
            ConfigError: the text has punctuation only.
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
        chosen = self._works.take(pa.array(rows))
        in_title = pc.match_substring(self._titles.take(pa.array(rows)), phrase.rstrip())
        order = np.lexsort(
            (
                rows,
                -_number(chosen["cited_by"]),
                -_number(chosen["importance"]),
                ~in_title.to_numpy().astype(np.bool_),
            )
        )[:limit]
        return FoundPapers(text, _shown(chosen.take(pa.array(order))), len(rows))

    def look_up(self, id_: str, text: str, notice: str = "") -> FoundPapers:
        """The paper with an id; no row if it has another notice.

        Args:
            id_: id of a paper of the graph.
            text: identifier as given.
            notice: as in `search`.
        """
        place = pc.index(self._works["id"], id_).as_py()
        paper = self._works.slice(place, 1)
        if notice and paper["notice"][0].as_py() not in NOTICES[notice]:
            paper = paper.slice(1)
        return FoundPapers(text, _shown(paper), len(paper))


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
    columns = ["id", "title", "year", "venue", "fulltext", "cited_by", "importance"]
    columns += ["notice", "notice_year"]
    table = works.select(columns).append_column("authors", pa.array(authors, pa.string()))
    cited_by = pc.fill_null(table["cited_by"], 0)
    return table.set_column(table.schema.get_field_index("cited_by"), "cited_by", cited_by)
