"""The Python interface: `citescape.open("corpus.lbug")` gives a `Corpus`.

The command line and the notebooks are thin over it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from citescape.core.config import DEFAULT_STORE, QUERY_SECONDS, make_store_folder
from citescape.core.errors import ConfigError
from citescape.core.progress import Progress, silent
from citescape.importance.components import PUBLISHED, split_names
from citescape.importance.explain import Explanation, explain
from citescape.importance.score import ScoreResult, Weights, score
from citescape.importance.titles import Encode
from citescape.ingest.ingest import IngestConfig, IngestProgress, IngestResult, ingest
from citescape.namespaces.evaluating import Evaluating
from citescape.namespaces.learning import Learning
from citescape.namespaces.mapping import Mapping
from citescape.namespaces.reading import Reading
from citescape.namespaces.recommending import Recommending
from citescape.papers.ask import ask
from citescape.papers.identify import find_paper
from citescape.store.graph_store import GraphStore, open_on_demand, open_store
from citescape.store.neo4j.address import check_location
from citescape.store.queries import query

if TYPE_CHECKING:
    import pandas
    import polars


@dataclass(frozen=True)
class Rows:
    """The rows of a query, as an Arrow table and in the forms other tools take."""

    arrow: pa.Table

    def to_pandas(self) -> pandas.DataFrame:
        """As a pandas data frame.

        Raises:
            ConfigError: pandas is not installed.
        """
        _require("pandas")
        frame: pandas.DataFrame = self.arrow.to_pandas()
        return frame

    def to_polars(self) -> polars.DataFrame:
        """As a polars data frame.

        Raises:
            ConfigError: polars is not installed.
        """
        _require("polars")
        import polars

        frame = polars.from_arrow(self.arrow)
        assert isinstance(frame, polars.DataFrame)
        return frame

    def to_dicts(self) -> list[dict[str, Any]]:
        """As a list of dictionaries, one a row."""
        rows: list[dict[str, Any]] = self.arrow.to_pylist()
        return rows

    def __len__(self) -> int:
        return int(self.arrow.num_rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.to_dicts())

    def _repr_html_(self) -> str | None:
        """What a notebook shows; without pandas it shows the plain form."""
        if find_spec("pandas") is None:
            return None
        html: str = self.to_pandas()._repr_html_()  # type: ignore[operator]
        return html


@dataclass(frozen=True)
class Neighbourhood:
    """Papers around one paper, and the citations that lead from it to them."""

    papers: Rows
    """`id`, `title`, `year`, `fulltext`, `hops` (distance from the centre, 0 for itself)."""
    citations: Rows
    """`citing`, `cited`, `importance`, `self`, `mentions`; not those between two papers that are
    both as far away as was asked for."""


class Corpus:
    """One citation graph and what can be done with it. A context manager."""

    def __init__(self, store: GraphStore) -> None:
        self.store = store

    def __enter__(self) -> Corpus:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Corpus({self.store.location!r})"

    def cypher(
        self, text: str, /, *, write: bool = False, timeout: float = QUERY_SECONDS, **params: object
    ) -> Rows:
        """Runs one statement, or a library query by its name (`explore/totals`).

        Values go in as parameters: ``cypher("MATCH (p:Paper {id: $id}) RETURN p.title", id=x)``.
        Where a library query takes a paper, any identifier of it will do:
        ``cypher("explore/contexts", paper="10.1000/abc")``.

        Args:
            text: the statement or the name.
            write: whether it may change the graph, and read or write files beside it.
            timeout: seconds after which it is stopped; 0 for no limit.
            params: values of its `$parameters`.

        Raises:
            ConfigError: a `$parameter` is missing or not used, or the statement does more than
                read the graph and `write` was not given.
            QueryTimeoutError: it took longer than `timeout`.
            StoreError: the engine refuses the statement.
        """
        named = "/" in text and " " not in text.strip()
        asked = query(text.strip()) if named else text
        return Rows(ask(self.store, asked, params, write=write, timeout=timeout))

    def ingest(
        self,
        *paths: str | Path,
        config: IngestConfig = IngestConfig(),
        progress: Callable[[IngestProgress], None] = lambda _: None,
    ) -> IngestResult:
        """Loads papers; those that are loaded already are skipped, corrected ones replaced.

        Args:
            paths: JATS files, folders, archives (.tar.gz, .tar.xz, .zip), or tables of papers and
                citations (CSV, ACL Anthology Network).
            config: `IngestConfig(workers=4, strict=True)`: processes that read, and whether the
                first document that cannot be read stops it; `data_set` names that of the tables,
                `replace` lets them take out papers of another file or most of their own.
            progress: told as documents are read, and as each later step begins.

        Raises:
            SourceError: a path does not exist, or a table is not what is needed, or lacks too
                much of what is loaded; with `strict`, any unreadable document.
            ConfigError: a format or a name of a data set that cannot be.
        """
        return ingest(self.store, [Path(p) for p in paths], config, progress=progress)

    def score(
        self,
        *,
        features: str | Iterable[str] = PUBLISHED,
        weights: Weights = "entropy",
        combined: str = "R",
        sections: str = "model",
        encode: Encode | None = None,
        runs: str | Path | None = None,
        progress: Progress = silent,
    ) -> ScoreResult:
        """Scores every citation and keeps the scores in the graph, as `platform score` does.

        Args:
            features: components of the score, `"I,R,D,S"` or a list: mentions in introduction (I),
                methods (M), results (R), discussion (D) and elsewhere (other), self-citation (S),
                title similarity (T).
            weights: `entropy`, `uniform`, or a weight for each: ``{"I": 0.5, "S": 0.5}``.
            combined: where mentions in "Results and Discussion" count: `R`, or `both`, half each.
            sections: whose types of sections count: `model`, those in the graph, a model's
                included, or `rules` alone.
            encode: titles to vectors, for T only.
            runs: folder of run directories; by default `runs` beside the store.
            progress: told the name of each stage as it begins.

        Raises:
            ConfigError: a choice that does not exist, or weights that are undefined here.
            StoreError: the store holds no citations.
        """
        return score(
            self.store,
            components=split_names(features),
            weights=weights,
            combined=combined,
            sections=sections,
            encode=encode,
            runs=Path(runs) if runs is not None else None,
            progress=progress,
        )

    def explain(self, citing: str, cited: str) -> Explanation:
        """Everything behind one citation's importance: terms, in-text citations, shared authors.

        Args:
            citing: the citing paper by any identifier: DOI, PMID, PMCID, id in the graph.
            cited: the cited paper, likewise.

        Raises:
            ConfigError: an unknown paper, or one that does not cite the other.
        """
        return explain(self.store, citing, cited)

    def neighbours(
        self, paper: str, hops: int = 1, *, min_importance: float = 0.0
    ) -> Neighbourhood:
        """Papers within some citations of one paper, in either direction.

        Args:
            paper: any identifier of it.
            hops: how many citations away at most, 1 or more.
            min_importance: follow only citations of at least this importance; 0 follows all,
                those not scored too.

        Raises:
            ConfigError: no such paper, or `hops` below 1.
        """
        if hops < 1:
            raise ConfigError(f"hops is {hops}; expected 1 or more")
        distance = {find_paper(self.store, paper).id: 0}
        frontier = list(distance)
        found: list[pa.Table] = []
        for hop in range(1, hops + 1):
            edges = self._edges(frontier, min_importance)
            found.append(edges)
            frontier = _new_ends(edges, distance)
            distance.update(dict.fromkeys(frontier, hop))
        return Neighbourhood(Rows(self._papers(distance)), Rows(_distinct(found)))

    @property
    def text(self) -> Reading:
        """What reads the text: section types, citation intents, the parts of abstracts."""
        return Reading(self.store)

    @property
    def learn(self) -> Learning:
        """What learns from citations: triplets, encoders, vectors, nearest papers."""
        return Learning(self.store)

    @property
    def map(self) -> Mapping:
        """What maps science: networks, communities, accuracy, topics, maps, exports."""
        return Mapping(self.store)

    @property
    def evaluate(self) -> Evaluating:
        """What measures encoders: benchmarks of this graph and published ones, pools, leakage."""
        return Evaluating(self.store)

    @cached_property
    def recommend(self) -> Recommending:
        """What answers a sentence, or a draft, with papers to cite; profiles stay in memory."""
        return Recommending(self.store)

    def close(self) -> None:
        """Releases the store."""
        self.store.close()

    def _edges(self, papers: list[str], least: float) -> pa.Table:
        return self.store.read(query("explore/edges"), papers=papers, least=least)

    def _papers(self, distance: dict[str, int]) -> pa.Table:
        papers = self.store.read(query("explore/papers"), papers=list(distance))
        hops = [distance[paper] for paper in papers["id"].to_pylist()]
        table = papers.append_column("hops", pa.array(hops, pa.int64()))
        return table.sort_by([("hops", "ascending"), ("id", "ascending")])


def open_corpus(location: str | Path = DEFAULT_STORE, *, read_only: bool = False) -> Corpus:
    """Opens the graph at a path (ladybug) or a `bolt://`/`neo4j://` address, creating it if new.

    Questions read only, on both engines. A file is locked for other processes that write from the
    first step on that writes to the graph.

    Raises:
        ConfigError: it looks like an address but is none, or an address holds a password.
        StoreError: locked, unreachable, unauthorised, or of another schema version.
    """
    location, problem = check_location(str(location))
    if problem:
        raise problem
    if read_only:
        return Corpus(open_store(location, read_only=True))
    make_store_folder(location)
    return Corpus(open_on_demand(location))


def _require(library: str) -> None:
    if find_spec(library) is None:
        raise ConfigError(
            f"{library} is not installed; expected it for this form of the rows: "
            f"`pip install {library}`, or take `.arrow` or `.to_dicts()`"
        )


def _new_ends(edges: pa.Table, known: Iterable[str]) -> list[str]:
    ends = {*edges["citing"].to_pylist(), *edges["cited"].to_pylist()}
    return sorted(ends.difference(known))


def _distinct(tables: list[pa.Table]) -> pa.Table:
    """Edges found from both ends, once each, the most important first."""
    table = pa.concat_tables(tables)
    names = table.column_names
    if table.num_rows:
        table = table.group_by(names).aggregate([]).select(names)
    order = [("importance", "descending"), ("citing", "ascending"), ("cited", "ascending")]
    return table.sort_by(order)
