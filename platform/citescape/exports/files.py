"""Files that appear whole or not at all: written aside, synced to disk, renamed."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

from citescape.errors import ConfigError
from citescape.exports.attributed import AttributedNetwork
from citescape.exports.parts import Part
from citescape.runs import sync


def name_files(out: Path, parts: Mapping[str, Part]) -> dict[Path, Part]:
    """The files of a format: the name given, without the end of any of them, and their ends.

    `crops` and `crops.net` both give `crops.net`, `crops-year.vec` and so on.
    """
    ends = sorted((*parts, *(Path(end).suffix for end in parts)), key=len, reverse=True)
    end = next((end for end in ends if out.name.endswith(end) and out.name != end), "")
    base = out.name.removesuffix(end)
    return {out.with_name(base + end): part for end, part in parts.items()}


def check_folder(out: Path) -> None:
    """Before the work: whether files can be made there.

    Raises:
        ConfigError: there is no such folder, or nothing can be written in it.
    """
    folder = out.parent
    if out.is_dir() or not out.name:
        raise ConfigError(f"{out} is a folder; expected the name of a file: give one with -o")
    if not folder.is_dir():
        raise ConfigError(f"no folder {folder} for {out.name}; make it, or name another with -o")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ConfigError(f"cannot write in {folder}; name a file in another folder with -o")


def check_absent(files: Sequence[Path]) -> None:
    """Refuses to write over what is there.

    Raises:
        ConfigError: a file exists.
    """
    there = next((path for path in files if path.exists()), None)
    if there:
        raise ConfigError(
            f"{there} exists; name another file with -o, or add --force to replace it"
        )


def write_files(files: Mapping[Path, Part], content: AttributedNetwork) -> dict[Path, int]:
    """Writes all files aside, then moves them to their places; returns their bytes.

    Raises:
        ConfigError: the disk is full, or nothing can be written there; what was written is removed.
    """
    asides = {path: path.with_name(f".{path.name}.{os.getpid()}.part") for path in files}
    with ExitStack() as left:
        for path, aside in asides.items():
            left.callback(_remove, aside)
            try:
                with aside.open("wb", buffering=1 << 20) as sink:
                    files[path](content, sink)
                sync(aside)
            except OSError as error:
                raise _not_written(path, error) from error
        for path, aside in asides.items():
            try:
                aside.replace(path)
            except OSError as error:
                raise _not_written(path, error) from error
    sync(next(iter(files)).parent)
    return {path: path.stat().st_size for path in files}


def _remove(aside: Path) -> None:
    with suppress(OSError):
        aside.unlink()


def _not_written(path: Path, error: OSError) -> ConfigError:
    return ConfigError(
        f"{path} cannot be written: {error.strerror or error}; nothing was left behind: make room, "
        "or name a file elsewhere with -o"
    )
