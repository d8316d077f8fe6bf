"""Encoders and losses of your own: their interface, and how a run names them.

A run records the qualified name of an object and a hash of its source and state. The hash covers
the source of the function, or of the object's class, with defaults and captured values, and the
weights and plain attributes of torch modules. It does not cover base classes, global variables and
other functions that the source calls: after a change there, use another run folder. An object that
cannot be hashed is trained again each time and does not continue from a checkpoint.
"""

from __future__ import annotations

import hashlib
import inspect
import pickle
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from types import FunctionType, MethodType, NoneType
from typing import Any, Protocol
from uuid import uuid4

from citescape.core.errors import ConfigError

OWN = "encoder.safetensors"
"""Weights of such an encoder in a run directory."""
_PLAIN = (str, int, float, bool, tuple, NoneType)


class OwnEncoder(Protocol):
    """A `torch.nn.Module` that reads texts, as the models of sentence-transformers do.

    Training calls `encoder(encoder.tokenize(texts))`. All weights that require a gradient are
    trained, in place. The run keeps them as `encoder.safetensors`, which only your own class can
    load: `safetensors.torch.load_model(encoder, run.path / "encoder.safetensors")`.
    """

    def tokenize(self, texts: list[str], /) -> Mapping[str, Any]:
        """Tensors by name, each with one row per text: token ids, mask."""
        ...

    def __call__(self, features: dict[str, Any], /) -> Any:
        """Vectors (texts, d), or a mapping with these as `sentence_embedding`."""
        ...


class OwnLoss(Protocol):
    """A loss over triplets, such as `torch.nn.TripletMarginLoss()`."""

    def __call__(self, anchor: Any, positive: Any, negative: Any, /) -> Any:
        """Scalar of vectors (triplets, d) of each role; its own parameters are not trained."""
        ...


def check_own_encoder(encoder: object) -> None:
    """Raises ConfigError for an object that is not a torch module with a method `tokenize`."""
    lacking = [n for n in ("tokenize", "state_dict", "parameters") if not hasattr(encoder, n)]
    if lacking or not callable(encoder):
        raise ConfigError(
            f"encoder is a {name_object(encoder)} without {', '.join(lacking) or 'a call'}; "
            "expected a torch.nn.Module with a method tokenize(texts)"
        )


def name_object(value: Any) -> str:
    """The qualified name of a function, or of an object's class: `my_module.my_loss`."""
    if isinstance(value, partial):
        return name_object(value.func)
    named = value if hasattr(value, "__qualname__") else type(value)
    return f"{named.__module__}.{named.__qualname__}"


def hash_object(value: Any) -> str:
    """SHA-256 of source and state, 64 digits; random digits if the state cannot be hashed."""
    digest = hashlib.sha256()
    try:
        for part in _list_parts(value):
            digest.update(part)
    except (pickle.PicklingError, AttributeError, TypeError, RecursionError):
        digest.update(uuid4().bytes)
    return digest.hexdigest()


def _list_parts(value: Any) -> Iterator[bytes]:
    """The bytes of name, source and state that `hash_object` covers."""
    yield name_object(value).encode()
    if isinstance(value, partial):
        yield from _list_parts(value.func)
        yield pickle.dumps((value.args, sorted(value.keywords.items())))
    elif isinstance(value, MethodType):
        yield from _list_parts(value.__func__)
        yield from _list_parts(value.__self__)
    elif isinstance(value, FunctionType):
        code = value.__code__
        yield _read_source(value) or code.co_code + repr(code.co_consts).encode()
        yield pickle.dumps((value.__defaults__, value.__kwdefaults__))
        for cell in value.__closure__ or ():
            yield from _list_parts(cell.cell_contents)
    elif hasattr(value, "state_dict"):
        import torch

        yield _read_source(type(value))
        yield repr(value).encode()
        for name, module in value.named_modules():
            plain = {k: v for k, v in vars(module).items() if isinstance(v, _PLAIN)}
            plain.pop("training", None)
            yield repr((name, sorted(plain.items()))).encode()
            for function in vars(module).values():
                if isinstance(function, FunctionType | partial | MethodType):
                    yield from _list_parts(function)
        for name, tensor in value.state_dict().items():
            array = tensor.detach().cpu().contiguous().flatten()
            yield f"{name} {tensor.dtype} {tuple(tensor.shape)}".encode()
            yield array.view(torch.uint8).numpy().tobytes() if array.numel() else b""
    elif hasattr(value, "__qualname__"):  # a class, or a function of C
        yield _read_source(value)
    else:
        yield _read_source(type(value))
        yield pickle.dumps(value)


def _read_source(value: Any) -> bytes:
    """Empty where the source is not available, such as on the command line of Python."""
    try:
        return inspect.getsource(value).encode()
    except (OSError, TypeError):
        return b""


def refuse_own(folder: Path) -> None:
    """Raises ConfigError for the run of an encoder of your own, which cannot be loaded by name."""
    if (folder / OWN).is_file():
        raise ConfigError(
            f"{folder.name} is an encoder of your own class, which cannot be loaded by its name; "
            f"load its weights with safetensors.torch.load_model(encoder, {str(folder / OWN)!r}), "
            "and use vectors that you compute with it"
        )
