"""Output of `platform topics`."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import pyarrow as pa
import pytest

import citescape
from citescape.mapping.communities.clustering import ClusterRun
from citescape.mapping.communities.topic_table import SCHEMA
from citescape.store.schema import NODE
from citescape.store.statements import read_text
from tests.cli.conftest import GeneratedCorpus, Platform
from tests.mapping.communities.clusterings import keep_clustering, put_in_graph


@pytest.fixture
def store_path(generated: GeneratedCorpus, tmp_path: Path) -> Path:
    """A copy of the store to write to."""
    path = tmp_path / "own.lbug"
    shutil.copy(generated.store, path)
    return path


@pytest.fixture
def run(store_path: Path, tmp_path: Path) -> ClusterRun:
    """Two levels of communities: of ten papers and of five papers."""
    with citescape.open(store_path, read_only=True) as corpus:
        rows = corpus.cypher("MATCH (p:Paper) WHERE p.fulltext RETURN p.id AS id ORDER BY id")
    ids = rows.arrow["id"].to_pylist()
    levels = {f"l{size}": [ids[k : k + size] for k in range(0, len(ids), size)] for size in (10, 5)}
    return keep_clustering(tmp_path / "runs", levels)


def test_the_table(platform: Platform, store_path: Path, run: ClusterRun) -> None:
    done = platform("topics", "--store", store_path, "--json")
    assert done.status == 0, done.err
    result = done.json
    assert (result["clustering"], result["level"], result["graph"]) == (run.run, "l5", 0)
    assert result["curve"] is None
    shown = platform("topics", "--store", store_path)
    lines = shown.out.splitlines()
    assert lines[0] == f"{len(result['topics'])} topics of 50 papers: level l5 of {run.run}"
    header = ["topic", "label", "papers", "mean", "year", "importance", "main", "field", "DIV"]
    assert lines[2].split()[: len(header)] == header
    for row in result["topics"]:
        (line,) = [line for line in lines if line.startswith(f"{row['name']} ")]
        assert f"{row['mean_year']:.1f}" in line
        assert f"{row['importance']:.4f}" in line
        assert (row["label"] or "")[:30] in line
    assert any(line.startswith(f"run {result['run']} in ") for line in lines)
    assert lines[-1].endswith(f": platform topics --show NAME --store {store_path}")
    coarse = platform("topics", "--level", "l10", "--limit", 2, "--store", store_path)
    assert "and 3 smaller topics: use --limit or --save FILE" in coarse.out


def test_one_topic(platform: Platform, store_path: Path, run: ClusterRun) -> None:
    topic = platform("topics", "--store", store_path, "--json", "--show", "l5-1").json["topic"]
    with citescape.open(store_path, runs=run.path.parent) as corpus:
        assert corpus.topics(run, show="l5-1").summarise().figures["topic"] == topic
    assert set(topic) == set(SCHEMA.names)
    for named in ("l5-1", topic["label"].upper()):
        shown = platform("topics", "--show", named, "--store", store_path)
        assert shown.status == 0, shown.err
        assert shown.out.splitlines()[0] == f"l5-1: {topic['label']}"
        assert "5 papers, part of l10-0; mean year" in shown.out
        for term in topic["terms"]:
            assert term["term"] in shown.out
        for paper in topic["papers"]:
            assert paper["id"] in shown.out
        for year in topic["years"]:
            assert f"{year['year']}" in shown.out
        assert "█" in shown.out
    failed = platform("topics", "--show", "l5-99", "--store", store_path)
    assert failed.status == 1
    assert "no topic is named 'l5-99' in topics-" in failed.err
    assert "such as l5-" in failed.err


def test_csv(platform: Platform, store_path: Path, run: ClusterRun, tmp_path: Path) -> None:
    file = tmp_path / "topics.csv"
    result = platform(
        "topics", "--save", file, "--fields", "venue", "--store", store_path, "--json"
    ).json
    with file.open(encoding="utf-8", newline="") as opened:
        rows = list(csv.DictReader(opened))
    assert [row["name"] for row in rows] == [row["name"] for row in result["topics"]]
    assert [row["terms"].split("; ") for row in rows] == [row["terms"] for row in result["topics"]]
    assert [row["field"] for row in rows] == [row["field"] for row in result["topics"]]
    assert all(row["field"] for row in rows)


def test_csv_has_no_formulas(
    platform: Platform, store_path: Path, run: ClusterRun, tmp_path: Path
) -> None:
    lines = [f"{id_},=1+1" for id_ in run.read("l5").ids.to_pylist()]
    (tmp_path / "fields.csv").write_text("\n".join(["id,label", *lines]), encoding="utf-8")
    words = ("--fields", tmp_path / "fields.csv", "--save", tmp_path / "topics.csv")
    assert platform("topics", *words, "--store", store_path).status == 0
    with (tmp_path / "topics.csv").open(encoding="utf-8", newline="") as opened:
        assert {row["field"] for row in csv.DictReader(opened)} == {"'=1+1"}


def test_fields_of_a_file(
    platform: Platform, store_path: Path, run: ClusterRun, tmp_path: Path
) -> None:
    ids = run.read("l5").ids.to_pylist()
    file = tmp_path / "fields.csv"
    lines = [f"{id_},{'Soil' if k % 2 else 'Food; Law'}" for k, id_ in enumerate(ids)]
    file.write_text("\n".join(["id,label", *lines]) + "\n", encoding="utf-8")
    result = platform("topics", "--fields", file, "--store", store_path, "--json").json
    assert (result["fields"], result["without_field"]) == (3, 0)
    assert {row["field"] for row in result["topics"]} <= {"Soil", "Food"}
    assert result["labels_without_paper"] == 0
    file.write_text("\n".join(["id,label", *lines, "absent,Law"]) + "\n", encoding="utf-8")
    (run.path.parent / result["run"]).rename(tmp_path / "earlier")  # otherwise it is found again
    shown = platform("topics", "--fields", file, "--store", store_path)
    assert "1 label of papers not in the store" in shown.out.splitlines()


def test_topics_of_the_clustering_in_the_graph_are_written(
    platform: Platform, store_path: Path, run: ClusterRun
) -> None:
    with citescape.open(store_path) as corpus:
        put_in_graph(corpus.store, run)
    kept = platform("topics", "--no-write", "--store", store_path, "--json").json
    assert kept["graph"] == 0
    shown = platform("topics", "--store", store_path)
    assert "graph: 10 communities described" in shown.out
    with citescape.open(store_path, read_only=True) as corpus:
        held: pa.Table = corpus.store.read(read_text(NODE["Community"]))
    labels = {row["name"]: row["label"] for row in held.to_pylist()}
    assert {row["name"]: row["label"] for row in kept["topics"]} == {
        name: label for name, label in labels.items() if name.startswith("l5-")
    }


def test_choose_selects_the_level_by_reviews(
    platform: Platform, store_path: Path, run: ClusterRun
) -> None:
    failed = platform("topics", "--choose", "--least", 40, "--store", store_path)
    assert failed.status == 1
    assert "cite 40 or more of the 50 clustered papers; expected at least two" in failed.err
    topics = [run.read("l10").ids.to_pylist()[k : k + 10] for k in (0, 10)]
    with citescape.open(store_path) as corpus:
        for k, topic in enumerate(topics):
            statement = "MERGE (r:Paper {id: $id}) SET r.type = 'review-article'"
            corpus.cypher(statement, write=True, id=f"review{k}")
            link = (
                "MATCH (r:Paper {id: $id}), (p:Paper) WHERE p.id IN $cited "
                "CREATE (r)-[:CITES {importance: 0.5}]->(p)"
            )
            corpus.cypher(link, write=True, id=f"review{k}", cited=topic)
    done = platform("topics", "--choose", "--store", store_path, "--json")
    assert done.status == 0, done.err
    assert done.json["level"] == "l10"
    assert [row["level"] for row in done.json["curve"]] == ["l10", "l5"]
    assert done.json["curve"][0]["ari"] == 1
    shown = platform("topics", "--choose", "--store", store_path).out
    assert shown.startswith(
        "20 papers cited by exactly one of 2 reviews; 0 cited by several are excluded\n"
    )
    assert "note: l10 is the coarsest level: a coarser level may agree better" in shown


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("--store", "absent.lbug"), 1, "no store at absent.lbug"),
        (("--clustering", "absent"), 1, "no run 'absent' in "),
        (("--level", "l7"), 1, "has no level 'l7'; expected: l10, l5"),
        (("--vectors", "absent"), 1, "no run 'absent' in "),
        (("--fields", "mesh"), 2, "expected subjects, venue or an existing CSV file"),
        (("--fields", "own.lbug"), 1, "own.lbug: expected"),
        (("--choose", "--level", "l5"), 2, "both select a level; expected one of them"),
        (("--choose", "--least", "1"), 2, "1 is not in the range x>=2"),
        (("--top", "0"), 2, "0 is not in the range x>=1"),
        (("--save", "absent/topics.csv"), 1, "no folder absent"),
    ],
)
def test_error_messages_name_the_next_step(
    arguments: tuple[str, ...],
    status: int,
    message: str,
    platform: Platform,
    store_path: Path,
    run: ClusterRun,
) -> None:
    store = () if "--store" in arguments else ("--store", store_path)
    failed = platform("topics", *arguments, *store)
    assert (failed.status, failed.out) == (status, "")
    assert message in failed.err
    assert len(failed.err.strip().splitlines()) == 1


def test_a_clustering_is_needed_first(platform: Platform, store_path: Path, tmp_path: Path) -> None:
    failed = platform("topics", "--store", store_path, "--runs", tmp_path / "none")
    assert failed.status == 1
    assert f"create one with `platform cluster --store {store_path}`" in failed.err


def test_help(platform: Platform) -> None:
    shown = platform("topics", "--help")
    assert shown.status == 0
    assert all(word in shown.out for word in ("--choose", "--fields", "--show", "Examples:"))
