"""Output of `platform sample neighbourhood` and `platform sample facet`."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest

pytest.importorskip("torch")

import citescape
from citescape.runs.directory import read_run
from tests.cli.conftest import GeneratedCorpus, Platform

SAMPLERS = ("neighbourhood", "facet")
FACETS = ("background", "method", "result")
ROLES = ("anchor", "positive", "negative")
QUICK = ("--dimensions", 8, "--epochs", 2, "--holdout", 0, "--threads", 1)


@pytest.fixture(scope="module")
def embedded(generated: GeneratedCorpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store whose citations have intents, with embeddings of all and by facet."""
    folder = tmp_path_factory.mktemp("embedded")
    store = folder / "corpus.lbug"
    shutil.copy(generated.store, store)
    with citescape.open(store) as corpus:
        corpus.cypher(
            "MATCH ()-[c:CITES]->() "
            "SET c.n_background = 1, c.n_method = c.mentions % 2, c.n_result = c.mentions % 3",
            write=True,
        )
        for weight in ("none", *FACETS):
            corpus.train.graph(weight=weight, holdout=0, dimensions=8, epochs=2, threads=1)
    return folder


@pytest.fixture
def store_path(embedded: Path, tmp_path: Path) -> Path:
    """Copies of the store and of the runs to write to."""
    shutil.copytree(embedded, tmp_path / "own")
    return tmp_path / "own" / "corpus.lbug"


def test_shows_figures_and_the_next_command(platform: Platform, store_path: Path) -> None:
    done = platform("sample", "neighbourhood", "--store", store_path, "--json")
    assert done.status == 0, done.err
    assert set(done.json) == {"run", "path", "unchanged", "files", "leakage", "excluded"}
    figures = done.json["files"]["triplets.parquet"]
    table = pq.read_table(Path(done.json["path"]) / "triplets.parquet")
    assert figures["triplets"] == table.num_rows == 5 * figures["anchors"]
    assert figures["anchors"] == figures["left_out"]["queries"] == 50, "full texts cite"
    assert set(table["positive_rank"].to_pylist()) == set(range(21, 26))
    far = figures["left_out"]["far"]
    assert set(table["negative_rank"].to_pylist()) == {None, far - 1, far}
    again = platform("sample", "neighbourhood", "--store", store_path)
    assert f"{figures['triplets']:,} triplets of 50 anchors" in again.out
    (line,) = [line for line in again.out.splitlines() if line.startswith("rank of the last hard")]
    assert line.split()[-1] == f"{far:,}"
    assert "unchanged in " in again.out
    (command,) = [line for line in again.out.splitlines() if line.startswith("next: ")]
    words = shlex.split(command.partition("platform ")[2])
    assert words == ["train", "--triplets", done.json["run"], "--store", str(store_path)]


def test_strategies(platform: Platform, store_path: Path) -> None:
    where = ("--store", store_path, "--json")
    runs = set()
    for options in (
        ("--per-anchor", 3, "--hard", 1, "--near", 10, "--far", 60),
        ("--width", 20, "--far", 90, "--queries", "all"),
        ("--negatives", "threshold", "--far-threshold", 0.1, "--easy", "random"),
        ("--positives", "threshold", "--near-threshold", 0.5, "--easy", "sorted"),
        ("--positives", "threshold", "--near-threshold", 0.5, "--easy", "sorted", "--sample", 3),
        ("--easy", "clusters", "--contradictions", "drop"),
        ("--easy", "clusters", "--clusters", 4, "--cluster-distance", 0),
    ):
        done = platform("sample", "neighbourhood", *options, *where)
        assert done.status == 0, done.err
        runs.add(done.json["run"])
        table = pq.read_table(Path(done.json["path"]) / "triplets.parquet")
        for row in table.select(ROLES).to_pylist():
            assert len(set(row.values())) == 3
    assert len(runs) == 7
    config = read_run(Path(done.json["path"])).config
    assert (config["clusters"], config["cluster_distance"], config["sample"]) == (4, 0, 50)
    few = platform("sample", "neighbourhood", "--triplets", 12, *where)
    assert few.json["files"]["triplets.parquet"]["triplets"] == 12


def test_collisions_are_reported(platform: Platform, store_path: Path) -> None:
    done = platform("sample", "collisions", "--store", store_path, "--json")
    collisions = done.json["collisions"]
    assert [row["near"] for row in collisions] == [25] * len(collisions)
    assert collisions[0]["far"] == 25 + 2
    assert all(row["within"] == 0 for row in collisions)
    assert all(row["share"] == row["collisions"] / row["pairs"] for row in collisions)
    shown = platform("sample", "collisions", "--store", store_path)
    assert shown.out.splitlines()[0].split()[:4] == ["near", "far", "pairs", "collisions"]
    assert not list((store_path.parent / "runs").glob("sample-*")), "nothing is kept"


def test_each_facet_has_a_file(platform: Platform, store_path: Path) -> None:
    done = platform("sample", "facet", "--store", store_path, "--json")
    assert done.status == 0, done.err
    path = Path(done.json["path"])
    assert set(done.json["files"]) == {f"{facet}.parquet" for facet in FACETS}
    for facet in FACETS:
        table = pq.read_table(path / f"{facet}.parquet")
        assert table.num_rows == 10 * done.json["files"][f"{facet}.parquet"]["anchors"]
        vectors = pq.read_table(embedding(store_path, facet) / "papers.parquet")["id"].to_pylist()
        assert {id_ for role in ROLES for id_ in table[role].to_pylist()} <= set(vectors)
    shown = platform("sample", "facet", "--store", store_path).out
    for facet in FACETS:
        assert f"{facet}: {done.json['files'][f'{facet}.parquet']['triplets']:,} triplets" in shown


def embedding(store_path: Path, weight: str) -> Path:
    (run,) = [
        path
        for path in (store_path.parent / "runs").glob("graph-embed-*")
        if read_run(path).config["weight"] == weight
    ]
    return run


def test_embeddings_may_be_named(platform: Platform, store_path: Path) -> None:
    where = ("--store", store_path, "--json")
    whole, method = embedding(store_path, "none").name, embedding(store_path, "method").name
    default = platform("sample", "neighbourhood", *where).json["run"]
    assert platform("sample", "neighbourhood", "--embeddings", whole, *where).json["run"] == default
    other = platform("sample", "neighbourhood", "--embeddings", method, *where)
    assert other.json["run"] != default
    three = [
        word for f in FACETS for word in ("--embeddings", f"{f}={embedding(store_path, f).name}")
    ]
    named = platform("sample", "facet", *three, *where)
    assert named.json["run"] == platform("sample", "facet", *where).json["run"]
    wrong = platform("sample", "facet", "--embeddings", f"result={method}", "--store", store_path)
    assert wrong.status == 1
    assert "embeds citations weighted by method; expected result" in wrong.err


def test_excluded_papers_must_not_be_embedded(platform: Platform, store_path: Path) -> None:
    ids = pq.read_table(embedding(store_path, "none") / "papers.parquet")["id"].to_pylist()[:4]
    Path("test.txt").write_text("\n".join(ids))
    leaky = platform(
        "sample", "neighbourhood", "--held-out", "test.txt", "--store", store_path, "--json"
    )
    assert leaky.json["leakage"]["triplets.parquet"]["held_out"] == 4
    both = ("--exclude", "test.txt", "--held-out", "test.txt", "--store", store_path)
    refused = platform("sample", "neighbourhood", *both)
    assert refused.status == 1
    assert "contains 4 excluded papers" in refused.err
    assert "`platform train graph --exclude FILE`" in refused.err
    platform("train", "graph", *QUICK, "--exclude", "test.txt", "--store", store_path)
    clean = platform("sample", "neighbourhood", *both, "--json")
    assert clean.json["leakage"]["triplets.parquet"]["leaked"] == 0


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("neighbourhood", "--store", "absent.lbug"), 1, "no store at absent.lbug"),
        (("neighbourhood", "--far", "26"), 2, "near is 25 and far 26: the bands overlap"),
        (("neighbourhood", "--far", "90000"), 1, "far is 90000, but only "),
        (("neighbourhood", "--near", "4"), 2, "near is 4 and width 0; expected a band"),
        (
            ("neighbourhood", "--hard", "6"),
            2,
            "5 triplets per anchor (K), 6 hard negatives (H); expected",
        ),
        (("neighbourhood", "--embeddings", "absent"), 1, "no run 'absent' in "),
        (("neighbourhood", "--easy", "far"), 2, "'far' is not one of 'filtered', 'random'"),
        (("neighbourhood", "--near", "0"), 2, "0 is not in the range x>=1"),
        (("neighbourhood", "--sample", "0"), 2, "0 is not in the range x>=1"),
        (("neighbourhood", "--clusters", "1"), 2, "1 is not in the range x>=2"),
        (("neighbourhood", "--cluster-distance", "2"), 2, "2.0 is not in the range 0<=x<=1"),
        (("facet", "--embeddings", "absent"), 2, "--embeddings absent: expected NAME=VALUE"),
        (("facet", "--embeddings", "intent=x"), 2, "'intent'; expected one of: background, method"),
        (("facet", "--queries", "cited"), 2, "'cited' is not one of 'citing', 'all'"),
    ],
)
def test_error_messages_name_the_next_step(
    arguments: tuple[str, ...], status: int, message: str, platform: Platform, store_path: Path
) -> None:
    store = () if "--store" in arguments else ("--store", store_path)
    failed = platform("sample", *arguments, *store)
    assert (failed.status, failed.out) == (status, "")
    assert message in failed.err
    assert len(failed.err.strip().splitlines()) == 1


def test_missing_embeddings_name_their_command(
    platform: Platform, store_path: Path, tmp_path: Path
) -> None:
    where = ("--store", store_path, "--runs", tmp_path / "none")
    whole = platform("sample", "neighbourhood", *where)
    assert (whole.status, whole.out) == (1, "")
    assert f"train graph --store {store_path}" in whole.err
    facet = platform("sample", "facet", *where)
    assert "no embedding of the background facet" in facet.err
    assert f"train graph --weight background --store {store_path}" in facet.err


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_help(sampler: str, platform: Platform) -> None:
    shown = platform("sample", sampler, "--help")
    assert shown.status == 0
    for word in ("--near", "--far", "--easy", "--queries", "--exclude", "--embeddings"):
        assert word in shown.out
