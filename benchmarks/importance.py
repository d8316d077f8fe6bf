"""Importance of citations: citescape, polars, pandas, DuckDB and plain Cypher.

    python benchmarks/importance.py            both sizes of the paper's order, a few minutes
    python benchmarks/importance.py --quick    a tenth of it, results not kept

All peers get the same integer tables in memory (pairs, in-text citations, authorships) and return
counts by section type, self-citation, entropy weights and scores, which must agree.
"""

from __future__ import annotations

import argparse
import math
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import measure
import numpy as np

from citescape.core.types import SECTION_TYPES

COMPONENTS = ("I", "R", "D", "S")
PAPER_PAIRS = 67_513_443
"""Pairs scored in CIA, section 6.1: under two minutes on one core."""
SIZES = ((5_000_000, 10_000_000), (10_000_000, 15_000_000))
CYPHER_SIZE = (200_000, 400_000)
NOTES = (
    "All peers start from the same integer arrays in memory and must agree on weights and "
    "scores. The time of citescape includes sorting the pairs into CSR order; its weights are "
    "bit-identical for shuffled rows. `s for 67,513,443 pairs` is not measured: it is the CPU "
    "time extrapolated to the pairs of CIA, section 6.1 (under two minutes there). Peak memory "
    "excludes inputs and libraries. `score, store to store` reads from ladybug and writes nine "
    "properties per pair, without a warm-up; nearly all of the time is writing."
)
COLUMNS = {
    "peer": "peer",
    "pairs": "pairs",
    "mentions": "mentions",
    "cpu_seconds": "CPU s",
    "times_slower": "times slower",
    "extra_mb": "peak MB above inputs",
    "bytes_a_pair": "bytes per pair",
    "pairs_per_cpu_second": "pairs / CPU s",
    "paper_seconds": f"s for {PAPER_PAIRS:,} pairs",
}
SHARES = (0.35, 0.1, 0.2, 0.25, 0.1)
Tables = dict[str, np.ndarray]
Answer = dict[str, Any]


def make_tables(pairs: int, mentions: int, seed: int = 0) -> Tables:
    """A corpus of pairs/10 papers that cite about ten works each, popular works more often.

    Codes are dense: every paper is in a pair. Mentions are grouped by citing paper, as stores
    return them. A fifth of the papers share an author with one of the cited works.
    """
    chance = np.random.default_rng(seed)
    papers = pairs // 10
    citing = chance.integers(0, papers, int(pairs * 1.1))
    cited = (papers * chance.random(int(pairs * 1.1)) ** 2).astype(np.int64)
    keys = np.unique((citing * papers + cited)[citing != cited])
    keys = np.sort(chance.choice(keys, min(pairs, len(keys)), replace=False))
    used, dense = np.unique(np.append(keys // papers, keys % papers), return_inverse=True)
    ends = dense.astype(np.int32).reshape(2, -1)
    picked = chance.integers(0, len(keys), mentions)
    picked = picked[np.argsort(ends[0][picked], kind="stable")]
    author = chance.integers(0, len(used), 3 * len(used)).astype(np.int32)
    own = chance.choice(len(keys), len(used) // 5, replace=False)
    by_line = np.repeat(np.arange(len(used), dtype=np.int32), 3)
    return {
        "citing": ends[0],
        "cited": ends[1],
        "mention_citing": ends[0][picked],
        "mention_cited": ends[1][picked],
        "kind": chance.choice(5, mentions, p=SHARES).astype(np.uint8),
        "paper": np.append(by_line, ends[0][own]),
        "author": np.append(author, author[3 * ends[1][own]]),
    }


def run_citescape(tables: Tables) -> Answer:
    """The package's kernel, from the same arrays."""
    import pyarrow as pa

    from citescape.core.pairs import build_pairs
    from citescape.importance import counts as features
    from citescape.importance.scored import ScoredPairs
    from citescape.importance.weights import compute_weights

    ids = pa.nulls(int(max(tables["citing"].max(), tables["cited"].max())) + 1, pa.string())
    pairs = build_pairs(ids, tables["citing"], tables["cited"])
    mentions = (tables["mention_citing"], tables["mention_cited"], tables["kind"])
    counts, _ = features.count_mentions(pairs, [mentions])
    selfs = features.mark_self_citations(pairs, tables["paper"], tables["author"])
    known = features.PairFeatures(pairs, counts, selfs, features.NO_TITLES, 0)
    histograms = features.tally(known, "R")
    weights = compute_weights([histograms[name] for name in COMPONENTS], "entropy")
    scores = ScoredPairs(known, weights, "R").importance
    held = sum(array.nbytes for array in (pairs.cited, counts, selfs, scores))
    return {"weights": weights, "scores": scores, "bytes_a_pair": held / len(pairs)}


def run_shuffled(tables: Tables) -> Answer:
    """The same with rows in random order, so that rows of a citing paper are not adjacent."""
    return run_citescape(tables)


def shuffle(tables: Tables) -> Tables:
    """Pairs and mentions in random order."""
    chance = np.random.default_rng(1)
    pairs = chance.permutation(len(tables["citing"]))
    mentions = chance.permutation(len(tables["kind"]))
    mixed = {name: tables[name][pairs] for name in ("citing", "cited")}
    mixed |= {name: tables[name][mentions] for name in ("mention_citing", "mention_cited", "kind")}
    return tables | mixed


def run_polars(tables: Tables) -> Answer:
    """One lazy query for features, one for weights and scores."""
    import polars as pl

    pairs, found, wrote = (pl.LazyFrame(frame) for frame in frames(tables))
    ends = ["citing", "cited"]
    kinds = [
        (pl.col("kind") == k).sum().cast(pl.Int64).alias(name)
        for k, name in enumerate(SECTION_TYPES)
    ]
    shared = (
        pairs.join(wrote, left_on="citing", right_on="paper")
        .join(wrote, left_on=["cited", "author"], right_on=["paper", "author"], how="semi")
        .select(ends)
        .unique()
        .with_columns(S=pl.lit(1, pl.Int64))
    )
    counts = pairs.join(found.group_by(ends).agg(kinds), on=ends, how="left")
    features = counts.join(shared, on=ends, how="left").fill_null(0).collect()
    logs = [
        (pl.col(c) * pl.col(c).log()).filter(pl.col(c) > 0).sum().alias(f"log_{c}")
        for c in COMPONENTS
    ]
    sums = features.select(*[pl.col(c).sum() for c in COMPONENTS], *logs).row(0, named=True)
    weights = weights_of(features.height, sums)
    score = pl.sum_horizontal([pl.col(c) * weights[c] for c in COMPONENTS])
    return {"weights": weights, "scores": features.select(score).to_series().to_numpy()}


def run_pandas(tables: Tables) -> Answer:
    """Grouping by one integer key per pair, with one column per section type."""
    import pandas as pd

    pairs, found, wrote = (pd.DataFrame(frame) for frame in frames(tables))
    papers = np.int64(max(tables["citing"].max(), tables["cited"].max()) + 1)
    pairs["key"] = pairs["citing"].astype("int64") * papers + pairs["cited"]
    found["key"] = found["citing"].astype("int64") * papers + found["cited"]
    counts = found.groupby(["key", "kind"]).size().unstack(fill_value=0)
    features = pairs.join(counts.rename(columns=dict(enumerate(SECTION_TYPES))), on="key").fillna(0)
    by_author = pairs.merge(wrote, left_on="citing", right_on="paper")
    shared = by_author.merge(wrote, left_on=["cited", "author"], right_on=["paper", "author"])
    features["S"] = features["key"].isin(shared["key"]).astype("int64")
    sums: dict[str, float] = {}
    for name in COMPONENTS:
        x = features[name].to_numpy(np.float64)
        sums |= {name: x.sum(), f"log_{name}": (x[x > 0] * np.log(x[x > 0])).sum()}
    weights = weights_of(len(features), sums)
    scores = sum(features[name] * weights[name] for name in COMPONENTS)
    return {"weights": weights, "scores": np.asarray(scores)}


DUCKDB = """
CREATE TEMP TABLE features AS
WITH counts AS (
  SELECT citing, cited, {kinds} FROM found GROUP BY ALL
), shared AS (
  SELECT DISTINCT citing, cited FROM pairs JOIN wrote a ON a.paper = citing
  SEMI JOIN wrote b ON b.paper = cited AND b.author = a.author
)
SELECT {columns}, CAST(shared.citing IS NOT NULL AS INT) AS S
FROM pairs LEFT JOIN counts USING (citing, cited) LEFT JOIN shared USING (citing, cited)
"""


def run_duckdb(tables: Tables) -> Answer:
    """SQL over Arrow tables, with one thread per core."""
    import duckdb
    import pyarrow as pa

    database = duckdb.connect()
    for name, frame in zip(("pairs", "found", "wrote"), frames(tables), strict=True):
        database.register(name, pa.table(frame))
    kinds = ", ".join(f"count(*) FILTER (kind = {k}) AS {c}" for k, c in enumerate(SECTION_TYPES))
    columns = ", ".join(f"coalesce({c}, 0) AS {c}" for c in SECTION_TYPES)
    database.execute(DUCKDB.format(kinds=kinds, columns=columns))
    logs = [f"sum({c} * ln({c})) FILTER ({c} > 0) AS log_{c}" for c in COMPONENTS]
    totals = ", ".join([*(f"sum({c}) AS {c}" for c in COMPONENTS), *logs, "count(*) AS n"])
    found = database.execute(f"SELECT {totals} FROM features").fetchnumpy()
    sums = {name: float(np.asarray(values)[0]) for name, values in found.items()}
    weights = weights_of(int(sums["n"]), sums)
    score = " + ".join(f"{c} * {weights[c]!r}::DOUBLE" for c in COMPONENTS)
    scores = database.execute(f"SELECT {score} AS score FROM features").fetchnumpy()["score"]
    return {"weights": weights, "scores": np.asarray(scores)}


def frames(tables: Tables) -> tuple[Tables, Tables, Tables]:
    """Pairs, mentions and authorships as columns of three tables."""
    return (
        {name: tables[name] for name in ("citing", "cited")},
        {
            "citing": tables["mention_citing"],
            "cited": tables["mention_cited"],
            "kind": tables["kind"],
        },
        {name: tables[name] for name in ("paper", "author")},
    )


def weights_of(n: int, sums: dict[str, float]) -> dict[str, float]:
    """Entropy weights from n, sum x and sum x ln x of each component."""
    d = {}
    for name in COMPONENTS:
        total = sums[name]
        d[name] = 1 - (math.log(total) - sums[f"log_{name}"] / total) / math.log(n)
    return {name: value / math.fsum(d.values()) for name, value in d.items()}


PEERS: dict[str, Callable[[Tables], Answer]] = {
    "citescape": run_citescape,
    "citescape, rows shuffled": run_shuffled,
    "polars": run_polars,
    "DuckDB": run_duckdb,
    "pandas": run_pandas,
}


def child(peer: str, path: str) -> None:
    """Measures one peer on the tables at `path`, after a small warm-up."""
    tables = dict(np.load(path))
    if peer == "citescape, rows shuffled":
        tables = shuffle(tables)
    PEERS[peer](make_tables(1_000, 2_000))
    with measure.metered() as cost:
        answer = PEERS[peer](tables)
    scores = answer["scores"]
    measure.report(
        cost,
        pairs=len(scores),
        score_sum=float(np.sort(scores).sum()),
        weights=answer["weights"],
        bytes_a_pair=answer.get("bytes_a_pair"),
    )


def cypher_child(path: str, what: str) -> None:
    """Measures plain Cypher (counts and self-citation), or a whole `score` of a store."""
    from citescape.importance.score import score
    from citescape.runs.directory import read_run
    from citescape.store.graph_store import open_store
    from citescape.store.queries import query

    with tempfile.TemporaryDirectory() as folder:
        store = open_store(f"{folder}/bench.lbug")
        pairs = fill_store(store, dict(np.load(path)))
        with measure.metered() as cost:
            if what == "Cypher":
                papers = store.read(query("features/citing_papers"))["id"].to_pylist()
                figures: dict[str, float] = {"mentions": 0, "self_citations": 0}
                for start in range(0, len(papers), 2_000):
                    part = papers[start : start + 2_000]
                    counts = store.read(query("features/location"), papers=part, rules=False)
                    shared = store.read(query("features/self_citation"), papers=part)
                    figures["mentions"] += int(counts["mentions"].to_numpy().sum())
                    figures["self_citations"] += len(shared)
            else:
                result = score(store, runs=Path(folder) / "runs")
                stages = read_run(result.path).timings
                figures = {f"{stage}_seconds": stages[stage] for stage in ("read", "write")}
        measure.report(cost, pairs=pairs, **figures)
        store.close()


def fill_store(store: Any, tables: Tables) -> int:
    """Loads the tables as papers, sections, occurrences and authors; returns the pairs."""
    papers = int(max(tables["citing"].max(), tables["cited"].max())) + 1
    section = tables["mention_citing"].astype(np.int64) * len(SECTION_TYPES) + tables["kind"]
    sections, mentions = np.arange(papers * len(SECTION_TYPES)), np.arange(len(section))
    types = np.array(SECTION_TYPES)[sections % len(SECTION_TYPES)]
    authors = np.unique(tables["author"])
    insert(store, "Paper", id=named("p", np.arange(papers)))
    insert(store, "Author", id=named("a", authors))
    insert(store, "Section", id=named("s", sections), type=types)
    insert(store, "Occurrence", id=named("o", mentions))
    links = {
        "WROTE": (named("a", tables["author"]), named("p", tables["paper"])),
        "HAS_SECTION": (named("p", sections // len(SECTION_TYPES)), named("s", sections)),
        "CONTAINS": (named("s", section), named("o", mentions)),
        "REFERS_TO": (named("o", mentions), named("p", tables["mention_cited"])),
        "CITES": (named("p", tables["citing"]), named("p", tables["cited"])),
    }
    for name, (source, target) in links.items():
        insert(store, name, **{"from": source, "to": target})
    return len(tables["citing"])


def named(letter: str, codes: np.ndarray) -> Any:
    """Ids such as `p17`."""
    import pyarrow as pa
    import pyarrow.compute as pc

    return pc.binary_join_element_wise(letter, pa.array(codes).cast(pa.string()), "")


def insert(store: Any, table: str, **columns: Any) -> None:
    """Insert rows of one table; missing columns are null."""
    import pyarrow as pa

    from citescape.store.graph_store import Change
    from citescape.store.schema import TABLE

    rows = len(next(iter(columns.values())))
    schema = TABLE[table].arrow
    found = {n: columns[n] if n in columns else pa.nulls(rows) for n in schema.names}
    store.apply([Change("insert", table, pa.table(found).cast(schema))])


def compare(size: tuple[int, int], folder: str) -> list[measure.Row]:
    """A row per peer at one size; weights and scores must agree."""
    path = f"{folder}/tables.npz"
    np.savez(path, **make_tables(*size))  # type: ignore[arg-type]
    rows = [{"peer": peer, **measure.run_alone(__file__, "--child", peer, path)} for peer in PEERS]
    own = rows[0]
    for row in rows:
        agree = all(
            math.isclose(row["weights"][c], own["weights"][c], rel_tol=1e-9) for c in COMPONENTS
        )
        if not (agree and math.isclose(row["score_sum"], own["score_sum"], rel_tol=1e-9)):
            raise RuntimeError(f"{row['peer']} disagrees: {row} against {own}")
    if rows[1]["weights"] != own["weights"] or rows[1]["score_sum"] != own["score_sum"]:
        raise RuntimeError("shuffled rows gave other bits")
    return [finish(row, size, own["cpu_seconds"]) for row in rows]


def compare_cypher(size: tuple[int, int], folder: str) -> list[measure.Row]:
    """Cypher over the embedded store, and a whole `platform score`, at a smaller size."""
    path = f"{folder}/small.npz"
    np.savez(path, **make_tables(*size))  # type: ignore[arg-type]
    peers = {"Cypher on ladybug, counts and S": "Cypher", "score, store to store": "score"}
    found = [
        {"peer": peer, **measure.run_alone(__file__, "--cypher", what, path)}
        for peer, what in peers.items()
    ]
    return [finish(row, size) for row in found]


def finish(row: measure.Row, size: tuple[int, int], own: float | None = None) -> measure.Row:
    """Adds rates: pairs a CPU second, and CPU seconds for the paper's 67.5 million pairs."""
    seconds = row["cpu_seconds"]
    return row | {
        "mentions": size[1],
        "times_slower": round(seconds / own, 2) if own else None,
        "pairs_per_cpu_second": round(row["pairs"] / seconds),
        "paper_seconds": round(seconds * PAPER_PAIRS / row["pairs"], 1),
    }


def main() -> None:
    """Runs the comparison, prints the table, writes the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the sizes")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--cypher", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return child(*options.child)
    if options.cypher:
        return cypher_child(options.cypher[1], options.cypher[0])
    scale = 10 if options.quick else 1
    rows: list[measure.Row] = []
    with tempfile.TemporaryDirectory() as folder:
        for pairs, mentions in SIZES:
            rows += compare((pairs // scale, mentions // scale), folder)
        rows += compare_cypher((CYPHER_SIZE[0] // scale, CYPHER_SIZE[1] // scale), folder)
    measure.print_table(rows, COLUMNS)
    if options.quick:
        return
    libraries = ("numpy", "numba", "pyarrow", "polars", "pandas", "duckdb", "ladybug")
    path = measure.write_results(
        "importance", rows, libraries=libraries, notes=NOTES, columns=COLUMNS
    )
    print(f"\nwritten to {path}")


if __name__ == "__main__":
    main()
