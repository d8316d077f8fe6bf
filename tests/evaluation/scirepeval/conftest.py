"""A small SciRepEval in the published formats, and embeddings that correlate with its labels."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from citescape.embeddings.paper_embeddings import PaperEmbeddings, read_paper_embeddings

CHANCE = np.random.default_rng(21)
PAPERS = [f"{number}_p" for number in range(160)]
EMBEDDINGS = {paper: CHANCE.normal(size=5).astype(np.float32) for paper in PAPERS}
MISSING = tuple(PAPERS[7::19])
KNOWN = {paper: vector for paper, vector in EMBEDDINGS.items() if paper not in MISSING}
TRAIN, TEST = PAPERS[:110], PAPERS[110:]
Rows = list[dict[str, Any]]


def label(paper: str) -> int:
    return int(EMBEDDINGS[paper][0] + 0.5 * CHANCE.normal() > 0.3)


def labels(paper: str) -> list[int]:
    noisy = EMBEDDINGS[paper][:3] + 0.5 * CHANCE.normal(size=3)
    return [int(value > 0.2) for value in noisy]


def number(paper: str) -> float:
    return float(EMBEDDINGS[paper] @ np.arange(5) + 0.5 * CHANCE.normal())


def write_csv(path: Path, rows: Rows) -> None:
    path.parent.mkdir(exist_ok=True)
    with path.open("w", newline="") as opened:
        writer = csv.DictWriter(opened, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def write_jsonl(path: Path, rows: Rows) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def write_parquet(path: Path, rows: Rows) -> None:
    """Write two files, as on the Hugging Face Hub."""
    path.parent.mkdir(exist_ok=True)
    half = len(rows) // 2
    for at, part in enumerate((rows[:half], rows[half:])):
        name = f"{path.stem}-0000{at}-of-00002.parquet"
        pq.write_table(pa.Table.from_pylist(part), path.with_name(name))


def make_judgements(queries: int, candidates: int) -> Rows:
    rows = []
    for query in CHANCE.choice(PAPERS, queries, replace=False).tolist():
        for cand in CHANCE.choice([p for p in PAPERS if p != query], candidates, False).tolist():
            score = int(CHANCE.integers(0, 3))
            rows.append({"query_id": query, "cand_id": cand, "score": score})
    return rows


WRITTEN = {
    f"r {at}": CHANCE.choice(PAPERS, int(CHANCE.integers(1, 7)), False).tolist() for at in range(12)
}


def make_reviews() -> Rows:
    rows = []
    for query in CHANCE.choice(PAPERS, 9, replace=False).tolist():
        for reviewer in WRITTEN:
            score = int(CHANCE.random() < 0.4)
            rows.append({"query_id": query, "cand_id": reviewer, "score": score})
    return rows


def task(name: str, kind: str, metrics: list[str], **more: object) -> dict[str, object]:
    data = {"meta": f"{name}/meta.jsonl", "test": name}
    return {"name": name, "type": kind, "data": data, "metrics": metrics, **more}


TASKS = [
    task("one", "classification", ["f1", "accuracy"],
         few_shot=[{"sample_size": 16, "iterations": 3}]),
    task("several", "classification", ["f1_macro"], multi_label=True,
         few_shot=[{"sample_size": 5, "iterations": 2}]),
    task("number", "regression", ["kendalltau", "mse"]),
    task("near", "proximity", ["map", "ndcg"]),
    {
        "name": "search",
        "type": "adhoc_search",
        "data": {"meta": {"name": "hub/x", "config": "search"},
                 "test": {"name": "hub/x_test", "config": "search"}},
        "metrics": ["ndcg", "recip_rank", "recall_5", "ndcg_cut_10"],
    },
    {
        "name": "Paper-Reviewer Matching",
        "type": "proximity",
        "data": {"test": "matching", "reviewers": {"name": "hub/x_test", "config": "reviewers"}},
        "metrics": ["P_5", "P_10"],
    },
]  # fmt: skip


def write_scirepeval(folder: Path) -> None:
    for split, papers in (("train", TRAIN), ("test", TEST)):
        single_labels = [{"paper_id": p, "label": label(p)} for p in papers]
        write_csv(folder / "one" / f"{split}.csv", single_labels)
        several = [{"paper_id": p, "label": labels(p)} for p in papers]
        write_jsonl(folder / "several" / f"{split}.jsonl", several)
        numbers = [{"paper_id": p, "label": number(p)} for p in papers]
        write_parquet(folder / "number" / split, numbers)
    write_jsonl(folder / "near" / "test_qrel.jsonl", make_judgements(14, 20))
    write_parquet(folder / "search" / "test", make_judgements(10, 25))
    write_jsonl(folder / "matching" / "test_qrel.jsonl", make_reviews())
    written = [{"r_id": name, "papers": papers} for name, papers in WRITTEN.items()]
    write_parquet(folder / "reviewers" / "metadata", written)
    texts = [{"doc_id": p, "title": f"of {label(p)}", "abstract": None} for p in PAPERS]
    for name in ("one", "several", "number", "near"):
        write_jsonl(folder / name / "meta.jsonl", texts)
    (folder / "tasks.jsonl").write_text("\n".join(map(json.dumps, TASKS)) + "\n")


@pytest.fixture(scope="session")
def scirepeval(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scirepeval")
    write_scirepeval(folder)
    return folder


@pytest.fixture(scope="session")
def encoded(tmp_path_factory: pytest.TempPathFactory) -> PaperEmbeddings:
    path = tmp_path_factory.mktemp("e") / "e.jsonl"
    write_jsonl(path, [{"doc_id": p, "embedding": v.tolist()} for p, v in KNOWN.items()])
    return read_paper_embeddings(path)


@pytest.fixture(scope="session")
def known() -> dict[str, np.ndarray]:
    """Embeddings in double precision."""
    return {paper: vector.astype(np.float64) for paper, vector in KNOWN.items()}
