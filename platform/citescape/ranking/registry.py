"""Rankers by name, and what is known of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from citescape.embeddings.documents import Corpus
from citescape.embeddings.embed import COMMAND as EMBED
from citescape.embeddings.embed import EmbedConfig, embed
from citescape.embeddings.graph_embed import COMMAND as GRAPH
from citescape.embeddings.vectors import Vectors, read_vectors
from citescape.errors import ConfigError
from citescape.progress import Progress, silent
from citescape.ranking.bm25 import Bm25
from citescape.ranking.dense import Dense
from citescape.ranking.lexical import make_lsa
from citescape.ranking.random import Random
from citescape.ranking.ranker import Ranker
from citescape.runs import find_run, read_command

DEFAULT = "minilm"


@dataclass(frozen=True)
class Desk:
    """What rankers are made from."""

    corpus: Corpus
    runs: Path
    metric: str = "cosine"
    max_tokens: int = 0
    """Read of a text; 0 for the encoder's own."""
    seed: int = 0
    progress: Progress = silent

    @property
    def ids(self) -> pa.StringArray:
        """(papers,) of the corpus, ascending."""
        ids: pa.StringArray = self.corpus.papers["id"].combine_chunks()
        return ids


@dataclass(frozen=True)
class Kind:
    """A ranker that needs no file."""

    meaning: str
    make: Callable[[Desk], Ranker]


KINDS: Mapping[str, Kind] = {
    "bm25": Kind("Okapi BM25 over words", lambda desk: Bm25.of(desk.corpus.documents)),
    "lsa": Kind(
        "latent semantic analysis",
        lambda desk: make_lsa(desk.ids, desk.corpus.documents, seed=desk.seed),
    ),
    DEFAULT: Kind("the encoder that is installed", lambda desk: _encode(desk, "", DEFAULT)),
    "random": Kind("scores drawn at random", lambda desk: Random(desk.seed)),
}
"""Name -> what it is. Beside these a run of `platform embed` or `graph-embed`, an encoder (a run
of `platform train` or `combine`, a folder, a hub id)."""


def open_ranker(named: str, desk: Desk) -> tuple[str, Ranker]:
    """The ranker of a name, and what to call it: `NAME=RANKER`, or RANKER itself.

    Raises:
        ConfigError: there is no such ranker; the message says which there are.
    """
    title, _, told = named.rpartition("=")
    title = title or told
    if told in KINDS:
        desk.progress(f"preparing {told}")
        return title, KINDS[told].make(desk)
    path = find_run(desk.runs, told)
    if path and read_command(path) in (EMBED, GRAPH):
        return title, _dense(desk, read_vectors(path), title, source=told)
    try:
        return title, _encode(desk, told, title)
    except ConfigError as error:
        raise ConfigError(
            f"no ranker {told!r}: {error}; expected {', '.join(KINDS)}, a run of `platform embed`, "
            "or an encoder"
        ) from error


def _encode(desk: Desk, encoder: str, title: str) -> Ranker:
    config = EmbedConfig(encoder=encoder, max_tokens=desk.max_tokens)
    made = embed(desk.corpus, config, runs=desk.runs, command="encode", progress=desk.progress)
    return _dense(desk, made.vectors, title, source=made.run)


def _dense(desk: Desk, vectors: Vectors, title: str, *, source: str) -> Ranker:
    return Dense(title, desk.ids, vectors, desk.metric, source)
