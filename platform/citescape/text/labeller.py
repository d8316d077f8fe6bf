"""What the labellers share: how a model and its encoder are named, and how it is read back."""

from __future__ import annotations

from typing import Annotated

from citescape.runs.step import RunName, Setting

RULES = "rules"
"""Name of the model that needs no training."""
Model = Annotated[RunName, Setting(metavar="RUN|FOLDER|rules", default="the latest model")]
"""A trained model: its run, its folder, or `rules`; empty for the latest one."""
Encoder = Annotated[
    str, Setting(metavar="FOLDER|HUB-ID", default="MiniLM", environment="CITESCAPE_ENCODER")
]
"""A pretrained transformer: a local folder, or an id of the Hugging Face hub."""


def label_words(group: str, run: str) -> str:
    """The command that labels: with the model of `run`, or the latest one if it is empty.

    Args:
        group: of the labeller: `sections`.
        run: id of the model.
    """
    return f"text {group} label" + (f" --model {run}" if run else "")
