"""Available memory of a process, on a machine or in a container."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

_FOLDERS = {
    1: ("sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"),
    2: ("sys/fs/cgroup", "memory.max", "memory.current"),
}
"""Version of control groups -> their folder, and the files of limit and usage."""
_RECLAIMABLE = {1: "total_inactive_file", 2: "inactive_file"}
"""Line of memory.stat: pages of files that were read once, which the kernel can drop."""


def available_memory(root: Path = Path("/")) -> int:
    """Bytes that a process can use without swapping or being killed.

    The minimum of the machine's available memory and, for the control group of this process and
    each one above it, limit - usage + pages of files that can be dropped, as Kubernetes computes
    it. `root` is the folder of proc and sys.
    """
    machine = [
        int(line.split()[1]) << 10
        for line in _read_lines(root / "proc/meminfo")
        if line.startswith("MemAvailable:")
    ]
    # half of the memory where the system does not state what is available
    half = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    left = machine[:1] or [half]

    for line in _read_lines(root / "proc/self/cgroup"):
        _, controllers, name = line.split(":", 2)
        if controllers and "memory" not in controllers.split(","):
            continue
        version = 1 if controllers else 2
        top, *files = _FOLDERS[version]
        # The path may be that of the host, whose folders a container does not see: skip them.
        for group in (PurePosixPath(name), *PurePosixPath(name).parents):
            folder = root / top / group.relative_to("/")
            limit, usage = (_read_lines(folder / file) for file in files)
            if limit and usage and limit[0] != "max":
                pairs = dict(line.split() for line in _read_lines(folder / "memory.stat"))
                used = int(usage[0]) - int(pairs.get(_RECLAIMABLE[version], 0))
                left.append(max(int(limit[0]) - used, 0))
    return min(left)


def _read_lines(path: Path) -> list[str]:
    """Lines of a file; empty if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
