"""citescape: which citations matter, what a field looks like, what to cite.

`citescape.open("corpus.lbug")` or `citescape.open("bolt://localhost:7687")` gives a `Corpus`:

    with citescape.open("corpus.lbug") as corpus:
        corpus.ingest("papers/")
        corpus.score()
        corpus.cypher("MATCH (p:Paper) RETURN p.title, p.year LIMIT 5").to_pandas()
        corpus.text         # section types, citation intents, parts of abstracts
        corpus.sample       # triplets
        corpus.train        # encoders of texts and of the citation graph
        corpus.embed()      # vectors of papers; `similar` finds the nearest
        corpus.network      # networks of papers: build, report, overlap, nearest, remove
        corpus.cluster()    # communities; then corpus.topics(), corpus.map(), corpus.export(...)
        corpus.benchmark    # benchmarks made of the papers here
        corpus.evaluate     # encoders and rankers by benchmarks, pools, leakage, reports
        corpus.recommend("A sentence [?].")  # papers to cite, with reasons

Settings that are dataclasses are names of this module, such as `citescape.TrainConfig`.
Every error that citescape raises is a `CitescapeError`, whose message says what to do.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from citescape.core.errors import CitescapeError
    from citescape.corpus import Corpus
    from citescape.corpus import open_corpus as open  # noqa: A004
    from citescape.embeddings.graph_embed import GraphEmbedConfig
    from citescape.embeddings.steps import EmbedConfig
    from citescape.encoders.graph_config import GraphConfig, Workplace
    from citescape.recommend.lcr.prepare import LcrEvaluationConfig
    from citescape.recommend.lcr.shortlists import ShortlistConfig
    from citescape.sampling.config import (
        ImportanceConfig,
        LabelConfig,
        NeighbourhoodConfig,
        SamplingConfig,
        SpecterConfig,
    )
    from citescape.training.config import SweepConfig, TrainConfig
    from citescape.training.reranking.config import RerankConfig

    __version__: str

_HOMES = {
    "CitescapeError": "citescape.core.errors",
    "Corpus": "citescape.corpus",
    "SamplingConfig": "citescape.sampling.config",
    "EmbedConfig": "citescape.embeddings.steps",
    "GraphConfig": "citescape.encoders.graph_config",
    "GraphEmbedConfig": "citescape.embeddings.graph_embed",
    "ImportanceConfig": "citescape.sampling.config",
    "LabelConfig": "citescape.sampling.config",
    "LcrEvaluationConfig": "citescape.recommend.lcr.prepare",
    "NeighbourhoodConfig": "citescape.sampling.config",
    "RerankConfig": "citescape.training.reranking.config",
    "ShortlistConfig": "citescape.recommend.lcr.shortlists",
    "SpecterConfig": "citescape.sampling.config",
    "SweepConfig": "citescape.training.config",
    "TrainConfig": "citescape.training.config",
    "Workplace": "citescape.encoders.graph_config",
}

__all__ = [
    "CitescapeError",
    "Corpus",
    "EmbedConfig",
    "GraphConfig",
    "GraphEmbedConfig",
    "ImportanceConfig",
    "LabelConfig",
    "LcrEvaluationConfig",
    "NeighbourhoodConfig",
    "RerankConfig",
    "SamplingConfig",
    "ShortlistConfig",
    "SpecterConfig",
    "SweepConfig",
    "TrainConfig",
    "Workplace",
    "__version__",
    "open",
]


def __getattr__(name: str) -> Any:
    """Imports the interface on first use, so that `import citescape.x` stays light."""
    if name == "__version__":
        from importlib.metadata import version

        return version("citescape")
    if name == "open":
        return import_module("citescape.corpus").open_corpus
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'citescape' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, "__doc__", "__file__", "__name__", "__path__"})
