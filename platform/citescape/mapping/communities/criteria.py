"""Reads criteria from a store or from a file of labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import ConfigError, invalid_choice
from citescape.embeddings.origin import is_of_citations
from citescape.mapping.communities.criterion import TermCriterion, build_criterion
from citescape.networks.build import NetworkRun
from citescape.papers.id_lists import match_listed
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

LABELS = "labels"
"""Name of the criterion from a file."""
MAJOR = 2.0
"""Factor of headings that are major topics of a paper."""


def count_once(rows: pa.Table) -> pa.Table:
    """Rows `paper`, `term` with a factor of 1."""
    pairs = rows.select(["paper", "term"]).cast(pa.schema({"paper": pa.string(), "term": "string"}))
    return pairs.append_column("factor", pa.array(np.ones(len(rows))))


def weigh_headings(rows: pa.Table) -> pa.Table:
    """Converts MeSH headings to terms: descriptors, and pairs of descriptor and qualifier.

    Terms of a major topic count `MAJOR` times. (After Ahlgren et al. 2020, where the information
    content of a descriptor includes all descriptors below it in the MeSH tree. The store has no
    tree, so here it is that of the descriptor alone.)
    """
    plain = rows.cast(
        pa.schema(
            {
                "paper": pa.string(),
                "term": pa.string(),
                "major": pa.bool_(),
                "qualifiers": pa.string(),
            }
        )
    ).combine_chunks()
    major = pc.fill_null(plain["major"], False)
    factor = pc.if_else(major, pa.scalar(MAJOR), pa.scalar(1.0))
    descriptors = pa.table({"paper": plain["paper"], "term": plain["term"], "factor": factor})
    listed = pc.split_pattern(
        pc.if_else(pc.equal(plain["qualifiers"], ""), None, plain["qualifiers"]), "/"
    )
    parents, qualifier = pc.list_parent_indices(listed), pc.list_flatten(listed)
    parts = descriptors.take(parents)
    pairs = pc.binary_join_element_wise(parts["term"], qualifier, "/")
    with_qualifier = parts.set_column(1, "term", pairs)
    return pa.concat_tables([descriptors, with_qualifier])


@dataclass(frozen=True)
class CriterionSource:
    """Source of a criterion."""

    meaning: str
    query: str = ""
    rows: Callable[[pa.Table], pa.Table] = count_once
    """Converts the rows of the query to `paper`, `term`, `factor`."""
    informative: bool = True
    """Whether terms are weighted by information content."""
    near: Mapping[str, str] = field(default_factory=dict)
    """Kind of network -> why it is not independent of the criterion."""


_TEXT = "authors choose keywords from the words of titles and abstracts, which {} compares"
CRITERIA: Mapping[str, CriterionSource] = {
    "mesh": CriterionSource(
        "Medical Subject Headings",
        "communities/mesh",
        weigh_headings,
        near={
            "knn": "an encoder that was trained to predict MeSH headings, as SPECTER2 was, would "
            "be judged by its training labels"
        },
    ),
    "keywords": CriterionSource(
        "author keywords",
        "communities/keywords",
        near={"bm25": _TEXT.format("bm25"), "knn": _TEXT.format("an encoder of texts")},
    ),
    "subjects": CriterionSource("subjects given by journals", "communities/subjects"),
    "venue": CriterionSource("journals", "communities/venues", informative=False),
    LABELS: CriterionSource(
        "labels from a file",
        informative=False,
        near={
            "knn": "an encoder that was trained on these labels would be judged by its "
            "training labels"
        },
    ),
}


def read_criterion(
    store: GraphStore,
    name: str,
    ids: pa.StringArray,
    *,
    labels: Sequence[tuple[str, str]] | None = None,
) -> TermCriterion:
    """Reads a criterion over some papers.

    - `mesh`: descriptors, and descriptors with qualifiers; major topics count twice; weighted
      by information content.
    - `keywords`, `subjects`: weighted by information content.
    - `venue`, `labels`: papers of one journal or label are equally related.

    Information content of a term: -log of the share of papers with the term among papers with any
    term. Relatedness: the cosine of two papers' vectors, divided by the sum over all papers.

    Args:
        store: store to read.
        name: a key of `CRITERIA`.
        ids: ids of the papers to compare, ascending.
        labels: identifier and label, for the criterion `labels`; several labels are separated by
            `;`.

    Raises:
        ConfigError: no such criterion, or it relates no papers.
    """
    if name not in CRITERIA:
        raise invalid_choice("criterion", name, CRITERIA)
    source, counts = CRITERIA[name], {}
    if name == LABELS:
        papers, terms, unknown = read_label_pairs(store, labels or ())
        columns = [pa.array(papers, pa.string()), pa.array(terms, pa.string())]
        rows = count_once(pa.table(columns, names=["paper", "term"]))
        counts = {"labels_without_paper": unknown}
    else:
        rows = source.rows(store.read(query(source.query)))
    criterion = build_criterion(name, ids, rows, informative=source.informative)
    counts = {**criterion.counts, **counts}
    if not counts["judged"]:
        with_terms = counts["papers"] - counts["without_criterion"]
        others = ", ".join(other for other in CRITERIA if other not in (name, LABELS))
        raise ConfigError(
            f"of {counts['papers']:,} compared papers of {store.location}, {with_terms:,} have "
            f"{source.meaning}, which relate no papers (a term of a single paper, or of all "
            f"papers, relates none); choose another criterion ({others}) or your own labels, "
            "`--labels FILE`"
        )
    return replace(criterion, counts=counts)


def find_dependence(name: str, network: NetworkRun) -> str:
    """Reason why a network may not be independent of a criterion; empty if no reason is known."""
    if network.kind == "knn" and is_of_citations(str(network.record.inputs.get("vectors", ""))):
        return ""
    return CRITERIA[name].near.get(network.kind, "")


def read_label_pairs(
    store: GraphStore, labels: Sequence[tuple[str, str]]
) -> tuple[list[str], list[str], int]:
    """Matches labels to papers of the store.

    `labels` are pairs of identifier and label; several labels are separated by `;`.

    Returns:
        Papers, their labels, and the number of lines that match no paper.
    """
    matches = match_listed(store, [name for name, _ in labels])
    pairs = [
        (paper, label.strip())
        for paper, (_, text) in zip(matches, labels, strict=True)
        if paper is not None
        for label in text.split(";")
        if label.strip()
    ]
    return [paper for paper, _ in pairs], [label for _, label in pairs], matches.count(None)
