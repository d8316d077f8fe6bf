"""Scoring a store: CPU microseconds a pair from reading the graph to scores in it, by stage.

    python benchmarks/score_store.py            three sizes up to 5,000,000 pairs, ten minutes
    python benchmarks/score_store.py --quick    20,000 pairs, results not kept

The graph is that of `importance.py`: generated, with two in-text citations a pair, sections and
authors. It is scored for the first time, with other weights, and again without a change.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import measure
from importance import fill_store, make_tables

SIZES = (100_000, 1_000_000, 5_000_000)
CASES = {
    "first": "entropy",
    "other weights": "uniform",
    "unchanged": "uniform",
}
STAGES = {
    "read": ("read_slices", "read_features", "select_pairs"),
    "score": ("weigh_features", "_record"),
    "compare": ("find_stale",),
    "write": ("write_scores", "overwrite_scores", "write_meta", "record_run"),
}
"""Functions of `citescape.importance.score` by stage; the rest is the file of pairs."""
NOTES = (
    "A store on ladybug with two in-text citations a pair. `first`: no scores before; `other "
    "weights`: importance and run of all pairs change; `unchanged`: nothing to write. Stages in "
    "CPU microseconds a pair; `file` is the run directory. Libraries are imported and kernels "
    "compiled before, on a store of 2,000 pairs. "
)
BEFORE = (
    "Before relationships were replaced at once and read by row numbers (commit b2b8ed3f, measured "
    "by this script on the same machine while it was not idle), `first` took 44.3 microseconds a "
    "pair with 100,000 pairs and 60.6 with 1,000,000 (1,443 MB), and failed with 5,000,000, "
    "because the buffer pool was full."
)
COLUMNS = {
    "pairs": "pairs",
    "case": "run",
    "cpu_seconds": "CPU s",
    "a_pair": "CPU us a pair",
    **{stage: stage for stage in STAGES},
    "file": "file",
    "written": "rows written",
    "peak_mb": "peak MB",
    "store_mb": "store MB",
}


def child(pairs: int, folder: str) -> None:
    """Fills a store in a folder, then scores it three times, each in a process of its own."""
    from citescape.store.graph_store import open_store

    store = open_store(f"{folder}/bench.lbug")
    fill_store(store, make_tables(pairs, 2 * pairs))
    store.close()
    with measure.metered() as cost:
        pass
    measure.report(cost)


def score_child(case: str, folder: str) -> None:
    """Measures one scoring of the store in a folder."""
    from citescape.importance import score as module
    from citescape.importance.config import Weighting
    from citescape.store.graph_store import open_store

    with tempfile.TemporaryDirectory() as small:
        warm = open_store(f"{small}/warm.lbug")
        fill_store(warm, make_tables(2_000, 4_000))
        module.score(warm, Weighting(types=("all",)), runs=Path(small))
        warm.close()
    spent = dict.fromkeys(STAGES, 0.0)
    for stage, names in STAGES.items():
        for name in names:
            setattr(module, name, timed(getattr(module, name), spent, stage))
    path = Path(folder, "bench.lbug")
    store = open_store(str(path))
    with measure.metered() as cost:
        result = module.score(store, Weighting(weights=CASES[case]), runs=Path(folder, "runs"))
    store.close()
    a_pair = {stage: round(1e6 * seconds / result.pairs, 2) for stage, seconds in spent.items()}
    a_pair["file"] = round(1e6 * (cost.cpu_seconds - sum(spent.values())) / result.pairs, 2)
    measure.report(
        cost,
        pairs=result.pairs,
        case=case,
        a_pair=round(1e6 * cost.cpu_seconds / result.pairs, 2),
        **a_pair,
        written=result.written,
        store_mb=round(path.stat().st_size / 2**20, 1),
    )


def timed(function: Callable[..., Any], spent: dict[str, float], stage: str) -> Callable[..., Any]:
    """The function, whose CPU seconds are added to a stage."""

    def call(*args: Any, **kwargs: Any) -> Any:
        begun = cpu_seconds()
        try:
            return function(*args, **kwargs)
        finally:
            spent[stage] += cpu_seconds() - begun

    return call


def cpu_seconds() -> float:
    """CPU seconds of all threads of this process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Measures all sizes, prints the table, writes the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="20,000 pairs")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--score", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return child(int(options.child[0]), options.child[1])
    if options.score:
        return score_child(*options.score)
    rows: list[measure.Row] = []
    for pairs in (20_000,) if options.quick else SIZES:
        with tempfile.TemporaryDirectory() as folder:
            measure.run_alone(__file__, "--child", pairs, folder)
            rows += [measure.run_alone(__file__, "--score", case, folder) for case in CASES]
    measure.print_table(rows, COLUMNS)
    if options.quick:
        return
    libraries = ("ladybug", "numpy", "numba", "pyarrow")
    path = measure.write_results(
        "score_store", rows, libraries=libraries, notes=NOTES + BEFORE, columns=COLUMNS
    )
    print(f"\nwritten to {path}")


if __name__ == "__main__":
    main()
