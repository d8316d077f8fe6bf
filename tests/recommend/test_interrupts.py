"""Profiles whose making was killed."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from citescape.embeddings.steps import EmbedConfig
from citescape.recommend.profiling import ProfileConfig, make_profiles
from tests.ingest.killed import run_script
from tests.recommend.libraries import draw_library, make_library

KILLED = """
import os, signal, sys
from pathlib import Path
import transformers.models.bert.modeling_bert, transformers.models.bert.tokenization_bert
import numba.experimental, numba.typed, pandas, pyarrow.dataset
from transformers import AutoModel, AutoTokenizer  # before the forks, for speed
from citescape.embeddings.steps import EmbedConfig
from citescape.recommend.profiling import ProfileConfig, make_profiles
from citescape.runs.directory import list_runs
from tests.recommend.libraries import draw_library, make_library

tiny, runs = sys.argv[1], Path(sys.argv[2])
for steps in range(100):
    child = os.fork()
    if not child:
        left = steps
        def die(_):
            global left
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)
        config = ProfileConfig(encoder=EmbedConfig(tiny, max_tokens=32))
        make_profiles(make_library(*draw_library()), config, runs=runs, progress=die)
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(status, *sorted(path.name for _, path in list_runs(runs, "")), flush=True)
    if status != -signal.SIGKILL:
        break
"""


@pytest.mark.slow
def test_a_kill_at_any_step_leaves_no_half_run(tiny: Path, tmp_path: Path) -> None:
    """The next try goes on with the texts that are encoded, and ends with the same bytes."""
    config = ProfileConfig(encoder=EmbedConfig(str(tiny), max_tokens=32))
    runs, library = tmp_path / "runs", make_library(*draw_library())
    whole = make_profiles(library, config, runs=tmp_path / "whole")
    done = run_script(KILLED, tiny, runs)
    lines = [line.split() for line in done.stdout.splitlines()]
    assert [line[0] for line in lines[:-1]] == ["-9"] * (len(lines) - 1), done.stderr
    assert lines[-1][0] == "0", done.stderr
    seen = [line[1:] for line in lines]
    assert len(lines) > 4
    assert seen[0] == []
    assert all(set(one) <= set(other) for one, other in pairwise(seen))
    assert not any(name.startswith("profile-") for names in seen[:-1] for name in names)
    assert sorted(seen[-1]) == sorted(path.name for path in (tmp_path / "whole").iterdir())
    assert sorted(path.name for path in runs.iterdir()) == sorted(seen[-1])
    for path in whole.path.glob("*.np?"):
        assert (runs / whole.run / path.name).read_bytes() == path.read_bytes()
