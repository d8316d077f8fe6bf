"""Author disambiguation: names on by-lines -> people.

The default is `neighbourhood_authors`: an ORCID decides; without one, two names of equal surname
and compatible initials are one person if the papers share a co-author, if one cites the other and
they share two names, or if they share a venue under a full and rare name. All others stay apart: a
missed merge loses a self-citation, a false one invents it. Any other `AuthorResolver` can replace
it.

Names are rare relative to N papers: those of the corpus, but at least 100,000. In a small corpus a
name looks rare because there are few papers, not because few people have it.

Names in short: a *signature* is one name on one paper, a *block* all signatures of one surname
and first initial.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from citescape.ingest.identity import fold

EVIDENCE = ("none", "venue", "citation", "coauthor", "orcid", "group")
"""Evidence that links a signature to its author, weakest first."""

_CAPITALS = re.compile(r"^[A-Z]{1,4}$")
_NAME_PART = re.compile(r"[^\W\d_]+")
_CHANCE = 0.05
_SMALLEST_POPULATION = 100_000
_LONGEST_BY_LINE = 50
_SLICE = 50_000
"""Signatures or pairs processed at a time: bounds memory."""


class AuthorResolver(Protocol):
    """Groups signatures into people."""

    def __call__(self, papers: pa.Table, cites: pa.Table) -> pa.Table:
        """See `neighbourhood_authors` for the columns of both tables and of the result."""
        ...


@dataclass(frozen=True)
class Signatures:
    """Arrays over signatures, sorted by paper; n signatures."""

    paper: np.ndarray
    """Row of the paper, int64 (n,)."""
    position: np.ndarray
    """Position on the by-line from 0, int64 (n,)."""
    block: np.ndarray
    """Code of surname + first initial, int64 (n,); each group has its own block."""
    initials: np.ndarray
    """Code of the initials in alphabetical order, int64 (n,)."""
    names: np.ndarray
    """The initials' texts, indexed by `initials`."""
    orcid: np.ndarray
    """Code of the ORCID or -1, int64 (n,)."""
    venue: np.ndarray
    """Code of the paper's venue or -1, int64 (n,)."""
    is_group: np.ndarray
    """bool (n,)."""


def neighbourhood_authors(papers: pa.Table, cites: pa.Table) -> pa.Table:
    """Authors of all papers, by ORCID, then by name within a neighbourhood.

    Args:
        papers: `id`, `surnames`, `givens`, `roles`, `orcids` (lists of one by-line), `venue`.
        cites: `from`, `to` paper ids; used only for pairs that share two names.

    Returns:
        One row per signature: `paper`, `position`, `author` (node id), `name` (as printed), `role`,
        `orcid`, `evidence` (one of `EVIDENCE`). It depends on the set of papers, not their order.
    """
    papers = papers.sort_by("id")
    flat = _flatten(papers)
    if not flat.num_rows:
        return _result(flat, np.zeros(0, np.int64), np.zeros(0, np.int64))
    signatures = _signatures(flat, papers)
    links = [
        (*_coauthor_links(signatures), EVIDENCE.index("coauthor")),
        (*_citation_links(signatures, papers, cites), EVIDENCE.index("citation")),
        (*_venue_links(signatures), EVIDENCE.index("venue")),
    ]
    author, evidence = _group(signatures, links)
    return _result(flat, author, evidence)


def _flatten(papers: pa.Table) -> pa.Table:
    """One row per signature: `row` (of the paper), `paper`, `position`, names, role, `orcid`."""
    lengths = pc.fill_null(pc.list_value_length(papers["surnames"]), 0).to_numpy()
    rows = np.repeat(np.arange(papers.num_rows), lengths)
    starts = np.repeat(np.cumsum(lengths) - lengths, lengths)
    listed = pc.if_else(pc.is_valid(papers["orcids"]), True, False).to_numpy()
    orcids = np.full(len(rows), None, dtype=object)
    has_orcids = listed[rows]
    orcids[has_orcids] = pc.list_flatten(papers["orcids"]).to_numpy(zero_copy_only=False)
    orcid = pa.array(orcids, pa.string())
    return pa.table(
        {
            "row": rows,
            "paper": papers["id"].take(pa.array(rows)),
            "position": np.arange(len(rows)) - starts,
            "surname": pc.list_flatten(papers["surnames"]),
            "given": pc.list_flatten(papers["givens"]),
            "role": pc.list_flatten(papers["roles"]),
            "orcid": pc.if_else(pc.equal(orcid, ""), pa.scalar(None, pa.string()), orcid),
        }
    )


def _signatures(flat: pa.Table, papers: pa.Table) -> Signatures:
    surnames = flat["surname"].combine_chunks().dictionary_encode()
    givens = flat["given"].combine_chunks().dictionary_encode()
    surname = _codes(pa.chunked_array([block_names(surnames.dictionary.to_pylist())], pa.string()))
    names, initials = _text_codes(initials_of(givens.dictionary.to_pylist()))
    first = _text_codes([text[:1] for text in names.tolist()])[1][initials]
    is_group = pc.equal(flat["role"], "group").to_numpy()
    block = surname[surnames.indices.to_numpy()] * np.int64(first.max() + 1)
    block = 2 * (block + first[givens.indices.to_numpy()]) + is_group
    return Signatures(
        paper=flat["row"].to_numpy(),
        position=flat["position"].to_numpy(),
        block=np.unique(block, return_inverse=True)[1],
        initials=initials[givens.indices.to_numpy()],
        names=names,
        orcid=_codes(flat["orcid"]),
        venue=_codes(papers["venue"])[flat["row"].to_numpy()],
        is_group=is_group,
    )


def block_names(surnames: Sequence[str]) -> list[str]:
    """Surnames without case, accents, punctuation and spaces: `van der Berg` = `Vander-Berg`."""
    return [fold(surname).replace(" ", "") for surname in surnames]


def initials_of(givens: Sequence[str]) -> list[str]:
    """First letters of given names: `Ming-Che` -> `mc`, `J. A.` -> `ja`, `JA` -> `ja`."""
    initials = []
    for given in givens:
        compact = given.replace(".", "").replace(" ", "").replace("-", "")
        if _CAPITALS.match(compact):
            initials.append(compact.lower())
        else:
            initials.append("".join(fold(part)[:1] for part in _NAME_PART.findall(given)))
    return initials


def _text_codes(texts: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """The unique texts in alphabetical order, and the index of each text among them."""
    encoded = pa.array(texts, pa.string()).dictionary_encode()
    order = pc.array_sort_indices(encoded.dictionary).to_numpy()
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    names = np.array(encoded.dictionary.to_pylist(), dtype=str)[order]
    return names, rank[encoded.indices.to_numpy()]


def _codes(column: pa.ChunkedArray) -> np.ndarray:
    encoded = column.combine_chunks().dictionary_encode()
    return np.asarray(pc.fill_null(encoded.indices, -1).to_numpy(), dtype=np.int64)


Links = tuple[np.ndarray, np.ndarray]
"""Two arrays of signature indices, (links,) each."""


def _coauthor_links(s: Signatures) -> Links:
    """Signatures of equal block that share the block of a co-author, unless chance may explain it.

    With f the number of signatures of a block and N papers, names i and j are together on
    f_i f_j / N papers by chance; a shared co-author counts where that is below 0.05. By-lines of
    more than 50 names are skipped.
    """
    counts, population = np.bincount(s.block), _population(s)
    sizes = np.bincount(s.paper)
    starts = np.cumsum(sizes) - sizes
    usable = np.flatnonzero((sizes[s.paper] <= _LONGEST_BY_LINE) & (sizes[s.paper] > 1))
    kept: list[Links] = []
    for begin in range(0, len(usable), _SLICE):
        # Every ordered pair of signatures on one paper.
        part = usable[begin : begin + _SLICE]
        repeats = sizes[s.paper[part]]
        first = np.repeat(part, repeats)
        second = starts[s.paper[first]] + _count_up(repeats)
        expected = counts[s.block[first]] * counts[s.block[second]] / population
        informative = (expected < _CHANCE) & (s.block[first] != s.block[second])
        kept.append((first[informative], second[informative]))
    first, second = _joined(kept)
    return _chain(s, first, (s.block[first], s.block[second]))


def _population(s: Signatures) -> int:
    """N: number of papers, at least 100,000, so that not every name looks rare."""
    return max(int(s.paper.max()) + 1, _SMALLEST_POPULATION)


def _count_up(repeats: np.ndarray) -> np.ndarray:
    """0, 1, ... repeats[0] - 1, 0, 1, ... repeats[1] - 1, and so on."""
    ends = np.cumsum(repeats)
    counted = np.arange(ends[-1] if len(ends) else 0)
    return np.asarray(counted - np.repeat(ends - repeats, repeats))


def _joined(parts: list[Links]) -> Links:
    empty = np.zeros(0, dtype=np.int64)
    left, right = zip(*parts, strict=True) if parts else ((empty,), (empty,))
    return np.concatenate(left), np.concatenate(right)


def _venue_links(s: Signatures) -> Links:
    """Equal venue, block and initials, at least two initials, and a rare name."""
    counts = np.bincount(s.block)
    two = np.array([len(text) >= 2 for text in s.names])[s.initials]
    rare = counts[s.block] ** 2 / _population(s) < _CHANCE
    index = np.flatnonzero((s.venue >= 0) & two & rare & ~s.is_group)
    return _chain(s, index, (s.block[index], s.venue[index]))


def _citation_links(s: Signatures, papers: pa.Table, cites: pa.Table) -> Links:
    """Signatures of equal name on a citing and a cited paper that share two or more names."""
    citing = pc.index_in(cites["from"], value_set=papers["id"]).to_numpy()
    cited = pc.index_in(cites["to"], value_set=papers["id"]).to_numpy()
    sizes = np.bincount(s.paper, minlength=papers.num_rows)
    short = (sizes[citing] <= _LONGEST_BY_LINE) & (sizes[cited] <= _LONGEST_BY_LINE)
    citing, cited = citing[short], cited[short]
    slices = [slice(begin, begin + _SLICE) for begin in range(0, len(citing), _SLICE)]
    return _joined([_shared_names(s, sizes, (citing[part], cited[part])) for part in slices])


def _shared_names(s: Signatures, sizes: np.ndarray, pairs: Links) -> Links:
    """Signatures of equal name on the citing and the cited paper of a pair that shares several."""
    # All pairs of a signature of the citing paper and one of the cited paper.
    citing, cited = pairs
    starts = np.cumsum(sizes) - sizes
    combinations = sizes[citing] * sizes[cited]
    pair = np.repeat(np.arange(len(citing)), combinations)
    within = _count_up(combinations)
    width = sizes[cited][pair]
    left = starts[citing][pair] + within // width
    right = starts[cited][pair] + within % width

    same = s.block[left] == s.block[right]
    pair, left, right = pair[same], left[same], right[same]
    fits = _compatible(s, left, right)
    pair, left, right = pair[fits], left[fits], right[fits]
    several = np.bincount(pair, minlength=len(citing))[pair] >= 2
    return left[several], right[several]


def _chain(s: Signatures, index: np.ndarray, keys: tuple[np.ndarray, np.ndarray]) -> Links:
    """Links neighbours among signatures with equal keys, in order of their initials.

    In that order a name comes before its longer forms (`j`, `ja`, `jab`), so a link joins two
    signatures only where the one's initials begin the other's.
    """
    order = np.lexsort((index, s.initials[index], keys[1], keys[0]))
    index, one, two = index[order], keys[0][order], keys[1][order]
    same = (one[1:] == one[:-1]) & (two[1:] == two[:-1])
    left, right = index[:-1][same], index[1:][same]
    fits = _compatible(s, left, right)
    return left[fits], right[fits]


def _compatible(s: Signatures, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Whether the initials of one begin the initials of the other."""
    pairs, which = np.unique(
        s.initials[left] * np.int64(len(s.names)) + s.initials[right], return_inverse=True
    )
    a, b = s.names[pairs // len(s.names)], s.names[pairs % len(s.names)]
    fits = np.char.startswith(a, b) | np.char.startswith(b, a)
    return fits[which]


def _group(
    s: Signatures, links: list[tuple[np.ndarray, np.ndarray, int]]
) -> tuple[np.ndarray, np.ndarray]:
    """Author number and evidence of every signature.

    Different ORCIDs stay apart, and so do initials that contradict each other (`A` may be `A B`
    and `A C`, two people): doubtful links of authors with several of either are removed.
    """
    links = [(*_same_orcid_or_group(s), EVIDENCE.index("none")), *links]
    kinds = np.repeat([kind for _, _, kind in links], [len(left) for left, _, _ in links])
    left, right = _joined([(left, right) for left, right, _ in links])
    author = _components(s, (left, right))

    # Authors with several ORCIDs keep the links within one ORCID.
    known = s.orcid >= 0
    pairs = np.unique(np.stack([author[known], s.orcid[known]]), axis=1)
    mixed = (np.bincount(pairs[0], minlength=author.max() + 1) > 1)[author[left]]
    keep = ~mixed | (s.orcid[left] == s.orcid[right])
    left, right, kinds = left[keep], right[keep], kinds[keep]
    author = _components(s, (left, right))

    mixed = _with_several_initials(s, author)[author[left]]
    keep = ~mixed | (s.initials[left] == s.initials[right]) | (kinds == EVIDENCE.index("none"))
    left, right, kinds = left[keep], right[keep], kinds[keep]

    # The strongest link of a signature counts; its own ORCID comes before any link.
    evidence = np.zeros(len(s.paper), dtype=np.int64)
    for ends in (left, right):
        np.maximum.at(evidence, ends, kinds)
    evidence[known] = EVIDENCE.index("orcid")
    evidence[s.is_group] = EVIDENCE.index("group")
    return _components(s, (left, right)), evidence


def _same_orcid_or_group(s: Signatures) -> Links:
    """Links all signatures of one ORCID, and all of one group's name."""
    key = np.where(s.is_group, s.block + s.orcid.max() + 1, s.orcid)
    index = np.flatnonzero(s.is_group | (s.orcid >= 0))
    index = index[np.argsort(key[index], kind="stable")]
    same = key[index[1:]] == key[index[:-1]]
    return index[:-1][same], index[1:][same]


def _with_several_initials(s: Signatures, author: np.ndarray) -> np.ndarray:
    """For each author whether initials of one surname contradict each other.

    Initials agree if each begins the next in alphabetical order (`a`, `ab`, `abc`).
    """
    order = np.lexsort((s.initials, s.block, author))
    left, right = order[:-1], order[1:]
    near = (author[left] == author[right]) & (s.block[left] == s.block[right])
    left, right = left[near], right[near]
    mixed = np.zeros(author.max() + 1, dtype=bool)
    mixed[author[left[~_compatible(s, left, right)]]] = True
    return mixed


def _components(s: Signatures, links: Links) -> np.ndarray:
    """The connected component of each signature."""
    n = len(s.paper)
    graph = coo_array((np.ones(len(links[0]), dtype=bool), links), shape=(n, n))
    return np.asarray(connected_components(graph, directed=False)[1], dtype=np.int64)


def _result(flat: pa.Table, author: np.ndarray, evidence: np.ndarray) -> pa.Table:
    """Names the authors: by ORCID, else by name and position of their first signature."""
    given = pc.fill_null(flat["given"], "")
    name = pc.utf8_trim_whitespace(pc.binary_join_element_wise(given, flat["surname"], " "))
    place = pc.binary_join_element_wise(flat["paper"], pc.cast(flat["position"], pa.string()), "@")
    table = flat.select(["paper", "position", "role", "orcid"]).append_column("name", name)
    table = table.append_column("evidence", pa.array(np.array(EVIDENCE)[evidence], pa.string()))
    numbered = pa.table({"author": author, "orcid": flat["orcid"], "place": place})
    firsts = numbered.group_by("author").aggregate([("orcid", "min"), ("place", "min")])
    own = pc.coalesce(
        pc.binary_join_element_wise(pa.scalar("orcid:"), firsts["orcid_min"], ""),
        pc.binary_join_element_wise(pa.scalar("author:"), firsts["place_min"], ""),
    )
    where = pc.index_in(pa.array(author), value_set=firsts["author"].combine_chunks())
    return table.append_column("author", own.take(where))
