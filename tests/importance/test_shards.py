"""Scores over shards are those of a store to the last bit, whatever the division."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citescape.core.errors import ConfigError, StoreError
from citescape.demo.jats_writer import write_corpus
from citescape.demo.world import generate_world
from citescape.distributed.cluster import Cluster, Task, open_cluster
from citescape.distributed.storage import Storage
from citescape.importance.components import COUNTED
from citescape.importance.config import Weighting
from citescape.importance.score import ScoreResult, score
from citescape.importance.shards import WORK, ShardScores, score_shards
from citescape.ingest.config import IngestConfig
from citescape.ingest.ingest import ingest
from citescape.ingest.shards.graph import MANIFEST, ShardedGraph, name_file
from citescape.ingest.shards.scores import FOLDER as SCORES
from citescape.runs.directory import read_run
from citescape.store.graph_store import Change, GraphStore, open_store
from citescape.store.schema import TABLE
from tests.copies import read_tables
from tests.importance.test_definition import reference_location, reference_shared
from tests.importance.test_in_database import WEIGHTS, figures
from tests.importance.test_score import Rows, snapshot, written
from tests.sharded import split_tables

Tables = dict[str, pa.Table]
COLUMNS = ("from", "to", "mentions", *COUNTED, "self", "importance", "run")
WEIGHTINGS = [
    Weighting(),
    Weighting(weights="uniform", features="I,M,R,D,other,S", combined="both"),
    Weighting(weights=WEIGHTS, features="I,M,R,D,other,S", sections="rules"),
    Weighting(preset="no-self", types=("all",)),
    Weighting(combined="both", sections="rules", types=("review", "editorial")),
]
MANY_GRAPHS = settings(
    max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphStore]:
    """A generated corpus with papers of several types, and sections that a model has typed."""
    folder = tmp_path_factory.mktemp("loaded")
    write_corpus(generate_world(papers=50, seed=5), folder / "corpus")
    store = open_store(str(folder / "demo.lbug"))
    ingest(store, [folder / "corpus"], IngestConfig(workers=1, strict=True))
    tables = read_tables(store)
    citing = tables["CITES"]["from"].unique().sort()
    types = pa.array([("review-article", "editorial", None)[k % 3] for k in range(len(citing))])
    sections = tables["Section"].filter(pc.equal(tables["Section"]["type"], "other"))["id"]
    typed = {"id": sections, "type": pa.repeat("D", len(sections))}
    combined = tables["Section"].filter(pc.equal(tables["Section"]["type"], "R"))["id"]
    store.apply(
        [
            Change("update", "Paper", pa.table({"id": citing, "type": types})),
            Change("update", "Section", pa.table({**typed, "type_run": typed["type"]})),
            Change(
                "update",
                "Section",
                pa.table({"id": combined, "combined": pa.repeat(True, len(combined))}),
            ),
        ]
    )
    yield store
    store.close()


@pytest.fixture(scope="module")
def tables(loaded: GraphStore) -> Tables:
    """All rows of the corpus, before it is scored."""
    return read_tables(loaded)


@pytest.fixture
def graph(tables: Tables, tmp_path: Path) -> ShardedGraph:
    """The corpus in three parts."""
    return split_tables(tables, tmp_path / "shards", 3)


@pytest.fixture
def here() -> Iterator[Cluster]:
    """Tasks run one after the other in this process."""
    with open_cluster(workers=1) as cluster:
        yield cluster


class StopsAfter:
    """A cluster whose driver is interrupted after a number of tasks."""

    def __init__(self, cluster: Cluster, tasks: int) -> None:
        self._cluster, self.left = cluster, tasks

    def run(
        self, function: Callable[..., None], tasks: Iterable[Task], *, on_gpu: bool = False
    ) -> Iterator[None]:
        for task in tasks:
            if not self.left:
                raise KeyboardInterrupt
            self.left -= 1
            yield from self._cluster.run(function, [task])


def read_scores(result: ShardScores) -> Rows:
    """The scores in the files of a run, by pair, as `written` reads those of a store."""
    files = sorted(Path(result.folder).glob("*.parquet"))
    rows = [row for file in files for row in pq.read_table(file).to_pylist()]
    pairs = {(row.pop("from"), row.pop("to")): row for row in rows}
    assert (len(files), len(pairs)) == (result.parts, len(rows))
    return pairs


def without_run(rows: Rows) -> Rows:
    names = (*COLUMNS[2:-1],)
    return {pair: {name: row[name] for name in names} for pair, row in rows.items()}


@pytest.mark.parametrize("config", WEIGHTINGS)
def test_scores_are_those_of_the_store_for_any_division(
    config: Weighting, loaded: GraphStore, tables: Tables, here: Cluster, tmp_path: Path
) -> None:
    expected = score(loaded, config, runs=tmp_path / "runs")
    results = []
    for parts in (1, 2, 7):
        graph = split_tables(tables, tmp_path / f"{parts}", parts, seed=parts)
        result = score_shards(graph, here, config, runs=tmp_path / f"runs{parts}")
        rows = read_scores(result)
        assert without_run(rows) == without_run(written(loaded))
        assert {row["run"] for row in rows.values()} == {result.run}
        assert figures(result) == figures(expected)
        results.append(result)
    assert expected.relabelled > 0
    assert expected.weighed < expected.pairs or "all" in config.types
    assert len({result.run for result in results}) == 1
    records = [read_run(result.path) for result in results]
    assert [record.inputs for record in records] == [records[0].inputs] * 3


def test_rows_are_in_the_order_of_citations(tables: Tables, here: Cluster, tmp_path: Path) -> None:
    graph = split_tables(tables, tmp_path / "shards", 2, seed=1)
    result = score_shards(graph, here, runs=tmp_path / "runs")
    for part in range(2):
        scores = pq.read_table(f"{result.folder}/{part:05}.parquet")
        assert scores.column_names == [*COLUMNS]
        cites = graph.read("CITES", part, ["from", "to"])
        assert cites.num_rows > 100
        assert scores.select(["from", "to"]).equals(cites)
    assert (Path(result.folder) / "run.json").read_bytes() == (
        result.path / "run.json"
    ).read_bytes()
    assert json.loads((tmp_path / "shards" / "scores.json").read_text())["run"] == result.run
    assert not (tmp_path / "shards" / WORK).exists()


def test_other_features_and_other_types_give_other_runs(
    tables: Tables, here: Cluster, tmp_path: Path
) -> None:
    cites, wrote = tables["CITES"], tables["WROTE"]
    runs = set()
    for name, changed in {
        "all": {},
        "less": {"CITES": cites.slice(1)},
        "alone": {"WROTE": wrote.slice(0, 0)},
        "unmentioned": {"REFERS_TO": tables["REFERS_TO"].slice(5)},
        "untyped": {"Paper": untype(tables["Paper"])},
    }.items():
        graph = split_tables({**tables, **changed}, tmp_path / name, 2)
        runs.add(score_shards(graph, here, runs=tmp_path / "runs").run)
    assert len(runs) == 5


def untype(papers: pa.Table) -> pa.Table:
    place = papers.schema.get_field_index("type")
    return papers.set_column(place, "type", pa.nulls(len(papers), pa.string()))


def test_weights_of_a_reference_run_of_a_store(
    loaded: GraphStore, graph: ShardedGraph, here: Cluster, tmp_path: Path
) -> None:
    reference = score(loaded, runs=tmp_path / "runs")
    config = Weighting(weights=f"from:{reference.run}")
    result = score_shards(graph, here, config, runs=tmp_path / "runs")
    assert [row.weight for row in result.statistics] == [row.weight for row in reference.statistics]
    assert without_run(read_scores(result)) == without_run(written(loaded))
    assert score_shards(graph, here, config, runs=tmp_path / "runs").unchanged
    back = score(loaded, Weighting(weights=f"from:{result.run}"), runs=tmp_path / "runs")
    assert back.statistics == reference.statistics


def test_a_second_run_computes_nothing(graph: ShardedGraph, here: Cluster, tmp_path: Path) -> None:
    first = score_shards(graph, here, runs=tmp_path / "runs")
    before = snapshot(tmp_path)
    again = score_shards(graph, StopsAfter(here, 0), runs=tmp_path / "runs")
    assert (again.run, again.written, again.unchanged) == (first.run, 0, True)
    assert (figures(again), snapshot(tmp_path)) == (figures(first), before)
    moved = score_shards(graph, StopsAfter(here, 0), runs=tmp_path / "other")
    assert read_run(moved.path) == read_run(first.path)
    assert not moved.unchanged


def test_work_goes_on_after_an_interruption_of_any_task(
    graph: ShardedGraph, tables: Tables, here: Cluster, tmp_path: Path
) -> None:
    """Each attempt runs one task, and the files of earlier ones are not written again."""
    folder, interrupted = tmp_path / "shards", 0
    whole = split_tables(tables, tmp_path / "whole", 3)
    expected = score_shards(whole, here, runs=tmp_path / "runs")
    before = snapshot(folder)
    while True:
        cluster = StopsAfter(here, 1)
        try:
            result = score_shards(graph, cluster, runs=tmp_path / "runs")
            break
        except KeyboardInterrupt:
            interrupted += 1
        after = snapshot(folder)
        assert not (folder / "scores.json").exists()
        assert before.items() <= after.items()
        assert cluster.left == 0
        before = after
    assert interrupted == 4 * 3 - 1
    assert read_scores(result) == read_scores(expected)
    assert not (folder / WORK).exists()


def test_an_error_in_a_task_leaves_what_is_done(
    graph: ShardedGraph, here: Cluster, tmp_path: Path
) -> None:
    """A file of each stage that reads the graph is missing for a while."""
    folder = tmp_path / "shards"
    for table in ("WROTE", "REFERS_TO"):
        file = folder / name_file(table, 1)
        file.rename(tmp_path / "away")
        with pytest.raises(StoreError, match=f"{table}/00001.parquet is missing"):
            score_shards(graph, here, runs=tmp_path / "runs")
        (tmp_path / "away").rename(file)
        assert not [*folder.glob("scores*"), *(tmp_path / "runs").iterdir()]
        before = snapshot(folder / WORK)
        assert before
        with pytest.raises(KeyboardInterrupt):
            score_shards(graph, StopsAfter(here, 1), runs=tmp_path / "runs")
        assert before.items() < snapshot(folder / WORK).items()
    assert len(read_scores(score_shards(graph, here, runs=tmp_path / "runs"))) == graph.count(
        "CITES"
    )


def test_scores_stay_until_others_are_complete(
    graph: ShardedGraph, here: Cluster, tmp_path: Path
) -> None:
    first = score_shards(graph, here, runs=tmp_path / "runs")
    before, uniform = snapshot(tmp_path / "shards"), Weighting(weights="uniform")
    with pytest.raises(KeyboardInterrupt):
        score_shards(graph, StopsAfter(here, 4 * 3 - 1), uniform, runs=tmp_path / "runs")
    assert before.items() < snapshot(tmp_path / "shards").items()
    assert score_shards(graph, StopsAfter(here, 0), runs=tmp_path / "runs").unchanged
    second = score_shards(graph, here, uniform, runs=tmp_path / "runs")
    assert second.run != first.run
    assert [path.name for path in (tmp_path / "shards" / SCORES).iterdir()] == [second.run]
    assert {path.name for path in (tmp_path / "runs").iterdir()} == {first.run, second.run}


def test_counts_are_kept_when_weights_are_undefined(
    tables: Tables, here: Cluster, tmp_path: Path
) -> None:
    """No paper has an author, so that self-citation does not vary; other weights are defined."""
    graph = split_tables({**tables, "WROTE": tables["WROTE"].slice(0, 0)}, tmp_path / "shards", 2)
    with pytest.raises(ConfigError, match="entropy weights are undefined"):
        score_shards(graph, here, Weighting(features="S"), runs=tmp_path / "runs")
    assert not [*(tmp_path / "shards").glob("scores*"), *(tmp_path / "runs").iterdir()]
    uniform = Weighting(features="S", weights="uniform")
    result = score_shards(graph, StopsAfter(here, 2), uniform, runs=tmp_path / "runs")
    assert {row["importance"] for row in read_scores(result).values()} == {0.0}


@pytest.mark.parametrize("tasks", [4 * 3 - 1, 4 * 3])
def test_files_of_another_division_are_not_used(
    tasks: int, graph: ShardedGraph, tables: Tables, here: Cluster, tmp_path: Path
) -> None:
    """The sources are ingested again into two parts, after three were scored, or nearly so."""
    folder = tmp_path / "shards"
    interrupted = False
    try:
        first = score_shards(graph, StopsAfter(here, tasks), runs=tmp_path / "runs")
    except KeyboardInterrupt:
        interrupted = True
    assert interrupted == (tasks < 4 * 3)
    shutil.rmtree(folder / "graph")
    again = split_tables(tables, folder, 2)
    result = score_shards(again, here, runs=tmp_path / "runs")
    assert len(read_scores(result)) == again.count("CITES")
    assert result.parts == 2
    assert interrupted or result.run == first.run


def test_a_damaged_file_of_scores_is_written_again(
    graph: ShardedGraph, here: Cluster, tmp_path: Path
) -> None:
    result = score_shards(graph, here, runs=tmp_path / "runs")
    expected = read_scores(result)
    for name in (f"{SCORES}/{result.run}/00001.parquet", "scores.json"):
        (tmp_path / "shards" / name).write_text("{}")
        again = score_shards(graph, here, runs=tmp_path / "runs")
        assert (again.unchanged, read_scores(again)) == (False, expected)


class Recorder:
    """Takes rows as a store does."""

    def __init__(self) -> None:
        self.tables = {name: table.arrow.empty_table() for name, table in TABLE.items()}

    def apply(self, changes: Iterable[Change]) -> None:
        self.tables |= {change.table: change.rows for change in changes}


@MANY_GRAPHS
@given(data=st.data(), parts=st.integers(1, 5))
def test_a_random_graph_equals_plain_python(
    data: st.DataObject,
    parts: int,
    small_graphs: Any,
    load: Any,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    random, folder = data.draw(small_graphs), tmp_path_factory.mktemp("random")
    weights = {"I": 0.5, "R": 1.25, "D": 3.0, "other": 0.0625, "S": 2.0}  # sums are exact
    tables = load(Recorder(), random).tables
    with open_cluster(workers=1) as here:
        graph = split_tables(tables, folder / "shards", parts, seed=parts)
        config = Weighting(weights=weights, features=(*weights,), combined="both")
        result = score_shards(graph, here, config, runs=folder / "runs")
    counts, shared = reference_location(random), reference_shared(random)
    expected = {}
    for pair, row in counts.items():
        joined = Fraction(row.pop("f_combined"), 2)
        own = {**row, "self": int(pair in shared)}
        terms = {"I": row["f_I"], "R": row["f_R"] - joined, "D": row["f_D"] + joined}
        terms |= {"other": row["f_other"], "S": own["self"]}
        importance = sum(Fraction(weights[name]) * value for name, value in terms.items())
        expected[pair] = {**own, "importance": float(importance)}
    assert without_run(read_scores(result)) == expected
    totals = Counter[str]()
    for row in counts.values():
        totals.update(row)
    assert result.mentions == {n: totals[f"f_{n}"] for n in ("I", "M", "R", "D", "other")}


def test_processes_give_the_same(graph: ShardedGraph, here: Cluster, tmp_path: Path) -> None:
    with open_cluster(workers=2) as cluster:
        result = score_shards(graph, cluster, runs=tmp_path / "runs")
    rows = read_scores(result)
    (tmp_path / "shards" / "scores.json").unlink()
    again = score_shards(graph, here, runs=tmp_path / "runs")
    assert (again.run, read_scores(again)) == (result.run, rows)


def test_a_ray_cluster_gives_the_same(graph: ShardedGraph, here: Cluster, tmp_path: Path) -> None:
    pytest.importorskip("ray")
    from ray.cluster_utils import Cluster as RayTestCluster

    head = RayTestCluster(initialize_head=True, head_node_args={"num_cpus": 2})
    try:
        with open_cluster(head.address) as cluster:
            result = score_shards(graph, cluster, runs=tmp_path / "runs")
            rows = read_scores(result)
            file = tmp_path / "shards" / name_file("WROTE", 1)
            (tmp_path / "shards" / "scores.json").unlink()
            file.unlink()
            with pytest.raises(StoreError, match=r"WROTE/00001\.parquet is missing"):
                score_shards(graph, cluster, runs=tmp_path / "runs")
    finally:
        head.shutdown()
    assert {row["run"] for row in rows.values()} == {result.run}
    assert len(rows) == graph.count("CITES")


@pytest.mark.parametrize(
    ("config", "error", "message"),
    [
        (Weighting(features="I,T"), ConfigError, "T, the similarity of titles, cannot"),
        (Weighting(weights="learned:x"), ConfigError, "learned importance cannot"),
        (Weighting(weights="from:x"), ConfigError, "no run 'x'"),
        (Weighting(types=("poem",)), ConfigError, "no paper has the type 'poem'"),
        (Weighting(types=("data-paper", "research-article")), ConfigError, "no paper has the type"),
    ],
)
def test_settings_without_meaning(
    config: Weighting,
    error: type[Exception],
    message: str,
    graph: ShardedGraph,
    here: Cluster,
    tmp_path: Path,
) -> None:
    with pytest.raises(error, match=message):
        score_shards(graph, here, config, runs=tmp_path / "runs")
    assert not [*(tmp_path / "shards").glob("scores*")]


def test_graphs_without_a_score(tables: Tables, here: Cluster, tmp_path: Path) -> None:
    def scored(name: str, **changed: pa.Table) -> ScoreResult:
        graph = split_tables({**tables, **changed}, tmp_path / name, 2)
        return score_shards(graph, here, Weighting(), runs=tmp_path / "runs")

    with pytest.raises(StoreError, match="no citation pairs"):
        scored("pairs", CITES=tables["CITES"].slice(0, 0))
    papers = tables["Paper"]
    place = papers.schema.get_field_index("loader")
    from_tables = papers.set_column(place, "loader", pa.repeat("openalex-1", len(papers)))
    no_mentions = tables["REFERS_TO"].slice(0, 0)
    with pytest.raises(StoreError, match="none in a text, since papers came from tables"):
        scored("tables", Paper=from_tables, REFERS_TO=no_mentions)
    assert scored("silent", REFERS_TO=no_mentions).unmentioned == len(tables["CITES"])
    with pytest.raises(StoreError, match=r"1 of .* listed more than once"):
        scored("twice", CITES=pa.concat_tables([tables["CITES"], tables["CITES"].slice(0, 1)]))


def test_citations_of_papers_of_another_part(
    graph: ShardedGraph, here: Cluster, tmp_path: Path
) -> None:
    one, other = (name_file("CITES", part) for part in (0, 1))
    first, second = (tmp_path / "shards" / name for name in (one, other))
    first.rename(tmp_path / "kept")
    second.rename(first)
    (tmp_path / "kept").rename(second)
    rows = {**graph.rows, one: graph.rows[other], other: graph.rows[one]}
    graph = replace(graph, rows=rows)
    with pytest.raises(StoreError, match="citations of papers that are not in this part"):
        score_shards(graph, here, runs=tmp_path / "runs")


def test_damaged_graphs(graph: ShardedGraph, here: Cluster, tmp_path: Path) -> None:
    folder = tmp_path / "shards"
    file = folder / name_file("CITES", 1)
    data = file.read_bytes()
    file.write_bytes(data[:-200] + bytes(200))
    with pytest.raises(StoreError, match=r"CITES/00001\.parquet is damaged"):
        score_shards(ShardedGraph.open(graph.storage), here, runs=tmp_path / "runs")
    file.write_bytes(data[:-200])
    with pytest.raises(StoreError, match="differs in size"):
        ShardedGraph.open(graph.storage)
    file.unlink()
    with pytest.raises(StoreError, match=r"lacks graph/CITES/00001\.parquet"):
        ShardedGraph.open(graph.storage)
    for text in ("{", "[]", '{"schema": 9}', '{"files": 1}'):
        (folder / MANIFEST).write_text(text)
        with pytest.raises(StoreError, match=r"graph.json is damaged"):
            ShardedGraph.open(graph.storage)
    (folder / MANIFEST).unlink()
    with pytest.raises(StoreError, match="no complete graph of shards"):
        ShardedGraph.open(Storage(str(folder)))
