"""Where tasks run: in processes of this machine, or on a Ray cluster.

Ray schedules tasks, and starts those of a lost machine again. A task writes its result into files,
each whole or absent, so that it may run twice.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Protocol

from citescape import __version__
from citescape.core.cores import usable_cores
from citescape.core.errors import CitescapeError, ConfigError, ServiceError
from citescape.core.extras import require
from citescape.distributed.workers import WorkerPool

LOCAL = "local"
_PATIENCE = 10.0
"""Seconds until an address that does not answer is given up."""
_AHEAD = 2
"""Tasks that wait at the cluster for each core: enough to keep it busy."""

Task = tuple[Any, ...]


class Cluster(Protocol):
    """Runs tasks."""

    def run(
        self, function: Callable[..., None], tasks: Iterable[Task], *, on_gpu: bool = False
    ) -> Iterator[None]:
        """Runs a function for each tuple of arguments; yields as tasks end.

        Args:
            function: other processes can import it.
            tasks: arguments of each task.
            on_gpu: whether each task takes a GPU, where the cluster has some.

        Raises:
            CitescapeError: the error of a task, or a process died again and again.
        """
        ...


Call = tuple[str, Callable[..., None], Task]
"""Release of citescape that sends a task, its function and arguments."""


def _call(work: Call) -> None:
    release, function, task = work
    if release != __version__:
        raise ConfigError(
            f"{socket.gethostname()} has citescape {__version__}; expected {release}, as the "
            "machine of the command has: install one release on all machines"
        )
    function(*task)


class LocalProcesses:
    """Processes of this machine, started with the first tasks; one core: this process."""

    def __init__(self, pool: WorkerPool[Call, None]) -> None:
        self._pool = pool

    def run(
        self, function: Callable[..., None], tasks: Iterable[Task], *, on_gpu: bool = False
    ) -> Iterator[None]:
        """See `Cluster`."""
        waiting = [*tasks]
        alone = len(waiting) == 1  # in this process, while no other work is there
        for task in waiting:
            self._pool.submit((__version__, function, task), size=0 if alone else 1)
            while self._pool.is_full:
                yield self._pool.take()
        while self._pool:
            yield self._pool.take()


class RayCluster:
    """A Ray cluster, whose machines have citescape installed and see the same files."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray

    def run(
        self, function: Callable[..., None], tasks: Iterable[Task], *, on_gpu: bool = False
    ) -> Iterator[None]:
        """See `Cluster`."""
        ray = self._ray
        # A task is started again, however often, where its machine or process is lost.
        resources = ray.cluster_resources()
        gpus = 1 if on_gpu and resources.get("GPU") else 0
        ahead = _AHEAD * max(1, int(resources.get("CPU", 1)))
        # max_calls=0: a process with a GPU takes further tasks, and keeps its encoder.
        remote = ray.remote(num_cpus=1, num_gpus=gpus, max_retries=-1, max_calls=0)(_call)
        waiting, left = set[Any](), iter(tasks)
        while True:
            while len(waiting) < ahead and (task := next(left, None)) is not None:
                waiting.add(remote.remote((__version__, function, task)))
            if not waiting:
                return
            done, _ = ray.wait(list(waiting), num_returns=1)
            waiting.difference_update(done)
            for reference in done:
                try:
                    ray.get(reference)
                except ray.exceptions.RayTaskError as error:
                    cause = error.cause
                    if isinstance(cause, CitescapeError):
                        raise cause from None
                    raise
                except ray.exceptions.RayError as error:
                    raise _lost(error) from error
                yield


def open_cluster(
    address: str = LOCAL, *, workers: int | None = None
) -> AbstractContextManager[Cluster]:
    """A place for tasks.

    Args:
        address: `local`, `auto` for the Ray cluster that runs on this machine, or the address
            (HOST:PORT) of the head of a Ray cluster.
        workers: number of processes of this machine; one per core by default.

    Raises:
        ConfigError: Ray is not installed, or other versions of Python or Ray run at the address.
        ServiceError: nothing answers at the address.
    """
    return _open_local(workers or usable_cores()) if address == LOCAL else _open_ray(address)


@contextmanager
def _open_local(workers: int) -> Iterator[LocalProcesses]:
    with WorkerPool(_call, workers) as pool:
        yield LocalProcesses(pool)


@contextmanager
def _open_ray(address: str) -> Iterator[RayCluster]:
    require("ray")
    import ray

    if address != "auto":
        _check_answer(address)
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except ConnectionError as error:
        raise ServiceError(
            f"no Ray cluster answers at {address}; start one with `ray start --head`, or check the "
            "address"
        ) from error
    except RuntimeError as error:
        text = " ".join(str(error).split())
        raise ConfigError(
            f"the Ray cluster at {address} refused this program: {text}; expected the same "
            "versions of Python and Ray on all machines"
        ) from error
    try:
        yield RayCluster(ray)
    finally:
        ray.shutdown()


def _check_answer(address: str) -> None:
    host, _, port = address.rpartition(":")
    if not host or "/" in host or not port.isdigit():
        raise ConfigError(
            f"cluster is {address!r}; expected local, auto, or the address HOST:PORT of the head "
            "of a Ray cluster, such as 10.0.0.1:6379"
        )
    try:
        socket.create_connection((host, int(port)), _PATIENCE).close()
    except OSError as error:
        raise ServiceError(
            f"nothing answers at {address}: {error.strerror or error}; start a Ray cluster with "
            f"`ray start --head --port {port}`, or check the address"
        ) from error


def _lost(error: Exception) -> CitescapeError:
    return ServiceError(
        f"the Ray cluster could not finish a task: {' '.join(str(error).split())[:500]}; finished "
        "tasks are kept: run the same command again"
    )
