"""Output of `platform evaluate accuracy`."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import citescape
from citescape.mapping.communities.criteria import CRITERIA, LABELS
from citescape.mapping.communities.steps import Accuracy
from citescape.networks.build import build
from citescape.networks.config import NetworkConfig
from citescape.runs.step import describe
from citescape.store.graph_store import open_store
from tests.cli.conftest import GeneratedCorpus, Outcome, Platform

QUICK = ("--seeds", 2, "--resolutions", 5, "--finest", 3)
KINDS = ("citation", "coupling", "co-citation")


@pytest.fixture(scope="module")
def store_path(generated: GeneratedCorpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of 50 generated papers, and three networks of them."""
    path = tmp_path_factory.mktemp("accuracy") / "own.lbug"
    shutil.copy(generated.store, path)
    store = open_store(str(path), read_only=True)
    for kind in KINDS:
        build(store, NetworkConfig(kind), runs=path.parent / "runs")
    store.close()
    return path


@pytest.fixture
def evaluate_accuracy(platform: Platform, store_path: Path) -> Platform:
    return lambda *arguments: platform("evaluate", "accuracy", *arguments, "--store", store_path)


def test_all_networks_are_judged_by_keywords(evaluate_accuracy: Platform, store_path: Path) -> None:
    done = evaluate_accuracy(*QUICK, "--json")
    assert done.status == 0, done.err
    result = done.json
    assert {"run", "path", "unchanged", "criterion", "lines", "marks", "notes"} <= set(result)
    assert (result["criterion"], result["unchanged"]) == ("keywords", False)
    names = [line["name"] for line in result["lines"]]
    assert sorted(names) == sorted([*KINDS, "keywords", "random"])
    compared = [line["relative"] for line in result["lines"] if line["relative"] is not None]
    assert sum(compared) / len(compared) == pytest.approx(1)
    files = {path.name for path in Path(result["path"]).iterdir()}
    assert {"accuracy.png", "accuracy.svg", "curves.parquet", "relative.parquet"} <= files
    _check_text(evaluate_accuracy(*QUICK), result, store_path)


def _check_text(shown: Outcome, result: dict[str, object], store_path: Path) -> None:
    lines = shown.out.splitlines()
    judged = f"{result['judged']} of {result['papers']} papers judged by keywords; "
    assert lines[0].startswith(judged)
    assert lines[1] == "5 resolutions, 2 seeds, mean ± deviation"
    for line in result["lines"]:  # type: ignore[attr-defined]
        (row,) = [text for text in lines if text.startswith(line["name"] + " ")]
        if line["relative"] is not None:
            assert f"{line['relative']:.3f} ± {line['spread']:.4f}" in row
        for value in line["accuracy"]:
            assert (f"{value:.4f}" if value is not None else "-") in row
    assert f"run {result['run']} in {result['path']} (unchanged)" in lines
    assert f"picture: {result['path']}/accuracy.png" in lines
    best = result["lines"][0]["name"]  # type: ignore[index]
    assert lines[-1].startswith(f"communities of {best}: platform cluster --network network-")
    assert lines[-1].endswith(f"--store {store_path}")


def test_selected_networks(evaluate_accuracy: Platform) -> None:
    done = evaluate_accuracy("coupling=BC", "citation=DC", "--criterion", "venue", *QUICK, "--json")
    assert done.status == 0, done.err
    assert {line["name"] for line in done.json["lines"]} == {"BC", "DC", "venue", "random"}


def test_labels_of_a_file(evaluate_accuracy: Platform, store_path: Path, tmp_path: Path) -> None:
    with citescape.open(store_path, read_only=True) as corpus:
        rows = corpus.cypher("MATCH (p:Paper) WHERE p.fulltext RETURN p.id AS id, p.year AS year")
    lines = [f"{row['id']},{row['year']}" for row in rows.arrow.to_pylist()]
    path = tmp_path / "years.csv"
    path.write_text("\n".join(["id,label", *lines, "10.1000/absent,1999"]) + "\n")
    done = evaluate_accuracy("citation", "coupling", "--labels", path, *QUICK)
    assert done.status == 0, done.err
    assert "papers judged by labels" in done.out
    assert "1 label of papers not in the store" in done.out


def test_one_network_and_one_seed(evaluate_accuracy: Platform) -> None:
    done = evaluate_accuracy("coupling", "--seeds", 1, "--resolutions", 5)
    assert done.status == 0, done.err
    assert "one seed, no deviation" in done.out
    assert "±" not in done.out
    assert "note: no relative accuracy: fewer than two networks" in done.out
    assert "platform cluster" not in done.out


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("absent",), 1, "no run 'absent' in "),
        (("knn",), 1, "no run 'knn' in "),
        (("citation", "citation"), 1, "two networks have the name 'citation"),
        (("citation=random",), 1, "a network has the name 'random' of a bound"),
        (
            ("--criterion", "subjects"),
            1,
            "50 have subjects given by journals, which relate no papers",
        ),
        (("--criterion", "topics"), 2, "'topics' is not one of 'mesh', 'keywords'"),
        (("--criterion", "mesh", "--labels", "x.csv"), 2, "two criteria; expected one of them"),
        (("--labels", "absent.csv"), 2, "absent.csv does not exist"),
        (("--labels", "x.csv"), 1, "expected a CSV file with an id and a label"),
        (("--seeds", "0"), 2, "0 is not in the range x>=1"),
        (("--resolutions", "1"), 2, "1 is not in the range x>=2"),
        (("--coarsest", "25"), 1, "papers are judged; expected more than 100"),
        (("--store", "absent.lbug"), 1, "no store at absent.lbug"),
    ],
)
def test_error_messages_name_the_next_step(
    arguments: tuple[str, ...], status: int, message: str, platform: Platform, store_path: Path
) -> None:
    Path("x.csv").write_text("paper,field\n1,2\n")
    before = sorted(path.name for path in (store_path.parent / "runs").iterdir())
    store = () if "--store" in arguments else ("--store", store_path)
    failed = platform("evaluate", "accuracy", *arguments, *store)
    assert (failed.status, failed.out) == (status, "")
    assert message in failed.err
    assert len(failed.err.strip().splitlines()) == 1
    assert sorted(path.name for path in (store_path.parent / "runs").iterdir()) == before


def test_missing_networks_name_the_command_that_builds_them(
    platform: Platform, store_path: Path, tmp_path: Path
) -> None:
    failed = platform("evaluate", "accuracy", "--store", store_path, "--runs", tmp_path / "none")
    assert failed.status == 1
    assert f"platform network build KIND --store {store_path}" in failed.err


def test_choices_equal_those_of_the_library() -> None:
    settings = {item.name: item for item in describe(Accuracy)}
    assert set(settings["criterion"].choices) == set(CRITERIA) - {LABELS}


def test_help(platform: Platform) -> None:
    shown = platform("evaluate", "accuracy", "--help")
    assert shown.status == 0
    words = (
        "--criterion",
        "--labels",
        "--seeds",
        "granularity",
        "Examples:",
        "independent of the networks",
    )
    assert all(word in shown.out for word in words)
