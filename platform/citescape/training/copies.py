"""Copies of trained encoders in folders of the user."""

from __future__ import annotations

import shutil
from pathlib import Path

from citescape.core.errors import ConfigError
from citescape.core.files import sync
from citescape.core.outputs import watch_output
from citescape.encoders.saved import SETTINGS
from citescape.runs.directory import RECORD, check_writable


def check_out(out: Path | None) -> None:
    """Checks, before the training, that the encoder can be copied to a folder.

    Raises:
        ConfigError: the folder holds other files than those of a training, or cannot be written.
    """
    if out is None:
        return
    trained = all((out / name).is_file() for name in (SETTINGS, RECORD))
    if out.exists() and any(out.iterdir()) and not trained:
        raise ConfigError(
            f"{out} holds other files than a trained encoder; name an empty or new folder with "
            "--out"
        )
    try:
        check_writable(out.resolve().parent)
    except ConfigError as error:
        raise ConfigError(f"{out} cannot be written; name another folder with --out") from error


def copy_encoder(path: Path, out: Path) -> None:
    """Copies a trained encoder atomically; a copy that is there is replaced."""
    out = out.resolve()
    aside, old = (out.with_name(f".{out.name}.{kind}") for kind in ("partial", "old"))
    if old.exists() and not out.exists():  # a kill between the two renames below
        old.rename(out)
    for left in (aside, old):
        shutil.rmtree(left, ignore_errors=True)
    aside.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(path, aside)
    for copied in aside.rglob("*"):
        sync(copied)
    if out.exists():
        out.rename(old)
    aside.rename(out)
    sync(out.parent)
    watch_output(out)
    shutil.rmtree(old, ignore_errors=True)
