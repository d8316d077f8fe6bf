"""Labels of communities: the terms that distinguish each from the others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, zip_longest

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from citescape.core.types import Document
from citescape.networks.network import Mask
from citescape.search.english import find_word
from citescape.search.terms import TermCounts, count_terms

TITLE = 3.0
"""Factor of terms in the title of a paper, which states its subject. Chosen by inspection of labels
of crop science."""
SHARED = 0.4
"""Maximum share of papers in communities that share a term; a term above it distinguishes no
community, see `find_shared`. Chosen in the same way."""
_MIN_TERM, _MIN_LABEL = 0.05, 0.1
"""Minimum share of a community's papers with a term, and with its label; at least two papers."""
_COMPARED = 100
"""Number of terms of a community that are compared with each other."""
_UNITS = """
    ml mg kg ha mm cm km nm um dl mol mmol nmol ppm ppb ug ng pg kda bp kb mb gb mpa kpa pa hpa hr
    hrs min sec yr yrs wk rpm kw kwh mw kj kcal cal mv hz khz mhz ghz db sd se ci iu usd eur ton
    tonne pct hectare litre liter gram kilogram metre meter
"""
_VAGUE = """
    human woman man child patient adult mouse mice rat pig animal plant cell gene genome protein
    tissue organ organism body age stress trait response risk disorder symptom measure repair
    organization organisation exploitation contrasting superior inferior divergent open indirect
    host image imaging monitoring modeling modelling sensing model estimate prediction prevalence
    spread expression regulation pathway yielding household waste residue two-thirds one-third half
    comparison analysis southeast south north east west community network strain line variety
"""
UNITS = frozenset(_UNITS.split())
"""Units of measurement, which name no field."""
VAGUE = frozenset(_VAGUE.split())
"""Words that alone say too little to name a field. Chosen by inspection of labels of crop science
and medicine."""
_SHORT_GENUS = re.compile(r"(\w)\. ?(\w+)$")


@dataclass(frozen=True)
class Candidate:
    """A candidate term for the label of a community."""

    term: str
    score: float
    papers: int
    """Number of papers of the community with the term."""
    share: float
    """`papers` as a share of the community's papers."""


def find_candidates(
    documents: Sequence[Document], members: csr_array, *, top: int = 10
) -> list[list[Candidate]]:
    """Finds the terms that distinguish each community, the best first.

    Terms are noun phrases of titles and abstracts. Their score is class-based TF-IDF (Grootendorst
    2022; see `score_terms`) times log2(1 + words), with at most three words counted (after the
    C-value of Frantzi et al. 2000): longer phrases are more specific. A phrase counts once per
    paper, `TITLE` times if it is in the title. Excluded are units and numbers, such as `kg ha`;
    terms that communities share, see `find_shared`; terms in few of the community's papers; terms
    that are mostly part of a longer term, such as `blast` in `rice blast`; and parts, longer forms,
    acronym and short genus of a better term.

    Args:
        documents: (papers,) titles and abstracts.
        members: (communities, papers) memberships, see `build_members`.
        top: maximum number of terms per community.
    """
    terms = count_terms(documents)
    counts = terms.counts
    presence = csr_array((np.ones(counts.nnz), counts.indices, counts.indptr), shape=counts.shape)
    papers = (members @ presence).tocsr()
    weights = (members @ (presence + (TITLE - 1) * _find_in_titles(documents, terms))).tocsr()

    words = np.array([key.count(" ") + 1 for key in terms.keys], np.float64)
    scores = score_terms(weights)
    scores = (scores * np.log2(1 + np.minimum(words, 3))[np.newaxis, :]).tocsr()
    measures = np.array([is_measure(key) for key in terms.keys], np.bool_)
    scores.data *= ~(find_shared(papers, members) | measures)[scores.indices]
    scores.eliminate_zeros()
    sizes = np.asarray(members.sum(axis=1)).ravel()
    return [
        _choose_terms(terms, scores[[row]], papers[[row]], size=float(size), top=top)
        for row, size in enumerate(sizes)
    ]


def _find_in_titles(documents: Sequence[Document], terms: TermCounts) -> csr_array:
    """(papers, terms) matrix, 1 if a term is in the title."""
    titles = count_terms([Document(document.title) for document in documents])
    places = {key: place for place, key in enumerate(terms.keys)}
    columns = np.array([places[key] for key in titles.keys], np.int64)[titles.counts.indices]
    ends = (columns, titles.counts.indptr)
    return csr_array((np.ones(len(columns)), *ends), shape=terms.counts.shape)


def build_members(labels: npt.NDArray[np.integer], communities: int) -> csr_array:
    """(communities, papers) float64, 1 if a paper is in a community; labels below 0 are skipped."""
    inside = np.flatnonzero(labels >= 0)
    shape = (communities, len(labels))
    return csr_array((np.ones(len(inside)), (labels[inside], inside)), shape=shape)


def score_terms(counts: csr_array) -> csr_array:
    """Class-based TF-IDF (Grootendorst 2022): tf_tc log(1 + A / tf_t).

    tf_tc is the count of a term in a community, tf_t its sum over communities, A the mean total
    count of terms per community.

    `counts` (communities, terms) are not negative.

    Returns:
        (communities, terms), positive where `counts` are.
    """
    if not counts.nnz:
        return counts.copy()
    mean = float(counts.sum()) / counts.shape[0]
    totals = np.asarray(counts.sum(axis=0)).ravel()
    scores = counts.data * np.log1p(mean / totals[counts.indices])
    return csr_array((scores, counts.indices, counts.indptr), shape=counts.shape)


def find_shared(papers: csr_array, members: csr_array) -> Mask:
    """Finds terms (terms,) that communities share and that do not distinguish them.

    A community shares a term if two of its papers have it, and its share of papers with the term is
    at least half of that share in all papers. A term is shared if such communities hold more than
    `SHARED` of the papers outside the community with the highest share. A single community shares
    no terms.

    `papers` (communities, terms) counts papers with a term; `members` (communities, papers).
    """
    sizes = np.asarray(members.sum(axis=1)).ravel()
    size = np.repeat(sizes, np.diff(papers.indptr)).astype(np.float64)
    totals = np.asarray(papers.sum(axis=0)).ravel()
    frequent = papers.data / size >= 0.5 * totals[papers.indices] / sizes.sum()
    shares = frequent & (papers.data >= np.minimum(2, size))

    # Entry of the community with the highest share of each term; ties: the first.
    order = np.lexsort((-papers.data / size, papers.indices))
    columns = papers.indices[order]
    first = np.ones(len(order), np.bool_)
    first[1:] = columns[1:] != columns[:-1]
    home = order[first]

    outside = shares.copy()
    outside[home] = False
    spread = np.bincount(papers.indices, size * outside, minlength=papers.shape[1])
    rest = np.full(papers.shape[1], sizes.sum())
    rest[papers.indices[home]] -= size[home]
    shared: Mask = spread > SHARED * rest
    return shared


def is_measure(key: str) -> bool:
    """Whether a term consists of units and numbers.

    Args:
        key: words of the term in normal form, see `search.terms`.
    """
    return all(word in UNITS or not any(map(str.isalpha, word)) for word in key.split())


def is_vague(term: str) -> bool:
    """Whether all words of a term say too little to name a field."""
    return all(word in VAGUE or find_word(word).key in VAGUE for word in term.lower().split())


def choose_labels(candidates: Sequence[Sequence[Candidate]]) -> list[str | None]:
    """Chooses a unique label for each community; None without a candidate that names a field.

    Vague candidates are passed over, see `is_vague`. The label is the best candidate in at least a
    tenth of the papers, else the best candidate; a single word is followed by the next candidate:
    `nitrogen, grain yield`. Of communities with the same label, the one with the highest score
    keeps it, and the others take their next candidate, then pairs of candidates.
    """
    best = [-max((term.score for term in terms), default=0.0) for terms in candidates]
    used: set[str] = set()
    labels: list[str | None] = [None] * len(candidates)
    for row in np.argsort(best, kind="stable"):
        for label in _list_options(candidates[row]):
            if label.casefold() not in used:
                used.add(label.casefold())
                labels[row] = label
                break
    return labels


def _list_options(candidates: Sequence[Candidate]) -> Iterator[str]:
    """Possible labels of a community, the best first."""
    clear = [term for term in candidates if not is_vague(term.term)]
    rare = [term.share < _MIN_LABEL or term.papers < 2 for term in clear]
    terms = [clear[place].term for place in np.argsort(rare, kind="stable")]
    for term, after in zip_longest(terms, terms[1:]):
        yield f"{term}, {after}" if after and " " not in term else term
    yield from map(", ".join, combinations(terms, 2))


def _choose_terms(
    terms: TermCounts, scores: csr_array, papers: csr_array, *, size: float, top: int
) -> list[Candidate]:
    """The best terms of one community that are in enough of its papers and differ in meaning."""
    counts = np.zeros(len(terms.keys), np.int64)
    counts[papers.indices] = papers.data.astype(np.int64)
    enough = counts[scores.indices] >= max(min(2, size), _MIN_TERM * size)
    columns, values = scores.indices[enough], scores.data[enough]
    ranked: list[tuple[str, Candidate]] = []
    for place in np.lexsort((columns, -values))[:_COMPARED]:
        term, count = columns[place], int(counts[columns[place]])
        candidate = Candidate(terms.names[term], float(values[place]), count, count / size)
        ranked.append((terms.keys[term], candidate))

    chosen: list[tuple[str, Candidate]] = []
    for key, candidate in ranked:
        if len(chosen) == top:
            break
        # Half of the papers with the term have a longer term with it, or it abbreviates a genus.
        nested = any(
            (other.papers >= candidate.papers / 2 and _is_part(key, whole)) or _is_short(key, whole)
            for whole, other in ranked
        )
        alike = any(
            _is_part(key, whole)
            or _is_part(whole, key)
            or _is_acronym(candidate.term, whole)
            or _is_acronym(other.term, key)
            for whole, other in chosen
        )
        if not nested and not alike:
            chosen.append((key, candidate))
    return [candidate for _, candidate in chosen]


def _is_part(part: str, whole: str) -> bool:
    return len(part) < len(whole) and f" {part} " in f" {whole} "


def _is_acronym(short: str, key: str) -> bool:
    """Whether a term is an acronym: QTL of `quantitative trait locus`, BPH of `brown planthopper`.

    The acronym contains the first letters of all words in order, and the words contain all letters
    of the acronym in order.
    """
    letters = short.removesuffix("s").replace("-", "")
    words = key.split()
    if not (letters.isalnum() and sum(map(str.isupper, letters)) > 1 and len(words) > 1):
        return False
    lower = letters.lower()
    initials = "".join(word[0] for word in words)
    return lower[0] == key[0] and _in_order(initials, lower) and _in_order(lower, key)


def _is_short(short: str, key: str) -> bool:
    """Whether a term abbreviates a genus: `m. oryzae` of `magnaporthe oryzae`."""
    match = _SHORT_GENUS.match(short) if short[1:2] == "." and short != key else None
    return match is not None and key.startswith(match[1]) and key.endswith(f" {match[2]}")


def _in_order(letters: str, text: str) -> bool:
    rest = iter(text)
    return all(letter in rest for letter in letters)
