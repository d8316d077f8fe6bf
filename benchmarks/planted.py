"""Agreement of networks with planted topics, over several worlds of the demo generator.

    python benchmarks/planted.py            six worlds of 120 and of 300 papers; some ten minutes
    python benchmarks/planted.py --quick    one world of 50, results not kept

Each world is generated, ingested, scored, and embedded by an encoder trained on it, like in
`platform demo`. Networks are then clustered into as many communities as there are planted topics.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

import measure
import numpy as np

SIZES, WORLDS, SEEDS = (120, 300), 6, 5
FIRST, SECOND = "importance", "citation"
T95 = {5: 2.571}
"""97.5% quantiles of Student's t by degrees of freedom: number of worlds minus 1."""
NOTES = (
    "Adjusted Rand index between communities and planted topics: mean and standard deviation "
    "over 6 worlds (seeds 0 to 5 of the generator); the figure of each world is the mean over 5 "
    "seeds of Leiden. The last row of each size is the difference between importance and "
    "citation, world by world, with the 95% interval of the mean difference (Student's t) and "
    "the number of worlds in which it is above 0. Texts are generated and reveal their topic in "
    "nearly every sentence, so `knn` and `bm25` have high values by design. This checks the "
    "code; it is no evidence about science."
)
COLUMNS = {
    "papers": "full texts",
    "kind": "network",
    "mean": "mean",
    "deviation": "deviation",
    "lowest": "lowest",
    "highest": "highest",
    "interval": "95% interval",
    "above": "worlds above 0",
}
Agreements = dict[str, list[float]]
"""Kind of network -> (worlds,)."""


def run_one(papers: int, seed: int) -> None:
    """Reports the agreement of each network with the topics of one world."""
    from citescape.corpus import open_corpus
    from citescape.demo.jats_writer import write_corpus
    from citescape.demo.learn import learn
    from citescape.demo.mapped import compare_networks
    from citescape.demo.world import generate_world

    with tempfile.TemporaryDirectory() as name, measure.metered() as cost:
        folder = Path(name)
        world = generate_world(papers=papers, seed=seed)
        write_corpus(world, folder / "papers")
        with open_corpus(folder / "demo.lbug", runs=folder / "runs", create=True) as corpus:
            corpus.ingest(folder / "papers")
            corpus.score()
            learn(corpus)
            found = compare_networks(corpus, world, seeds=SEEDS)
    measure.report(cost, agreement={network.kind: network.mean for network in found})


def summarise(papers: int, found: Agreements) -> list[measure.Row]:
    """A row per network, and a row for the difference of two networks."""
    rows = [summarise_one(papers, kind, values) for kind, values in found.items()]
    lead = np.subtract(found[FIRST], found[SECOND]).tolist()
    half = interval(lead)
    row = summarise_one(papers, f"{FIRST} - {SECOND}", lead)
    row["interval"] = f"{row['mean'] - half:+.3f} to {row['mean'] + half:+.3f}"
    return [*rows, {**row, "above": f"{sum(difference > 0 for difference in lead)} of {len(lead)}"}]


def summarise_one(papers: int, kind: str, values: list[float]) -> measure.Row:
    """Mean and standard deviation over worlds."""
    spread = float(np.std(values, ddof=1)) if len(values) > 1 else None
    moments = {"mean": float(np.mean(values)), "deviation": spread}
    return {
        "papers": papers,
        "kind": kind,
        **moments,
        "lowest": min(values),
        "highest": max(values),
    }


def interval(lead: list[float]) -> float:
    """Half the width of the 95% interval of a mean; NaN for other numbers of worlds."""
    error = float(np.std(lead, ddof=1) / np.sqrt(len(lead))) if len(lead) > 1 else np.nan
    return T95.get(len(lead) - 1, np.nan) * error


def compare(papers: int, worlds: int) -> list[measure.Row]:
    """All worlds of one size, each in a separate process."""
    found: Agreements = {}
    for seed in range(worlds):
        row = measure.run_alone(__file__, "--one", papers, seed)
        print(f"{papers} papers, world {seed}: {json.dumps(row)}", flush=True)
        for kind, value in row["agreement"].items():
            found.setdefault(kind, []).append(value)
    return summarise(papers, found)


def main() -> None:
    """Runs all sizes, prints the table, writes the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--one", nargs=2, type=int)
    given = parser.parse_args()
    if given.one:
        run_one(*given.one)
        return
    sizes, worlds = ((50,), 1) if given.quick else (SIZES, WORLDS)
    rows = [row for papers in sizes for row in compare(papers, worlds)]
    measure.print_table(rows, COLUMNS)
    if not given.quick:
        libraries = ("citescape", "igraph", "numpy", "torch")
        measure.write_results("planted", rows, libraries=libraries, notes=NOTES, columns=COLUMNS)


if __name__ == "__main__":
    main()
