"""The papers nearest to one, and which of them it cites or is cited by."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass

import numpy as np
import pyarrow as pa

from citescape.core.config import quote_command
from citescape.core.errors import ConfigError
from citescape.papers.identify import PaperName, find_paper
from citescape.papers.notices import name_notice
from citescape.runs.result import Result, Summary, Table
from citescape.search.neighbours import find_neighbours
from citescape.search.stored import RunVectors
from citescape.search.vectors import Vectors
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

_TITLE = 48
"""Maximum characters of a title in the table."""


@dataclass(frozen=True)
class SimilarPaper:
    """A paper near another."""

    id: str
    title: str
    year: int | None
    similarity: float
    """In the chosen metric."""
    cites: bool
    """Whether the query paper cites it."""
    importance: float | None
    """Importance of that citation; null without a citation or a score."""
    cited_by: bool
    """Whether it cites the query paper."""
    cited_by_importance: float | None
    text: str
    """Encoded text: `title+abstract`, `title`, `abstract`; empty for vectors of citations."""
    notice: str | None = None
    """`retracted`, `corrected`, ...; null without a notice."""
    notice_year: int | None = None


@dataclass(frozen=True)
class SimilarPapers(Result):
    """The papers nearest to one, the nearest first."""

    paper: PaperName
    text: str
    """Encoded text of the query paper."""
    run: str
    """Run of the vectors."""
    papers: list[SimilarPaper]
    metric: str = "cosine"

    @property
    def arrow(self) -> pa.Table:
        """A row per paper, with the fields of `SimilarPaper`."""
        return pa.Table.from_pylist([asdict(paper) for paper in self.papers], schema=_SCHEMA)

    def summarise(self) -> Summary:
        """The papers, with the citations between each and the query paper."""
        note = ", by its title only" if self.text == "title" else ""
        rows = [
            (
                p.similarity,
                p.id,
                str(p.year or ""),
                p.title if len(p.title) <= _TITLE else f"{p.title[: _TITLE - 1].rstrip()}…",
                _show_citation(p.cites, p.importance),
                _show_citation(p.cited_by, p.cited_by_importance),
                "title only" if p.text == "title" else "",
                name_notice(p.notice, p.notice_year) or "",
            )
            for p in self.papers
        ]
        header = (
            self.metric,
            "paper",
            "year",
            "title",
            "cites it",
            "cited by it",
            "text",
            "notice",
        )
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
        "notice": pa.string(),
        "notice_year": pa.int64(),
    }
)


def _show_citation(exists: bool, importance: float | None) -> str:
    if not exists:
        return ""
    return "yes" if importance is None else f"{importance:.4f}"


def find_similar(
    store: GraphStore,
    paper: str,
    run_vectors: RunVectors,
    *,
    k: int = 20,
    metric: str = "cosine",
    only_uncited: bool = False,
) -> SimilarPapers:
    """The k papers of the graph nearest to one.

    Args:
        store: the graph.
        paper: any identifier of the query paper.
        run_vectors: the vectors to compare, see `find_vectors`.
        k: maximum number of papers.
        metric: one of `exact.METRICS`.
        only_uncited: skip papers that it cites or is cited by.

    Raises:
        ConfigError: no such paper, no vector of it or a zero vector; k is not positive, no such
            metric.
    """
    name, run = find_paper(store, paper), run_vectors.run
    vectors = run_vectors.vectors.select_rows(np.flatnonzero(run_vectors.vectors.placed))
    own = vectors.rows(pa.array([name.id], pa.string()))  # (1,)
    if own[0] < 0 and run_vectors.vectors.rows(pa.array([name.id], pa.string()))[0] >= 0:
        reason = (
            ""
            if run_vectors.is_file
            else ", as for papers without citations in the embedded direction"
        )
        raise ConfigError(
            f"{name} cannot be compared: its vector in {run} is zero{reason}; give other --vectors"
        )
    if own[0] < 0 and run_vectors.is_file:
        raise ConfigError(f"{name} has no vector in {run}; add it, or give other --vectors")
    if own[0] < 0:
        raise ConfigError(
            f"{name} has no vector in {run}: it has neither title nor abstract, was added later, "
            "or was left out with `--papers fulltext`; if it has a text, run "
            f"{quote_command('embed', store.location)} for all papers"
        )

    rows = store.read(query("embeddings/citations"), paper=name.id).to_pylist()
    links: Links = {(row["id"], row["cites"]): row["importance"] for row in rows}
    requested, most = k + only_uncited * len(links), len(vectors) - 1
    while True:
        near = find_neighbours(
            vectors, min(requested, most), method="exact", metric=metric, queries=own
        )
        ids = near.ids.take(near.indices[0]).to_pylist()
        texts = _list_texts(vectors, near.indices[0])
        scored = list(zip(ids, near.scores[0].tolist(), texts, strict=True))
        papers = [
            similar
            for similar in _describe(store, scored, links)
            if not (only_uncited and (similar.cites or similar.cited_by))
        ]
        if len(papers) >= k or requested >= most:
            return SimilarPapers(name, _list_texts(vectors, own)[0], run, papers[:k], metric)
        requested *= 2  # some papers may have been removed from the graph


def _list_texts(vectors: Vectors, rows: np.ndarray) -> list[str]:
    """The encoded text of papers; empty for graph embeddings."""
    if "text" not in vectors.papers.column_names:
        return [""] * len(rows)
    texts: list[str] = vectors.papers["text"].take(pa.array(rows)).to_pylist()
    return texts


Links = dict[tuple[str, bool], float | None]
"""(other paper, whether it is the one cited) -> importance of the citation."""


def _describe(
    store: GraphStore, scored: list[tuple[str, float, str]], links: Links
) -> Iterator[SimilarPaper]:
    """The papers that are in the graph, in the given order."""
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
                notice=known[id_]["notice"],
                notice_year=known[id_]["notice_year"],
            )
