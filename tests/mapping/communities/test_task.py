"""Networks to judge, and their names."""

from __future__ import annotations

from pathlib import Path

import pytest

from citescape.core.errors import ConfigError
from citescape.mapping.communities.task import find_networks
from citescape.networks.build import NetworkRun
from tests.mapping.communities.planted import keep_network, plant_network


@pytest.fixture
def three(tmp_path: Path) -> list[NetworkRun]:
    network = plant_network(inside=0.5, outside=0.1)
    kinds = [("coupling", 1), ("knn", 1), ("knn", 2)]
    return [keep_network(tmp_path, network, kind, number=n) for kind, n in kinds]


def runs(found: dict[str, NetworkRun]) -> dict[str, str]:
    return {name: network.run for name, network in found.items()}


def test_the_last_network_of_every_kind_is_the_default(
    three: list[NetworkRun], tmp_path: Path
) -> None:
    """With equal times the larger id is the last."""
    coupling, *knn = three
    last = max(network_run.run for network_run in knn)
    assert list(runs(find_networks(tmp_path)).items()) == [
        ("knn", last),
        ("coupling", coupling.run),
    ]


def test_networks_by_run_folder_and_kind(three: list[NetworkRun], tmp_path: Path) -> None:
    coupling, first, second = three
    found = find_networks(tmp_path, ["coupling", first.run, str(second.path)])
    digits = [run.run.removeprefix("network-") for run in (first, second)]
    assert runs(found) == {
        "coupling": coupling.run,
        f"knn {digits[0]}": first.run,
        f"knn {digits[1]}": second.run,
    }
    assert list(find_networks(tmp_path, [first.run])) == ["knn"]


def test_names_given_by_the_user(three: list[NetworkRun], tmp_path: Path) -> None:
    _, first, second = three
    found = find_networks(tmp_path, [f"{first.run}=SciNCL", f"{second.run}= SPECTER 2", "coupling"])
    assert list(found) == ["SciNCL", "SPECTER 2", "coupling"]
    assert list(find_networks(tmp_path, [f"{first.run}=SciNCL", second.run])) == ["SciNCL", "knn"]


def test_a_folder_name_may_contain_the_equals_sign(three: list[NetworkRun], tmp_path: Path) -> None:
    moved = three[0].path.rename(tmp_path / "a=b")
    assert runs(find_networks(tmp_path, [str(moved)])) == {"coupling": three[0].run}


@pytest.mark.parametrize(
    "named", [["knn", "knn"], ["knn=a", "coupling=a"], ["knn=b", "coupling=b"]]
)
def test_duplicate_names_are_refused(
    three: list[NetworkRun], tmp_path: Path, named: list[str]
) -> None:
    with pytest.raises(
        ConfigError, match=r"two networks have the name .*; expected distinct names"
    ):
        find_networks(tmp_path, named)


def test_missing_networks_are_refused(three: list[NetworkRun], tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no run 'absent'"):
        find_networks(tmp_path, ["knn", "absent"])
    with pytest.raises(ConfigError, match=r"platform network build KIND --store x\.lbug"):
        find_networks(tmp_path / "none", location="x.lbug")
