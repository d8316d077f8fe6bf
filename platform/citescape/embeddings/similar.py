"""The papers nearest to one, and which of them it cites or is cited by."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass

import numpy as np
import pyarrow as pa

from citescape.core.config import quote_command
from citescape.core.errors import ConfigError
from citescape.papers.identify import PaperName, find_paper
from citescape.runs.result import Result, Summary, Table
from citescape.search.neighbours import find_neighbours
from citescape.search.stored import RunVectors
from citescape.search.vectors import Rows, Vectors
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

_TITLE = 48
"""Characters of a title that are shown."""


@dataclass(frozen=True)
class SimilarPaper:
    """A paper near another."""

    id: str
    title: str
    year: int | None
    similarity: float
    """Of the metric asked for."""
    cites: bool
    """The paper asked for cites it."""
    importance: float | None
    """Of that citation; null if there is none, or it has no score."""
    cited_by: bool
    """It cites the paper asked for."""
    cited_by_importance: float | None
    text: str
    """What of it was read: `title+abstract`, `title`, `abstract`; empty where vectors are of no
    text."""


@dataclass(frozen=True)
class SimilarPapers(Result):
    """The papers nearest to one, the nearest first."""

    paper: PaperName
    text: str
    """What of the paper asked for was read."""
    run: str
    """Run of the vectors."""
    papers: list[SimilarPaper]
    metric: str = "cosine"

    @property
    def arrow(self) -> pa.Table:
        """A row per paper, with the fields of `SimilarPaper`."""
        return pa.Table.from_pylist([asdict(paper) for paper in self.papers], schema=_SCHEMA)

    def summarise(self) -> Summary:
        """The papers with the citations between each and the paper asked for."""
        note = ", by its title only" if self.text == "title" else ""
        rows = [
            (
                one.similarity,
                one.id,
                str(one.year or ""),
                one.title if len(one.title) <= _TITLE else f"{one.title[: _TITLE - 1].rstrip()}…",
                _show_citation(one.cites, one.importance),
                _show_citation(one.cited_by, one.cited_by_importance),
                "title only" if one.text == "title" else "",
            )
            for one in self.papers
        ]
        header = (self.metric, "paper", "year", "title", "cites it", "cited by it", "")
        return Summary(
            [f"nearest to {self.paper}{note} ({self.run})", "", Table(header, rows)], asdict(self)
        )


_SCHEMA = pa.schema(
    {
        "id": pa.string(),
        "title": pa.string(),
        "year": pa.int64(),
        "similarity": pa.float64(),
        "cites": pa.bool_(),
        "importance": pa.float64(),
        "cited_by": pa.bool_(),
        "cited_by_importance": pa.float64(),
        "text": pa.string(),
    }
)


def _show_citation(there: bool, importance: float | None) -> str:
    if not there:
        return ""
    return "yes" if importance is None else f"{importance:.4f}"


def find_similar(
    store: GraphStore,
    paper: str,
    found: RunVectors,
    *,
    k: int = 20,
    metric: str = "cosine",
    only_uncited: bool = False,
) -> SimilarPapers:
    """The k papers of the graph nearest to one.

    Args:
        store: the graph.
        paper: any identifier of it.
        found: the vectors to compare, see `find_vectors`.
        k: how many papers; fewer come where there are no more.
        metric: one of `exact.METRICS`.
        only_uncited: leave out those that it cites or is cited by.

    Raises:
        ConfigError: no such paper, or it has no vector, or zero; k is not positive, no such metric.
    """
    name = find_paper(store, paper)
    vectors = found.vectors.take(np.flatnonzero(found.vectors.placed))
    own = _find_row(store, name, found, placed=vectors)
    links = _read_links(store, name)
    wanted, most = k + only_uncited * len(links), len(vectors) - 1
    while True:
        near = find_neighbours(
            vectors, min(wanted, most), method="exact", metric=metric, queries=own
        )
        ids = near.ids.take(near.indices[0]).to_pylist()
        texts = _texts(vectors, near.indices[0])
        scored = list(zip(ids, near.scores[0].tolist(), texts, strict=True))
        papers = [
            one
            for one in _describe(store, scored, links)
            if not (only_uncited and (one.cites or one.cited_by))
        ]
        if len(papers) >= k or wanted >= most:
            return SimilarPapers(name, _texts(vectors, own)[0], found.run, papers[:k], metric)
        wanted *= 2  # some are not in the graph any more


def _find_row(store: GraphStore, name: PaperName, found: RunVectors, *, placed: Vectors) -> Rows:
    """(1,) row of the paper among the vectors of a run that are not zero."""
    asked = pa.array([name.id], pa.string())
    row = placed.rows(asked)
    if row[0] >= 0:
        return row
    is_file = "." in found.run  # ids of runs have none
    if found.vectors.rows(asked)[0] >= 0:
        reason = "" if is_file else ", as of papers without citations in the direction embedded"
        raise ConfigError(
            f"{name} cannot be compared: its vector in {found.run} is zero{reason}; "
            "give other --vectors"
        )
    if is_file:
        raise ConfigError(f"{name} has no vector in {found.run}; add it, or give other --vectors")
    raise ConfigError(
        f"{name} has no vector in {found.run}: it has neither title nor abstract, or came later, "
        "or was left out with `--papers fulltext`; if it has a text, run "
        f"{quote_command('embed', store.location)} for all papers"
    )


def _texts(vectors: Vectors, rows: np.ndarray) -> list[str]:
    """What was read of some papers; graph embeddings do not say."""
    if "text" not in vectors.papers.column_names:
        return [""] * len(rows)
    found: list[str] = vectors.papers["text"].take(pa.array(rows)).to_pylist()
    return found


Links = dict[tuple[str, bool], float | None]
"""(other paper, whether it is the one cited) -> importance of the citation."""


def _read_links(store: GraphStore, name: PaperName) -> Links:
    rows = store.read(query("embeddings/citations"), paper=name.id).to_pylist()
    return {(row["id"], row["cites"]): row["importance"] for row in rows}


def _describe(
    store: GraphStore, scored: list[tuple[str, float, str]], links: Links
) -> Iterator[SimilarPaper]:
    """Those of some papers that the graph has, in their order."""
    rows = store.read(query("embeddings/titles"), papers=[id_ for id_, _, _ in scored])
    known = {row["id"]: row for row in rows.to_pylist()}
    for id_, similarity, text in scored:
        if id_ in known:
            yield SimilarPaper(
                id_,
                known[id_]["title"] or "",
                known[id_]["year"],
                similarity,
                cites=(id_, True) in links,
                importance=links.get((id_, True)),
                cited_by=(id_, False) in links,
                cited_by_importance=links.get((id_, False)),
                text=text,
            )
