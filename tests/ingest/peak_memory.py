"""Peak memory of reading files, measured in a process of its own."""

from __future__ import annotations

import json
from pathlib import Path

from tests.ingest.reading import read_files
from tests.ingest.samples import SAMPLES, Work


def measure(name: str, folder: str, paths: list[str]) -> None:
    """Prints the MB that reading takes beyond what is in use, reasons and titles."""
    read_files(SAMPLES[name].write(Path(folder) / "small", [Work(1)]))  # imports, first calls
    Path("/proc/self/clear_refs").write_text("5")
    before = _resident("VmRSS")
    outcome = read_files(list(map(Path, paths)))
    print(json.dumps([_resident("VmHWM") - before, outcome.reasons, outcome.titles]))


def _resident(name: str) -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(name)).split()[1]) / 1e3
