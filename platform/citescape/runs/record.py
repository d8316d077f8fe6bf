"""The file `run.json`: required fields, reading, and removal of secrets."""

from __future__ import annotations

import json
import os
import re
import stat
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from citescape.core.errors import SourceError, library_reason
from citescape.core.redaction import redact_values

RUN_ID = re.compile(r"[a-z][a-z0-9-]*")
_LARGEST = 32 << 20
"""Maximum bytes of a `run.json`; those of citescape have some kilobytes."""
_TYPES: Mapping[str, type | tuple[type, ...]] = {
    **dict.fromkeys(("id", "command", "started"), str),
    **dict.fromkeys(("config", "inputs", "versions", "counts", "timings", "request"), dict),
    **{"seed": (int, type(None)), "seconds": (int, float), "peak_memory_mb": int},
}
_REQUIRED = frozenset(("id", "command", "config", "inputs"))
_FROM_USERS = ("config", "inputs", "counts", "request")


class DamagedRunWarning(UserWarning):
    """A folder among the run directories holds a `run.json` that cannot be read."""


def warn_of_damaged_run(error: SourceError) -> None:
    """A Python warning that names the file, unless its folder was removed in the meantime."""
    if os.path.lexists(error.path):
        warnings.warn(f"skipped a damaged run: {error}", DamagedRunWarning, stacklevel=1)


def redact_record(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a record without secrets; only fields with input of users can change."""
    return {**fields, **{name: redact_values(fields[name]) for name in _FROM_USERS}}


def read_record(path: Path) -> dict[str, Any]:
    """The fields of the record in a file, with the types that `RunRecord` declares.

    Raises:
        SourceError: the file cannot be read, or is not a record.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise ValueError("no regular file")  # reading a pipe or a device might never end
        with path.open("rb") as file:
            content = file.read(_LARGEST + 1)
        if not content.strip():
            raise ValueError("an empty file")
        if len(content) > _LARGEST:
            raise ValueError(f"a file of more than {_LARGEST >> 20} MB")
        return check_record(json.loads(content.decode("utf-8")))
    except (OSError, ValueError, RecursionError) as error:
        reason = error.strerror if isinstance(error, OSError) else library_reason(error)
        raise SourceError(
            str(path),
            "not-a-run",
            f"expected the record of a run; found: {reason}; move the folder away, and run "
            "the command again if its result is needed",
        ) from error


def check_record(fields: object) -> dict[str, Any]:
    """The fields, if they are complete, have the right types and can be written again.

    Raises:
        ValueError: it names the wrong fields; also for NaN and for half of a surrogate pair.
    """
    if not isinstance(fields, dict):
        raise ValueError("JSON that is not an object")
    if "asked" in fields:  # its name in early runs
        fields["request"] = fields.pop("asked")
    lacking, unknown = _REQUIRED.difference(fields), fields.keys() - _TYPES
    wrong = {name for name in fields.keys() & _TYPES if not isinstance(fields[name], _TYPES[name])}
    if isinstance(fields.get("id"), str) and not RUN_ID.fullmatch(fields["id"]):
        wrong.add("id")
    for problem, names in (("no", lacking), ("unknown", unknown), ("another type of", wrong)):
        if names:
            raise ValueError(f"{problem} {', '.join(sorted(names))}"[:200])
    json.dumps(fields, ensure_ascii=False, allow_nan=False).encode()
    return fields
