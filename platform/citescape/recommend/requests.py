"""Requests for recommendations: a sentence that needs a citation, and its paper."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from scipy.sparse import csr_array

from citescape.core.draws import hash_ids
from citescape.core.errors import ConfigError
from citescape.core.types import Document
from citescape.encoders.documents import DocumentEncoder
from citescape.recommend.dates import EVER, Dates
from citescape.recommend.drafts.draft import DraftPlace, read_draft
from citescape.recommend.drafts.pasted import clean_context, clean_part, clean_title, split_context
from citescape.recommend.lexicon import Lexicon
from citescape.recommend.profiler import Vectors
from citescape.recommend.queries import ContextQueries
from citescape.search.listed import Rows
from citescape.search.ranker import NONE
from citescape.search.words import count_words

if TYPE_CHECKING:
    from citescape.recommend.steps import Recommend

_DAY = re.compile(r"[0-9]{4}(?:-[0-9]{2}){0,2}")
_SEPARATORS = r"[^\pL\pN]+"
_MIN_KNOWN_SHARE = 0.5
"""Share of known words of a context below which a note warns."""
_MIN_KNOWN_WORDS = 3
"""Number of known words (no stop words, each once) below which a note warns: of 15,542 sentences
of the crops corpus 26% with fewer had a cited work among the first ten, 42% with three, 53% with
more."""

WHOLE = 0.5
"""Weight of the whole sentence beside one of its parts: its share of the vector, and the weight of
each of its words. Best of 0 to 1 for 1,500 citations of sentences with several (crops archive)."""


@dataclass(frozen=True)
class RecommendationRequest:
    """A sentence and its paper, as given."""

    context: str
    """One sentence, or a few."""
    title: str = ""
    abstract: str = ""
    before: str = ""
    """ISO 8601, `2019`, `2019-03` or `2019-03-04`: recommend only works that are older."""
    part: str = ""
    """The part of the sentence that needs the citation, if other parts need others; else empty."""


@dataclass(frozen=True)
class CleanedRequest:
    """A request as plain text, ready to be encoded."""

    context: str
    document: Document
    titles: tuple[str, str]
    """The title as given, and that of the document: a library may have either."""
    before: int
    """First day on which works are too new, as in `dates.Days`."""
    notes: tuple[str, ...]
    part: str = ""
    """See `RecommendationRequest`."""


def read_requests(
    settings: Recommend,
) -> tuple[list[RecommendationRequest], tuple[DraftPlace, ...], tuple[str, ...]]:
    """Requests, their places in the draft, and notes on the draft.

    Raises:
        ConfigError: there is no such draft, or it has no marker for a citation.
        SourceError: the draft is not text.
    """
    before = str(settings.before)
    if settings.draft:
        draft = read_draft(Path(settings.draft))
        paper = settings.title or draft.title, settings.abstract or draft.abstract, before
        requests = [
            RecommendationRequest(place.sentence, *paper, place.part) for place in draft.places
        ]
        return requests, draft.places, draft.notes
    text = sys.stdin.read() if settings.context == "-" else settings.context
    paper = settings.title, settings.abstract, before
    requests = [
        RecommendationRequest(sentence, *paper, part) for sentence, part in split_context(text)
    ]
    return requests, (), ()


def clean_request(request: RecommendationRequest) -> CleanedRequest:
    """Sentence, title and abstract as plain text, and the date as a day.

    Raises:
        ConfigError: the context has no words, or the date is not valid.
    """
    context, note = clean_context(request.context)
    title, abstract = (clean_title(text) for text in (request.title, request.abstract))
    given = request.title.encode("utf-8", "ignore").decode()
    before, date_note = read_day(request.before)
    notes = tuple(filter(None, (note, date_note)))
    titles, part = (given, title), clean_part(request.part)
    return CleanedRequest(context, Document(title, abstract), titles, before, notes, part)


def read_day(text: str) -> tuple[int, str]:
    """A date as in `Days`, `EVER` for an empty text; and a note if it is in the future.

    Raises:
        ConfigError: it is not a date of ISO 8601.
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
            f"the date is {text[:40]!r}; expected ISO 8601, such as 2019, 2019-03 or 2019-03-04"
        )
    note = f"{text} is in the future: works of any date are older" if day > date.today() else ""
    return int(Dates.from_iso({"": text}).earliest[0]), note


@dataclass(frozen=True, eq=False)
class Titles:
    """Titles of papers, to find a paper by its title in any case and punctuation."""

    folded: pa.StringArray
    """(papers,) lower case, with a blank between words."""

    @classmethod
    def from_column(cls, titles: pa.ChunkedArray) -> Titles:
        """Folds titles; ligatures, as in texts of PDFs, become letters (NFKC)."""
        lower = pc.utf8_lower(pc.utf8_normalize(titles, "NFKC"))
        folded = pc.replace_substring_regex(lower, _SEPARATORS, " ")
        return cls(pc.utf8_trim_whitespace(folded).combine_chunks())

    def find(self, *titles: str) -> int:
        """Row of the first paper with one of these titles, tried in this order; -1 if not found."""
        for folded in Titles.from_column(pa.chunked_array([titles], pa.string())).folded:
            if not folded.as_py():
                continue
            hashes, order = self._ordered
            own = hash_ids(pa.array([folded]))[0]
            first, last = np.searchsorted(hashes, own), np.searchsorted(hashes, own, "right")
            for row in order[first:last].tolist():
                if self.folded[row] == folded:
                    return int(row)
        return NONE

    @cached_property
    def _ordered(self) -> tuple[npt.NDArray[np.uint64], Rows]:
        """Hashes of the titles, ascending, and their rows."""
        hashes = hash_ids(self.folded)
        order = np.argsort(hashes, kind="stable")
        return hashes[order], order


def note_words(context: str, lexicon: Lexicon) -> str:
    """A note on a context with few known words; else empty."""
    documents = [Document("", context)]
    words, known = len(count_words(documents)[0]), lexicon.count_words(documents).nnz
    note = f"the papers contain {known} of {words} words of the context"
    if known < _MIN_KNOWN_SHARE * words:
        return f"{note}: is it in the language of the papers?"
    return f"{note}: add the sentences around it" if known < _MIN_KNOWN_WORDS else ""


def encode_requests(
    requests: list[CleanedRequest], encoder: DocumentEncoder
) -> tuple[Vectors, Vectors]:
    """(q, d) vectors of the contexts, and of their papers; zeros without title and abstract.

    The vector of a part of a sentence is a weighted mean of its own and that of the sentence.
    """
    contexts = encoder([Document("", request.context) for request in requests])
    if in_part := [row for row, request in enumerate(requests) if request.part]:
        own = encoder([Document("", requests[row].part) for row in in_part])
        contexts[in_part] = WHOLE * contexts[in_part] + (1 - WHOLE) * own
    papers = np.zeros_like(contexts)
    documents = [request.document for request in requests]
    rows = [row for row, document in enumerate(documents) if document.title or document.abstract]
    if rows:
        papers[rows] = encoder([documents[row] for row in rows])
    return contexts, papers


def make_queries(
    requests: list[CleanedRequest], vectors: Vectors, *, titles: Titles, lexicon: Lexicon
) -> ContextQueries:
    """Queries with their words, citing papers and dates.

    Args:
        requests: q requests.
        vectors: (q, d) combined vectors, see `profiler.compose_queries`.
        titles: titles of all papers, to find the citing paper.
        lexicon: words of all papers.
    """
    words = lexicon.weigh_queries(
        [request.part or request.context for request in requests],
        [request.document for request in requests],
    )
    whole = [Document("", request.context if request.part else "") for request in requests]
    words = csr_array(words + np.float32(WHOLE) * lexicon.count_words(whole))
    rows = {pair: titles.find(*pair) for pair in {request.titles for request in requests}}
    citing = np.array([rows[request.titles] for request in requests])
    before = np.array([request.before for request in requests], np.int32)
    return replace(ContextQueries.from_vectors(vectors, words), citing=citing, before=before)
