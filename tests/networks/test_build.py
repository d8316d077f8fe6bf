"""Networks in run directories: every kind by hand, ids, repeated runs, missing data."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from citescape.core.errors import ConfigError, SourceError, StoreError
from citescape.networks import build as building
from citescape.networks.build import NetworkRun, build, find_network
from citescape.networks.config import NetworkConfig
from citescape.networks.files import EDGES
from citescape.networks.kinds import KINDS
from citescape.networks.network import Network
from citescape.networks.normalise import normalise, prune
from citescape.store.graph_store import GraphStore
from citescape.store.state import IMPORTANCE_RUN, write_meta
from tests.importance.conftest import insert
from tests.networks.conftest import CORE, OUTSIDE, Edges, fill, listed

TIES = ("au", "bu", "cu", "cv", "dv", "az", "dz")
"""Between the core and works that link two papers of it or more."""
BY_HAND: dict[str, Edges] = {
    "citation": {"ab": 1, "ac": 1, "ad": 1, "bd": 1},
    "extended": dict.fromkeys(["ab", "ac", "ad", "bd", *TIES], 1.0),
    "co-citation": {"ab": 1, "ad": 1},
    "coupling": {"ab": 1, "ac": 1, "ad": 1, "bc": 2, "bd": 1, "cd": 2},
    "importance": {"ab": 0.5 + 0.25, "ad": 1.0, "bd": 0.75},
    "background": {"ac": 1},
    "method": {"ab": 2 + 1, "ad": 3},
    "result": {},
}
"""For the graph in conftest.py; `knn` is in test_nearest.py, `bm25` in test_text.py."""
ALONE = {
    "citation": "ef",
    "extended": "ef",
    "co-citation": "cef",
    "coupling": "ef",
    "importance": "cef",
    "background": "bdef",
    "method": "cef",
    "result": "abcdef",
}


def make(store: GraphStore, runs: Path, kind: str, **settings: Any) -> NetworkRun:
    return build(store, NetworkConfig(kind=kind, **settings), runs=runs)


def test_every_kind_by_hand(toy: GraphStore, runs: Path) -> None:
    assert set(BY_HAND) | {"knn", "bm25"} == set(KINDS)
    for kind, expected in BY_HAND.items():
        run = make(toy, runs, kind, normalise="none")
        network = run.read()
        assert listed(network) == dict(sorted(expected.items())), kind
        outside = "uvz" if kind == "extended" else ""
        assert network.ids.to_pylist() == [*CORE, *outside]
        alone = network.ids.take(np.flatnonzero(network.degrees == 0)).to_pylist()
        assert "".join(alone) == ALONE[kind]
        counts = {name: run.counts[name] for name in ("papers", "core", "edges", "isolated")}
        assert counts == {
            "papers": len(network), "core": 6, "edges": len(expected), "isolated": len(alone),
        }  # fmt: skip
        assert (run.kind, run.unchanged) == (kind, False)


def test_counts_of_a_kind(toy: GraphStore, runs: Path) -> None:
    """Two of six citations inside the core are mutual, and one has no importance."""
    counts = {kind: make(toy, runs, kind).counts for kind in ("citation", "importance", "extended")}
    figures = [(c.get("citations"), c.get("without_weight")) for c in counts.values()]
    assert figures == [(5, 0), (4, 1), (None, None)]
    assert counts["extended"]["outside"] == 3


def test_all_papers_as_the_core(toy: GraphStore, runs: Path) -> None:
    network = make(toy, runs, "citation", papers="all").read()
    assert network.ids.to_pylist() == sorted(CORE + OUTSIDE)
    assert network.edges == 14, "15 citations, of which two are mutual"
    extended = make(toy, runs, "extended", papers="all", normalise="none").read()
    assert listed(extended) == listed(network)


def test_a_facet_with_few_edges_suggests_all_papers(toy: GraphStore, runs: Path) -> None:
    for kind, papers, hint in (
        ("result", "fulltext", "only 0 of 6 papers have an edge; 1 result citations have an end"),
        ("result", "all", ""),
        ("method", "fulltext", ""),  # half of the papers have an edge
        ("background", "fulltext", ""),  # no other paper is cited for its background
        ("citation", "fulltext", ""),
    ):
        warning = str(make(toy, runs, kind, papers=papers).counts.get("warning", ""))
        assert warning.startswith(hint)
        assert bool(hint) == ("--papers all" in warning)


def test_a_run_records_its_inputs_and_settings(toy: GraphStore, runs: Path) -> None:
    run = make(toy, runs, "extended", min_links=3)
    assert run.path == runs / run.run
    assert {path.name for path in run.path.iterdir()} == {
        "edges.parquet", "papers.parquet", "run.json",
    }  # fmt: skip
    assert run.record.command == "network"
    assert run.record.config == {
        "kind": "extended", "papers": "fulltext", "years": "", "normalise": "fractional", "top": 0,
        "min_links": 3,
    }  # fmt: skip
    assert set(run.record.inputs) == {"citations", "core"}
    assert set(run.record.timings) == {"read", "build", "write"}
    assert "scipy" in run.record.versions
    assert make(toy, runs, "knn").record.seed == 0


def test_an_equal_network_is_not_built_twice(toy: GraphStore, runs: Path) -> None:
    for kind in ("citation", "knn"):
        first = make(toy, runs, kind, k=2)
        again = make(toy, runs, kind, k=2)
        assert (again.run, again.unchanged) == (first.run, True)
        assert listed(again.read()) == listed(first.read())
    assert len(list(runs.glob("network-*"))) == 2


def test_only_settings_of_the_kind_change_the_run(toy: GraphStore, runs: Path) -> None:
    first = make(toy, runs, "coupling", k=3, min_links=7)
    assert make(toy, runs, "coupling", k=9).run == first.run
    others = {
        make(toy, runs, "coupling", **settings).run
        for settings in ({"top": 1}, {"normalise": "none"}, {"papers": "all"})
    }
    assert len(others | {first.run}) == 4


def test_ids_of_runs_do_not_depend_on_the_order_of_rows(
    fresh_store: Callable[[], GraphStore], runs: Path, tmp_path: Path
) -> None:
    networks_ = {
        kind: make(fill(fresh_store()), runs, kind) for kind in ("knn", "coupling", "method")
    }
    turned = fill(fresh_store(), backwards=True)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "embed-1").symlink_to(runs / "embed-1")
    for kind, run in networks_.items():
        again = make(turned, tmp_path / "other", kind)
        assert (again.run, again.unchanged) == (run.run, False)
        for name in ("papers.parquet", "edges.parquet"):
            assert (again.path / name).read_bytes() == (run.path / name).read_bytes()


def test_other_papers_or_citations_change_the_run(toy: GraphStore, runs: Path) -> None:
    before = {kind: make(toy, runs, kind).run for kind in ("citation", "knn")}
    insert(toy, "Paper", [{"id": "g", "fulltext": True}])
    assert make(toy, runs, "knn").run != before["knn"], "g is in the network, alone"
    assert make(toy, runs, "citation").counts["isolated"] == 3
    insert(toy, "CITES", [{"from": "g", "to": "a"}])
    after = make(toy, runs, "citation")
    assert after.run != before["citation"]
    assert "ag" in listed(after.read())


def test_each_kind_has_a_default_normalisation(toy: GraphStore, runs: Path) -> None:
    ways = {"coupling": "fractional", "extended": "fractional", "citation": "none", "knn": "none"}
    for kind, method in ways.items():
        run = make(toy, runs, kind)
        assert run.record.config["normalise"] == method
        assert run.run == make(toy, runs, kind, normalise=method).run
        raw = make(toy, runs, kind, normalise="none").read()
        assert listed(run.read()) == pytest.approx(listed(normalise(raw, method)))


def test_weights_are_normalised_before_pruning(toy: GraphStore, runs: Path) -> None:
    raw = make(toy, runs, "importance").read()
    for method in ("fractional", "association"):
        result = make(toy, runs, "importance", normalise=method, top=1).read()
        assert listed(result) == listed(prune(normalise(raw, method), 1))


def test_pruning_by_shared_works_keeps_normalised_weights(toy: GraphStore, runs: Path) -> None:
    for kind, method in product(("coupling", "co-citation"), ("fractional", "association")):
        most = make(toy, runs, kind, normalise="none", top=1, papers="all").read()
        whole = listed(make(toy, runs, kind, normalise=method, papers="all").read())
        result = make(toy, runs, kind, normalise=method, top=1, papers="all").read()
        assert listed(result) == {pair: whole[pair] for pair in listed(most)}
        assert 0 < result.edges < len(whole)


def test_the_strongest_edges_by_hand(toy: GraphStore, runs: Path) -> None:
    """Works in common: ab, ac, ad 1; bc 2; bd 1; cd 2; so strengths are 3, 4, 5, 4 and 2m 16."""
    result = make(toy, runs, "coupling", top=1, normalise="association").read()
    expected = {"ab": 1 * 16 / (3 * 4), "bc": 2 * 16 / (4 * 5), "cd": 2 * 16 / (5 * 4)}
    assert listed(result) == pytest.approx(expected)


def test_networks_of_isolated_papers(store: GraphStore, tmp_path: Path) -> None:
    insert(store, "Paper", [{"id": name, "fulltext": name in "ab"} for name in "abuv"])
    insert(store, "CITES", [{"from": "a", "to": "u"}, {"from": "b", "to": "v"}])
    for kind in ("citation", "extended", "co-citation", "coupling"):
        for normalised in ("none", "fractional", "association"):
            run = make(store, tmp_path, kind, normalise=normalised, top=3)
            assert (run.counts["edges"], run.counts["isolated"]) == (0, 2)
            assert run.read().ids.to_pylist() == ["a", "b"]


def test_a_network_of_one_paper(store: GraphStore, tmp_path: Path) -> None:
    insert(store, "Paper", [{"id": "a", "fulltext": True}, {"id": "u", "fulltext": False}])
    insert(store, "CITES", [{"from": "a", "to": "u"}])
    for kind in ("citation", "extended", "co-citation", "coupling"):
        run = make(store, tmp_path, kind)
        assert (run.counts["papers"], run.counts["edges"]) == (1, 0)


def test_missing_data_of_a_kind_are_named(store: GraphStore, tmp_path: Path) -> None:
    insert(store, "Paper", [{"id": name, "fulltext": True} for name in "ab"])
    for kind in sorted(BY_HAND):
        with pytest.raises(StoreError, match=r"holds no citations; load papers with .*ingest PATH"):
            make(store, tmp_path, kind)
    insert(store, "CITES", [{"from": "a", "to": "b"}])
    with pytest.raises(StoreError, match=r"importance.*score"):
        make(store, tmp_path, "importance")
    for facet in ("background", "method", "result"):
        with pytest.raises(StoreError, match=rf"no n_{facet}; run .*text intents label"):
            make(store, tmp_path, facet)
    assert make(store, tmp_path, "citation").counts["edges"] == 1
    assert [path.name[:8] for path in tmp_path.glob("n*")] == ["network-"]


def test_outdated_importance_is_refused(toy: GraphStore, tmp_path: Path) -> None:
    write_meta(toy, IMPORTANCE_RUN, "")
    with pytest.raises(StoreError, match=r"lacks importance .* score"):
        make(toy, tmp_path, "importance")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"kind": "bc"}, "kind is 'bc'; expected one of: background, bm25, citation, co-citation"),
        ({"papers": "some"}, "papers is 'some'; expected one of: all, fulltext"),
        ({"normalise": "no"}, "normalise is 'no'; expected one of: association, fractional, none"),
        ({"top": -1}, "top is -1; expected 0 or more"),
        ({"k": 0}, "k is 0; expected 1 or more"),
        ({"min_links": 1}, "min_links is 1; expected 2 or more"),
        ({"k1": -0.1}, "k1 is -0.1; expected 0 or more"),
        ({"k1": np.nan}, "k1 is nan; expected 0 or more"),
        ({"k1": np.inf}, "k1 is inf; expected 0 or more"),
        ({"b": 1.5}, "b is 1.5; expected 0 to 1"),
        ({"b": np.nan}, "b is nan; expected 0 to 1"),
    ],
)
def test_invalid_settings_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        NetworkConfig(**settings)


def test_an_interrupted_build_leaves_no_files(
    toy: GraphStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = building.write_network

    def cut(folder: Path, network: Network) -> None:
        write(folder, network)
        (folder / EDGES).write_bytes(b"PAR1")
        raise KeyboardInterrupt

    monkeypatch.setattr(building, "write_network", cut)
    with pytest.raises(KeyboardInterrupt):
        make(toy, tmp_path / "runs", "coupling", normalise="none")
    assert list((tmp_path / "runs").iterdir()) == []
    monkeypatch.setattr(building, "write_network", write)
    whole = make(toy, tmp_path / "runs", "coupling", normalise="none")
    assert listed(whole.read()) == BY_HAND["coupling"]


def test_an_unwritable_runs_folder_is_refused_before_the_work(
    toy: GraphStore, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ConfigError, match=r"cannot write run directories in .*file"):
        make(toy, tmp_path / "file" / "runs", "coupling")


def test_networks_are_found_by_run_folder_and_kind(toy: GraphStore, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no network in .*; expected .*network build KIND"):
        find_network(tmp_path, location="x.lbug")
    first, second = make(toy, tmp_path, "citation"), make(toy, tmp_path, "coupling")
    for named, expected in (
        (first.run, first), (str(second.path), second), ("citation", first), ("coupling", second),
    ):  # fmt: skip
        result = find_network(tmp_path, named)
        assert (result.run, result.unchanged) == (expected.run, True)
    with pytest.raises(
        ConfigError, match=rf"no run 'knn' in .*: {second.run} \(coupling\), {first.run}"
    ):
        find_network(tmp_path, "knn")


def test_the_latest_network(toy: GraphStore, tmp_path: Path) -> None:
    """The latest network by the time in its record, also the latest of a kind."""
    for second, settings in enumerate([{"top": 0}, {"top": 2}, {"top": 1}]):
        run = make(toy, tmp_path, "coupling", **settings)
        record = run.path / "run.json"
        text = record.read_text().replace(run.record.started, f"2026-01-01T00:00:0{second}+00:00")
        record.write_text(text)
    assert find_network(tmp_path).run == find_network(tmp_path, "coupling").run == run.run


def test_a_run_of_another_command_is_refused(toy: GraphStore, runs: Path) -> None:
    with pytest.raises(
        ConfigError, match="embed-1 is a run of `platform embed`; expected a network"
    ):
        find_network(runs, "embed-1")


def test_a_damaged_network_is_reported(toy: GraphStore, tmp_path: Path) -> None:
    run = make(toy, tmp_path, "coupling")
    (run.path / EDGES).write_bytes(b"PAR1")
    with pytest.raises(SourceError, match="move the folder away and build the network again"):
        find_network(tmp_path, "coupling").read()
