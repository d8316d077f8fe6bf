"""Encoders of documents on disk: what a training writes and `platform embed` reads.

`citescape.json` holds how an encoder reads documents:

    {"form": "sep", "pooling": "cls", "max_tokens": 512}

It is in one of three places:

(a) the folder of a Hugging Face model (config.json, model.safetensors, tokenizer.json), which may
    be a run directory with its run.json beside them;
(b) a run directory with `adapter.safetensors`: float32 tensors `weight` (d_out, d_in) and `bias`
    (d_out,). Then citescape.json has also "base", the name of the frozen encoder below it, and the
    vector of a document is weight @ (vector of the base) + bias;
(c) a run directory without weights of its own. Then citescape.json has "parts", the names of
    encoders, and "weights", and a document's vector is the weighted sum of theirs (FLeW, Eq. 8).

A hub id or folder without citescape.json is a plain model: pooled as in its `1_Pooling` (by default
`mean`), with the form `sep` if that is `cls`, else `joined`.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

from citescape.core.errors import ConfigError, list_some
from citescape.core.extras import require
from citescape.encoders.combined import WeightedSum
from citescape.encoders.documents import FORMS, Adapter, DocumentEncoder, EncoderSettings
from citescape.encoders.files import (
    default_encoder,
    find_weights,
    hash_encoder,
    read_pooling,
    resolve_encoder,
)
from citescape.encoders.own import refuse_own
from citescape.encoders.pretrained import EncoderConfig, PretrainedEncoder
from citescape.runs.directory import command_words, find_files, is_run_id, read_command

SETTINGS, ADAPTER = "citescape.json", "adapter.safetensors"


def write_encoder_settings(folder: Path, settings: EncoderSettings) -> None:
    """Writes `citescape.json` into a folder that exists, such as an unfinished run."""
    fields = {name: value for name, value in asdict(settings).items() if value not in ("", ())}
    (folder / SETTINGS).write_text(json.dumps(fields, indent=2) + "\n", encoding="utf-8")


def read_encoder_settings(folder: Path | str) -> EncoderSettings | None:
    """The settings in `citescape.json` of a folder; None if there is no such file.

    Raises:
        ConfigError: it cannot be read, or is of another version.
    """
    path = Path(folder) / SETTINGS
    if not path.is_file():
        return None
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
        lists = {name: tuple(fields[name]) for name in ("parts", "weights") if name in fields}
        return EncoderSettings(**fields | lists)
    except (OSError, ValueError, TypeError, ConfigError) as error:
        raise ConfigError(
            f"{path}: expected form, pooling and max_tokens of an encoder; {error}"
        ) from error


def write_adapter(folder: Path, adapter: Adapter, settings: EncoderSettings) -> None:
    """Writes a linear map and its settings.

    Args:
        folder: folder that exists.
        adapter: linear map.
        settings: how the encoder reads documents; `base` names the frozen encoder.

    Raises:
        ConfigError: there is no base, or the shapes do not fit each other.
    """
    from safetensors.numpy import save_file

    _check_adapter(adapter, settings, folder)
    tensors = {"weight": adapter.weight, "bias": adapter.bias}
    dense = {name: np.ascontiguousarray(array, np.float32) for name, array in tensors.items()}
    save_file(dense, folder / ADAPTER)
    write_encoder_settings(folder, settings)


def read_adapter(folder: Path | str) -> Adapter | None:
    """The linear map in a folder; None if there is no such file.

    Raises:
        ConfigError: it is damaged, or its shapes do not fit each other.
    """
    path = Path(folder) / ADAPTER
    if not path.is_file():
        return None
    require("safetensors")
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        tensors = load_file(path)
        adapter = Adapter(*(np.asarray(tensors[name], np.float32) for name in ("weight", "bias")))
    except (OSError, KeyError, SafetensorError) as error:
        raise ConfigError(f"{path}: expected tensors weight and bias; found: {error}") from error
    _check_adapter(adapter, read_encoder_settings(folder), folder)
    return adapter


def encoder_settings(name: str, *, form: str = "", pooling: str = "") -> EncoderSettings:
    """How the encoder of this name reads documents: as saved, else as a plain model.

    Args:
        name: folder or hub id; empty for the default encoder.
        form: overrides the form, and the pooling unless that is given too.
        pooling: overrides the pooling.

    Raises:
        ConfigError: no such form or pooling, or settings cannot be read.
    """
    settings = read_encoder_settings(name) if Path(name).is_dir() else None
    if settings is None:
        own = read_pooling(name or default_encoder())
        settings = EncoderSettings("sep" if own == FORMS["sep"] else "joined", own)
    if form and form != settings.form:
        settings = replace(settings, form=form, pooling=FORMS.get(form, settings.pooling))
    return replace(settings, pooling=pooling) if pooling else settings


def load_document_encoder(
    name: str, settings: EncoderSettings | None = None, *, precision: str = "auto"
) -> DocumentEncoder:
    """Loads an encoder of documents by hub id or folder, with its adapter if it has one.

    Args:
        name: hub id, folder of a model, or run directory; empty for the default encoder.
        settings: how to read documents; None for `encoder_settings(name)`.
        precision: one of `pretrained.PRECISIONS`.

    Raises:
        ConfigError: no such encoder, or its files are not complete.
    """
    name = name or default_encoder()
    settings = settings or encoder_settings(name)
    if settings.parts:
        if settings != encoder_settings(name):
            raise ConfigError(
                f"{name} is a weighted sum, whose parts read documents as each was trained to; "
                "use its form, pooling and number of tokens"
            )
        parts = []
        for part in settings.parts:
            own = encoder_settings(part)
            if (own.form, own.parts) != (settings.form, ()):
                raise ConfigError(
                    f"{part} reads documents in the form {own.form}; expected {settings.form}, as "
                    "the weighted sum it is a part of, and no weighted sum"
                )
            parts.append(load_document_encoder(part, own, precision=precision))
        return DocumentEncoder(WeightedSum(parts, settings.weights), settings)
    adapter = read_adapter(name)
    base = settings.base if adapter else name
    config = EncoderConfig(base, settings.max_tokens, precision, settings.pooling, unit=False)
    encoder = PretrainedEncoder.load(config)
    if adapter and adapter.weight.shape[1] != encoder.dimensions:
        raise ConfigError(
            f"{Path(name) / ADAPTER} maps vectors of {adapter.weight.shape[1]} dimensions, but its "
            f"base {base!r} has {encoder.dimensions}; train the adapter again"
        )
    return DocumentEncoder(encoder, settings, adapter)


def hash_document_encoder(name: str) -> str:
    """SHA-256 of all files that decide vectors, the base's and the adapter's; 64 digits.

    Raises:
        ConfigError: there is no such encoder.
    """
    path = Path(name) / ADAPTER
    settings = read_encoder_settings(name) if name and Path(name).is_dir() else None
    if settings and settings.parts:
        hashes = [hash_document_encoder(part) for part in settings.parts]
        return hashlib.sha256(repr((hashes, settings.weights)).encode()).hexdigest()
    if not name or not path.is_file():
        return hash_encoder(name or default_encoder())
    _check_adapter(None, settings, name)
    assert settings is not None
    return hashlib.sha256(hash_encoder(settings.base).encode() + path.read_bytes()).hexdigest()


def find_trained(runs: Path, sha256: str) -> str:
    """Name of the run of an encoder, by its `hash_document_encoder`; empty if it is not in `runs`.

    Encoders are compared by content: copies and moved folders are the same.
    """
    for settings in find_files(runs, SETTINGS):
        with suppress(ConfigError):  # an incomplete encoder
            if hash_document_encoder(str(settings.parent)) == sha256:
                return settings.parent.name
    return ""


def find_document_encoder(runs: Path, named: str) -> str:
    """The name to load and record an encoder by: a run's folder, any folder, or a hub id.

    Raises:
        ConfigError: the name is a run of another command, or the id of a run that does not exist.
    """
    if not named:
        return resolve_encoder(named)
    path = Path(named) if Path(named).is_dir() else runs / named
    refuse_own(path)
    if (path / SETTINGS).is_file():
        return resolve_encoder(str(path))
    if command := read_command(path):
        raise ConfigError(
            f"{named} is a run of `platform {command_words(command)}`; expected an encoder: one of "
            "`platform train` or `platform train combine`, a folder or a hub id"
        )
    if is_run_id(named) and not Path(named).is_dir():
        trained = [path.parent.name for path in find_files(runs, SETTINGS)]
        choices = f"expected one of: {list_some(trained)}"
        advice = choices if trained else "train one first: `platform train`"
        raise ConfigError(f"no encoder {named!r} in {runs}; {advice}")
    return resolve_encoder(named)


def check_encoder(runs: Path, named: str) -> None:
    """Checks, before any texts are read, that an encoder exists.

    Raises:
        ConfigError: there is no such encoder, or a library is not installed.
    """
    require("torch", "transformers")
    name = find_document_encoder(runs, named)
    settings = encoder_settings(name)
    for part in settings.parts:
        check_encoder(runs, part)
    if not settings.parts:
        find_weights(settings.base or name)


def _check_adapter(
    adapter: Adapter | None, settings: EncoderSettings | None, folder: Path | str
) -> None:
    if settings is None or not settings.base:
        raise ConfigError(f"{Path(folder) / SETTINGS}: expected the adapter's `base`; found none")
    if adapter is None:
        return
    shapes = adapter.weight.shape, adapter.bias.shape
    if len(shapes[0]) != 2 or shapes[1] != shapes[0][:1]:
        raise ConfigError(
            f"{Path(folder) / ADAPTER}: expected weight (d_out, d_in) and bias (d_out,); found "
            f"shapes {shapes[0]} and {shapes[1]}"
        )
