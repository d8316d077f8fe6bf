"""Where tasks run: in processes of this machine, or on a Ray cluster.

Ray schedules tasks, and starts those of a lost machine again. A task writes its result into files,
each whole or absent, so that it may run twice.
"""

from __future__ import annotations

import logging
import os
import socket
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Protocol

from citescape import __version__
from citescape.core.cores import usable_cores
from citescape.core.errors import CitescapeError, ConfigError, ServiceError
from citescape.core.extras import require
from citescape.distributed.workers import WorkerPool

LOCAL = "local"
_PATIENCE = 10.0
"""Seconds until an address that does not answer is given up, and between checks that it does."""
_SILENCE = 60.0
"""Seconds until a cluster that does not start an empty task is given up."""
_AHEAD = 2
"""Tasks that wait at the cluster for each core: enough to keep it busy."""
_LEAST = 1_000
"""Least number of tasks that wait at a cluster, which may be one that adds machines for them."""

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


def _do_nothing() -> None:
    """An empty task."""


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
        # Asked again after the head was restarted, Ray ends the program.
        self._resources = ray.cluster_resources()
        self._probe = ray.remote(num_cpus=0)(_do_nothing)
        self._checked = time.monotonic()

    def run(
        self, function: Callable[..., None], tasks: Iterable[Task], *, on_gpu: bool = False
    ) -> Iterator[None]:
        """See `Cluster`."""
        errors = self._ray.exceptions
        try:
            yield from self._run(function, tasks, on_gpu=on_gpu)
        except errors.RayTaskError as error:
            if isinstance(error.cause, CitescapeError):
                raise error.cause from None
            raise
        except (errors.RayError, ServiceError) as error:
            raise ServiceError(
                f"the Ray cluster could not finish a task: {' '.join(str(error).split())[:500]}; "
                "finished tasks are kept: run the same command again"
            ) from error

    def _run(
        self, function: Callable[..., None], tasks: Iterable[Task], *, on_gpu: bool
    ) -> Iterator[None]:
        ray = self._ray
        gpus = 1 if on_gpu and self._resources.get("GPU") else 0
        ahead = max(_LEAST, _AHEAD * int(self._resources.get("CPU", 0)))
        # A task is started again, however often, where its machine or process is lost.
        # max_calls=0: a process with a GPU takes further tasks, and keeps its encoder.
        remote = ray.remote(num_cpus=1, num_gpus=gpus, max_retries=-1, max_calls=0)(_call)
        waiting, left = set[Any](), iter(tasks)
        while True:
            while len(waiting) < ahead and (task := next(left, None)) is not None:
                waiting.add(remote.remote((__version__, function, task)))
            if not waiting:
                return
            done, _ = ray.wait(list(waiting), num_returns=1, timeout=_PATIENCE)
            if time.monotonic() - self._checked > _PATIENCE:
                self._check_alive(() if done else waiting)
                self._checked = time.monotonic()
            waiting.difference_update(done)
            for reference in done:
                ray.get(reference)
                yield

    def _check_alive(self, silent: Collection[Any]) -> None:
        """Checks that the head answers, and if no task has ended for a while, that it runs one.

        Without this a program waits without end for a head that was restarted.

        Args:
            silent: waiting tasks, if none has ended for a while.
        """
        ray = self._ray
        address = ray.get_runtime_context().gcs_address
        _check_address(address)
        if not silent:
            return
        try:
            probe = self._probe.remote()
        except ray.exceptions.RayError as error:
            raise ServiceError(
                f"{address} accepts no further tasks of this command; its head was restarted"
            ) from error
        if not ray.wait([probe, *silent], num_returns=1, timeout=_SILENCE)[0]:
            raise ServiceError(f"{address} started no task within {_SILENCE:.0f} seconds")


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
    os.environ.setdefault("RAY_task_oom_retries", "3")  # by default Ray retries without limit
    import ray

    if address != "auto":
        _check_address(address)
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


def _check_address(address: str) -> None:
    host, _, port = address.rpartition(":")
    if not host or "/" in host or not port.isdigit():
        raise ConfigError(
            f"cluster is {address!r}; expected local, auto, or the address HOST:PORT of the head "
            "of a Ray cluster, such as 10.0.0.1:6379"
        )
    try:
        socket.create_connection((host.strip("[]"), int(port)), _PATIENCE).close()
    except OSError as error:
        raise ServiceError(
            f"nothing answers at {address}: {error.strerror or error}; start a Ray cluster with "
            f"`ray start --head --port {port}`, or check the address"
        ) from error
