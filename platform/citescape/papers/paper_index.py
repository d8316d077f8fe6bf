"""Matches references with the papers of a graph: by identifier, else by title and year."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from scipy import sparse

from citescape.store.graph_store import GraphStore
from citescape.store.schema import NODE
from citescape.store.statements import read_text

NEAR = 3
"""Maximum number of near misses of a reference."""
_IDS = ("doi", "pmid", "pmcid")
COLUMNS = (*_IDS, "title", "year", "surnames")
"""Columns of papers by which references are matched."""
_LEAST_WORDS = 3
"""Words of a title that identifies a work; `Introduction` and `Author correction` do not."""
_YEARS_APART = 1
"""A paper appears online in one year and in print in the next."""
_CANDIDATES = 1_000
"""Maximum number of papers that share one of the rarest words of a title, which are compared."""
_LEAST_SHARED = 0.5
"""Minimum share of common words among all words of two near titles."""
_LEAST_CONTAINED = 4
"""Minimum number of words of a title, all of which are in a longer one: a part of it, or an entry
that nobody parsed."""
_MOST_NEAR = 2_000
"""References for which near titles are looked for, the first ones without a paper."""
_BLOCK = 200
"""References that are compared at once."""
MATCHES = pa.schema(
    {
        "paper": pa.string(),
        "how": pa.string(),
        "agreement": pa.float64(),
        "near": pa.list_(pa.string()),
    }
)
"""`how`: `id`, `doi`, `pmid`, `pmcid` or `title`; null without a paper. `agreement`: share of
common words among all words of both titles, null without one of them. `near`: ids of papers with a
similar title, the most similar first, for references without a paper."""


class PaperIndex:
    """Identifiers, titles and years of all papers in memory: about 250 bytes each."""

    def __init__(self, store: GraphStore) -> None:
        self._fill(store.read(read_text(NODE["Paper"], COLUMNS)))

    @classmethod
    def of_rows(cls, papers: pa.Table) -> PaperIndex:
        """The index of some papers, with the columns `id` and `COLUMNS`."""
        index = cls.__new__(cls)
        index._fill(papers)
        return index

    def _fill(self, papers: pa.Table) -> None:
        papers = papers.sort_by("id")
        self.ids: pa.Array = papers["id"].cast(pa.string()).combine_chunks()
        self._papers = papers
        self._titles = fold_words(pc.fill_null(papers["title"], "")).combine_chunks()
        self._years = pc.fill_null(papers["year"], 0).to_numpy()
        self._surnames = fold_words(
            pc.fill_null(pc.list_element(_with_one(papers["surnames"]), 0), "")
        ).combine_chunks()

    def __len__(self) -> int:
        return len(self.ids)

    def match(self, references: pa.Table) -> pa.Table:
        """The paper of each reference.

        The first of these that fits counts: id of the store, DOI, PMID, PMCID, and the title with
        the same words in the same order. The years may differ by one; where one is unknown, known
        first authors are the same; with fewer than three words both must agree. A reference with a
        DOI is no paper with another DOI, however similar the titles are. Several papers with an
        equal title are near misses. Near titles are looked for up to the 2,000th reference without
        a paper.

        Args:
            references: the columns `name`, `doi`, `pmid`, `pmcid`, `title`, `year`, `surname`.

        Returns:
            A row per reference with the columns of `MATCHES`.
        """
        rows = np.full(len(references), -1)
        how = np.full(len(references), "", dtype=object)
        for kind in ("id", *_IDS):
            printed = references["name" if kind == "id" else kind]
            found = self._look_up(kind, printed)
            new = (rows < 0) & (found >= 0)
            rows[new], how[new] = found[new], kind
        # An id of the store says itself what it is: `doi:10.1/x`, `pmid:1`.
        for named in np.flatnonzero(how == "id"):
            prefix = self.ids[int(rows[named])].as_py().partition(":")[0]
            how[named] = prefix if prefix in _IDS else "id"
        titles = fold_words(pc.fill_null(references["title"], "")).combine_chunks()
        near: list[list[str]] = [[] for _ in range(len(references))]
        by_title, alike = self._match_titles(references, titles, rows)
        new = (rows < 0) & (by_title >= 0)
        rows[new], how[new] = by_title[new], "title"
        for place, same in alike.items():
            near[place] = [self.ids[int(row)].as_py() for row in same]
        missing = np.flatnonzero((rows < 0) & pc.greater(pc.utf8_length(titles), 1).to_numpy(False))
        for place, papers in self._find_near(titles, missing[:_MOST_NEAR]):
            near[place] = [*dict.fromkeys(near[place] + papers)][:NEAR]
        indices = pa.array(rows, mask=rows < 0)
        return pa.table(
            {
                "paper": self.ids.take(indices),
                "how": pa.array([kind or None for kind in how], pa.string()),
                "agreement": self._compare(titles, rows),
                "near": pa.array(near, pa.list_(pa.string())),
            },
            schema=MATCHES,
        )

    def _look_up(self, kind: str, values: pa.ChunkedArray) -> np.ndarray:
        """The row of the first paper with each identifier; -1 without one."""
        known = self._papers[kind].cast(pa.string()).combine_chunks()
        places = pc.index_in(values.combine_chunks(), value_set=known, skip_nulls=True)
        return np.asarray(pc.fill_null(places, -1).to_numpy(False))

    def _match_titles(
        self, references: pa.Table, titles: pa.Array, rows: np.ndarray
    ) -> tuple[np.ndarray, dict[int, list[int]]]:
        """The row of the paper with the title of each open reference, and rows of near misses."""
        found = np.full(len(references), -1)
        alike: dict[int, list[int]] = {}
        spaces = pc.count_substring(titles, " ").to_numpy(False)
        open_ = np.flatnonzero((rows < 0) & (spaces > 1))
        wanted = titles.take(pa.array(open_))
        same = np.flatnonzero(pc.is_in(self._titles, value_set=wanted).to_numpy(False))
        by_title: dict[str, list[int]] = {}
        for row in same:
            by_title.setdefault(self._titles[int(row)].as_py(), []).append(int(row))
        picked = references.take(pa.array(open_)).select(["year", "surname", "doi"])
        surnames = fold_words(pc.fill_null(picked["surname"], "")).to_pylist()
        dois, years = self._papers["doi"], picked["year"].to_pylist()
        for place, title, year, surname, doi in zip(
            open_, wanted.to_pylist(), years, surnames, picked["doi"].to_pylist(), strict=True
        ):
            candidates = by_title.get(title, [])
            fitting = [
                row
                for row in candidates
                if not (doi and dois[row].as_py())
                and self._fits(row, year, surname, short=title.count(" ") <= _LEAST_WORDS)
            ]
            if len(fitting) == 1:
                found[place] = fitting[0]
            elif candidates:
                alike[int(place)] = candidates[:NEAR]
        return found, alike

    def _fits(self, row: int, year: int | None, surname: str, *, short: bool) -> bool:
        """Whether year and first author of a paper do not contradict a reference.

        Where the title is short, both must be known and agree.
        """
        own_year, own = int(self._years[row]), self._surnames[row].as_py()
        if short and not (year and own_year and surname.strip() and surname == own):
            return False
        if year and own_year:
            return abs(year - own_year) <= _YEARS_APART
        return surname == own if surname.strip() and own.strip() else True

    @cached_property
    def _words(self) -> tuple[pa.Array, sparse.csr_matrix]:
        """All words of titles, ascending by their code, and papers x words."""
        lists = _split(self._titles)
        coded = pc.list_flatten(lists).dictionary_encode()
        vocabulary = coded.dictionary
        counts = np.asarray(pc.fill_null(pc.list_value_length(lists), 0))
        return vocabulary, _make_matrix(
            np.asarray(coded.indices), np.cumsum([0, *counts]), len(vocabulary)
        )

    def _code(self, titles: pa.Array) -> tuple[sparse.csr_matrix, np.ndarray]:
        """Titles x words of the graph, and the number of distinct words of each."""
        vocabulary, _ = self._words
        lists = _split(titles)
        flat = pc.list_flatten(lists)
        codes = pc.fill_null(pc.index_in(flat, value_set=vocabulary), -1).to_numpy(False)
        counts = np.asarray(pc.fill_null(pc.list_value_length(lists), 0))
        ends = np.cumsum([0, *counts])
        known = codes >= 0
        kept = np.concatenate([[0], np.cumsum(known)])[ends]
        matrix = _make_matrix(codes[known], kept, len(vocabulary))
        unknown = counts - np.diff(kept)
        return matrix, np.diff(matrix.indptr) + unknown

    def _find_near(self, titles: pa.Array, places: np.ndarray) -> list[tuple[int, list[str]]]:
        """Papers with most words of the titles at some places, by the Jaccard index."""
        if not len(places) or not len(self):
            return []
        _, papers = self._words
        lengths = np.diff(papers.indptr)
        frequency = np.bincount(papers.indices, minlength=papers.shape[1])
        by_word = sparse.csr_matrix(papers.T)
        near: list[tuple[int, list[str]]] = []
        for start in range(0, len(places), _BLOCK):
            block = places[start : start + _BLOCK]
            own, sizes = self._code(titles.take(pa.array(block)))
            candidates = (_choose_rarest(own, frequency) @ by_word).tocoo()
            if not candidates.nnz:
                continue
            shared = np.asarray(own[candidates.row].multiply(papers[candidates.col]).sum(1)).ravel()
            total = sizes[candidates.row] + lengths[candidates.col] - shared
            share = shared / total
            whole = (shared == sizes[candidates.row]) & (shared >= _LEAST_CONTAINED)
            kept = np.flatnonzero((share >= _LEAST_SHARED) | whole)
            order = kept[np.lexsort((candidates.col[kept], -share[kept], candidates.row[kept]))]
            by_place: dict[int, list[str]] = {}
            for k in order:
                one = by_place.setdefault(int(block[candidates.row[k]]), [])
                if len(one) < NEAR:
                    one.append(self.ids[int(candidates.col[k])].as_py())
            near += by_place.items()
        return near

    def _compare(self, titles: pa.Array, rows: np.ndarray) -> pa.Array:
        """Share of common words among all words of a reference's title and its paper's."""
        share = np.full(len(rows), np.nan)
        found = np.flatnonzero(rows >= 0)
        _, papers = self._words
        lengths = np.diff(papers.indptr)
        for start in range(0, len(found), 100 * _BLOCK):
            block = found[start : start + 100 * _BLOCK]
            own, sizes = self._code(titles.take(pa.array(block)))
            shared = np.asarray(own.multiply(papers[rows[block]]).sum(1)).ravel()
            total = sizes + lengths[rows[block]] - shared
            known = (sizes > 0) & (lengths[rows[block]] > 0)
            share[block[known]] = shared[known] / total[known]
        return pa.array(share, mask=np.isnan(share))


def _choose_rarest(titles: sparse.csr_matrix, frequency: np.ndarray) -> sparse.csr_matrix:
    """The rarest words of each title, which at most `_CANDIDATES` papers have together."""
    row = np.repeat(np.arange(titles.shape[0]), np.diff(titles.indptr))
    papers = frequency[titles.indices]
    order = np.lexsort((papers, row))
    row, papers = row[order], papers[order]
    total = np.cumsum(papers)
    before = np.concatenate([[0], total])[titles.indptr[:-1]]
    kept = total - before[row] <= _CANDIDATES
    words = titles.indices[order][kept]
    return sparse.csr_matrix((np.ones(len(words)), (row[kept], words)), shape=titles.shape)


def fold_words(texts: pa.ChunkedArray | pa.Array) -> pa.ChunkedArray:
    """Lower case without accents and punctuation, one blank before and after each word."""
    whole = texts if isinstance(texts, pa.ChunkedArray) else pa.chunked_array([texts])
    plain = pc.replace_substring_regex(
        pc.utf8_normalize(pc.utf8_lower(whole), "NFKD"), r"\p{Mn}+", ""
    )
    words = pc.replace_substring_regex(plain, r"[^\pL\pN]+", " ")
    return pc.binary_join_element_wise(" ", pc.utf8_trim_whitespace(words), " ", "")


def _split(titles: pa.Array) -> pa.Array:
    """The words of folded titles; null without words."""
    trimmed = pc.utf8_trim_whitespace(titles)
    filled = pc.if_else(pc.equal(trimmed, ""), pa.scalar(None, pa.string()), trimmed)
    return pc.utf8_split_whitespace(filled)


def _with_one(lists: pa.ChunkedArray) -> pa.ChunkedArray:
    """Lists without empty ones, which become lists of an empty text."""
    empty = pc.fill_null(pc.equal(pc.list_value_length(lists), 0), True)
    one = pa.scalar([""], pa.list_(pa.string()))
    return pc.if_else(empty, one, lists.cast(pa.list_(pa.string())))


def _make_matrix(codes: np.ndarray, ends: np.ndarray, words: int) -> sparse.csr_matrix:
    """Titles x words, 1 where a title has a word."""
    own = np.array(codes, np.int64)  # a copy: those of Arrow cannot be sorted in place
    matrix = sparse.csr_matrix((np.ones(len(own)), own, ends), shape=(len(ends) - 1, words))
    matrix.sum_duplicates()
    matrix.data[:] = 1
    return matrix
