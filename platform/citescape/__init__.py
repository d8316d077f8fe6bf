"""citescape: which citations matter, what a field looks like, what to cite.

`citescape.open("corpus.lbug")` or `citescape.open("bolt://localhost:7687")` gives a `Corpus`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from citescape.api import Corpus
    from citescape.api import open_corpus as open  # noqa: A004

    __version__: str

__all__ = ["Corpus", "__version__", "open"]


def __getattr__(name: str) -> Any:
    """Imports the interface on first use, so that `import citescape.x` stays light."""
    if name == "__version__":
        from importlib.metadata import version

        return version("citescape")
    if name in ("Corpus", "open"):
        from citescape import api

        return api.Corpus if name == "Corpus" else api.open_corpus
    raise AttributeError(f"module 'citescape' has no attribute {name!r}")
