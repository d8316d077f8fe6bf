"""What counts how much where citations are recommended: options of several commands."""

from __future__ import annotations

from typing import Any

import click


def _share(name: str, default: float, text: str) -> Any:
    """An option from 0 to 1."""
    kind = click.FloatRange(0, 1)
    return click.option(f"--{name}", type=kind, default=default, show_default=True, help=text)


weight_options = (
    _share("alpha", 0.8, "In profiles, of sentences that cite a paper (Eq. 3)."),
    _share("beta", 0.2, "In profiles, of papers that cite it."),
    _share("gamma", 0.7, "In queries, of the sentence (Eq. 4)."),
    _share("delta", 0.3, "In queries, of title and abstract."),
    _share("words", 0.2, "Share of words in what is fused; the rest is that of vectors."),
)
"""What `platform evaluate lcr --grid` finds the best of."""
rerank_weight_option = _share("weight", 1.0, "Of the reranker beside the retriever.")
contexts_option = click.option(
    "--contexts",
    type=click.Choice(("mean", "first", "sum")),
    default="mean",
    show_default=True,
    help="What stands for several sentences in which one paper cites another.",
)
