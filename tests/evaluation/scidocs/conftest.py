"""A small SciDocs in the published format, and embeddings that correlate with its labels."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from citescape.embeddings.paper_embeddings import PaperEmbeddings, read_paper_embeddings

SPLITS = {"train": 45, "val": 20, "test": 20}
CLASSES, SHOWN = 3, 5
PROPENSITIES = [0.5, 0.25, 0.125, 0.1, 0.025]
CHANCE = np.random.default_rng(11)
PAPERS = [f"{number:04x}_p" for number in range(120)]
CLASS = {paper: number % CLASSES for number, paper in enumerate(PAPERS)}
EMBEDDINGS = {
    paper: (np.eye(4)[CLASS[paper]] + 0.6 * CHANCE.normal(size=4)).astype(np.float32)
    for paper in PAPERS
}
MISSING = tuple(PAPERS[5::17])


def draw(count: int) -> list[str]:
    return [str(paper) for paper in CHANCE.choice(PAPERS, count, replace=False)]


def write_labels(folder: Path) -> None:
    folder.mkdir()
    for split, count in SPLITS.items():
        lines = [f"{paper},{CLASS[paper]}" for paper in draw(count)]
        (folder / f"{split}.csv").write_text("\n".join(["pid,class_label", *lines]) + "\n")


def write_qrels(folder: Path) -> None:
    folder.mkdir()
    for split in ("val", "test"):
        lines = []
        for query in draw(12):
            candidates = [paper for paper in draw(15) if paper != query]
            lines += [f"{query} 0 {p} {int(CLASS[p] == CLASS[query])}" for p in candidates]
        (folder / f"{split}.qrel").write_text("\n".join(lines) + "\n")


def write_clicks(folder: Path) -> None:
    folder.mkdir()
    for split in SPLITS:
        lines = ["query_paper_id,clicked_id,other_ids"]
        for query in draw(40):
            shown = [paper for paper in draw(SHOWN + 1) if paper != query][:SHOWN]
            lines.append(f'{query},{shown[int(CHANCE.integers(SHOWN))]},"{",".join(shown)}"')
        (folder / f"{split}.csv").write_text("\n".join(lines) + "\n")
    (folder / "propensity_scores.json").write_text(json.dumps({"scores": PROPENSITIES}))


def write_papers(path: Path) -> None:
    papers = {}
    for paper in PAPERS[:110]:
        papers[paper] = {
            "paper_id": paper,
            "abstract": None,
            "title": " ".join(CHANCE.choice(["of", "graphs", "Cells", "on", "light"], 3)),
            "authors": CHANCE.choice(["1", "2", "3"], 2).tolist(),
            "references": draw(5),
            "cited_by": draw(4),
            "year": int(CHANCE.integers(1980, 2020)),
        }
    path.write_text(json.dumps(papers))


def write_scidocs(folder: Path) -> None:
    for task in ("mag", "mesh"):
        write_labels(folder / task)
    for task in ("cite", "cocite", "coread", "coview"):
        write_qrels(folder / task)
    write_clicks(folder / "recomm")
    write_papers(folder / "paper_metadata_recomm.json")


@pytest.fixture(scope="session")
def scidocs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scidocs")
    write_scidocs(folder)
    return folder


def write_embeddings(path: Path) -> Path:
    known = {paper: vector for paper, vector in EMBEDDINGS.items() if paper not in MISSING}
    lines = [json.dumps({"paper_id": p, "embedding": v.tolist()}) for p, v in known.items()]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture(scope="session")
def encoded(tmp_path_factory: pytest.TempPathFactory) -> PaperEmbeddings:
    return read_paper_embeddings(write_embeddings(tmp_path_factory.mktemp("e") / "e.jsonl"))


@pytest.fixture(scope="session")
def known() -> dict[str, np.ndarray]:
    return {paper: vector for paper, vector in EMBEDDINGS.items() if paper not in MISSING}


@pytest.fixture(scope="session")
def group_files(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Function that makes a folder with embeddings under the given names."""

    def write(*names: str) -> Path:
        folder = tmp_path_factory.mktemp("groups")
        for name in names:
            write_embeddings(folder / name)
        return folder

    return write
