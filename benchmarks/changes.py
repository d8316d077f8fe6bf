"""Random changes of small stores: what is updated equals what is resolved and ingested anew.

    python benchmarks/changes.py                          1,000 sequences on ladybug; an hour
    python benchmarks/changes.py --engine ladybug neo4j --sequences 1000 100
    python benchmarks/changes.py --quick                  10 sequences, results not kept

Each sequence loads papers of several sources that share works and people, then loads, corrects and
removes papers and sources, and makes and undoes decisions. At its end the graph and its index must
equal those after resolving everything, and the graph that of a fresh ingest in another order. In
every second sequence the frequencies of names have few classes, so that authors are updated too.
Has the same requirements as the tests.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import measure

COLUMNS = {
    "engine": "engine",
    "sequences": "sequences",
    "changes": "changes",
    "_resolve_changes": "updates",
    "update_authors": "updates of authors",
    "all authors": "all authors anew",
    "different": "differences",
}
NOTES = (
    "Sequences of a first load and eight changes. `updates`: changes that were matched with what "
    "they can concern; `updates of authors`: of these, those whose authors were updated, not "
    "resolved anew."
)


def run_sequences(engine: str, numbers: range, steps: int, processes: int) -> measure.Row:
    """Runs sequences in several processes; says which differ."""
    parts = [numbers[first::processes] for first in range(processes)]
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        counts = pool.map(run_part, [engine] * processes, parts, [steps] * processes)
        counted = sum(counts, Counter[str]())
    return {"engine": engine, "sequences": len(numbers), "different": 0, **counted}


def run_part(engine: str, numbers: range, steps: int) -> Counter[str]:
    """The sequences of one process."""
    sys.path.insert(0, str(Path(__file__).parents[1]))
    changes = import_module("tests.ingest.random_changes")
    counted: Counter[str] = Counter()
    with ExitStack() as stack:
        address = ""
        if engine == "neo4j":
            server = import_module("tests.neo4j.server").Neo4jServer()
            address = stack.enter_context(server).uri
        for done, number in enumerate(numbers, start=1):
            with tempfile.TemporaryDirectory() as folder, ExitStack() as own:
                counted += run_sequence(changes, number, address, Path(folder), steps, own)
            if done % 10 == 0:
                print(f"{engine}: {done} sequences, to {number}: {dict(counted)}", flush=True)
    return counted


def run_sequence(
    changes: Any, number: int, address: str, folder: Path, steps: int, stack: ExitStack
) -> Counter[str]:
    """One sequence; returns how often what was updated."""
    from citescape.ingest.resolve import resolve
    from citescape.store.graph_store import open_store

    snapshot = import_module("tests.ingest.papers").snapshot

    def set_attribute(owner: object, name: str, value: object) -> None:
        stack.callback(setattr, owner, name, getattr(owner, name))
        setattr(owner, name, value)

    def open_empty(name: str) -> Any:
        if address:
            import_module("tests.conftest").empty_neo4j(address)
        return open_store(address or str(folder / f"{name}.lbug"))

    updates = changes.count_updates(set_attribute)
    if number % 2:
        changes.few_classes(set_attribute)
    store = open_empty("updated")
    changing = changes.Changing(store, number)
    log = list(changing.run(steps))
    counted = Counter(updates, changes=len(log))
    graph, index = snapshot(store), changes.index_content(store)
    resolve(store)
    counted["different"] += snapshot(store) != graph or changes.index_content(store) != index
    decisions = store.read(
        "MATCH (d:IdentityDecision) "
        "RETURN d.id AS id, d.kind AS kind, d.first AS first, d.second AS second"
    )
    store.close()
    store = open_empty("fresh")
    changing.decide_again(store, decisions)
    changes.load_papers(store, changing.shuffled(random.Random(number)))
    resolve(store)
    counted["different"] += snapshot(store) != graph
    store.close()
    if counted["different"]:
        print(f"sequence {number} differs: {log}", flush=True)
    return counted


def main() -> None:
    """Runs all sequences, prints the table, writes the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="10 sequences")
    parser.add_argument("--engine", nargs="*", default=["ladybug"], choices=("ladybug", "neo4j"))
    parser.add_argument("--sequences", type=int, nargs="+", default=[1_000], help="on each engine")
    parser.add_argument("--first", type=int, default=0, help="number of the first sequence")
    parser.add_argument("--steps", type=int, default=8)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    counts = [10] if options.quick else options.sequences
    rows = []
    for engine, count in zip(options.engine, counts * len(options.engine), strict=False):
        numbers = range(options.first, options.first + count)
        rows.append(run_sequences(engine, numbers, options.steps, options.processes))
    measure.print_table(rows, COLUMNS)
    if not options.quick:
        path = measure.write_results(
            "changes", rows, libraries=("ladybug", "neo4j"), notes=NOTES, columns=COLUMNS
        )
        print(f"\nwritten to {path}")
    if any(row["different"] for row in rows):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
