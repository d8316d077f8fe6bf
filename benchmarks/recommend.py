"""Recommending citations: a complete request, the encoding of a query, and the search alone.

    python benchmarks/recommend.py            105,863 and a million papers, half an hour, 12 GB
    python benchmarks/recommend.py --quick    10,586 papers, results not kept

Each task runs in a separate process. Vectors and words are generated: titles have 12 words,
profiles of cited papers 60 more, and query sentences 25.
"""

from __future__ import annotations

import argparse
import importlib.util
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import measure
import numpy as np
import synthetic_library as synthetic

SIZES = (105_863, 1_000_000)
"""The smaller number is that of the crops library."""
K, SINGLE, BATCH, ROUNDS, THREADS = 300, 50, 192, 3, 2
SYSTEMS = ("profiler", "bm25-profile", "calibrated", "fused")
USER, ENCODER, ENCODED = "corpus.recommend", "encoding only (MiniLM)", 32
NOTES = (
    "`corpus.recommend` takes a sentence and the title of its paper, and returns ten papers with "
    "reasons from a ladybug store. This includes the encoding of both, which the row below "
    "measures alone (all-MiniLM-L6-v2, at most 128 tokens). The other rows search with encoded "
    "queries: the best 300 of all candidates, exact, 384 dimensions. A single query uses bounds "
    "from vectors in eight bits; several queries do not. Two threads. `load` is the time from "
    "files in the page cache until queries can be answered. `first` is the first query, which "
    "prepares what later ones use. `one at a time`: the median and the 95th percentile of 50 "
    "queries. `together`: the time per query of 192 queries (of 32 in the first two rows, one "
    "after another). Every time is the best of three rounds, because other work on the machine "
    "can only add to it. `extra peak MB` counts all memory since loading, including pages of "
    "vectors that are mapped from files. FAISS Flat and numpy search by vectors alone, as "
    "`profiler` does, and read them into memory with length 1."
)
COLUMNS = {
    "peer": "system",
    "papers": "candidates",
    "load_seconds": "load, s",
    "first_seconds": "first, s",
    "median_ms": "one at a time, wall ms",
    "p95_ms": "95 %",
    "alone_cpu_ms": "CPU ms",
    "together_ms": "together, wall ms",
    "together_cpu_ms": "CPU ms, together",
    "extra_mb": "extra peak MB",
    "same": "share equal to numpy",
}
Search = Callable[[slice], Any]
"""Answers some of the queries; returns (b, k) papers."""


def prepare_user(_: str, folder: Path, __: Any) -> Search:
    """Complete requests to the package."""
    import torch

    import citescape
    from citescape.recommend.cache import RecommenderCache
    from citescape.recommend.steps import Recommend

    torch.set_num_threads(THREADS)
    corpus = citescape.open(folder / "synthetic.lbug")
    profiles = synthetic.open_profiles(folder).run
    corpus.context.hold(RecommenderCache).open(
        Recommend("Roots", profiles=profiles), corpus.context
    )
    texts = synthetic.make_texts(BATCH)
    return lambda part: [
        corpus.recommend(context, title=title, profiles=profiles) for context, title in texts[part]
    ]


def prepare_system(system: str, folder: Path, queries: Any) -> Search:
    """The search of the package alone."""
    from citescape.recommend.retriever import retrieve

    index = synthetic.open_profiles(folder).index
    return lambda part: (
        retrieve(index, synthetic.take(queries, part), system, k=K, threads=THREADS).papers
    )


def read_units(folder: Path) -> np.ndarray:
    """Profiles of length 1, in memory."""
    units: np.ndarray = np.load(synthetic.open_profiles(folder).path / "profiles.npy")
    units /= np.linalg.norm(units, axis=1, keepdims=True)
    return units


def prepare_numpy(_: str, folder: Path, queries: Any) -> Search:
    """Query by query."""
    units = read_units(folder)

    def search(part: slice) -> Any:
        found = []
        for query in queries.vectors[part]:
            scores = units @ (query / np.linalg.norm(query))
            best = np.argpartition(-scores, K)[:K]
            found.append(best[np.argsort(-scores[best])])
        return np.array(found)

    return search


def prepare_flat(_: str, folder: Path, queries: Any) -> Search:
    """IndexFlatIP."""
    import faiss

    faiss.omp_set_num_threads(THREADS)
    index = faiss.IndexFlatIP(synthetic.DIMENSIONS)
    index.add(read_units(folder))
    return lambda part: index.search(queries.vectors[part], K)[1]


def prepare_encoder(*_: object) -> Search:
    """Encoding of sentence and title."""
    import torch

    from citescape.core.types import Document
    from citescape.encoders.saved import encoder_settings, load_document_encoder

    torch.set_num_threads(THREADS)
    settings = replace(encoder_settings(""), max_tokens=synthetic.TOKENS)
    encode, texts = load_document_encoder("", settings), synthetic.make_texts(BATCH)

    def search(part: slice) -> None:
        for context, title in texts[part]:
            encode([Document("", context)])
            encode([Document(title)])

    return search


Prepare = Callable[[str, Path, Any], Search]
PEERS: dict[str, tuple[str, Prepare]] = {
    USER: ("torch", prepare_user),
    ENCODER: ("torch", prepare_encoder),
    **dict.fromkeys(SYSTEMS, ("citescape", prepare_system)),
    "FAISS Flat": ("faiss", prepare_flat),
    "numpy": ("numpy", prepare_numpy),
}


def measure_times(search: Search, batch: int) -> measure.Row:
    """Times of the best round, in milliseconds."""
    alone, together = [], []
    for _ in range(ROUNDS):
        times = [measure_seconds(search, slice(row, row + 1)) for row in range(SINGLE)]
        walls, cpus = 1000 * np.array(times).T
        alone.append((np.median(walls), np.percentile(walls, 95), np.median(cpus)))
        together.append(1000 * np.array(measure_seconds(search, slice(0, batch))) / batch)
    median, p95, cpu = min(alone)
    wall, whole = np.min(together, axis=0)
    names = ("median_ms", "p95_ms", "alone_cpu_ms", "together_ms", "together_cpu_ms")
    return dict(
        zip(names, (round(float(ms), 2) for ms in (median, p95, cpu, wall, whole)), strict=True)
    )


def measure_seconds(search: Search, part: slice) -> tuple[float, float]:
    """Wall and CPU seconds."""
    wall, cpu = time.perf_counter(), time.process_time()
    search(part)
    return time.perf_counter() - wall, time.process_time() - cpu


def child(peer: str, folder: Path, papers: int) -> None:
    """Measures one peer, or writes the common input files."""
    if not peer:
        synthetic.write_library(folder, papers)
        return measure.report(measure.Cost())
    queries, begun = synthetic.make_queries(BATCH), time.perf_counter()
    with measure.metered() as cost:
        search = PEERS[peer][1](peer, folder, queries)
        loaded = time.perf_counter()
        found = search(slice(0, 1))
        first = time.perf_counter()
        figures = measure_times(search, ENCODED if peer in (USER, ENCODER) else BATCH)
    figures["load_seconds"] = round(loaded - begun, 2)
    figures["first_seconds"] = round(first - loaded, 2)
    if peer in ("profiler", "FAISS Flat"):
        plain = prepare_numpy("", folder, queries)(slice(0, 1))
        figures["same"] = round(len(np.intersect1d(found, plain)) / K, 4)
    measure.report(cost, papers=None if peer == ENCODER else papers, **figures)


def main() -> None:
    """Runs the tasks, prints the table, writes the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the papers")
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        peer, folder, papers = options.child
        return child(peer, Path(folder), int(papers))
    rows = []
    for papers in (SIZES[0] // 10,) if options.quick else SIZES:
        with tempfile.TemporaryDirectory() as folder:
            measure.run_alone(__file__, "--child", "", folder, papers)
            for peer, (library, _) in PEERS.items():
                if importlib.util.find_spec(library) is None:
                    print(f"{peer}: {library} is not installed, left out")
                elif peer != ENCODER or papers != SIZES[1]:
                    row = measure.run_alone(__file__, "--child", peer, folder, papers)
                    rows.append({"peer": peer, **row})
                    print({name: rows[-1].get(name) for name in COLUMNS}, flush=True)
    measure.print_table(rows, COLUMNS)
    if not options.quick:
        libraries = ("numpy", "numba", "torch", "faiss-cpu")
        path = measure.write_results(
            "recommend", rows, libraries=libraries, notes=NOTES, columns=COLUMNS
        )
        print(f"\nwritten to {path}")


if __name__ == "__main__":
    main()
