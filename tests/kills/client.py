"""Asks `driver` to run command lines, and to kill them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Done:
    """What became of a process."""

    status: int
    """Negative: the signal that ended it."""
    events: tuple[float, ...]
    """Seconds from its start to each of its writes."""
    seconds: float
    output: str


@dataclass
class Driver:
    """The process that runs commands, from `with` to the end of its block; see `driver`."""

    root: Path
    """A folder that does not exist."""
    papers: int = 50
    _process: subprocess.Popen[str] | None = field(default=None, init=False, repr=False)

    @property
    def base(self) -> Path:
        """Store and run directories that commands go on from."""
        return self.root / "base"

    def __enter__(self) -> Self:
        quiet = {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}
        paths = {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "platform")])}
        self.root.mkdir()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.kills.driver", str(self.root), str(self.papers)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **quiet, **paths},
            cwd=ROOT,
        )
        assert self._answer() == "ready"
        return self

    def __exit__(self, *error: object) -> None:
        assert self._process is not None
        self._process.communicate()

    def run(
        self,
        folder: Path,
        arguments: Sequence[str],
        *,
        store: str,
        kill: tuple[int, float] | None = None,
    ) -> Done:
        """Runs a command line in a folder; kills it so long after that write, if one is given."""
        assert self._process is not None
        assert self._process.stdin is not None
        job = {"folder": str(folder), "store": store, "arguments": list(arguments), "kill": kill}
        print(json.dumps(job), file=self._process.stdin, flush=True)
        found = self._answer()
        return Done(**{**found, "events": tuple(found["events"])})

    def _answer(self) -> Any:
        assert self._process is not None
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the driver has ended; its last lines on standard error say why"
        return json.loads(line)
