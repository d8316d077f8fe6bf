"""What communities are about: terms that set each apart, the best of them its label."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from citescape.core.types import Document
from citescape.networks.network import Mask
from citescape.search.terms import Terms, count_terms

TITLE = 3.0
"""How many times a term counts that is in the title of a paper: it is what the paper says it is
about. Chosen by reading labels of crop science."""
SHARED = 0.4
"""Share of papers in communities that have a term too, above which it sets none apart; see
`find_shared`. Chosen likewise."""
_LEAST_TERM, _LEAST_LABEL = 0.05, 0.1
"""Least share of a community's papers that have a term, and its label; two papers at least."""
_COMPARED = 100
"""Terms of a community that are compared with each other."""
_SHORT_GENUS = re.compile(r"(\w)\. ?(\w+)$")


@dataclass(frozen=True)
class Candidate:
    """A term that may label a community."""

    term: str
    score: float
    papers: int
    """Of the community that have it."""
    share: float
    """Of the community's papers."""


@dataclass(frozen=True)
class _Found:
    """A candidate with what it is compared by."""

    key: str
    candidate: Candidate


def find_candidates(
    documents: Sequence[Document], members: csr_array, *, top: int = 10
) -> list[list[Candidate]]:
    """The terms that set each community apart, the best first.

    Noun phrases of titles and abstracts, scored by class-based TF-IDF (Grootendorst 2022), see
    `score_terms`, times log2(1 + words), of at most three words (after the C-value of Frantzi et
    al. 2000): the longer of two phrases says more. A phrase counts once for each paper that has it,
    `TITLE` times if it is in the title. Left out: terms that communities share, see `find_shared`;
    terms of few of the community's papers; terms that mostly stand within a longer one, such as
    `blast` in `rice blast`; and after a term those that it contains or is part of, its acronym and
    its genus written short.

    Args:
        documents: (papers,) titles and abstracts.
        members: (communities, papers) 1 where a paper is in a community, see `build_members`.
        top: terms for a community.
    """
    terms = count_terms(documents)
    having = _once(terms.counts)
    papers = (members @ having).tocsr()
    weights = (members @ (having + (TITLE - 1) * _find_in_titles(documents, terms))).tocsr()
    scores = score_terms(weights) * _count_words(terms)[np.newaxis, :]
    kept = _drop_columns(scores.tocsr(), find_shared(papers, members))
    sizes = np.asarray(members.sum(axis=1)).ravel()
    return [
        _choose_terms(list(_sort_terms(terms, kept[[row]], papers[[row]], size=float(size))), top)
        for row, size in enumerate(sizes)
    ]


def build_members(labels: npt.NDArray[np.integer], communities: int) -> csr_array:
    """(communities, papers) float64, 1 where a paper is in a community; labels below 0 are none."""
    inside = np.flatnonzero(labels >= 0)
    shape = (communities, len(labels))
    return csr_array((np.ones(len(inside)), (labels[inside], inside)), shape=shape)


def score_terms(counts: csr_array) -> csr_array:
    """Class-based TF-IDF (Grootendorst 2022): tf_tc log(1 + A / tf_t).

    tf_tc is the count of a term in a community, tf_t its sum over all of them, A the mean count of
    all terms in a community.

    Args:
        counts: (communities, terms) not negative.

    Returns:
        (communities, terms), positive where `counts` are.
    """
    if not counts.nnz:
        return counts.copy()
    mean = float(counts.sum()) / counts.shape[0]
    whole = np.asarray(counts.sum(axis=0)).ravel()
    scores = counts.data * np.log1p(mean / whole[counts.indices])
    return csr_array((scores, counts.indices, counts.indptr), shape=counts.shape)


def find_shared(papers: csr_array, members: csr_array) -> Mask:
    """(terms,) those that communities share, and that so say nothing of any.

    A community shares a term if two of its papers have it, and at least half the share of papers
    that all have. A term is shared if such communities hold more than `SHARED` of the papers
    outside the community that has it most often. Of a single community nothing is.

    Args:
        papers: (communities, terms) papers that have a term.
        members: (communities, papers).
    """
    sizes = np.asarray(members.sum(axis=1)).ravel()
    size = np.repeat(sizes, np.diff(papers.indptr)).astype(np.float64)
    whole = np.asarray(papers.sum(axis=0)).ravel()
    frequent = papers.data / size >= 0.5 * whole[papers.indices] / sizes.sum()
    shares = frequent & (papers.data >= np.minimum(2, size))
    home = _find_homes(papers, size)
    outside = shares.copy()
    outside[home] = False
    spread = np.bincount(papers.indices, size * outside, minlength=papers.shape[1])
    rest = np.full(papers.shape[1], sizes.sum())
    rest[papers.indices[home]] -= size[home]
    shared: Mask = spread > SHARED * rest
    return shared


def _find_homes(papers: csr_array, size: npt.NDArray[np.float64]) -> npt.NDArray[np.integer]:
    """(terms,) entries of the communities that have each most often; of equals the first."""
    order = np.lexsort((-papers.data / size, papers.indices))
    columns = papers.indices[order]
    first = np.ones(len(order), np.bool_)
    first[1:] = columns[1:] != columns[:-1]
    found: npt.NDArray[np.integer] = order[first]
    return found


def choose_labels(
    candidates: Sequence[Sequence[Candidate]], names: Sequence[str]
) -> list[str | None]:
    """A label for each community, no two alike; None where there is no candidate.

    Its best candidate that a tenth of its papers have, else its best; if that is a single word,
    with the next one behind it: `nitrogen, grain yield`. Of communities with the same label
    that with the highest score has it, and the others go on from their next candidate; one whose
    labels are all taken has its name behind its best.

    Args:
        candidates: (communities,) the best first.
        names: (communities,) of the communities.
    """
    best = [-max((one.score for one in of), default=0.0) for of in candidates]
    taken: set[str] = set()
    labels: list[str | None] = [None] * len(names)
    for row in np.argsort(best, kind="stable"):
        for label in _options(candidates[row], names[row]):
            if label.casefold() not in taken:
                taken.add(label.casefold())
                labels[row] = label
                break
    return labels


def _options(candidates: Sequence[Candidate], name: str) -> Iterator[str]:
    """What may label a community, the best first; the last is no other's."""
    rare = [one.share < _LEAST_LABEL or one.papers < 2 for one in candidates]
    terms = [candidates[place].term for place in np.argsort(rare, kind="stable")]
    for term, after in zip_longest(terms, terms[1:]):
        yield f"{term}, {after}" if after and " " not in term else term
    if terms:
        yield f"{terms[0]} ({name})"


def _once(counts: csr_array) -> csr_array:
    return csr_array((np.ones(counts.nnz), counts.indices, counts.indptr), shape=counts.shape)


def _find_in_titles(documents: Sequence[Document], terms: Terms) -> csr_array:
    """(papers, terms) 1 where a term is in the title."""
    found = count_terms([Document(document.title) for document in documents])
    places = {key: place for place, key in enumerate(terms.keys)}
    columns = np.array([places[key] for key in found.keys], np.int64)[found.counts.indices]
    ones = np.ones(len(columns))
    return csr_array((ones, columns, found.counts.indptr), shape=terms.counts.shape)


def _count_words(terms: Terms) -> npt.NDArray[np.float64]:
    words = np.array([key.count(" ") + 1 for key in terms.keys], np.float64)
    weights: npt.NDArray[np.float64] = np.log2(1 + np.minimum(words, 3))
    return weights


def _drop_columns(scores: csr_array, drop: Mask) -> csr_array:
    kept = csr_array(
        (scores.data * ~drop[scores.indices], scores.indices, scores.indptr), shape=scores.shape
    )
    kept.eliminate_zeros()
    return kept


def _sort_terms(
    terms: Terms, scores: csr_array, papers: csr_array, *, size: float
) -> Iterator[_Found]:
    """The terms of one community that are in enough of its papers, the best first."""
    having = np.zeros(len(terms.keys), np.int64)
    having[papers.indices] = papers.data.astype(np.int64)
    enough = having[scores.indices] >= max(min(2, size), _LEAST_TERM * size)
    columns, values = scores.indices[enough], scores.data[enough]
    for place in np.lexsort((columns, -values))[:_COMPARED]:
        term = columns[place]
        count = int(having[term])
        told = Candidate(terms.names[term], float(values[place]), count, count / size)
        yield _Found(terms.keys[term], told)


def _choose_terms(found: Sequence[_Found], top: int) -> list[Candidate]:
    """The best of some terms that say different things."""
    chosen: list[_Found] = []
    for one in found:
        if len(chosen) == top:
            break
        if not _is_nested(one, found) and not any(_are_alike(one, other) for other in chosen):
            chosen.append(one)
    return [one.candidate for one in chosen]


def _is_nested(one: _Found, found: Sequence[_Found]) -> bool:
    """Whether half of the papers with a term have a longer one around it, or its genus is short."""
    half = one.candidate.papers / 2
    return any(
        (other.candidate.papers >= half and _is_part(one.key, other.key))
        or _is_short(one.key, other.key)
        for other in found
    )


def _is_part(part: str, whole: str) -> bool:
    return len(part) < len(whole) and f" {part} " in f" {whole} "


def _are_alike(one: _Found, other: _Found) -> bool:
    """Whether one term is part of the other, or its acronym."""
    pairs = ((one, other), (other, one))
    return any(_is_part(a.key, b.key) or _is_acronym(a.candidate.term, b.key) for a, b in pairs)


def _is_acronym(short: str, key: str) -> bool:
    """QTL of `quantitative trait locus`, BPH of `brown planthopper`.

    The first letters of all words, in their order, are in the acronym, and all of its letters in
    the words.
    """
    letters = short.removesuffix("s").replace("-", "")
    words = key.split()
    if not (letters.isalnum() and sum(map(str.isupper, letters)) > 1 and len(words) > 1):
        return False
    lower = letters.lower()
    initials = "".join(word[0] for word in words)
    return lower[0] == key[0] and _in_order(initials, lower) and _in_order(lower, key)


def _is_short(short: str, key: str) -> bool:
    """`m. oryzae` of `magnaporthe oryzae`."""
    found = _SHORT_GENUS.match(short) if short[1:2] == "." and short != key else None
    return found is not None and key.startswith(found[1]) and key.endswith(f" {found[2]}")


def _in_order(letters: str, text: str) -> bool:
    rest = iter(text)
    return all(letter in rest for letter in letters)
