"""Author disambiguation: names on by-lines -> people.

The default is `neighbourhood_authors`: an ORCID decides; without one, names of equal surname and
first initial are compared by what their papers have in common, and joined where the log-odds that
both are one person are high (`ingest.author_scores`). Different ORCIDs, contradicting names and two
names on one by-line are never joined by evidence. All others stay apart: a missed merge loses a
self-citation, a false one invents it. Any other `AuthorResolver` can replace it.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from scipy.sparse import csr_array

from citescape.ingest.author_clusters import Clusters, cluster_signatures
from citescape.ingest.author_pairs import Citations, iterate_pairs
from citescape.ingest.author_scores import (
    REASONS,
    LinkModel,
    PairScorer,
    ScoredPairs,
    estimate_model,
    no_pairs,
)
from citescape.ingest.author_statistics import NameCounts, Statistics, count_names
from citescape.ingest.names import Ints
from citescape.ingest.signatures import Signatures, flatten, read_signatures, spell_names

EVIDENCE = ("none", "name", "venue", "citation", "coauthor", "orcid", "group")
"""Evidence that links a signature to its author, weakest first."""


class AuthorResolver(Protocol):
    """Groups signatures into people."""

    def __call__(self, papers: pa.Table, cites: pa.Table) -> pa.Table:
        """See `neighbourhood_authors` for the columns of both tables and of the result."""
        ...


def neighbourhood_authors(papers: pa.Table, cites: pa.Table) -> pa.Table:
    """Authors of all papers, by ORCID, then by name and by what papers have in common.

    Args:
        papers: `id`, `surnames`, `givens`, `roles`, `orcids` (lists of one by-line), `venue`, and
            perhaps `year`.
        cites: `from`, `to` paper ids.

    Returns:
        One row per signature: `paper`, `position`, `author` (node id), `name` (as printed), `role`,
        `orcid`, `evidence` (one of `EVIDENCE`). It depends on the set of papers, not their order.
    """
    return resolve_all(papers.sort_by("id"), cites)[0]


def resolve_all(papers: pa.Table, cites: pa.Table) -> tuple[pa.Table, Statistics]:
    """Authors of all papers, and the statistics that they depend on.

    Args:
        papers: by-lines, sorted by id.
        cites: `from`, `to` paper ids, perhaps several times or of a paper itself.
    """
    flat = flatten(papers)
    names = count_names(spell_names(flat))
    if not flat.num_rows:
        nobody = np.zeros(0, np.int64)
        return list_people(flat, nobody, nobody), Statistics(papers.num_rows, names, no_pairs())
    citations = read_citations(papers, cites)
    scorer = collect_pairs(read_signatures(flat, papers), citations, names, papers.num_rows)
    pairs = scorer.count()
    statistics = Statistics(papers.num_rows, names, pairs)
    return assign_people(flat, scorer, estimate_model(pairs)), statistics


def read_citations(papers: pa.Table, cites: pa.Table) -> Citations:
    """Citations between papers, each once; those of a paper itself are left out."""
    citing = pc.index_in(cites["from"], value_set=papers["id"]).to_numpy()
    cited = pc.index_in(cites["to"], value_set=papers["id"]).to_numpy()
    others = citing != cited
    ends = citing[others], cited[others]
    shape = (papers.num_rows, papers.num_rows)
    matrix = csr_array((np.ones(len(ends[0]), dtype=np.int32), ends), shape=shape)
    matrix.sum_duplicates()
    matrix.data[:] = 1
    return Citations(matrix, matrix.T.tocsr())


def collect_pairs(
    s: Signatures, citations: Citations, names: NameCounts, papers: int
) -> PairScorer:
    """All pairs of active signatures that may be one person.

    Args:
        s: signatures.
        citations: citations of their papers.
        names: given names of the whole store.
        papers: number of papers in the store.
    """
    scorer = PairScorer(s, citations.citing, names, papers)
    for pairs in iterate_pairs(s, citations, papers):
        scorer.add(pairs)
    return scorer


def assign_people(flat: pa.Table, scorer: PairScorer, model: LinkModel) -> pa.Table:
    """The authors of active signatures.

    Args:
        flat: result of `flatten`.
        scorer: the pairs of the same signatures.
        model: log-odds.

    Returns:
        See `neighbourhood_authors`.
    """
    s, pairs = scorer.s, scorer.score(model)
    clusters = cluster_signatures(s, pairs, _same_orcid_or_group(s))
    authors = list_people(flat, clusters.person, _find_evidence(s, pairs, clusters))
    return authors.filter(pa.array(s.active))


def _same_orcid_or_group(s: Signatures) -> tuple[Ints, Ints]:
    """Links all signatures of one ORCID, and all of one group's name."""
    key = np.where(s.is_group, s.block + s.orcid.max(initial=-1) + 1, s.orcid)
    index = np.flatnonzero((s.is_group | (s.orcid >= 0)) & s.active)
    index = index[np.argsort(key[index], kind="stable")]
    same = key[index[1:]] == key[index[:-1]]
    return index[:-1][same], index[1:][same]


def _find_evidence(s: Signatures, pairs: ScoredPairs, clusters: Clusters) -> Ints:
    """Evidence of each signature: the strongest of its links; an ORCID comes before any link."""
    linked = clusters.linked
    kind = np.array([EVIDENCE.index(reason) for reason in REASONS])[pairs.reason[linked]]
    evidence = np.zeros(len(s.paper), dtype=np.int64)
    for ends in (pairs.left[linked], pairs.right[linked]):
        np.maximum.at(evidence, ends, kind)
    evidence[s.orcid >= 0] = EVIDENCE.index("orcid")
    evidence[s.is_group] = EVIDENCE.index("group")
    return evidence


def list_signatures(flat: pa.Table) -> pa.Table:
    """`paper`, `position`, `role`, `orcid`, `name` (as printed) of signatures."""
    given = pc.fill_null(flat["given"], "")
    name = pc.utf8_trim_whitespace(pc.binary_join_element_wise(given, flat["surname"], " "))
    return flat.select(["paper", "position", "role", "orcid"]).append_column("name", name)


def list_people(flat: pa.Table, author: Ints, evidence: Ints) -> pa.Table:
    """The signatures with their authors, named by ORCID, else by their first signature.

    Args:
        flat: result of `flatten`.
        author: (n,) code of the person.
        evidence: (n,) index in `EVIDENCE`.
    """
    place = pc.binary_join_element_wise(flat["paper"], pc.cast(flat["position"], pa.string()), "@")
    table = list_signatures(flat)
    table = table.append_column("evidence", pa.array(np.array(EVIDENCE)[evidence], pa.string()))
    numbered = pa.table({"author": author, "orcid": flat["orcid"], "place": place})
    firsts = numbered.group_by("author").aggregate([("orcid", "min"), ("place", "min")])
    own = pc.coalesce(
        pc.binary_join_element_wise(pa.scalar("orcid:"), firsts["orcid_min"], ""),
        pc.binary_join_element_wise(pa.scalar("author:"), firsts["place_min"], ""),
    )
    where = pc.index_in(pa.array(author), value_set=firsts["author"].combine_chunks())
    return table.append_column("author", own.take(where))
