"""Checks references: found, withdrawn, how others cite them, which works are missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.types import FACETS, SECTION_TYPES
from citescape.explore.aggregates import add_citations, read_edges
from citescape.explore.checked import CHECKED, MISSING, SENTENCE, ReferenceCheck, describe_use
from citescape.explore.contexts import read_sentences
from citescape.papers.paper_index import PaperIndex, fold_words
from citescape.papers.references import ListedReference, ReferenceList
from citescape.runs.result import plural
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

DETAILED = 1_000
"""Maximum number of works with sentences, the most important first."""
_SLICE = 10_000
"""Works per query of what they receive."""
_SENTENCES_SLICE = 100
"""Works per query of their sentences."""
_OTHER_TITLE = 1 / 3
"""Titles that share fewer of their words are of different works."""
_BESIDE = 3
"""References beside which a missing work is cited that are named."""
_DESCRIBED = ("title", "year", "surnames", "notice", "notice_year")


def check_references(
    store: GraphStore,
    index: PaperIndex,
    listed: ReferenceList,
    *,
    support: int,
    limit: int,
    sentences: int,
) -> ReferenceCheck:
    """Checks references with a graph.

    A missing work is cited by at least `support` papers that cite two or more of the references
    (one, if only one is found), and is no reference. Missing works are ranked by the sum of the
    importance of those citations, then by their number.

    Args:
        store: the graph.
        index: its papers.
        listed: references, and the citations of a manuscript.
        support: minimum number of papers that cite a missing work.
        limit: maximum number of missing works.
        sentences: maximum number of sentences per reference.
    """
    references = _add_absent(listed)
    given = references.table
    matches = index.match(given)
    found = list(dict.fromkeys(filter(None, matches["paper"].to_pylist())))
    received = _read_received(store, found)
    near_ids = list(dict.fromkeys(id_ for own in matches["near"].to_pylist() for id_ in own))
    papers = _describe(store, [*found, *near_ids])
    quoted = _choose_sentences(store, received, sentences) if sentences else {}
    duplicates = _find_duplicates(given, matches["paper"])
    rows = [
        _check(row, match, received, papers, quoted, listed.mentions, duplicates.get(place))
        for place, (row, match) in enumerate(
            zip(given.to_pylist(), matches.to_pylist(), strict=True)
        )
    ]
    overlap = min(2, len(found)) or 1
    missing, candidates, near_papers = _find_missing(
        store, given, matches["paper"], found, overlap=overlap, support=support, limit=limit
    )
    cited, counted, labelled = (
        any(row[name] for row in received.values()) for name in ("cited_by", "counted", "labelled")
    )
    return ReferenceCheck(
        pa.Table.from_pylist(rows, CHECKED),
        missing,
        candidates,
        near_papers,
        overlap,
        support,
        counted or not cited,
        labelled or not cited,
        tuple(listed.notes),
    )


def _add_absent(listed: ReferenceList) -> ReferenceList:
    """The list with an entry for each key that the manuscript cites and no file has."""
    known = {reference.key for reference in listed.references}
    absent = [key for key in listed.mentions or () if key not in known and key != "*"]
    added = [ListedReference("", 0, key) for key in absent]
    return ReferenceList([*listed.references, *added], listed.mentions, listed.notes)


def _read_received(store: GraphStore, papers: Sequence[str]) -> dict[str, dict[str, Any]]:
    """What each work receives, by id."""
    rows: dict[str, dict[str, Any]] = {}
    for start in range(0, len(papers), _SLICE):
        part = store.read(query("explorer/received_by"), papers=papers[start : start + _SLICE])
        rows |= {row["id"]: row for row in part.to_pylist()}
    return rows


def _describe(store: GraphStore, papers: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Title, year and notice of papers, by id."""
    rows: dict[str, dict[str, Any]] = {}
    for start in range(0, len(papers), _SLICE):
        part = papers[start : start + _SLICE]
        described = store.read(query("explorer/described"), papers=part)
        names = ["id", "title", "year", "notice", "notice_year"]
        rows |= {row["id"]: row for row in described.select(names).to_pylist()}
    return rows


def _choose_sentences(
    store: GraphStore, received: Mapping[str, Mapping[str, Any]], number: int
) -> dict[str, list[dict[str, Any]]]:
    """The most important sentences of others for each work, at most one of each citing paper."""
    order = sorted(received, key=lambda id_: (-received[id_]["importance"], id_))
    cited = [id_ for id_ in order if received[id_]["cited_by"]][:DETAILED]
    chosen: dict[str, list[dict[str, Any]]] = {}
    for start in range(0, len(cited), _SENTENCES_SLICE):
        table = read_sentences(store, cited[start : start + _SENTENCES_SLICE])
        table = table.filter(pc.not_equal(pc.fill_null(table["self"], 0), 1))
        table = table.append_column("row", pa.array(np.arange(len(table))))
        first = table.group_by(["cited", "citing"]).aggregate([("row", "min")])
        for row in table.take(pa.array(np.sort(first["row_min"].to_numpy()))).to_pylist():
            own = chosen.setdefault(row["cited"], [])
            if len(own) < number:
                own.append({field.name: row[field.name] for field in SENTENCE})
    return chosen


def _find_duplicates(given: pa.Table, papers: pa.ChunkedArray) -> dict[int, str]:
    """Place of a reference -> why it repeats an earlier one."""
    titles = fold_words(pc.fill_null(given["title"], "")).to_pylist()
    seen: dict[tuple[str, object], str] = {}
    found: dict[int, str] = {}
    columns = [given[name].to_pylist() for name in ("key", "doi", "year", "title")]
    for place, (key, doi, year, whole, title, paper) in enumerate(
        zip(*columns, titles, papers.to_pylist(), strict=True)
    ):
        marks: list[tuple[str, object]] = [("key", key)] if key else []
        marks += [("paper", paper)] if paper else []
        marks += [("doi", doi)] if doi else []
        marks += [("title", (title, year))] if title.strip() and not paper and not doi else []
        for mark in marks:
            if mark in seen and place not in found:
                same = "the same key" if mark[0] == "key" else f"the same work as {seen[mark]}"
                found[place] = f"duplicate: {same}"
        for mark in marks:
            seen.setdefault(mark, key or paper or doi or whole)
    return found


def _check(
    row: Mapping[str, Any],
    match: Mapping[str, Any],
    received: Mapping[str, Mapping[str, Any]],
    papers: Mapping[str, Mapping[str, Any]],
    quoted: Mapping[str, list[dict[str, Any]]],
    mentions: Mapping[str, Mapping[str, int]] | None,
    duplicate: str | None,
) -> dict[str, Any]:
    """A row of `CHECKED`."""
    paper = match["paper"]
    own = received.get(paper or "", {})
    about = papers.get(paper or "", {})
    counted, labelled = own.get("counted", 0), own.get("labelled", 0)
    here = None if mentions is None else mentions.get(row["key"])
    checked = {
        **{name: row[name] for name in ("key", "file", "line", "title", "year")},
        **{name: match[name] for name in ("paper", "how", "agreement")},
        "paper_title": about.get("title"),
        "paper_year": about.get("year"),
        "notice": about.get("notice"),
        "notice_year": about.get("notice_year"),
        "near": [papers[id_] for id_ in match["near"]],
        "cited_by": own.get("cited_by"),
        "importance": own["importance"] if own.get("scored") else None,
        "self_share": own["self"] / counted if counted else None,
        **{name: own[name] if counted else None for name in SECTION_TYPES},
        **{name: own[name] if labelled else None for name in FACETS},
        "cited": None if mentions is None else sum((here or {}).values()),
        **{
            f"cited_{name}": None if mentions is None else (here or {}).get(name, 0)
            for name in SECTION_TYPES
        },
        "sentences": quoted.get(paper or "", []),
    }
    problems = [duplicate] if duplicate else []
    if checked["notice"]:
        problems.append(str(checked["notice"]))
    is_listed = row["line"] > 0  # lines are from 1, and 0 for what `_add_absent` adds
    if not is_listed and not paper:
        problems.append("not in the list")
    elif not paper:
        problems.append("not found")
    agreement = match["agreement"]
    if agreement is not None and agreement < _OTHER_TITLE and match["how"] != "title":
        problems.append("other title")
    if mentions is not None and here is None and is_listed and "*" not in mentions:
        problems.append("never cited")
    return checked | {"problems": problems, "use": describe_use(checked)}


def _find_missing(
    store: GraphStore,
    given: pa.Table,
    papers: pa.ChunkedArray,
    found: Sequence[str],
    *,
    overlap: int,
    support: int,
    limit: int,
) -> tuple[pa.Table, int, int]:
    """Missing works, their number before the limit, and the number of near papers."""
    around = add_citations(store, found, "citing")
    outside = pc.invert(pc.is_in(around["id"], value_set=pa.array(found, pa.string())))
    near = around.filter(pc.and_(outside, pc.greater_equal(around["papers"], overlap)))["id"]
    works = add_citations(store, near.to_pylist(), "references")
    known = pc.is_in(works["id"], value_set=pa.array([*found, *near.to_pylist()], pa.string()))
    works = works.filter(pc.and_(pc.invert(known), pc.greater_equal(works["papers"], support)))
    ordered = works.sort_by(
        [("importance", "descending"), ("papers", "descending"), ("id", "ascending")]
    ).slice(0, limit)
    ids = ordered["id"].to_pylist()
    rows = store.read(query("explorer/described"), papers=ids).to_pylist()
    about = {row["id"]: row for row in rows}
    received = _read_received(store, ids)
    beside = _find_beside(store, ids, near, given, papers)
    table = []
    for row in ordered.to_pylist():
        cited_by = received[row["id"]]["cited_by"]
        names = beside[row["id"]]
        table.append(
            {
                "id": row["id"],
                **{name: about[row["id"]][name] for name in _DESCRIBED},
                "papers": row["papers"],
                "share": row["papers"] / len(near),
                "cosine": row["papers"] / np.sqrt(len(near) * cited_by),
                "importance": row["importance"],
                "cited_by": cited_by,
                "beside": names,
                "why": f"{row['papers']:,} of the {plural(len(near), 'paper')} that cite {overlap} "
                f"or more of your references cite it too, most often beside {', '.join(names)}",
            }
        )
    return pa.Table.from_pylist(table, MISSING), len(works), len(near)


def _find_beside(
    store: GraphStore,
    works: Sequence[str],
    near: pa.ChunkedArray,
    given: pa.Table,
    papers: pa.ChunkedArray,
) -> dict[str, list[str]]:
    """Keys of the references that near papers cite most often beside each work."""
    names: dict[str, str] = {}
    for id_, key in zip(papers.to_pylist(), given["key"].to_pylist(), strict=True):
        if id_:
            names.setdefault(id_, key)
    edges = read_edges(store, works, "citing")
    edges = edges.filter(pc.is_in(edges["citing"], value_set=near.combine_chunks()))
    citing = pc.unique(edges["citing"]).to_pylist()
    own = read_edges(store, citing, "references")
    own = own.filter(pc.is_in(own["cited"], value_set=pa.array([*names], pa.string())))
    by_paper: dict[str, list[str]] = {}
    for paper, cited in zip(own["citing"].to_pylist(), own["cited"].to_pylist(), strict=True):
        by_paper.setdefault(paper, []).append(cited)
    counts: dict[str, Counter[str]] = {work: Counter() for work in works}
    for paper, work in zip(edges["citing"].to_pylist(), edges["cited"].to_pylist(), strict=True):
        counts[work].update(by_paper.get(paper, ()))
    return {
        work: [names[id_] for id_, _ in sorted(own.items(), key=lambda item: (-item[1], item[0]))][
            :_BESIDE
        ]
        for work, own in counts.items()
    }
