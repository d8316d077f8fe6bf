"""How the labellers name a model and its encoder. Light: steps import it."""

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
