"""What can go wrong, drawn once.

* CitescapeError
  + SourceError             a file is not what its format promises; carries its path
  + StoreError              the graph store refused or cannot do something
    - TransientStoreError   worth retrying as it is (deadlock, lost connection)
    - StoreLockedError      another process holds the store
    - SchemaVersionError    the store was written by another schema version
  + ServiceError            a server that was to do some of the work does not answer
  + TrainingError           a training cannot go on: its loss is no number, memory does not suffice
  + ConfigError             an argument or setting has no meaning

A message says what was found, what was expected and what to do next.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice


class CitescapeError(Exception):
    """Base of every error that citescape raises on purpose."""


class SourceError(CitescapeError):
    """A source file is not what its format promises.

    `path` names the file (for an archive member: archive, then member), `reason` is a short
    machine-countable word such as ``not-xml``.
    """

    def __init__(self, path: str, reason: str, message: str) -> None:
        super().__init__(path, reason, message)
        self.path = path
        self.reason = reason
        self.message = message

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


class StoreError(CitescapeError):
    """The graph store refused or cannot do something."""


class TransientStoreError(StoreError):
    """Worth retrying as it is: a deadlock, a lost connection."""


class StoreLockedError(StoreError):
    """Another process holds the store."""


class SchemaVersionError(StoreError):
    """The store was written by another version of the schema."""


class ServiceError(CitescapeError):
    """A server that was to do some of the work does not answer."""


class TrainingError(CitescapeError):
    """A training cannot go on as it is configured."""


class ConfigError(CitescapeError):
    """An argument or a setting has no meaning here."""


def list_some(items: Collection[object], most: int = 5) -> str:
    """The first items and how many there are besides: "a, b, c and 4,997 more"."""
    shown = ", ".join(str(item) for item in islice(items, most))
    more = len(items) - most
    return f"{shown} and {more:,} more" if more > 0 else shown


def invalid_choice(name: str, value: object, valid: object) -> ConfigError:
    """The error for a value outside a table of choices; the text is made from the table."""
    choices = ", ".join(sorted(str(v) for v in valid))  # type: ignore[attr-defined]
    return ConfigError(f"{name} is {value!r}; expected one of: {choices}")
