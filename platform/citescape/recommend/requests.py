"""Requests for recommendations: a sentence that needs a citation, and the paper it stands in."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.draws import hash_ids
from citescape.core.errors import ConfigError
from citescape.core.types import Document
from citescape.encoders.documents import DocumentEncoder
from citescape.recommend.dates import EVER, Dates
from citescape.recommend.drafts.pasted import clean_context, clean_title, split_context
from citescape.recommend.drafts.wants import Want, read_draft
from citescape.recommend.lexicon import Lexicon
from citescape.recommend.profiler import Vectors
from citescape.recommend.questions import Questions
from citescape.search.listed import Rows
from citescape.search.ranker import NONE
from citescape.search.words import count_words

if TYPE_CHECKING:
    from citescape.recommend.steps import Recommend

_DAY = re.compile(r"[0-9]{4}(?:-[0-9]{2}){0,2}")
_BETWEEN = r"[^\pL\pN]+"
_FEWEST = 0.5
"""Of a context's words, the share below which it is said that few are known."""
_LITTLE = 3
"""Known words (no stop words, each once) below which it is said that they are few: in 15,542
sentences of the crops corpus a work cited was among the first ten in 26% with fewer, 42% with
three, 53% with more."""
_SIDES: tuple[Literal["left"], Literal["right"]] = "left", "right"


@dataclass(frozen=True)
class RecommendationRequest:
    """A sentence and its paper, as they are given."""

    context: str
    """The sentence, or a few."""
    title: str = ""
    abstract: str = ""
    before: str = ""
    """ISO 8601, `2019`, `2019-03` or `2019-03-04`: only works that are surely older are wanted."""


@dataclass(frozen=True)
class CleanedRequest:
    """A request as plain text, ready to be encoded."""

    context: str
    document: Document
    titles: tuple[str, str]
    """As it is given, and the document's: a library may have either."""
    before: int
    """As in `Days`."""
    notes: tuple[str, ...]


def read_requests(
    settings: Recommend,
) -> tuple[list[RecommendationRequest], tuple[Want, ...], tuple[str, ...]]:
    """Requests, the places of a draft that they are for, and notes on the draft.

    Args:
        settings: context or draft, title, abstract, date.

    Raises:
        ConfigError: there is no such draft, or it marks no place for a citation.
        SourceError: the draft is not text.
    """
    before = str(settings.before)
    if settings.draft:
        draft = read_draft(Path(settings.draft))
        paper = settings.title or draft.title, settings.abstract or draft.abstract, before
        requests = [RecommendationRequest(want.sentence, *paper) for want in draft.wants]
        return requests, draft.wants, draft.notes
    text = sys.stdin.read() if settings.context == "-" else settings.context
    paper = settings.title, settings.abstract, before
    return [RecommendationRequest(one, *paper) for one in split_context(text)], (), ()


def clean_request(request: RecommendationRequest) -> CleanedRequest:
    """Sentence, title and abstract as plain text, and the date as a day.

    Raises:
        ConfigError: the context has no words, or the date is none.
    """
    context, note = clean_context(request.context)
    title, abstract = (clean_title(text) for text in (request.title, request.abstract))
    given = request.title.encode("utf-8", "ignore").decode()
    before, late = read_day(request.before)
    notes = tuple(filter(None, (note, late)))
    return CleanedRequest(context, Document(title, abstract), (given, title), before, notes)


def read_day(text: str) -> tuple[int, str]:
    """A date as in `Days`, `EVER` for none; and a note if it is to come.

    Raises:
        ConfigError: it is no date of ISO 8601.
    """
    text = text.strip()
    if not text:
        return int(EVER), ""
    try:
        day = date.fromisoformat(f"{text}-01-01"[:10]) if _DAY.fullmatch(text) else None
    except ValueError:
        day = None
    if day is None:
        raise ConfigError(
            f"the date {text[:40]!r} is none; expected ISO 8601, as 2019, 2019-03 or 2019-03-04"
        )
    note = f"{text} is to come: works of any date are older" if day > date.today() else ""
    return int(Dates.of({"": text}).earliest[0]), note


@dataclass(frozen=True, eq=False)
class Titles:
    """Titles of papers, by which one that asks is known, whatever its case and punctuation."""

    folded: pa.StringArray
    """(papers,) lower case; a blank for all that stands between letters and digits."""

    @classmethod
    def of(cls, titles: pa.ChunkedArray) -> Titles:
        """Folds them; ligatures and the like, which PDFs have, are letters (NFKC)."""
        lower = pc.utf8_lower(pc.utf8_normalize(titles, "NFKC"))
        folded = pc.replace_substring_regex(lower, _BETWEEN, " ")
        return cls(pc.utf8_trim_whitespace(folded).combine_chunks())

    def find(self, *titles: str) -> int:
        """Row of the first paper with the first of these titles that any has; else -1."""
        return next((row for row in map(self._find, titles) if row != NONE), NONE)

    def _find(self, title: str) -> int:
        sought = Titles.of(pa.chunked_array([[title]])).folded
        if not sought[0].as_py():
            return NONE
        hashes, order = self._ordered
        first, last = (np.searchsorted(hashes, hash_ids(sought)[0], side) for side in _SIDES)
        same = (row for row in order[first:last].tolist() if self.folded[row] == sought[0])
        return next(same, NONE)

    @cached_property
    def _ordered(self) -> tuple[npt.NDArray[np.uint64], Rows]:
        """Hashes ascending, and their rows: few titles are looked at for a question."""
        hashes = hash_ids(self.folded)
        order = np.argsort(hashes, kind="stable")
        return hashes[order], order


def note_words(context: str, lexicon: Lexicon) -> str:
    """What to say of a context with few words, or few known here; empty if nothing is to say."""
    asked = [Document("", context)]
    words, known = len(count_words(asked)[0]), lexicon.count(asked).nnz
    told = f"{known} of {words} words of the context are known here"
    if known < _FEWEST * words:
        return f"{told}: is it in the papers' language?"
    return f"{told}, too few to go by: add what stands around it" if known < _LITTLE else ""


def encode_requests(
    plain: list[CleanedRequest], encoder: DocumentEncoder
) -> tuple[Vectors, Vectors]:
    """(q, d) vectors of the contexts, and of their papers; zeros where nothing is known of one."""
    contexts = encoder([Document("", one.context) for one in plain])
    documents = np.zeros_like(contexts)
    told = [row for row, one in enumerate(plain) if one.document.title or one.document.abstract]
    if told:
        documents[told] = encoder([plain[row].document for row in told])
    return contexts, documents


def make_questions(
    plain: list[CleanedRequest], vectors: Vectors, *, titles: Titles, lexicon: Lexicon
) -> Questions:
    """What is asked, ready to be held against papers.

    Args:
        plain: q contexts and their papers.
        vectors: (q, d) of the queries.
        titles: of the papers.
        lexicon: of the profiles.
    """
    words = lexicon.ask([one.context for one in plain], [one.document for one in plain])
    questions = Questions.of(vectors, words)
    rows = {told: titles.find(*told) for told in {one.titles for one in plain}}
    citing = np.array([rows[one.titles] for one in plain])
    before = np.array([one.before for one in plain], np.int32)
    return Questions(questions.ids, vectors, words, citing, before)
