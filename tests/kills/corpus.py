"""A small corpus with the input of all commands."""

from __future__ import annotations

import os
from contextlib import redirect_stdout
from pathlib import Path

import citescape
from citescape.cli.main import main
from citescape.demo.jats_writer import write_corpus
from citescape.demo.world import generate_world
from citescape.store.graph_store import open_store
from tests.training.conftest import write_model

STORE = "corpus.lbug"
REFERENCES = 8.0
"""Mean number of references per paper."""
TOPICAL = 0.3
"""Share of papers with headings that rules cannot read."""
MORE, MORE_PAPERS = "more", 12
"""Folder of papers that are not in the store, and their number."""
STEPS = (
    f"ingest ../{MORE} --shards shards --workers 1",
    "text intents label --model rules",
    "text abstracts train --kind linear",
    "text abstracts label --model rules",
    "score --weights uniform",
    "sample importance --short-anchors shrink",
    "embed --max-tokens 32",
    "network build coupling --write",
    "network build knn",
    "cluster --network coupling",
    "topics",
    "map --overlay year --size 60x60 --dpi 50",
    "recommend --context Roots --max-tokens 16",
)
"""Earlier settings in the graph and run directories, which trials replace."""


def prepare_corpus(root: Path, papers: int) -> None:
    """Writes an encoder and `base`, a folder with a store and run directories, to a folder.

    Everything runs in this process, so that its forks find libraries and compiled code loaded.
    """
    base, encoder = root / "base", str(write_model(root / "encoder"))
    write_corpus(
        generate_world(papers=papers, references=REFERENCES, seed=3),
        root / "papers",
        topical=TOPICAL,
    )
    write_corpus(generate_world(papers=50, references=REFERENCES, seed=4), root / MORE)
    for path in sorted(path for path in (root / MORE).rglob("*") if path.is_file())[MORE_PAPERS:]:
        path.unlink()
    base.mkdir()
    os.chdir(base)
    with citescape.open(STORE) as opened:
        opened.ingest(root / "papers")
    label_sections(encoder)
    with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere):
        for line in STEPS:
            main(line.split())


def label_sections(encoder: str) -> None:
    """Labels sections with one model, then trains another, which is the latest."""
    from citescape.text.sections.label import label
    from citescape.text.sections.model import train
    from citescape.text.sections.steps import TrainSections

    store = open_store(STORE)
    for seed in (0, 1):
        config = TrainSections(
            encoder=encoder, body=False, epochs=2, fewest_steps=1, threads=1, seed=seed
        )
        model = train(store, config, runs=Path("runs"))
        if not seed:
            label(store, model)
    store.close()
