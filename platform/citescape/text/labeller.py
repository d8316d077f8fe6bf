"""Settings that name a model and an encoder. Imports little, as steps import it."""

from __future__ import annotations

from typing import Annotated

from citescape.runs.step import RunName, Setting

RULES = "rules"
"""Name of the model that needs no training."""
Model = Annotated[RunName, Setting(metavar="RUN|FOLDER|rules", default="the latest model")]
"""A trained model: a run, a folder, or `rules`; empty for the latest model."""
Encoder = Annotated[
    str, Setting(metavar="FOLDER|HUB-ID", default="MiniLM", environment="CITESCAPE_ENCODER")
]
"""A pretrained transformer: a local folder, or an id of the Hugging Face hub."""
