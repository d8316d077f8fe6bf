"""Costs of a task, measured in a separate process: CPU seconds and peak memory.

A benchmark script calls itself once per peer with `run_alone`. The child prepares its inputs, does
the work inside `metered`, and ends with `report`. CPU seconds count all threads; on a busy machine
they are more reliable than wall time.
"""

from __future__ import annotations

import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"
SOURCE = Path(__file__).parents[1] / "platform"
Row = dict[str, Any]
_SAMPLED_EVERY = 0.25  # seconds


@dataclass
class Cost:
    """Costs of the work inside `metered`."""

    cpu_seconds: float = 0.0
    wall_seconds: float = 0.0
    peak_mb: float = 0.0
    """Peak resident memory, including libraries and inputs."""
    extra_mb: float = 0.0
    """`peak_mb` minus the resident memory at the start."""


@contextmanager
def metered() -> Iterator[Cost]:
    """Measures the block; costs are available after its end."""
    cost = Cost()
    _reset_peak()
    before = _resident_mb("VmRSS")
    begun, wall = _cpu_seconds(), time.perf_counter()
    yield cost
    cost.wall_seconds = round(time.perf_counter() - wall, 3)
    cost.cpu_seconds = round(_cpu_seconds() - begun, 3)
    cost.peak_mb = round(_resident_mb("VmHWM"), 1)
    cost.extra_mb = round(cost.peak_mb - before, 1)


def report(cost: Cost, **figures: object) -> None:
    """Prints the result of a child as a line for `run_alone`."""
    print(json.dumps({**vars(cost), **figures}), flush=True)


def run_alone(script: str, *arguments: object) -> Row:
    """Runs a script in a new process and returns what it `report`ed.

    On Linux `all_peak_mb` is added: the peak memory of the process and its children together,
    sampled four times a second; shared pages count once (PSS).

    Raises:
        RuntimeError: the script failed; the message has its last lines.
    """
    path = os.pathsep.join([str(SOURCE), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    with (
        tempfile.TemporaryFile("w+") as printed,
        tempfile.TemporaryFile("w+") as errors,
        subprocess.Popen(
            [sys.executable, script, *map(str, arguments)],
            env={**os.environ, "PYTHONPATH": path},
            stdout=printed,
            stderr=errors,
        ) as process,
    ):
        peak = _watch(process)
        printed.seek(0)
        errors.seek(0)
        if process.returncode:
            raise RuntimeError(f"{script} {arguments} failed:\n{errors.read()[-2000:]}")
        row: Row = json.loads(printed.read().splitlines()[-1])
    return {**row, "all_peak_mb": peak} if peak else row


def _watch(process: subprocess.Popen[bytes]) -> float:
    """Waits for the end of a process and returns the peak memory of its family in MB."""
    peak = 0.0
    while process.poll() is None:
        peak = max(peak, sum(map(_share_mb, _family(process.pid))))
        with suppress(subprocess.TimeoutExpired):
            process.wait(_SAMPLED_EVERY)
    return round(peak, 1)


def _family(pid: int) -> list[int]:
    """A process and all its descendants."""
    found: list[int] = []
    with suppress(OSError):  # not on Linux, or it has ended
        for children in Path(f"/proc/{pid}/task").glob("*/children"):
            found += map(int, children.read_text().split())
    return [pid, *(descendant for child in found for descendant in _family(child))]


def _share_mb(pid: int) -> float:
    """Proportional memory of a process: pages shared by n processes count 1/n."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) / 1024
    return 0.0


def machine() -> Row:
    """Description of this machine."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "cpu": models[0] if models else platform.processor(),
        "cores": os.cpu_count(),
        "memory_gb": round(memory / 2**30, 1),
        "system": platform.platform(),
        "python": platform.python_version(),
        "load_average": [round(load, 2) for load in os.getloadavg()],
    }


def write_results(
    name: str,
    rows: Sequence[Row],
    *,
    libraries: Sequence[str],
    versions: Mapping[str, str] | None = None,
    **facts: Any,
) -> Path:
    """Writes `results/<name>.json`: date, machine, library versions, facts and rows.

    `versions` are those of software other than Python libraries.

    `table.py` uses the facts `notes` (a paragraph) and `columns` (key -> heading).
    """
    RESULTS.mkdir(exist_ok=True)
    found = {
        "benchmark": name,
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine(),
        "versions": {library: version(library) for library in libraries} | dict(versions or {}),
        **facts,
        "rows": list(rows),
    }
    path = RESULTS / f"{name}.json"
    path.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    return path


def print_table(rows: Sequence[Row], columns: Mapping[str, str]) -> None:
    """Prints rows as a Markdown table; `columns` maps keys to headings."""
    cells = [[_cell(row.get(key)) for key in columns] for row in rows]
    table = [list(columns.values()), *cells]
    widths = [max(len(line[k]) for line in table) for k in range(len(columns))]
    rule = ["-" * width for width in widths]
    for line in [table[0], rule, *cells]:
        padded = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        print("| " + " | ".join(padded) + " |")


def _cell(value: object) -> str:
    if value is None:
        return ""
    return (
        f"{value:,.3g}"
        if isinstance(value, float) and value < 1000
        else f"{value:,}"
        if isinstance(value, int | float)
        else str(value)
    )


def _cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _reset_peak() -> None:
    """Resets the peak in the kernel, if possible (Linux)."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def _resident_mb(field: str) -> float:
    """`VmRSS` now, or `VmHWM` since the last reset; on other systems the peak of the process."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    line = next(line for line in status.read_text().splitlines() if line.startswith(field))
    return int(line.split()[1]) / 1024
