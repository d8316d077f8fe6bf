"""The exception tree.

* CitescapeError
  + SourceError             a file is not what its format promises; carries its path
  + StoreError              the graph store refused or cannot do something
    - TransientStoreError   worth retrying as it is (deadlock, lost connection)
    - StoreLockedError      another process holds the store
    - SchemaVersionError    the store was written by another schema version
    - QueryTimeoutError     a query was stopped at its time limit
    - QueryCancelledError   a query was stopped by its user
    - BusyError             too many queries run at once
  + OutputError             a file that was written is gone or replaced before the work ended
  + ServiceError            a server that was to do some of the work does not answer
  + TrainingError           a training cannot go on: its loss is NaN, memory does not suffice
  + ConfigError             an argument or setting has no meaning

A message says what was found, what was expected and what to do next.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import islice
from pickle import UnpicklingError

from citescape.core.paths import path_text
from citescape.core.redaction import redact

_PICKLE = re.compile(r"weights_only|allow_pickle|pickle|Python objects|Object arrays", re.I)


class CitescapeError(Exception):
    """Base of every error that citescape raises on purpose. Its message holds no secrets."""

    def __init__(self, *args: object) -> None:
        super().__init__(*(redact(arg) if isinstance(arg, str) else arg for arg in args))


class SourceError(CitescapeError):
    """A source file is not what its format promises.

    `path` names the file (for an archive member: archive, then member), its unprintable characters
    escaped; `reason` is a short word for counting errors, such as ``not-xml``.
    """

    def __init__(self, path: str, reason: str, message: str) -> None:
        super().__init__(path, reason, message)
        self.path = path_text(path)
        self.reason = reason
        self.message = redact(message)

    def __str__(self) -> str:
        return f"{redact(self.path)}: {self.message}"


class StoreError(CitescapeError):
    """The graph store refused or cannot do something."""


class TransientStoreError(StoreError):
    """Worth retrying as it is: a deadlock, a lost connection."""


class StoreLockedError(StoreError):
    """Another process holds the store."""


class SchemaVersionError(StoreError):
    """The store was written by another version of the schema."""


class QueryCancelledError(StoreError):
    """A query was stopped by its user."""


class BusyError(StoreError):
    """Too many queries run at once."""


class QueryTimeoutError(StoreError):
    """A query was stopped at its time limit."""

    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"the query was stopped after {seconds:g} s, its time limit; expected an answer within "
            "it: ask for less (a narrower MATCH, a LIMIT), or set --timeout SECONDS (in Python "
            "timeout=SECONDS), 0 for no limit"
        )


class OutputError(CitescapeError):
    """A file that was written is gone, or another one is in its place, before the work ended."""


class ServiceError(CitescapeError):
    """A server that was to do some of the work does not answer."""


class TrainingError(CitescapeError):
    """A training cannot go on as it is configured."""


class ConfigError(CitescapeError):
    """An argument or a setting has no meaning here."""


def library_reason(error: BaseException) -> str:
    """Why a library cannot read a file: the first line of its message, without unsafe advice.

    Where such an error is replaced, raise the new one `from None`: a traceback prints the message
    of the cause.
    """
    text = without_unsafe_advice(error).partition("\n")[0].strip()
    return text.removesuffix(".") or type(error).__name__


def without_unsafe_advice(error: BaseException) -> str:
    """The message of a library, or another one where it advises to load a file unsafely.

    Torch advises `weights_only=False`, numpy `allow_pickle=True`, transformers
    `trust_remote_code=True`: each lets the file run any program.
    """
    text = str(error).strip()
    if "remote_code" in text or "custom code" in text:
        return "a model with program code of its own, which citescape does not run"
    if isinstance(error, UnpicklingError) or _PICKLE.search(text):
        return (
            "a damaged file, or one of Python objects (pickle), which may run any program; do not "
            "load files from sources you do not trust"
        )
    if "set_int_max_str_digits" in text:
        return "a number of too many digits"
    return text


def list_some(items: Collection[object], most: int = 5) -> str:
    """The first items and how many there are besides: "a, b, c and 4,997 more"."""
    shown = ", ".join(str(item) for item in islice(items, most))
    more = len(items) - most
    return f"{shown} and {more:,} more" if more > 0 else shown


def invalid_choice(name: str, value: object, valid: object) -> ConfigError:
    """The error for a value outside a table of choices; its text lists the table.

    Args:
        name: name of the setting.
        value: the invalid value.
        valid: valid values.
    """
    choices = ", ".join(sorted(str(v) for v in valid))  # type: ignore[attr-defined]
    return ConfigError(f"{name} is {value!r}; expected one of: {choices}")
