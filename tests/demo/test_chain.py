"""The whole chain on a generated corpus: write, read, link, count, score, compare, report."""

from __future__ import annotations

import pytest

from citescape.demo.jats_writer import write_corpus
from citescape.demo.recovery import Recovery, check_recovery
from citescape.demo.world import generate_world
from citescape.importance.score import score
from citescape.ingest.config import IngestConfig
from citescape.ingest.ingest import ingest
from citescape.store.graph_store import open_store


@pytest.fixture(scope="module")
def recovery(tmp_path_factory: pytest.TempPathFactory) -> Recovery:
    folder = tmp_path_factory.mktemp("chain")
    world = generate_world(papers=80, seed=5)
    write_corpus(world, folder / "corpus")
    store = open_store(str(folder / "demo.lbug"))
    try:
        loaded = ingest(store, [folder / "corpus"], IngestConfig(workers=1, strict=True))
        score(store, runs=folder / "runs")
        result = check_recovery(store, world)
    finally:
        store.close()
    assert set(loaded.losses) <= {"sub-article"}
    return result


@pytest.mark.parametrize("at", range(17))
def test_the_planted_truth_is_recovered(recovery: Recovery, at: int) -> None:
    assert len(recovery.checks) == 17
    check = recovery.checks[at]
    assert check.passed, f"{check.name}: {check.found} {check.relation} {check.expected}"
