"""The head of a Ray cluster is lost, or restarted, while a command runs."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from citescape.distributed.cluster import open_cluster
from citescape.distributed.storage import Storage
from citescape.ingest.shards.ingest import ingest_shards
from tests.distributed.rays import start_raylets
from tests.ingest.papers import small_corpus, write_files
from tests.ingest.shards.graphs import differing, rows_of_graph


@pytest.mark.parametrize("restarted", [False, True])
def test_the_command_ends_with_a_clear_line_and_is_completed_later(
    tmp_path: Path, restarted: bool
) -> None:
    (papers := tmp_path / "papers").mkdir()
    write_files(papers, small_corpus(4))
    with open_cluster(workers=1) as cluster:
        whole = ingest_shards(Storage(str(tmp_path / "whole")), cluster, [papers])
    shards = tmp_path / "shards"
    with start_raylets(1) as raylets:
        command = [Path(sys.executable).with_name("platform"), "ingest", papers]
        command += ["--shards", shards, "--cluster", raylets.address]
        with subprocess.Popen([*map(str, command)], stderr=subprocess.PIPE, text=True) as process:
            while not any(shards.glob("records/*")) and process.poll() is None:
                time.sleep(0.01)
            raylets.kill_all()
            if restarted:
                raylets.restart()
            _, shown = process.communicate(timeout=120)
        assert process.returncode == 1
        assert "the Ray cluster could not finish a task" in shown
        assert "finished tasks are kept: run the same command again" in shown
        if not restarted:
            raylets.restart()
        with open_cluster(raylets.address) as cluster:
            found = ingest_shards(Storage(str(shards)), cluster, [papers])
    assert found.graph is not None
    assert whole.graph is not None
    assert differing(rows_of_graph(found.graph), rows_of_graph(whole.graph)) == set()
