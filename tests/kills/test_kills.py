"""Commands killed at random moments, on both engines; `benchmarks/kills.py` is the long version."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.kills.client import Driver
from tests.kills.trials import COMMANDS, LadybugTrials, Neo4jTrials, Trials, run_trials

KILLS, SEED = 1, 1
ON_NEO4J = ["sections label", "network build", "cluster", "score", "embed"]
"""One command for each way to write to the graph; continuation is equal on both engines."""


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driver]:
    with Driver(tmp_path_factory.mktemp("kills") / "corpus") as started:
        yield started


@pytest.fixture(scope="module", params=["ladybug", "neo4j"])
def trials(request: pytest.FixtureRequest, driver: Driver) -> Trials:
    folder = driver.root / "trial"
    if request.param == "ladybug":
        return LadybugTrials(driver.base, folder)
    return Neo4jTrials(driver.base, folder, request.getfixturevalue("neo4j_server").uri)


def test_killed_commands_end_in_the_undisturbed_state(trials: Trials, driver: Driver) -> None:
    """Each command is killed, and killed again when it continues; the next uses its results."""
    commands = ON_NEO4J if trials.engine == "neo4j" else list(COMMANDS)
    tally = run_trials(trials, driver, commands, kills=KILLS, seed=SEED, short=True)
    assert not tally.differences
    assert tally.hit > tally.kills / 2
