"""citescape: which citations matter, what a field looks like, what to cite.

`citescape.open("corpus.lbug")` or `citescape.open("bolt://localhost:7687")` gives a `Corpus`:

    with citescape.open("corpus.lbug") as corpus:
        corpus.ingest("papers/")
        corpus.score()
        corpus.cypher("MATCH (p:Paper) RETURN p.title, p.year LIMIT 5").to_pandas()
        corpus.text         # section types, citation intents, parts of abstracts
        corpus.learn        # triplets, encoders, vectors, nearest papers

Settings are dataclasses, of this module too: `corpus.learn.sample(citescape.SpecterConfig())`.
Whatever citescape refuses to do is a `CitescapeError` that says what to do instead.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from citescape.api import Corpus
    from citescape.api import open_corpus as open  # noqa: A004
    from citescape.embeddings.embed import EmbedConfig
    from citescape.embeddings.graph_embed import GraphEmbedConfig
    from citescape.encoders.graph_config import GraphConfig, Workplace
    from citescape.errors import CitescapeError
    from citescape.graph.ingest import IngestConfig
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
    from citescape.training.sweep_run import SweepConfig

    __version__: str

_HOMES = {
    "ChatConfig": "citescape.text.abstracts.chat",
    "CitescapeError": "citescape.errors",
    "Corpus": "citescape.api",
    "Drawing": "citescape.sampling.pool",
    "EmbedConfig": "citescape.embeddings.embed",
    "GraphConfig": "citescape.encoders.graph_config",
    "GraphEmbedConfig": "citescape.embeddings.graph_embed",
    "ImportanceConfig": "citescape.sampling.importance",
    "IngestConfig": "citescape.graph.ingest",
    "IntentConfig": "citescape.text.intents.config",
    "LabelConfig": "citescape.sampling.labels",
    "LlmConfig": "citescape.text.abstracts.llm",
    "NeighbourhoodConfig": "citescape.sampling.bands",
    "SectionConfig": "citescape.text.sections.config",
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
    "GraphConfig",
    "GraphEmbedConfig",
    "ImportanceConfig",
    "IngestConfig",
    "IntentConfig",
    "LabelConfig",
    "LlmConfig",
    "NeighbourhoodConfig",
    "SectionConfig",
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
        return import_module("citescape.api").open_corpus
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'citescape' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, "__doc__", "__file__", "__name__", "__path__"})
