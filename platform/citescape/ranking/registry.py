"""Rankers by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from citescape.core.errors import ConfigError
from citescape.core.extras import require
from citescape.core.near import find_near
from citescape.core.progress import Progress, silent
from citescape.embeddings.embed import COMMAND as EMBED
from citescape.embeddings.embed import embed
from citescape.embeddings.graph_embed import COMMAND as GRAPH
from citescape.embeddings.steps import EmbedConfig
from citescape.encoders.files import find_weights
from citescape.papers.documents import DocumentCorpus
from citescape.ranking.files import FORMATS, open_embeddings
from citescape.ranking.names import name_systems, split_name
from citescape.ranking.published import read_traits
from citescape.ranking.random import Random
from citescape.ranking.sgc import Ends, smooth
from citescape.runs.directory import Stopwatch, find_run, read_command
from citescape.search.bm25 import Bm25
from citescape.search.dense import Dense
from citescape.search.lexical import TfIdf, make_lsa
from citescape.search.listed import Rows
from citescape.search.ranker import Ranker
from citescape.search.traits import Traits
from citescape.search.vectors import VECTORS, read_vectors

DEFAULT, ENCODING = "minilm", "encoding"
_SGC, _TUNED = "sgc", "bm25-tuned"


@dataclass(frozen=True)
class Basis:
    """Inputs of rankers: corpus, settings, citations and queries."""

    corpus: DocumentCorpus
    runs: Path
    _: KW_ONLY
    metric: str = "cosine"
    max_tokens: int = 0
    """Maximum tokens per text; 0 for the limit of the encoder."""
    seed: int = 0
    progress: Progress = silent
    citations: Callable[[], Ends] | None = None
    """Reads the citations between papers of the corpus; None if they are not available."""
    held_out: Rows = field(default_factory=lambda: np.empty(0, np.int64))
    """Rows of the queries of all splits. Their references are the answers, which no ranker may
    read."""
    clock: Stopwatch = field(default_factory=Stopwatch)
    """Times the encoding of texts."""
    count_seen: Callable[[str], int | None] | None = None
    """Encoder or run -> number of held-out queries in its training data; None without queries."""
    tune: Callable[[Bm25], Bm25] | None = None
    """Chooses k1 and b on validation queries; None if they are missing."""

    @property
    def ids(self) -> pa.StringArray:
        """(papers,) ids of the corpus, ascending."""
        ids: pa.StringArray = self.corpus.papers["id"].combine_chunks()
        return ids


@dataclass(frozen=True)
class RankerKind:
    """A ranker that needs no file."""

    meaning: str
    make: Callable[[Basis], Ranker]


def _make_tuned(basis: Basis) -> Ranker:
    if basis.tune is None:
        raise ConfigError(
            f"{_TUNED} needs validation queries; expected `platform evaluate pool`, or the test "
            "split of a benchmark of `platform benchmark mdcr` with a validation split"
        )
    return replace(basis.tune(Bm25.from_documents(basis.corpus.documents)), name=_TUNED)


KINDS: Mapping[str, RankerKind] = {
    "bm25": RankerKind(
        "Okapi BM25 over words", lambda basis: Bm25.from_documents(basis.corpus.documents)
    ),
    _TUNED: RankerKind("Okapi BM25, k1 and b chosen on validation queries", _make_tuned),
    "tfidf": RankerKind(
        "cosine of TF-IDF weights", lambda basis: TfIdf.from_documents(basis.corpus.documents)
    ),
    "lsa": RankerKind(
        "latent semantic analysis",
        lambda basis: make_lsa(
            basis.ids, basis.corpus.documents, metric=basis.metric, seed=basis.seed
        ),
    ),
    DEFAULT: RankerKind("the default encoder, MiniLM", lambda basis: _encode(basis, "", DEFAULT)),
    _SGC: RankerKind(
        "minilm's vectors smoothed over citations",
        lambda basis: _smooth(basis, DEFAULT, _SGC),
    ),
    "random": RankerKind("random scores", lambda basis: Random(basis.seed)),
}
"""Rankers by name. Others are `sgc:RANKER`, a run of `platform embed` or `train graph`, a file of
`files.FORMATS`, a folder of vectors, an encoder (a run of `platform train` or `train combine`, a
folder, a hub id)."""


def open_ranker(named: str, basis: Basis) -> tuple[str, Ranker]:
    """Name and ranker of `NAME=RANKER`, or of RANKER; the default name is RANKER.

    Raises:
        ConfigError: no such ranker; the message lists the rankers.
        SourceError: a file does not have the format of its name.
    """
    title, ranker = split_name(named)
    title = title or ranker
    return title, _open(title, ranker, basis)


def _open(title: str, ranker: str, basis: Basis) -> Ranker:
    basis.progress(f"preparing {ranker}")
    if ranker in KINDS:
        return KINDS[ranker].make(basis)
    kind, _, inner = ranker.partition(":")
    if kind == _SGC and inner:
        return _smooth(basis, inner, title)

    # a folder of vectors, or a file of another tool
    path = Path(ranker)
    if (path / VECTORS).is_file() and not read_command(path):
        return open_embeddings(path, basis.corpus, name=title, metric=basis.metric)
    endings = [ending for ending in FORMATS if ranker.removesuffix(".gz").endswith(ending)]
    if endings and not path.is_dir():
        return FORMATS[endings[0]].open(path, basis.corpus, name=title, metric=basis.metric)
    return _open_vectors(basis, ranker, title)


def open_rankers(named: Sequence[str], basis: Basis) -> dict[str, Ranker]:
    """Opens rankers: name -> ranker, in the given order.

    Rankers that encode texts are opened last, so that errors of others show before hours of work.

    Raises:
        ConfigError: no such ranker, or two rankers have the same name.
        SourceError: a file does not have the format of its name.
    """
    names = name_systems(named)

    def encodes(ranker: str) -> bool:
        if ranker in KINDS:
            return ranker in (DEFAULT, _SGC)
        return not ranker.removesuffix(".gz").endswith(tuple(FORMATS))

    opened = {
        name: _open(name, names[name], basis)
        for name in sorted(names, key=lambda name: encodes(names[name]))
    }
    return {name: opened[name] for name in names}


def _open_vectors(basis: Basis, named: str, title: str) -> Ranker:
    """Opens the vectors of a run, or of an encoder."""
    path = find_run(basis.runs, named)
    if path and read_command(path) in (EMBED, GRAPH):
        known, vectors = _read_known(basis, named), read_vectors(path)
        if (vectors.rows(basis.ids) < 0).all():
            raise ConfigError(
                f"none of the {len(vectors):,} papers of {named} is in the corpus; "
                "expected a run of these papers"
            )
        held_out = vectors.rows(basis.ids.take(pa.array(basis.held_out)))
        learned = int((held_out >= 0).sum())
        # a paper has a vector of a graph only if its citations are training data
        if read_command(path) == GRAPH and learned:
            raise ConfigError(
                f"{named} was trained on the citations of {learned:,} queries, the answers of the "
                f"evaluation; expected vectors of texts, or {_SGC}, which excludes these citations"
            )
        return Dense(title, basis.ids, vectors, basis.metric, named, known=known)
    if path or Path(named).is_dir():
        return _encode(basis, named, title)
    require("torch", "transformers")
    try:
        find_weights(named)
    except ConfigError as error:
        near = find_near(named, KINDS, most=1)
        reason = "not a run, a folder or an available encoder of the Hugging Face hub"
        reason += f" (did you mean {near[0]}?)" if near else ""
        raise ConfigError(
            f"no ranker {named!r}: {reason}; expected {', '.join(KINDS)}, {_SGC}:RANKER, a run of "
            f"vectors, a file ({', '.join(FORMATS)}), or an encoder, which is downloaded if "
            "there is a network connection: see `platform evaluate rankers`"
        ) from error
    return _encode(basis, named, title)


def _encode(basis: Basis, encoder: str, title: str) -> Ranker:
    config = EmbedConfig(encoder=encoder, max_tokens=basis.max_tokens)
    with basis.clock.timed(ENCODING):
        run = embed(
            basis.corpus, config, runs=basis.runs, command="encode", progress=basis.progress
        )
    known = _read_known(basis, run.record.config["encoder"])
    return Dense(title, basis.ids, run.vectors, basis.metric, run.run, known=known)


def _read_known(basis: Basis, named: str) -> Traits:
    """Traits of an encoder, or of a run of vectors."""
    seen = basis.count_seen(named) if basis.count_seen else 0
    return replace(read_traits(basis.runs, named), seen=seen)


def _smooth(basis: Basis, inner: str, title: str) -> Ranker:
    if basis.citations is None:
        raise ConfigError(
            f"{title} needs citations without the references of queries, which files do not "
            "contain; expected `platform evaluate pool`, or a benchmark of `platform benchmark "
            "mdcr` with the store that it was made from"
        )
    ranker = open_ranker(inner, basis)[1]
    if not isinstance(ranker, Dense):
        vectors = f"{DEFAULT}, lsa, an encoder, a run of `platform embed`, or a file of vectors"
        raise ConfigError(f"{_SGC} smooths vectors, but {inner} has none; expected {vectors}")
    return smooth(ranker, basis.citations(), basis.held_out, name=title)
