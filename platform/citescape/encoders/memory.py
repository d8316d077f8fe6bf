"""How much memory a process may take, in a container as on a machine of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath


@dataclass(frozen=True)
class _Version:
    """Where a version of control groups keeps its figures."""

    folder: str
    limit: str
    usage: str
    reclaimable: str
    """Line of memory.stat: pages of files that were read once, which the kernel can drop."""


_V1 = _Version(
    "sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"
)
_V2 = _Version("sys/fs/cgroup", "memory.max", "memory.current", "inactive_file")


def available_memory(root: Path = Path("/")) -> int:
    """Bytes that may be taken without swapping, or being killed for them.

    The least of what the machine has left and, for the control group of this process and each one
    above it, limit - usage + pages of files that can be dropped. That is how Kubernetes reckons.

    Args:
        root: of the file system that holds proc and sys.
    """
    return min([_machine(root), *_groups(root)])


def _machine(root: Path) -> int:
    """`MemAvailable`, or half of the memory where the system does not say."""
    for line in _lines(root / "proc/meminfo"):
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) << 10
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2


def _groups(root: Path) -> Iterator[int]:
    """What is left of each limit.

    A container may be told its path on the host, which it does not see: folders that are not there
    are passed over, and the topmost is its own.
    """
    for line in _lines(root / "proc/self/cgroup"):
        _, controllers, name = line.split(":", 2)
        if controllers and "memory" not in controllers.split(","):
            continue
        version = _V1 if controllers else _V2
        path = PurePosixPath(name)
        for group in (path, *path.parents):
            folder = root / version.folder / group.relative_to("/")
            limit, usage = (_lines(folder / file) for file in (version.limit, version.usage))
            if limit and usage and limit[0] != "max":
                kept = int(usage[0]) - _reclaimable(folder, version)
                yield max(int(limit[0]) - kept, 0)


def _reclaimable(folder: Path, version: _Version) -> int:
    pairs = (line.split() for line in _lines(folder / "memory.stat"))
    return next((int(value) for name, value in pairs if name == version.reclaimable), 0)


def _lines(path: Path) -> list[str]:
    """Of a file; none where it cannot be read."""
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
