"""Commands killed (SIGKILL) at random moments and run again: differences from undisturbed runs.

    python benchmarks/kills.py --kills 35      of each command on both engines, 1,015; an hour
    python benchmarks/kills.py --kills 35 --command cluster --command map --engine neo4j
                                               some, whose rows take the place of earlier ones

Exits with 1 if a row of the graph or a byte of a file differs, except values that depend on the
clock (see `tests/kills/states.py`). Has the same requirements as the tests.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import Any

import measure

NOTES = (
    "Commands on a small generated corpus, in batches of a few rows, are killed at random "
    "moments between their first write and their end: half of the moments are uniform in time, "
    "half are chosen write by write. After a quarter of the kills the command is killed again "
    "when it continues. Then it runs to its end. The whole graph and all files must equal those "
    "of an undisturbed run, except times, throughput and the logs of TensorBoard. `too late` "
    "counts kills after the end of the command. `unfinished files` counts kills that left files "
    "which an undisturbed run does not leave. Commands may be run on different days: the date is "
    "that of the last."
)
COLUMNS = {
    "command": "command",
    "engine": "engine",
    "kills": "kills",
    "hit": "during the run",
    "late": "too late",
    "unfinished": "unfinished files",
    "different": "differences",
}
ENGINES = ("ladybug", "neo4j")


def kill_commands(commands: list[str], engines: list[str], kills: int, seed: int) -> list[Any]:
    """A tally per command and engine."""
    client, trials = import_module("tests.kills.client"), import_module("tests.kills.trials")
    tallies, begun = [], time.monotonic()
    with ExitStack() as stack:
        root = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "corpus"
        driver = stack.enter_context(client.Driver(root))
        for engine in engines:
            if engine == "ladybug":
                place = trials.LadybugTrials(driver.base, root / "trial")
            else:
                server = import_module("tests.neo4j.server").Neo4jServer()
                address = stack.enter_context(server).uri
                place = trials.Neo4jTrials(driver.base, root / "trial", address)
            for command in commands:
                if engine == "neo4j" and command in trials.ON_FILES:
                    continue
                tallies.append(
                    trials.run_trials(
                        place,
                        driver,
                        [command],
                        kills=kills,
                        seed=seed,
                        progress=lambda text: print(
                            f"{time.monotonic() - begun:6.0f} s  {text}", flush=True
                        ),
                    )
                )
                for difference in tallies[-1].differences:
                    print(f"          DIFFERENT: {difference}", flush=True)
    return tallies


def describe(tally: Any) -> measure.Row:
    """A row of the table."""
    (command,) = tally.commands
    figures = {name: getattr(tally, name) for name in ("kills", "hit", "late", "unfinished")}
    return {
        "command": command,
        "engine": tally.engine,
        **figures,
        "different": len(tally.differences),
    }


def add_to_earlier(rows: list[measure.Row], commands: list[str]) -> list[measure.Row]:
    """These rows and the earlier ones of other commands and engines, in the order of commands."""
    earlier = json.loads((measure.RESULTS / "kills.json").read_text(encoding="utf-8"))["rows"]
    found = {(row["engine"], row["command"]): row for row in (*earlier, *rows)}
    return [
        found[engine, command]
        for engine in ENGINES
        for command in commands
        if (engine, command) in found
    ]


def parse_options(commands: list[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=20, help="of each command on each engine")
    parser.add_argument("--quick", action="store_true", help="results are not kept")
    parser.add_argument("--seed", type=int, default=0, help="of the moments")
    parser.add_argument("--engine", action="append", choices=ENGINES, help="may be repeated")
    parser.add_argument("--command", action="append", choices=commands, help="may be repeated")
    return parser.parse_args()


def main() -> None:
    """Kills, prints the table, and writes its rows in place of those of the same commands."""
    sys.path[:0] = [str(measure.SOURCE), str(measure.SOURCE.parent)]
    known = list(import_module("tests.kills.trials").COMMANDS)
    options = parse_options(known)
    commands, engines = options.command or known, options.engine or list(ENGINES)
    tallies = kill_commands(commands, engines, options.kills, options.seed)
    rows = [describe(tally) for tally in tallies]
    print()
    measure.print_table(rows, COLUMNS)
    if not options.quick:
        path = measure.write_results(
            "kills",
            add_to_earlier(rows, known),
            libraries=("ladybug", "neo4j", "pyarrow", "torch"),
            versions={"Neo4j server": import_module("tests.neo4j.server").CHOSEN.version},
            notes=NOTES,
            columns=COLUMNS,
            seed=options.seed,
        )
        print(f"\nwritten to {path}")
    sys.exit(any(tally.differences for tally in tallies))


if __name__ == "__main__":
    main()
