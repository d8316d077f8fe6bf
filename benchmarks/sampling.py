"""Triplets by importance (CIA, Algorithm 1): citescape, dicts, networkx and prepared Cypher.

    python benchmarks/sampling.py            1.2 million triplets of 10 million citations, minutes
    python benchmarks/sampling.py --quick    a tenth of it, results not kept

The importance of positives and hard negatives and their ranks must be equal for all peers. The
choice among equally important references, and random negatives, differ.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import measure
import numpy as np

K, H = 5, 2
TRIPLETS = 1_200_000
"""240,000 anchors (CIA, section 4.1.1)."""
EDGES = 10_000_000
"""Citations of a million papers."""
CYPHER_EDGES, CYPHER_ANCHORS = 500_000, 1_000
NETWORKX_ANCHORS = 24_000
ROLES = ("anchor", "positive", "negative")
NOTES = (
    "Algorithm 1 with K = 5 and H = 2. Anchors are taken in random order until there are enough "
    "triplets, and contradictory pairs are dropped (not in the last two rows). Importance is "
    "computed from four counts, so equal scores are frequent. citescape starts from citations in "
    "CSR order. `sorting rows` is the cost of bringing rows with string ids into that order; "
    "shuffled rows give the same bytes. Peers start from prepared structures: a dict of lists, a "
    "networkx graph of the anchors alone, an indexed ladybug store of 500,000 citations from "
    "which one prepared query per anchor reads its references in order. networkx processes "
    "24,000 anchors and Cypher 1,000; `CPU s` extrapolates these to 1.2 million triplets. All "
    "peers give positives and hard negatives of the same importance at the same ranks. Among "
    "references of equal importance citescape draws by a hash of seed and ids; peers take the "
    "order of ids."
)
COLUMNS = {
    "peer": "peer",
    "triplets": "triplets drawn",
    "measured_seconds": "CPU s measured",
    "cpu_seconds": f"CPU s, {TRIPLETS:,} triplets",
    "times_slower": "times slower",
    "extra_mb": "peak MB above inputs",
    "dropped": "contradictory, dropped",
    "sorting_seconds": "sorting rows, CPU s",
}
CYPHER = (
    "MATCH (:Paper {id: $id})-[pair:CITES]->(cited:Paper) "
    "RETURN cited.id AS cited ORDER BY pair.importance DESC, cited.id"
)
Rows = list[tuple[int, int, int, int]]
"""Anchor, positive, its rank, and the hard negative or -1."""


def make_table(edges: int, *, shuffled: bool = False, seed: int = 0) -> Any:
    """Rows citing, cited, weight: ten citations per paper; popular works are cited more often."""
    import pyarrow as pa

    chance = np.random.default_rng(seed)
    papers = edges // 10
    citing = chance.integers(0, papers, int(edges * 1.1))
    cited = (papers * chance.random(len(citing)) ** 2).astype(np.int64)
    keys = np.unique((citing * papers + cited)[citing != cited])
    keys = np.sort(chance.choice(keys, min(edges, len(keys)), replace=False))
    counts = chance.poisson(0.8, (len(keys), 4))
    weight = counts @ np.array([0.22, 0.26, 0.24, 0.28])
    if shuffled:
        order = np.random.default_rng(1).permutation(len(keys))
        keys, weight = keys[order], weight[order]
    ends = (named(keys // papers), named(keys % papers))
    return pa.table({"citing": ends[0], "cited": ends[1], "weight": weight})


def named(codes: np.ndarray) -> Any:
    """Ids of equal length, so that they sort like their numbers."""
    import pyarrow as pa
    import pyarrow.compute as pc

    return pc.binary_join_element_wise(
        "p", pc.utf8_lpad(pa.array(codes).cast(pa.string()), 8, "0"), ""
    )


def sample(citations: Any, triplets: int | None, contradictions: str = "drop") -> Any:
    """The sampler of the package; all papers have a text."""
    from citescape.sampling.config import ImportanceConfig, SamplingConfig
    from citescape.sampling.importance import sample_importance

    return sample_importance(
        citations,
        np.ones(len(citations.ids), np.bool_),
        ImportanceConfig(K, H, contradictions=contradictions),
        sampling=SamplingConfig(triplets=triplets),
    )


def core(triplets: Any) -> np.ndarray:
    """Values that do not depend on random numbers or ties: (triplets, 4), sorted.

    Anchor, importance of the positive, its rank, importance of a hard negative or -1.
    """
    hard = np.where(triplets.negative_rank > 0, triplets.negative_score, -1)
    columns = (triplets.anchor, triplets.positive_score, triplets.positive_rank, hard)
    return sort_rows(np.stack(columns, axis=1))


def weigh(rows: Rows, held: Mapping[int, Sequence[tuple[int, float]]]) -> np.ndarray:
    """The same values for triplets of a peer, from the references of each anchor."""
    found = []
    for anchor, positive, rank, hard in rows:
        weights = dict(held[anchor])
        found.append((anchor, weights[positive], rank, weights.get(hard, -1)))
    return sort_rows(np.array(found, np.float32))


def sort_rows(rows: np.ndarray) -> np.ndarray:
    rows = rows.astype(np.float32)
    return rows[np.lexsort(rows.T[::-1])]


def digest(rows: np.ndarray) -> str:
    return hashlib.sha256(np.ascontiguousarray(rows).tobytes()).hexdigest()


def citescape_child(edges: int, triplets: int, shuffled: bool) -> None:
    """Measures the kernel and, separately, the sorting of rows."""
    from citescape.networks.citations import build_citations

    sample(build_citations(make_table(20_000)), None)  # compiled code is loaded
    table = make_table(edges, shuffled=shuffled)
    with measure.metered() as sorting:
        citations = build_citations(table)
    with measure.metered() as cost:
        sampled = sample(citations, triplets)
    every = sample(citations, triplets, "keep").triplets
    anchors = np.unique(every.anchor)[:: max(1, len(np.unique(every.anchor)) // NETWORKX_ANCHORS)]
    found = core(every)
    measure.report(
        cost,
        triplets=len(every),
        dropped=sampled.counts["contradictory_dropped"],
        sorting_seconds=sorting.cpu_seconds,
        whole=digest(np.stack([getattr(sampled.triplets, role) for role in ROLES])),
        core=digest(found),
        some=digest(found[np.isin(found[:, 0], anchors)]),
    )


def peer_child(peer: str, edges: int, triplets: int) -> None:
    """Measures one plain implementation on the anchors that citescape uses."""
    from citescape.networks.citations import build_citations

    citations = build_citations(make_table(edges))
    anchors = np.unique(sample(citations, triplets, "keep").triplets.anchor)
    if peer == "networkx":
        anchors = anchors[:: max(1, len(anchors) // NETWORKX_ANCHORS)]
    held = {int(a): references(citations, a) for a in anchors}
    size, wanted = len(citations.ids), [int(a) for a in anchors]
    del citations
    if peer == "networkx":
        graph = make_graph(held)
        with measure.metered() as cost:
            ranked = (
                (a, sorted(graph[a], key=lambda b, a=a: (-graph[a][b]["importance"], b)))  # type: ignore[misc]
                for a in wanted
            )
            rows, _ = fill(ranked, size)
        measure.report(cost, triplets=len(rows), some=digest(weigh(rows, held)))
        return
    with measure.metered() as cost:
        ranked = (
            (a, [b for b, _ in sorted(held[a], key=lambda pair: (-pair[1], pair[0]))])
            for a in wanted
        )
        rows, negatives = fill(ranked, size)
        kept = drop_contradictory(rows, negatives)
    measure.report(
        cost, triplets=len(rows), dropped=len(rows) - kept, core=digest(weigh(rows, held))
    )


def references(citations: Any, anchor: int) -> list[tuple[int, float]]:
    low, high = citations.indptr[anchor], citations.indptr[anchor + 1]
    return list(
        zip(citations.cited[low:high].tolist(), citations.weights[low:high].tolist(), strict=True)
    )


def make_graph(held: dict[int, list[tuple[int, float]]]) -> Any:
    import networkx

    graph = networkx.DiGraph()
    for anchor, cited in held.items():
        graph.add_edges_from((anchor, paper, {"importance": value}) for paper, value in cited)
    return graph


def fill(ranked: Iterable[tuple[int, list[int]]], papers: int) -> tuple[Rows, list[int]]:
    """Algorithm 1, lines 4-18, in plain Python, and the negative of each triplet."""
    chance = random.Random(0)
    rows: Rows = []
    negatives: list[int] = []
    for anchor, order in ranked:
        barred = {anchor, *order}
        for i in range(K):
            hard = order[-1 - i] if i < H else -1
            negative = hard
            while negative < 0:
                drawn = chance.randrange(papers)
                negative = -1 if drawn in barred else drawn
            barred.add(negative)
            rows.append((anchor, order[i], i + 1, hard))
            negatives.append(negative)
    return rows, negatives


def drop_contradictory(rows: Rows, negatives: list[int]) -> int:
    """Number of triplets left after line 19, computed with sets of pairs."""
    close = [(min(a, p), max(a, p)) for a, p, _, _ in rows]
    far = [(min(row[0], n), max(row[0], n)) for row, n in zip(rows, negatives, strict=True)]
    both = set(close) & set(far)
    return sum(p not in both and n not in both for p, n in zip(close, far, strict=True))


def cypher_child(edges: int, count: int) -> None:
    """Measures a prepared query per anchor on a ladybug store; the client samples random papers."""
    import ladybug

    from citescape.networks.citations import build_citations
    from citescape.store.graph_store import open_store

    table = make_table(edges)
    citations = build_citations(table)
    every = core(sample(citations, None, "keep").triplets)
    anchors = random.Random(0).sample(np.unique(every[:, 0]).astype(int).tolist(), count)
    ids = citations.ids.to_pylist()
    code = {id_: k for k, id_ in enumerate(ids)}
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "bench.lbug")
        store = open_store(path)
        insert(store, table, citations.ids)
        store.close()
        connection = ladybug.Connection(ladybug.Database(path))
        prepared = connection.prepare(CYPHER)

        def ranked(chosen: list[int]) -> Iterator[tuple[int, list[int]]]:
            for anchor in chosen:
                found: Any = connection.execute(prepared, {"id": ids[anchor]})
                yield anchor, [code[row[0]] for row in found]

        fill(ranked(anchors[:50]), len(ids))
        with measure.metered() as cost:
            rows, _ = fill(ranked(anchors), len(ids))
    expected = every[np.isin(every[:, 0], anchors)]
    held = {anchor: references(citations, anchor) for anchor in anchors}
    if digest(weigh(rows, held)) != digest(expected):
        raise RuntimeError("Cypher found other references")
    measure.report(cost, triplets=len(rows))


def insert(store: Any, table: Any, ids: Any) -> None:
    """Papers and their citations with importance."""
    import pyarrow as pa

    from citescape.store.graph_store import Change
    from citescape.store.schema import TABLE

    given = {
        "Paper": {"id": ids},
        "CITES": {"from": table["citing"], "to": table["cited"], "importance": table["weight"]},
    }
    for name, columns in given.items():
        schema = TABLE[name].arrow
        rows = len(next(iter(columns.values())))
        found = {n: columns.get(n, pa.nulls(rows)) for n in schema.names}
        store.apply([Change("insert", name, pa.table(found).cast(schema))])


def compare(scale: int) -> list[measure.Row]:
    """A row per peer; their results must agree."""
    edges, triplets = EDGES // scale, TRIPLETS // scale
    peers = {
        "citescape": ("--own", edges, triplets, 0),
        "citescape, rows shuffled": ("--own", edges, triplets, 1),
        "dict of lists": ("--peer", "dicts", edges, triplets),
        "networkx": ("--peer", "networkx", edges, triplets),
        "Cypher on ladybug": ("--cypher", CYPHER_EDGES // scale, CYPHER_ANCHORS // scale),
    }
    rows = [{"peer": n, **measure.run_alone(__file__, *words)} for n, words in peers.items()]
    own, shuffled, dicts, networkx, _ = rows
    if own["whole"] != shuffled["whole"]:
        raise RuntimeError("shuffled rows gave other triplets")
    if own["core"] != dicts["core"] or own["some"] != networkx["some"]:
        raise RuntimeError("a peer found other positives, hard negatives or ranks")
    return [finish(row, own) for row in rows]


def finish(row: measure.Row, own: measure.Row) -> measure.Row:
    """Extrapolates CPU seconds to all triplets."""
    whole = row["cpu_seconds"] * own["triplets"] / row["triplets"]
    return row | {
        "measured_seconds": row["cpu_seconds"],
        "cpu_seconds": round(whole, 3),
        "times_slower": round(whole / own["cpu_seconds"], 1),
    }


def main() -> None:
    """Runs the comparison, prints the table, writes the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the sizes")
    parser.add_argument("--own", nargs=3, type=int, help=argparse.SUPPRESS)
    parser.add_argument("--peer", nargs=3, help=argparse.SUPPRESS)
    parser.add_argument("--cypher", nargs=2, type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.own:
        return citescape_child(*options.own)
    if options.peer:
        return peer_child(options.peer[0], int(options.peer[1]), int(options.peer[2]))
    if options.cypher:
        return cypher_child(*options.cypher)
    rows = compare(10 if options.quick else 1)
    measure.print_table(rows, COLUMNS)
    if options.quick:
        return
    libraries = ("numpy", "numba", "pyarrow", "networkx", "ladybug")
    path = measure.write_results(
        "sampling", rows, libraries=libraries, notes=NOTES, columns=COLUMNS
    )
    print(f"\nwritten to {path}")


if __name__ == "__main__":
    main()
