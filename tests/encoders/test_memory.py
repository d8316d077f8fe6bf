"""Available memory of a machine and under limits, read from Linux files."""

from __future__ import annotations

from pathlib import Path

import pytest

from citescape.encoders.memory import available_memory

GB = 1 << 30
MACHINE = {"proc/meminfo": f"MemTotal: {64 << 20} kB\nMemAvailable: {48 << 20} kB\n"}


def write_files(root: Path, files: dict[str, object]) -> Path:
    for name, text in {**MACHINE, **files}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text}\n")
    return root


def make_cgroup_files(limit: object, used: int, cached: int, group: str = "") -> dict[str, object]:
    folder = f"sys/fs/cgroup{group}"
    stat = f"anon {used}\ninactive_file {cached}\nactive_file 7"
    files = {"memory.max": limit, "memory.current": used, "memory.stat": stat}
    return {f"{folder}/{name}": text for name, text in files.items()}


def test_a_machine_without_limits(tmp_path: Path) -> None:
    assert available_memory(write_files(tmp_path, {})) == 48 * GB
    write_files(tmp_path, {"proc/self/cgroup": "0::/", **make_cgroup_files("max", GB, 0)})
    assert available_memory(tmp_path) == 48 * GB


def test_cgroup_v2_limit_minus_used_memory(tmp_path: Path) -> None:
    write_files(tmp_path, {"proc/self/cgroup": "0::/", **make_cgroup_files(8 * GB, 5 * GB, 2 * GB)})
    assert available_memory(tmp_path) == 8 * GB - (5 * GB - 2 * GB)
    write_files(tmp_path, make_cgroup_files(4 * GB, 5 * GB, 0))
    assert available_memory(tmp_path) == 0


def test_limits_of_parent_groups_apply(tmp_path: Path) -> None:
    """A cluster job whose own group has no limit or a larger one."""
    write_files(
        tmp_path,
        {
            "proc/self/cgroup": "0::/slurm/job/step",
            **make_cgroup_files("max", 0, 0, "/slurm/job/step"),
        },
    )
    write_files(tmp_path, make_cgroup_files(16 * GB, 3 * GB, 0, "/slurm/job"))
    write_files(tmp_path, make_cgroup_files(32 * GB, 20 * GB, 0, "/slurm"))
    assert available_memory(tmp_path) == 32 * GB - 20 * GB


@pytest.mark.parametrize("group", ["/docker/3f", ""])
def test_cgroup_v1_limit_by_path_or_in_a_container(tmp_path: Path, group: str) -> None:
    files = {
        "memory.limit_in_bytes": 8 * GB,
        "memory.usage_in_bytes": 3 * GB,
        "memory.stat": f"inactive_file 5\ntotal_inactive_file {GB}",
    }
    write_files(
        tmp_path, {f"sys/fs/cgroup/memory{group}/{name}": text for name, text in files.items()}
    )
    write_files(
        tmp_path, {"proc/self/cgroup": "5:cpu,memory:/docker/3f\n1:cpuset:/docker/3f\n0::/"}
    )
    assert available_memory(tmp_path) == 8 * GB - (3 * GB - GB)


def test_memory_of_this_machine_is_available() -> None:
    assert available_memory() > 0
