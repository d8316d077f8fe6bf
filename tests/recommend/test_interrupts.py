"""Computing profiles continues after a kill."""

from __future__ import annotations

import os
import signal
from itertools import pairwise
from pathlib import Path

from citescape.embeddings.steps import EmbedConfig
from citescape.recommend.profiling import ProfileConfig, make_profiles
from citescape.runs.directory import list_runs
from tests.forks import shared_forks
from tests.recommend.libraries import draw_library, make_library


def make_killed(encoder: str, runs: str, steps: int) -> None:
    """Make profiles and die at the given step."""
    left = steps

    def die(_: str) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)

    config = ProfileConfig(encoder=EmbedConfig(encoder, max_tokens=32))
    make_profiles(make_library(*draw_library()), config, runs=Path(runs), progress=die)


def test_a_kill_at_any_step_leaves_no_incomplete_run(tiny: Path, tmp_path: Path) -> None:
    """The next attempt reuses the encoded texts and gives the same bytes."""
    config = ProfileConfig(encoder=EmbedConfig(str(tiny), max_tokens=32))
    runs, library = tmp_path / "runs", make_library(*draw_library())
    whole = make_profiles(library, config, runs=tmp_path / "whole")
    function, seen = "tests.recommend.test_interrupts:make_killed", []
    for steps in range(100):
        done = shared_forks().call(function, str(tiny), str(runs), steps)
        seen.append([path.name for _, path in list_runs(runs, "")])
        if done.returncode != -signal.SIGKILL:
            break
    assert done.returncode == 0, done.stderr
    assert len(seen) > 4
    assert seen[0] == []
    assert all(set(earlier) <= set(later) for earlier, later in pairwise(seen))
    assert not any(name.startswith("profile-") for names in seen[:-1] for name in names)
    assert sorted(seen[-1]) == sorted(path.name for path in (tmp_path / "whole").iterdir())
    assert sorted(path.name for path in runs.iterdir()) == sorted(seen[-1])
    for path in whole.path.glob("*.np?"):
        assert (runs / whole.run / path.name).read_bytes() == path.read_bytes()
