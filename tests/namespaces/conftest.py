"""An unscored generated corpus, and a small encoder in place of MiniLM."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import citescape
from citescape.demo.jats_writer import write_corpus
from citescape.demo.world import generate_world
from tests.cli.conftest import fast_default_encoder, small_minilm

__all__ = ["fast_default_encoder", "small_minilm"]


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[citescape.Corpus]:
    folder = tmp_path_factory.mktemp("corpus")
    write_corpus(generate_world(papers=50, seed=3), folder / "papers")
    with citescape.open(folder / "corpus.lbug") as opened:
        opened.ingest(folder / "papers", workers=1)
        yield opened
