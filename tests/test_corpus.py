"""`citescape.open(...)`: the Python interface, on both engines."""

from __future__ import annotations

import ast
import inspect
import math
import re
from collections import deque
from itertools import product
from pathlib import Path

import pandas
import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import citescape
from citescape.core.errors import CitescapeError, ConfigError, StoreError
from citescape.corpus import Corpus
from citescape.demo.jats_writer import write_corpus
from citescape.demo.world import generate_world
from citescape.explore.neighbourhood import CitationNeighbourhood
from citescape.networks.citations import read_citations
from citescape.runs.context import Context
from citescape.store.graph_store import Change, GraphStore
from citescape.store.queries import library
from citescape.store.schema import TABLE

Edge = tuple[str, str]
PAPERS = tuple(f"doi:10.1234/{letter}1" for letter in "abcdefg")
CITATIONS: dict[Edge, float | None] = {
    ("a", "b"): 0.9,
    ("b", "c"): 0.4,
    ("d", "b"): 0.1,
    ("c", "e"): 0.4,
    ("e", "a"): 0.2,
    ("e", "f"): None,
}
"""Importance by citing and cited paper; g cites nothing and is not cited."""


@pytest.fixture
def corpus(store: GraphStore) -> Corpus:
    """A corpus of seven papers and six citations."""
    name = "doi:10.1234/{}1".format
    load(store, {(name(a), name(b)): weight for (a, b), weight in CITATIONS.items()})
    return make_corpus(store)


def make_corpus(store: GraphStore, runs: Path = Path("runs")) -> Corpus:
    """A corpus on an open store."""
    context = Context(store.location, runs)
    context.use(store)
    return Corpus(context)


def load(store: GraphStore, citations: dict[Edge, float | None]) -> None:
    """Puts papers and scored citations into an empty store."""
    papers = [{"id": id_, "doi": id_[4:], "title": id_[-2].upper(), "year": 2020} for id_ in PAPERS]
    edges = [
        {"from": a, "to": b, "importance": weight, "self": 0, "mentions": 1}
        for (a, b), weight in citations.items()
    ]
    for name, rows in (("Paper", papers), ("CITES", edges)):
        schema = TABLE[name].arrow
        full = [{column: row.get(column) for column in schema.names} for row in rows]
        store.apply([Change("insert", name, pa.Table.from_pylist(full, schema))])


def walk(
    citations: dict[Edge, float | None], start: str, hops: int, least: float
) -> dict[str, int]:
    """Breadth first in both directions, in plain Python."""
    distance, queue = {start: 0}, deque([start])
    while queue:
        here = queue.popleft()
        if distance[here] == hops:
            continue
        for (a, b), weight in citations.items():
            if here in (a, b) and (least <= 0 or (weight is not None and weight >= least)):
                other = b if here == a else a
                if other not in distance:
                    distance[other] = distance[here] + 1
                    queue.append(other)
    return distance


def test_rows_in_every_format(corpus: Corpus) -> None:
    text = "MATCH (p:Paper) WHERE p.id < $before RETURN p.id AS id, p.year AS year ORDER BY id"
    rows = corpus.cypher(text, before="doi:10.1234/c1")
    expected = [{"id": "doi:10.1234/a1", "year": 2020}, {"id": "doi:10.1234/b1", "year": 2020}]
    assert rows.arrow.to_pylist() == expected
    assert isinstance(rows.to_pandas(), pandas.DataFrame)
    assert rows.to_pandas().to_dict("records") == expected
    assert isinstance(rows.to_polars(), polars.DataFrame)
    assert rows.to_polars().to_dicts() == expected
    assert rows.to_dicts() == list(rows) == expected
    assert len(rows) == 2
    assert "doi:10.1234/a1" in str(rows._repr_html_())


def test_library_queries_go_by_name(corpus: Corpus) -> None:
    assert corpus.cypher("explore/totals").to_dicts()[0]["papers"] == len(PAPERS)
    with pytest.raises(ConfigError, match="no library query is named 'explore/nothing'"):
        corpus.cypher("explore/nothing")
    with pytest.raises(ConfigError, match=r"explore/contexts needs parameter \$paper"):
        corpus.cypher("explore/contexts")


@pytest.mark.parametrize(
    ("change", "clause"),
    [
        ("MATCH (p:Paper) SET p.title = 'x'", "SET"),
        ("CREATE (:Keyword {id: 'k'})", "CREATE"),
        ("MATCH (p:Paper)/**/DETACH DELETE p", "DETACH"),
        ("RETURN 1 AS `set`; MATCH (p:Paper) DETACH DELETE p", "a second statement"),
    ],
)
def test_cypher_refuses_to_write_without_write(corpus: Corpus, change: str, clause: str) -> None:
    everything = "MATCH (p:Paper) RETURN p.id AS id, p.title AS title ORDER BY id"
    before = corpus.cypher(everything).to_dicts()
    with pytest.raises(ConfigError, match=rf"more than read \(found {clause}.*write=True"):
        corpus.cypher(change)
    assert corpus.cypher(everything).to_dicts() == before
    assert corpus.cypher("explore/totals").to_dicts()[0]["papers"] == len(PAPERS)


def test_cypher_writes_and_returns_rows_with_write(corpus: Corpus) -> None:
    change = "MATCH (p:Paper {id: $id}) SET p.title = $title RETURN p.title AS set"
    rows = corpus.cypher(change, write=True, id=PAPERS[0], title="new")
    assert rows.to_dicts() == [{"set": "new"}]
    text = "MATCH (p:Paper {id: $id}) RETURN p.title AS title"
    assert corpus.cypher(text, id=PAPERS[0]).to_dicts() == [{"title": "new"}]
    assert corpus.cypher("CREATE (:Keyword {id: 'k'})", write=True).arrow.num_columns == 0
    with pytest.raises(ConfigError, match="unknown parameter limt; the query takes: limit"):
        corpus.cypher("explore/most_cited", limt=3)


def test_formats_that_need_a_missing_library_name_it(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = corpus.cypher("RETURN 1 AS n")
    monkeypatch.setattr("citescape.core.extras.find_spec", lambda _: None)
    for take in (rows.to_pandas, rows.to_polars):
        with pytest.raises(ConfigError, match="not installed"):
            take()
    assert "<td" in rows._repr_html_()


def test_neighbours_equal_a_breadth_first_search(corpus: Corpus) -> None:
    for hops, least in product((1, 2, 3, 9), (0.0, 0.2, 0.4, 5.0)):
        check_neighbours(corpus, hops, least)


def check_neighbours(corpus: Corpus, hops: int, least: float) -> None:
    around = corpus.neighbours("10.1234/b1", hops=hops, min_importance=least)
    name = "doi:10.1234/{}1".format
    edges = {(name(a), name(b)): weight for (a, b), weight in CITATIONS.items()}
    expected = walk(edges, "doi:10.1234/b1", hops, least)
    assert read_hops(around) == expected, (hops, least)
    kept = {
        (a, b): weight
        for (a, b), weight in edges.items()
        if {a, b} <= expected.keys() and (least <= 0 or (weight is not None and weight >= least))
    }
    rows = around.citations.to_pylist()
    assert len(rows) == len(kept), (hops, least)
    assert {(row["citing"], row["cited"]): row["importance"] for row in rows} == kept, (hops, least)


def read_hops(around: CitationNeighbourhood) -> dict[str, int]:
    return dict(zip(*around.papers.select(["id", "hops"]).to_pydict().values(), strict=True))


def test_neighbours_of_random_graphs(tmp_path: Path) -> None:
    ends = st.tuples(st.sampled_from(PAPERS), st.sampled_from(PAPERS)).filter(lambda e: e[0] < e[1])
    weights = st.sampled_from((None, 0.0, 0.25, 0.5, 1.0))

    with citescape.open(tmp_path / "random.lbug", create=True) as corpus:

        @settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
        @given(
            st.dictionaries(ends, weights, min_size=1), st.integers(1, 4), st.sampled_from((0, 0.5))
        )
        def check(edges: dict[Edge, float | None], hops: int, least: float) -> None:
            corpus.store.run("MATCH (n) DETACH DELETE n")
            load(corpus.store, edges)
            around = corpus.neighbours(PAPERS[0], hops=hops, min_importance=least)
            assert read_hops(around) == walk(edges, PAPERS[0], hops, least)

        check()


def test_neighbours_refuse_invalid_arguments(corpus: Corpus) -> None:
    with pytest.raises(ConfigError, match="hops is 0; expected 1 or more"):
        corpus.neighbours("10.1234/b1", hops=0)
    with pytest.raises(ConfigError, match="no paper 'nobody'"):
        corpus.neighbours("nobody")
    alone = corpus.neighbours("10.1234/g1")
    assert alone.papers["id"].to_pylist() == ["doi:10.1234/g1"]
    assert len(alone.citations) == 0


def test_the_chain_from_files_to_an_explanation(store: GraphStore, tmp_path: Path) -> None:
    """Ingest, score, explain, and every library query for analysts."""
    write_corpus(generate_world(papers=50, seed=2), tmp_path / "papers")
    with make_corpus(store, tmp_path / "runs") as corpus:
        loaded = corpus.ingest(str(tmp_path / "papers"), workers=1)
        assert loaded.fulltext_papers == 50
        scored = corpus.score()
        best = corpus.cypher(
            "MATCH (a:Paper)-[c:CITES]->(b:Paper) RETURN a.id AS a, b.id AS b, "
            "c.importance AS score "
            "ORDER BY score DESC LIMIT 1"
        ).to_dicts()[0]
        result = corpus.explain(best["a"], best["b"])
        assert result.run == scored.run
        assert result.score == best["score"] == math.fsum(term.product for term in result.terms)
        answers = run_library(corpus, paper=best["b"])
        check_answers(corpus, answers)


def run_library(corpus: Corpus, *, paper: str) -> dict[str, list[dict[str, object]]]:
    """Results of every query in `cypher/explore`."""
    values = {"limit": 1000, "least": 0, "min_citing": 1, "paper": paper, "papers": [paper]}
    types = corpus.cypher("MATCH (p:Paper) RETURN DISTINCT coalesce(p.type, '') AS type").to_dicts()
    values |= {"level": "", "name": "micro-1", "notices": ["retracted"]}
    values |= {"earliest": 0, "latest": 9999, "country": "", "author": "nobody"}
    values["types"] = [row["type"] for row in types]
    return {
        name: corpus.cypher(name, **{p: values[p] for p in query.parameters}).to_dicts()
        for name, query in library().items()
        if name.startswith("explore/")
    }


def check_answers(corpus: Corpus, answers: dict[str, list[dict[str, object]]]) -> None:
    """Compares results with plain Python over all pairs and mentions."""
    pairs = corpus.cypher(
        "MATCH (a:Paper)-[c:CITES]->(b:Paper) RETURN a.id AS a, b.id AS b, a.year AS year, "
        "c.importance AS w, c.mentions AS m, c.self AS s, c.f_I AS i, c.f_R AS r, c.f_D AS d"
    ).to_dicts()
    cited = sorted({row["b"] for row in pairs})
    citing = {b: [row for row in pairs if row["b"] == b] for b in cited}
    for row in answers["explore/most_important"]:
        assert row["importance"] == pytest.approx(math.fsum(x["w"] for x in citing[row["id"]]))
    for row in answers["explore/most_cited"]:
        assert row["cited_by"] == len(citing[row["id"]])
        assert row["mentions"] == sum(x["m"] for x in citing[row["id"]])
    assert [row["id"] for row in answers["explore/most_cited"]][:5] == sorted(
        cited, key=lambda b: (-len(citing[b]), b)
    )[:5]
    for row in answers["explore/self_citation_rate"]:
        year = [x for x in pairs if x["year"] == row["year"]]
        assert row["rate"] == pytest.approx(sum(x["s"] for x in year) / len(year))
    late = {row["id"] for row in answers["explore/cited_in_results_not_introduction"]}
    assert late == {b for b in cited if not any(x["i"] for x in citing[b])}
    sections = answers["explore/importance_by_section"]
    assert sum(row["mentions"] for row in sections) == sum(x["m"] for x in pairs)
    assert {row["type"]: row["mentions"] for row in sections}["R"] == sum(x["r"] for x in pairs)
    assert all(row["journals"] > 1 for row in answers["explore/bridging"])
    assert {row["id"] for row in answers["explore/bridging"]} <= set(cited)
    assert answers["explore/contexts"]
    assert answers["explore/runs"][0]["command"] == "score"


def test_score_takes_features_as_the_command_line_does(corpus: Corpus, tmp_path: Path) -> None:
    """No citation of the toy corpus has a mention, so only uniform weights are defined."""
    corpus = make_corpus(corpus.store, tmp_path)
    for features in ("I, S", ("S", "I")):
        scored = corpus.score(features=features, weights="uniform")
        assert scored.config.components == ("I", "S")
    with pytest.raises(ConfigError, match="component is 'X'; expected one of"):
        corpus.score(features="X")


def test_open_accepts_paths_and_refuses_missing_stores(tmp_path: Path) -> None:
    with citescape.open(tmp_path / "new" / "folder" / "new.lbug", create=True) as corpus:
        assert "new.lbug" in repr(corpus)
    with pytest.raises(CitescapeError, match="no store at"):
        citescape.open(tmp_path / "absent.lbug", read_only=True)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        citescape.nonsense  # noqa: B018


@pytest.fixture(scope="module")
def demo_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A scored corpus of 50 papers, with an intent for every citation."""
    folder = tmp_path_factory.mktemp("learn")
    write_corpus(generate_world(papers=50, seed=4), folder / "papers")
    with citescape.open(folder / "corpus.lbug", create=True) as corpus:
        corpus.ingest(str(folder / "papers"), workers=1)
        corpus.score()
        facets = "c.n_background = 1, c.n_method = c.mentions % 2, c.n_result = c.mentions % 3"
        corpus.cypher(f"MATCH ()-[c:CITES]->() SET {facets}", write=True)
    return folder / "corpus.lbug"


def test_one_text_in_place_of_several_is_refused(corpus: Corpus) -> None:
    with pytest.raises(ConfigError, match="expected a list of texts"):
        corpus.encode("a title")


def test_learning_from_sampling_to_the_nearest_papers(demo_store: Path) -> None:
    """Each step finds the results of the previous step by the name of its run."""
    pytest.importorskip("torch")
    from tests.training.conftest import write_model

    base = str(write_model(demo_store.parent / "tiny"))
    with citescape.open(demo_store) as corpus:
        assert corpus.context.runs == demo_store.parent / "runs"
        sampled = corpus.sample.importance()
        assert sampled.run != corpus.sample.specter().run
        triplets = sampled.triplets()
        assert len(sampled.to_pandas()) == len(triplets.to_pandas()) == len(triplets)
        assert len(triplets) == sampled.files["triplets.parquet"]["triplets"]
        assert set(triplets.papers.to_pylist()) <= set(
            read_citations(corpus.store, weight="importance").ids.to_pylist()
        )
        quickly = {"tune": "adapter", "max_tokens": 24, "epochs": 1}
        trained = corpus.train(sampled, base=base, seeds=2, **quickly)
        first, second = trained
        assert set(trained.to_pandas()["run"]) == {first.run, second.run}
        assert (first.seed, second.seed) == (0, 1)
        whole = corpus.train.combine((first, second), triplets=sampled, step=0.5)
        assert whole.weights == (0.5, 0.5)
        weighted = corpus.train.combine((first.run, second.run), weights=(0.25, 0.75))
        assert weighted.weights == (0.25, 0.75)
        embedded = corpus.embed(whole)
        assert embedded.record.command == "embed"
        paper = embedded.vectors.ids[0].as_py()
        titles = corpus.cypher("MATCH (p:Paper {id: $id}) RETURN p.title, p.abstract", id=paper)
        (title, abstract) = titles.to_dicts()[0].values()
        encoded = corpus.encode([(title or "", abstract or "")], encoder=whole)
        assert encoded[0] == pytest.approx(embedded.vectors.values[0], abs=1e-4)
        near = corpus.similar(paper, k=3)
        own = pa.table({"id": embedded.vectors.ids, "vector": embedded.vectors.values.tolist()})
        pq.write_table(own, demo_store.parent / "own.parquet")
        same = corpus.similar(paper, k=3, vectors=demo_store.parent / "own.parquet")
        assert [p.id for p in same.papers] == [p.id for p in near.papers]
        assert len(near.papers) == 3
        again = corpus.similar(paper, k=3, vectors=embedded)
        assert [p.id for p in again.papers] == [p.id for p in near.papers]
        uncited = corpus.similar(paper, k=3, metric="l2", only_uncited=True).papers
        assert not any(first.cites or first.cited_by for first in uncited)
        assert [p.similarity for p in uncited] == sorted(p.similarity for p in uncited)[::-1]
        with pytest.raises(ConfigError, match="list in place of a run; expected its id"):
            corpus.embed([first, second])  # type: ignore[arg-type]
        with pytest.raises(ConfigError, match=f"{whole.run}, which was trained on papers of"):
            corpus.train.sweep(hards=(1,), seeds=1, epochs=1)
        untaught = corpus.embed(base, write=False)
        swept = corpus.train.sweep(hards=(1,), seeds=1, epochs=1, vectors=untaught)
        assert untaught.record.config["encoder"] == base
        assert "importance, H=1" in swept.summary["arm"].to_pylist()
        runs = {row["id"] for row in corpus.cypher("MATCH (r:Run) RETURN r.id AS id").to_dicts()}
        assert {sampled.run, first.run, whole.run, embedded.record.id, swept.run} <= runs


def test_learning_from_embedded_graphs(demo_store: Path, tmp_path: Path) -> None:
    """Neighbourhoods, facets, and papers that are excluded from both."""
    pytest.importorskip("torch")
    from citescape.core.types import FACETS
    from citescape.sampling.triplets import RANDOM, reason_code

    graph = {"holdout": 0, "dimensions": 8, "epochs": 2, "threads": 1}
    with citescape.open(demo_store) as corpus:
        for weight in ("none", *FACETS):
            corpus.train.graph(weight=weight, **graph)
        near = corpus.sample.neighbourhood(near=10, triplets=40)
        assert len(near.triplets()) == 40
        other = corpus.sample.neighbourhood(near=10, triplets=40, per_anchor=4)
        assert other.run != near.run
        facets = corpus.sample.facet()
        for facet in FACETS:
            reasons = facets.triplets(facet).negative_reason
            assert set(reasons.tolist()) == {RANDOM, reason_code("far neighbour")}
        with pytest.raises(ConfigError, match="the run holds background, method, result"):
            facets.triplets()
        held = corpus.cypher("MATCH (p:Paper) RETURN p.id AS id ORDER BY id LIMIT 3").to_dicts()
        names = tuple(row["id"] for row in held)
        with pytest.raises(ConfigError, match="3 excluded papers"):
            corpus.sample.neighbourhood(exclude=names)
        without = corpus.train.graph(**graph, exclude=names)
        apart = corpus.sample.neighbourhood(near=10, exclude=names, embeddings=without)
        assert not set(apart.triplets().papers.to_pylist()) & set(names)
        assert apart.excluded["triplets.parquet"].leaked == 0
        assert near.find_leaks(names)["triplets.parquet"].held_out == 3
        every = corpus.sample.neighbourhood(near=10, embeddings=without, queries="all")
        assert (
            every.files["triplets.parquet"]["anchors"] > apart.files["triplets.parquet"]["anchors"]
        )
        with pytest.raises(ConfigError, match="3 excluded papers"):
            corpus.sample.facet(exclude=names)
        (tmp_path / "held.txt").write_text(names[2])
        for listed in (names, (*names[:2], tmp_path / "held.txt")):
            papers = corpus.sample.importance(exclude=listed).triplets().papers.to_pylist()
            assert not set(papers) & set(names)


def test_labels_become_triplets_with_their_labels(demo_store: str) -> None:
    from citescape.runs.directory import read_run

    with citescape.open(demo_store) as corpus:
        rows = corpus.cypher("MATCH (p:Paper) WHERE p.title <> '' RETURN p.id AS id ORDER BY id")
        labels = {row["id"]: "ab"[k % 2] for k, row in enumerate(rows.to_dicts())}
        sampled = corpus.sample.labels(labels=labels)
        triplets = sampled.triplets()
    names = triplets.ids.to_pylist()
    for anchor, positive, negative in zip(
        triplets.anchor, triplets.positive, triplets.negative, strict=True
    ):
        assert labels[names[anchor]] == labels[names[positive]] != labels[names[negative]]
    assert "upper bound" in read_run(sampled.path).config["leaks"]


def test_types_of_settings_are_exported_by_the_package() -> None:
    """Types named in signatures are available from `citescape` and listed by `dir`."""
    named: set[str] = set()
    for home in (Corpus,):
        for _, method in inspect.getmembers(home, inspect.isfunction):
            notes = " ".join(map(str, method.__annotations__.values()))
            named |= set(re.findall(r"\b\w+Config\b|\bDrawing\b|\bWorkplace\b", notes))
    assert named <= set(dir(citescape))
    assert all(getattr(citescape, name).__name__ == name for name in named)
    assert {"open", "Corpus", "CitescapeError", "__version__"} <= set(dir(citescape))
    tree = ast.parse(Path(citescape.__file__).read_text())
    typed = {
        alias.name: node.module
        for block in tree.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    typed.pop("open_corpus")
    assert typed == citescape._HOMES, "what type checkers see is what there is"
    with pytest.raises(AttributeError, match="no attribute 'close'"):
        citescape.close  # noqa: B018


def test_a_read_only_corpus_stays_read_only_after_steps(
    demo_store: Path,
) -> None:
    with citescape.open(demo_store, read_only=True) as corpus:
        for _ in range(2):
            assert corpus.cypher("MATCH (p:Paper) RETURN count(p) AS n").to_dicts()[0]["n"] > 0
            with pytest.raises(StoreError):
                corpus.score()
            corpus.context.release()


def test_a_failed_ingest_creates_no_store_for_later_steps(tmp_path: Path) -> None:
    with citescape.open(tmp_path / "none.lbug") as corpus:
        with pytest.raises(CitescapeError):
            corpus.ingest(tmp_path / "absent")
        (tmp_path / "none.lbug").unlink(missing_ok=True)
        with pytest.raises(StoreError):
            corpus.status()
    assert not (tmp_path / "none.lbug").exists()
