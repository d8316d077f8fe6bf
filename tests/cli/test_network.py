"""Output of `platform network build` and its group."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import get_args

import click
import numpy as np
import pyarrow as pa
import pytest

import citescape
from citescape.cli.main import find_command
from citescape.networks.citations import read_citations
from citescape.networks.config import COMMON, SETTINGS, KindName
from citescape.networks.kinds import KINDS
from citescape.runs.directory import RunRecord, open_run
from citescape.search.vectors import Vectors, write_vectors
from citescape.store.graph_store import open_store
from citescape.store.schema import REL
from citescape.store.state import NETWORK_RUN, read_meta
from citescape.store.statements import read_text
from tests.cli.conftest import GeneratedCorpus, Outcome, Platform


@pytest.fixture
def store_path(generated: GeneratedCorpus, tmp_path: Path) -> Path:
    """A copy of the store, and a run with random vectors of all its papers."""
    path = tmp_path / "own.lbug"
    shutil.copy(generated.store, path)
    with citescape.open(path, read_only=True) as corpus:
        ids = read_citations(corpus.store, weight="importance").ids
    values = np.random.default_rng(0).normal(size=(len(ids), 3)).astype(np.float32)
    with open_run(tmp_path / "runs", "embed-1") as directory:
        write_vectors(directory.path, Vectors(pa.table({"id": ids}), values))
        directory.complete(RunRecord("embed-1", "embed", {}, {}, started="2026"))
    return path


def related(path: Path) -> tuple[int, str | None]:
    """Number of edges in the graph and the run that wrote them."""
    store = open_store(str(path), read_only=True)
    try:
        return store.read(read_text(REL["RELATED"])).num_rows, read_meta(store, NETWORK_RUN)
    finally:
        store.close()


def test_a_network_is_built_and_stored(platform: Platform, store_path: Path) -> None:
    done = platform("network", "build", "coupling", "--store", store_path)
    assert done.status == 0, done.err
    figures = platform("network", "build", "coupling", "--store", store_path, "--json").json
    assert set(figures) == {
        "run", "kind", "path", "unchanged", "papers", "core", "edges", "isolated", "graph",
    }  # fmt: skip
    assert (figures["papers"], figures["core"], figures["graph"]) == (50, 50, None)
    assert figures["unchanged"] is True
    lines = done.out.splitlines()
    assert lines[0] == (
        f"coupling: {figures['edges']:,} edges between 50 papers, {figures['edges'] / 25:.2f} "
        f"per paper; {figures['isolated']} papers without edges"
    )
    assert lines[1].startswith(f"run {figures['run']} in {figures['path']} (")
    assert lines[2].endswith(f"network report {figures['run']} --store {store_path}")
    assert lines[3].endswith(f"cluster --network {figures['run']} --store {store_path}")
    again = platform("network", "build", "coupling", "--store", store_path).out
    assert "(unchanged)" in again
    assert related(store_path) == (0, None)


def test_the_counts_of_a_kind(platform: Platform, store_path: Path) -> None:
    output = platform("network", "build", "knn", "-k", 3, "--store", store_path).out
    figures = platform("network", "build", "knn", "-k", 3, "--store", store_path, "--json").json
    assert figures["edges"] == 50 * 3 - figures["reciprocal"] - figures["negative"]
    line = (
        f"3 nearest of each; {figures['reciprocal']} pairs are reciprocal; exact search, recall 1"
    )
    assert line in output
    outside = platform(
        "network", "build", "extended", "--min-links", 3, "--store", store_path, "--json"
    )
    output = platform("network", "build", "extended", "--min-links", 3, "--store", store_path).out
    assert outside.json["papers"] == 50 + outside.json["outside"] > 50
    assert f"{outside.json['outside']} papers outside the network link its papers" in output
    weighed = platform("network", "build", "importance", "--store", store_path, "--json").json
    unweighted = platform("network", "build", "citation", "--store", store_path, "--json").json
    assert weighed["citations"] + weighed["without_weight"] == unweighted["citations"] > 0
    assert unweighted["without_weight"] == 0


def test_every_kind_is_built(platform: Platform, store_path: Path) -> None:
    lacking = dict.fromkeys(("background", "method", "result"), "text intents label")
    for kind in KINDS:
        done = platform("network", "build", kind, "--top", 5, "--store", store_path)
        assert done.status == (kind in lacking), done.err
        assert lacking.get(kind, "") in done.err


def test_settings_reach_the_run(platform: Platform, store_path: Path) -> None:
    words = ("--normalise", "association", "--top", 2, "--papers", "all", "--store", store_path)
    done = platform("network", "build", "citation", *words, "--json").json
    record = (Path(done["path"]) / "run.json").read_text()
    assert '"normalise": "association"' in record
    assert '"top": 2' in record
    assert done["papers"] > 50
    words = ("--no-weighted", "--vectors", "embed-1", "--method", "exact", "--seed", 7)
    done = platform("network", "build", "knn", *words, "--store", store_path, "--json").json
    record = (Path(done["path"]) / "run.json").read_text()
    assert '"weighted": false' in record
    assert '"vectors": "embed-1"' in record
    assert '"seed": 7' in record


def test_edges_in_the_graph(platform: Platform, store_path: Path) -> None:
    first = platform("network", "build", "coupling", "--write", "--store", store_path)
    figures = platform(
        "network", "build", "coupling", "--write", "--store", store_path, "--json"
    ).json
    assert f"graph: {figures['edges']:,} edges written, 0 of earlier networks removed" in first.out
    assert f"cypher explore/related --param paper=PAPER --store {store_path}" in first.out
    assert figures["graph"] == {"inserted": 0, "removed": 0, "not_in_graph": 0}
    assert related(store_path) == (figures["edges"], figures["run"])
    other = platform("network", "build", "knn", "--write", "--store", store_path, "--json").json
    assert other["graph"]["removed"] == figures["edges"]
    assert related(store_path) == (other["edges"], other["run"])
    assert "RELATED" in platform("status", "--store", store_path).out


def test_edges_are_removed_from_the_graph(platform: Platform, store_path: Path) -> None:
    built = platform(
        "network", "build", "coupling", "--write", "--store", store_path, "--json"
    ).json
    with citescape.open(store_path) as corpus:
        assert corpus.network.remove().removed == built["edges"] > 0
    assert related(store_path) == (0, "")
    platform("network", "build", "coupling", "--write", "--store", store_path)
    done = platform("network", "remove", "--store", store_path)
    assert done.out == f"graph: {built['edges']:,} edges of networks removed\n"
    assert related(store_path) == (0, "")
    assert platform("network", "remove", "--store", store_path, "--json").json == {"removed": 0}
    assert platform("network", "build", "coupling", "--store", store_path, "--json").json[
        "unchanged"
    ]
    failed = platform("network", "remove", "--store", "absent.lbug")
    assert (failed.status, failed.out) == (1, "")
    assert "no store at absent.lbug" in failed.err


def test_options_that_do_not_apply_to_a_kind_are_refused(
    platform: Platform, store_path: Path
) -> None:
    for words, message in (
        (
            ("coupling", "-k", 3),
            "k does not apply to coupling; its settings are papers, years, normal",
        ),
        (("citation", "--no-weighted"), "weighted does not apply to citation"),
        (("knn", "--min-links", 3), "min_links does not apply to knn"),
        (("extended", "--vectors", "embed-1"), "vectors does not apply to extended"),
    ):
        failed = platform("network", "build", *words, "--store", store_path)
        assert (failed.status, failed.out) == (2, "")
        assert message in failed.err
    assert not list((store_path.parent / "runs").glob("network-*"))
    for kind, meant in KINDS.items():
        assert set(meant.known) <= set(SETTINGS)
        assert set(COMMON) <= set(meant.known), kind


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("bc",), 2, "'bc' is not one of 'knn', 'citation'"),
        (("coupling", "--store", "absent.lbug"), 1, "no store at absent.lbug"),
        (("method",), 1, "text intents label"),
        (("knn", "--vectors", "absent"), 1, "no run 'absent' in "),
        (("coupling", "--normalise", "cosine"), 2, "'cosine' is not one of"),
        (("coupling", "--top", "-1"), 2, "-1 is not in the range x>=0"),
        (("knn", "-k", "0"), 2, "0 is not in the range x>=1"),
        (("knn", "--recall", "0"), 2, "0.0 is not in the range 0<x<=1"),
        (("bm25", "--k1", "nan"), 2, "k1 is nan; expected 0 or more"),
        (("bm25", "--b", "2"), 2, "2.0 is not in the range 0<=x<=1"),
    ],
)
def test_error_messages_name_the_next_step(
    arguments: tuple[str, ...], status: int, message: str, platform: Platform, store_path: Path
) -> None:
    store = () if "--store" in arguments else ("--store", store_path)
    failed = platform("network", "build", *arguments, *store)
    assert (failed.status, failed.out) == (status, "")
    assert message in failed.err
    assert len(failed.err.strip().splitlines()) == 1
    assert not list((store_path.parent / "runs").glob("network-*"))


def run_successfully(platform: Platform, *words: str) -> Outcome:
    done = platform(*words)
    assert done.status == 0
    return done


def test_help_names_every_kind_and_command(platform: Platform) -> None:
    text = run_successfully(platform, "network", "build", "--help").out
    for kind in KINDS:
        assert f"\n    {kind} " in text
    for option in ("--papers", "--normalise", "--top", "--write", "--min-links"):
        assert option in text
    network = find_command("network")
    assert isinstance(network, click.Group)
    assert list(network.commands) == ["build", "report", "overlap", "nearest", "remove"]
    assert set(get_args(KindName)) == set(KINDS)
    for command in network.commands:
        assert command in run_successfully(platform, "network", "--help").out
        run_successfully(platform, "network", command, "--help")
