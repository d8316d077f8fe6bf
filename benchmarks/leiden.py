"""Communities: the Leiden algorithm of igraph and leidenalg in citescape, and of CWTS.

    python benchmarks/leiden.py                     two networks of 100,000 papers, one of 1,000,000
    python benchmarks/leiden.py --network FOLDER    also one of `platform network build`; its rows
                                                    are kept by later runs without it
    python benchmarks/leiden.py --quick             a tenth of the first two, results not kept

All peers read the same network from a file and cluster it by CPM at the same resolution. Quality is
computed by `compute_quality` of citescape. CWTS networkanalysis runs in a separate process as its
manual describes; Maven fetches its jars once.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import measure
import numpy as np
import synthetic

JARS = Path.home() / ".cache" / "citescape" / "networkanalysis"
ARTIFACTS = ("nl.cwts:networkanalysis:1.3.0", "it.unimi.dsi:fastutil-core:8.5.12")
MAIN = "nl.cwts.networkanalysis.run.RunNetworkClustering"
CWTS = "CWTS networkanalysis"
PEERS = (("igraph", 2), ("igraph", 10), ("leidenalg", 2), ("leidenalg", 10), (CWTS, 10))
"""Engine and passes; ten is the default of citescape and CWTS, two that of the libraries."""
SWEEP = 10
CORPUS = "of a corpus"
NOTES = (
    "`planted`: communities of 20 to 500 papers with sizes by a power law; six of ten links lead "
    "anywhere, weights are .5 to 1. `nearest`: the 20 nearest papers by the cosine of vectors of "
    "12 dimensions, in overlapping clusters. `CPU s, clustering` is the algorithm alone. `CPU s, "
    "total` also counts reading the file and building the graph of the engine, which CWTS does "
    "not report apart. `again`: whether the same seed gave the same labels in another process. A "
    "run of ten resolutions builds the graph of the engine once, which is counted; ten single "
    "runs build it each time; ten clusterings alone count no building. Reading the file is not "
    "counted in these three."
)
COLUMNS = {
    "network": "network",
    "papers": "papers",
    "edges": "edges",
    "peer": "peer",
    "passes": "passes",
    "cpu_seconds": "CPU s, clustering",
    "all_seconds": "CPU s, total",
    "extra_mb": "peak MB above network",
    "communities": "communities",
    "quality": "quality",
    "of_cwts": "quality / CWTS",
    "again": "again",
    "of_single": "total / ten single runs",
    "of_alone": "total / ten clusterings alone",
}


@dataclass(frozen=True)
class Case:
    """A network to cluster."""

    name: str
    folder: Path
    """`papers.parquet`, `edges.parquet` and `edges.tsv`."""
    resolution: float


def plant(papers: int, links: int, seed: int = 0) -> Any:
    """A network with planted communities."""
    from citescape.networks.network import build_network

    chance = np.random.default_rng(seed)
    sizes = 20 + np.minimum(chance.zipf(2.0, papers // 20), 480)
    group = np.repeat(np.arange(len(sizes)), sizes)[:papers]
    group = chance.permutation(np.pad(group, (0, papers - len(group)), mode="edge"))
    order = np.argsort(group, kind="stable")
    starts = np.searchsorted(group[order], np.arange(group.max() + 2))
    sources = chance.integers(0, papers, links)
    width = starts[group[sources] + 1] - starts[group[sources]]
    own = order[starts[group[sources]] + (chance.random(links) * width).astype(np.int64)]
    other = np.where(chance.random(links) < 0.6, chance.integers(0, papers, links), own)
    ends = np.unique(np.sort(np.stack([sources, other]), axis=0), axis=1)
    weights = np.asarray(chance.uniform(0.5, 1.0, ends.shape[1]))
    return build_network(synthetic.name_papers(papers), (ends[0], ends[1]), weights)


def find_nearest(papers: int, seed: int = 0) -> Any:
    """Network of the 20 nearest papers by vectors in overlapping clusters."""
    from citescape.networks.nearest import link_nearest
    from citescape.search.neighbours import find_neighbours

    chance = np.random.default_rng(seed)
    centres = chance.normal(size=(papers // 50, 12)).astype(np.float32)
    values = centres[chance.integers(0, len(centres), papers)]
    values += 0.5 * chance.normal(size=values.shape).astype(np.float32)
    vectors = synthetic.as_vectors(values)
    return link_nearest(vectors.ids, find_neighbours(vectors, 20))


def keep(network: Any, name: str, folder: Path, resolution: float) -> Case:
    """Writes the network in files for all peers."""
    import pyarrow.csv as pc

    from citescape.networks.files import edge_tables, write_network

    case_folder = folder / name
    case_folder.mkdir()
    write_network(case_folder, network)
    options = pc.WriteOptions(include_header=False, delimiter="\t")
    with (case_folder / "edges.tsv").open("wb") as file:
        for table in edge_tables(network):
            pc.write_csv(table, file, options)
    return Case(name, case_folder, resolution)


def fetch_jars() -> bool:
    """Whether CWTS networkanalysis is available; Maven fetches it if necessary."""
    if not shutil.which("java"):
        print("no java, CWTS networkanalysis is left out")
        return False
    for artifact in ARTIFACTS:
        name, version = artifact.split(":")[1:]
        if not (JARS / f"{name}-{version}.jar").exists():
            goal = ["dependency:copy", f"-Dartifact={artifact}", f"-DoutputDirectory={JARS}"]
            if not shutil.which("mvn") or subprocess.run(["mvn", "-q", "-B", *goal]).returncode:
                print("no jars from Maven, CWTS networkanalysis is left out")
                return False
    return True


def child(engine: str, passes: str, folder: str, resolution: str) -> None:
    """Clusters by one library."""
    from citescape.mapping.communities.leiden import find_communities, prepare
    from citescape.mapping.communities.quality import compute_quality
    from citescape.networks.files import read_network

    find_communities(prepare(plant(2000, 10_000), engine=engine), 0.1)
    begun = time.process_time()
    network = read_network(Path(folder))
    with measure.metered() as whole:
        prepared = prepare(network, engine=engine)
        built, clock = time.process_time(), time.perf_counter()
        found = find_communities(prepared, float(resolution), iterations=int(passes), seed=1)
        ended, stopped = time.process_time(), time.perf_counter()
    cost = measure.Cost(ended - built, stopped - clock, whole.peak_mb, whole.extra_mb)
    measure.report(
        cost,
        all_seconds=ended - begun,
        papers=len(network),
        edges=network.edges,
        communities=len(found),
        quality=compute_quality(network, found.labels, float(resolution)),
        fingerprint=found.fingerprint(),
    )


def child_cwts(passes: str, folder: str, resolution: str) -> None:
    """Clusters by CWTS networkanalysis."""
    from citescape.mapping.communities.clustering import order_labels
    from citescape.mapping.communities.quality import compute_quality
    from citescape.networks.files import read_network

    network, out = read_network(Path(folder)), Path(folder) / "labels.tsv"
    command = [
        *("java", "-Xmx10g", "-cp", f"{JARS}/*", MAIN, "-q", "CPM", "-r", resolution, "-w"),
        *("-i", passes, "--seed", "1", "-o", str(out), str(Path(folder) / "edges.tsv")),
    ]
    begun = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    wall = time.perf_counter() - begun
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    nodes, labels = np.loadtxt(out, np.int64, delimiter="\t").T
    membership = np.arange(len(network)) + len(network)  # papers without edges are not written
    membership[nodes] = labels
    found = order_labels(network.ids, membership)
    measure.report(
        measure.Cost(peak_mb=used.ru_maxrss / 1024),
        cpu_seconds=None,
        wall_seconds=None,
        all_wall_seconds=wall,
        all_seconds=used.ru_utime + used.ru_stime,
        papers=len(network),
        edges=network.edges,
        communities=len(found),
        quality=compute_quality(network, found.labels, float(resolution)),
        fingerprint=found.fingerprint(),
        extra_mb=None,
    )


def child_sweep(folder: str, resolution: str) -> None:
    """Ten resolutions with one graph, and ten single runs that each build the graph."""
    from citescape.mapping.communities.leiden import find_communities, prepare
    from citescape.networks.files import read_network

    find_communities(prepare(plant(2000, 10_000)), 0.1)
    network = read_network(Path(folder))
    series = np.geomspace(0.1, 10, SWEEP) * float(resolution)
    alone = builds = 0.0
    for value in series:
        begun = time.process_time()
        prepared = prepare(network)
        built = time.process_time()
        find_communities(prepared, float(value))
        alone += time.process_time() - built
        builds += built - begun
    del prepared
    with measure.metered() as cost:
        prepared = prepare(network)
        for value in series:
            find_communities(prepared, float(value))
    spent = {"single_seconds": alone, "build_seconds": builds}
    measure.report(cost, papers=len(network), edges=network.edges, **spent)


def compare(case: Case, peers: tuple[tuple[str, int], ...]) -> Iterator[measure.Row]:
    """Runs each peer twice, to check whether labels are the same."""
    for engine, passes in peers:
        given = ("--cwts", passes) if engine == CWTS else ("--child", engine, passes)
        row, again = (
            measure.run_alone(__file__, *given, case.folder, case.resolution) for _ in range(2)
        )
        same = row.pop("fingerprint") == again["fingerprint"]
        row |= {"network": case.name, "peer": engine, "passes": passes}
        row["again"] = "same" if same else "others"
        print(row, flush=True)
        yield row


def sweep(case: Case) -> measure.Row:
    """Ten resolutions by igraph."""
    row = measure.run_alone(__file__, "--sweep", case.folder, case.resolution)
    row |= {"network": case.name, "peer": "igraph, ten resolutions", "passes": 10}
    row["all_seconds"] = row["cpu_seconds"]
    row["of_single"] = row["all_seconds"] / (row["single_seconds"] + row["build_seconds"])
    row["of_alone"] = row["all_seconds"] / row["single_seconds"]
    row["cpu_seconds"] = None
    print(row, flush=True)
    return row


def with_shares(rows: list[measure.Row]) -> list[measure.Row]:
    """Adds the quality relative to CWTS, if that was run."""
    best = {row["network"]: row["quality"] for row in rows if row["peer"] == CWTS}
    return [
        row
        | {
            "quality": f"{row['quality']:.5f}",
            "of_cwts": f"{row['quality'] / best[row['network']]:.5f}",
        }
        if row["network"] in best and "quality" in row
        else row
        for row in rows
    ]


def run(folder: Path, *, papers: int, real: Path | None, large: bool) -> list[measure.Row]:
    """Runs all available networks and peers."""
    from citescape.networks.files import read_network

    known = fetch_jars()
    there = {name: importlib.util.find_spec(name) is not None for name in ("igraph", "leidenalg")}
    peers = tuple(name for name in PEERS if there.get(name[0], known))
    cases = [
        keep(plant(papers, 11 * papers), "planted", folder, 0.01),
        keep(find_nearest(papers), "nearest", folder, 0.2),
    ]
    if real:
        cases.append(keep(read_network(real), CORPUS, folder, 0.02))
    rows = [row for case in cases for row in compare(case, peers)]
    rows += [sweep(case) for case in cases]
    if large:
        case = keep(plant(10 * papers, 110 * papers), "planted, large", folder, 0.01)
        rows += compare(case, tuple(name for name in peers if name in (("igraph", 10), (CWTS, 10))))
    return with_shares(rows)


def name_network(folder: Path) -> str:
    """Run and settings of the network of a corpus, for the notes."""
    from citescape.runs.directory import read_run

    record = read_run(folder)
    recipe = ", ".join(f"{name} {value}" for name, value in record.config.items() if value)
    return f"`{CORPUS}`: {record.id} ({recipe}), measured on {date.today().isoformat()}."


def read_corpus() -> tuple[list[measure.Row], str]:
    """Rows of a corpus in the last results with their description; empty if missing."""
    path = measure.RESULTS / "leiden.json"
    found = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    if not found.get("corpus"):
        return [], ""
    return [row for row in found["rows"] if row["network"] == CORPUS], found["corpus"]


def main() -> None:
    """Runs the comparison, prints the table, writes the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth, without the largest")
    parser.add_argument("--network", type=Path, help="run of `platform network build`")
    parser.add_argument("--child", nargs=4, help=argparse.SUPPRESS)
    parser.add_argument("--cwts", nargs=3, help=argparse.SUPPRESS)
    parser.add_argument("--sweep", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    for given, work in ((options.child, child), (options.cwts, child_cwts)):
        if given:
            return work(*given)
    if options.sweep:
        return child_sweep(*options.sweep)
    papers = 10_000 if options.quick else 100_000
    with tempfile.TemporaryDirectory() as folder:
        rows = run(Path(folder), papers=papers, real=options.network, large=not options.quick)
    measure.print_table(rows, COLUMNS)
    if options.quick:
        return
    kept, corpus = ([], name_network(options.network)) if options.network else read_corpus()
    libraries = [
        library for library in ("igraph", "leidenalg") if importlib.util.find_spec(library)
    ]
    path = measure.write_results(
        "leiden",
        [*rows, *kept],
        libraries=["numpy", "scipy", *libraries],
        versions={"networkanalysis": ARTIFACTS[0].rpartition(":")[2]},
        notes=f"{NOTES} {corpus}".strip(),
        columns=COLUMNS,
        corpus=corpus,
    )
    print(f"\nwritten to {path}")


if __name__ == "__main__":
    main()
