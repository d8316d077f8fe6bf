"""Kills commands at random moments, runs them again, and compares the results."""

from __future__ import annotations

import random
import shutil
import signal
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pyarrow as pa

from citescape.ingest.sync import differences
from citescape.runs.directory import list_runs
from citescape.store.graph_store import open_store
from tests.copies import read_tables
from tests.kills.client import Done, Driver
from tests.kills.corpus import STORE
from tests.kills.states import (
    State,
    compare_states,
    count_graph,
    damaged_runs,
    describe_state,
    list_files,
)

COMMANDS = {
    "sections label": "text sections label",
    "split label": "text abstracts label",
    "network build": "network build bm25 --write",
    "cluster": "cluster --network knn",
    "topics": "topics --top 5 --fields venue",
    "map": "map --seed 1 --overlay year --size 60x60 --dpi 50",
    "recommend": "recommend --context Roots --max-tokens 24",
    "train": "train --triplets {sample} --epochs 1 --max-tokens 32 --batch 128 --threads 1 "
    "--checkpoint-seconds 0",
    "score": "score",
    "embed": "embed --max-tokens 16",
    "intents label": "text intents label --model rules --again",
    "ingest": "ingest {more} --workers 1",
    "ingest shards": "ingest {more} --shards other --workers 1",
    "label shards": "text intents label --model rules --shards shards",
    "score shards": "score --shards shards",
    "embed shards": "embed --max-tokens 16 --shards shards --neighbours 2",
    "load": "load shards --store loaded.lbug",
}
"""Command lines; `{sample}` is the run of triplets, `{more}` a folder of other papers."""
ON_FILES = {name for name in COMMANDS if name == "load" or name.endswith("shards")}
"""Commands that write files alone, whatever the engine of the store."""
TWICE = 0.25
"""Share of kills after which the second run of the command is killed too."""


@dataclass
class Tally:
    """Outcomes of kills of some commands on one engine."""

    commands: tuple[str, ...]
    engine: str
    kills: int
    """Requested kills."""
    hit: int = 0
    """Kills while the command ran."""
    late: int = 0
    """Kills after the end of the command."""
    unfinished: int = 0
    """Kills that left files which an undisturbed run does not leave."""
    differences: list[str] = field(default_factory=list)

    @property
    def completed(self) -> int:
        """Number of kills so far."""
        return self.hit + self.late


class LadybugTrials:
    """Trials on a file, which is copied."""

    engine = "ladybug"
    location = STORE

    def __init__(self, base: Path, folder: Path) -> None:
        self.base, self.folder = base, folder

    def restore(self) -> None:
        """Restores store and run directories to their state before the command."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.base, self.folder)

    def read_state(self) -> State:
        """Reads the current state."""
        store = open_store(str(self.folder / STORE), read_only=True)
        tables, counts = read_tables(store), count_graph(store)
        store.close()
        return describe_state(tables, counts, self.folder)


class Neo4jTrials:
    """Trials on a server, in which the rows that differ are written back."""

    engine = "neo4j"

    def __init__(self, base: Path, folder: Path, address: str) -> None:
        self.base, self.folder, self.location = base, folder, address
        store = open_store(str(base / STORE), read_only=True)
        self.tables = read_tables(store)
        store.close()
        self._present: dict[str, pa.Table] = {}
        """Content of the server, if it was read and no command has run since."""

    def restore(self) -> None:
        """Restores store and run directories to their state before the command."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.base, self.folder, ignore=shutil.ignore_patterns(STORE))
        store = open_store(self.location)
        present = self._present or read_tables(store)
        changes = [
            change
            for name, wanted in self.tables.items()
            for change in differences(name, present[name], wanted)
        ]
        deletions = [change for change in changes if change.action == "delete"]
        others = [change for change in changes if change.action != "delete"]
        store.apply([*deletions[::-1], *others])  # relationships: deleted first, inserted last
        assert sum(count_graph(store)) == sum(map(len, self.tables.values()))
        store.close()
        self._present = {}

    def read_state(self) -> State:
        """Reads the current state."""
        store = open_store(self.location, read_only=True)
        self._present = read_tables(store)
        counts = count_graph(store)
        store.close()
        return describe_state(self._present, counts, self.folder)


Trials = LadybugTrials | Neo4jTrials


def run_trials(
    trials: Trials,
    driver: Driver,
    commands: Sequence[str],
    *,
    kills: int,
    seed: int,
    short: bool = False,
    progress: Callable[[str], object] = lambda _: None,
) -> Tally:
    """Kills consecutive commands, runs them again, and compares the results.

    Args:
        trials: stores in which commands run.
        driver: process that runs them.
        commands: keys of `COMMANDS`.
        kills: number of kills per command.
        seed: random seed of the moments.
        short: one trial for all kills, in which continued commands are killed again; and no second
            undisturbed run, which shows that commands are repeatable.
        progress: called with a message for each kill.
    """
    tally = Tally(tuple(commands), trials.engine, kills * len(commands))
    chance = random.Random(f"{seed} {' '.join(commands)} {trials.engine}")
    (sample,) = list_runs(trials.base / "runs", "sample")
    given = {"sample": sample[0].id, "more": str(driver.root / "more")}
    lines = {name: COMMANDS[name].format(**given).split() for name in commands}
    run = partial(driver.run, trials.folder, store=trials.location)

    trials.restore()
    known = list_files(trials.folder)
    undisturbed = {name: completed(name, run(lines[name])) for name in commands}
    expected = trials.read_state()
    known |= list_files(trials.folder)
    if not short:
        trials.restore()
        undisturbed = {name: completed(name, run(lines[name])) for name in commands}
        unequal = compare_states(expected, trials.read_state())
        assert not unequal, f"{commands} do not repeat: {unequal}"

    each = 0
    while each < kills:
        trials.restore()
        again = kills if short else min(kills, each + 1 + (chance.random() < TWICE))
        done = []
        for name in commands:
            for number in range(each, again):
                moment = draw_moment(chance, undisturbed[name])
                hit = run(lines[name], kill=moment).status == -signal.SIGKILL
                tally.hit += hit
                tally.late += not hit
                tally.unfinished += bool(list_files(trials.folder) - known)
                done.append(
                    f"{name}, {trials.engine}: kill {number + 1} of {kills}, "
                    f"{moment[1] * 1000:.1f} ms after write {moment[0] + 1} of "
                    f"{len(undisturbed[name].events)}{'' if hit else ', too late'}"
                )
                progress(done[-1])
                damaged = damaged_runs(trials.folder, expected)
                tally.differences += [f"{done[-1]}: {difference}" for difference in damaged]
            last = run(lines[name])
            if last.status:
                tally.differences.append(f"{done[-1]}: run again, it failed: {last.output}")
        unequal = compare_states(expected, trials.read_state())
        tally.differences += [f"{'; '.join(done)}: {difference}" for difference in unequal]
        each = again
    return tally


def completed(name: str, done: Done) -> Done:
    """Runs a command line that must succeed."""
    assert done.status == 0, f"platform {name}:\n{done.output}"
    return done


def draw_moment(chance: random.Random, undisturbed: Done) -> tuple[int, float]:
    """Number of a write, and seconds to wait after it.

    Half of the moments are uniform over the time from the first write to the end of the process;
    the others choose one write uniformly, and are uniform over the time to the next write.
    """
    times = [*undisturbed.events, undisturbed.seconds]
    if chance.random() < 0.5:
        moment = chance.uniform(times[0], times[-1])
        write = min(bisect_right(times, moment), len(times) - 1) - 1
        return write, moment - times[write]
    write = chance.randrange(len(times) - 1)
    return write, chance.uniform(0, times[write + 1] - times[write])
