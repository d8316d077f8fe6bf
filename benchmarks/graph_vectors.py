"""Nearest papers by graph embeddings: combinations of source and target vectors.

    python benchmarks/graph_vectors.py            three seeds, some minutes
    python benchmarks/graph_vectors.py --quick    one seed, results not kept

A tenth of the citing papers of the ACL Anthology Network and 3% of the other citations are held
out. The nearest papers by vectors of the rest are evaluated on these citations and on titles.
"""

from __future__ import annotations

import argparse
import json
import re
from itertools import permutations
from statistics import mean
from typing import Any

import measure
import numpy as np
from graph_embed import DATA, DIMENSIONS, OWN, read_edges, read_ids

TITLES = DATA / "aan" / "acl-metadata.txt"
SEEDS = (1, 2, 3)
NEAREST, ALIKE, MOST_REFERENCES = 20, 10, 30
SETTINGS: dict[str, dict[str, Any]] = {
    "two tables": {},
    "two tables, not corrected": OWN["citescape, not corrected"],
    "one table": OWN["citescape, one table"],
    "one table, undirected": {"tables": "shared", "undirected": True},
    "one table, settings of SciNCL": OWN["citescape, settings of SciNCL"],
}
NOTES = (
    "ACL Anthology Network, d = 128, mean of three seeds. `co-cited` takes pairs of "
    "references of held-out papers: the share of pairs in which one is among the 20 nearest "
    "papers of the other. `citing` is the same for held-out citations, searched from both ends; "
    "a paper without a vector retrieves nothing. `titles` is the mean TF-IDF cosine between the "
    "title of a paper and those of its 10 nearest papers; the vectors have not seen titles. It "
    "is given for papers that cite and are cited, only cite, or are only cited. A vector without "
    "any training signal is 0."
)
COLUMNS = {
    "peer": "vectors",
    "papers": "papers with vector",
    "together": "co-cited",
    "citing": "citing",
    "both": "titles: both",
    "cites": "only cite",
    "cited": "only cited",
}


class Judge:
    """A graph with held-out citations, and its evaluation."""

    def __init__(self, seed: int) -> None:
        from citescape.encoders.link_prediction import hold_out

        edges, chance = read_edges(), np.random.default_rng(seed)
        citing = np.unique(edges.sources)
        unwritten = chance.choice(citing, len(citing) // 10, replace=False)
        left = np.isin(edges.sources, unwritten)
        self.split = hold_out(edges.select_rows(~left), share=0.03, seed=seed)
        train = self.split.train
        self.cites = np.bincount(train.sources, minlength=edges.nodes)
        self.cited = np.bincount(train.targets, minlength=edges.nodes)
        pairs: set[tuple[int, int]] = set()
        for paper in unwritten:
            references = edges.targets[edges.sources == paper]
            references = references[self.cited[references] > 0]
            if len(references) <= MOST_REFERENCES:
                pairs |= set(permutations(references.tolist(), 2))
        self.together = np.array(sorted(pairs))
        self.titles = read_titles()

    def judge(self, vectors: np.ndarray) -> measure.Row:
        """Metrics of the nearest papers."""
        nearest = find_nearest(vectors)
        held = self.split.held
        ends = np.concatenate(
            [np.stack([held.sources, held.targets], 1), np.stack([held.targets, held.sources], 1)]
        )
        groups = {
            "both": (self.cites > 0) & (self.cited > 0),
            "cites": (self.cites > 0) & (self.cited == 0),
            "cited": (self.cites == 0) & (self.cited > 0),
        }
        return {
            "papers": int(((nearest[:, 0] >= 0) & (self.cites + self.cited > 0)).sum()),
            "together": share_found(nearest, self.together),
            "citing": share_found(nearest, ends),
            **{name: self.title_similarity(nearest, group) for name, group in groups.items()},
        }

    def title_similarity(self, nearest: np.ndarray, group: np.ndarray) -> float | None:
        """Mean title similarity of papers of a group; None if most have no vector."""
        titled = np.diff(self.titles.indptr) > 0
        rows = np.flatnonzero(group & titled & (nearest[:, 0] >= 0))
        if len(rows) < group.sum() / 2:
            return None
        found = [
            self.titles[rows].multiply(self.titles[nearest[rows, k]]).sum() for k in range(ALIKE)
        ]
        return float(sum(found) / ALIKE / len(rows))


def read_titles() -> Any:
    """TF-IDF of the titles, (papers, words), rows of length 1."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    text = TITLES.read_text(encoding="latin-1")
    pattern = r"^id = \{(.*?)\}\n(?:\w+ = .*\n)*?title = \{(.*?)\}"
    found = dict(re.findall(pattern, text, re.MULTILINE))
    titles = [found.get(id_, "") for id_ in read_ids()]
    return TfidfVectorizer(sublinear_tf=True, stop_words="english").fit_transform(titles)


def find_nearest(vectors: np.ndarray) -> np.ndarray:
    """(papers, 20) by cosine; -1 for those without a vector."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    there = lengths[:, 0] > 0
    unit = (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    nearest = np.full((len(unit), NEAREST), -1)
    for first in range(0, len(unit), 1000):
        rows = np.arange(first, min(first + 1000, len(unit)))
        scores = unit[rows] @ unit.T
        scores[:, ~there] = -2
        scores[np.arange(len(rows)), rows] = -2
        top = np.argpartition(-scores, NEAREST, axis=1)[:, :NEAREST]
        order = np.argsort(-np.take_along_axis(scores, top, 1), axis=1, kind="stable")
        nearest[rows] = np.take_along_axis(top, order, 1)
    nearest[~there] = -1
    return nearest


def share_found(nearest: np.ndarray, pairs: np.ndarray) -> float:
    """Share of pairs (i, j) with j among the nearest of i."""
    return float((nearest[pairs[:, 0]] == pairs[:, 1:]).any(1).mean())


def child(setting: str, seeds: list[int]) -> None:
    """One setting with all combinations of its tables and all seeds."""
    import pyarrow as pa

    from citescape.embeddings.graph_compose import compose_vectors
    from citescape.encoders.graph import fit
    from citescape.encoders.graph_config import WAYS, GraphConfig

    runs = []
    for seed in seeds:
        judge = Judge(seed)
        config = GraphConfig(dimensions=DIMENSIONS, seed=seed, threads=1, **SETTINGS[setting])
        with measure.metered() as cost:
            embedding = fit(judge.split.train, config)
        papers = pa.table({"cites": judge.cites, "cited": judge.cited})
        tables = (embedding.sources, embedding.targets)
        ways = WAYS if config.tables == "two" else WAYS[:1]
        runs.append(
            {
                way: judge.judge(compose_vectors(papers, tables, way=way, graph=config))
                for way in ways
            }
        )
    measure.report(cost, runs=runs)


def compare(seeds: tuple[int, ...]) -> list[measure.Row]:
    """A row per setting and combination, with means over the seeds."""
    rows = []
    for setting in SETTINGS:
        runs = measure.run_alone(__file__, "--child", setting, json.dumps(seeds))["runs"]
        for way in runs[0]:
            figures = [run[way] for run in runs]
            name = f"{setting}: {way}" if len(runs[0]) > 1 else setting
            rows.append({"peer": name, **{k: average(figures, k) for k in figures[0]}})
    return rows


def average(figures: list[measure.Row], name: str) -> float | int | None:
    """The mean of a metric, if all runs have it."""
    values = [figure[name] for figure in figures]
    if None in values:
        return None
    found = float(mean(values))
    return round(found) if name == "papers" else round(found, 4)


def main() -> None:
    """Runs the comparison, prints the table, writes the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one seed")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return child(options.child[0], json.loads(options.child[1]))
    rows = compare(SEEDS[:1] if options.quick else SEEDS)
    measure.print_table(rows, COLUMNS)
    if options.quick:
        return
    libraries = ("numpy", "torch", "scikit-learn")
    path = measure.write_results(
        "graph_vectors", rows, libraries=libraries, notes=NOTES, columns=COLUMNS
    )
    print(f"\nwritten to {path}")


if __name__ == "__main__":
    main()
