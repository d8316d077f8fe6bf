"""Tasks in processes of this machine, and on a Ray cluster."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from citescape.core.errors import ConfigError, ServiceError, SourceError
from citescape.distributed.cluster import Cluster, open_cluster
from citescape.distributed.stages import Stages
from citescape.distributed.storage import Storage
from tests.distributed.rays import Raylets, start_raylets


def write_square(storage: Storage, output: str, number: int) -> None:
    """Writes a square."""
    storage.write(output, str(number**2).encode())


def refuse(storage: Storage, output: str, path: str) -> None:
    """Fails as a reader of sources may."""
    raise SourceError(path, "not-xml", "not XML")


def die_once(storage: Storage, output: str) -> None:
    """Ends its process the first time, as a worker does whose memory ran out."""
    if "died" not in storage.sizes():
        storage.write("died", b"")
        os._exit(1)
    storage.write(output, b"whole")


def try_often(storage: Storage, output: str) -> None:
    """Ends by itself after a minute, or when it is tried for the sixth time."""
    times = len(storage.sizes("tries"))
    storage.write(f"tries/{times}", b"")
    time.sleep(60 if times < 5 else 0)
    storage.write(output, b"late")


@pytest.fixture(scope="module")
def raylets() -> Iterator[Raylets]:
    """Two raylets on this machine."""
    with start_raylets(2) as started:
        yield started


@pytest.fixture(params=["one process", "two processes", "ray"])
def cluster(request: pytest.FixtureRequest) -> Iterator[Cluster]:
    """Every place for tasks."""
    if request.param == "ray":
        address = request.getfixturevalue("raylets").address
        with open_cluster(address) as opened:
            yield opened
    else:
        with open_cluster(workers=1 if request.param == "one process" else 2) as opened:
            yield opened


def test_tasks_write_what_is_missing(cluster: Cluster, tmp_path: Path) -> None:
    storage, shown = Storage(str(tmp_path)), list[str]()
    storage.write("squares/000003", b"kept")
    stages = Stages(storage, cluster, shown.append)
    stages.run("squaring", "squares", write_square, [(number,) for number in range(10)])
    found = {name: storage.read(name) for name in storage.sizes("squares")}
    expected = {f"squares/{n:06}": str(n**2).encode() for n in range(10)}
    assert found == {**expected, "squares/000003": b"kept"}
    assert (shown[0], shown[-1]) == ("squaring: 1 of 10", "squaring: 10 of 10")


def test_the_error_of_a_task_is_that_of_the_stage(cluster: Cluster, tmp_path: Path) -> None:
    stages = Stages(Storage(str(tmp_path)), cluster)
    with pytest.raises(SourceError, match=r"[ab]\.xml: not XML"):
        stages.run("reading", "read", refuse, [("a.xml",), ("b.xml",)])


def test_ray_runs_the_task_of_a_dead_worker_again(raylets: Raylets, tmp_path: Path) -> None:
    storage = Storage(str(tmp_path))
    with open_cluster(raylets.address) as cluster:
        Stages(storage, cluster).run("trying", "tried", die_once, [()])
    assert storage.read("tried/000000") == b"whole"


def test_a_task_that_takes_too_much_memory_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAY_memory_usage_threshold", "0.01")  # of the machine: less than is used
    with start_raylets(1) as without_memory, open_cluster(without_memory.address) as cluster:
        stages = Stages(Storage(str(tmp_path)), cluster)
        with pytest.raises(ServiceError, match=r"low on memory.* run the same command again"):
            stages.run("waiting", "waited", try_often, [()])


def test_an_address_without_a_cluster_is_refused() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{unused.getsockname()[1]}"
        with (
            pytest.raises(ServiceError, match=f"nothing answers at {address}: .*ray start --head"),
            open_cluster(address),
        ):
            pass


@pytest.mark.parametrize("address", ["somewhere", "ray://10.0.0.1:10001"])
def test_a_malformed_address_is_refused(address: str) -> None:
    with (
        pytest.raises(ConfigError, match="expected local, auto, or the address HOST:PORT"),
        open_cluster(address),
    ):
        pass
