"""citescape: which citations matter, what a field looks like, what to cite.

`citescape.open("corpus.lbug")` or `citescape.open("bolt://localhost:7687")` gives a `Corpus`:

    with citescape.open("corpus.lbug") as corpus:
        corpus.ingest("papers/")
        corpus.score()
        corpus.cypher("MATCH (p:Paper) RETURN p.title, p.year LIMIT 5").to_pandas()
        corpus.text         # section types, citation intents, parts of abstracts
        corpus.learn        # triplets, encoders, vectors, nearest papers
        corpus.network      # networks of papers: build, report, overlap, nearest, remove
        corpus.cluster()    # communities; then corpus.topics(), corpus.map(), corpus.export(...)
        corpus.evaluate     # benchmarks, pools, leakage, reports
        corpus.recommend    # papers to cite in a sentence or draft, with reasons

Settings are dataclasses, of this module too: `corpus.learn.sample(citescape.SpecterConfig())`.
Whatever citescape refuses to do is a `CitescapeError` that says what to do instead.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from citescape.core.errors import CitescapeError
    from citescape.corpus import Corpus
    from citescape.corpus import open_corpus as open  # noqa: A004
    from citescape.embeddings.embed import EmbedConfig
    from citescape.embeddings.graph_embed import GraphEmbedConfig
    from citescape.encoders.graph_config import GraphConfig, Workplace
    from citescape.evaluation.mdcr.config import MdcrConfig
    from citescape.evaluation.pool.config import FieldPoolConfig, PoolConfig
    from citescape.evaluation.prefilter import Prefilter
    from citescape.evaluation.scidocs.run import SciDocsConfig
    from citescape.namespaces.evaluating import RankingConfig
    from citescape.namespaces.recommending import ProfilesConfig
    from citescape.recommend.lcr.config import LcrConfig
    from citescape.recommend.lcr.prepare import LcrMeasuring
    from citescape.recommend.lcr.shortlists import ShortlistConfig
    from citescape.recommend.recommender import RecommendConfig
    from citescape.sampling.bands import NeighbourhoodConfig
    from citescape.sampling.importance import ImportanceConfig
    from citescape.sampling.labels import LabelConfig
    from citescape.sampling.pool import Drawing
    from citescape.sampling.specter import SpecterConfig
    from citescape.text.abstracts.chat import ChatConfig
    from citescape.text.abstracts.llm import LlmConfig
    from citescape.text.abstracts.train import SplitConfig
    from citescape.text.intents.config import IntentConfig
    from citescape.text.sections.config import SectionConfig
    from citescape.training.config import TrainConfig
    from citescape.training.reranking.config import RerankConfig
    from citescape.training.sweep_run import SweepConfig

    __version__: str

_HOMES = {
    "ChatConfig": "citescape.text.abstracts.chat",
    "CitescapeError": "citescape.core.errors",
    "Corpus": "citescape.corpus",
    "Drawing": "citescape.sampling.pool",
    "EmbedConfig": "citescape.embeddings.embed",
    "FieldPoolConfig": "citescape.evaluation.pool.config",
    "GraphConfig": "citescape.encoders.graph_config",
    "GraphEmbedConfig": "citescape.embeddings.graph_embed",
    "ImportanceConfig": "citescape.sampling.importance",
    "IntentConfig": "citescape.text.intents.config",
    "LabelConfig": "citescape.sampling.labels",
    "LcrConfig": "citescape.recommend.lcr.config",
    "LcrMeasuring": "citescape.recommend.lcr.prepare",
    "LlmConfig": "citescape.text.abstracts.llm",
    "MdcrConfig": "citescape.evaluation.mdcr.config",
    "NeighbourhoodConfig": "citescape.sampling.bands",
    "PoolConfig": "citescape.evaluation.pool.config",
    "Prefilter": "citescape.evaluation.prefilter",
    "ProfilesConfig": "citescape.namespaces.recommending",
    "RankingConfig": "citescape.namespaces.evaluating",
    "RecommendConfig": "citescape.recommend.recommender",
    "RerankConfig": "citescape.training.reranking.config",
    "SciDocsConfig": "citescape.evaluation.scidocs.run",
    "SectionConfig": "citescape.text.sections.config",
    "ShortlistConfig": "citescape.recommend.lcr.shortlists",
    "SpecterConfig": "citescape.sampling.specter",
    "SplitConfig": "citescape.text.abstracts.train",
    "SweepConfig": "citescape.training.sweep_run",
    "TrainConfig": "citescape.training.config",
    "Workplace": "citescape.encoders.graph_config",
}

__all__ = [
    "ChatConfig",
    "CitescapeError",
    "Corpus",
    "Drawing",
    "EmbedConfig",
    "FieldPoolConfig",
    "GraphConfig",
    "GraphEmbedConfig",
    "ImportanceConfig",
    "IntentConfig",
    "LabelConfig",
    "LcrConfig",
    "LcrMeasuring",
    "LlmConfig",
    "MdcrConfig",
    "NeighbourhoodConfig",
    "PoolConfig",
    "Prefilter",
    "ProfilesConfig",
    "RankingConfig",
    "RecommendConfig",
    "RerankConfig",
    "SciDocsConfig",
    "SectionConfig",
    "ShortlistConfig",
    "SpecterConfig",
    "SplitConfig",
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
